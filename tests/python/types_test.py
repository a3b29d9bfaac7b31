#!/usr/bin/env python3
"""types_test.py PACKAGE CACHE: has mypy look at the package, and at a program that uses it wrongly. 77: there is no mypy."""

import importlib.util
import pathlib
import subprocess
import sys

WRONG = """import tileiras
kernel: str = tileiras.compile("kernel.mlir", "sm_90")
tileiras.run(kernel, grid="8")
tileiras.time(tileiras.compile("kernel.mlir", gpu=90), 1).microseconds.real
"""


def check(*arguments):
    result = subprocess.run([sys.executable, "-m", "mypy", "--ignore-missing-imports", f"--cache-dir={sys.argv[2]}", *arguments],
                            capture_output=True, text=True)
    return result.returncode, result.stdout + result.stderr


if importlib.util.find_spec("mypy") is None:
    print("SKIPPED: mypy is not installed (scripts/install-dependencies does)")
    sys.exit(77)
code, told = check("--disallow-untyped-defs", "--no-implicit-optional", sys.argv[1])
assert code == 0, told
code, told = check("-c", WRONG)
assert code == 1 and all(f"<string>:{line}: error" in told for line in (2, 3, 4)), told
print(pathlib.Path(sys.argv[1]).name, "is as its annotations say; three mistakes of a program that uses it are found")
