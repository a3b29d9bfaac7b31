# The manual pages of the programs, made by help2man of what they say of themselves.
find_program(TILEIRAS_HELP2MAN help2man)
find_program(TILEIRAS_GZIP gzip)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
if(NOT TILEIRAS_HELP2MAN OR NOT TILEIRAS_GZIP)
  message(STATUS "Manual pages are not made: help2man or gzip is not installed")
  return()
endif()

# --help lists the GPUs that they serve.
tileiras_get_shipped_plugins(shipped_plugins)

set(manual_folder "${CMAKE_BINARY_DIR}/share/man/man1")
set(manual_pages)
# tileiras_manual_page(<target> <what the program does>)
function(tileiras_manual_page target what)
  get_target_property(output_name ${target} OUTPUT_NAME)
  if(NOT output_name)
    set(output_name ${target})
  endif()
  # help2man asks a program that has the page's name for --help.
  set(program "${CMAKE_BINARY_DIR}/manual/${output_name}")
  file(GENERATE OUTPUT "${program}" CONTENT
    "#!/bin/sh\nexec '${Python3_EXECUTABLE}' '${PROJECT_SOURCE_DIR}/cmake/manual_help.py' '$<TARGET_FILE:${target}>'\n"
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  set(page "${manual_folder}/${output_name}.1")
  add_custom_command(OUTPUT "${page}.gz"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${manual_folder}"
    COMMAND "${CMAKE_COMMAND}" -E env LC_ALL=C.UTF-8 "${TILEIRAS_HELP2MAN}" --no-info "--name=${what}"
      "--version-string=${PROJECT_VERSION}" "--source=tileiras ${PROJECT_VERSION}" "--manual=tileiras"
      "--include=${PROJECT_SOURCE_DIR}/cmake/manual.h2m" "--output=${page}" "${program}"
    COMMAND "${TILEIRAS_GZIP}" -9nf "${page}"
    DEPENDS ${target} ${shipped_plugins} "${program}" "${PROJECT_SOURCE_DIR}/cmake/manual_help.py" "${PROJECT_SOURCE_DIR}/cmake/manual.h2m"
    COMMENT "Manual page of ${output_name}" VERBATIM)
  install(FILES "${page}.gz" DESTINATION share/man/man1)
  list(APPEND manual_pages "${page}.gz")
  set(manual_pages "${manual_pages}" PARENT_SCOPE)
endfunction()

tileiras_manual_page(tileiras-bin "compile CUDA Tile IR for GPUs")
tileiras_manual_page(tileiras-lsp-server "tell editors about Tile IR")
tileiras_manual_page(tileirdisasm "print Tile IR bytecode as text")
tileiras_manual_page(tileiras-opt "run passes over Tile IR")
tileiras_manual_page(tileiras-schedule "schedule a problem that is given as text")
tileiras_manual_page(tileiras-run "run a kernel on a GPU, an emulator or an interpreter, and check it")
tileiras_manual_page(tileiras-interpret "execute Tile IR on the CPU, straight from its specification")
tileiras_manual_page(tileiras-cutile "run a cuTile program with the compiler tileiras")
tileiras_manual_page(ptx-emulator-tool "execute, check and time PTX without a GPU")
add_custom_target(manual-pages ALL DEPENDS ${manual_pages})
