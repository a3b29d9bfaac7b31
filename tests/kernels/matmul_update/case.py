"""Four blocks; the last rows and columns of C are not whole tiles."""

import numpy

M, N, K = 104, 120, 88
KERNEL = "matmul_update"
GRID = (2, 2, 1)
PARAMETERS = ["ptr a 0", "ptr b 0", "ptr c 0", f"i32 {M}", f"i32 {N}", f"i32 {K}"]
TOLERANCE = (4e-3, 4e-3)


def buffers():
    random = numpy.random.default_rng(1)
    return {
        "a": random.standard_normal((M, K)).astype(numpy.float16),
        "b": random.standard_normal((K, N)).astype(numpy.float16),
        "c": random.standard_normal((M, N)).astype(numpy.float16),
    }


def expected(data):
    product = data["a"].astype(float) @ data["b"].astype(float)
    once = (product + 2 * data["c"].astype(float)).astype(numpy.float16)
    return {"c": (product + once.astype(float)).astype(numpy.float16)}
