# cmake -D PYTHON=… -D SOURCE=… -D WHEEL=… -D UNPACKED=… -P wheel.cmake: makes the wheel, without a network, and unpacks it.
cmake_path(GET WHEEL PARENT_PATH folder)
# setuptools writes beside the sources, and takes what an earlier build left there.
set(copy "${folder}/source")
file(REMOVE_RECURSE "${folder}" "${UNPACKED}")
file(COPY "${SOURCE}/pyproject.toml" "${SOURCE}/README.md" "${SOURCE}/tileiras" DESTINATION "${copy}"
  PATTERN __pycache__ EXCLUDE)
# The same wheel from the same sources: 1980 is where a zip file's time begins.
execute_process(COMMAND "${CMAKE_COMMAND}" -E env SOURCE_DATE_EPOCH=315532800 PIP_ROOT_USER_ACTION=ignore
    "${PYTHON}" -m pip --quiet --disable-pip-version-check --no-cache-dir wheel --no-build-isolation --no-deps --no-index
    --wheel-dir "${folder}" "${copy}"
  RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT code EQUAL 0 OR NOT EXISTS "${WHEEL}")
  message(FATAL_ERROR "the wheel was not made (${code}):\n${output}")
endif()
file(REMOVE_RECURSE "${copy}")
file(ARCHIVE_EXTRACT INPUT "${WHEEL}" DESTINATION "${UNPACKED}")
