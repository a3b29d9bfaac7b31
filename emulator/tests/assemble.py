#!/usr/bin/env python3
"""Assembles the generated PTX, NAME.sm_100a.ptx, for the architecture that each name ends in.

  assemble.py PTXAS FOLDER [--part K/N]    every N-th file; which parts there are says rotation.py"""

import argparse
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests"))
import rotation  # noqa: E402


def assemble(ptxas, file):
    """What ptxas has against it; nothing if it takes the file."""
    target = file.name.split(".")[-2]
    done = subprocess.run([ptxas, "-O0", f"-arch={target}", "-o", os.devnull, file], capture_output=True, text=True,
                          check=False)
    return f"{file}:\n{done.stdout}{done.stderr}" if done.returncode else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ptxas")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--part", default="0/1", metavar="K/N")
    arguments = parser.parse_args()
    if not shutil.which(arguments.ptxas):
        print("ptxas not found: the generated PTX is not assembled")
        return 0
    files = sorted(arguments.folder.glob("*.ptx"))
    if not files:
        sys.exit(f"there is no generated PTX in {arguments.folder}")
    chosen = rotation.choose_part(files, arguments.part, "files")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        failures = [text for text in pool.map(lambda file: assemble(arguments.ptxas, file), chosen) if text]
    print("\n".join(failures))
    print(f"ptxas refuses {len(failures)} of {len(chosen)} files")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
