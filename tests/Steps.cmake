# Steps of tests that are scripts of CMake: each says what it shows.

# run(<what> <command>...): fails the test with everything the command said.
function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${what} failed (${code}):\n${output}")
  endif()
  message(STATUS "${what}: ok")
endfunction()

# expect(<what> <exit code> <regex> <command>...): the command's exit code and output.
function(expect what expected_code pattern)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL expected_code OR NOT output MATCHES "${pattern}")
    message(FATAL_ERROR "${what}: expected exit code ${expected_code} and '${pattern}', got ${code} and:\n${output}")
  endif()
  message(STATUS "${what}: ok")
endfunction()
