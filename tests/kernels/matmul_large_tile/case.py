"""A tile whose accumulator is as large as the registers of a multiprocessor; ragged."""

import numpy

M, N, K = 300, 264, 200
KERNEL = "matmul_large_tile"
GRID = (-(-M // 256), -(-N // 256), 1)
PARAMETERS = ["ptr a 0", "ptr b 0", "ptr c 0", f"i32 {M}", f"i32 {N}", f"i32 {K}"]
TOLERANCE = (2e-3, 2e-3)


def buffers():
    random = numpy.random.default_rng(5)
    return {
        "a": random.standard_normal((M, K)).astype(numpy.float16),
        "b": random.standard_normal((K, N)).astype(numpy.float16),
        "c": numpy.zeros((M, N), numpy.float16),
    }


def expected(data):
    return {"c": (data["a"].astype(float) @ data["b"].astype(float)).astype(numpy.float16)}
