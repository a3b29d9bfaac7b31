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


@ct.kernel
def fails(x):
    values = ct.load(x, index=(ct.bid(0),), shape=(32,))
    ct.printf("block %d\n", ct.bid(0))
    ct.assert_(values < 1, "all are small")


@ct.kernel
def attend(q, k, v, o, scale: ct.Constant[float], rows: ct.Constant[int], keys: ct.Constant[int], d: ct.Constant[int]):
    head, block = ct.bid(0), ct.bid(1)
    queries = ct.load(q, index=(head, block, 0), shape=(1, rows, d)).reshape((rows, d))
    top = ct.full((rows, 1), -1e30, ct.float32)
    weight = ct.zeros((rows, 1), ct.float32)
    total = ct.zeros((rows, d), ct.float32)
    for step in range(ct.cdiv(k.shape[1], keys)):
        loaded = ct.load(k, index=(head, step, 0), shape=(1, keys, d)).reshape((keys, d))
        scores = ct.mma(queries, ct.transpose(loaded), ct.zeros((rows, keys), ct.float32)) * scale
        higher = ct.maximum(top, ct.max(scores, 1, keepdims=True))
        powers = ct.exp(scores - higher)
        old = ct.exp(top - higher)
        weight = weight * old + ct.sum(powers, 1, keepdims=True)
        values = ct.load(v, index=(head, step, 0), shape=(1, keys, d)).reshape((keys, d))
        total = ct.mma(ct.astype(powers, ct.float16), values, total * old)
        top = higher
    ct.store(o, index=(head, block, 0), tile=ct.astype(total / weight, ct.float16).reshape((1, rows, d)))


@ct.kernel
def normalize(x, w, y, n: ct.Constant[int]):
    row = ct.bid(0)
    values = ct.load(x, index=(row, 0), shape=(1, n))
    centred = values - ct.sum(values, 1, keepdims=True) / n
    deviation = ct.sqrt(ct.sum(centred * centred, 1, keepdims=True) / n + 1e-5)
    ct.store(y, index=(row, 0), tile=centred / deviation * ct.load(w, index=(0,), shape=(n,)).reshape((1, n)))


@ct.kernel
def turn(x, y):
    row, column = ct.bid(0), ct.bid(1)
    ct.store(y, index=(column, row), tile=ct.transpose(ct.load(x, index=(row, column), shape=(32, 64))))


@ct.kernel
def accumulate(x, y):
    ct.store(y, index=(ct.bid(0), 0), tile=ct.cumsum(ct.load(x, index=(ct.bid(0), 0), shape=(1, 256)), axis=1))


@ct.kernel
def find_largest(x, y):
    row = ct.bid(0)
    ct.store(y, index=(row,), tile=ct.argmax(ct.load(x, index=(row, 0), shape=(1, 128)), 1))


@ct.kernel
def take(x, at, y):
    block = ct.bid(0)
    places = ct.load(at, index=(block,), shape=(64,))
    ct.store(y, index=(block,), tile=ct.gather(x, places))


@ct.kernel
def count(x, counts):
    values = ct.load(x, index=(ct.bid(0),), shape=(128,))
    ct.atomic_add(counts, values, 1)


@ct.kernel
def sum_all(x, total):
    ct.atomic_add(total, 0, ct.sum(ct.load(x, index=(ct.bid(0),), shape=(256,), padding_mode=ct.PaddingMode.ZERO), 0))


@ct.kernel
def clip(x, y, low, high):
    block = ct.bid(0)
    values = ct.load(x, index=(block,), shape=(128,))
    ct.store(y, index=(block,), tile=ct.where(values < low, low, ct.where(values > high, high, values)))


def arrays(seed, *shapes, dtype=numpy.float32):
    random = numpy.random.default_rng(seed)
    return [Array(random.standard_normal(shape).astype(dtype)) for shape in shapes]


def zeros(*shape, dtype=numpy.float32):
    return Array(numpy.zeros(shape, dtype))


