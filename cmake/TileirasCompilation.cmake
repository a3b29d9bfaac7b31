set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")

# Where programs find libraries: the build tree looks as an installation does, and says the same. CMake pads a path that it
# replaces when it installs with colons, and the loader takes an empty entry for the current directory.
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib")
set(tileiras_llvm_from_library "${TILEIRAS_LLVM_LIBRARY_DIR}") # libMLIR is not in the loader's path
if(TILEIRAS_LLVM STREQUAL "bundled")
  list(APPEND CMAKE_INSTALL_RPATH "$ORIGIN/../lib/tileiras/mlir")
  set(tileiras_llvm_from_library "$ORIGIN/tileiras/mlir")
else()
  list(APPEND CMAKE_INSTALL_RPATH "${TILEIRAS_LLVM_LIBRARY_DIR}")
endif()

# As Debian's GCC does: what a library does not use, it does not name.
add_link_options(LINKER:--as-needed)

add_compile_options(-Wall -Wextra -Wno-unused-parameter -Wno-comment)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # libstdc++ 12 uses its deprecated std::get_temporary_buffer in std::stable_sort; options are set by name, the others
  # keep their defaults.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-Wno-deprecated-declarations;-Wno-missing-designated-field-initializers>")
endif()
if(TILEIRAS_SANITIZE)
  add_compile_options(-fsanitize=${TILEIRAS_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TILEIRAS_SANITIZE})
endif()
if(TILEIRAS_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "TILEIRAS_FUZZ needs clang and its compiler-rt (clang-22 libclang-rt-22-dev)")
  endif()
  # All of our code tells libFuzzer where it goes. vptr: MLIR's own objects are not instrumented.
  add_compile_options(-fsanitize=fuzzer-no-link -fno-sanitize=vptr -fno-sanitize-recover=all)
endif()

if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(TILEIRAS_CCACHE ccache)
  if(TILEIRAS_CCACHE)
    # ccache accepts precompiled headers only with this sloppiness; checkouts in other folders share what they compile.
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env
      "CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime"
      "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=true CCACHE_PCH_EXTSUM=true
      "${CMAKE_CURRENT_LIST_DIR}/cached-compile" "${TILEIRAS_CCACHE}")
  endif()
endif()
