"""From f32 to the formats that chips without the instructions make of integer arithmetic, and back: every f16 and what
follows each in f32 (so all numbers, halves between them and what is next to a half), and anything else at random. Numbers
too large for an 8-bit float become its largest, NaN loses its sign."""

import numpy

KERNEL = "ftof_narrow"
COUNT = 1 << 16
GRID = (3 * COUNT // 1024, 1, 1)
PARAMETERS = ["ptr x 0", "ptr e4m3 0", "ptr e5m2 0", "ptr wide_e4m3 0", "ptr wide_e5m2 0", "ptr tf32 0"]


def buffers():
    halves = numpy.arange(COUNT, dtype=numpy.uint16).view(numpy.float16).astype(numpy.float32)
    following = (halves.view(numpy.uint32) + 1).view(numpy.float32)
    anything = numpy.random.default_rng(1).integers(0, 1 << 32, COUNT, numpy.uint32).view(numpy.float32)
    x = numpy.concatenate([halves, following, anything])
    result = {"x": x, "e4m3": numpy.zeros(x.size, numpy.uint8), "e5m2": numpy.zeros(x.size, numpy.uint8)}
    for name in ("wide_e4m3", "wide_e5m2", "tf32"):
        result[name] = numpy.zeros(x.size, numpy.float32)
    return result


def numbers(mantissa, bias, count):
    """The numbers of the codes 0 … count - 1."""
    code = numpy.arange(count)
    exponent, fraction = code >> mantissa, (code & (1 << mantissa) - 1) / (1 << mantissa)
    return numpy.where(exponent == 0, fraction * 2.0 ** (1 - bias), (1 + fraction) * 2.0 ** (exponent - bias))


def narrow(x, table):
    magnitude = numpy.abs(x.astype(numpy.float64))
    middles = (table[1:] + table[:-1]) / 2
    code = numpy.searchsorted(middles, magnitude)  # of the middles that are smaller
    isMiddle = magnitude == numpy.append(middles, numpy.inf)[code]
    code = numpy.where(isMiddle & (code % 2 == 1) & (code + 1 < table.size), code + 1, code)
    code = numpy.where(numpy.isnan(x), 0x7F, code | numpy.signbit(x) * 0x80)
    return code.astype(numpy.uint8)


def widen(code, table):
    value = numpy.where(code & 0x7F < table.size, table[numpy.minimum(code & 0x7F, table.size - 1)], numpy.nan)
    return numpy.where(code & 0x80, -value, value).astype(numpy.float32)


def to_tf32(x):
    wide = x.astype(numpy.float64)
    exponent = numpy.maximum(numpy.frexp(wide)[1] - 11, -136)
    step = numpy.ldexp(1.0, numpy.where(numpy.isfinite(wide), exponent, 0))
    with numpy.errstate(over="ignore"):
        return (numpy.rint(wide / step) * step).astype(numpy.float32)


def canonical(name, code):
    """Of the codes that are no number one stands for all: which one NaN becomes is nobody's promise."""
    largest = {"e4m3": 0x7E, "e5m2": 0x7C}.get(name)
    return code if largest is None else numpy.where(code & 0x7F > largest, 0x7F, code).astype(numpy.uint8)


def expected(data):
    tables = {"e4m3": numbers(3, 7, 0x7F), "e5m2": numbers(2, 15, 0x7C)}
    result = {"tf32": to_tf32(data["x"])}
    for name, table in tables.items():
        result[name] = narrow(data["x"], table)
        result["wide_" + name] = widen(result[name], table)
    return result
