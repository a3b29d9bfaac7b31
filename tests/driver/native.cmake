# --gpu-name native: the GPU of the CUDA driver, of which there are several here, none, and no driver at all.
include("${CMAKE_CURRENT_LIST_DIR}/../Steps.cmake")
set(compile "${TILEIRAS}" "${CMAKE_CURRENT_LIST_DIR}/../kernels/vector_add/kernel.mlir" --emit=ptx -o -)

# with(<capability> <devices> <variable>): a command prefix that has the emulated driver.
function(with capability devices variable)
  set(${variable} "${CMAKE_COMMAND}" -E env "LD_LIBRARY_PATH=${DRIVER}" "EMULATED_CUDA_CC=${capability}"
    "EMULATED_CUDA_DEVICES=${devices}" PARENT_SCOPE)
endfunction()

with(9.0 1 on_90)
with(8.6 1 on_86)
with(9.9 1 on_99)
with(9.0 0 on_none)
expect("the driver's GPU" 0 "[.]target sm_90a" ${on_90} ${compile} --gpu-name native)
expect("another GPU" 0 "[.]target sm_86" ${on_86} ${compile} --gpu-name native)
expect("an option says it, too" 0 "[.]target sm_86" ${on_86} ${compile} --set compute-capability=native)
file(WRITE "${WORK}/here.toml" "inherits = \"o1\"\n[options]\ncompute-capability = \"native\"\n")
expect("and a profile" 0 "[.]target sm_86" ${on_86} ${compile} --profile "${WORK}/here.toml")
expect("it is shown by its name" 0 "compute-capability = \"sm_86\" +# --gpu-name" ${on_86} "${TILEIRAS}" --gpu-name native
  --print-profile)
expect("a kernel is compiled for it, and runs" 0 "sm_86: clean" ${on_86} "${RUN}"
  "${CMAKE_CURRENT_LIST_DIR}/../run/lit/Inputs/scale.mlir" --launch
  "${CMAKE_CURRENT_LIST_DIR}/../run/lit/Inputs/scale.json" --on emulator --gpu-name native)
expect("a GPU that no plugin serves" 2 "error: unknown GPU 'sm_99'" ${on_99} ${compile} --gpu-name native)
expect("no GPU" 2 "error: which GPU is 'native' is not known: .*the driver sees no GPU: .*--list-plugins" ${on_none} ${compile}
  --gpu-name native)
expect("no GPU, a profile's line" 2 "here.toml:3:1: error: which GPU is 'native' is not known" ${on_none} ${compile}
  --profile "${WORK}/here.toml")
# Where the real driver is installed nobody can take it away.
execute_process(COMMAND "${TILEIRAS}" --gpu-name native --print-profile RESULT_VARIABLE code OUTPUT_QUIET ERROR_VARIABLE text)
if(code EQUAL 2 AND text MATCHES "libcuda.so.1")
  expect("no driver" 2 "is not known: libcuda.so.1: .*; NVIDIA's driver of CUDA 12.0 or newer has to be installed; or name the GPU"
    ${compile} --gpu-name native)
else()
  message(STATUS "no driver: skipped, there is one")
endif()
