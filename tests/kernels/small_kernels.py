"""Kernels of this folder by which a check of many configurations sees what each of them does: one with an MMA in a loop and
another without. A name, and options of the compiler."""

import run

MATMULS = (("matmul_f16", ()), ("matmul_update", ()), ("matmul_f16", ("--set", "num-ctas=2")),
           ("matmul_f16", ("--set", "dynamic-persistent=true")))
OTHERS = (("softmax", ()), ("counted_break", ()), ("transpose", ()), ("vector_add", ()), ("linear_recurrence", ()))


def load(kernels):
    """Of each name what runs it."""
    return {name: run.OwnKernel(run.HERE / name) for name, _ in kernels}
