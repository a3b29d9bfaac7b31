"""Two layers, the one between them in registers: the left operand of the first MMA is the same in all iterations."""

import numpy

ROWS, WIDTH, HIDDEN = 256, 128, 512
KERNEL = "two_layers"
GRID = (ROWS // 128, 1, 1)
PARAMETERS = ["ptr x 0", "ptr w 0", "ptr u 0", "ptr y 0"]
TOLERANCE = (1e-2, 2e-2)  # the layer between is rounded to f16


def buffers():
    random = numpy.random.default_rng(1)

    def make(rows, columns):
        return (random.standard_normal((rows, columns)) / 4).astype(numpy.float16)

    return {"x": make(ROWS, WIDTH), "w": make(WIDTH, HIDDEN), "u": make(HIDDEN, WIDTH),
            "y": numpy.zeros((ROWS, WIDTH), numpy.float16)}


def expected(data):
    x, w, u = (data[name].astype(float) for name in "xwu")
    return {"y": (numpy.maximum(x @ w, 0).astype(numpy.float16).astype(float) @ u).astype(numpy.float16)}
