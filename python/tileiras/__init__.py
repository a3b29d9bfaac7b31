"""Compiles CUDA Tile IR, and runs, times and checks the kernels, with and without a GPU.

    kernel = tileiras.compile("kernel.mlir", "sm_90")
    tileiras.run(kernel, grid=(8, 8), args=[a, b, c, n])           # on the emulator, with numpy arrays
    print(tileiras.time(kernel, (8, 8), [a, b, c, n], machine="h100-sxm"))
    tileiras.check(kernel, (8, 8), [a, b, c, n])                   # interpreter, emulator and GPU agree
    tileiras.report("kernel.html", kernel)                         # a page that shows what became of it

The libraries are those of an installation of the same release: the one whose prefix TILEIRAS_ROOT is, the one that this
package is part of, or the one whose `tileiras` is on PATH.
"""

from ._array import Array, array, empty, zeros
from ._check import Check, check
from ._errors import (CompileError, CompilerWarning, Diagnostic, DisagreementError, Error, Finding, KernelError,
                      KernelWarning, LaunchError, LibraryError, LimitError, Location)
from ._kernel import Entry, Kernel, Options, Parameter, Remark, compile
from ._report import report
from ._run import run
from ._time import Estimate, LineTime, machines, time
from ._version import VERSION as __version__

__all__ = [
    "Array", "Check", "CompileError", "CompilerWarning", "Diagnostic", "DisagreementError", "Entry", "Error", "Estimate",
    "Finding", "Kernel", "KernelError", "KernelWarning", "LaunchError", "LibraryError", "LimitError", "LineTime",
    "Location", "Options", "Parameter", "Remark", "__version__", "array", "check", "compile", "empty", "machines", "report",
    "run", "time", "zeros",
]
