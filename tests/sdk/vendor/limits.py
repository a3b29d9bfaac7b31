#!/usr/bin/env python3
"""The rule of what TMA copies, and the number of named barriers, are those of the chip: a vendor's GPU that has less gets
smaller boxes, threads copy arrays of too many dimensions, and what is beyond its limits is an error.

  limits.py --tileiras FILE --opt FILE --plugins FOLDER --vendor FOLDER --kernel FILE
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BASE, CHIP = "sm_90", "acme_h1"
MOST_EXTENT, MOST_DIMENSIONS = 128, 4  # of CHIP: Plugin.cpp
failures = []


def check(condition, what):
    print(("ok: " if condition else "FAILED: ") + what)
    if not condition:
        failures.append(what)


def widen(kernel):
    """The product with tiles of 256 rows, which are one box for the base."""
    return kernel.replace("128x64", "256x64").replace("128x128", "256x128")


def add_dimensions(kernel, rank):
    """The product with an operand A of `rank` dimensions, those in front of size 1."""
    front = rank - 2
    ones = "1x" * front
    view = f"tensor_view<{ones}?x?xf16, strides=[{'?,' * (rank - 1)}1]>"
    tiles = f"partition_view<tile=({ones}128x64), padding_value = zero, {view}>"
    before = "partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>"
    lines = []
    for line in kernel.splitlines():
        if "%array_a = " in line:
            line = (f"%array_a = make_tensor_view %aligned_a, shape = [{'1, ' * front}%rows, %depth], "
                    f"strides = [{'%depth, ' * (rank - 1)}1] : tile<i32> -> {view}")
        elif "%tiles_a = " in line:
            line = f"%tiles_a = make_partition_view %array_a : {tiles}"
        elif "%steps:2 = " in line:
            line = line.replace("%steps:2", f"%steps:{rank}").replace(before, tiles)
        elif "%read_a = " in line:
            line = (f"%whole_a, %read_a = load_view_tko weak %tiles_a[{'%first, ' * front}%row, %step] : {tiles}, tile<i32> -> "
                    f"tile<{ones}128x64xf16>, token\n"
                    f"%tile_a = reshape %whole_a : tile<{ones}128x64xf16> -> tile<128x64xf16>")
        lines.append(line.replace("%steps#1", f"%steps#{rank - 1}"))
    return "\n".join(lines)


def compile_for(arguments, chip, text):
    """The PTX, and the remarks."""
    with tempfile.TemporaryDirectory() as folder:
        kernel, ptx = pathlib.Path(folder) / "kernel.mlir", pathlib.Path(folder) / "kernel.ptx"
        kernel.write_text(text, encoding="utf-8")
        result = subprocess.run([arguments.tileiras, kernel, f"--plugin-path={arguments.vendor}", "--gpu-name", chip, "-O3",
                                 "--emit=ptx", "-o", ptx, "--remarks=missed"], capture_output=True, text=True, check=False)
        if result.returncode:
            sys.exit(f"{chip}: {result.stderr}")
        return ptx.read_text(encoding="utf-8"), result.stderr


def largest_extent(ptx):
    return max(int(extent) for extent in re.findall(r"tensormap\.replace\.tile\.box_dim\S* \[[^]]*\], \d+, (\d+);", ptx))


def most_dimensions(ptx):
    return max(int(rank) for rank in re.findall(r"cp\.async\.bulk\.tensor\.(\d)d\.", ptx))


def check_boxes(arguments, kernel):
    (of_base, _), (of_chip, _) = (compile_for(arguments, chip, widen(kernel)) for chip in (BASE, CHIP))
    check(largest_extent(of_base) == 256, f"{BASE} copies a tile of 256 rows as one box")
    check(largest_extent(of_chip) == MOST_EXTENT, f"{CHIP} copies it as boxes of {MOST_EXTENT}")


def check_ranks(arguments, kernel):
    text = add_dimensions(kernel, MOST_DIMENSIONS + 1)
    ptx, remarks = compile_for(arguments, BASE, text)
    check(most_dimensions(ptx) == MOST_DIMENSIONS + 1 and "dimensions; one to" not in remarks,
          f"{BASE} copies from an array of {MOST_DIMENSIONS + 1} dimensions")
    ptx, remarks = compile_for(arguments, CHIP, text)
    check(most_dimensions(ptx) == 2 and "an array of 5 dimensions; one to four are possible" in remarks,
          f"threads of {CHIP} do, and a remark says why")
    ptx, _ = compile_for(arguments, CHIP, add_dimensions(kernel, MOST_DIMENSIONS))
    check(most_dimensions(ptx) == MOST_DIMENSIONS, f"{CHIP} copies from one of {MOST_DIMENSIONS}")


def check_diagnostics(arguments, passes, file):
    plugins = [arguments.plugins / "tileiras-sm90.so", arguments.vendor / "tileiras-acme-h1.so",
               arguments.plugins / "tileiras-cluster.so"]
    result = subprocess.run([arguments.opt, *(f"--load-plugin={plugin}" for plugin in plugins), passes, HERE / file,
                             "--split-input-file", "--verify-diagnostics", "-o", "/dev/null"],
                            capture_output=True, text=True, check=False)
    print(result.stderr, end="")
    check(result.returncode == 0, f"{passes} says what is beyond the limits in {file}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--tileiras", "--opt", "--plugins", "--vendor", "--kernel"):
        parser.add_argument(name, type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    kernel = arguments.kernel.read_text(encoding="utf-8")
    check_boxes(arguments, kernel)
    check_ranks(arguments, kernel)
    check_diagnostics(arguments, "--optimize-execution-unit-mapping", "limits-agents.mlir")
    check_diagnostics(arguments, "--tileir-verify-ops-analysis", "limits-verified.mlir")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
