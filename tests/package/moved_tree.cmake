# cmake -D TREE=… -D WORK=… -D KERNELS=… -D COMPILER=… -D PKG_CONFIG=… -P moved_tree.cmake: an installation, which
# install.cmake has moved to TREE, works wherever it is.
include("${CMAKE_CURRENT_LIST_DIR}/../Steps.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/used_alone.cmake")
file(REMOVE_RECURSE "${WORK}")

file(MAKE_DIRECTORY "${WORK}/elsewhere")
# Links to its files stand for copies of them.
run("move" cp -al "${TREE}" "${WORK}/elsewhere/moved there")
expect_own_libraries("${WORK}/elsewhere/moved there")
use_alone("${WORK}/elsewhere/moved there")
embed_alone("${WORK}/elsewhere/moved there" "${WORK}/embed")
file(REMOVE_RECURSE "${WORK}")
