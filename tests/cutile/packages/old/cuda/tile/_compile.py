"""Looks for its compiler in the order of the first versions of cuTile Python: PATH, CUDA_HOME."""

import os
import shutil
from types import SimpleNamespace


def _find_compiler_bin():
    found = shutil.which("tileiras") or shutil.which("tileiras", path=os.path.join(os.environ["CUDA_HOME"], "bin"))
    return SimpleNamespace(path=found)
