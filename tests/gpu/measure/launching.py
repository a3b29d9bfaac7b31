"""Launches of compiled kernels, through libtileiras-launch, and the CUDA driver for machines without PyTorch; by ctypes."""

import ctypes
import functools
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
NAMES = ("libtileiras-launch.so.0", "libtileiras-launch.so")


class LaunchError(Exception):
    """The launch library or the driver refuses; its text."""


class KernelInfo(ctypes.Structure):
    """TileirasKernelInfo of tileiras-launch.h."""
    _fields_ = [("structSize", ctypes.c_size_t), ("name", ctypes.c_char_p), ("parameterCount", ctypes.c_uint32),
                ("parameterBytes", ctypes.POINTER(ctypes.c_uint32)), ("blockSize", ctypes.c_uint32 * 3),
                ("clusterSize", ctypes.c_uint32 * 3), ("launchBlockSize", ctypes.c_uint32 * 3),
                ("dynamicSharedBytes", ctypes.c_uint32), ("staticSharedBytes", ctypes.c_uint32),
                ("registers", ctypes.c_uint32), ("localBytes", ctypes.c_uint32), ("blocksPerMultiprocessor", ctypes.c_uint32)]


@functools.cache
def library():
    path = next((HERE / name for name in NAMES if (HERE / name).exists()), None)
    if path is None:
        raise LaunchError(f"{HERE} has no {NAMES[0]}: the payload is not whole, copy all of it")
    loaded = ctypes.CDLL(str(path))
    loaded.tileirasLaunchGetErrorText.restype = ctypes.c_char_p
    loaded.tileirasModuleLoad.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p]
    loaded.tileirasModuleGetKernel.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    loaded.tileirasKernelGetInfo.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    loaded.tileirasLaunch.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
    return loaded


def call(name, *arguments):
    if status := getattr(library(), name)(*arguments):
        text = library().tileirasLaunchGetErrorText().decode(errors="replace")
        raise LaunchError(f"{name}: {text or f'status {status}'}")


class Kernel:
    """The kernel of a cubin, which is loaded into the current context until the process ends."""

    def __init__(self, cubin):
        self.module, self.handle = ctypes.c_void_p(), ctypes.c_void_p()
        image = cubin.read_bytes()
        call("tileirasModuleLoad", ctypes.byref(self.module), image, len(image), None)
        call("tileirasModuleGetKernel", self.module, None, ctypes.byref(self.handle))

    def info(self):
        """What the driver says of it, as numbers by name."""
        info = KernelInfo(ctypes.sizeof(KernelInfo))
        call("tileirasKernelGetInfo", self.handle, ctypes.byref(info))
        return {"registers": info.registers, "local_bytes": info.localBytes, "blocks_per_sm": info.blocksPerMultiprocessor,
                "threads": info.blockSize[0] * info.blockSize[1] * info.blockSize[2],
                "cluster": info.clusterSize[0] * info.clusterSize[1] * info.clusterSize[2],
                "shared_bytes": info.dynamicSharedBytes + info.staticSharedBytes}

    def bind(self, grid, parameters, addresses, stream):
        """A function that launches. parameters: {"buffer": name} or {"i32": number} each; addresses: of buffers; stream: a
        CUstream as a number, 0 the default one."""
        values = [ctypes.c_uint64(addresses[p["buffer"]]) if "buffer" in p else ctypes.c_int32(p["i32"]) for p in parameters]
        pointers = (ctypes.c_void_p * len(values))(*(ctypes.addressof(value) for value in values))
        size, handle, stream = (ctypes.c_uint32 * 3)(*grid), self.handle, ctypes.c_void_p(stream or None)

        def launch(kept=values):  # the values live as long as the function
            call("tileirasLaunch", handle, size, pointers, len(kept), stream)
        return launch


#===- The driver -----------------------------------------------------------===#

class Driver:
    """The functions of libcuda that a measurement without PyTorch takes; the primary context of device 0 is made current."""

    def __init__(self):
        try:
            self.library = ctypes.CDLL("libcuda.so.1")
        except OSError as reason:
            raise LaunchError(f"there is no CUDA driver: {reason}") from None
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuInit", 0)
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)
        self.device = device

    def call(self, name, *arguments):
        if result := getattr(self.library, name)(*arguments):
            text = ctypes.c_char_p()
            self.library.cuGetErrorName(result, ctypes.byref(text))
            raise LaunchError(f"{name}: {text.value.decode() if text.value else result}")

    def allocate(self, size):
        pointer = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(size))
        return pointer.value

    def write(self, address, contents):
        self.call("cuMemcpyHtoD_v2", ctypes.c_uint64(address), contents, ctypes.c_size_t(len(contents)))

    def clear(self, address, size):
        self.call("cuMemsetD8_v2", ctypes.c_uint64(address), ctypes.c_ubyte(0), ctypes.c_size_t(size))

    def copy(self, to, source, size):
        self.call("cuMemcpyDtoDAsync_v2", ctypes.c_uint64(to), ctypes.c_uint64(source), ctypes.c_size_t(size), None)

    def synchronize(self):
        self.call("cuCtxSynchronize")

    def event(self):
        event = ctypes.c_void_p()
        self.call("cuEventCreate", ctypes.byref(event), 0)
        return event

    def describe(self):
        """Name, compute capability and the CUDA version of the driver."""
        name, version, major, minor = ctypes.create_string_buffer(256), ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
        self.call("cuDeviceGetName", name, 256, self.device)
        self.call("cuDriverGetVersion", ctypes.byref(version))
        for value, attribute in ((major, 75), (minor, 76)):  # CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, _MINOR
            self.call("cuDeviceGetAttribute", ctypes.byref(value), attribute, self.device)
        return {"name": name.value.decode(), "capability": f"{major.value}.{minor.value}",
                "cuda": f"{version.value // 1000}.{version.value % 1000 // 10}"}
