"""What kernels have in common that multiply rows of a matrix, which a list names, and scatter the results: the list repeats
rows, and names some that A has not: they are zeros. Places are rows of C, each once, and some that C has not: nothing is written
there. Their case.py says the rest."""

import numpy

M, N, K, COUNT = 250, 128, 136, 256
PARAMETERS = ["ptr a 0", "ptr b 0", "ptr c 0", "ptr list 0", "ptr places 0",
              f"i32 {M}", f"i32 {N}", f"i32 {K}", f"i32 {COUNT}"]
TOLERANCE = (4e-3, 4e-3)


def buffers():
    random = numpy.random.default_rng(0)
    return {"a": random.standard_normal((M, K)).astype(numpy.float16),
            "b": random.standard_normal((K, N)).astype(numpy.float16),
            "c": numpy.ones((M, N), numpy.float16),
            "list": random.integers(0, M + 4, COUNT).astype(numpy.int32),
            "places": random.permutation(COUNT + 8)[:COUNT].astype(numpy.int32)}


def expected(data):
    padded = numpy.concatenate([data["a"], numpy.zeros((4, K), numpy.float16)]).astype(float)
    result, is_row = data["c"].copy(), data["places"] < M
    product = (padded[data["list"]] @ data["b"].astype(float)).astype(numpy.float16)
    result[data["places"][is_row]] = product[is_row]
    return {"c": result}
