# Debian's LLVM/MLIR 22 as one target. "22" alone is not an accepted version of its config file.
find_package(MLIR 22.1 REQUIRED CONFIG PATHS /usr/lib/llvm-22/lib/cmake/mlir)

get_filename_component(TILEIRAS_LLVM_ROOT "${LLVM_TOOLS_BINARY_DIR}" DIRECTORY)
set(TILEIRAS_LLVM_LIBRARY_DIR "${TILEIRAS_LLVM_ROOT}/lib")

# Only the shared MLIR and LLVM: naming any component pulls in static archives, a second LLVM in the process.
add_library(tileiras::mlir INTERFACE IMPORTED)
target_include_directories(tileiras::mlir SYSTEM INTERFACE "${LLVM_INCLUDE_DIRS}" "${MLIR_INCLUDE_DIRS}")
target_link_libraries(tileiras::mlir INTERFACE MLIR LLVM)
