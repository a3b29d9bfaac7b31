"""Memory of the tile block's own, which all its threads share."""

import numpy

KERNEL = "alloca_reverse"
GRID = (1, 1, 1)
PARAMETERS = ["ptr x 0", "ptr y 0"]


def buffers():
    return {"x": numpy.arange(256, dtype=numpy.float32), "y": numpy.zeros(256, numpy.float32)}


def expected(data):
    return {"y": data["x"][::-1].copy()}
