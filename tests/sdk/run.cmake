# cmake -D TREE=… -D BUILD=… -D SOURCE=… -D WORK=… -D EMULATOR=… -P run.cmake: the test of the SDK, step by step, with the
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
expect("the help lists its option" 0 "acme-factor +integer 1 +acme +how often acme-count-ops[ \n]+counts an[ \n]+operation"
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
  "${opt}" "--load-plugin=${plugin}" "${SOURCE}/saturate-f16.mlir")
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

# Work: its operations are scheduled, sliced and estimated as ours are.
set(schedule "builtin.module(func.func(tileas-generate-schedule{gpu-name=acme_1 dump-schedule-problems=${WORK}/problems}))")
set(opt_async "${opt}" "--load-plugin=${plugin}" "--load-plugin=${prefix}/lib/tileiras/plugins/tileiras-async.so")
run("schedule its operations" ${opt_async} "--pass-pipeline=${schedule}" -o "${WORK}/work.mlir" "${SOURCE}/work.mlir")
expect("its operations say their work" 0 "op twice.0 uses alu 8 latency 11\nop saturate.1 uses alu 32 latency 49\nop reciprocal.2 uses alu 32 latency 49 registers 4\nop trace.3 uses lsu 64 latency 71\nop split.4 uses alu 8 latency 11\n"
  "${CMAKE_COMMAND}" -E cat "${WORK}/problems/work-0.txt")
expect("an operation that says no work is refused" 1 "unknown-work.mlir:3:5: error: 'acme.sometimes' op says no work: schedules need to know what it makes the hardware do; implement WorkOpInterface"
  ${opt_async} "--pass-pipeline=${schedule}" "${SOURCE}/unknown-work.mlir")
set(slice "%[a-z0-9_]+ : tensor<64x64xf32>")
expect("its operations are done slice by slice" 0 "@cheap.*store_slice.*acme.saturate ${slice}[ \n]+acme.trace ${slice}.*acme.saturate ${slice}.*@dear.*acme.reciprocal ${slice}[ \n]+nv_tileas.store_slice.*acme.trace ${slice}"
  "${opt}" "--load-plugin=${plugin}" "--pass-pipeline=builtin.module(tileaa-slice-tiles{gpu-name=acme_1})"
  "${SOURCE}/sliced.mlir")
expect("its operations have their registers" 0 "Function=clamped .[^\n]*limited to 40 registers.*Function=inverted .[^\n]*limited to 48 registers"
  "${opt}" "--load-plugin=${plugin}" "--pass-pipeline=builtin.module(convert-nv-tile-func-to-llvm,tileas-budget-registers{raise-occupancy=true})"
  --remark-policy=all --remark-format=emitRemark --remarks-filter=registers -o "${WORK}/estimate.mlir" "${SOURCE}/estimate.mlir")

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

emits("its target lowers an operation its own way" "inline asm[ \t\r\n]+and[.]b32" kernel-acme.mlir)
emits("its dialect brings its lowering" "cvt[.]sat[.]f32[.]f32.*rcp[.]rn[.]f32.*add[.]rn[.]f32" kernel-acme.mlir)
emits("its operation exchanges data through shared memory" "st[.]shared[^;]*;.*bar[.]sync.*ld[.]shared" kernel-acme.mlir)
expect("which it is given" 0 "acme.first [^\n]*scratch = #nv_tileas.memory_range<offset = 0, bytes = 2048>"
  "${opt}" "--load-plugin=${plugin}" "--pass-pipeline=builtin.module(convert-nv-tile-func-to-llvm,tileas-allocate-memory)"
  "${SOURCE}/kernel-acme.mlir")
emits("halves have barriers of their own" "bar[.]sync[^;]*1, 64;" split.mlir)
expect("halves are verified" 1 "region 1 needs 8 warps, but stands where 4 run"
  "${opt}" "--load-plugin=${plugin}" --tileir-verify-ops-analysis "${SOURCE}/split-too-wide.mlir")
expect("regions of which nobody knows when they run are refused" 1 "has a region of which nobody knows when it runs"
  "${opt}" "--load-plugin=${plugin}" --tileir-verify-ops-analysis "${SOURCE}/unknown-region.mlir")
