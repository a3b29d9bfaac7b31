#!/usr/bin/env python3
"""Times kernels that people run, by the emulator's clock: nothing here is measured on a GPU.

  lab.py [NAME…] --tileiras FILE --emulator FILE [--machine NAME] [--write FILE] [--ptxas FILE]

Each entry is compiled for the machine's chip with every choice of its list; the fastest by the model counts. The limit is what
the machine allows: the operations at the tensor cores' rate at the clock that the kernel leaves them, or the bytes, read and
written once, at the best rates that were seen of its memory, whichever takes longer. Exit code 0 when all entries could be timed.
"""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib

import entries
import picture

MACHINES = pathlib.Path(__file__).resolve().parents[3] / "emulator" / "clock" / "machines"


class Refused(Exception):
    """A tool says that it cannot do this; its first line."""


def run(command):
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    if result.returncode:
        said = (result.stderr + result.stdout).strip().splitlines() or [f"exit code {result.returncode}, without a word"]
        raise Refused(f"{pathlib.Path(command[0]).name}: {said[0]}")
    return result.stdout + result.stderr


def chip_of(machine):
    """The target of the machine that has all of its instructions."""
    return max(machine["targets"], key=lambda target: target.endswith("a"))


def registers(ptxas, chip, ptx, folder):
    """What ptxas takes, at most the launch's share; nothing without ptxas."""
    if not ptxas:
        return []
    text = run([ptxas, f"-arch={chip}", "-v", ptx, "-o", folder / "k.cubin"])
    found = re.search(r"Used (\d+) registers", text)
    return ["--registers", found.group(1)] if found else []


def explain(remarks):
    """The first thing that the compiler says it could not do."""
    found = re.search(r'\[Missed\] (\w+) .*?Remark="(.*?)"', remarks)
    return f"{found[1]}: {found[2]}" if found else ""


def estimate(entry, arguments, chip, folder):
    """The clock's report, and what the compiler missed."""
    entry.write(folder)
    source, ptx, launch, metadata = (folder / name for name in ("k.mlir", "k.ptx", "k.json", "k.metadata.json"))
    remarks = run([arguments.tileiras, source, "--gpu-name", chip, "-O3", "--emit=ptx", "-o", ptx, "--remarks=missed",
                   f"--metadata={metadata}"] + entry.options + arguments.option)
    if dynamic := json.loads(metadata.read_text())["kernels"][0]["dynamic_shared_bytes"]:
        launch.write_text(json.dumps(json.loads(launch.read_text()) | {"dynamicShared": dynamic}))
    report = run([arguments.emulator, "time", ptx, "--launch", launch, "--machine", arguments.machine, "--json", "-"]
                 + registers(arguments.ptxas, chip, ptx, folder))
    return json.loads(report), explain(remarks)


def limit(entry, result, machine):
    """Nanoseconds."""
    memory = machine["dram"]
    seconds = (entry.read / memory["read_gb_s"] + entry.written / memory["write_gb_s"]) / 1e9
    if entry.flops:
        seconds = max(seconds, entry.flops / (result["possible_tflops"] * 1e12))
    return seconds * 1e9


def best(variants, arguments, chip, folder):
    """(result, what the compiler missed, entry) of the fastest variant, and why others were refused."""
    results, refusals = [], []
    for entry in variants:
        try:
            results.append((*estimate(entry, arguments, chip, folder), entry))
        except Refused as reason:
            refusals.append(f"{entry.choice}: {reason}")
    return min(results, key=lambda found: found[0]["ns"], default=None), refusals


def describe(variants, arguments, machine):
    """The row of the table, what is to be said about it below, and whether there is a time in it."""
    with tempfile.TemporaryDirectory() as folder:
        found, refusals = best(variants, arguments, chip_of(machine), pathlib.Path(folder))
    for refusal in refusals:
        print(f"{variants[0].name}, {refusal}", file=sys.stderr)
    if found is None:
        return f"| {variants[0].name} | | cannot be timed | | | | | | {refusals[0]} | |", "", False
    result, missed, entry = found
    least = limit(entry, result, machine)
    rate = f"{result['tflops']:.0f} TFLOP/s" if entry.flops else f"{(entry.read + entry.written) / result['ns']:.0f} GB/s"
    reason = f"- {entry.name}: {entry.reason}" if entry.reason and least < 0.8 * result["ns"] else ""
    return (f"| {entry.name} | {entry.choice} | {result['ns'] / 1e3:.1f} us | {rate} | {least / 1e3:.1f} us | "
            f"{100 * least / result['ns']:.0f} % | {result['bound']} | {result['occupancy']['registers']} | {missed} | "
            f"{entry.published} |"), reason, True


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="rows whose name contains one of these")
    parser.add_argument("--tileiras", required=True)
    parser.add_argument("--emulator", required=True)
    parser.add_argument("--machine", default="h200-sxm")
    parser.add_argument("--option", action="append", default=[], help="one more compiler option")
    parser.add_argument("--ptxas", default=shutil.which("ptxas") or shutil.which("/usr/local/cuda/bin/ptxas"))
    parser.add_argument("--write", help="the table, as a file, and a picture beside it, NAME.svg")
    arguments = parser.parse_args()
    machine = tomllib.loads((MACHINES / f"{arguments.machine}.toml").read_text(encoding="utf-8"))
    about = f"Times by the clock's model of {arguments.machine}; nothing was measured."
    if machine.get("tentative"):
        about += (" Less is known of this machine than of the H200: believe the order of things, not the numbers "
                  "(see the comments of its file).")
    lines = [about, "",
             "| kernel | tile | model | rate | limit | of the limit | bounded by | registers | what the compiler missed | best published |",
             "|---|---|---|---|---|---|---|---|---|---|"]
    rows = [row for row in entries.rows_of(arguments.machine) if not arguments.names or any(name in row[0].name for name in arguments.names)]
    failed, reasons = not rows, []
    for variants in rows:
        line, reason, is_timed = describe(variants, arguments, machine)
        failed |= not is_timed
        lines.append(line)
        reasons += [reason] * bool(reason)
        print(line, flush=True)
    if reasons:
        lines += ["", "Why some are below 80 % of their limit:", "", *reasons]
    if arguments.write:
        table, file = "\n".join(lines) + "\n", pathlib.Path(arguments.write)
        file.write_text(table, encoding="utf-8")
        file.with_suffix(".svg").write_text(picture.draw(table), encoding="utf-8")
    return failed


if __name__ == "__main__":
    sys.exit(main())
