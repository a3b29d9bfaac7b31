"""One block, which doubles the first tile of A before it multiplies."""

import numpy

import matmuls

M, N, K = 64, 64, 88
KERNEL = "matmul_behind_store"
GRID = matmuls.get_grid(M, N, tile=64)
PARAMETERS = matmuls.get_parameters(M, N, K)
TOLERANCE = matmuls.TOLERANCE


def buffers():
    return matmuls.make_operands(M, N, K)


def expected(data):
    a = data["a"].copy()
    a[:, :32] *= 2
    return {"a": a, "c": matmuls.multiply({**data, "a": a}).astype(numpy.float16)}
