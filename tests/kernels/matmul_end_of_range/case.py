"""What runs ahead of the loop must not take numbers that wrapped for iterations of it."""

import numpy

END = 2**31 - 1
KERNEL = "matmul_end_of_range"
GRID = (1, 1, 1)
PARAMETERS = ["ptr a 0", "ptr b 0", "ptr c 0", f"i32 {END - 1}", f"i32 {END}"]
TOLERANCE = (2e-3, 2e-3)


def buffers():
    random = numpy.random.default_rng(7)
    return {
        "a": random.standard_normal((64, 192)).astype(numpy.float16),
        "b": random.standard_normal((192, 64)).astype(numpy.float16),
        "c": numpy.zeros((64, 64), numpy.float32),
    }


def expected(data):
    return {"c": data["a"][:, :64].astype(numpy.float32) @ data["b"][:64].astype(numpy.float32)}
