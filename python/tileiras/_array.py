"""Arrays in the memory of a GPU, or of the emulated driver: enough of an array library for cuTile."""

from __future__ import annotations

import ctypes
from typing import Any, Dict, Optional, Sequence, Tuple, Union

import numpy

from ._driver import driver


class _Allocation:
    """Memory of the device, freed with the last array in it."""

    def __init__(self, size: int) -> None:
        self.address = 0
        self._driver = driver()
        address = ctypes.c_uint64()
        self._driver.call("cuMemAlloc_v2", ctypes.byref(address), max(size, 1))
        self.address = address.value

    def __del__(self) -> None:
        if self.address:
            try:
                self._driver.call("cuMemFree_v2", self.address)
            except Exception:  # noqa: BLE001 - the context may be gone, and the memory with it
                pass


class Array:
    """An array in device memory; `array`, `empty` and `zeros` make one. cuTile, CuPy and others take it by
    `__cuda_array_interface__`. Slices are views of the same memory."""

    def __init__(self, allocation: _Allocation, address: int, shape: Tuple[int, ...], dtype: "numpy.dtype[Any]",
                 strides: Tuple[int, ...]) -> None:
        self._allocation = allocation
        self._address = address
        self.shape = shape
        self.dtype = dtype
        self.strides = strides  #: in bytes

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        """Elements."""
        return int(numpy.prod(self.shape, dtype=numpy.int64))

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self.size * self.dtype.itemsize

    @property
    def address(self) -> int:
        """Of the first element, on the device."""
        return self._address

    @property
    def is_contiguous(self) -> bool:
        """Whether the elements lie one behind the other, the last index fastest."""
        return self.strides == _contiguous_strides(self.shape, self.dtype.itemsize) or self.size == 0

    @property
    def __cuda_array_interface__(self) -> Dict[str, Any]:
        return {"shape": self.shape, "typestr": self.dtype.str, "version": 3,
                "strides": None if self.is_contiguous else self.strides, "data": (self._address, False)}

    def get(self) -> "numpy.ndarray[Any, Any]":
        """A copy on the host, after all work that the GPU has been given."""
        driver().call("cuCtxSynchronize")
        low, high = self._extent()
        memory = numpy.empty(high - low, numpy.uint8)
        if memory.size:
            driver().call("cuMemcpyDtoH_v2", memory.ctypes.data, low, memory.size)
        view: "numpy.ndarray[Any, Any]" = numpy.ndarray(self.shape, self.dtype, memory, self._address - low, self.strides)
        return view.copy()

    def set(self, values: Any) -> None:
        """Copies values of this shape, or that broadcast to it, from the host."""
        values = numpy.broadcast_to(numpy.asarray(values, self.dtype), self.shape)
        if not self.size:
            return
        driver().call("cuCtxSynchronize")
        low, high = self._extent()
        memory = numpy.empty(high - low, numpy.uint8)
        if not self.is_contiguous:  # what lies between the elements stays
            driver().call("cuMemcpyDtoH_v2", memory.ctypes.data, low, memory.size)
        numpy.ndarray(self.shape, self.dtype, memory, self._address - low, self.strides)[...] = values
        driver().call("cuMemcpyHtoD_v2", low, memory.ctypes.data, memory.size)

    fill = set

    def copy(self) -> "Array":
        """A contiguous copy."""
        copied = empty(self.shape, self.dtype)
        if self.is_contiguous and self.size:
            driver().call("cuMemcpyDtoD_v2", copied.address, self._address, self.nbytes)
        else:
            copied.set(self.get())
        return copied

    def reshape(self, *shape: int) -> "Array":
        """A view of another shape; the array has to be contiguous."""
        if not self.is_contiguous:
            raise ValueError("only contiguous arrays can be reshaped; copy() makes one")
        sizes = _shape(shape[0] if len(shape) == 1 else shape)
        known = int(numpy.prod([size for size in sizes if size != -1], dtype=numpy.int64))
        sizes = tuple(self.size // max(known, 1) if size == -1 else size for size in sizes)
        if int(numpy.prod(sizes, dtype=numpy.int64)) != self.size:
            raise ValueError(f"{self.size} elements have no shape {sizes}")
        return Array(self._allocation, self._address, sizes, self.dtype,
                     _contiguous_strides(sizes, self.dtype.itemsize))

    def __getitem__(self, index: Any) -> "Array":
        """A view; `index` is made of numbers, slices and `...`."""
        parts = index if isinstance(index, tuple) else (index,)
        if not all(part is Ellipsis or isinstance(part, (int, numpy.integer, slice)) for part in parts):
            raise IndexError("an array in device memory takes numbers, slices and ... as indices")
        # numpy does the same with an array of this form, which is never looked into.
        whole = numpy.lib.stride_tricks.as_strided(numpy.zeros(1, self.dtype), self.shape, self.strides)
        view: "numpy.ndarray[Any, Any]" = whole[(*parts, Ellipsis) if Ellipsis not in parts else parts]
        offset = view.__array_interface__["data"][0] - whole.__array_interface__["data"][0]
        return Array(self._allocation, self._address + offset, view.shape, self.dtype, view.strides)

    def __setitem__(self, index: Any, values: Any) -> None:
        self[index].set(values.get() if isinstance(values, Array) else values)

    def _extent(self) -> Tuple[int, int]:
        low = high = self._address
        if not self.size:
            return low, low
        for size, stride in zip(self.shape, self.strides):
            low, high = low + min(0, (size - 1) * stride), high + max(0, (size - 1) * stride)
        return low, high + self.dtype.itemsize

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("an array without dimensions has no length")
        return self.shape[0]

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> "numpy.ndarray[Any, Any]":
        values = self.get()
        return values if dtype is None else values.astype(dtype)

    def __repr__(self) -> str:
        return f"tileiras.{numpy.array2string(self.get(), prefix='tileiras.array(')}"


Shape = Union[int, Sequence[int]]


def _shape(shape: Shape) -> Tuple[int, ...]:
    return (int(shape),) if isinstance(shape, (int, numpy.integer)) else tuple(int(size) for size in shape)


def _contiguous_strides(shape: Tuple[int, ...], item_bytes: int) -> Tuple[int, ...]:
    strides, stride = [], item_bytes
    for size in reversed(shape):
        strides.append(stride)
        stride *= max(size, 1)
    return tuple(reversed(strides))


def empty(shape: Shape, dtype: Any = numpy.float32) -> Array:
    """An array of unspecified contents on the device."""
    sizes, kind = _shape(shape), numpy.dtype(dtype)
    strides = _contiguous_strides(sizes, kind.itemsize)
    allocation = _Allocation(int(numpy.prod(sizes, dtype=numpy.int64)) * kind.itemsize)
    return Array(allocation, allocation.address, sizes, kind, strides)


def zeros(shape: Shape, dtype: Any = numpy.float32) -> Array:
    """An array of zeros on the device."""
    return array(numpy.zeros(_shape(shape), dtype))


def array(values: Any, dtype: Any = None) -> Array:
    """A copy of `values`, a numpy array or what becomes one, on the device."""
    source = numpy.asarray(values, dtype)
    made = empty(source.shape, source.dtype)
    made.set(source)
    return made
