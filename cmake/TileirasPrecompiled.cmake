# Headers of MLIR and of the SDK, compiled once for all that links the library: parsing them is two thirds of the time
# that a source of a plugin takes. Clang reads of them what a source uses, so that more headers cost nothing.
if(NOT TILEIRAS_PCH)
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # The compiler cache may give it to another checkout, whose files have other times.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
endif()

# tileiras_use_precompiled_sdk(<target>...): of this repository. The headers are those of the library. GCC refuses them
# where macros or visibility differ, so that there each source reads them.
function(tileiras_use_precompiled_sdk)
  if(NOT TILEIRAS_PCH OR NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    return()
  endif()
  foreach(target IN LISTS ARGN)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE")
      # The headers are compiled for a shared object; code for them is good in programs, too.
      target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:-fPIC>")
    endif()
    set_target_properties(${target} PROPERTIES PRECOMPILE_HEADERS_REUSE_FROM tileiras)
  endforeach()
endfunction()
