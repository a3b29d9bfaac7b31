#!/usr/bin/env python3
"""Nothing but speed depends on the figures of a tuning model: each is set to the least that it may be and to eight times
what it is, and kernels are right all the same.

  tuning.py --tileiras FILE --emulator FILE [--entry NAME] [--part K/N] [--all] [-j N]

Each value meets a kernel with MMAs and another, on a GPU and with a profile that the commit chooses. With `--all` it meets
all of them everywhere, and an entry by which no kernel's code changes is named.
"""

import argparse
import concurrent.futures
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

import run
import small_kernels

# Where values differ most; a kernel of each list is taken.
PLACES = tuple(itertools.product(("sm_75", "sm_80", "sm_90", "sm_100"), ("o3", "o3-ws")))
MATMULS = small_kernels.MATMULS + (("matmul_large_tile", ()),)


def read_entries(tileiras):
    """{option: (its default, the least)} of the tuning model."""
    reference = json.loads(subprocess.run([tileiras, "--print-reference"], check=True, capture_output=True, text=True).stdout)
    return {option["name"]: (int(option["default"]), int(option["values"].split("\u2026")[0]))
            for option in reference["options"] if option["name"].startswith("tuning.")}


def choose_cases(number, everything):
    """Kernel, its options, GPU and profile."""
    if everything:
        for (kernel, options), (gpu, profile) in itertools.product(MATMULS + small_kernels.OTHERS, PLACES):
            yield kernel, options, gpu, profile
        return
    number += run.rotation.get_rotation()
    for kernels in (MATMULS, small_kernels.OTHERS):
        kernel, options = kernels[number % len(kernels)]
        yield kernel, options, *PLACES[number // len(kernels) % len(PLACES)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tileiras", required=True)
    parser.add_argument("--emulator", required=True)
    parser.add_argument("--entry", action="append", help="instead of all of them")
    parser.add_argument("--part", metavar="K/N", help="take only a part of the values")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("-j", type=int, default=2)
    arguments = parser.parse_args()
    values = [(option, value) for option, (default, least) in read_entries(arguments.tileiras).items()
              for value in (least, 8 * default) if not arguments.entry or option in arguments.entry]
    values = run.choose_part(values, arguments.part, "values")
    kernels = small_kernels.load(MATMULS + small_kernels.OTHERS)
    jobs = [(option, value, *case) for number, (option, value) in enumerate(values)
            for case in choose_cases(number, arguments.all)]
    mistakes, code, effective = [], {}, set()
    with tempfile.TemporaryDirectory(prefix="tileiras-") as temporary, \
            concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:

        def check(number, job):
            option, value, kernel, options, gpu, profile = job
            folder = pathlib.Path(temporary) / str(number)
            changed = ["--set", f"{option}={value}"] if option else []
            failure = run.check_on_emulator(kernels[kernel], gpu, ["--profile", profile, *changed, *options], folder,
                                            arguments.tileiras, arguments.emulator)
            return failure, None if failure else (folder / "kernel.ptx").read_text(encoding="utf-8")

        unchanged = [(None, 0, *case) for case in dict.fromkeys(job[2:] for job in jobs)] if arguments.all else []
        for job, (failure, ptx) in zip(unchanged + jobs, pool.map(check, itertools.count(), unchanged + jobs)):
            option, value, *case = job
            if failure:
                mistakes.append(f"{option}={value}, {case}: {failure}")
            elif option is None:
                code[tuple(case)] = ptx
            elif arguments.all and ptx != code.get(tuple(case)):
                effective.add(option)
    if arguments.all:
        for option in dict.fromkeys(option for option, _ in values if option not in effective):
            print(f"no kernel's code changes by {option}")
    print("\n".join(mistakes))
    print(f"{len(jobs)} kernels run, {len(mistakes)} wrong")
    sys.exit(1 if mistakes or not jobs else 0)


if __name__ == "__main__":
    main()
