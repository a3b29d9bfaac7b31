"""What is done to bytes four at a time: every byte as a signed and an unsigned number in f16, bf16 and f32, shifted, added,
subtracted, or taken where a condition holds; as a code of e4m3 and as two of e2m1 in f16, bf16 and f32; and numbers of f16, bf16
and f32 narrowed to e4m3."""

import pathlib
import re
import sys

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from products import E4M3, bf16_bits

KERNEL = "packed_bytes"
GRID = (1, 1, 1)
COUNT = 1024
TEXT = (pathlib.Path(__file__).resolve().parent / "kernel.mlir").read_text()
TYPES = {"i8": numpy.int8, "i16": numpy.int16, "f16": numpy.float16, "bf16": numpy.uint16, "f32": numpy.float32}
RESULTS = dict(re.findall(r"%(\w+): tile<ptr<(\w+)>>", TEXT)[2:])
PARAMETERS = ["ptr a 0", "ptr b 0", *(f"ptr {name} 0" for name in RESULTS)]
NUMBERS = numpy.where(numpy.arange(256) % 128 == 127, numpy.nan, E4M3)
E2M1 = numpy.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6])


def buffers():
    random = numpy.random.default_rng(3)
    a = numpy.concatenate([random.permutation(256) for _ in range(4)]).astype(numpy.uint8).view(numpy.int8)
    codes = random.choice([code for code in range(256) if code % 128 != 127], COUNT)  # all that are numbers
    result = {"a": a, "b": codes.astype(numpy.uint8).view(numpy.int8)}
    for name, kind in RESULTS.items():
        result[name] = numpy.zeros(2 * COUNT if name.startswith("nibble") else COUNT, TYPES[kind])
    return result


def narrow(values):
    """The nearest e4m3, of two the one whose code is even."""
    middles = (E4M3[1:127] + E4M3[:126]) / 2
    magnitude = numpy.abs(values)
    codes = numpy.searchsorted(middles, magnitude)
    codes += (codes < 126) & (codes % 2 == 1) & (magnitude == numpy.append(middles, numpy.inf)[codes])
    return (codes | 128 * (values < 0)).astype(numpy.uint8).view(numpy.int8)


def expected(data):
    signed, unsigned = data["a"].astype(int), data["a"].view(numpy.uint8).astype(int)
    other = data["b"].astype(int)
    codes = numpy.stack([unsigned & 15, unsigned >> 4], axis=1).reshape(-1)
    numbers = {"signed": signed, "unsigned": unsigned, "code": NUMBERS[unsigned], "nibble": E2M1[codes],
               "left": signed << 3, "right": signed >> 4, "logical": unsigned >> 5, "far": signed * 0, "sum": signed + other,
               "difference": signed - other, "narrow": None, "pick": signed}
    result = {}
    for name, kind in RESULTS.items():
        values = NUMBERS[data["b"].view(numpy.uint8)] if name == "code_bf16" else numbers[name.split("_")[0]]
        if name.startswith("pick"):
            values = numpy.where(signed < other, signed, unsigned if kind == "f16" else other)
        if values is None:
            result[name] = narrow(signed)
        elif kind == "bf16":
            result[name] = bf16_bits(values.astype(numpy.float32))
        else:
            result[name] = (values.astype(TYPES[kind]) if kind.startswith("f")
                            else (values & 255).astype(numpy.uint8).view(numpy.int8))
    return result
