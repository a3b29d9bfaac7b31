"""The structures of the package are those of the C headers."""

import ctypes
import os
import pathlib
import subprocess

import pytest

from tileiras import _compiler_api, _run_api

ROOT = pathlib.Path(__file__).resolve().parents[2]
STRUCTURES = {"TileirasDiagnostic": _compiler_api.Diagnostic, "TileirasRemark": _compiler_api.Remark,
              "TileirasConfig": _compiler_api.Config, "TileirasFinding": _run_api.Finding,
              "TileirasRunBuffer": _run_api.Buffer, "TileirasRunArgument": _run_api.Argument,
              "TileirasRun": _run_api.Run}
NUMBERS = {"TILEIRAS_ERROR_ALLOCATION": _compiler_api.ERROR_ALLOCATION,
           "TILEIRAS_ERROR_CANCELLED": _compiler_api.ERROR_CANCELLED,
           "TILEIRAS_ERROR_LIMIT_EXCEEDED": _compiler_api.ERROR_LIMIT_EXCEEDED,
           "TILEIRAS_OPT_LEVEL_OF_PROFILE": _compiler_api.OPT_LEVEL_OF_PROFILE,
           "TILEIRAS_RUN_ERROR_KERNEL": _run_api.ERROR_KERNEL,
           "TILEIRAS_RUN_ERROR_BAD_INPUT": _run_api.ERROR_BAD_INPUT,
           "TILEIRAS_RUN_ERROR_INTERRUPTED": _run_api.ERROR_INTERRUPTED,
           "TILEIRAS_RUN_ERROR_NO_ESTIMATE": _run_api.ERROR_NO_ESTIMATE,
           "TILEIRAS_RUN_ERROR_ALLOCATION": _run_api.ERROR_ALLOCATION}


@pytest.fixture(scope="module")
def said_by_c(tmp_path_factory):
    """What a C program prints: "name offset size" a line."""
    folder = tmp_path_factory.mktemp("abi")
    lines = ['#include "tileiras/Compiler/tileiras-c.h"', '#include "tileiras/Run/tileiras-run.h"', "#include <stdio.h>",
             "int main(void) {"]
    for name, structure in STRUCTURES.items():
        lines.append(f'  printf("{name} 0 %zu\\n", sizeof({name}));')
        for field in structure._fields_:
            lines.append(f'  printf("{name}.{field[0]} %zu %zu\\n", offsetof({name}, {field[0]}), '
                         f"sizeof((({name} *)0)->{field[0]}));")
    lines += [f'  printf("{name} 0 %llu\\n", (unsigned long long){name});' for name in NUMBERS]
    (folder / "abi.c").write_text("\n".join([*lines, "  return 0;", "}", ""]))
    subprocess.run([os.environ.get("TILEIRAS_TEST_CC", "cc"), "-std=c11", folder / "abi.c", "-o", folder / "abi",
                    f"-I{ROOT / 'core/include'}", f"-I{ROOT / 'runtime/include'}"], check=True)
    rows = subprocess.run([folder / "abi"], check=True, capture_output=True, text=True).stdout.splitlines()
    return {name: (int(offset), int(size)) for name, offset, size in map(str.split, rows)}


@pytest.mark.parametrize("name", STRUCTURES)
def test_structures(said_by_c, name):
    structure = STRUCTURES[name]
    ours = {f"{name}.{field[0]}": (getattr(structure, field[0]).offset, getattr(structure, field[0]).size)
            for field in structure._fields_}
    ours[name] = (0, ctypes.sizeof(structure))
    assert ours == {key: value for key, value in said_by_c.items() if key.split(".")[0] == name}


def test_numbers(said_by_c):
    assert NUMBERS == {name: said_by_c[name][1] for name in NUMBERS}
