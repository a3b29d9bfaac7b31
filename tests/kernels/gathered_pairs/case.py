"""One tile of two CTAs."""

from row_lists import PARAMETERS, TOLERANCE, buffers, expected

KERNEL = "gathered_pairs"
GRID = (1, 1, 1)


def options(gpu):
    return ["--set", "num-ctas=2"]
