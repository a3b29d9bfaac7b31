#!/usr/bin/env python3
"""faults.py NAME: launches a kernel of faults.mlir that makes a mistake, as any program would, and prints what it is told."""

import pathlib
import sys

import numpy

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import client  # noqa: E402

gpu = client.Gpu()
kernel = client.Kernel(gpu.compile(HERE / "faults.mlir"), sys.argv[1])
buffer = client.Buffer(numpy.zeros(100, numpy.int32), client.DEVICE)
try:
    kernel.launch((4 if sys.argv[1] == "race" else 1, 1, 1), [client.make_argument("ptr b 0", {"b": buffer})])
    print("launched")
    client.call("cuCtxSynchronize", None)
    print("no mistake was found")
except client.CudaError as error:
    print(f"{error.result} {error}")
