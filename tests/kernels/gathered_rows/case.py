"""Two blocks."""

from row_lists import PARAMETERS, TOLERANCE, buffers, expected

KERNEL = "gathered_rows"
GRID = (2, 2, 1)
