#!/usr/bin/env python3
"""The check of growth sees compilers whose work grows too fast, and does not refuse those whose work does not.

The compilers are this file itself: called with a kind of growth, it works that much for each line of its input.
"""

import argparse
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
STEPS = 20 # for a line, of nothing but counting


def work(kind, source):
    lines = pathlib.Path(source).read_text(encoding="utf-8").count("\n")
    count = {"linear": lines * 500, "logarithmic": lines * lines.bit_length() * 50, "quadratic": lines * lines,
             "exponential": 2 ** (lines // 40)}[kind]
    total = 0
    for step in range(count * STEPS):
        total += step


def is_accepted(kind, count):
    result = subprocess.run([sys.executable, HERE / "growth.py", "--tileiras", f"{sys.executable} {__file__} {kind}",
                             "--count", count, "--limit", "3" if count == "time" else "2.6", "--runs", "5",
                             "scalars:200" if count == "time" else "scalars:60"],
                            capture_output=True, text=True)
    print(f"{kind}, {count}: {result.returncode}\n{result.stdout}{result.stderr}")
    return None if result.returncode == 77 else result.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", default="time", choices=["time", "instructions"])
    arguments = parser.parse_args()
    kinds = ("linear", "logarithmic", "quadratic", "exponential")
    answers = {kind: is_accepted(kind, arguments.count) for kind in kinds}
    if None in answers.values():
        sys.exit(77)
    if answers != {"linear": True, "logarithmic": True, "quadratic": False, "exponential": False}:
        sys.exit(f"accepted: {answers}")


if __name__ == "__main__":
    if len(sys.argv) > 2 and not sys.argv[1].startswith("-"):
        work(sys.argv[1], sys.argv[2])
    else:
        main()
