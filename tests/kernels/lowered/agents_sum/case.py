from tile_sums import GRID, PARAMETERS, buffers, expected

KERNEL = "agents_sum"
