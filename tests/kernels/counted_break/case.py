"""Three blocks; the first has no iteration."""

import numpy

KERNEL = "counted_break"
GRID = (3, 1, 1)
PARAMETERS = ["ptr a 0", "ptr o 0", "ptr count 0"]
TOLERANCE = (0, 0)


def buffers():
    return {
        "a": numpy.random.default_rng(1).standard_normal(64).astype(numpy.float32),
        "o": numpy.zeros(192, numpy.float32),
        "count": numpy.full(3, -1, numpy.int32),
    }


def expected(data):
    iterations = 3 * numpy.arange(3, dtype=numpy.int32)
    return {"o": numpy.concatenate([data["a"] * numpy.float32(2) ** iteration for iteration in iterations]), "count": iterations}
