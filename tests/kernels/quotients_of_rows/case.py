"""Quotients are those of the division, to the last bit and the sign of zero: where dividends or the divisor are at the ends of
what takes the short way, beyond them, no numbers, and, for most of the threads, in between."""

import numpy

KERNEL = "quotients"
DIVISORS = [2.0 ** -24, 2.0 ** 24, 1.0000001, 1.9999999, 3, 7.5, 3e-7, 1.6e7,  # the short way
            2.0 ** -24 * (1 - 2.0 ** -24), 2.0 ** 24 * (1 + 2.0 ** -23), 1e-30, 1e-40, 1.3e17, 1e38, -3, 0, -0.0,
            numpy.inf, -numpy.inf, numpy.nan, 1e-45]
ROWS = 4 * len(DIVISORS)
GRID = (ROWS // 2, 1, 1)
PARAMETERS = ["ptr x 0", "ptr d 0", "ptr y 0", f"i32 {ROWS}"]
# Around the ends, and what has no place between them.
RARE = [2.0 ** -100 * (1 - 2.0 ** -24), 2.0 ** 100 * (1 + 2.0 ** -23), 1e-45, 1e-40, 2.0 ** -126, 2.0 ** -102, 2.0 ** 127,
        numpy.finfo(numpy.float32).max, numpy.inf, numpy.nan, 1e-33, 3e36]
COMMON = [0, 2.0 ** -100, 2.0 ** 100, 1, 1 - 2.0 ** -24]


def buffers():
    random = numpy.random.default_rng(17)
    # A thread has the columns t + 128 i.
    x = numpy.ldexp(random.uniform(1, 2, (ROWS, 8, 128)), random.integers(-99, 99, (ROWS, 8, 128)))
    # One such number makes it divide: it has no more.
    x[:, 3, :32] = random.choice(RARE, (ROWS, 32))
    x[:, 5, 32:64] = random.choice(COMMON, (ROWS, 32))
    # One in a thousand of these would be wrong: there are many.
    x[:, :, 64:] = numpy.ldexp(random.uniform(1, 2, (ROWS, 8, 64)), random.integers(-125, -101, (ROWS, 8, 64)))
    x = (x * random.choice([-1, 1], x.shape)).reshape(ROWS, 1024)
    d = numpy.tile(numpy.array(DIVISORS, numpy.float32), 4)
    d[len(DIVISORS):-len(DIVISORS)] = random.uniform(1, 2048, ROWS - 2 * len(DIVISORS))
    return {"x": x.astype(numpy.float32), "d": d, "y": numpy.zeros((ROWS, 1024), numpy.float32)}


def expected(data):
    with numpy.errstate(all="ignore"):
        return {"y": data["x"] / data["d"][:, None]}
