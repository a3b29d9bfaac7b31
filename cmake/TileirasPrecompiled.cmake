# Headers of MLIR and of the SDK, compiled once for all that links the library: parsing them is two thirds of the time
# that a source of a plugin takes. Clang reads of them what a source uses, so that more headers cost nothing.
if(NOT TILEIRAS_PCH)
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # The compiler cache may give it to another checkout, whose files have other times.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
endif()

# tileiras_precompile_sdk()
#
# Makes the owners of the headers: one for code that hides its names, as plugins do, and one for programs.
function(tileiras_precompile_sdk)
  if(NOT TILEIRAS_PCH)
    return()
  endif()
  foreach(kind plugins programs)
    add_library(tileiras-headers-${kind} OBJECT "${CMAKE_CURRENT_SOURCE_DIR}/lib/Precompiled.cpp")
    target_link_libraries(tileiras-headers-${kind} PRIVATE tileiras::tileiras)
    target_include_directories(tileiras-headers-${kind} PRIVATE lib)
    target_precompile_headers(tileiras-headers-${kind} PRIVATE "<Precompiled.h$<ANGLE-R>")
  endforeach()
  set_target_properties(tileiras-headers-plugins PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
endfunction()

# tileiras_use_precompiled_sdk(<target>...): of this repository. The headers are compiled for shared objects; code for
# them is good in programs, too.
function(tileiras_use_precompiled_sdk)
  if(NOT TILEIRAS_PCH)
    return()
  endif()
  foreach(target IN LISTS ARGN)
    get_target_property(type ${target} TYPE)
    set(kind programs)
    if(type STREQUAL "MODULE_LIBRARY")
      set(kind plugins)
    elseif(type STREQUAL "EXECUTABLE")
      target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:-fPIC>")
    endif()
    set_target_properties(${target} PROPERTIES PRECOMPILE_HEADERS_REUSE_FROM tileiras-headers-${kind})
    add_dependencies(${target} tileiras-headers-${kind})
  endforeach()
endfunction()
