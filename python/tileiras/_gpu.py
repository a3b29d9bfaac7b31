"""Launches on a GPU, through the launch library."""

from __future__ import annotations

import ctypes
import functools
from typing import Any, List, Sequence, Tuple

from ._arguments import Arguments, Pointer
from ._array import _Allocation
from ._driver import driver
from ._errors import LaunchError
from ._kernel import Entry, Kernel
from ._libraries import open_library

_ERROR_DRIVER = 6


@functools.lru_cache(maxsize=None)
def _library() -> ctypes.CDLL:
    opened = open_library("libtileiras-launch.so")
    handle = ctypes.c_void_p
    functions: List[Tuple[str, List[Any]]] = [
        ("ModuleLoad", [ctypes.POINTER(handle), ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p]),
        ("ModuleUnload", [handle]),
        ("ModuleGetKernel", [handle, ctypes.c_char_p, ctypes.POINTER(handle)]),
        ("Launch", [handle, ctypes.c_uint32 * 3, ctypes.POINTER(ctypes.c_void_p), ctypes.c_size_t, handle])]
    for name, arguments in functions:
        function = getattr(opened, "tileiras" + name)
        function.argtypes, function.restype = arguments, ctypes.c_int
    opened.tileirasLaunchGetErrorText.restype = ctypes.c_char_p
    return opened


def find_gpu() -> str:
    """"sm_90": the GPU of this machine, or of the emulated driver. Raises LibraryError where there is none."""
    return driver().get_gpu()


def _check(status: int) -> None:
    if status == 0:
        return
    text = _library().tileirasLaunchGetErrorText().decode(errors="replace")
    if status == _ERROR_DRIVER and _library().tileirasLaunchGetDriverResult():
        driver().check(_library().tileirasLaunchGetDriverResult(), text)
    raise LaunchError(text)


def run_on_gpu(kernel: Kernel, entry: Entry, grid: Tuple[int, int, int], arguments: Arguments,
               images: "Sequence[ctypes.Array[ctypes.c_char]]") -> None:
    """Runs the launch on device 0 with copies of the memory, and leaves what the kernel wrote in `images`."""
    cubin, gpu = kernel.cubin, driver()
    allocations = [_Allocation(memory.size) for memory in arguments.memories]
    for memory, image, allocation in zip(arguments.memories, images, allocations):
        if memory.size:
            gpu.call("cuMemcpyHtoD_v2", allocation.address, ctypes.addressof(image), memory.size)
    values = []
    for value in arguments.values:
        data = ((allocations[value.memory].address + value.offset).to_bytes(8, "little")
                if isinstance(value, Pointer) else value.bytes)
        values.append(ctypes.create_string_buffer(data, len(data)))
    pointers = (ctypes.c_void_p * len(values))(*(ctypes.addressof(value) for value in values))
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    library = _library()
    _check(library.tileirasModuleLoad(ctypes.byref(module), cubin, len(cubin), None))
    try:
        _check(library.tileirasModuleGetKernel(module, entry.name.encode(), ctypes.byref(function)))
        _check(library.tileirasLaunch(function, (ctypes.c_uint32 * 3)(*grid), pointers, len(values), None))
        gpu.call("cuCtxSynchronize")
    finally:
        library.tileirasModuleUnload(module)
    for memory, image, allocation in zip(arguments.memories, images, allocations):
        if memory.size:
            gpu.call("cuMemcpyDtoH_v2", ctypes.addressof(image), allocation.address, memory.size)


