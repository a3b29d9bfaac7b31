"""A program as a cuTile front end makes one, without the front end: it has the compiler that cuTile Python finds make a
cubin of a kernel, in a temporary folder that is gone afterwards, and launches it through the CUDA driver, whose functions
it finds by cuGetProcAddress. It knows nothing of an emulator."""

import ctypes
import pathlib
import subprocess
import tempfile

import numpy
from cuda.tile import _compile  # of cuTile Python, or the imitation in tests/cutile/packages

LIBRARY = ctypes.CDLL("libcuda.so.1")
LIBRARY.cuGetProcAddress_v2.argtypes = [ctypes.c_char_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_uint64, ctypes.c_void_p]
VERSION = 13000
MANAGED, PINNED, DEVICE, POOL = "managed", "pinned", "device", "pool"


class CudaError(RuntimeError):
    """What cuTile Python raises where a call of the driver fails: the driver's own text."""


class LaunchConfig(ctypes.Structure):
    _fields_ = [("grid", ctypes.c_uint * 3), ("block", ctypes.c_uint * 3), ("shared", ctypes.c_uint),
                ("stream", ctypes.c_void_p), ("attributes", ctypes.c_void_p), ("attribute_count", ctypes.c_uint)]


def find(name, version=VERSION):
    address = ctypes.c_void_p()
    status = ctypes.c_int()
    result = LIBRARY.cuGetProcAddress_v2(name.encode(), ctypes.byref(address), version, 0, ctypes.byref(status))
    if result or not address.value:
        raise CudaError(f"the driver has no {name} ({result}, {status.value})")
    return ctypes.CFUNCTYPE(ctypes.c_int)(address.value)


def call(name, *arguments):
    if result := find(name)(*arguments):
        text = ctypes.c_char_p()
        find("cuGetErrorString")(result, ctypes.byref(text))
        error = CudaError(f"{name}: {text.value.decode() if text.value else '?'}")
        error.result = result
        raise error


def size_t(value):
    return ctypes.c_size_t(value)


class Buffer:
    """An array that the GPU sees. Managed and pinned memory is the host's, too: there it is numpy's own, without copies."""

    def __init__(self, values, kind, stream=None):
        self.shape, self.dtype, self.bytes, self.kind, self.stream = values.shape, values.dtype, values.nbytes, kind, stream
        self.pointer = ctypes.c_uint64()
        place = ctypes.byref(self.pointer)
        room = size_t(max(self.bytes, 1))
        if kind == MANAGED:
            call("cuMemAllocManaged", place, room, 1)
        elif kind == PINNED:
            call("cuMemHostAlloc", place, room, 2)
        elif kind == POOL:
            call("cuMemAllocAsync", place, room, stream)
        else:
            call("cuMemAlloc", place, room)
        if kind in (MANAGED, PINNED):
            self.array()[...] = values
        elif self.bytes:
            call("cuMemcpyHtoDAsync", self.pointer, numpy.ascontiguousarray(values).ctypes.data_as(ctypes.c_void_p),
                 size_t(self.bytes), stream)

    def array(self):
        """The memory itself, through numpy."""
        memory = (ctypes.c_uint8 * self.bytes).from_address(self.pointer.value)
        return numpy.frombuffer(memory, self.dtype).reshape(self.shape)

    def read(self):
        if self.kind in (MANAGED, PINNED):
            return self.array().copy()
        result = numpy.empty(self.shape, self.dtype)
        call("cuMemcpyDtoH", result.ctypes.data_as(ctypes.c_void_p), self.pointer, size_t(self.bytes))
        return result

    def free(self):
        if self.kind == POOL:
            call("cuMemFreeAsync", self.pointer, self.stream)
        else:
            call("cuMemFreeHost" if self.kind == PINNED else "cuMemFree", self.pointer)


class Gpu:
    def __init__(self):
        call("cuInit", 0)
        self.device, context = ctypes.c_int(), ctypes.c_void_p()
        call("cuDeviceGet", ctypes.byref(self.device), 0)
        call("cuDevicePrimaryCtxRetain", ctypes.byref(context), self.device)
        call("cuCtxSetCurrent", context)
        self.arch = f"sm_{self.attribute(75)}{self.attribute(76)}"

    def attribute(self, number):
        value = ctypes.c_int()
        call("cuDeviceGetAttribute", ctypes.byref(value), number, self.device)
        return value.value

    def stream(self):
        stream = ctypes.c_void_p()
        call("cuStreamCreate", ctypes.byref(stream), 1)
        return stream

    def compile(self, source, options=()):
        """The bytes of a cubin: as cuTile's compile_cubin(), and its temporary files, which are gone by the time it is loaded."""
        with tempfile.TemporaryDirectory() as folder:
            text, bytecode, cubin = (pathlib.Path(folder) / name for name in ("kernel.mlir", "kernel.bytecode", "kernel.cubin"))
            if isinstance(source, str):
                text.write_text(source)
                source = text
            compiler = _compile._find_compiler_bin().path
            subprocess.run([compiler, str(source), "--emit=bytecode", "-o", str(bytecode)], check=True, capture_output=True)
            subprocess.run([compiler, str(bytecode), "-o", str(cubin), "--gpu-name", self.arch, "-O3", "--lineinfo", *options],
                           check=True, capture_output=True)
            return cubin.read_bytes()


class Kernel:
    def __init__(self, cubin, name):
        self.library, self.kernel = ctypes.c_void_p(), ctypes.c_void_p()
        call("cuLibraryLoadData", ctypes.byref(self.library), cubin, None, None, 0, None, None, 0)
        call("cuLibraryGetKernel", ctypes.byref(self.kernel), self.library, name.encode())

    def unload(self):
        call("cuLibraryUnload", self.library)

    def launch(self, grid, arguments, stream=None):
        """As cuTile Python's launcher: one thread a block, no shared memory, no attributes."""
        params = (ctypes.c_void_p * len(arguments))(*(ctypes.cast(ctypes.pointer(x), ctypes.c_void_p) for x in arguments))
        config = LaunchConfig(tuple(grid), (1, 1, 1), 0, stream)
        call("cuLaunchKernelEx", ctypes.byref(config), self.kernel, params, None)

    def launch_captured(self, grid, arguments, stream):
        """What a program does that captures a graph: the stream records, and the graph is launched."""
        graph, executable = ctypes.c_void_p(), ctypes.c_void_p()
        call("cuStreamBeginCapture", stream, 2)
        self.launch(grid, arguments, stream)
        call("cuStreamEndCapture", stream, ctypes.byref(graph))
        call("cuGraphInstantiateWithFlags", ctypes.byref(executable), graph, ctypes.c_ulonglong(0))
        call("cuGraphLaunch", executable, stream)
        call("cuGraphExecDestroy", executable)
        call("cuGraphDestroy", graph)


def make_argument(text, buffers):
    """Of a parameter of a case: "ptr a 0", "i32 7"."""
    kind, value, *offset = text.split()
    if kind == "ptr":
        return ctypes.c_uint64(buffers[value].pointer.value + int(offset[0]))
    types = {"i8": ctypes.c_int8, "i16": ctypes.c_int16, "i32": ctypes.c_int32, "i64": ctypes.c_int64, "f32": ctypes.c_float,
             "f64": ctypes.c_double}
    return types[kind](float(value) if kind[0] == "f" else int(value))
