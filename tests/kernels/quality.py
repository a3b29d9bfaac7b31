#!/usr/bin/env python3
"""Checks the quality of code by what the emulator counts and the assembler reports.

  quality.py [NAME…]              the kernels of this folder and, where there is one, of the corpus
  quality.py --products [NAME…]   kernels around matrix products (product_quality.py): a table of figures and limits
  quality.py --agents [NAME…]     the same kernels with -O3, beside one set of warps (agent_quality.py): a table
  quality.py --clusters [NAME…]   products in clusters, beside one CTA (cluster_quality.py): a table
  quality.py --tensor [NAME…]     products of sm_100 in tensor memory (tensor_quality.py): a table
  quality.py --memory [NAME…]     kernels whose time is that of memory (memory_quality.py): a table, too
  quality.py --chip CHIP [NAME…]  products of another chip with -O3 (chip_quality.py): a table

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
import subprocess
import sys
import tempfile

import agent_quality
import chip_quality
import cluster_quality
import memory_quality
import product_quality
import run
import tensor_quality

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


def examine_table(module, arguments):
    has_corpus = arguments.corpus and arguments.corpus.is_dir()
    tool = run.load_module(arguments.corpus / "cutile_case.py", "cutile_case") if has_corpus else None
    with concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
        measured, mistakes = module.main(arguments, tool, pool)
    print(f"{measured} kernels measured, {mistakes} mistakes")
    if module is chip_quality:  # which takes none of other people's
        return 1 if mistakes or not measured else 0
    if not has_corpus:
        print("SKIP: there is no corpus; set TILEIRAS_CORPUS to measure other people's kernels")
    return 1 if mistakes or not measured else 0 if has_corpus else 77


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--tileiras", default="tileiras")
    parser.add_argument("--emulator", default="ptx-emulator")
    parser.add_argument("--corpus", type=pathlib.Path, default=os.environ.get("TILEIRAS_CORPUS") or None)
    parser.add_argument("-j", type=int, default=os.cpu_count())
    parser.add_argument("--products", action="store_true")
    parser.add_argument("--agents", action="store_true")
    parser.add_argument("--clusters", action="store_true")
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--tensor", action="store_true")
    parser.add_argument("--chip", choices=chip_quality.CHIPS)
    parser.add_argument("--profile", default="o3-unspecialized", help="what tables are compiled with")
    parser.add_argument("--ptxas", default="ptxas")
    parser.add_argument("--record", action="store_true", help="write what is found as what is expected")
    parser.add_argument("--part", metavar="K/N", help="each N-th kernel only; commit/N: which, the commit says (tests/rotation.py)")
    arguments = parser.parse_args()
    if arguments.record and arguments.part:
        parser.error("--record writes the whole table: leave --part out")
    for module, asked in ((product_quality, arguments.products), (agent_quality, arguments.agents),
                            (cluster_quality, arguments.clusters), (tensor_quality, arguments.tensor),
                            (memory_quality, arguments.memory), (chip_quality, arguments.chip)):
        if asked:
            return examine_table(module, arguments)
    kernels = [run.OwnKernel(path.parent) for path in sorted(run.HERE.glob("*/case.py"))]
    has_corpus = arguments.corpus and arguments.corpus.is_dir()
    if has_corpus:
        tool = run.load_module(arguments.corpus / "cutile_case.py", "cutile_case")
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
    if not has_corpus:
        print("SKIP: there is no corpus; set TILEIRAS_CORPUS to examine other people's kernels")
    return 1 if bad or not examined else 0 if has_corpus else 77


if __name__ == "__main__":
    sys.exit(main())
