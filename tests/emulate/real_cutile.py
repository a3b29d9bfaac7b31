"""Programs of cuTile Python itself, with its own launcher; arrays are numpy's, in managed memory. `real_cutile.py MISTAKE`
launches a kernel that makes one, `real_cutile.py tune` chooses tiles."""

import ctypes
import sys

import cuda.tile as ct
import numpy

driver = ctypes.CDLL("libcuda.so.1")


def check(result):
    if result:
        raise RuntimeError(f"the driver says {result}")


class Array:
    """numpy's array `values` in memory that kernels reach, with the interface that cuTile takes."""

    def __init__(self, values):
        pointer = ctypes.c_uint64()
        check(driver.cuMemAllocManaged(ctypes.byref(pointer), ctypes.c_size_t(values.nbytes), 1))
        memory = (ctypes.c_uint8 * values.nbytes).from_address(pointer.value)
        self.values = numpy.frombuffer(memory, values.dtype).reshape(values.shape)
        self.values[...] = values
        self.__cuda_array_interface__ = {"shape": values.shape, "typestr": values.dtype.str, "version": 3, "strides": None,
                                         "data": (pointer.value, False)}


@ct.kernel
def add(a, b, c):
    block = ct.bid(0)
    ct.store(c, index=(block,), tile=ct.load(a, index=(block,), shape=(128,)) + ct.load(b, index=(block,), shape=(128,)))


@ct.kernel
def multiply(a, b, c, m: ct.Constant[int], n: ct.Constant[int], k: ct.Constant[int]):
    row, column = ct.bid(0), ct.bid(1)
    total = ct.zeros((m, n), ct.float32)
    for step in range(ct.cdiv(a.shape[1], k)):
        left = ct.load(a, index=(row, step), shape=(m, k), padding_mode=ct.PaddingMode.ZERO)
        right = ct.load(b, index=(step, column), shape=(k, n), padding_mode=ct.PaddingMode.ZERO)
        total = ct.mma(left, right, total)
    ct.store(c, index=(row, column), tile=total)


@ct.kernel
def softmax(x, y, n: ct.Constant[int]):
    row = ct.bid(0)
    values = ct.load(x, index=(row, 0), shape=(1, n))
    powers = ct.exp(values - ct.max(values, 1, keepdims=True))
    ct.store(y, index=(row, 0), tile=powers / ct.sum(powers, 1, keepdims=True))


@ct.kernel
def race(x):
    ct.store(x, index=(0,), tile=ct.full((128,), ct.bid(0), ct.int32))  # all blocks


@ct.kernel
def beyond(x):
    ct.scatter(x, ct.arange(128, dtype=ct.int32) + 64, ct.full((128,), 1, ct.int32), check_bounds=False)


def run_programs():
    random = numpy.random.default_rng(1)
    a, b = (Array(random.standard_normal(1000).astype(numpy.float32)) for _ in range(2))
    c = Array(numpy.zeros(1000, numpy.float32))
    ct.launch(0, (8, 1, 1), add, (a, b, c))
    m, n = (Array(random.standard_normal(shape).astype(numpy.float16)) for shape in ((96, 64), (64, 80)))
    product = Array(numpy.zeros((96, 80), numpy.float32))
    ct.launch(0, (3, 3, 1), multiply, (m, n, product, 32, 32, 32))
    x, y = Array(random.standard_normal((10, 128)).astype(numpy.float32)), Array(numpy.zeros((10, 128), numpy.float32))
    ct.launch(0, (10, 1, 1), softmax, (x, y, 128))
    check(driver.cuCtxSynchronize())
    numpy.testing.assert_array_equal(c.values, a.values + b.values)
    numpy.testing.assert_allclose(product.values, m.values.astype(float) @ n.values.astype(float), 1e-3, 1e-3)
    powers = numpy.exp(x.values - x.values.max(1, keepdims=True))
    numpy.testing.assert_allclose(y.values, powers / powers.sum(1, keepdims=True), 1e-5, 1e-7)
    print("3 of 3 right")


def tune():
    """cuTile's own tuner, which measures by events: with --time they go by the emulator's clock."""
    from cuda.tile.tune import exhaustive_search
    random = numpy.random.default_rng(2)
    a, b = (Array(random.standard_normal((256, 256)).astype(numpy.float16)) for _ in range(2))
    c = Array(numpy.zeros((256, 256), numpy.float32))
    tiles = [(16, 16, 16), (64, 64, 32), (128, 64, 64)]
    result = exhaustive_search(tiles, 0, lambda tile: (256 // tile[0], 256 // tile[1], 1), multiply,
                               lambda tile: (a, b, c, *tile), quiet=True)
    for measured in result.successes:
        print(measured.config, round(measured.mean_us, 2))
    print("best", result.best.config)


check(driver.cuInit(0))
context = ctypes.c_void_p()
check(driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0))
check(driver.cuCtxSetCurrent(context))
if sys.argv[1:] == ["tune"]:
    tune()
elif sys.argv[1:]:
    ct.launch(0, (4, 1, 1), {"race": race, "beyond": beyond}[sys.argv[1]], (Array(numpy.zeros(128, numpy.int32)),))
else:
    run_programs()
