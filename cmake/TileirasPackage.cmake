# cpack -G DEB: the install tree as a package of Debian. What it links against becomes its dependencies (dpkg-shlibdeps);
# what it works without is suggested.
set(CPACK_PACKAGE_NAME tileiras)
# Who hands a package to others is asked about it; this address is nobody's.
set(TILEIRAS_PACKAGE_CONTACT "The tileiras project <maintainers@tileiras.example>" CACHE STRING
  "Name and address of who publishes packages of this build")
set(CPACK_PACKAGE_CONTACT "${TILEIRAS_PACKAGE_CONTACT}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "open compiler for CUDA Tile IR")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
  "tileiras reads Tile IR, the tile language that cuTile Python, cuTile.jl and
cutile-rs emit, as bytecode or as MLIR text, and writes PTX and cubins for
NVIDIA GPUs. Passes, schedulers and GPUs are plugins.

With the compiler come tileiras-run, which runs a kernel on a GPU or, without
one, on an emulator that finds races; a reference interpreter; libraries for
programs that compile or launch kernels; and what plugins are built with.")
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
endif()
# ptxas, libdevice and nvJitLink; then what plugins are built with.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
  "cuda-toolkit-13-0 | nvidia-cuda-toolkit (>= 13.0), cmake, g++, libmlir-22-dev, llvm-22-dev, mlir-22-tools")

# Copyright, changelog and shlibs of the package are made when it is; ldconfig has to know its libraries.
set(CPACK_TILEIRAS_CONTROL_DIR "${CMAKE_BINARY_DIR}/package")
file(WRITE "${CPACK_TILEIRAS_CONTROL_DIR}/triggers" "activate-noawait ldconfig\n")
file(WRITE "${CPACK_TILEIRAS_CONTROL_DIR}/shlibs" "")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "${CPACK_TILEIRAS_CONTROL_DIR}/triggers" "${CPACK_TILEIRAS_CONTROL_DIR}/shlibs")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_INSTALL_CMAKE_PROJECTS "${CMAKE_BINARY_DIR};tileiras;Unspecified;/;${CMAKE_BINARY_DIR};tileiras;launch;/")
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/cmake/TileirasDebian.cmake")
include(CPack)

# cpack --config CPackPythonConfig.cmake: the Python package, which finds the libraries of the other one.
file(WRITE "${CMAKE_BINARY_DIR}/CPackPythonConfig.cmake" "include(\"${CMAKE_BINARY_DIR}/CPackConfig.cmake\")
set(CPACK_PACKAGE_NAME python3-tileiras)
set(CPACK_DEBIAN_PACKAGE_NAME python3-tileiras)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY \"compile and run CUDA Tile IR kernels from Python\")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION \"Compiles kernels of Tile IR with tileiras, and runs, times and checks them with
numpy arrays: on a PTX emulator, a reference interpreter, or a GPU.\")
set(CPACK_DEBIAN_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_PACKAGE_DEPENDS \"python3 (>= 3.9), python3-numpy, tileiras (= ${PROJECT_VERSION})\")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS \"\")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA \"\")
set(CPACK_INSTALL_CMAKE_PROJECTS \"${CMAKE_BINARY_DIR};tileiras;python;/\")
")
