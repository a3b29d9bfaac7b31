#!/usr/bin/env python3
"""Hints never make a compilation fail: kernels with every hint, compiled and assembled by ptxas.

  hint_limits.py --tileiras FILE [--sample N] [--seed N]

A case is a kernel, the hints num_worker_warps_per_cta, occupancy and num_cta_in_cga (each may be missing), a chip and a
tier or profile. `--sample` takes that many of them at random (0: all, for days); without `--seed` the commit
says which. The sample holds every kernel, chip and tier, if it is large enough. What fails is printed as a command line.
"""

import argparse
import concurrent.futures
import itertools
import pathlib
import random
import shlex
import subprocess
import sys
import tempfile

import attention_kernels
import layer_kernels
import memory_kernels
import products

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import rotation  # noqa: E402

WARPS = (None, 1, 2, 4, 8, 16)
OCCUPANCIES = (None, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32)
CTAS = (None, 1, 2, 4, 16)
TIERS = ("-O0", "-O1", "-O2", "-O3", "--profile=o3-ws", "--profile=o3-unspecialized")
CHIPS = ("sm_75", "sm_80", "sm_90", "sm_100", "sm_103f", "sm_110", "sm_120")
KERNELS = {
    "matmul_64x64x32": lambda: products.matmul("f16", (64, 64, 32)),
    "matmul_128x128x64": lambda: products.matmul("f16", (128, 128, 64)),
    "matmul_128x256x64": lambda: products.matmul("bf16", (128, 256, 64)),
    "matmul_tf32": lambda: products.matmul("tf32", (128, 64, 32)),
    "matmul_fp8": lambda: products.matmul("e4m3", (128, 128, 128), "nt"),
    "attention": lambda: attention_kernels.attention(64),
    "attention_128": lambda: attention_kernels.attention(128, causal=True),
    "grouped": lambda: products.grouped((64, 128, 64)),
    "layer_norm": lambda: layer_kernels.layer_norm("f16", 4, 1024),
    "row_sum": lambda: memory_kernels.row_sum("f32", 4, 1024, 2048),
}


def add_hints(text, hints):
    """After the entry's parameters."""
    if not hints:
        return text
    listed = ", ".join(f"{name} = {value}" for name, value in hints.items())
    head, body = text.split(") {\n", 1)
    return f"{head}) optimization_hints=<default = {{{listed}}}> {{\n{body}"


def list_cases():
    for kernel, chip, tier, warps, occupancy, ctas in itertools.product(KERNELS, CHIPS, TIERS, WARPS, OCCUPANCIES, CTAS):
        hints = {"num_worker_warps_per_cta": warps, "occupancy": occupancy, "num_cta_in_cga": ctas}
        yield kernel, chip, tier, {name: value for name, value in hints.items() if value is not None}


def choose(cases, count, seed):
    """Kernels, chips and tiers alternately, so that few cases hold all of them."""
    if not count:
        return cases
    generator = random.Random(seed)
    by_kind = {}
    for case in cases:
        by_kind.setdefault(case[:3], []).append(case)
    of_kernel = {name: [kind for kind in by_kind if kind[0] == name] for name in KERNELS}
    for kinds in of_kernel.values():
        generator.shuffle(kinds)
    rounds = zip(*(itertools.cycle(kinds) for kinds in of_kernel.values()))
    kinds = itertools.islice(itertools.chain.from_iterable(rounds), count)
    return [generator.choice(by_kind[kind]) for kind in kinds]


def compile_case(case, texts, tileiras, folder):
    """Why it failed, or nothing."""
    number, (kernel, chip, tier, hints) = case
    source = folder / f"{number}.mlir"
    source.write_text(add_hints(texts[kernel], hints), encoding="utf-8")
    command = [tileiras, str(source), "--gpu-name", chip, tier, "-o", str(folder / f"{number}.cubin")]
    try:
        result = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=600)
    except subprocess.TimeoutExpired:
        return "took more than 600 s"
    source.unlink()
    return None if result.returncode == 0 else result.stderr.strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tileiras", required=True)
    parser.add_argument("--sample", type=int, default=0, metavar="N")
    parser.add_argument("--seed", type=int, default=rotation.get_rotation(), metavar="N")
    parser.add_argument("--chip", action="append", choices=CHIPS)
    parser.add_argument("-j", "--jobs", type=int, default=2)
    arguments = parser.parse_args()
    cases = [case for case in list_cases() if not arguments.chip or case[1] in arguments.chip]
    cases = choose(cases, arguments.sample, arguments.seed)
    texts = {name: make().text for name, make in KERNELS.items()}
    failures = 0
    with tempfile.TemporaryDirectory(prefix="tileiras-") as folder, \
            concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        work = lambda case: compile_case(case, texts, arguments.tileiras, pathlib.Path(folder))  # noqa: E731
        for case, failure in zip(cases, pool.map(work, enumerate(cases))):
            if failure:
                failures += 1
                kernel, chip, tier, hints = case
                print(f"{kernel} {hints} --gpu-name {chip} {shlex.quote(tier)}\n    {failure[:600]}", flush=True)
    print(f"{len(cases)} cases (seed {arguments.seed}), {failures} failed")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
