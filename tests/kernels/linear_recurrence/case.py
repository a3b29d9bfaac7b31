"""A scan of two operands whose order of combination matters."""

import numpy

KERNEL = "linear_recurrence"
GRID = (1, 1, 1)
PARAMETERS = ["ptr a 0", "ptr b 0", "ptr product 0", "ptr y 0"]


def buffers():
    random = numpy.random.default_rng(3)
    return {"a": random.choice(numpy.array([1, -1, 2], numpy.int32), 64),
            "b": random.integers(-3, 4, 64).astype(numpy.int32),
            "product": numpy.zeros(64, numpy.int32), "y": numpy.zeros(64, numpy.int32)}


def expected(data):
    product, y = numpy.zeros(64, numpy.int64), numpy.zeros(64, numpy.int64)
    p, q = 1, 0
    for i in range(64):
        p, q = int(data["a"][i]) * p, int(data["a"][i]) * q + int(data["b"][i])
        p, q = [(value + 2**31) % 2**32 - 2**31 for value in (p, q)]
        product[i], y[i] = p, q
    return {"product": product.astype(numpy.int32), "y": y.astype(numpy.int32)}
