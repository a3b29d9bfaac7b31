#!/usr/bin/python3
"""Compares the reference interpreter, and compiled code on the emulator, with a table of edge values that is derived from the
language's specification alone (operations.py).

  edge_values.py --interpreter FILE [--tileiras FILE --emulator FILE] [--gpu sm_80,sm_90] [--levels 0,3] [--forms loaded,constant]
                 [--only REGEX] [--sample N] [-j N]

Every entry goes through the interpreter. Compiled code is compared for each chip and level; with `--sample N` every N-th
combination of program, chip and level (where N and the number of chips and levels have no common factor, all come).
Entries that the language leaves undefined, or says too little of, are counted, with the citation. The exit code is 0 where all
agree.
"""

import argparse
import collections
import concurrent.futures
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from formats import FORMATS, is_nan  # noqa: E402
from operations import OPERATIONS, Skipped, edges  # noqa: E402
from programs import FORMS, from_bytes, make_programs  # noqa: E402

OPERATIONS_EACH = 16
LONGEST = 600  # seconds


def evaluate(only):
    """The table: (operation, rows) and how many entries are left out, by citation."""
    table, skipped = [], collections.Counter()
    for operation in OPERATIONS:
        if not re.search(only, operation.name):
            continue
        rows = []
        for operands in itertools.product(*edges(operation)):
            try:
                rows.append((operands, operation.function(*operands)))
            except Skipped as reason:
                skipped[str(reason)] += 1
        table.append((operation, rows))
    return table, skipped


def agrees(operation, wanted, found):
    mask = ~((1 << getattr(FORMATS[operation.result], "padding", 0)) - 1)
    if wanted & mask == found & mask:
        return True
    return not operation.is_bitwise and is_nan(operation.result, wanted) and is_nan(operation.result, found)


def describe(operation, operands, wanted, found):
    texts = [f"{kind} 0x{code:x}" for kind, code in zip(operation.operands, operands)]
    return f"of {', '.join(texts)} is 0x{found:x}, the table has 0x{wanted:x} ({operation.sentence})"


def find_differences(program, folder):
    """One line an operation: its first difference."""
    lines = []
    for operation, rows, buffer in program.results:
        found = from_bytes(operation.result, (folder / f"{buffer}.bin").read_bytes())
        wrong = [(operands, wanted, code) for (operands, wanted), code in zip(rows, found) if not agrees(operation, wanted, code)]
        if wrong:
            lines.append(f"{operation.name}: {describe(operation, *wrong[0])}; {len(wrong)} of {len(rows)} differ")
    return lines


def run(command, folder):
    try:
        result = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return f"{command[0]} took more than {LONGEST} s"
    if result.returncode == 0:
        return None
    output = (result.stderr or result.stdout).strip().splitlines()
    return f"{os.path.basename(command[0])} ended with {result.returncode}: {' | '.join(output[:3])[:600]}"


def check(program, arguments, targets):
    """All that is wrong with a program, as lines."""
    lines = []
    with tempfile.TemporaryDirectory(prefix="edge-values-") as temporary:
        folder = pathlib.Path(temporary)
        (folder / "kernel.mlir").write_text(program.text())
        (folder / "launch.json").write_text(program.launch())
        for name, data in program.files.items():
            (folder / name).write_bytes(data)

        def look(where, *commands):
            for _, _, buffer in program.results:
                (folder / f"{buffer}.bin").unlink(missing_ok=True)
            for command in commands:
                if failure := run(command, folder):
                    lines.append(f"{where}: {program.results[0][0].name} …: {failure}")
                    return
            lines.extend(f"{where}: {line}" for line in find_differences(program, folder))

        launch = ["--launch", "launch.json"]
        look("interpreter", [arguments.interpreter, "kernel.mlir", *launch, "--quiet"])
        for gpu, level in targets:
            look(f"{gpu} -O{level}", [arguments.tileiras, "kernel.mlir", "-o", "kernel.ptx", "--gpu-name", gpu, f"-O{level}"],
                 [arguments.emulator, "run", "kernel.ptx", *launch])
        if lines and arguments.keep:
            kept = pathlib.Path(arguments.keep) / f"{program.results[0][0].name.replace(' ', '-').replace('<', '-').replace('>', '')}"
            kept.mkdir(parents=True, exist_ok=True)
            for file in folder.iterdir():
                (kept / file.name).write_bytes(file.read_bytes())
    return lines


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--interpreter", required=True)
    parser.add_argument("--tileiras")
    parser.add_argument("--emulator")
    parser.add_argument("--gpu", default="sm_90")
    parser.add_argument("--levels", default="0,3")
    parser.add_argument("--forms", default=",".join(FORMS))
    parser.add_argument("--only", default="")
    parser.add_argument("--sample", type=int, default=1)
    parser.add_argument("--keep", help="a folder for programs that go wrong")
    parser.add_argument("-j", type=int, default=1)
    arguments = parser.parse_args()
    if bool(arguments.tileiras) != bool(arguments.emulator):
        parser.error("--tileiras and --emulator go together")
    return arguments


def main():
    arguments = parse()
    table, skipped = evaluate(arguments.only)
    programs = [(form, program) for form in arguments.forms.split(",") for program in make_programs(table, form, OPERATIONS_EACH)]
    targets = list(itertools.product(arguments.gpu.split(","), arguments.levels.split(","))) if arguments.tileiras else []
    combinations = [[] for _ in programs]
    for number, (index, target) in enumerate(itertools.product(range(len(programs)), targets)):
        if number % arguments.sample == 0:
            combinations[index].append(target)
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
        jobs = [pool.submit(check, program, arguments, chosen) for (_, program), chosen in zip(programs, combinations)]
        for (form, _), job in zip(programs, jobs):
            for line in job.result():
                failures += 1
                print(f"FAIL {form}, {line}", flush=True)
    entries = sum(len(rows) for _, rows in table)
    compiled = sum(len(rows) for (_, program), chosen in zip(programs, combinations) for _, rows, _ in program.results for _ in chosen)
    print(f"{len(table)} operations, {entries} entries; {len(programs)} programs; {compiled} results of compiled code")
    for reason, count in skipped.most_common():
        print(f"  {count} entries left out: {reason}")
    if not entries or targets and not compiled:
        print("error: nothing was compared")
        return 2
    print(f"{failures} disagreements")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
