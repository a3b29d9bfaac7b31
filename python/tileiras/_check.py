"""One launch in several places, and whether they agree."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy

from ._arguments import Arguments, Grid, Pointer, make_arguments, make_grid
from ._errors import DisagreementError, LibraryError
from ._kernel import Kernel
from ._run import PLACES, Setup, _image, run


@dataclass(frozen=True)
class Check:
    """Results that agree."""

    places: Tuple[str, ...]  #: where the kernel ran; the first one's results are the reference
    skipped: Dict[str, str]  #: where it did not, and why
    results: Dict[str, List[Any]]  #: by place: the arguments as they are after the launch, numbers as they were

    def __str__(self) -> str:
        return f"{', '.join(self.places)} agree" + "".join(f"; not on {p}: {why}" for p, why in self.skipped.items())


def check(kernel: Kernel, grid: Grid, args: Sequence[Any] = (), *, expected: Optional[Mapping[int, Any]] = None,
          rtol: float = 0, atol: float = 0, on: Optional[Sequence[str]] = None, entry: Optional[str] = None,
          seeds: int = 1) -> Check:
    """Runs one launch in every place that there is, on copies of the arrays, and compares.

    grid, args, entry: as of `run`. The arrays stay as they are; Check.results has what the places leave.
    expected: what arguments, by their number, are to be afterwards; rounded to the type of their elements.
    rtol, atol: floats agree when they differ by at most atol + rtol * |reference|. The interpreter knows, besides, how
        far a conforming implementation's elements may be from its own. NaN agrees with NaN; whole numbers have to be
        the same, as has everything where nothing is said.
    on: the places; default: interpreter and emulator, and the GPU that the kernel was compiled for, where there is one.
    seeds: how many interleavings the emulator runs; results are those of the first.

    Raises KernelError when the kernel makes a mistake somewhere, DisagreementError at the first difference.
    """
    places, skipped = _choose(kernel, on)
    found = kernel.entry(entry)
    results: Dict[str, List[Any]] = {}
    bounds: Dict[int, numpy.ndarray] = {}
    for place in places:
        copies = _copy(found, args)
        if place == "interpreter":
            bounds = _interpret(kernel, found.name, make_grid(grid), make_arguments(found, copies))
        else:
            run(kernel, grid, copies, on=place, entry=found.name)
            for seed in range(2, seeds + 1) if place == "emulator" else ():
                run(kernel, grid, _copy(found, args), on=place, entry=found.name, seed=seed)
        results[place] = copies
    numbers = [i for i, parameter in enumerate(found.parameters) if parameter.type == "ptr"]
    first = places[0]
    for place in places[1:]:
        for i in numbers:
            _compare(f"argument {i}", place, results[place][i], first, results[first][i],
                     bounds.get(i) if first == "interpreter" else None, rtol, atol)
    for i, values in (expected or {}).items():
        for place in places:
            got = results[place][i]
            wanted = numpy.broadcast_to(numpy.asarray(values), got.shape).astype(got.dtype)
            _compare(f"argument {i}", place, got, "what is expected", wanted, bounds.get(i), rtol, atol)
    return Check(tuple(places), skipped, results)


def _choose(kernel: Kernel, on: Optional[Sequence[str]]) -> Tuple[List[str], Dict[str, str]]:
    if on is not None:
        unknown = [place for place in on if place not in PLACES]
        if unknown or not on:
            raise ValueError(f"on is a list of {', '.join(PLACES)}, not {list(on)!r}")
        # The interpreter first: it is the reference.
        return sorted(on, key=["interpreter", "emulator", "gpu"].index), {}
    places, skipped = ["interpreter", "emulator"], {}
    try:
        from ._gpu import find_gpu
        gpu = find_gpu()
        if gpu == kernel.gpu.rstrip("af"):
            places.append("gpu")
        else:
            skipped["gpu"] = f"the kernel is for {kernel.gpu}, the GPU is {gpu}"
    except LibraryError as error:
        skipped["gpu"] = str(error)
    return places, skipped


def _copy(entry: Any, args: Sequence[Any]) -> List[Any]:
    """The same arguments in other memory: arrays that share some do there, too."""
    arguments: Arguments = make_arguments(entry, args)
    images = [numpy.ctypeslib.as_array(_image(memory)).view(numpy.uint8) for memory in arguments.memories]
    copies: List[Any] = []
    for value, original in zip(arguments.values, args):
        if isinstance(value, Pointer):
            copies.append(numpy.ndarray(original.shape, original.dtype, images[value.memory], value.offset,
                                        original.strides))
        else:
            copies.append(original)
    return copies


def _interpret(kernel: Kernel, entry: str, grid: Tuple[int, int, int], arguments: Arguments) -> Dict[int, numpy.ndarray]:
    """Runs it on the interpreter; by argument, how far each element may be off."""
    setup = Setup(kernel, entry, grid, arguments, "interpreter")
    steps: List[int] = []
    for index, memory in enumerate(arguments.memories):
        numbers = {array.itemsize for array in memory.arrays} | {stride for a in memory.arrays for stride in a.strides}
        steps.append(int(numpy.gcd.reduce([abs(number) for number in numbers if number])) if numbers else 1)
        if len(memory.arrays) > 1:
            steps[-1] = 1  # they may begin anywhere
        setup.ask_for_bounds(index, steps[-1])
    setup.run(lambda _: None)
    bounds: Dict[int, numpy.ndarray] = {}
    for number, value in enumerate(arguments.values):
        if not isinstance(value, Pointer):
            continue
        memory, step = arguments.memories[value.memory], steps[value.memory]
        array = next(a for a in memory.arrays if a.__array_interface__["data"][0] == memory.begin + value.offset)
        known = setup.get_bounds(value.memory)
        strides = [stride // step * known.itemsize for stride in array.strides]
        bounds[number] = numpy.ndarray(array.shape, known.dtype, known, value.offset // step * known.itemsize, strides)
    for memory, image in zip(arguments.memories, setup.images):
        ctypes.memmove(memory.begin, image, memory.size)
    return bounds


def _compare(what: str, place: str, got: numpy.ndarray, other: str, wanted: numpy.ndarray,
             bounds: Optional[numpy.ndarray], rtol: float, atol: float) -> None:
    equal = got == wanted
    if got.dtype.kind not in "biu":
        with numpy.errstate(all="ignore"):
            ours, theirs = got.astype(numpy.float64), wanted.astype(numpy.float64)
            allowed = atol + rtol * numpy.abs(theirs)
            if bounds is not None:
                allowed = numpy.maximum(allowed, numpy.where(numpy.isfinite(bounds), bounds, numpy.inf))
            equal = equal | (numpy.isnan(ours) & numpy.isnan(theirs)) | (numpy.abs(ours - theirs) <= allowed)
            equal = equal | numpy.isinf(allowed)
    if equal.all():
        return
    wrong = numpy.argwhere(~equal)
    at = tuple(int(i) for i in wrong[0])
    limit = f", which may be off by {bounds[at]:g}" if bounds is not None and bounds[at] else ""
    raise DisagreementError(f"{what} differs in {len(wrong)} of {got.size} elements, first at {list(at)}: {place} has "
                            f"{got[at]}, {other} {wanted[at]}{limit}")
