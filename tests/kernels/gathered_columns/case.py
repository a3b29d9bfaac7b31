"""The last iteration is ragged; the list names columns that A has not, the largest of them 2^32 - 1: they are zeros."""

import numpy

M, K = 90, 200
KERNEL = "gathered_columns"
GRID = (1, 1, 1)
PARAMETERS = ["ptr a 0", "ptr b 0", "ptr c 0", "ptr list 0", f"i32 {M}", f"i32 {K}"]
TOLERANCE = (1e-3, 1e-3)


def buffers():
    random = numpy.random.default_rng(2)
    numbers = random.integers(0, M, 64).astype(numpy.uint32)
    numbers[[3, 17, 40]] = M, 0xFFFFFFFF, 0x80000000
    return {"a": random.standard_normal((M, K)).astype(numpy.float16),
            "b": random.standard_normal((K, 64)).astype(numpy.float16), "c": numpy.zeros((64, 64), numpy.float32),
            "list": numbers.view(numpy.int32)}


def expected(data):
    numbers = data["list"].view(numpy.uint32)
    rows = numpy.where((numbers < M)[:, None], data["a"][numpy.minimum(numbers, M - 1)].astype(float), 0)
    return {"c": (rows @ data["b"].astype(float)).astype(numpy.float32)}
