#!/usr/bin/env python3
"""Programs of `reports` in the corpus: what failed once when people tried. Each runs on the emulator, on every generation
of GPUs, with every profile that pipelines, and is compared with its expected results; those without a launch are assembled.

  reports.py --run FILE --tileiras FILE [--gpu CHIP[,CHIP]] [NAME…]

Exit code 77: there is no corpus here.
"""

import argparse
import concurrent.futures
import itertools
import os
import pathlib
import subprocess
import sys
import tempfile

CHIPS = ("sm_75", "sm_80", "sm_90", "sm_100", "sm_103", "sm_120")
PLANS = (["-O0"], ["-O3"], ["--profile", "o3-ws"], ["--profile", "o3-unspecialized"])
SKIPPED = 77


def examine(program, chip, plan, arguments):
    """What is wrong, or nothing."""
    launch = program.parent / "launch.json"
    with tempfile.TemporaryDirectory(prefix="tileiras-") as folder:
        if launch.exists():
            command = [arguments.run, str(program), "--launch", str(launch), "--on", "emulator", "--seeds", "2"]
        else:
            command = [arguments.tileiras, str(program), "-o", f"{folder}/k.cubin"]
        result = subprocess.run([*command, "--gpu-name", chip, *plan], capture_output=True, text=True, errors="replace")
    return "" if result.returncode == 0 else f"{program.parent.name}, {chip} {' '.join(plan)}: {result.stdout}{result.stderr}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--run", required=True)
    parser.add_argument("--tileiras", required=True)
    parser.add_argument("--gpu", default=",".join(CHIPS))
    parser.add_argument("-j", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    folder = pathlib.Path(os.environ.get("TILEIRAS_CORPUS", "")) / "reports"
    programs = [path for path in sorted(folder.glob("*/kernel.mlir"))
                if not arguments.names or path.parent.name in arguments.names]
    if not folder.is_dir() or not programs:
        print(f"skipped: no reports in '{folder}'")
        return SKIPPED
    tries = list(itertools.product(programs, arguments.gpu.split(","), PLANS))
    with concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
        wrong = [text for text in pool.map(lambda each: examine(*each, arguments), tries) if text]
    print("\n".join(wrong))
    print(f"{len(tries)} runs of {len(programs)} programs, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
