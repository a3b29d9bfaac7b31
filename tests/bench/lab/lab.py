#!/usr/bin/env python3
"""Times kernels that people run, by the emulator's clock: nothing here is measured on a GPU.

  lab.py [NAME…] --tileiras FILE --emulator FILE [--machine NAME] [--write FILE] [--ptxas FILE]

Each entry is compiled with every tile of its list; the fastest by the model counts. The limit is what the machine allows:
the operations at the tensor cores' rate or the bytes, read and written once, at the data sheet's bandwidth, whichever
takes longer. Exit code 0 when all entries could be timed.
"""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BYTES = {"f16": 2, "bf16": 2, "f32": 4, "f8E4M3FN": 1}


class Entry:
    """name; template and its texts to fill in; grid, sizes of buffers, integers that follow them; work."""

    def __init__(self, name, template, texts, grid, buffers, integers, flops, tile):
        self.name, self.template, self.texts, self.grid = name, template, texts, grid
        self.buffers, self.integers, self.flops, self.tile = buffers, integers, flops, tile
        self.bytes = sum(buffers)

    def module(self):
        text = (HERE / self.template).read_text(encoding="utf-8")
        for name, value in self.texts.items():
            text = text.replace(f"@{name}@", str(value))
        return text

    def launch(self):
        names = [f"b{index}" for index in range(len(self.buffers))]
        return {"grid": self.grid, "buffers": [{"name": n, "bytes": b} for n, b in zip(names, self.buffers)],
                "parameters": [{"buffer": n} for n in names] + [{"i32": i} for i in self.integers]}


def matmul(element, m, n, k, tile):
    size = BYTES[element]
    return Entry(f"matmul {element} {m}x{n}x{k}", "matmul.mlir", {"ELEMENT": element, "M": tile[0], "N": tile[1], "K": tile[2]},
                 [-(-m // tile[0]), -(-n // tile[1])], [m * k * size, k * n * size, m * n * size], [m, n, k],
                 2 * m * n * k, "x".join(map(str, tile)))


def softmax(rows, columns, block):
    return Entry(f"softmax f32 {rows}x{columns}", "softmax.mlir", {"R": block, "C": columns}, [rows // block],
                 [rows * columns * 4] * 2, [rows], 0, f"{block} rows")


def add(count, tile):
    return Entry(f"add f32 {count}", "add.mlir", {"T": tile}, [count // tile], [count * 4] * 3, [count], 0, str(tile))


def transpose(size, tile):
    return Entry(f"transpose f32 {size}", "transpose.mlir", {"S": size, "T": tile}, [size // tile] * 2, [size * size * 4] * 2,
                 [], 0, f"{tile}x{tile}")


MATMUL_TILES = {"f16": [(128, 256, 64), (128, 128, 64), (256, 128, 64)], "bf16": [(128, 256, 64), (128, 128, 64)],
                "f8E4M3FN": [(128, 256, 128), (128, 128, 128)]}
ENTRIES = ([[matmul(element, m, n, k, tile) for tile in MATMUL_TILES[element]] for element, m, n, k in [
    ("f16", 1024, 1024, 1024), ("f16", 4096, 4096, 4096), ("bf16", 4096, 4096, 4096), ("bf16", 8192, 8192, 8192),
    ("bf16", 128, 8192, 8192), ("f8E4M3FN", 8192, 8192, 4096)]]
           + [[softmax(1 << 28 >> 12, 1024, block) for block in (1, 4, 8)]]
           + [[add(1 << 26, tile) for tile in (1024, 2048, 4096)]]
           + [[transpose(8192, tile) for tile in (32, 64, 128)]])


class Refused(Exception):
    """A tool says that it cannot do this; its first line."""


def run(command):
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    if result.returncode:
        raise Refused(f"{pathlib.Path(command[0]).name}: {(result.stderr + result.stdout).strip().splitlines()[0]}")
    return result.stdout + result.stderr


def registers(ptxas, ptx, folder):
    """What ptxas takes, at most the launch's share; nothing without ptxas."""
    if not ptxas:
        return []
    text = run([ptxas, "-arch=sm_90a", "-v", ptx, "-o", folder / "k.cubin"])
    found = re.search(r"Used (\d+) registers", text)
    return ["--registers", found.group(1)] if found else []


def estimate(entry, arguments, folder):
    source, ptx, launch = folder / "k.mlir", folder / "k.ptx", folder / "k.json"
    source.write_text(entry.module(), encoding="utf-8")
    launch.write_text(json.dumps(entry.launch()), encoding="utf-8")
    run([arguments.tileiras, source, "--gpu-name", "sm_90a", "-O3", "--emit=ptx", "-o", ptx])
    return json.loads(run([arguments.emulator, "time", ptx, "--launch", launch, "--machine", arguments.machine, "--json", "-"]
                          + registers(arguments.ptxas, ptx, folder)))


def limit(entry, result):
    seconds = entry.bytes / (result["possible_dram_gb_s"] * 1e9)
    if entry.flops:
        seconds = max(seconds, entry.flops / (result["possible_tflops"] * 1e12))
    return seconds * 1e9


def best(variants, arguments, folder):
    """(result, entry) of the fastest variant, and why others were refused."""
    results, refusals = [], []
    for entry in variants:
        try:
            results.append((estimate(entry, arguments, folder), entry))
        except Refused as reason:
            refusals.append(f"{entry.tile}: {reason}")
    return min(results, key=lambda pair: pair[0]["ns"], default=None), refusals


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="entries whose name contains one of these")
    parser.add_argument("--tileiras", required=True)
    parser.add_argument("--emulator", required=True)
    parser.add_argument("--machine", default="h200-sxm")
    parser.add_argument("--ptxas", default=shutil.which("ptxas") or shutil.which("/usr/local/cuda/bin/ptxas"))
    parser.add_argument("--write", help="the table, as a file")
    arguments = parser.parse_args()
    lines = [f"Times by the clock's model of {arguments.machine}; nothing was measured.", "",
             "| kernel | tile | model | limit | of the limit | bounded by | registers |", "|---|---|---|---|---|---|---|"]
    failed = False
    for variants in ENTRIES:
        if arguments.names and not any(name in variants[0].name for name in arguments.names):
            continue
        with tempfile.TemporaryDirectory() as folder:
            found, refusals = best(variants, arguments, pathlib.Path(folder))
        for refusal in refusals:
            print(f"{variants[0].name}, {refusal}", file=sys.stderr)
        if found is None:
            failed = True
            lines.append(f"| {variants[0].name} | | cannot be timed | | | {refusals[0]} | |")
        else:
            result, entry = found
            least = limit(entry, result)
            lines.append(f"| {entry.name} | {entry.tile} | {result['ns'] / 1e3:.1f} us | {least / 1e3:.1f} us | "
                         f"{100 * least / result['ns']:.0f} % | {result['bound']} | {result['occupancy']['registers']} |")
        print(lines[-1], flush=True)
    if arguments.write:
        pathlib.Path(arguments.write).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return failed


if __name__ == "__main__":
    sys.exit(main())
