#!/usr/bin/env python3
"""program.py CUBIN: a Python program that adds two vectors on the GPU. It comes by the driver as cuTile Python does, through
ctypes and cuGetProcAddress, and launches as that does. Prints the environment that a child of it would get."""

import array
import ctypes
import os
import pathlib
import sys

COUNT, TILE = 1000, 256
library = ctypes.CDLL("libcuda.so.1")
get_proc_address = library.cuGetProcAddress_v2
get_proc_address.argtypes = [ctypes.c_char_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_uint64, ctypes.c_void_p]


class LaunchConfig(ctypes.Structure):
    _fields_ = [("grid", ctypes.c_uint * 3), ("block", ctypes.c_uint * 3), ("shared", ctypes.c_uint),
                ("stream", ctypes.c_void_p), ("attributes", ctypes.c_void_p), ("attribute_count", ctypes.c_uint)]


def find(name, version):
    address = ctypes.c_void_p()
    if get_proc_address(name.encode(), ctypes.byref(address), version, 0, None) or not address.value:
        sys.exit(f"error: the driver has no {name}")
    return ctypes.CFUNCTYPE(ctypes.c_int)(address.value)


error_name = find("cuGetErrorName", 6000)


def call(name, version, *arguments):
    if result := find(name, version)(*arguments):
        text = ctypes.c_char_p()
        error_name(result, ctypes.byref(text))
        sys.exit(f"error: {name}: {result} {text.value.decode()}")


def make_buffer(contents):
    pointer, bytes_ = ctypes.c_uint64(), contents.tobytes()
    call("cuMemAlloc", 3020, ctypes.byref(pointer), ctypes.c_size_t(len(bytes_)))
    call("cuMemcpyHtoD", 3020, pointer, bytes_, ctypes.c_size_t(len(bytes_)))
    return pointer


def main():
    call("cuInit", 2000, 0)
    device, context, loaded, kernel = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    call("cuDeviceGet", 2000, ctypes.byref(device), 0)
    call("cuDevicePrimaryCtxRetain", 7000, ctypes.byref(context), device)
    call("cuCtxSetCurrent", 4000, context)
    call("cuLibraryLoadData", 12000, ctypes.byref(loaded), pathlib.Path(sys.argv[1]).read_bytes(), None, None, 0, None,
         None, 0)
    call("cuLibraryGetKernel", 12000, ctypes.byref(kernel), loaded, b"vector_add")
    a = array.array("f", range(COUNT))
    b = array.array("f", range(0, 2 * COUNT, 2))
    arguments = [make_buffer(a), make_buffer(b), make_buffer(array.array("f", [0] * COUNT)), ctypes.c_int32(COUNT)]
    params = (ctypes.c_void_p * 4)(*(ctypes.cast(ctypes.pointer(x), ctypes.c_void_p) for x in arguments))
    config = LaunchConfig((-(-COUNT // TILE), 1, 1), (1, 1, 1))
    call("cuLaunchKernelEx", 11060, ctypes.byref(config), kernel, params, None)
    out = (ctypes.c_float * COUNT)()
    call("cuMemcpyDtoH", 3020, out, arguments[2], ctypes.c_size_t(4 * COUNT))
    if list(out) != [3.0 * i for i in range(COUNT)]:
        sys.exit("error: the sum is wrong")
    print(f"the sum is right; LD_PRELOAD={os.environ.get('LD_PRELOAD', '')}")


main()
