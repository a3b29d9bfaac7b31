# Debian's LLVM/MLIR 22. "22" alone is not an accepted version of its config file.
find_package(MLIR 22.1 REQUIRED CONFIG PATHS /usr/lib/llvm-22/lib/cmake/mlir)
find_package(Boost 1.74 REQUIRED COMPONENTS filesystem)
find_package(PkgConfig REQUIRED)
pkg_check_modules(TOMLPLUSPLUS REQUIRED IMPORTED_TARGET tomlplusplus)
find_package(Threads REQUIRED)

get_filename_component(TILEIRAS_LLVM_ROOT "${LLVM_TOOLS_BINARY_DIR}" DIRECTORY)
set(TILEIRAS_LLVM_LIBRARY_DIR "${TILEIRAS_LLVM_ROOT}/lib")

# Only the shared MLIR and LLVM: naming any component pulls in static archives, a second LLVM in the process.
add_library(tileiras_mlir INTERFACE)
add_library(tileiras::mlir ALIAS tileiras_mlir)
target_include_directories(tileiras_mlir SYSTEM INTERFACE
  "$<BUILD_INTERFACE:${LLVM_INCLUDE_DIRS}>" "$<BUILD_INTERFACE:${MLIR_INCLUDE_DIRS}>")
target_link_libraries(tileiras_mlir INTERFACE MLIR LLVM)
