# use_alone(<folder>): compiles with the installation in `folder` from another directory and without an environment.
# Everything that takes part is that installation's own.
function(use_alone folder)
  set(alone env -i --chdir=/)
  set(tileiras "${folder}/bin/tileiras")
  expect("the library is its own" 0 "libtileiras[.]so[.0-9]* => ${folder}/[^\n]*libtileiras"
    ${alone} LD_TRACE_LOADED_OBJECTS=1 "${tileiras}")
  if(LLVM STREQUAL "bundled")
    expect_own_llvm("${folder}")
  endif()
  expect("so are the plugins" 0 "file: +${folder}/(bin/../)?lib/tileiras/plugins/tileiras-sm90.so"
    ${alone} "${tileiras}" --print-plugin-info sm90)
  expect("and the profiles" 0 "${folder}/(bin/../)?(lib/../)?share/tileiras/config/o2.toml"
    ${alone} "${tileiras}" --gpu-name sm_90 -O3 --print-profile)
  foreach(gpu sm_80 sm_90 sm_100)
    expect("a kernel compiles for ${gpu}" 0 "[.]target ${gpu}"
      ${alone} "${tileiras}" "${KERNELS}/matmul_f16/kernel.mlir" --gpu-name ${gpu} -O3 --emit=ptx -o -)
  endforeach()
  expect("tileiras-run runs it" 0 "clean, agrees with what is expected"
    ${alone} "${folder}/bin/tileiras-run" "${KERNELS}/matmul_f16/kernel.mlir" --launch "${KERNELS}/matmul_f16/launch.json"
    --on emulator)
  expect("tileirdisasm prints bytecode" 0 "entry @matmul_f16" ${alone} sh -c
    "'${tileiras}' '${KERNELS}/matmul_f16/kernel.mlir' --emit=bytecode -o - | '${folder}/bin/tileirdisasm' -")
  expect("tileiras-cutile gives programs this compiler" 0 "${folder}/lib/tileiras/cutile/bin/tileiras\n.*version "
    ${alone} "${folder}/bin/tileiras-cutile" sh -c "command -v tileiras && tileiras --version")
  expect("and this disassembler" 0 "${folder}/lib/tileiras/cutile/bin/tileirdisasm\n.*V13[.]4[.]0"
    ${alone} "${folder}/bin/tileiras-cutile" sh -c "command -v tileirdisasm && tileirdisasm --version")
  expect("and its library" 0 "${folder}/lib/tileiras/cutile/libtileiras-cutile.so"
    ${alone} "${folder}/bin/tileiras-cutile" cat /proc/self/maps)
  set(finds "^compiler +${folder}/lib/tileiras/cutile/bin/tileiras: version .*GPU 0 +Emulated GPU .sm_100.*a launch would work")
  expect("without a GPU it has a driver of its own" 0 "${finds}"
    ${alone} "${folder}/bin/tileiras-cutile" --check --emulate=sm_100 sh)
  expect("which knows the machines of the clock" 2 "Known are .*h100-sxm"
    ${alone} "${folder}/bin/tileiras-cutile" --emulate --time=none sh)
  expect("tileiras-opt works too" 0 "tileas-assign-layouts" ${alone} "${folder}/bin/tileiras-opt"
    "--plugin-path=${folder}/lib/tileiras/plugins" --list-passes)
endfunction()