def integers(seed, most, *shape):
    return Array(numpy.random.default_rng(seed).integers(0, most, shape).astype(numpy.int32))


def softmax_of(x):
    powers = numpy.exp(x - x.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def programs():
    """(grid, kernel, arguments, the array that it writes, how numpy makes it, tolerance)"""
    a, b = arrays(1, 1000, 1000)
    c = zeros(1000)
    yield (8, 1, 1), add, (a, b, c), c, lambda: a.values + b.values, 0
    m, n = arrays(2, (96, 64), (64, 80), dtype=numpy.float16)
    product = zeros(96, 80)
    yield (3, 3, 1), multiply, (m, n, product, 32, 32, 32), product, \
        lambda: m.values.astype(float) @ n.values.astype(float), 1e-3
    x, = arrays(3, (10, 128))
    y = zeros(10, 128)
    yield (10, 1, 1), softmax, (x, y, 128), y, lambda: softmax_of(x.values), 1e-5
    q, k, v = arrays(4, (2, 128, 64), (2, 128, 64), (2, 128, 64), dtype=numpy.float16)
    o = zeros(2, 128, 64, dtype=numpy.float16)
    yield (2, 2, 1), attend, (q, k, v, o, 0.125, 64, 32, 64), o, lambda: softmax_of(
        q.values.astype(float) @ k.values.astype(float).transpose(0, 2, 1) * 0.125) @ v.values.astype(float), 5e-3
    rows, w = arrays(5, (12, 256), 256)
    normal = zeros(12, 256)
    yield (12, 1, 1), normalize, (rows, w, normal, 256), normal, lambda: (
        rows.values - rows.values.mean(1, keepdims=True)) / numpy.sqrt(rows.values.var(1, keepdims=True) + 1e-5) * w.values, 1e-4
    wide, = arrays(6, (64, 128))
    turned = zeros(128, 64)
    yield (2, 2, 1), turn, (wide, turned), turned, lambda: wide.values.T, 0
    lines, = arrays(7, (3, 256))
    sums = zeros(3, 256)
    yield (3, 1, 1), accumulate, (lines, sums), sums, lambda: numpy.cumsum(lines.values, 1), 1e-4
    many, = arrays(8, (20, 128))
    largest = zeros(20, dtype=numpy.int32)
    yield (20, 1, 1), find_largest, (many, largest), largest, lambda: many.values.argmax(1), 0
    source, = arrays(9, 500)
    places, taken = integers(9, 500, 256), zeros(256)
    yield (4, 1, 1), take, (source, places, taken), taken, lambda: source.values[places.values], 0
    numbers, counts = integers(10, 16, 1024), zeros(16, dtype=numpy.int32)
    yield (8, 1, 1), count, (numbers, counts), counts, lambda: numpy.bincount(numbers.values, minlength=16), 0
    parts, total = integers(11, 100, 1000), zeros(1, dtype=numpy.int32)
    yield (4, 1, 1), sum_all, (parts, total), total, lambda: parts.values.sum(keepdims=True), 0
    free, = arrays(12, 300)
    clipped = zeros(300)
    yield (3, 1, 1), clip, (free, clipped, -0.5, 0.75), clipped, lambda: free.values.clip(-0.5, 0.75), 0


def run_programs():
    right = number = 0
    for grid, kernel, arguments, result, make, tolerance in programs():
        number += 1
        ct.launch(0, grid, kernel, arguments)
        check(driver.cuCtxSynchronize())
        if numpy.allclose(result.values, make(), tolerance, tolerance):
            right += 1
        else:
            print(f"program {number} is wrong: {numpy.abs(result.values - make()).max()}")
    print(f"{right} of {number} right")


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
    ct.launch(0, (4, 1, 1), {"race": race, "beyond": beyond, "fails": fails}[sys.argv[1]], (Array(numpy.arange(128, dtype=numpy.int32)),))
else:
    run_programs()
