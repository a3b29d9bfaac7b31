"""Elements of less than a byte, in both directions."""

import numpy

KERNEL = "pack_bits"
GRID = (1, 1, 1)
PARAMETERS = ["ptr bytes 0", "ptr inverted 0", "ptr nibbles 0"]


def buffers():
    data = numpy.random.default_rng(7).integers(-128, 128, 64).astype(numpy.int8)
    return {"bytes": data, "inverted": numpy.zeros(64, numpy.int8), "nibbles": numpy.zeros(128, numpy.int8)}


def expected(data):
    unsigned = data["bytes"].view(numpy.uint8).astype(int)
    nibbles = numpy.stack([unsigned & 15, unsigned >> 4], axis=1).reshape(-1)
    return {"inverted": ~data["bytes"], "nibbles": numpy.where(nibbles > 7, nibbles - 16, nibbles).astype(numpy.int8)}
