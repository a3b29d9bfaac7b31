"""Indices are unsigned in their type."""

import numpy

SIZE, AT8, AT16 = 40000, 200, 39000
KERNEL = "index_types"
GRID = (1, 1, 1)
# 2^61 tiles of eight elements are 2^64: their number wraps to 0.
PARAMETERS = ["ptr x 0", "ptr y 0", f"i32 {SIZE}", f"i32 {AT8}", f"i32 {AT16}", "i32 -1", f"i64 {2**61}"]


def buffers():
    return {"x": numpy.arange(1, SIZE + 1, dtype=numpy.int32), "y": numpy.full(SIZE, -1, numpy.int32)}


def expected(data):
    y = data["y"].copy()
    y[:8] = 0
    y[8 * AT8:8 * AT8 + 8] = data["x"][8 * AT8:8 * AT8 + 8]
    y[AT16] = data["x"][AT16]
    return {"y": y}
