# cmake -D BUILD=… -D TREE=… -P install.cmake: installs a build, and moves the installation to TREE.
include("${CMAKE_CURRENT_LIST_DIR}/../Steps.cmake")
set(first "${TREE} as installed")
file(REMOVE_RECURSE "${TREE}" "${first}")
run("install" "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${first}")
file(RENAME "${first}" "${TREE}")
