# Nothing is left undefined in a shared object, except what clang keeps in the program: its sanitizers.
set(TILEIRAS_COMPLETE_LINK -Wl,-z,defs)
if(TILEIRAS_FUZZ)
  set(TILEIRAS_COMPLETE_LINK "")
endif()

# tileiras_add_sdk_hash(<target>)
#
# Compiles the hash of the SDK's headers into a plugin: a source of its own, so that nothing else is built again when
# only the hash has changed.
function(tileiras_add_sdk_hash target)
  set(source "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/TileirasPluginHash.cpp")
  target_sources(${target} PRIVATE "${source}")
  set_source_files_properties("${source}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
  if(TARGET tileiras-sdk-hash)
    add_dependencies(${target} tileiras-sdk-hash)
  endif()
endfunction()

# tileiras_add_plugin(<name> SOURCES <file>... [PASSES <Passes.td>] [OPS <file.td>])
#
# Builds tileiras-<name>.so, a plugin. Used by this repository and, after find_package(Tileiras), by other people's.
# Passes.td becomes "Passes.h.inc" on the plugin's include path (-gen-pass-decls -name=<name>). The file of OPS describes
# the plugin's dialect, which has its name; it becomes "Dialect.h.inc", "Dialect.cpp.inc", "Ops.h.inc" and "Ops.cpp.inc".
#
# The plugin is C++20, as the SDK's headers are, and says which headers it was built with: another tileiras refuses it.
function(tileiras_add_plugin name)
  cmake_parse_arguments(ARG "" "PASSES;OPS" "SOURCES" ${ARGN})
  set(target "tileiras-plugin-${name}")
  add_library(${target} MODULE ${ARG_SOURCES})
  target_compile_features(${target} PRIVATE cxx_std_20)
  tileiras_add_sdk_hash(${target})
  set(rpath "$ORIGIN/../.." "$ORIGIN/../mlir")
  if(NOT TILEIRAS_LLVM STREQUAL "bundled")
    set(rpath "$ORIGIN/../.." "${TILEIRAS_LLVM_LIBRARY_DIR}")
  endif()
  set_target_properties(${target} PROPERTIES
    PREFIX "" OUTPUT_NAME "tileiras-${name}"
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib/tileiras/plugins"
    # The library is above the plugins' folder, or where it was linked from: stock mlir-opt has not loaded it before.
    # No other path while it is built: an empty entry, as CMake leaves them there, is the current directory.
    INSTALL_RPATH "${rpath}" INSTALL_RPATH_USE_LINK_PATH ON BUILD_WITH_INSTALL_RPATH ON)
  # nodelete: MLIR keeps pointers into a plugin until the process ends.
  target_link_options(${target} PRIVATE -Wl,-z,nodelete ${TILEIRAS_COMPLETE_LINK} -Wl,--build-id=sha1)
  target_link_libraries(${target} PRIVATE tileiras::tileiras)
  if(ARG_PASSES)
    tileiras_tablegen(${target}-tablegen TD ${ARG_PASSES} Passes.h.inc "-gen-pass-decls -name=${name}")
    add_dependencies(${target} ${target}-tablegen)
  endif()
  if(ARG_OPS)
    tileiras_tablegen(${target}-ops-tablegen TD ${ARG_OPS}
      Dialect.h.inc "-gen-dialect-decls -dialect=${name}" Dialect.cpp.inc "-gen-dialect-defs -dialect=${name}"
      Ops.h.inc "-gen-op-decls -dialect=${name}" Ops.cpp.inc "-gen-op-defs -dialect=${name}")
    add_dependencies(${target} ${target}-ops-tablegen)
  endif()
  target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
  install(TARGETS ${target} LIBRARY DESTINATION lib/tileiras/plugins)
endfunction()

# tileiras_get_shipped_plugins(<variable>): the targets of plugins/, as far as they have been added
function(tileiras_get_shipped_plugins variable)
  set(plugins)
  get_property(folders DIRECTORY "${PROJECT_SOURCE_DIR}/plugins" PROPERTY SUBDIRECTORIES)
  foreach(folder IN LISTS folders)
    get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
    list(APPEND plugins ${targets})
  endforeach()
  set(${variable} ${plugins} PARENT_SCOPE)
endfunction()
