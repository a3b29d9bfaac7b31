#!/usr/bin/env python3
"""Attributes that no operation defines are hints: code is right without them, whenever they are lost.

  drop_hints.py --tileiras FILE --emulator FILE --plugin FILE [--gpu CHIP,...] [--profile NAME,...] [--part K/N] [NAME ...]

A pass that drops them stands between any two passes of the pipeline. Kernels of this repository, and of the corpus where
there is one, are compiled so, run on the emulator and compared. Those of KEPT say more than a hint, and stay.
"""

import argparse
import concurrent.futures
import itertools
import os
import pathlib
import subprocess
import sys
import tempfile

import run

# What a module says of its GPU, and what assembly says of its lanes: these operations are MLIR's, and have no field for it.
KEPT = ("nv_tileaa.target_spec", "nv_tileas.aligned")


def add_dropping(pipeline, keep):
    """The text of a pipeline, a pass a line as --print-pipeline has it, with the dropping pass after each."""
    drop = f"test-drop-hints{{keep={','.join(keep)}}}"
    lines = []
    for line in pipeline.splitlines():
        text = line.strip()
        ends = text.rstrip(",")
        if not ends.endswith("(") and ends != ")":
            text = f"{ends}, {drop}" + ("," if text.endswith(",") else "")
        lines.append(text)
    return " ".join(lines)


def check(kernel, gpu, profile, folder, arguments):
    options = ["--profile", profile, *kernel.options(gpu)]
    printed = subprocess.run([arguments.tileiras, str(kernel.source), "--gpu-name", gpu, *options, "--print-pipeline"],
                             capture_output=True, text=True, errors="replace")
    if printed.returncode != 0:
        return printed.stderr.strip()
    pipeline = add_dropping(printed.stdout, arguments.keep + list(KEPT))
    return run.check_on_emulator(kernel, gpu, [*options, f"--load-plugin={arguments.plugin}", f"--pass-pipeline={pipeline}"],
                                 folder, arguments.tileiras, arguments.emulator)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="kernels whose names contain one of these")
    parser.add_argument("--tileiras", required=True)
    parser.add_argument("--emulator", required=True)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--gpu", type=lambda text: text.split(","), default=["sm_90", "sm_100"])
    parser.add_argument("--profile", type=lambda text: text.split(","), default=["o3", "o3-ws"])
    parser.add_argument("--keep", action="append", default=[], help="an attribute that stays")
    parser.add_argument("--corpus", default=os.environ.get("TILEIRAS_CORPUS"))
    parser.add_argument("--part", metavar="K/N")
    parser.add_argument("-j", type=int, default=2)
    arguments = parser.parse_args()
    kernels = run.find_own_kernels() + (run.find_corpus_kernels(arguments.corpus) or [])
    kernels = [kernel for kernel in kernels if not arguments.names or any(name in kernel.name for name in arguments.names)]
    expected = run.Expectations(run.HERE / "corpus-expectations.txt")
    jobs = [job for job in itertools.product(kernels, arguments.gpu, arguments.profile)
            if expected.get(job[0], job[1])[0] == "pass"]
    jobs = run.choose_part(jobs, arguments.part, "compilations")
    mistakes = []
    with tempfile.TemporaryDirectory(prefix="tileiras-") as temporary, \
            concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
        folder = pathlib.Path(temporary)
        failures = pool.map(lambda item: check(*item[1], folder / str(item[0]), arguments), enumerate(jobs))
        for (kernel, gpu, profile), failure in zip(jobs, failures):
            if failure:
                mistakes.append(kernel.name)
                print(f"{kernel.name} on {gpu} with {profile}: {failure}", flush=True)
    print(f"{len(jobs)} kernels run, {len(mistakes)} wrong")
    sys.exit(1 if mistakes or not jobs else 0)


if __name__ == "__main__":
    main()
