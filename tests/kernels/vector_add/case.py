"""1000 elements: the last block is only partly inside. NaN, infinities, denormals and signed zeros included."""

import numpy

N = 1000
KERNEL = "vector_add"
GRID = (-(-N // 256), 1, 1)
PARAMETERS = ["ptr a 0", "ptr b 0", "ptr c 0", f"i32 {N}"]


def buffers():
    random = numpy.random.default_rng(2)
    a, b = (random.standard_normal(N).astype(numpy.float32) for _ in range(2))
    a[:8] = [numpy.nan, numpy.inf, -numpy.inf, numpy.inf, 1e-40, -0.0, 3.4e38, 1.0]
    b[:8] = [1.0, 1.0, 1.0, -numpy.inf, 1e-40, -0.0, 3.4e38, numpy.nan]
    return {"a": a, "b": b, "c": numpy.zeros(N, numpy.float32)}


def expected(data):
    with numpy.errstate(all="ignore"):
        return {"c": data["a"] + data["b"]}
