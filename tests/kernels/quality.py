#!/usr/bin/env python3
"""Checks the quality of code by what the emulator counts and the assembler reports.

  quality.py [NAME…]              the kernels of this folder and, where there is one, of the corpus
  quality.py --table NAME [NAME…] a table of figures of kernels, and what must hold of them (NAME-bounds.txt); several times
                                  for several tables, or `all` of them:
      products    kernels around matrix products (product_quality.py)
      agents      the same kernels with -O3, beside one set of warps (agent_quality.py)
      clusters    products in clusters, beside one CTA (cluster_quality.py)
      tensor      products of sm_100 in tensor memory (tensor_quality.py)
      memory      kernels whose time is that of memory (memory_quality.py)
      sm_120, sm_75, sm_80, sm_89   products of that chip with -O3 (chip_quality.py)
  quality.py --record             measures all tables, or those that --table names, writes their bounds again and says what
                                  got better and worse, the most of each first. What got worse is refused, unless it is
                                  named: --allow-worse KERNELS, as the row has it

  * Elementwise kernels touch each sector of 32 bytes of their buffers once, reductions at most 6 % more (results of a
    few bytes take a sector each).
  * Where alignment is known to allow it, accesses are of 128 bits: a warp moves 512 bytes at once.
  * Transposes have no bank conflicts.
  * No kernel has spills, or a stack for other reasons than those listed below, unless the compiler has said that its
    tiles do not fit in registers.

Needs ptxas. Exit code 0 when all of it holds, 77 when there is no corpus and the kernels of this folder pass.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import agent_quality
import chip_quality
import cluster_quality
import memory_quality
import product_quality
import quality_bounds
import run
import tensor_quality

TABLES = {"products": product_quality.TABLE, "agents": agent_quality.TABLE, "clusters": cluster_quality.TABLE,
          "tensor": tensor_quality.TABLE, "memory": memory_quality.TABLE, **chip_quality.TABLES}
ELEMENTWISE = re.compile(r"^(bin|un|cast|cmp|where)_|^vec_(?!.*gather)|^vector_add$|^transpose(_f\d+)?$|^permute_2d")
REDUCTION = re.compile(r"^red_|^softmax$")
TRANSPOSE = re.compile(r"^transpose|^permute")
WIDE = {"transpose"}  # of this folder, written to allow 128 bits
STACK = {"print_f32": "arguments of vprintf", "assert_fail": "arguments of vprintf",
         "assert_pass": "arguments of vprintf", "un_tan_f64": "libdevice's reduction of large arguments"}


def count(text, name):
    return int(re.search(name + r"\s+(\d+)", text).group(1))


def examine(kernel, arguments):
    """What is wrong with the code of a kernel; None where the compiler refuses it."""
    with tempfile.TemporaryDirectory(prefix="tileiras-") as temporary:
        folder = pathlib.Path(temporary)
        base = [arguments.tileiras, str(kernel.source), "--gpu-name", kernel.gpu] + kernel.options(kernel.gpu)
        compiled = subprocess.run(base + ["-o", str(folder / "k.cubin"), f"--metadata={folder / 'k.json'}",
                                          "--remarks=missed", "--remarks-filter=registers|memory"],
                                  capture_output=True, text=True)
        if compiled.returncode != 0:
            return None
        wrong = []
        resources = json.loads((folder / "k.json").read_text())["kernels"][0]
        if not re.search("RegisterPressure|TilesInMemory", compiled.stderr):
            wrong += [f"{resources[what]} {what}" for what in ("spill_store_bytes", "stack_bytes")
                      if resources[what] and not (what == "stack_bytes" and kernel.name in STACK)]
        if not any(rule.search(kernel.name) for rule in (ELEMENTWISE, REDUCTION, TRANSPOSE)):
            return wrong
        subprocess.run(base + ["-o", str(folder / "k.ptx")], check=True)
        kernel.dump(folder)
        counters = subprocess.run([arguments.emulator, "run", str(folder / "k.ptx"), "--case", str(folder), "--counters"],
                                  capture_output=True, text=True).stdout
        sizes = [int(line.split()[2]) for line in (folder / "launch.txt").read_text().splitlines()
                 if line.startswith("buffer ")]
        sectors, ideal = count(counters, "global sectors"), sum(-(-size // 32) for size in sizes)
        if ELEMENTWISE.search(kernel.name) and sectors > ideal:
            wrong.append(f"{sectors} sectors instead of {ideal}")
        if REDUCTION.search(kernel.name) and sectors > 1.06 * ideal:
            wrong.append(f"{sectors} sectors instead of {ideal}")
        if TRANSPOSE.search(kernel.name) and count(counters, "bank conflicts"):
            wrong.append(f"{count(counters, 'bank conflicts')} bank conflicts")
        requests = count(counters, "global requests")
        if kernel.name in WIDE and requests * 512 != sum(sizes):
            wrong.append(f"{requests} accesses instead of {sum(sizes) // 512}")
        return wrong


def load_corpus_tool(arguments):
    """None where there is no corpus."""
    if not arguments.corpus or not arguments.corpus.is_dir():
        return None
    return run.load_module(arguments.corpus / "cutile_case.py", "cutile_case")


def examine_tables(tables, arguments):
    """Prints them; an exit code."""
    tool = load_corpus_tool(arguments)
    measured, mistakes, changes = 0, 0, []
    with concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
        for table in tables:
            results, is_complete = table.examine(arguments, tool, pool)
            if arguments.record:
                changes += table.record(results, arguments.allow_worse)
            measured, mistakes = measured + len(results), mistakes + table.report(results, is_complete)
    if arguments.record:
        print_changes(changes)
    print(f"{measured} kernels measured, {mistakes} mistakes")
    if mistakes or not measured:
        return 1
    if not tool and any(table.takes_corpus for table in tables):
        print("SKIP: there is no corpus; set TILEIRAS_CORPUS to measure other people's kernels")
        return 77
    return 0


def print_changes(changes):
    print("\nWhat changed of the bounds:" if changes else "\nNo bound changed.")
    for change in quality_bounds.sort_changes(changes):
        print(f"  {change}")
    if refused := sorted({change.kernels for change in changes if change.kind == "refused"}):
        print("What is refused is as it was. Where it is meant to get worse: "
              + shlex.join([*sys.argv, *(word for kernels in refused for word in ("--allow-worse", kernels))]))


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--tileiras", default="tileiras")
    parser.add_argument("--emulator", default="ptx-emulator")
    parser.add_argument("--corpus", type=pathlib.Path, default=os.environ.get("TILEIRAS_CORPUS") or None)
    parser.add_argument("-j", type=int, default=os.cpu_count())
    parser.add_argument("--table", action="append", choices=[*TABLES, "all"], default=[])
    parser.add_argument("--profile", help="what tables are compiled with, instead of their own")
    parser.add_argument("--ptxas", default="ptxas")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--allow-worse", action="append", metavar="KERNELS", default=[])
    parser.add_argument("--part", metavar="K/N", help="each N-th kernel only; commit/N: which, the commit says (tests/rotation.py)")
    arguments = parser.parse_args()
    arguments.tables = [TABLES[name] for name in TABLES
                        if name in arguments.table or "all" in arguments.table or arguments.record and not arguments.table]
    if arguments.record and (arguments.part or arguments.names or arguments.profile):
        parser.error("--record writes whole tables: leave names, --part and --profile out")
    if arguments.record and not load_corpus_tool(arguments) and any(table.takes_corpus for table in arguments.tables):
        parser.error("--record measures all kernels of a table: set TILEIRAS_CORPUS")
    if arguments.allow_worse and not arguments.record:
        parser.error("--allow-worse is for --record")
    return arguments


def main():
    arguments = read_arguments()
    if arguments.tables:
        return examine_tables(arguments.tables, arguments)
    kernels = [run.OwnKernel(path.parent) for path in sorted(run.HERE.glob("*/case.py"))]
    if tool := load_corpus_tool(arguments):
        kernels += [run.CorpusKernel(path.parent, tool) for path in sorted((arguments.corpus / "kernels").glob("*/meta.json"))]
    kernels = [kernel for kernel in kernels if not arguments.names or kernel.name in arguments.names]
    kernels = run.choose_part(kernels, arguments.part)
    with concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
        results = list(pool.map(lambda kernel: examine(kernel, arguments), kernels))
    bad = 0
    for kernel, wrong in zip(kernels, results):
        for text in wrong or []:
            print(f"{kernel.name}: {text}")
            bad += 1
    examined = sum(result is not None for result in results)
    print(f"{examined} kernels examined, {len(kernels) - examined} refused by the compiler, {bad} shortcomings")
    if not tool:
        print("SKIP: there is no corpus; set TILEIRAS_CORPUS to examine other people's kernels")
    return 1 if bad or not examined else 0 if tool else 77


if __name__ == "__main__":
    sys.exit(main())
