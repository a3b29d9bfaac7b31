from tile_sums import GRID, PARAMETERS, buffers, expected

KERNEL = "tokens_sum"
