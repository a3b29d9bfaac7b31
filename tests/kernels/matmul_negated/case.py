"""The sign of an operand is the product's: the operand is read where it has been loaded. A ragged problem."""

import numpy

import matmuls

M, N, K = 72, 104, 88
KERNEL = "matmul_negated"
GRID = matmuls.get_grid(M, N, tile=64)
PARAMETERS = matmuls.get_parameters(M, N, K)
TOLERANCE = matmuls.TOLERANCE


def buffers():
    return matmuls.make_operands(M, N, K)


def expected(data):
    return {"c": -matmuls.multiply(data).astype(numpy.float16)}
