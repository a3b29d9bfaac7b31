#!/usr/bin/env python3
"""Counts the kernels whose PTX a pass or an option changes: those that come out otherwise without the pass, or with the
option's other value.

  effects.py --tileiras build/bin/tileiras [--gpu-name sm_90] [--options "-O3"] [--every N] [-j N] [PASS | NAME=VALUE …]

Without names, every pass of the pipeline, but those that only look. Kernels are those of tests/kernels and, where
TILEIRAS_CORPUS names it, of the corpus. A pass without which no kernel compiles says so; one that changes nothing of 0 is
one that nobody needs.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

OWN = pathlib.Path(__file__).resolve().parents[1] / "kernels"
LOOKERS = ("tileir-check-pass-failures", "tileir-verify-ops-analysis", "tileas-verify-schedule",
           "tileas-report-loads-in-flight", "tileir-print-snapshot")


def find_kernels(every):
    kernels = sorted(OWN.glob("*/kernel.mlir"))
    if corpus := os.environ.get("TILEIRAS_CORPUS"):
        kernels += sorted(pathlib.Path(corpus).glob("kernels/*/kernel.tileirbc"))
    return kernels[::every]


def compile_ptx(command, kernel, more):
    """The PTX without its comments; nothing if there is none."""
    with tempfile.NamedTemporaryFile(suffix=".ptx") as output:
        result = subprocess.run([*command, str(kernel), "-o", output.name, *more], capture_output=True, text=True,
                                errors="replace")
        if result.returncode:
            return None
        return "\n".join(line for line in pathlib.Path(output.name).read_text().splitlines()
                         if not line.lstrip().startswith("//"))


def find_passes(pipeline):
    return [name for name in dict.fromkeys(re.findall(r"^\s*([a-zA-Z0-9_-]+)(?:\{[^{}]*\})?,?$", pipeline, re.MULTILINE))
            if name not in LOOKERS]


def remove_pass(pipeline, name):
    lines = [line for line in pipeline.splitlines()
             if not re.fullmatch(rf"\s*{re.escape(name)}(\{{[^{{}}]*\}})?,?", line)]
    return re.sub(r",(\s*\))", r"\1", "\n".join(lines))


def count(pool, command, kernels, before, more):
    """How many differ, and how many do not compile any more."""
    after = list(pool.map(lambda kernel: compile_ptx(command, kernel, more), kernels))
    known = [(a, b) for a, b in zip(before, after) if a is not None]
    return sum(b is not None and a != b for a, b in known), sum(b is None for _, b in known)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--tileiras", required=True)
    parser.add_argument("--gpu-name", default="sm_90")
    parser.add_argument("--options", default="-O3")
    parser.add_argument("--every", type=int, default=1, help="only each so-manieth kernel")
    parser.add_argument("-j", type=int, default=os.cpu_count())
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    command = [arguments.tileiras, "--gpu-name", arguments.gpu_name, *arguments.options.split()]
    pipeline = subprocess.run([*command, "--print-pipeline"], capture_output=True, text=True, check=True).stdout
    passes, kernels = find_passes(pipeline), find_kernels(arguments.every)
    with concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
        before = list(pool.map(lambda kernel: compile_ptx(command, kernel, []), kernels))
        total = sum(ptx is not None for ptx in before)
        print(f"| {arguments.gpu_name} {arguments.options} | kernels of {total} that change | not compiled without |\n"
              "| --- | --- | --- |")
        for name in arguments.names or passes:
            option, _, value = name.partition("=")
            if value:
                more = ["--set", name]
            elif option in passes:
                more = [f"--pass-pipeline={remove_pass(pipeline, name)}"]
            else:
                sys.exit(f"no pass of this pipeline: {name}; it has {', '.join(passes)}")
            changed, failed = count(pool, command, kernels, before, more)
            print(f"| `{name}` | {changed} | {failed} |", flush=True)


if __name__ == "__main__":
    main()
