"""Memory that both numpy and the CUDA driver see: a tensor's bytes, on the device once somebody has asked for their address."""

import ctypes
import functools

import numpy


@functools.cache
def driver():
    """The driver, with the primary context of device 0 current."""
    library, device, context = ctypes.CDLL("libcuda.so.1"), ctypes.c_int(), ctypes.c_void_p()
    check(library.cuInit(0))
    check(library.cuDeviceGet(ctypes.byref(device), 0))
    check(library.cuDevicePrimaryCtxRetain(ctypes.byref(context), device))
    check(library.cuCtxSetCurrent(context))
    return library


def check(result):
    if result:
        raise RuntimeError(f"CUDA error: {result}")


class Storage:
    """host: an array of bytes, of which tensors are views; the device's copy counts once there is one."""

    def __init__(self, host):
        self.host, self.address = host, None

    def place(self):
        if self.address is None:
            address = ctypes.c_uint64()
            check(driver().cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(max(self.host.nbytes, 1))))
            self.address = address.value
            self.upload()
        return self.address

    def upload(self):
        if self.address is not None:
            check(driver().cuMemcpyHtoD_v2(ctypes.c_uint64(self.address), self.host.ctypes.data_as(ctypes.c_void_p),
                                           ctypes.c_size_t(self.host.nbytes)))

    def download(self):
        if self.address is not None:
            check(driver().cuMemcpyDtoH_v2(self.host.ctypes.data_as(ctypes.c_void_p), ctypes.c_uint64(self.address),
                                           ctypes.c_size_t(self.host.nbytes)))

    def __del__(self):
        if self.address is not None:
            driver().cuMemFree_v2(ctypes.c_uint64(self.address))


def store(array):
    """The storage of a copy of the array, and that copy, a view of it."""
    bytes_ = numpy.frombuffer(bytearray(array.tobytes()), numpy.uint8)
    return Storage(bytes_), bytes_.view(array.dtype).reshape(array.shape)
