"""Powers of two without subnormal numbers, by whichever unit: to the last bits but two in range, zero and infinity beyond, exact
where the exponent is an integer, no number of none."""

import numpy

KERNEL = "powers"
ROWS = 3
GRID = (1, 1, 1)
PARAMETERS = ["ptr x 0", "ptr y 0", "ptr z 0", f"i32 {ROWS}"]
TOLERANCE = (4e-7, 0)
ENDS = [0, -0.0, numpy.inf, -numpy.inf, numpy.nan, -126, -126.5, -127, -127.5, -128, -1e30, 1e-30, -1e-30, 127, 127.5, 127.99999, 128,
        128.5, 129, 1e30, -125.99999, 1, -1, 24, -24, 0.99999994, -5e-8]


def buffers():
    random = numpy.random.default_rng(24)
    x = random.uniform(-130, 130, (ROWS, 4096))
    x[1] = random.uniform(-2, 1, 4096)
    # Each of them in each register of some thread, nearly.
    x[2] = random.choice(ENDS, 4096)
    x = x.astype(numpy.float32)
    return {"x": x, "y": numpy.zeros_like(x), "z": numpy.zeros_like(x)}


def expected(data):
    def power(x):
        with numpy.errstate(all="ignore"):
            result = numpy.exp2(x.astype(numpy.float64)).astype(numpy.float32)
        result[result < 2.0 ** -126] = 0
        return result

    return {"y": power(data["x"]), "z": power(-data["x"])}


def options(gpu):
    return ["--set", "split-exponentials=true"]
