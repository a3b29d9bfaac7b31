#!/usr/bin/env python3
"""Every tier and strategy lowers what the dialects can say, and what each of them makes computes the same.

  tiers.py --tileiras FILE --emulator FILE [-j N]

Programs written in nv_tileaa and nv_tileas (folder lowered), with queues, pipelines and agents of their own, and small kernels
with loops of loads and MMAs are compiled by each plan for the chips below, run on the emulator and compared. What
`--emit=tileas` prints of the small ones is compiled again: the PTX is that of the kernel itself.
"""

import argparse
import concurrent.futures
import itertools
import pathlib
import subprocess
import sys
import tempfile

import run
import small_kernels

CHIPS = ("sm_75", "sm_80", "sm_90", "sm_100")


def of_v2(level, strategy, *tier):
    return (*tier, "--set", f"v2-opt-level={level}", "--set", f"pipeline-strategy={strategy}")


PLANS = (("-O0",), ("-O1",), ("-O2",), ("-O3",), ("--profile", "o3-ws"), ("--profile", "o3-unspecialized"),
         ("-O3", "--set", "pipeline-strategy=none"), of_v2(0, "warp-specialize", "-O3"), of_v2(1, "auto", "-O3"),
         of_v2(2, "warp-specialize", "-O3"), of_v2(3, "auto", "-O2"), of_v2(1, "unspecialize", "-O2"))
KERNELS = (small_kernels.MATMULS[0], small_kernels.MATMULS[1], ("vector_add", ()), ("softmax", ()))


def recompile(kernel, chip, options, folder, tileiras):
    """Why what --emit=tileas prints makes other PTX than the kernel, or nothing."""
    folder.mkdir()
    base = ["--gpu-name", chip, *options]
    lowered, direct, again = (folder / name for name in ("kernel.mlir", "direct.ptx", "again.ptx"))
    for source, more in ((kernel.source, ["--emit=tileas", "-o", lowered]), (kernel.source, ["-o", direct]),
                         (lowered, ["-o", again])):
        result = subprocess.run([tileiras, source, *base, *more], capture_output=True, text=True, errors="replace")
        if result.returncode:
            return result.stderr
    return None if direct.read_text() == again.read_text() else "what --emit=tileas prints becomes other PTX"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tileiras", required=True)
    parser.add_argument("--emulator", required=True)
    parser.add_argument("-j", type=int, default=2)
    arguments = parser.parse_args()
    lowered = [run.OwnKernel(path.parent) for path in sorted((run.HERE / "lowered").glob("*/case.py"))]
    small = [run.OwnKernel(run.HERE / name) for name, _ in KERNELS]
    with tempfile.TemporaryDirectory(prefix="tileiras-") as temporary, \
            concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
        folders = (pathlib.Path(temporary) / str(number) for number in itertools.count())
        jobs = []
        for kernel, chip, plan in itertools.product(lowered + small, CHIPS, PLANS):
            if chip in ("sm_75", "sm_80") and any(word in kernel.source.read_text() for word in ("agent_switch", "nv_tileaa.execute")):
                continue  # it has no agents
            jobs.append((f"{kernel.name} {' '.join(plan)} on {chip}",
                         pool.submit(run.check_on_emulator, kernel, chip, plan, next(folders), arguments.tileiras,
                                     arguments.emulator)))
        for kernel, chip, plan in itertools.product(small, CHIPS, PLANS):
            jobs.append((f"{kernel.name} {' '.join(plan)} on {chip}, again from nv_tileas",
                         pool.submit(recompile, kernel, chip, plan, next(folders), arguments.tileiras)))
        mistakes = [f"{name}: {job.result()}" for name, job in jobs if job.result()]
    print("\n".join(mistakes))
    print(f"{len(lowered)} programs and {len(small)} kernels, {len(PLANS)} plans, {len(mistakes)} of {len(jobs)} wrong")
    sys.exit(1 if mistakes or not lowered else 0)


if __name__ == "__main__":
    main()
