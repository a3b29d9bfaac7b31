#!/usr/bin/python3
"""Builds a payload of the lab and looks at it: lab_payload_test.py FOLDER OPTION…, the options of `tests/gpu/lab build`."""

import gzip
import json
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE))
LIMIT = 5 * 10**6  # of these small rows


def complaints(folder, lab, wanted):
    """What is wrong with a payload that should have these rows."""
    if [row["name"] for row in lab["rows"]] != [row[0].name for row in wanted]:
        yield f"it has the rows {[row['name'] for row in lab['rows']]}"
    for row, choices in zip(lab["rows"], wanted):
        if {variant["choice"] for variant in row["variants"]} != {entry.choice for entry in choices}:
            yield f"{row['name']}: has the tiles {[variant['choice'] for variant in row['variants']]}"
        for variant in row["variants"]:
            cubin = folder / variant["cubin"]
            text = gzip.decompress(cubin.with_suffix(".ptx.gz").read_bytes()).decode()
            if cubin.read_bytes()[:4] != b"\x7fELF" or b"__tileiras_metadata" not in cubin.read_bytes():
                yield f"{cubin}: is no cubin of the compiler"
            if not re.search(r"^\.target sm_90", text, re.MULTILINE):
                yield f"{cubin}: its PTX is for another chip"
            if not variant["model"]["h100-sxm"]["us"] > 0:
                yield f"{row['name']}: the model has no time"
    counted = [row for row in lab["rows"] if "counters" in row]
    if len(counted) != 1 or counted[0]["counters"]["warp_instructions"] <= 0:
        yield "no row has counters"
    if lab["capability"] != "9.0" or "-O3" not in lab["options"] or not lab["commit"]:
        yield "lab.json does not say what it was built from"
    planted = {path.parent.name: path.read_text().strip() for path in folder.glob("planted/*/emulator.txt")}
    if planted != {"shared_race": "data-race", "read_behind": "out-of-bounds", "misaligned": "misaligned"}:
        yield f"planted mistakes: {planted}"
    modules = {path.name for path in (HERE / "measure").glob("*.py")}
    if missing := modules - {path.name for path in folder.iterdir()}:
        yield f"it lacks {missing}"
    if (size := sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())) > LIMIT:
        yield f"it has {size} bytes"


def refuses(arguments, says):
    """None, or what `lab build` did instead of saying so."""
    done = subprocess.run([HERE / "lab", "build", *arguments], capture_output=True, text=True)
    return None if done.returncode and says in done.stderr else f"{arguments}: exit code {done.returncode}, {done.stderr}"


def main():
    folder, options = pathlib.Path(sys.argv[1]), sys.argv[2:]
    done = subprocess.run([HERE / "lab", "build", folder, *options])
    if done.returncode:
        return done.returncode
    import lab_payload
    import lab_rows
    failures = list(complaints(folder, json.loads((folder / "lab.json").read_text()), lab_rows.ROWS))
    table = lab_payload.read_table()
    rows = {row[0].name: {entry.choice for entry in row} for row in lab_payload.entries.rows_of("h200-sxm")}
    for name, choice in table:  # the model's times that the lab's own payload takes
        if choice not in rows.get(name, {}):
            failures.append(f"LAB.md has a row {name}, {choice}, which the lab does not: generate it anew")
    failures += filter(None, [refuses([folder, "no such row", *options], "no row is named like no such row"),
                              refuses([HERE, *options], "exists and is no payload")])
    for row in lab_payload.entries.ROWS:
        lab_payload.check_buffers(row[0])
    for failure in failures:
        print(f"FAIL {failure}")
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
