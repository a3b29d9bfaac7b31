# cmake -D BUILD=… -D TREE=… -D WORK=… -D CPACK=… -D DPKG_DEB=… -D PYTHON=… -D SOURCE=… [-D LINTIAN=…] -P deb.cmake: the Debian
# package python3-tileiras, beside an installation of the compiler.
include("${CMAKE_CURRENT_LIST_DIR}/../Steps.cmake")
file(REMOVE_RECURSE "${WORK}")
run("cpack" "${CPACK}" -G DEB --config "${BUILD}/CPackPythonConfig.cmake" -B "${WORK}")
file(GLOB packages "${WORK}/*.deb")
list(LENGTH packages count)
if(NOT count EQUAL 1 OR NOT packages MATCHES "python3-tileiras_[0-9.]+_all[.]deb")
  message(FATAL_ERROR "one package for all architectures was expected, not '${packages}'")
endif()
expect("it needs this release" 0 "python3-numpy, tileiras [(]= [0-9.]+[)]" "${DPKG_DEB}" --field "${packages}" Depends)
if(LINTIAN)
  run("lintian finds no error" "${LINTIAN}" --fail-on error --allow-root "${packages}")
else()
  message(STATUS "lintian finds no error: SKIPPED, lintian is not installed")
endif()
run("unpack" "${DPKG_DEB}" --extract "${packages}" "${WORK}/root")
file(GLOB_RECURSE others RELATIVE "${WORK}/root/usr" "${WORK}/root/usr/*")
list(FILTER others EXCLUDE REGEX "^(lib/python3/dist-packages/tileiras|share/(doc|lintian)/)")
if(others)
  message(FATAL_ERROR "it has what is the other package's: ${others}")
endif()
# Where the system has it, with the compiler on the path.
run("the package's tests" "${CMAKE_COMMAND}" -E env --unset=TILEIRAS_ROOT "PATH=${TREE}/bin:/usr/bin:/bin"
  "PYTHONPATH=${WORK}/root/usr/lib/python3/dist-packages" PYTHONDONTWRITEBYTECODE=1 "${PYTHON}" -m pytest -q -p no:cacheprovider
  "${SOURCE}/run_test.py" "${SOURCE}/time_test.py::test_arrays_stay_as_they_are")
expect("it is the package's" 0 "^${WORK}/root/usr/lib/python3/dist-packages/tileiras/.*\n0[.]" "${CMAKE_COMMAND}" -E env
  "PYTHONPATH=${WORK}/root/usr/lib/python3/dist-packages" "${PYTHON}" -B -c
  "print(__import__('tileiras').__file__, __import__('importlib.metadata').metadata.version('tileiras'), sep='\\n')")
file(REMOVE_RECURSE "${WORK}")
