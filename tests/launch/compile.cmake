# cmake -D TILEIRAS=… -D KERNEL=… -D WORK=… -P compile.cmake: one kernel for a chip of each generation, with its metadata.
include("${CMAKE_CURRENT_LIST_DIR}/../Steps.cmake")
file(MAKE_DIRECTORY "${WORK}")
foreach(gpu sm_80 sm_90 sm_100 sm_120)
  run("compile for ${gpu}" "${TILEIRAS}" "${KERNEL}" --gpu-name ${gpu} -o "${WORK}/${gpu}.cubin"
    "--metadata=${WORK}/${gpu}.json")
endforeach()
