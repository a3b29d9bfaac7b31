"""Running kernels."""

from __future__ import annotations

import ctypes
import os
import sys
import warnings
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import numpy

from . import _run_api as api
from ._arguments import Arguments, Grid, Memory, Pointer, make_arguments, make_grid
from ._errors import Finding, KernelError, KernelWarning, LaunchError
from ._interruptible import call
from ._kernel import Kernel, location_of

PLACES = ("emulator", "interpreter", "gpu")


def run(kernel: Kernel, grid: Grid, args: Sequence[Any] = (), *, on: str = "emulator", entry: Optional[str] = None,
        seed: int = 1, races: bool = True, uninitialized: bool = True, strict: bool = False,
        allow: Sequence[str] = (), reports: int = 10, threads: Optional[int] = None,
        output: Optional[Callable[[str], Any]] = None) -> None:
    """Runs one launch to its end; what the kernel writes is in the arrays then.

    grid: tile blocks, a number or up to three (x, y, z).
    args: one a parameter of the kernel: numpy arrays of any shape and strides for addresses (the kernel gets that of the
        first element), numbers for the rest. Arrays that share memory share it in the launch. One that is read-only
        must not be written by the kernel.
    on: "emulator" runs the PTX; "interpreter" the Tile IR, as its specification says; "gpu" the cubin, on device 0
        (under `tileiras-cutile --emulate` that is the emulated one).
    entry: the kernel, where the module has several.

    Of the emulator:
    seed: which of the possible interleavings of the warps; the same one gives the same run.
    races, uninitialized: whether races and missing fences, and reads of what was never written, are looked for; without
        races it is several times as fast.
    strict: what the PTX ISA's text demands, where hardware and common software demand less.
    allow: kinds of findings that are warnings (KernelWarning): "uninitialized-read", …
    reports: the run goes on, where that makes sense, until it has found so many mistakes.
    threads: of this machine; default: as many as it has, up to 8. They change no result.
    output: is called with what the kernel prints; default: sys.stdout.write.

    Raises KernelError when the kernel makes a mistake, LaunchError when the launch does not fit it. The GIL is released
    meanwhile, and Ctrl-C ends it, but for the GPU's part.
    """
    if on not in PLACES:
        raise ValueError(f"on is {', '.join(PLACES[:-1])} or {PLACES[-1]}, not {on!r}")
    found = kernel.entry(entry)
    sizes, arguments = make_grid(grid), make_arguments(found, args)
    if on == "gpu":
        from ._gpu import run_on_gpu
        images = [_image(memory) for memory in arguments.memories]
        run_on_gpu(kernel, found, sizes, arguments, images)
        _write_back(arguments, images)
        return
    setup = Setup(kernel, found.name, sizes, arguments, on)
    request = setup.request
    request.seed, request.skipsRaces, request.skipsUninitialized = seed, not races, not uninitialized
    request.isStrict, request.mostFindings = strict, reports
    request.threads = threads or min(os.cpu_count() or 1, 8)
    setup.allow(allow)
    setup.run(output or sys.stdout.write)
    _write_back(arguments, setup.images)


def _image(memory: Memory) -> "ctypes.Array[ctypes.c_char]":
    """A copy of the memory."""
    image = ctypes.create_string_buffer(max(memory.size, 1))
    ctypes.memmove(image, memory.begin, memory.size)
    return image


def _write_back(arguments: Arguments, images: "Sequence[ctypes.Array[ctypes.c_char]]") -> None:
    for memory, image in zip(arguments.memories, images):
        if memory.is_writable:
            ctypes.memmove(memory.begin, image, memory.size)
        elif ctypes.string_at(memory.begin, memory.size) != image.raw[:memory.size]:
            raise KernelError(f"the kernel has written to {memory.name}, an array that is read-only")


@dataclass(frozen=True)
class Bounds:
    """How exact the elements of an argument are: an array of its shape, of distances."""

    argument: int
    distances: numpy.ndarray


