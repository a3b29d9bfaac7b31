"""A ragged problem: neither m, n nor k is a multiple of its tile."""

import numpy

import matmuls

M, N, K = 72, 104, 88
KERNEL = "matmul_f16"
GRID = matmuls.get_grid(M, N, tile=64)
PARAMETERS = matmuls.get_parameters(M, N, K)
TOLERANCE = matmuls.TOLERANCE


def buffers():
    return matmuls.make_operands(M, N, K)


def expected(data):
    return {"c": matmuls.multiply(data).astype(numpy.float16)}
