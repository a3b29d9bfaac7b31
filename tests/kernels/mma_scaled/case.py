"""Block-scaled products of every operand type with every type and block of scales, two batches of each. Results are exact:
the first batch is of numbers so near to each other that f32 holds their sums, the second has one product in each sum, of
any numbers and scales of any sign and of exponents as far apart as f32 allows."""

import numpy

KERNEL = "mma_scaled"
GRID = (1, 1, 1)
M, N, K = 32, 16, 128
# Operands, scales, elements that share a scale.
KINDS = [("e4m3", "e8m0", 32), ("e5m2", "e8m0", 32), ("e2m1", "e8m0", 32), ("e2m1", "e8m0", 16), ("e2m1", "e4m3", 16)]
PARAMETERS = [f"ptr {what}{i} 0" for i in range(len(KINDS)) for what in ("a", "b", "sa", "sb", "c")]
BITS = {"e4m3": (3, 7), "e5m2": (2, 15), "e2m1": (1, 1)}  # of the mantissa; bias


def options(gpu):
    return ["--set", "block-scale=emulate"] if int(gpu.strip("sm_af")) < 100 else []


def number(kind, code):
    if kind == "e8m0":
        return numpy.ldexp(1.0, code.astype(int) - 127)
    mantissa, bias = BITS[kind]
    sign = numpy.where(code >> (3 if kind == "e2m1" else 7), -1.0, 1.0)
    code = code.astype(int) & (7 if kind == "e2m1" else 127)
    exponent, fraction = code >> mantissa, (code & (1 << mantissa) - 1) / (1 << mantissa)
    return sign * numpy.where(exponent == 0, numpy.ldexp(fraction, 1 - bias), numpy.ldexp(1 + fraction, exponent - bias))


def near(random, kind, shape):
    """1 <= |x| < 4 (scales: 0.5 <= |x| <= 2)."""
    if kind == "e8m0":
        return random.integers(126, 129, shape).astype(numpy.uint8)
    mantissa, bias = BITS[kind]
    code = random.integers(bias << mantissa, bias + 2 << mantissa, shape)
    return (code | random.integers(0, 2, shape) << (3 if kind == "e2m1" else 7)).astype(numpy.uint8)


def far(random, kind, shape):
    """Any number."""
    if kind == "e8m0":
        return random.integers(127 - 40, 127 + 40, shape).astype(numpy.uint8)
    largest = {"e4m3": 0x7E, "e5m2": 0x7B, "e2m1": 7}[kind]
    code = random.integers(0, largest + 1, shape)
    return (code | random.integers(0, 2, shape) << (3 if kind == "e2m1" else 7)).astype(numpy.uint8)


def operands():
    random = numpy.random.default_rng(1)
    for kind, scale, block in KINDS:
        shapes = {"a": (M, K), "b": (K, N), "sa": (M, K // block), "sb": (K // block, N)}
        codes = {}
        for name, shape in shapes.items():
            of = scale if name.startswith("s") else kind
            codes[name] = numpy.stack([near(random, of, shape), far(random, of, shape)])
        codes["a"][1][random.integers(0, K, M)[:, None] != numpy.arange(K)] = 0
        yield kind, scale, block, codes


def pack(kind, codes):
    """Two elements of 4 bits to a byte, the first in its low half."""
    return codes.reshape(-1)[0::2] | codes.reshape(-1)[1::2] << 4 if kind == "e2m1" else codes.reshape(-1)


def buffers():
    result = {}
    for i, (kind, scale, block, codes) in enumerate(operands()):
        for name in ("a", "b"):
            result[f"{name}{i}"] = pack(kind, codes[name]).astype(numpy.uint8)
        for name in ("sa", "sb"):
            result[f"{name}{i}"] = codes[name].reshape(-1)
        result[f"c{i}"] = numpy.zeros((2, M, N), numpy.float32)
    return result


def expected(data):
    result = {}
    for i, (kind, scale, block, codes) in enumerate(operands()):
        a = number(kind, codes["a"]) * number(scale, codes["sa"]).repeat(block, 2)
        b = number(kind, codes["b"]) * number(scale, codes["sb"]).repeat(block, 1)
        result[f"c{i}"] = (a @ b).astype(numpy.float32)
    return result
