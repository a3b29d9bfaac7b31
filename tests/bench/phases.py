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

import bench

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


# ---------------------------------------------------------------------------------------------------------------------
# Programs that grow
# ---------------------------------------------------------------------------------------------------------------------

def kernel(body, parameters="%p: tile<ptr<f32>>"):
    lines = ["cuda_tile.module @ladder {", f"  entry @ladder({parameters}) {{", "    %zero = constant <i32: 0> : tile<i32>",
             "    %one = constant <i32: 1> : tile<i32>", *("    " + line for line in body), "    return", "  }", "}", ""]
    return "\n".join(lines)


def view(rows, columns, element="f32"):
    tensor = f"tensor_view<{rows}x{columns}x{element}, strides=[{columns},1]>"
    return tensor, f"partition_view<tile=({rows}x{columns}), {tensor}>"


def load(name, rows, columns, element="f32", pointer="%p", row="%zero"):
    tensor, tiles = view(rows, columns, element)
    return [f"%{name}_t = make_tensor_view {pointer}, shape = [{rows}, {columns}], strides = [{columns}, 1] : {tensor}",
            f"%{name}_v = make_partition_view %{name}_t : {tiles}",
            f"%{name}, %{name}_k = load_view_tko weak %{name}_v[{row}, %zero] : {tiles}, tile<i32>, tile<i32> -> "
            f"tile<{rows}x{columns}x{element}>, token"]


def store(value, name, rows, columns, row="%zero"):
    _, tiles = view(rows, columns)
    return [f"%{name}_s = store_view_tko weak {value}, %{name}_v[{row}, %zero] : tile<{rows}x{columns}xf32>, {tiles}, "
            "tile<i32>, tile<i32> -> token"]


def memory(length):
    body = []
    for i in range(length):
        body += load(f"x{i}", 16, 16, row="%n") + store(f"%x{i}", f"x{i}", 16, 16, row="%n")
    return kernel(body, "%p: tile<ptr<f32>>, %n: tile<i32>")


def loops(length):
    body = load("x0", 16, 16)
    for i in range(length):
        body += [f"%x{i + 1} = for %i{i} in (%zero to %one, step %one) : tile<i32> iter_values(%y = %x{i}) -> "
                 "(tile<16x16xf32>) {", "  %z = addf %y, %y : tile<16x16xf32>", "  continue %z : tile<16x16xf32>", "}"]
    return kernel(body + store(f"%x{length}", "x0", 16, 16))


def branches(length):
    body = load("x0", 16, 16) + ["%c = cmpi equal %zero, %n, signed : tile<i32> -> tile<i1>"]
    for i in range(length):
        body += [f"%x{i + 1} = if %c -> (tile<16x16xf32>) {{", f"  %z = addf %x{i}, %x{i} : tile<16x16xf32>",
                 "  yield %z : tile<16x16xf32>", "} else {", f"  yield %x{i} : tile<16x16xf32>", "}"]
    return kernel(body + store(f"%x{length}", "x0", 16, 16), "%p: tile<ptr<f32>>, %n: tile<i32>")


def products(length):
    body = load("a", 64, 64, "f16", "%q") + load("c0", 64, 64)
    for i in range(length):
        body += [f"%c{i + 1} = mmaf %a, %a, %c{i} : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>"]
    return kernel(body + store(f"%c{length}", "c0", 64, 64), "%p: tile<ptr<f32>>, %q: tile<ptr<f16>>")


def reductions(length):
    body = load("x0", 64, 64)
    for i in range(length):
        body += [f"%r{i} = reduce %x{i} dim=1 identities=[0.0 : f32] : tile<64x64xf32> -> tile<64xf32>",
                 "(%a: tile<f32>, %b: tile<f32>) {", "  %s = addf %a, %b : tile<f32>", "  yield %s : tile<f32>", "}",
                 f"%m{i} = reshape %r{i} : tile<64xf32> -> tile<64x1xf32>",
                 f"%b{i} = broadcast %m{i} : tile<64x1xf32> -> tile<64x64xf32>",
                 f"%x{i + 1} = addf %x{i}, %b{i} : tile<64x64xf32>"]
    return kernel(body + store(f"%x{length}", "x0", 64, 64))


def tiles(rows):
    """Not more operations but a larger tile, transposed."""
    columns = 64
    body = load("x", rows, columns) + [f"%y = permute %x [1, 0] : tile<{rows}x{columns}xf32> -> "
                                       f"tile<{columns}x{rows}xf32>", *load("z", columns, rows)]
    return kernel(body + store("%y", "z", columns, rows))


LADDERS = {"elementwise operations": (bench.generated_program, 500), "loads and stores": (memory, 50),
           "loops": (loops, 50), "branches": (branches, 50), "matrix products": (products, 4),
           "reductions": (reductions, 8), "rows of a tile": (tiles, 64)}


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
