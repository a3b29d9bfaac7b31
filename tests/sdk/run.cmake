# cmake -D TREE=… -D SOURCE=… -D WORK=… -D EMULATOR=… -P run.cmake: the test of the SDK, step by step, with the
# installation in TREE.
set(prefix "${TREE}")
set(acme "${WORK}/acme-build")
file(REMOVE_RECURSE "${acme}")

include("${CMAKE_CURRENT_LIST_DIR}/../Steps.cmake")

run("configure acme" "${CMAKE_COMMAND}" -S "${SOURCE}/acme" -B "${acme}" -G Ninja -DCMAKE_BUILD_TYPE=Debug
  "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}")
run("build acme" "${CMAKE_COMMAND}" --build "${acme}")

# Besides its own folders, those that it was linked from.
cmake_path(SET llvm_library_dir NORMALIZE "${LLVM_BIN}/../lib")
run("acme looks for libraries in known folders" "${PYTHON}" "${CMAKE_CURRENT_LIST_DIR}/../house/library_paths.py" "${acme}"
  --readelf "${READELF}" --fewest 1 --allow "${prefix}/lib" --allow "${prefix}/lib/tileiras/mlir" --allow "${llvm_library_dir}")

set(plugin "${acme}/lib/tileiras/plugins/tileiras-acme.so")
set(tileiras "${prefix}/bin/tileiras")
set(opt "${prefix}/bin/tileiras-opt")

expect("the table lists what acme adds" 0 "acme +pass, scheduler, target, dialect +2.3 +example +acme-count-ops,[ \n]+acme-relay,[ \n]+acme-reverse,[ \n]+acme_1,[ \n]+acme"
  "${tileiras}" "--load-plugin=${plugin}" --list-plugins)
expect("its pass runs in tileiras-opt" 0 "acme.op_count = 3"
  "${opt}" "--load-plugin=${plugin}" "--pass-pipeline=builtin.module(acme-count-ops)" "${SOURCE}/function.mlir")
expect("the help lists its option" 0 "acme-factor +integer 1 +acme +how often acme-count-ops counts an[ \n]+operation"
  "${tileiras}" "--load-plugin=${plugin}" --help-options)
expect("the help lists its remark" 0 "acme-counts: How many operations there are.\n  OpCount .analysis, acme."
  "${tileiras}" "--load-plugin=${plugin}" --help-remarks)
expect("a profile hands its option to its pass" 0 "acme-count-ops{factor=7}"
  "${tileiras}" "--load-plugin=${plugin}" --profile "${SOURCE}/acme.toml" --emit=cuda_tile --set acme-factor=7
  --print-pipeline)
expect("its option is known where it is not asked for" 1 "--set: error: unknown option 'acme-facto'; did you mean 'acme-factor'"
  "${tileiras}" "--load-plugin=${plugin}" --emit=cuda_tile --set acme-facto=7 --print-pipeline)
expect("without it the option's plugin is missed" 2 "acme.toml:3:20: error: plugin 'acme', which may declare option 'acme-factor'"
  "${tileiras}" --profile "${SOURCE}/acme.toml" --print-pipeline)
expect("its operation is read and printed" 0 "acme.saturate %arg0 : tensor<4xf32>"
  "${opt}" "--load-plugin=${plugin}" "${SOURCE}/saturate.mlir")
expect("its operation is verified" 1 "op operand #0 must be ranked tensor of 32-bit float values"
  "${opt}" "--load-plugin=${plugin}" "${SOURCE}/saturate_f16.mlir")
expect("the compiler knows its dialect" 0 "acme.saturate %arg0 : tensor<4xf32>"
  "${tileiras}" "--load-plugin=${plugin}" --emit=cuda_tile -o - "${SOURCE}/saturate.mlir")
expect("stock mlir-opt knows its dialect" 0 "acme.saturate %arg0 : tensor<4xf32>"
  "${LLVM_BIN}/mlir-opt" "--load-dialect-plugin=${plugin}" "${SOURCE}/saturate.mlir")
expect("without it the dialect is unknown" 3 "acme"
  "${tileiras}" --emit=cuda_tile -o - "${SOURCE}/saturate.mlir")
expect("its pass runs in stock mlir-opt" 0 "acme.op_count = 3"
  "${LLVM_BIN}/mlir-opt" "--load-pass-plugin=${plugin}" "--pass-pipeline=builtin.module(acme-count-ops)"
  "${SOURCE}/function.mlir")
expect("an installed pass plugin runs in stock mlir-opt" 0 "@nothing"
  "${LLVM_BIN}/mlir-opt" "--load-pass-plugin=${prefix}/lib/tileiras/plugins/tileiras-cluster.so"
  "--pass-pipeline=builtin.module(func.func(sink-negf-through-shapes))" "${SOURCE}/function.mlir")
