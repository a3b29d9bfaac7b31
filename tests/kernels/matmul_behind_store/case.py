"""One block, which doubles the first tile of A before it multiplies."""

import numpy

M, N, K = 64, 64, 88
KERNEL = "matmul_behind_store"
GRID = (1, 1, 1)
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
    a = data["a"].copy()
    a[:, :32] *= 2
    return {"a": a, "c": (a.astype(float) @ data["b"].astype(float)).astype(numpy.float16)}
