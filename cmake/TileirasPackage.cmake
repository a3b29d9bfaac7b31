# cpack -G DEB: the install tree as a package of Debian. What it links against becomes its dependencies (dpkg-shlibdeps);
# what it works without is suggested.
set(CPACK_PACKAGE_NAME tileiras)
set(CPACK_PACKAGE_CONTACT "The tileiras project <tileiras@invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Where the libraries themselves are, for the programs and plugins of the package.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}")
if(TILEIRAS_LLVM STREQUAL "bundled")
  # Other packages that need libLLVM are not to get it from here.
  list(APPEND CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${TILEIRAS_BUNDLE_DIR}")
else()
  # Its version, which dpkg-shlibdeps does not find out: it meets libLLVM as a link of the development package.
  set(CPACK_DEBIAN_PACKAGE_DEPENDS
    "libllvm${LLVM_VERSION_MAJOR} (>= 1:${LLVM_VERSION_MAJOR}.${LLVM_VERSION_MINOR})")
  set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
endif()
# ptxas, libdevice and nvJitLink; then what plugins are built with.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
  "cuda-toolkit-13-0 | nvidia-cuda-toolkit (>= 13.0), cmake, g++, libmlir-22-dev, llvm-22-dev, mlir-22-tools")
include(CPack)
