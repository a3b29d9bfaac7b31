#!/usr/bin/env python3
"""Writes the inputs of the examples, and what the reference interpreter computes from them.

  make_data.py [--tileiras-interpret FILE] [--check]

The results that a launch file expects are the interpreter's. With --check nothing is written: files that differ from what
would be written are an error.
"""

import argparse
import json
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).parent


def pack(code, values):
    return struct.pack(f"<{len(values)}{code}", *values)


def inputs():
    """(example, file) -> bytes. Small integers for the matmul: every order of its additions gives the same result."""
    draw = random.Random(1)
    whole = lambda count: [draw.randrange(-2, 3) for _ in range(count)]
    return {
        ("vector_add", "a.bin"): pack("f", [index / 4 for index in range(300)]),
        ("vector_add", "b.bin"): pack("f", [100 - index for index in range(300)]),
        ("matmul", "a.bin"): pack("e", whole(96 * 192)),
        ("matmul", "b.bin"): pack("e", whole(192 * 128)),
        ("softmax", "x.bin"): pack("f", [draw.randrange(-32, 33) / 8 for _ in range(16 * 200)]),
    }


def interpret(interpreter, example, data, folder):
    """(file, bytes) of each result that the example's launch expects."""
    for (owner, name), contents in data.items():
        if owner == example:
            (folder / name).write_bytes(contents)
    launch = json.loads((FOLDER / example / "launch.json").read_text(encoding="utf-8"))
    expected = launch.pop("expect")
    launch["write"] = [{"buffer": result["buffer"], "bytes": size_of(launch, result["buffer"]), "file": result["file"]}
                       for result in expected]
    (folder / "launch.json").write_text(json.dumps(launch), encoding="utf-8")
    subprocess.run([interpreter, FOLDER / example / "kernel.mlir", "--launch", folder / "launch.json", "--quiet"], check=True)
    for result in expected:
        yield result["file"], (folder / result["file"]).read_bytes()


def size_of(launch, name):
    return next(buffer["bytes"] for buffer in launch["buffers"] if buffer["name"] == name)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tileiras-interpret", default="tileiras-interpret")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    data = inputs()
    for example in sorted({owner for owner, _ in data}):
        with tempfile.TemporaryDirectory() as folder:
            for name, contents in list(interpret(arguments.tileiras_interpret, example, data, pathlib.Path(folder))):
                data[example, name] = contents
    differing = [name for name, contents in data.items()
                 if not FOLDER.joinpath(*name).is_file() or FOLDER.joinpath(*name).read_bytes() != contents]
    if arguments.check:
        for example, name in differing:
            print(f"{example}/{name} is not what make_data.py writes")
        return 1 if differing else 0
    for name in differing:
        FOLDER.joinpath(*name).write_bytes(data[name])
    return 0


if __name__ == "__main__":
    sys.exit(main())
