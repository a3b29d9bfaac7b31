from tile_sums import GRID, PARAMETERS, buffers, expected

KERNEL = "switch_sum"
