"""A tile whose accumulator is as large as the registers of a multiprocessor; ragged."""

import numpy

import matmuls

M, N, K = 300, 264, 200
KERNEL = "matmul_large_tile"
GRID = matmuls.get_grid(M, N, tile=256)
PARAMETERS = matmuls.get_parameters(M, N, K)
TOLERANCE = matmuls.TOLERANCE


def buffers():
    return matmuls.make_operands(M, N, K, seed=5)


def expected(data):
    return {"c": matmuls.multiply(data).astype(numpy.float16)}
