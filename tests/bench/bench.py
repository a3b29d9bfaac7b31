#!/usr/bin/env python3
"""Measures the compiler: start-up, time by phase, front-to-PTX, the assembler, peak memory, and how time grows.

  bench.py --tileiras build/bin/tileiras [--corpus DIR] [--runs N]

Whole-process times and memory are the operating system's (wait4), medians of N runs after a warm-up. Phases are MLIR's
timing tree, from the run with the median total. Without a corpus only the kernels of tests/kernels are measured; --all
times every kernel of the corpus, to PTX. What the compiler refuses for sm_90 is listed as that.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import programs

HERE = pathlib.Path(__file__).resolve().parent
CORPUS_KERNELS = ["matmul_f16_128x256x64", "matmul_f16_small", "softmax_f32_4x1024", "layer_norm_fwd_f32_1024",
                  "layer_norm_bwd_dx_bf16_1024", "fmha_f16_d128_128x128", "fft_f32_4096"]


class Refused(Exception):
    """The compiler says that it cannot do this; its first line."""


COMPILATION_FAILED = 5


def measure(command):
    """Wall seconds, peak memory in MiB and the output of one run."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode == COMPILATION_FAILED:
        raise Refused(output.decode(errors="replace").splitlines()[0])
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\nfailed:\n{output.decode(errors='replace')}")
    return seconds, usage.ru_maxrss / 1024, output.decode(errors="replace")


def median(command, runs):
    measure(command)
    results = sorted((measure(command) for _ in range(runs)), key=lambda result: result[0])
    return results[len(results) // 2]


def phases(output):
    """(name, seconds) of the two outermost levels of MLIR's timing tree."""
    for line in output.splitlines():
        match = re.match(r"\s+([\d.]+) \(\s*[\d.]+%\)( {2,4})(\S.*)$", line)
        if match and not match.group(3).startswith("root"):
            yield match.group(3).strip(), float(match.group(1))


def compile_to_ptx(arguments, source, folder):
    return [arguments.tileiras, source, "--gpu-name", "sm_90", "-O3", "-o", folder / "x.ptx"]


def kernel_row(arguments, name, source, folder):
    """The timing of its phases; None if it is refused."""
    try:
        return measured_row(arguments, name, source, folder)
    except Refused as reason:
        print(f"{name:32}{'refused':>10}  {reason}")
        return None


def measured_row(arguments, name, source, folder):
    to_ptx = compile_to_ptx(arguments, source, folder)
    ptx, memory, _ = median(to_ptx, arguments.runs)
    cubin, _, _ = median([*to_ptx[:-1], folder / "x.cubin"], arguments.runs)
    _, _, timing = median([*to_ptx, "--mlir-timing", "--mlir-timing-display=tree"], 3)
    print(f"{name:32}{ptx * 1e3:10.1f}{(cubin - ptx) * 1e3:12.1f}{memory:10.0f}")
    return timing


def print_corpus(arguments, folder):
    """How long every kernel of the corpus takes to PTX, the slowest first."""
    times, refused = [], []
    for source in sorted((arguments.corpus / "kernels").glob("*/kernel.tileirbc")):
        try:
            times.append((median(compile_to_ptx(arguments, source, folder), arguments.runs)[0], source.parent.name))
        except Refused:
            refused.append(source.parent.name)
    times.sort(reverse=True)
    print(f"\n{len(times)} kernels of the corpus, {len(refused)} more refused ({', '.join(refused)}); to PTX, ms:")
    print(f"  median {times[len(times) // 2][0] * 1e3:.1f}; over 150: {sum(time > 0.15 for time, _ in times)}")
    for seconds, name in times[:20]:
        print(f"  {name:40}{seconds * 1e3:8.1f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tileiras", default="tileiras")
    parser.add_argument("--corpus", type=pathlib.Path, default=os.environ.get("TILEIRAS_CORPUS"))
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--all", action="store_true")
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory(prefix="tileiras-bench-") as temporary:
        folder = pathlib.Path(temporary)
        startup, memory, _ = median([arguments.tileiras, "--list-versions"], arguments.runs)
        print(f"start-up (--list-versions): {startup * 1e3:.1f} ms, {memory:.0f} MiB\n")

        print(f"{'kernel':32}{'to PTX ms':>10}{'ptxas ms':>12}{'peak MiB':>10}")
        sources = [(path.parent.name, path) for path in sorted((HERE.parent / "kernels").glob("*/kernel.mlir"))]
        if arguments.corpus:
            sources += [(name, arguments.corpus / "kernels" / name / "kernel.tileirbc") for name in CORPUS_KERNELS]
        timings = {name: kernel_row(arguments, name, source, folder) for name, source in sources if source.exists()}

        for name in [name for name in timings if name.startswith("matmul") and timings[name]][:1]:
            print(f"\nphases of {name}, ms")
            for phase, seconds in phases(timings[name]):
                print(f"  {phase:60}{seconds * 1e3:8.1f}")

        print(f"\n{'operations':>12}{'to PTX ms':>12}{'over start-up, per operation µs':>34}")
        for length in (250, 1000, 4000):
            source = folder / f"ladder-{length}.mlir"
            source.write_text(programs.elementwise(length))
            seconds, _, _ = median(compile_to_ptx(arguments, source, folder), 3)
            print(f"{length:12}{seconds * 1e3:12.1f}{(seconds - startup) * 1e6 / length:34.1f}")
        if arguments.all:
            print_corpus(arguments, folder)


if __name__ == "__main__":
    main()
