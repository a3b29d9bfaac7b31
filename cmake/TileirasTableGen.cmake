# tileiras_tablegen(<target> TD <file.td> <output.inc> <generator> [<output.inc> <generator>]...)
#
# Runs mlir-tblgen on a .td below core/include (or the current source directory) once for each output. The outputs
# land at the same relative path below the build tree; <target> is a custom target that depends on all of them.
function(tileiras_tablegen target)
  cmake_parse_arguments(ARG "" "TD" "INCLUDES" ${ARGN})
  set(pairs ${ARG_UNPARSED_ARGUMENTS})
  cmake_path(ABSOLUTE_PATH ARG_TD BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" OUTPUT_VARIABLE td)
  set(includes)
  foreach(dir IN LISTS MLIR_INCLUDE_DIRS TILEIRAS_INCLUDE_DIRS ARG_INCLUDES)
    list(APPEND includes "-I${dir}")
  endforeach()
  set(outputs)
  while(pairs)
    list(POP_FRONT pairs output generator)
    string(REPLACE " " ";" generator "${generator}")
    set(file "${CMAKE_CURRENT_BINARY_DIR}/${output}")
    cmake_path(GET file PARENT_PATH directory)
    file(MAKE_DIRECTORY "${directory}")
    add_custom_command(OUTPUT "${file}"
      COMMAND "${MLIR_TABLEGEN_EXE}" ${generator} "${td}" ${includes} --write-if-changed -d "${file}.d" -o "${file}"
      DEPENDS "${td}" DEPFILE "${file}.d" COMMENT "TableGen ${output}" VERBATIM)
    list(APPEND outputs "${file}")
  endwhile()
  add_custom_target(${target} DEPENDS ${outputs})
  set_property(GLOBAL APPEND PROPERTY TILEIRAS_GENERATED_HEADERS ${outputs})
endfunction()
