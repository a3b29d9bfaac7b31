#!/usr/bin/env python3
"""Writes COVERAGE.md: every operation of the language on every element type, and the chips that agree.

  generate_coverage.py INTERPRETER DIFFERENTIAL           print the table
  generate_coverage.py INTERPRETER DIFFERENTIAL --check   compare it with COVERAGE.md beside this script

A cell is made by running: tileiras-differential has small programs for each operation and type (--sweep types), and its
verdicts on those that the verifier accepts decide, on each of the chips CHIPS. `--gpu CHIP,CHIP` runs fewer of them and
takes the kept table's word for the others; the chip `rotating` is one of them, which depends on the commit.

yes                        interpreted by the reference, compiled, run on the emulator, with the same results, on every
                           chip
-                          the language does not have it
not sm_75, sm_80           refused by the compiler there, since the chips cannot do it; elsewhere as above
**wrong result on sm_80**  anything else: what went wrong where
"""

import argparse
import collections
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests"))
import rotation  # noqa: E402

TABLE = HERE / "COVERAGE.md"
TYPES = ("i1", "i4", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "tf32", "f64", "f8E4M3FN", "f8E5M2", "f8E8M0FNU",
         "f4E2M1FN")
CHIPS = ("sm_75", "sm_80", "sm_89", "sm_90", "sm_100", "sm_120")
AGREE, REFUSED, ABSENT = "agreement", "refused", "not in the language"


def interpreted_operations(interpreter):
    """name -> exactness of the interpreter's results; None where it has none"""
    text = subprocess.run([interpreter, "--list-operations"], check=True, capture_output=True, text=True).stdout
    rows = (line.split("\t") for line in text.splitlines())
    return {name: exactness if answer == "yes" else None for name, answer, exactness in rows}


def run_programs(differential, chip):
    """(operation, type) -> the worst verdict on the programs that the language has"""
    verdicts = collections.defaultdict(set)
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder) / "types.tsv"
        done = subprocess.run([differential, "--sweep", "types", "--gpu", chip, "--levels", "3", "--schedules", "1",
                               "--quiet", "--table", table], check=False, capture_output=True, text=True)
        if done.returncode not in (0, 1):
            sys.exit(f"{differential} failed: {done.stderr}")
        for line in table.read_text(encoding="utf-8").splitlines():
            name, verdict, _ = line.split("\t", 2)
            operation, element, _ = name.split(" ")
            if verdict != ABSENT:
                verdicts[operation, element].add(verdict)
    return {cell: min(found, key=lambda verdict: (verdict in (AGREE, REFUSED), verdict == AGREE, verdict))
            for cell, found in verdicts.items()}


def write_cell(verdicts):
    """The text of a cell, from chip -> verdict."""
    if not verdicts:
        return "-"
    groups = collections.defaultdict(list)
    for chip in CHIPS:
        groups[verdicts[chip]].append(chip)
    failures = [f"**{verdict} on {', '.join(chips)}**" for verdict, chips in sorted(groups.items())
                if verdict not in (AGREE, REFUSED)]
    refusals = ["not " + ", ".join(groups[REFUSED])] if groups[REFUSED] else []
    return "; ".join(failures + refusals) or "yes"


def read_cell(text):
    """What write_cell has written."""
    if text == "-":
        return {}
    verdicts = dict.fromkeys(CHIPS, AGREE)
    for part in text.split("; ") if text != "yes" else []:
        verdict, _, chips = part.strip("*").rpartition(" on ") if part.startswith("**") else (REFUSED, "", part[4:])
        verdicts.update(dict.fromkeys(chips.split(", "), verdict))
    return verdicts


def read_table():
    """(operation, type) -> chip -> verdict, as COVERAGE.md has it"""
    cells = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line.startswith("| `"):
            name, *row = (cell.strip() for cell in line.strip("| ").split(" | "))
            cells.update({(name.strip("`"), element): read_cell(cell) for element, cell in zip(TYPES, row)})
    return cells


def measure(differential, chips):
    """(operation, type) -> chip -> verdict: of `chips` by running, of the others by the table that is kept."""
    measured = {chip: run_programs(differential, chip) for chip in chips}
    kept = read_table() if set(chips) != set(CHIPS) else {}
    cells = {}
    for cell in set().union(*measured.values()):
        cells[cell] = {chip: measured[chip].get(cell, ABSENT) if chip in measured
                       else kept.get(cell, {}).get(chip, "not run") for chip in CHIPS}
    return cells


def make_table(interpreter, cells):
    operations, counts = interpreted_operations(interpreter), collections.Counter()
    rows = []
    for name, exactness in sorted(operations.items()):
        row = [write_cell(cells.get((name, element), {})) for element in TYPES]
        if exactness is None or all(cell == "-" for cell in row):
            row = ["**no program**"] * len(TYPES)
        rows.append(f"| `{name}` | " + " | ".join(row) + f" | {exactness} |")
    for verdicts in cells.values():
        counts.update((chip, verdict if verdict in (AGREE, REFUSED) else "fail") for chip, verdict in verdicts.items())
    head = ["# Coverage of the language", "", "Generated by `generate_coverage.py`, which says what the cells mean.", "",
            f"{len(rows)} operations, {len(cells)} combinations with a type.", "",
            "| chip | agree | are refused | fail |", "|---|---|---|---|"]
    head += [f"| {chip} | " + " | ".join(str(counts[chip, verdict]) for verdict in (AGREE, REFUSED, "fail")) + " |"
             for chip in CHIPS]
    head += ["", "| operation | " + " | ".join(TYPES) + " | the interpreter's results are |",
             "|---" * (len(TYPES) + 2) + "|"]
    return "\n".join(head + rows) + "\n"


def choose_chips(text):
    rotating = CHIPS[rotation.get_rotation() % len(CHIPS)]
    chips = [rotating if chip == "rotating" else chip for chip in text.split(",")]
    for chip in chips:
        if chip not in CHIPS:
            sys.exit(f"error: --gpu {chip}: the table has {', '.join(CHIPS)}")
    return chips


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("interpreter")
    parser.add_argument("differential")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--gpu", default=",".join(CHIPS), metavar="CHIP[,CHIP]", help="run these chips only")
    arguments = parser.parse_args()
    chips = choose_chips(arguments.gpu)
    table = make_table(arguments.interpreter, measure(arguments.differential, chips))
    if not arguments.check:
        print(table, end="")
        return 0
    print(f"run for {', '.join(chips)}")
    kept = TABLE.read_text(encoding="utf-8")
    if kept == table:
        return 0
    print("COVERAGE.md is not what generate_coverage.py writes now; generate it again, unless something broke:")
    for old, new in zip(kept.splitlines(), table.splitlines()):
        if old != new:
            print(f"- {old}\n+ {new}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
