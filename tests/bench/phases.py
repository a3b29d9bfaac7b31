#!/usr/bin/env python3
"""Measures where compilation spends its time: over a corpus, and on programs that grow.

  phases.py --tileiras build/bin/tileiras [--corpus DIR] [--jobs N]

Times are MLIR's timing tree, to PTX at -O3, one run each. The first table sums each phase over the corpus; the second
has the slowest kernels; the others double programs of several kinds until they are eight times as long, and say by
which power of the length each phase grows (1: linear). Phases under a millisecond at the largest size are left out.
"""

import argparse
import collections
import concurrent.futures
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import programs

OUTER = {"CompileNVVM", "SerializeGPUModule"}


def measure_phases(tileiras, source):
    """phase -> seconds, the passes and the steps of code generation one by one; None where the compiler refuses"""
    command = [tileiras, source, "--gpu-name", "sm_90", "-O3", "--emit=ptx", "-o", os.devnull, "--mlir-timing",
               "--mlir-timing-display=tree"]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        return None
    phases, parent = collections.Counter(), ""
    for line in (result.stdout + result.stderr).splitlines():
        match = re.match(r"\s+([\d.]+) \(\s*[\d.]+%\)  ( *)(\S.*)$", line)
        if not match:
            continue
        seconds, depth, name = float(match.group(1)), len(match.group(2)) // 2, match.group(3).strip()
        if depth == 0:
            parent = name
        if depth == 0 and name not in OUTER or depth == 1 and parent in OUTER:
            phases[re.sub(r"[{(]anonymous[)}]::|'|tileiras::", "", name)] += seconds
    return phases


LADDERS = {name: programs.KINDS[name] for name in ("elementwise operations", "loads and stores", "loops", "branches",
                                                   "matrix products", "reductions", "rows of a tile")}


def print_ladder(tileiras, name, make, first, folder):
    sizes = [first * factor for factor in (1, 2, 4, 8)]
    runs = []
    for size in sizes:
        source = folder / "ladder.mlir"
        source.write_text(make(size), encoding="utf-8")
        measured = [measure_phases(tileiras, source) for _ in range(3)]
        if None in measured:
            sys.exit(f"{name}: the ladder does not compile at {size}")
        runs.append({phase: min(run[phase] for run in measured) for phase in measured[0]})
    print(f"\n{name + ', ms':44}" + "".join(f"{size:>9}" for size in sizes) + f"{'power':>9}")
    for phase, last in sorted(runs[-1].items(), key=lambda entry: -entry[1]):
        if last >= 1e-3:
            # From the second size on: the first is mostly what every compilation takes.
            power = math.log(last / max(runs[1][phase], 1e-4)) / math.log(sizes[-1] / sizes[1])
            print(f"  {phase:42}" + "".join(f"{run[phase] * 1e3:9.1f}" for run in runs) + f"{power:9.2f}")


def print_corpus(tileiras, corpus, jobs):
    sources = [sorted(path for path in folder.glob("*.tileirbc") if "unpacked" not in path.name)[-1]
               for folder in sorted((corpus / "kernels").iterdir())]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        results = list(pool.map(lambda source: measure_phases(tileiras, source), sources))
    kernels = {source.parent.name: phases for source, phases in zip(sources, results) if phases}
    total = sum((phases for phases in kernels.values()), collections.Counter())
    print(f"{len(kernels)} kernels, {len(sources) - len(kernels)} refused\n")
    print(f"{'phase':44}{'total ms':>10}{'share':>8}{'median ms':>11}{'most ms':>9}  in")
    for phase, seconds in total.most_common():
        if phase == "Total" or seconds < 0.002 * total["Total"]:
            continue
        times = sorted((phases[phase], name) for name, phases in kernels.items())
        print(f"{phase:44}{seconds * 1e3:10.0f}{seconds / total['Total']:8.1%}{times[len(times) // 2][0] * 1e3:11.2f}"
              f"{times[-1][0] * 1e3:9.1f}  {times[-1][1]}")
    print(f"\n{'slowest kernels':44}{'ms':>8}  of which")
    for name, phases in sorted(kernels.items(), key=lambda entry: -entry[1]["Total"])[:10]:
        largest = [f"{phase} {seconds / phases['Total']:.0%}" for phase, seconds in phases.most_common(4)
                   if phase != "Total"]
        print(f"{name:44}{phases['Total'] * 1e3:8.0f}  {', '.join(largest)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tileiras", default="tileiras")
    parser.add_argument("--corpus", type=pathlib.Path, default=os.environ.get("TILEIRAS_CORPUS"))
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.corpus:
        print_corpus(arguments.tileiras, pathlib.Path(arguments.corpus), arguments.jobs)
    with tempfile.TemporaryDirectory(prefix="tileiras-phases-") as temporary:
        for name, (make, first) in LADDERS.items():
            print_ladder(arguments.tileiras, name, make, first, pathlib.Path(temporary))


if __name__ == "__main__":
    main()
