"""Finds and opens the libraries of an installation."""

from __future__ import annotations

import ctypes
import functools
import os
import pathlib
import shutil
from typing import Iterator, Optional

from ._errors import LibraryError
from ._version import VERSION


def _find_roots() -> Iterator[pathlib.Path]:
    """Prefixes of installations: the one that is named, the one this file is part of, the one whose tools are on PATH."""
    named = os.environ.get("TILEIRAS_ROOT")
    if named:
        yield pathlib.Path(named)
        return  # who names one wants no other
    # PREFIX/lib/python3/dist-packages/tileiras/_libraries.py
    beside = pathlib.Path(__file__).resolve().parents
    if len(beside) > 4:
        yield beside[4]
    tool = shutil.which("tileiras")
    if tool:
        yield pathlib.Path(tool).resolve().parent.parent


@functools.lru_cache(maxsize=None)
def find_root() -> Optional[pathlib.Path]:
    """The installation whose libraries are opened; None: those that the loader finds."""
    for root in _find_roots():
        if (root / "lib" / "libtileiras.so").exists():
            return root
        if os.environ.get("TILEIRAS_ROOT"):
            raise LibraryError(f"TILEIRAS_ROOT is {root}, and {root}/lib has no libtileiras.so: "
                               "name the prefix of an installation, or unset the variable")
    return None


@functools.lru_cache(maxsize=None)
def open_library(name: str) -> ctypes.CDLL:
    """`name` as in "libtileiras-run.so"."""
    root = find_root()
    file = str(root / "lib" / name) if root else name
    try:
        return ctypes.CDLL(file)
    except OSError as error:
        remedy = "" if root else (": install tileiras, put its bin on PATH, or say its prefix in TILEIRAS_ROOT")
        raise LibraryError(f"{file} cannot be opened ({error}){remedy}") from None


def check_version(library: ctypes.CDLL) -> None:
    """Raises LibraryError when the compiler is of another release than this package."""
    library.tileirasGetVersion.restype = ctypes.c_char_p
    found = library.tileirasGetVersion().decode()
    if found.split(".")[:2] != VERSION.split(".")[:2]:
        raise LibraryError(f"this package is of tileiras {VERSION}, the library {library._name} of {found}: "
                           "install the package that came with the library (share/tileiras/python)")
