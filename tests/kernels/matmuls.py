"""What kernels of this folder have in common that multiply a matrix of f16 by another: their case.py says the rest."""

import numpy

TOLERANCE = (2e-3, 2e-3)  # f16 has ten bits of its fraction


def get_grid(m, n, tile):
    """A tile block computes tile by tile elements of C."""
    return -(-m // tile), -(-n // tile), 1


def get_parameters(m, n, k):
    return ["ptr a 0", "ptr b 0", "ptr c 0", f"i32 {m}", f"i32 {n}", f"i32 {k}"]


def make_operands(m, n, k, seed=1, is_update=False):
    """A is m by k, B k by n; C, m by n, is empty unless the kernel updates it."""
    random = numpy.random.default_rng(seed)
    return {
        "a": random.standard_normal((m, k)).astype(numpy.float16),
        "b": random.standard_normal((k, n)).astype(numpy.float16),
        "c": random.standard_normal((m, n)).astype(numpy.float16) if is_update else numpy.zeros((m, n), numpy.float16),
    }


def multiply(data):
    """A · B in f64."""
    return data["a"].astype(float) @ data["b"].astype(float)
