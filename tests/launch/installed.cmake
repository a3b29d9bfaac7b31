# cmake -D BUILD=… -D WORK=… -D COMPILER=… -P installed.cmake: the launch library, installed alone, moved, and found by
# the CMake package.
if(SANITIZE)
  message(STATUS "SKIPPED: this build has sanitizers, which a program of somebody else's would need as well")
  return()
endif()
include("${CMAKE_CURRENT_LIST_DIR}/../Steps.cmake")
file(REMOVE_RECURSE "${WORK}")
run("install" "${CMAKE_COMMAND}" --install "${BUILD}" --component launch --prefix "${WORK}/first")
file(RENAME "${WORK}/first" "${WORK}/moved there")
file(GLOB_RECURSE files RELATIVE "${WORK}/moved there" "${WORK}/moved there/*")
foreach(file IN LISTS files)
  if(NOT file MATCHES "^include/tileiras/Launch/tileiras-launch.h$|^lib/libtileiras-launch.so|^lib/cmake/Tileiras/Tileiras(Config|LaunchTargets)|^lib/pkgconfig/tileiras-launch[.]pc$")
    message(FATAL_ERROR "${file} is no part of the launch library")
  endif()
endforeach()
run("configure" "${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/installed" -B "${WORK}/build" -G Ninja
  "-DCMAKE_PREFIX_PATH=${WORK}/moved there" "-DCMAKE_C_COMPILER=${COMPILER}")
run("build" "${CMAKE_COMMAND}" --build "${WORK}/build")
expect("the compiler is not there" 1 "Tileiras.*c" "${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/../package/embed"
  -B "${WORK}/none" -G Ninja "-DCMAKE_PREFIX_PATH=${WORK}/moved there" "-DCMAKE_C_COMPILER=${COMPILER}")
file(WRITE "${WORK}/text" "text")
expect("the client runs, and is told what is wrong" 3 "error: the image is no cubin" "${WORK}/build/client" "${WORK}/text")
file(REMOVE_RECURSE "${WORK}")
