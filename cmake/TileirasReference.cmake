# `reference-docs` makes the pages below docs/reference from the sources; docs/reference-is-current compares them.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(tblgen "${MLIR_TABLEGEN_EXE}")
if(TARGET "${tblgen}")
  set(tblgen "$<TARGET_FILE:${tblgen}>")
endif()
set(reference_docs "$<TARGET_FILE:Python3::Interpreter>" "${PROJECT_SOURCE_DIR}/scripts/reference_docs.py"
  "${PROJECT_SOURCE_DIR}/docs/reference" --root "${PROJECT_SOURCE_DIR}" --tblgen "${tblgen}"
  --tileiras "$<TARGET_FILE:tileiras-bin>")
foreach(folder IN LISTS MLIR_INCLUDE_DIRS)
  list(APPEND reference_docs --include "${folder}")
endforeach()
add_custom_target(reference-docs COMMAND ${reference_docs} COMMENT "Making docs/reference" VERBATIM)
get_property(folders DIRECTORY "${PROJECT_SOURCE_DIR}/plugins" PROPERTY SUBDIRECTORIES)
foreach(folder IN LISTS folders)
  get_property(plugins DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
  add_dependencies(reference-docs ${plugins})
endforeach()
add_dependencies(reference-docs tileiras-bin)
if(TILEIRAS_BUILD_TESTS)
  add_test(NAME docs/reference-is-current COMMAND ${reference_docs} --check)
  set_tests_properties(docs/reference-is-current PROPERTIES LABELS quick) # tests/labels knows the tests below it alone
endif()