class Setup:
    """A launch as the library takes it, on copies of its memory."""

    def __init__(self, kernel: Kernel, entry: str, grid: Tuple[int, int, int], arguments: Arguments, on: str) -> None:
        self._library = api.library()
        self._function = getattr(self._library,
                                 "tileirasRunOnInterpreter" if on == "interpreter" else "tileirasRunOnEmulator")
        contents = kernel.source if on == "interpreter" else kernel.ptx.encode()
        name = kernel.name if on == "interpreter" else f"the PTX of {kernel.name}"
        self.images = [_image(memory) for memory in arguments.memories]
        self.findings: List[Finding] = []
        self._arguments = arguments
        self._bounds: Dict[int, Any] = {}
        buffers = (api.Buffer * len(self.images))()
        for buffer, memory, image in zip(buffers, arguments.memories, self.images):
            buffer.data, buffer.size = ctypes.addressof(image), memory.size
            buffer.name = memory.name.encode()
        passed = (api.Argument * len(arguments.values))()
        for argument, value in zip(passed, arguments.values):
            if isinstance(value, Pointer):
                argument.buffer, argument.offset = value.memory, value.offset
            else:
                argument.buffer, argument.value, argument.size = -1, value.bytes, len(value.bytes)
        self._buffers = buffers
        self.request = api.Run(structSize=ctypes.sizeof(api.Run), kernel=contents, kernelSize=len(contents),
                               kernelName=name.encode(), entry=entry.encode(), buffers=buffers,
                               bufferCount=len(buffers), arguments=passed, argumentCount=len(passed), seed=1)
        self.request.grid[:] = grid

    def allow(self, kinds: Sequence[str]) -> None:
        self.request.allowed = (ctypes.c_char_p * len(kinds))(*(kind.encode() for kind in kinds))
        self.request.allowedCount = len(kinds)

    def ask_for_bounds(self, memory: int, item_bytes: int) -> None:
        """How far each element of this memory may be off, with the interpreter."""
        count = self._arguments.memories[memory].size // item_bytes
        self._bounds[memory] = bounds = numpy.zeros(max(count, 1))
        self._buffers[memory].bounds = bounds.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
        self._buffers[memory].boundStride = item_bytes

    def get_bounds(self, memory: int) -> numpy.ndarray:
        return self._bounds[memory]

    def run(self, output: Callable[[str], Any]) -> None:
        """Raises what went wrong."""
        self._call(output, lambda: self._function(ctypes.byref(self.request)))
        for finding in self.findings:  # those that are left are warnings
            warnings.warn(str(finding), KernelWarning, stacklevel=3)

    def estimate(self, machine: str, registers: int) -> str:
        """The estimate's JSON."""
        text = ctypes.c_char_p()
        result: List[bytes] = []

        def work() -> int:
            status = self._library.tileirasRunEstimate(ctypes.byref(self.request), machine.encode(), registers,
                                                       ctypes.byref(text))
            result.append(text.value or b"")  # it is the thread's that called
            return status

        self._call(lambda _: None, work)
        return result[0].decode()

    def _call(self, output: Callable[[str], Any], work: Callable[[], int]) -> None:
        failures: List[BaseException] = []

        def on_finding(pointer: Any, _: Any) -> None:
            self.findings.append(_to_finding(pointer.contents))

        def on_output(text: Any, size: int, _: Any) -> None:
            try:
                if not failures:
                    output(ctypes.string_at(text, size).decode(errors="replace"))
            except BaseException as error:  # noqa: BLE001 - it would end in the library, which knows no exceptions
                failures.append(error)
                self._library.tileirasInterruptSet(interrupt)

        self.request.findingCallback = api.FindingCallback(on_finding)
        self.request.outputCallback = api.OutputCallback(on_output)
        interrupt = self._library.tileirasInterruptCreate()
        if not interrupt:
            raise MemoryError
        self.request.interrupt = interrupt

        def run_and_explain() -> Tuple[int, str]:
            return work(), self._library.tileirasRunGetErrorText().decode(errors="replace")

        try:
            status, error = call(run_and_explain, lambda: self._library.tileirasInterruptSet(interrupt))
        finally:
            self._library.tileirasInterruptRelease(interrupt)
        if failures:
            raise failures[0]
        if status == api.ERROR_KERNEL:
            raise KernelError(error.rstrip(), self.findings)
        if status == api.ERROR_ALLOCATION:
            raise MemoryError(error)
        if status != api.SUCCESS:
            raise LaunchError(error)


def _to_finding(finding: Any) -> Finding:
    def text(value: Optional[bytes]) -> str:
        return (value or b"").decode(errors="replace")

    is_emulators = finding.ptxLine != 0
    return Finding(text(finding.kind), text(finding.message), text(finding.text),
                   location_of(finding.file, finding.line, finding.column), finding.ptxLine or None,
                   text(finding.instruction), finding.seed if is_emulators else None)
