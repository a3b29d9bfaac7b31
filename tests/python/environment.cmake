# cmake -D PYTHON=… -D WHEEL=… -D FOLDER=… -P environment.cmake: a fresh virtual environment, and the wheel in it; numpy and
# pytest are Debian's.
include("${CMAKE_CURRENT_LIST_DIR}/../Steps.cmake")
file(REMOVE_RECURSE "${FOLDER}")
run("virtual environment" "${PYTHON}" -m venv --system-site-packages "${FOLDER}")
run("pip install" "${FOLDER}/bin/python" -m pip --disable-pip-version-check install --no-index --no-deps "${WHEEL}")
expect("the package is the environment's own" 0 "^${FOLDER}/lib/.*/tileiras/__init__.py"
  "${CMAKE_COMMAND}" -E env --unset=PYTHONPATH "${FOLDER}/bin/python" -c "print(__import__('tileiras').__file__)")
