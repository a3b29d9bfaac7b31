#!/usr/bin/env python3
"""An option has an effect on what is compiled, or the compiler says that it has none: at every opt-level.

  idle_options.py --tileiras FILE [-j N]

Each option of --print-reference gets another value than its default, and a matmul is compiled with it. Where no warning names
the option, other passes run, or the same with other options, or the output is another one. Tuning figures are a part of the
chip, which is always asked for: `kernels/tuning` has them.
"""

import argparse
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tempfile

import run

LEVELS = ("0", "1", "2", "3")
KERNEL = run.HERE / "matmul_f16" / "kernel.mlir"
# Values of texts, and where the last choice is that of o3; files and folders are below the folder of the test.
TEXTS = {"compute-capability": "sm_100", "scheduler.name": "serial", "raster": "row", "warnings": "no-slow-mma",
         "pipeline-strategy": "unspecialize", "hard-failures": "tileas-queue-to-pipeline",
         "soft-failures": "tileas-queue-to-pipeline"}
FILES = {"dump-schedule-problems": "problems", "schedule-svg": "loops.svg", "schedule-trace-file": "trace.json"}
# Said of what the compiler tells, not of what it makes.
ABOUT_WARNINGS = {"warnings"}


def choose_value(option, folder):
    """Another value than the default."""
    name, kind, default, values = (option[key] for key in ("name", "kind", "default", "values"))
    if name in FILES:
        return str(folder / FILES[name])
    if name in TEXTS or kind == "text":
        return TEXTS[name]
    if kind == "flag":
        return "false" if default == "true" else "true"
    if "…" in values:
        most = values.split("…")[1]
        return str(int(default) // 2) if most == default else str(int(default) + 1)
    choices = [value.strip() for value in values.split(",")]
    return next(value for value in reversed(choices) if value != default)


def check(tileiras, option, level, plain, folder):
    """What is wrong, or nothing."""
    value = choose_value(option, folder)
    if option["name"] == "opt-level":
        value = "2" if level == "3" else "3"
    folder.mkdir()
    chip = [] if option["name"] == "compute-capability" else ["--gpu-name", "sm_90"]
    setting = [f"-O{level}", *chip, "--emit=ptx", "--set", f"{option['name']}={value}"]
    result = subprocess.run([tileiras, KERNEL, *setting, "-o", folder / "kernel.ptx"], capture_output=True, text=True, errors="replace")
    where = f"-O{level} --set {option['name']}={value}"
    is_reported = f"option '{option['name']}' (--set) had no effect" in result.stderr and "[-Wunused-option]" in result.stderr
    if result.returncode:  # the same as a report
        return None if "optimized debugging is not supported" in result.stderr else f"{where}: {result.stderr}"
    passes = subprocess.run([tileiras, *setting, "--print-pipeline"], capture_output=True, text=True, check=True).stdout
    ptx = (folder / "kernel.ptx").read_text()
    has_effect = (passes, ptx) != plain or option["name"] in ABOUT_WARNINGS
    if has_effect and is_reported:
        return f"{where}: has an effect, and is said to have none"
    return None if has_effect or is_reported else f"{where}: has no effect, and nobody says so"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tileiras", required=True)
    parser.add_argument("-j", type=int, default=2)
    arguments = parser.parse_args()
    reference = json.loads(subprocess.run([arguments.tileiras, "--print-reference"], capture_output=True, text=True, check=True).stdout)
    options = [option for option in reference["options"]
               if not option["name"].startswith("tuning.") and not option["readOnly"]]
    mistakes, jobs = [], []
    with tempfile.TemporaryDirectory(prefix="tileiras-") as temporary, concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
        for level in LEVELS:
            setting = [f"-O{level}", "--gpu-name", "sm_90", "--emit=ptx"]
            plain = tuple(subprocess.run([arguments.tileiras, *what, *setting], capture_output=True, text=True, check=True).stdout
                          for what in (["--print-pipeline"], [KERNEL, "-o", "-"]))
            for option in options:
                folder = pathlib.Path(temporary) / f"{level}-{option['name']}"
                jobs.append(pool.submit(check, arguments.tileiras, option, level, plain, folder))
        mistakes = [job.result() for job in jobs if job.result()]
    print("\n".join(mistakes))
    print(f"{len(options)} options, {len(LEVELS)} levels, {len(mistakes)} wrong")
    sys.exit(1 if mistakes or not options else 0)


if __name__ == "__main__":
    main()
