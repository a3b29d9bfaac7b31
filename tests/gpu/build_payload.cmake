# Builds the payload from scratch: cmake -DPAYLOAD=DIR -DRUN=COMMAND -DTOOLS=OPTIONS -P build_payload.cmake
file(REMOVE_RECURSE "${PAYLOAD}")
execute_process(COMMAND ${RUN} build "${PAYLOAD}" ${TOOLS} RESULT_VARIABLE result)
if(NOT result EQUAL 0 AND NOT result EQUAL 77)
  message(FATAL_ERROR "the payload cannot be built")
endif()
