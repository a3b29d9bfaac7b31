"""Rows of 101 elements, 104 and 112 apart: a copy engine that writes whole granules of 16 bytes would reach behind them.

Nothing is allocated behind the last row, either.
"""

import numpy

M, N, K = 100, 101, 72
STRIDE, STATIC_STRIDE = 104, 112
KERNEL = "padded_rows"
GRID = (2, 2, 1)
PARAMETERS = ["ptr a 0", "ptr b 0", "ptr c 0", "ptr d 0", "ptr s 0", f"i32 {M}", f"i32 {N}", f"i32 {K}", f"i32 {STRIDE}"]
TOLERANCE = (2e-3, 2e-3)


def size(stride):
    return (M - 1) * stride + N


def view(flat, stride):
    return numpy.lib.stride_tricks.as_strided(flat, (M, N), (stride * flat.itemsize, flat.itemsize))


def buffers():
    random = numpy.random.default_rng(1)
    return {
        "a": random.standard_normal((M, K)).astype(numpy.float16),
        "b": random.standard_normal((K, STRIDE)).astype(numpy.float16),
        "c": numpy.full(size(STRIDE), 7, numpy.float16),
        "d": numpy.full(size(STATIC_STRIDE), 7, numpy.float32),
        "s": random.standard_normal(size(STRIDE)).astype(numpy.float32),
    }


def expected(data):
    product = data["a"].astype(float) @ data["b"][:, :N].astype(float) + 1
    results = {name: data[name].copy() for name in "cds"}
    view(results["c"], STRIDE)[:] = product
    view(results["d"], STATIC_STRIDE)[:] = product
    view(results["s"], STRIDE)[:] += product
    return results
