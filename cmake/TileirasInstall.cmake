# The install tree: tools, the library, shipped plugins and profiles, and the SDK to build more plugins.
include(CMakePackageConfigHelpers)
set(TILEIRAS_CMAKE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/Tileiras")

install(TARGETS tileiras EXPORT TileirasTargets LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(EXPORT TileirasTargets NAMESPACE tileiras:: DESTINATION "${TILEIRAS_CMAKE_DIR}")
# The launch library stands alone: --component launch installs it, its header and the package's entry.
install(TARGETS tileiras-launch EXPORT TileirasLaunchTargets LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  COMPONENT launch NAMELINK_COMPONENT launch)
install(EXPORT TileirasLaunchTargets NAMESPACE tileiras:: DESTINATION "${TILEIRAS_CMAKE_DIR}" COMPONENT launch)
install(DIRECTORY runtime/include/tileiras/Launch DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/tileiras" COMPONENT launch)
install(TARGETS tileiras-run-library EXPORT TileirasTargets LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY runtime/include/tileiras/Run DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/tileiras")
install(DIRECTORY core/include/tileiras "${CMAKE_BINARY_DIR}/core/include/tileiras"
  nvidia/include/tileiras "${CMAKE_BINARY_DIR}/nvidia/include/tileiras"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.inc"
  PATTERN CMakeFiles EXCLUDE)
configure_package_config_file(cmake/TileirasConfig.cmake.in "${CMAKE_CURRENT_BINARY_DIR}/TileirasConfig.cmake"
  INSTALL_DESTINATION "${TILEIRAS_CMAKE_DIR}" PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
# For C programs, which need nothing of LLVM's: a target, and pkg-config's files.
set(TILEIRAS_LIBRARY_FILE "libtileiras.so.${PROJECT_VERSION}")
set(TILEIRAS_LIBRARY_SONAME "libtileiras.so.${TILEIRAS_PLUGIN_ABI}")
configure_package_config_file(cmake/TileirasC.cmake.in "${CMAKE_CURRENT_BINARY_DIR}/TileirasC.cmake"
  INSTALL_DESTINATION "${TILEIRAS_CMAKE_DIR}" PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR
  NO_CHECK_REQUIRED_COMPONENTS_MACRO)
# tileiras_add_pkg_config(<library> <component> <description>)
function(tileiras_add_pkg_config name component description)
  configure_file(cmake/tileiras.pc.in "${CMAKE_CURRENT_BINARY_DIR}/${name}.pc" @ONLY)
  install(FILES "${CMAKE_CURRENT_BINARY_DIR}/${name}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
    COMPONENT "${component}")
endfunction()
tileiras_add_pkg_config(tileiras Unspecified "The compiler for CUDA Tile IR, as a C library")
tileiras_add_pkg_config(tileiras-run Unspecified "Runs kernels of tileiras without a GPU")
tileiras_add_pkg_config(tileiras-launch launch "Launches kernels that tileiras has compiled")
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/TileirasConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/TileirasConfig.cmake" "${CMAKE_CURRENT_BINARY_DIR}/TileirasConfigVersion.cmake"
  DESTINATION "${TILEIRAS_CMAKE_DIR}" COMPONENT launch)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/TileirasC.cmake" cmake/TileirasMlir.cmake cmake/TileirasTableGen.cmake
    cmake/TileirasPlugin.cmake cmake/TileirasPluginHash.cpp cmake/TileirasSdkHash.cmake
  DESTINATION "${TILEIRAS_CMAKE_DIR}")

# What people read and begin with, laid out as in the repository: links between the pages hold.
set(TILEIRAS_DOC_DIR share/doc/tileiras)
file(GLOB pages CONFIGURE_DEPENDS *.md)
install(FILES ${pages} LICENSE DESTINATION "${TILEIRAS_DOC_DIR}")
install(DIRECTORY docs DESTINATION "${TILEIRAS_DOC_DIR}")
if(TILEIRAS_HIREDIS)
  # It is a part of the library.
  install(FILES /usr/share/doc/libhiredis-dev/copyright DESTINATION "${TILEIRAS_DOC_DIR}" RENAME hiredis-copyright OPTIONAL)
endif()
install(DIRECTORY template editors DESTINATION share/tileiras)
if(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/examples")
  install(DIRECTORY examples DESTINATION share/tileiras PATTERN __pycache__ EXCLUDE)
endif()
include(TileirasManual)