expect("its phase stands where it wants to" 0 "tileas-place-barriers,[ \n]+acme-count-ops"
  "${tileiras}" "--load-plugin=${plugin}" --gpu-name acme_1 --print-pipeline)

# The hash of the SDK's headers is that of the build, and of what is installed.
run("hash the installed headers" "${CMAKE_COMMAND}" -D "ROOTS=${prefix}/include/tileiras" -D "VERSION=${VERSION}"
  -D "OUTPUT=${WORK}/SdkHash.h" -P "${prefix}/lib/cmake/Tileiras/TileirasSdkHash.cmake")
run("installed headers have the hash that plugins are built with" "${CMAKE_COMMAND}" -E compare_files
  "${WORK}/SdkHash.h" "${prefix}/include/tileiras/Plugin/SdkHash.h")
run("and so has the build" "${CMAKE_COMMAND}" -E compare_files
  "${WORK}/SdkHash.h" "${BUILD}/core/include/tileiras/Plugin/SdkHash.h")
# A header that has changed since: the plugin is built again, alone its hash is, and the installed compiler refuses it.
file(READ "${prefix}/include/tileiras/Plugin/SdkHash.h" sdk_hash)
string(REGEX REPLACE "(SDK_HASH )[0-9a-f]+" "\\10123456789abcdef" other_hash "${sdk_hash}")
file(WRITE "${prefix}/include/tileiras/Plugin/SdkHash.h" "${other_hash}")
expect("only the hash is built again" 0 "Building CXX object [^\n]*TileirasPluginHash[.]cpp[.]o\n[^\n]*Linking CXX shared module"
  "${CMAKE_COMMAND}" --build "${acme}")
file(WRITE "${prefix}/include/tileiras/Plugin/SdkHash.h" "${sdk_hash}")
expect("a plugin of another SDK is refused" 2 "was built with the SDK of tileiras ${VERSION} [(]headers 0123456789abcdef[)], and this is tileiras ${VERSION} [(]headers [0-9a-f]+[)]; build it again with the SDK of this one"
  "${tileiras}" "--load-plugin=${plugin}" --list-plugins)
run("build acme again" "${CMAKE_COMMAND}" --build "${acme}")

# A GPU from an existing one.
set(derived "${WORK}/derived-build")
file(REMOVE_RECURSE "${derived}")
run("configure acme-90b" "${CMAKE_COMMAND}" -S "${SOURCE}/derived" -B "${derived}" -G Ninja -DCMAKE_BUILD_TYPE=Debug
  "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}")
run("build acme-90b" "${CMAKE_COMMAND}" --build "${derived}")
set(derived_path "${derived}/lib/tileiras/plugins")
set(matmul "${SOURCE}/../kernels/matmul_f16/kernel.mlir")
expect("the table says what it requires" 0 "requires sm90"
  "${tileiras}" "--plugin-path=${derived_path}" --print-plugin-info acme-90b)
expect("sm_90 has wgmma" 0 "wgmma[.]mma_async"
  "${tileiras}" "--plugin-path=${derived_path}" --gpu-name sm_90 --emit=ptx -o - "${matmul}")
expect("the GPU from sm_90 has the other MMA" 0 "[.]target sm_90a.*mma[.]sync[.]aligned[.]m16n8k16"
  "${tileiras}" "--plugin-path=${derived_path}" --gpu-name acme_90b --emit=ptx -o - "${matmul}")
expect("sm_90a is a variant of sm_90 still" 0 "wgmma[.]mma_async"
  "${tileiras}" "--load-plugin=${derived_path}/tileiras-acme-90b.so" --gpu-name sm_90a --emit=ptx -o - "${matmul}")
run("compile for acme_90b" "${tileiras}" "--plugin-path=${derived_path}" --gpu-name acme_90b -o "${WORK}/derived.ptx" "${matmul}")
run("run what was compiled for it" "${EMULATOR}" run "${WORK}/derived.ptx" --launch "${SOURCE}/../kernels/matmul_f16/launch.json")

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
