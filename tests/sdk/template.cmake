# cmake -D TREE=… -D WORK=… -D COMPILER=… -D LAUNCHER=… -D KERNELS=… -P template.cmake: the installed plugin template is
# copied, renamed, built and used.
include("${CMAKE_CURRENT_LIST_DIR}/../Steps.cmake")
file(REMOVE_RECURSE "${WORK}")
file(COPY "${TREE}/share/tileiras/template/" DESTINATION "${WORK}/renamed")
file(GLOB files "${WORK}/renamed/*")
run("rename" sed -i "s/starter/renamed/g" ${files})
file(RENAME "${WORK}/renamed/starter.toml" "${WORK}/renamed/renamed.toml")

foreach(name starter renamed)
  set(source "${WORK}/renamed")
  if(name STREQUAL "starter")
    set(source "${TREE}/share/tileiras/template")
  endif()
  set(build "${WORK}/${name}-build")
  run("configure ${name}" "${CMAKE_COMMAND}" -S "${source}" -B "${build}" -G Ninja -DCMAKE_BUILD_TYPE=Debug
    "-DCMAKE_PREFIX_PATH=${TREE}" "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}")
  run("build ${name}" "${CMAKE_COMMAND}" --build "${build}")
  set(plugins "${build}/lib/tileiras/plugins")
  expect("${name} says what it adds" 0 "${name}-count-loads" "${TREE}/bin/tileiras" "--plugin-path=${plugins}"
    --print-plugin-info ${name})
  expect("its pass runs in a compilation, and has its option" 0 "Category:${name}.*[^0-9]6 loads" "${TREE}/bin/tileiras"
    "--plugin-path=${plugins}" --profile "${source}/${name}.toml" --gpu-name sm_90 --set ${name}-factor=3 --remarks-filter=${name} --emit=ptx
    -o "${WORK}/${name}.ptx" "${KERNELS}/matmul_f16/kernel.mlir")
  expect("its pass runs in tileiras-opt" 0 "remark:.*0 loads" "${TREE}/bin/tileiras-opt"
    "--load-plugin=${plugins}/tileiras-${name}.so" "--pass-pipeline=builtin.module(${name}-count-loads)"
    --remark-policy=all --remark-format=emitRemark "--remarks-filter=${name}-counts" "${CMAKE_CURRENT_LIST_DIR}/function.mlir")
endforeach()
