"""The CUDA driver's interface, as far as arrays and launches need it. Under `tileiras-cutile --emulate` it is the
emulated one."""

from __future__ import annotations

import ctypes
import functools
from typing import Any

from ._errors import KernelError, LibraryError

_HANDLE = ctypes.c_void_p
_POINTER = ctypes.c_uint64  # CUdeviceptr

# What a kernel that ran has done, and not a call: illegal addresses, asserts, traps, timeouts.
_RESULTS_OF_KERNELS = frozenset({700, 702, 710, 715, 716, 717, 718, 719})

_FUNCTIONS = {
    "cuInit": [ctypes.c_uint],
    "cuDeviceGet": [ctypes.POINTER(ctypes.c_int), ctypes.c_int],
    "cuDeviceGetAttribute": [ctypes.POINTER(ctypes.c_int), ctypes.c_int, ctypes.c_int],
    "cuDeviceGetName": [ctypes.c_char_p, ctypes.c_int, ctypes.c_int],
    "cuCtxGetCurrent": [ctypes.POINTER(_HANDLE)],
    "cuCtxSetCurrent": [_HANDLE],
    "cuCtxSynchronize": [],
    "cuDevicePrimaryCtxRetain": [ctypes.POINTER(_HANDLE), ctypes.c_int],
    "cuMemAlloc_v2": [ctypes.POINTER(_POINTER), ctypes.c_size_t],
    "cuMemFree_v2": [_POINTER],
    "cuMemcpyHtoD_v2": [_POINTER, ctypes.c_void_p, ctypes.c_size_t],
    "cuMemcpyDtoH_v2": [ctypes.c_void_p, _POINTER, ctypes.c_size_t],
    "cuMemcpyDtoD_v2": [_POINTER, _POINTER, ctypes.c_size_t],
    "cuGetErrorName": [ctypes.c_int, ctypes.POINTER(ctypes.c_char_p)],
    "cuGetErrorString": [ctypes.c_int, ctypes.POINTER(ctypes.c_char_p)],
}
_CAPABILITY_MAJOR, _CAPABILITY_MINOR = 75, 76  # CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_…


class Driver:
    """The driver, with a context that is current on the thread that asked for it."""

    def __init__(self) -> None:
        try:
            self._library = ctypes.CDLL("libcuda.so.1")
        except OSError as error:
            raise LibraryError(f"there is no CUDA driver ({error}): run the program under tileiras-cutile --emulate, "
                               "or on a machine with a GPU") from None
        for name, arguments in _FUNCTIONS.items():
            function = getattr(self._library, name)
            function.argtypes, function.restype = arguments, ctypes.c_int
        self.call("cuInit", 0)
        device = ctypes.c_int()
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self._device = device.value
        self._primary = _HANDLE()

    def call(self, name: str, *arguments: Any) -> None:
        """Raises what the driver returns, but for success."""
        self.check(getattr(self._library, name)(*arguments), name)

    def check(self, result: int, what: str) -> None:
        if result == 0:
            return
        name, text = ctypes.c_char_p(), ctypes.c_char_p()
        self._library.cuGetErrorName(result, ctypes.byref(name))
        self._library.cuGetErrorString(result, ctypes.byref(text))
        reason = (text.value or b"unknown").decode(errors="replace")
        if result in _RESULTS_OF_KERNELS:
            raise KernelError(f"a kernel has failed: {reason} (found by {what}); the CUDA context is lost")
        raise LibraryError(f"{what}: {(name.value or b'error').decode()} ({result}): {reason}")

    def use(self) -> "Driver":
        """Makes device 0's primary context current where there is none."""
        current = _HANDLE()
        self.call("cuCtxGetCurrent", ctypes.byref(current))
        if not current:
            if not self._primary:
                self.call("cuDevicePrimaryCtxRetain", ctypes.byref(self._primary), self._device)
            self.call("cuCtxSetCurrent", self._primary)
        return self

    def get_gpu(self) -> str:
        """"sm_90"."""
        numbers = []
        for attribute in (_CAPABILITY_MAJOR, _CAPABILITY_MINOR):
            value = ctypes.c_int()
            self.call("cuDeviceGetAttribute", ctypes.byref(value), attribute, self._device)
            numbers.append(value.value)
        return f"sm_{numbers[0]}{numbers[1]}"


@functools.lru_cache(maxsize=None)
def _open() -> Driver:
    return Driver()


def driver() -> Driver:
    """Raises LibraryError where there is no driver or no GPU."""
    return _open().use()
