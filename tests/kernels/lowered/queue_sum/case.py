from tile_sums import GRID, PARAMETERS, buffers, expected

KERNEL = "queue_sum"
