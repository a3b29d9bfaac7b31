from tile_sums import GRID, PARAMETERS, buffers, expected

KERNEL = "pipeline_sum"
