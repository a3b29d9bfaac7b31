# LLVM and MLIR 22 of Debian as one target. "22" alone is not an accepted version of its config file.
find_package(MLIR 22.1 REQUIRED CONFIG PATHS /usr/lib/llvm-22/lib/cmake/mlir)

get_filename_component(TILEIRAS_LLVM_ROOT "${LLVM_TOOLS_BINARY_DIR}" DIRECTORY)
set(TILEIRAS_LLVM_LIBRARY_DIR "${TILEIRAS_LLVM_ROOT}/lib")

# Programs are compiled as libraries are: what they read of a shared object stays there. A copy of it in the program would
# not be what a library sees that is bound to itself.
set(CMAKE_C_COMPILE_OPTIONS_PIE -fPIC)
set(CMAKE_CXX_COMPILE_OPTIONS_PIE -fPIC)

# TILEIRAS_LLVM says what the library was built with; the bundle is the target of the build tree, or beside these files.
add_library(tileiras::mlir INTERFACE IMPORTED)
target_include_directories(tileiras::mlir SYSTEM INTERFACE "${LLVM_INCLUDE_DIRS}" "${MLIR_INCLUDE_DIRS}")
if(TILEIRAS_LLVM STREQUAL "bundled")
  set(TILEIRAS_LLVM_LIBRARY_DIR "${TILEIRAS_BUNDLE_DIR}")
  target_link_libraries(tileiras::mlir INTERFACE "${TILEIRAS_BUNDLE}")
else()
  # Only the shared MLIR and LLVM: naming any component pulls in static archives, a second LLVM in the process.
  target_link_libraries(tileiras::mlir INTERFACE MLIR LLVM)
endif()
