"""What kernels of the folder lowered have in common, which add tiles: more of them than pipelines have stages, of integers
whose sum is exact. Their case.py says the rest."""

import numpy

TILES, WIDTH = 7, 128
GRID = (1, 1, 1)
PARAMETERS = ["ptr x 0", "ptr y 0", f"i32 {TILES * WIDTH}", f"i32 {TILES}"]


def buffers():
    random = numpy.random.default_rng(5)
    return {"x": random.integers(-9, 9, TILES * WIDTH).astype(numpy.float32), "y": numpy.zeros(WIDTH, numpy.float32)}


def expected(data):
    return {"y": data["x"].reshape(TILES, WIDTH).sum(axis=0)}
