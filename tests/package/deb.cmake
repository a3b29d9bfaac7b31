# cmake -D BUILD=… -D WORK=… -D KERNELS=… -D CPACK=… -D DPKG_DEB=… -P deb.cmake: the Debian package of this build says
# what it needs, and works once unpacked.
include("${CMAKE_CURRENT_LIST_DIR}/../Steps.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/used_alone.cmake")
file(REMOVE_RECURSE "${WORK}")

run("cpack" "${CPACK}" -G DEB --config "${BUILD}/CPackConfig.cmake" -B "${WORK}")
file(GLOB packages "${WORK}/*.deb")
list(LENGTH packages count)
if(NOT count EQUAL 1)
  message(FATAL_ERROR "one package was expected, not '${packages}'")
endif()

foreach(library libmlir-22 libllvm22 libtomlplusplus libstdc[+][+]6 libc6)
  expect("it depends on ${library}" 0 "${library}[^,]* [(]>= " "${DPKG_DEB}" --field "${packages}" Depends)
endforeach()
execute_process(COMMAND "${DPKG_DEB}" --field "${packages}" Depends Recommends Pre-Depends OUTPUT_VARIABLE needs)
if(needs MATCHES "cuda|-dev")
  message(FATAL_ERROR "it needs more than it has to: ${needs}")
endif()
expect("it suggests the CUDA toolkit" 0 "cuda-toolkit" "${DPKG_DEB}" --field "${packages}" Suggests)

run("unpack" "${DPKG_DEB}" --extract "${packages}" "${WORK}/root")
expect_no_build_paths("${WORK}/root/usr")
use_alone("${WORK}/root/usr")
file(REMOVE_RECURSE "${WORK}")
