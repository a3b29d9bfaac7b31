#!/usr/bin/env python3
"""Bugs planted into what the metadata tells of tensor maps that the host builds: each has to show in the results of a product
on the emulator, or be refused; what is not changed has to be right."""

import argparse
import copy
import importlib.util
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
specification = importlib.util.spec_from_file_location("kernels_run", HERE / "run.py")
kernels_run = importlib.util.module_from_spec(specification)
specification.loader.exec_module(kernels_run)

METADATA = re.compile(r"(__tileiras_metadata\[)\d+(\] = \{)([0-9,]*)(\})")
# Of the product C = A · B of 72 × 56 and 56 × 72 elements: maps 0 and 1 load A and B, map 2 stores C; parameters 3, 4 and 5
# are 72, 72 and 56.
BUGS = {
    "the address is that of another array": (0, "global_address", {"parameter": 1}),
    "the address is 16 bytes too high": (
        1, "global_address", {"op": "addi", "bits": 64, "operands": [{"parameter": 1}, 16]}),
    "sizes are in the wrong order": (0, "global_dim", [{"parameter": 3}, {"parameter": 5}]),
    "there is a row less": (
        0, "global_dim", [{"parameter": 5}, {"op": "subi", "bits": 32, "operands": [{"parameter": 3}, 1]}]),
    "there is a column less": (
        1, "global_dim", [{"op": "subi", "bits": 32, "operands": [{"parameter": 4}, 1]}, {"parameter": 5}]),
    "there are more rows than in memory": (
        1, "global_dim", [{"parameter": 4}, {"op": "addi", "bits": 32, "operands": [{"parameter": 5}, 64]}]),
    "the stride counts elements": (0, "global_strides", [{"op": "muli", "bits": 64, "operands": [{"parameter": 5}, 1]}]),
    "the stride is that of another array": (
        0, "global_strides", [{"op": "muli", "bits": 64, "operands": [{"parameter": 4}, 2]}]),
    "the stride is computed in 7 bits": (
        1, "global_strides", [{"op": "trunci", "bits": 7, "operands": [{"op": "muli", "bits": 64, "operands": [{"parameter": 4}, 2]}]}]),
    "a box is half as wide": (0, "box_dim", [16, 64]),
    "a box is half as high": (1, "box_dim", [64, 16]),
    "every other element is copied": (0, "element_strides", [2, 1]),
    "every other row is copied": (1, "element_strides", [1, 2]),
    "boxes are not swizzled": (0, "swizzle", "NONE"),
    "boxes have another swizzle": (1, "swizzle", "64B"),
    "elements are of another size": (0, "data_type", "FLOAT32"),
    "what is outside is NaN": (0, "oob_fill", "NAN_REQUEST_ZERO_FMA"),
    "results are stored elsewhere": (2, "global_address", {"parameter": 0}),
    "results are stored with the sizes of another array": (2, "global_dim", [{"parameter": 5}, {"parameter": 3}]),
    "results are stored with another swizzle": (2, "swizzle", "32B"),
}


def read_metadata(ptx):
    return json.loads(bytes(int(number) for number in METADATA.search(ptx).group(3).split(",")))


def write_metadata(ptx, metadata):
    text = json.dumps(metadata).encode()
    return METADATA.sub(lambda m: m.group(1) + str(len(text)) + m.group(2) + ",".join(map(str, text)) + m.group(4), ptx)


def plant(metadata, bug):
    broken = copy.deepcopy(metadata)
    number, key, value = bug
    described = broken["kernels"][0]["tensor_maps"][number]
    assert described[key] != value, f"{key} of map {number} is {value} without the bug"
    described[key] = value
    return broken


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tileiras", required=True)
    parser.add_argument("--emulator", required=True)
    arguments = parser.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory(prefix="tileiras maps ") as temporary:
        folder = pathlib.Path(temporary)
        kernel = kernels_run.OwnKernel(HERE / "matmul_f16")
        kernel.dump(folder)
        file = folder / "kernel.ptx"
        subprocess.run([arguments.tileiras, str(kernel.source), "--gpu-name=sm_90", "--profile=o3-unspecialized", "--set",
                        "tma-descriptors=host", "-o", str(file)], check=True)
        ptx = file.read_text()
        metadata = read_metadata(ptx)
        for what, bug in [("nothing is wrong", None), *BUGS.items()]:
            file.write_text(write_metadata(ptx, plant(metadata, bug) if bug else metadata))
            result = subprocess.run([arguments.emulator, "run", str(file), f"--case={folder}", "--quiet"], capture_output=True,
                                    text=True, timeout=60)
            ok = result.returncode in (1, 3) if bug else result.returncode == 0
            failures += not ok
            print(f"{'pass' if ok else 'FAIL'} {what}: exit code {result.returncode}", flush=True)
    print(f"{len(BUGS)} bugs, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
