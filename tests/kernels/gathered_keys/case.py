"""Two blocks; a last iteration that is ragged; pages that the keys have not: they score zero."""

import numpy

M, D, COUNT, PAGE = 120, 104, 128, 16
KERNEL = "gathered_keys"
GRID = (2, 1, 1)
PARAMETERS = ["ptr q 0", "ptr k 0", "ptr c 0", "ptr list 0", "ptr pages 0", f"i32 {M}", f"i32 {D}", f"i32 {COUNT}"]
TOLERANCE = (1e-3, 1e-3)


def narrow(values):
    """To bf16, by the bits that it has."""
    return (values.astype(numpy.float32).view(numpy.uint32) >> 16).astype(numpy.uint16)


def widen(values):
    return (values.astype(numpy.uint32) << 16).view(numpy.float32).astype(float)


def buffers():
    random = numpy.random.default_rng(1)
    return {"q": narrow(random.standard_normal((128, D))), "k": narrow(random.standard_normal((M, D))),
            "c": numpy.zeros((128, COUNT), numpy.float32), "list": random.integers(0, PAGE, COUNT).astype(numpy.int32),
            "pages": random.integers(0, M // PAGE + 2, COUNT).astype(numpy.int32)}


def expected(data):
    rows = data["pages"] * PAGE + data["list"]
    keys = numpy.where((rows < M)[:, None], widen(data["k"])[numpy.minimum(rows, M - 1)], 0)
    return {"c": (widen(data["q"]) @ keys.T).astype(numpy.float32)}
