"""Two by three tiles."""

import numpy

KERNEL = "transpose"
GRID = (2, 3, 1)
PARAMETERS = ["ptr x 0", "ptr y 0"]


def buffers():
    return {"x": numpy.arange(128 * 192, dtype=numpy.float32).reshape(128, 192),
            "y": numpy.zeros((192, 128), numpy.float32)}


def expected(data):
    return {"y": data["x"].T.copy()}
