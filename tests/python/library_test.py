"""Which libraries are opened, and what is said where there are none."""

import os
import pathlib
import subprocess
import sys

import tileiras

PRINT = "import tileiras._libraries as l; print(l.find_root())"
COMPILE = "import tileiras; tileiras.compile('cuda_tile.module @m {}', 'sm_90')"


def run(program, **environment):
    kept = {name: os.environ[name] for name in ("PYTHONPATH", "HOME") if name in os.environ}
    return subprocess.run([sys.executable, "-c", program], env={**kept, **environment}, capture_output=True, text=True)


def test_the_named_installation_comes_first(tmp_path):
    root = os.environ["TILEIRAS_ROOT"]
    assert run(PRINT, TILEIRAS_ROOT=root, PATH="/usr/bin").stdout.strip() == root
    lost = run(COMPILE, TILEIRAS_ROOT=str(tmp_path), PATH=f"{root}/bin")
    assert f"TILEIRAS_ROOT is {tmp_path}, and {tmp_path}/lib has no libtileiras.so" in lost.stderr


def test_the_tool_on_the_path_leads_to_its_libraries():
    root = pathlib.Path(os.environ["TILEIRAS_ROOT"]).resolve()
    assert run(PRINT, PATH=f"{root}/bin:/usr/bin").stdout.strip() == str(root)


def test_no_installation():
    said = run(COMPILE, PATH="/nowhere")
    assert "tileiras._errors.LibraryError: libtileiras.so cannot be opened" in said.stderr
    assert "put its bin on PATH, or say its prefix in TILEIRAS_ROOT" in said.stderr


def test_another_release():
    said = run("import tileiras._libraries as l; l.VERSION = '9.9.0'; " + COMPILE, TILEIRAS_ROOT=os.environ["TILEIRAS_ROOT"],
               PATH="/usr/bin")
    assert "LibraryError: this package is of tileiras 9.9.0" in said.stderr


def test_everything_is_described():
    """Public names have a docstring; their annotations name types that there are."""
    import typing
    for name in tileiras.__all__:
        value = getattr(tileiras, name)
        if name.startswith("__"):
            continue
        assert value.__doc__, name
        if callable(value) and not isinstance(value, type):
            assert typing.get_type_hints(value), name
    assert (pathlib.Path(tileiras.__file__).parent / "py.typed").exists()
