"""Arguments of a launch: numpy arrays become memory, numbers become bytes."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any, List, Sequence, Tuple, Union

import numpy

from ._errors import LaunchError
from ._kernel import Entry, Parameter

Grid = Union[int, Sequence[int]]


def make_grid(grid: Grid) -> Tuple[int, int, int]:
    """Tile blocks in x, y and z; what is not said is 1."""
    sizes = (grid,) if isinstance(grid, (int, numpy.integer)) else tuple(grid)
    if not 1 <= len(sizes) <= 3 or any(size < 1 for size in sizes):
        raise LaunchError(f"a grid has one to three sizes of at least 1 tile block, not {grid!r}")
    x, y, z = (*(int(size) for size in sizes), 1, 1)[:3]
    return x, y, z


@dataclass
class Memory:
    """Memory of the process that arguments lie in: arrays that overlap have one together."""

    begin: int  #: addresses
    end: int
    arrays: List[numpy.ndarray]
    name: str

    @property
    def size(self) -> int:
        return self.end - self.begin

    @property
    def is_writable(self) -> bool:
        return all(array.flags.writeable for array in self.arrays)


@dataclass(frozen=True)
class Pointer:
    """An argument that is an address."""

    memory: int  #: its number
    offset: int  #: bytes from the beginning of that


@dataclass(frozen=True)
class Value:
    """An argument that is a number."""

    bytes: bytes


@dataclass
class Arguments:
    """What a launch passes."""

    memories: List[Memory]
    values: List[Union[Pointer, Value]]


def _extent(array: numpy.ndarray) -> Tuple[int, int]:
    """The first byte of the array and the one behind its last, whatever its strides."""
    low = high = array.__array_interface__["data"][0]
    if array.size == 0:
        return low, low
    for size, stride in zip(array.shape, array.strides):
        low, high = low + min(0, (size - 1) * stride), high + max(0, (size - 1) * stride)
    return low, high + array.itemsize


def _merge(extents: Sequence[Tuple[int, int, numpy.ndarray, str]]) -> List[Memory]:
    """Memory of arrays that share bytes is one."""
    memories: List[Memory] = []
    for begin, end, array, name in sorted(extents, key=lambda e: e[:2]):
        if memories and begin < memories[-1].end:
            last = memories[-1]
            last.end = max(last.end, end)
            last.arrays.append(array)
            last.name += f" and {name}"
        else:
            memories.append(Memory(begin, end, [array], name))
    return memories


def make_arguments(entry: Entry, args: Sequence[Any]) -> Arguments:
    """`args` as the entry takes them. Raises LaunchError when they are too few, too many, or of the wrong kind."""
    if len(args) != len(entry.parameters):
        types = ", ".join(parameter.type for parameter in entry.parameters)
        raise LaunchError(f"'{entry.name}' takes {len(entry.parameters)} arguments ({types}), not {len(args)}")
    extents = []
    for number, (parameter, value) in enumerate(zip(entry.parameters, args)):
        if parameter.type != "ptr":
            continue
        if not isinstance(value, numpy.ndarray):
            raise LaunchError(f"argument {number} of '{entry.name}' is an address: give a numpy array, not "
                              f"{type(value).__name__}")
        if value.dtype.hasobject:
            raise LaunchError(f"argument {number} of '{entry.name}' is an array of Python objects")
        extents.append((*_extent(value), value, f"argument {number}"))
    memories = _merge(extents)
    values: List[Union[Pointer, Value]] = []
    for number, (parameter, value) in enumerate(zip(entry.parameters, args)):
        if parameter.type == "ptr":
            address = value.__array_interface__["data"][0]
            index = next(i for i, memory in enumerate(memories) if any(array is value for array in memory.arrays))
            values.append(Pointer(index, address - memories[index].begin))
        else:
            values.append(Value(_to_bytes(parameter, value, f"argument {number} of '{entry.name}'")))
    return Arguments(memories, values)


def _to_bytes(parameter: Parameter, value: Any, what: str) -> bytes:
    """A number as a parameter of this type has it, little-endian."""
    if isinstance(value, numpy.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, numpy.generic) and not isinstance(value, (numpy.integer, numpy.floating, numpy.bool_)):
        raise LaunchError(f"{what} is a number of type {parameter.type}, not {type(value).__name__}")
    kind, bits = parameter.type.rstrip("0123456789"), parameter.type.lstrip("abcdefghijklmnopqrstuvwxyz")
    if kind == "i" and bits.isdigit():
        if not isinstance(value, (bool, int, numpy.integer, numpy.bool_)):
            raise LaunchError(f"{what} is of type {parameter.type}: give an integer, not {value!r}")
        number, width = int(value), int(bits)
        if not -(1 << (width - 1)) <= number < 1 << width:
            raise LaunchError(f"{what} is of type {parameter.type}, and {number} does not fit")
        return (number & ((1 << (8 * parameter.bytes)) - 1)).to_bytes(parameter.bytes, "little")
    if not isinstance(value, (int, float, numpy.integer, numpy.floating)):
        raise LaunchError(f"{what} is of type {parameter.type}: give a number, not {value!r}")
    if parameter.type == "bf16":
        (single,) = struct.unpack("<I", struct.pack("<f", float(value)))
        rounded = single if value != value else single + 0x7FFF + (single >> 16 & 1)  # to nearest even; a NaN stays one
        return struct.pack("<H", rounded >> 16 & 0xFFFF)
    formats = {"f16": "<e", "f32": "<f", "f64": "<d"}
    if parameter.type not in formats:
        raise LaunchError(f"{what} is of type {parameter.type}, for which Python has no number")
    return struct.pack(formats[parameter.type], float(value))