# embed_alone(<folder> <work>): a C program, built with the installation in `folder` where nothing of LLVM's can be found,
# compiles a kernel and asks the launch library; by CMake and by pkg-config.
function(embed_alone folder work)
  if(SANITIZE)
    message(STATUS "no program is built with it: it would need the sanitizers")
    return()
  endif()
  set(source "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/embed")
  set(configure env -u LD_LIBRARY_PATH "${CMAKE_COMMAND}" -S "${source}" -G Ninja "-DCMAKE_PREFIX_PATH=${folder}"
    "-DCMAKE_C_COMPILER=${COMPILER}" -DCMAKE_DISABLE_FIND_PACKAGE_MLIR=ON -DCMAKE_DISABLE_FIND_PACKAGE_LLVM=ON)
  expect("there is nothing of LLVM's for CMake" 1 "MLIR" ${configure} -B "${work}/sdk" -DCOMPONENTS=sdk)
  run("CMake finds the C libraries all the same" ${configure} -B "${work}/cmake")
  run("a C program builds" "${CMAKE_COMMAND}" --build "${work}/cmake")
  set(kernel "${KERNELS}/matmul_f16/kernel.mlir")
  set(says "tileiras [0-9.]+, build [0-9a-f]+\n.*[.]version.*[.]entry matmul_f16.*the image is no cubin")
  expect("it compiles a kernel" 0 "${says}" env -i "${work}/cmake/embed" "${kernel}")

  file(MAKE_DIRECTORY "${work}/pkg-config")
  set(ENV{PKG_CONFIG_PATH} "${folder}/lib/pkgconfig")
  execute_process(COMMAND "${PKG_CONFIG}" --cflags --libs tileiras tileiras-launch OUTPUT_VARIABLE flags
    COMMAND_ERROR_IS_FATAL ANY)
  run("a C program builds by pkg-config" sh -c
    "'${COMPILER}' -std=c11 -pedantic-errors -Wall -Wextra -Werror '${source}/embed.c' -o '${work}/pkg-config/embed' ${flags}")
  expect("it compiles a kernel, too" 0 "${says}"
    env -i "LD_LIBRARY_PATH=${folder}/lib" "${work}/pkg-config/embed" "${kernel}")
  execute_process(COMMAND env -i LD_TRACE_LOADED_OBJECTS=1 "LD_LIBRARY_PATH=${folder}/lib" "${work}/pkg-config/embed"
    OUTPUT_VARIABLE loaded)
  foreach(library libtileiras.so libtileiras-launch.so)
    if(NOT loaded MATCHES "${library}[.0-9]* => ${folder}/")
      message(FATAL_ERROR "${library} is not the installation's own:\n${loaded}")
    endif()
  endforeach()
endfunction()

# expect_own_llvm(<folder>): no program or library of `folder` gets LLVM or MLIR from elsewhere; two of them in a process
# stop it at the start, as both declare their options.
function(expect_own_llvm folder)
  file(GLOB objects "${folder}/bin/*" "${folder}/lib/*.so.*" "${folder}/lib/tileiras/*/*.so*")
  set(users 0)
  foreach(object IN LISTS objects)
    execute_process(COMMAND env -i LD_TRACE_LOADED_OBJECTS=1 /lib64/ld-linux-x86-64.so.2 "${object}"
      OUTPUT_VARIABLE loaded ERROR_QUIET)
    string(REGEX MATCHALL "lib(LLVM|MLIR)[^ ]* => [^(]*" found "${loaded}")
    foreach(library IN LISTS found)
      string(FIND "${library}" " => ${folder}/" own)
      if(own EQUAL -1)
        message(FATAL_ERROR "${object} does not load the installation's own: ${library}")
      endif()
      math(EXPR users "${users} + 1")
    endforeach()
  endforeach()
  if(users LESS 8)
    message(FATAL_ERROR "hardly anything loads LLVM (${users}): this test looks at the wrong files")
  endif()
  message(STATUS "LLVM and MLIR are its own: ok")
endfunction()

# expect_own_libraries(<folder>): no program or library of `folder` looks for others outside of it.
function(expect_own_libraries folder)
  set(allowed)
  if(NOT LLVM STREQUAL "bundled")
    set(allowed --allow "${LLVM_LIBRARY_DIR}")
  endif()
  run("it looks for libraries in its own folders" "${PYTHON}" "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../house/library_paths.py"
    "${folder}" --readelf "${READELF}" ${allowed})
endfunction()