expect("its scheduler schedules a kernel" 0 "by 'acme-relay'"
  "${tileiras}" "--load-plugin=${plugin}" --gpu-name sm_90 -O3 --set scheduler.name=acme-relay --remarks=analysis
  --remarks-filter=schedule --emit=ptx -o - "${SOURCE}/../kernels/matmul_f16/kernel.mlir")
expect("its wrong scheduler stops the compiler" 5 "scheduler 'acme-reverse' returned a wrong schedule"
  "${tileiras}" "--load-plugin=${plugin}" --gpu-name sm_90 -O3 --set scheduler.name=acme-reverse --emit=ptx -o -
  "${SOURCE}/../kernels/matmul_f16/kernel.mlir")
expect("its wrong schedule is caught" 1 "failed to legalize schedule: scheduler 'acme-reverse' returned a wrong schedule"
  "${opt}" "--load-plugin=${plugin}" "--load-plugin=${prefix}/lib/tileiras/plugins/tileiras-async.so"
  "--pass-pipeline=builtin.module(func.func(tileas-generate-schedule{scheduler=acme-reverse gpu-name=acme_1}))"
  "${SOURCE}/loop.mlir")
expect("a kernel compiles for its target" 0 "[.]target sm_86"
  "${tileiras}" "--load-plugin=${plugin}" --gpu-name acme_1 --emit=ptx -o - "${SOURCE}/kernel.mlir")
expect("without it the GPU is unknown" 2 "acme_1"
  "${tileiras}" --gpu-name acme_1 --emit=ptx -o - "${SOURCE}/kernel.mlir")

# From nv_tileas on: the passes of the profiles' last stage.
set(lower "builtin.module(tileir-verify-ops-analysis,convert-nv-tile-func-to-llvm,tileas-attach-tma-descriptors,tileas-allocate-memory,tileas-place-barriers,tileas-budget-registers,convert-tileas-control-flow,convert-tileas-to-llvm,tileir-finalize-llvm-kernel)")
# emits(<what> <regex> <file>): the PTX that acme's target makes of an nv_tileas module.
function(emits what pattern file)
  expect("${what}" 0 "${pattern}" "${tileiras}" "--load-plugin=${plugin}" --gpu-name acme_1 "--pass-pipeline=${lower}"
    --emit=ptx -o - "${SOURCE}/${file}")
endfunction()

emits("its target lowers an operation its own way" "inline asm[ \t\r\n]+and[.]b32" kernel_acme.mlir)
emits("its dialect brings its lowering" "cvt[.]sat[.]f32[.]f32" kernel_acme.mlir)
emits("halves have barriers of their own" "bar[.]sync[^;]*1, 64;" split.mlir)
expect("halves are verified" 1 "region 1 needs 8 warps, but stands where 4 run"
  "${opt}" "--load-plugin=${plugin}" --tileir-verify-ops-analysis "${SOURCE}/split_too_wide.mlir")
expect("regions of which nobody knows when they run are refused" 1 "has a region of which nobody knows when it runs"
  "${opt}" "--load-plugin=${plugin}" --tileir-verify-ops-analysis "${SOURCE}/unknown_region.mlir")
expect("its phase stands where it wants to" 0 "tileas-place-barriers,[ \n]+acme-count-ops"
  "${tileiras}" "--load-plugin=${plugin}" --gpu-name acme_1 --print-pipeline)

# Both halves compute what they should, whichever comes first.
set(row "")
set(sum 0)
set(prefixes "")
foreach(i RANGE 511)
  math(EXPR x "${i} * 5 % 7")
  math(EXPR sum "${sum} + ${x}")
  list(APPEND row ${x})
  list(APPEND prefixes ${sum})
endforeach()
set(sums "")
foreach(x IN LISTS row)
  math(EXPR y "${x} + ${sum}")
  list(APPEND sums ${y})
endforeach()
foreach(name row sums prefixes)
  list(JOIN ${name} ", " ${name})
endforeach()
set(output "\"type\": \"f32\", \"values\"")
file(WRITE "${WORK}/split.json" "{\"grid\": [1, 1, 1],
  \"buffers\": [{\"name\": \"x\", ${output}: [${row}]}, {\"name\": \"a\", \"bytes\": 2048}, {\"name\": \"b\", \"bytes\": 2048},
    {\"name\": \"c\", \"bytes\": 2048}],
  \"parameters\": [{\"buffer\": \"x\"}, {\"buffer\": \"a\"}, {\"buffer\": \"b\"}, {\"buffer\": \"c\"}],
  \"expect\": [{\"buffer\": \"a\", ${output}: [${sums}]}, {\"buffer\": \"b\", ${output}: [${prefixes}]},
    {\"buffer\": \"c\", ${output}: [${row}]}]}")
run("compile the halves" "${tileiras}" "--load-plugin=${plugin}" --gpu-name acme_1 "--pass-pipeline=${lower}"
  -o "${WORK}/split.ptx" "${SOURCE}/split.mlir")
run("run the halves" "${EMULATOR}" run "${WORK}/split.ptx" --launch "${WORK}/split.json" --seeds 20)
