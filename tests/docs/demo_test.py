#!/usr/bin/env python3
"""Runs the steps of scripts/demo on a build and checks that each shows what it is there for."""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

WIDEST = 140  # characters of a line of the log

# What each step has to say, as regular expressions.
STEPS = {
    "plugins": [r"^sm90 +target\b", r"^sm_100 +sm100$"],
    "passes of -O3 for sm_90": [r"^tileas-generate-schedule\b|\btileas-generate-schedule\{"],
    "compile tests/kernels/matmul_f16/kernel.mlir": [r" matmul_f16\.sm_80\.ptx$", r" matmul_f16\.sm_100\.ptx$"],
    "remarks and schedules": [r"matmul\.mlir:\d+:\d+: remark: .*LoopSchedule", r"attention\.mlir:\d+:\d+: remark: .*LoopSchedule",
                              r"^matmul\.sm_90\.svg$", r"^attention\.sm_90\.svg$"],
    "what the kernels use": [],
    "run it": [r"clean, agrees with what is expected|agrees with what is expected"],
    "next": [r"^  tileiras-run \S+ --launch \S+"],
}
# Rows of the table: which instructions each kernel has, which it has not.
ROWS = {
    ("matmul_f16", "sm_80"): ({"mma"}, {"wgmma", "tcgen05"}),
    ("matmul_f16", "sm_90"): ({"wgmma", "TMA"}, {"mma", "tcgen05"}),
    ("matmul_f16", "sm_100"): ({"tcgen05", "TMA"}, {"mma", "wgmma"}),
    ("matmul", "sm_90"): ({"wgmma", "TMA"}, {"mma", "tcgen05"}),
    ("matmul", "sm_100"): ({"tcgen05", "TMA"}, {"mma", "wgmma"}),
    ("attention", "sm_90"): ({"wgmma", "TMA"}, {"mma", "tcgen05"}),
    ("attention", "sm_100"): ({"tcgen05", "TMA"}, {"mma", "wgmma"}),
}


def sections(log):
    """{title: lines} of a log whose steps begin with '== title'."""
    found = {}
    for line in log.splitlines():
        if line.startswith("== "):
            found[line[3:]] = []
        elif found and line:
            next(reversed(found.values())).append(line)
    return found


def table_problems(lines):
    if not lines:
        return ["there is no table"]
    instructions = lines[0].split()[-4:]
    rows = {}
    for line in lines[1:]:
        cells = line.split()
        rows[cells[0], cells[1]] = cells[2:]
    problems = [f"unexpected row: {row}" for row in rows.keys() - ROWS.keys()]
    for (kernel, gpu), (present, absent) in ROWS.items():
        if (kernel, gpu) not in rows:
            problems.append(f"no row of {kernel} for {gpu}")
            continue
        cells = rows[kernel, gpu]
        counts = dict(zip(instructions, map(int, cells[-4:])))
        problems += [f"{kernel} for {gpu} has no {name}" for name in present if not counts.get(name)]
        problems += [f"{kernel} for {gpu} has {name}" for name in absent if counts.get(name)]
        if cells[0] != "-" and not 16 <= int(cells[0]) <= 255:
            problems.append(f"{kernel} for {gpu} has {cells[0]} registers")
    return problems


def problems_of(log, output):
    """What the log and the files of a run of the demo lack."""
    found = sections(log)
    problems = []
    for title, patterns in STEPS.items():
        if title not in found:
            problems.append(f"step '{title}' is missing")
            continue
        text = "\n".join(found[title])
        problems += [f"step '{title}' does not say '{pattern}'" for pattern in patterns if not re.search(pattern, text, re.MULTILINE)]
    problems += table_problems(found.get("what the kernels use", []))
    problems += [f"a line of {len(line)} characters: {line[:80]}…" for line in log.splitlines() if len(line) > WIDEST]
    for name in ("matmul.sm_90", "attention.sm_90"):
        picture = output / f"{name}.svg"
        if not picture.is_file() or "</svg>" not in picture.read_text(encoding="utf-8"):
            problems.append(f"there is no picture {picture.name}")
    return problems


def self_test():
    """Logs that lack one thing each are found out."""
    rows = ["kernel gpu registers spilled shared memory block mma wgmma tcgen05 TMA"]
    for (kernel, gpu), (present, _) in ROWS.items():
        rows.append(" ".join([kernel, gpu, "99", "0", "512", "128", *(str(int(name in present)) for name in rows[0].split()[-4:])]))
    said = {"plugins": ["sm90 target", "sm_100 sm100"], "passes of -O3 for sm_90": ["tileas-generate-schedule{x=1},"],
            "compile tests/kernels/matmul_f16/kernel.mlir": ["- matmul_f16.sm_80.ptx", "- matmul_f16.sm_100.ptx"],
            "remarks and schedules": ["matmul.mlir:1:1: remark: LoopSchedule", "attention.mlir:1:1: remark: LoopSchedule",
                                      "matmul.sm_90.svg", "attention.sm_90.svg"],
            "what the kernels use": rows, "run it": ["emulator: clean, agrees with what is expected"],
            "next": ["  tileiras-run kernel.mlir --launch launch.json"]}
    lines = [line for title, content in said.items() for line in ["== " + title, *content]]
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder)
        for name in ("matmul", "attention"):
            (output / f"{name}.sm_90.svg").write_text("<svg></svg>", encoding="utf-8")
        missed = [f"a whole log: {problem}" for problem in problems_of("\n".join(lines), output)]
        for index, line in enumerate(lines):
            if line is not rows[0] and not problems_of("\n".join(lines[:index] + lines[index + 1:]), output):
                missed.append(f"without '{line}'")
        if not problems_of("\n".join([*lines, "x" * 200]), output):
            missed.append("a wide line")
        (output / "matmul.sm_90.svg").unlink()
        if not problems_of("\n".join(lines), output):
            missed.append("without a picture")
    for what in missed:
        print(f"MISSED: {what}")
    return 1 if missed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--demo", type=pathlib.Path, help="scripts/demo-steps")
    parser.add_argument("--build", type=pathlib.Path)
    parser.add_argument("--output", type=pathlib.Path)
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    done = subprocess.run([arguments.demo, arguments.build, arguments.output], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    print(done.stdout)
    # How deep the folders are is not the demo's doing.
    log = done.stdout
    for name, path in (("OUTPUT", arguments.output), ("BUILD", arguments.build)):
        log = log.replace(str(path.resolve()), name)
    problems = problems_of(log, arguments.output)
    if done.returncode != 0:
        problems.insert(0, f"exit status {done.returncode}")
    for problem in problems:
        print(f"error: the demo: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
