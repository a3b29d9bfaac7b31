"""The sign of an operand is the product's: the operand is read where it has been loaded. A ragged problem."""

import numpy

M, N, K = 72, 104, 88
KERNEL = "matmul_negated"
GRID = (-(-M // 64), -(-N // 64), 1)
PARAMETERS = ["ptr a 0", "ptr b 0", "ptr c 0", f"i32 {M}", f"i32 {N}", f"i32 {K}"]
TOLERANCE = (2e-3, 2e-3)


def buffers():
    random = numpy.random.default_rng(1)
    return {
        "a": random.standard_normal((M, K)).astype(numpy.float16),
        "b": random.standard_normal((K, N)).astype(numpy.float16),
        "c": numpy.zeros((M, N), numpy.float16),
    }


def expected(data):
    return {"c": -(data["a"].astype(float) @ data["b"].astype(float)).astype(numpy.float16)}
