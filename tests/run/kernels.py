#!/usr/bin/env python3
"""Runs the kernels of tests/kernels in all places at once: launch.txt, the same launch as launch.json, each GPU named.

  kernels.py TILEIRAS-RUN [NAME…]
"""

import json
import pathlib
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
KERNELS = HERE.parent / "kernels"
sys.path.insert(0, str(KERNELS))
import run as runner  # noqa: E402

FLOATS = {"f16": "e", "f32": "f", "f64": "d"}


def parse_parameter(kind, words):
    if kind == "ptr":
        return {"buffer": words[0], "offset": int(words[1])}
    if kind in FLOATS:
        return {f"u{8 * struct.calcsize(FLOATS[kind])}": int(words[0], 16)}
    return {{"i1": "u8"}.get(kind, kind): int(words[0])}


def convert(folder):
    """The launch of a case as launch.json."""
    launch = {"buffers": [], "parameters": [], "expect": [], "write": []}
    for line in (folder / "launch.txt").read_text().splitlines():
        kind, *words = line.split()
        if kind == "kernel":
            launch["entry"] = words[0]
        elif kind == "grid":
            launch["grid"] = [int(word) for word in words]
        elif kind == "buffer":
            launch["buffers"].append({"name": words[0], "bytes": int(words[1]), "file": words[2]})
        elif kind == "param":
            launch["parameters"].append(parse_parameter(words[0], words[1:]))
        elif kind == "read":
            launch["write"].append({"buffer": words[0], "bytes": int(words[1]), "file": "json_" + words[2]})
        else:
            raise ValueError(f"launch.txt has '{line}', for which there is no rule here")
    comparisons = folder / "compare.txt"
    for line in comparisons.read_text().splitlines() if comparisons.exists() else []:
        _, buffer, file, kind, relative, absolute = line.split()
        launch["expect"].append({"buffer": buffer, "file": file, "type": kind, "rtol": float(relative),
                                 "atol": float(absolute)})
    (folder / "launch.json").write_text(json.dumps(launch))


def check(tool, kernel, folder, options):
    """What is wrong; nothing if all is right."""
    report = folder / "report.json"
    command = [tool, str(kernel.source), "--all", "--quiet", "--json", str(report), *options]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        return f"{' '.join(command)}: exit status {result.returncode}\n{result.stdout}{result.stderr}"
    found = json.loads(report.read_text())
    if [each["on"] for each in found["runs"]] != ["emulator", "interpreter"]:
        return f"{command}: ran in {found['runs']}"
    if not found["comparisons"][0]["elements"]:
        return f"{command}: nothing was compared"
    return None


def main():
    tool, names = sys.argv[1], sys.argv[2:]
    kernels = [runner.OwnKernel(folder) for folder in sorted(KERNELS.iterdir()) if (folder / "case.py").exists()]
    kernels = [kernel for kernel in kernels if not names or kernel.name in names]
    problems = []
    for kernel in kernels:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            kernel.dump(folder)
            convert(folder)
            for gpu in dict.fromkeys([kernel.gpu, "sm_100"]):
                options = ["--gpu-name", gpu, *kernel.options(gpu)]
                for launch in (["--case", name], ["--launch", str(folder / "launch.json")]):
                    problem = check(tool, kernel, folder, options + launch)
                    print(f"{kernel.name:20} {gpu:7} {launch[0]:9} {'FAILED' if problem else 'agrees'}")
                    problems += [problem] if problem else []
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems or not kernels else 0


if __name__ == "__main__":
    sys.exit(main())
