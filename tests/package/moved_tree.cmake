# cmake -D BUILD=… -D WORK=… -D KERNELS=… -D COMPILER=… -D PKG_CONFIG=… -P moved_tree.cmake: an installation works wherever it is moved to.
include("${CMAKE_CURRENT_LIST_DIR}/../Steps.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/used_alone.cmake")
file(REMOVE_RECURSE "${WORK}")

run("install" "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/installed here")
file(MAKE_DIRECTORY "${WORK}/elsewhere")
file(RENAME "${WORK}/installed here" "${WORK}/elsewhere/moved there")
expect_own_libraries("${WORK}/elsewhere/moved there")
use_alone("${WORK}/elsewhere/moved there")
embed_alone("${WORK}/elsewhere/moved there" "${WORK}/embed")
file(REMOVE_RECURSE "${WORK}")
