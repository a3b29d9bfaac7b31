"""Extents and indices are unsigned: columns from 2^31 on are there, and a column beyond 2^32 is not one of the first."""

import numpy

FAR, TILE, STEPS = 2**31, 64, 4
KERNEL = "far_columns"
GRID = (1, 1, 1)


def i32(value):
    return f"i32 {value - 2**32 if value >= 2**31 else value}"


PARAMETERS = ["ptr a 0", "ptr b 0", "ptr c 0", f"i64 {FAR}", i32(FAR + STEPS * TILE), i32(FAR + TILE), i32(FAR // TILE),
              i32(2**32 // TILE), i32(STEPS)]
TOLERANCE = (2e-3, 2e-2)


def buffers():
    random = numpy.random.default_rng(11)
    return {"a": random.standard_normal((64, STEPS * TILE)).astype(numpy.float16),
            "b": random.standard_normal((STEPS * TILE, 64)).astype(numpy.float16),
            "c": numpy.zeros((64, 64), numpy.float16)}


def expected(data):
    return {"c": (data["a"].astype(numpy.float32) @ data["b"].astype(numpy.float32)).astype(numpy.float16)}
