#!/usr/bin/env python3
"""programs.py [NAME…]: twenty programs on the GPU that there is, each compared with numpy. Memory of every kind and launches of
both kinds take turns, so that each is used by several. The last line counts."""

import pathlib
import sys
import time

import numpy

HERE = pathlib.Path(__file__).resolve().parent
KERNELS = HERE.parent / "kernels"
sys.path[:0] = [str(HERE), str(KERNELS)]
import attention_kernels  # noqa: E402
import client  # noqa: E402
import run  # noqa: E402

OWN = """vector_add softmax matmul_f16 matmul_update matmul_negated matmul_behind_store transpose padded_rows gathered_rows
gathered_columns index_types itof_f8 linear_recurrence pack_bits powers_of_two quotients_of_rows size_one_stride two_layers
sigmoid_attention""".split()
KINDS = (client.DEVICE, client.MANAGED, client.POOL, client.PINNED)


def cases():
    """(name, what the compiler reads, case, its tolerances)"""
    for name in OWN:
        case = run.OwnKernel(KERNELS / name).case
        yield name, KERNELS / name / "kernel.mlir", case
    attention = next(case for case in attention_kernels.CASES if case.name == "attention_64_causal")
    yield attention.name, attention.text, attention


def compare(case, name, actual, expected):
    relative, absolute = getattr(case, "TOLERANCE", (0, 0)) if expected.dtype.kind == "f" else (0, 0)
    actual = getattr(case, "canonical", lambda name, values: values)(name, actual)
    close = numpy.isclose(actual.astype(float), expected.astype(float), relative, absolute, equal_nan=True)
    return None if close.all() else f"{name}: {(~close).sum()} of {close.size} elements differ"


def execute(gpu, number, source, case):
    """Why the program is wrong, or None."""
    kernel = client.Kernel(gpu.compile(source), case.KERNEL)
    stream = gpu.stream()
    data = case.buffers()
    buffers = {name: client.Buffer(values, KINDS[number % len(KINDS)], stream) for name, values in data.items()}
    arguments = [client.make_argument(parameter, buffers) for parameter in case.PARAMETERS]
    launch = kernel.launch_captured if number % 2 else kernel.launch
    launch(case.GRID, arguments, stream)
    client.call("cuStreamSynchronize", stream)
    failures = [compare(case, name, buffers[name].read(), values) for name, values in case.expected(data).items()]
    for buffer in buffers.values():
        buffer.free()
    client.call("cuStreamDestroy", stream)
    kernel.unload()
    return next((failure for failure in failures if failure), None)


def main():
    gpu = client.Gpu()
    wrong = done = 0
    for number, (name, source, case) in enumerate(cases()):
        if sys.argv[1:] and name not in sys.argv[1:]:
            continue
        start = time.monotonic()
        failure = execute(gpu, number, source, case)
        done += 1
        wrong += failure is not None
        print(f"{name:24}{KINDS[number % len(KINDS)]:8}{time.monotonic() - start:6.1f} s  {failure or 'right'}", flush=True)
    print(f"{gpu.arch}: {done - wrong} of {done} right")
    return 1 if wrong or not done else 0


sys.exit(main())
