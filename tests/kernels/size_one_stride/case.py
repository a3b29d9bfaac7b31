"""A false divisor of the stride of a dimension of size 1: neither a wider access than is aligned nor an error."""

import numpy

N = 208
KERNEL = "size_one_stride"
GRID = (-(-N // 64), 1, 1)
PARAMETERS = ["ptr x 0", "ptr y 0", "i32 1", f"i32 {N}", "i32 1"]


def buffers():
    return {"x": numpy.arange(N, dtype=numpy.float32), "y": numpy.zeros(N, numpy.float32)}


def expected(data):
    return {"y": 2 * data["x"]}
