"""Looks for its compiler in the order of cuTile Python 1.6: packages, PATH, CUDA_HOME."""

import functools
import importlib.metadata
import os
import shutil
from dataclasses import dataclass


@dataclass
class Compiler:
    path: str


def _find_pip_tileiras():
    try:
        versions = {importlib.metadata.version(name)
                    for name in ("nvidia-cuda-tileiras", "nvidia-cuda-nvcc", "nvidia-nvvm")}
    except importlib.metadata.PackageNotFoundError:
        return None
    if len(versions) != 1:
        return None
    from nvidia import cu13
    return shutil.which("tileiras", path=os.path.join(list(cu13.__path__)[0], "bin"))


@functools.cache
def _find_compiler_bin():
    home = os.environ.get("CUDA_HOME", "")
    found = _find_pip_tileiras() or shutil.which("tileiras") or shutil.which("tileiras", path=os.path.join(home, "bin"))
    if not found:
        raise FileNotFoundError("no compiler")
    return Compiler(found)
