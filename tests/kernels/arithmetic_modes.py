#!/usr/bin/env python3
"""The options `ftz` and `approx` are flush_to_zero and rounding<approx> at every operation of the program.

  arithmetic_modes.py --tileiras FILE --emulator FILE --interpreter FILE

One kernel has all operations that have such forms, once plain and once with them written down. The options make the PTX of the
plain one that of the other; and what it computes, run on the emulator, is what the reference interpreter computes from the
other: bit for bit where the language says each bit, else within the error that it allows approximations. Subnormal numbers are
among the operands. Directed roundings, and operations on other types, stay as they are.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy

WIDTH, CHIP = 256, "sm_90"
# Of each operation: its operands, its approximate rounding (where it has one), whether it can flush, and relative error.
OPERATIONS = {"addf": ("%a, %b", "", True, 0), "subf": ("%a, %b", "", True, 0), "mulf": ("%a, %b", "", True, 0),
              "divf": ("%a, %b", " rounding<approx>", True, 2 ** -21), "fma": ("%a, %b, %a", "", True, 0),
              "maxf": ("%a, %b", "", True, 0), "minf": ("%a, %b", "", True, 0), "sqrt": ("%p", " rounding<approx>", True, 2 ** -21),
              "rsqrt": ("%p", "", True, 2 ** -21), "exp2": ("%e", "", True, 2 ** -21), "exp": ("%e", " rounding<approx>", False, 2 ** -18),
              "tanh": ("%e", " rounding<approx>", False, 2 ** -9)}
# What no option touches.
UNTOUCHED = {"directed": "%t = divf %a, %b rounding<zero>{flush} : tile<{width}xf32>",
             "halves": "%h = ftof %a : tile<{width}xf32> -> tile<{width}xf16>\n    %i = divf %h, %h : tile<{width}xf16>\n"
                       "    %t = ftof %i : tile<{width}xf16> -> tile<{width}xf32>"}

ROWS = len(OPERATIONS) + len(UNTOUCHED)


def make_kernel(flushes, approximates, without=()):
    """The program with what the options would say written down, but for some operations."""
    operations = []
    for name, (operands, rounding, can_flush, _) in OPERATIONS.items():
        if name in without:
            continue
        modes = (rounding if approximates else "") + (" flush_to_zero" if flushes and can_flush else "")
        operations.append(f"%t = {name} {operands}{modes} : tile<{WIDTH}xf32>")
    operations += [text.format(flush=" flush_to_zero" if flushes else "", width=WIDTH) for text in UNTOUCHED.values()]
    tensor = f"tensor_view<{ROWS * WIDTH}xf32, strides=[1]>"
    view = f"partition_view<tile=({WIDTH}), {tensor}>"
    lines = []
    for name, pointer in (("in", "x"), ("out", "y")):
        lines += [f"%{name}_view = make_tensor_view %{pointer}, shape = [{ROWS * WIDTH}], strides = [1] : {tensor}",
                  f"%{name} = make_partition_view %{name}_view : {view}"]
    lines += [f"%row{row} = constant <i32: {row}> : tile<i32>" for row in range(ROWS)]
    for row, name in enumerate("abpe"):
        lines.append(f"%{name}, %loaded_{name} = load_view_tko weak %in[%row{row}] : {view}, tile<i32> -> tile<{WIDTH}xf32>, token")
    for row, text in enumerate(operations):
        lines += re.sub(r"%([thi])\b", rf"%\g<1>{row}", text).splitlines()
        lines.append(f"%stored{row} = store_view_tko weak %t{row}, %out[%row{row}] : tile<{WIDTH}xf32>, {view}, tile<i32> -> token")
    body = "".join(f"    {line.strip()}\n" for line in [*lines, "return"])
    return f"cuda_tile.module @modes {{\n  entry @modes(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {{\n{body}  }}\n}}\n"


def write_case(folder):
    random = numpy.random.default_rng(9)
    numbers = numpy.zeros((ROWS, WIDTH), numpy.float32)
    half = WIDTH // 2
    numbers[0], numbers[1] = random.standard_normal((2, WIDTH))
    # Subnormal operands; quotients, products and differences that are subnormal.
    numbers[:2, :half] *= numpy.float32(2.0) ** random.integers(-140, -60, (2, half))
    numbers[2] = numpy.abs(random.standard_normal(WIDTH)) * 2.0 ** random.integers(-140, 100, WIDTH)
    numbers[3] = random.uniform(-8, 8, WIDTH)
    numbers[3, :half] = random.uniform(-148, -120, half)
    numbers.tofile(folder / "buf_x.bin")
    numpy.zeros_like(numbers).tofile(folder / "buf_y.bin")
    (folder / "launch.txt").write_text(f"kernel modes\ngrid 1 1 1\nbuffer x {numbers.nbytes} buf_x.bin\nbuffer y {numbers.nbytes} "
                                       f"buf_y.bin\nparam ptr x 0\nparam ptr y 0\nread y {numbers.nbytes} out_y.bin\n")
    return numbers


def call(*command):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, errors="replace")
    if result.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {result.stdout}{result.stderr}")
    return result.stdout


def compare(arguments, folder, flushes, approximates):
    """What is wrong with one setting of the options."""
    options = ["--set", f"ftz={str(flushes).lower()}", "--set", f"approx={str(approximates).lower()}", "--gpu-name", CHIP]
    plain, written, ptx = folder / "plain.mlir", folder / "written.mlir", folder / "kernel.ptx"
    # Functions of libdevice flush, too, which no operation can say.
    functions = () if approximates else ("exp", "tanh")
    plain.write_text(make_kernel(False, False, functions))
    written.write_text(make_kernel(flushes, approximates, functions))
    call(arguments.tileiras, plain, *options, "-o", ptx)
    call(arguments.tileiras, written, *options[-2:], "-o", folder / "written.ptx")
    if ptx.read_text() != (folder / "written.ptx").read_text():
        return ["the options make other PTX than what they stand for"]
    plain.write_text(make_kernel(False, False))
    written.write_text(make_kernel(flushes, approximates))
    call(arguments.tileiras, plain, *options, "-o", ptx)
    numbers = write_case(folder)
    call(arguments.interpreter, written, "--case", folder, "--no-check", "--quiet")
    expected = numpy.fromfile(folder / "out_y.bin", numpy.float32).reshape(numbers.shape)
    call(arguments.emulator, "run", ptx, "--case", folder, "--strict")
    actual = numpy.fromfile(folder / "out_y.bin", numpy.float32).reshape(numbers.shape)
    mistakes = []
    for row, name in enumerate([*OPERATIONS, *UNTOUCHED]):
        exact = name in UNTOUCHED or OPERATIONS[name][3] == 0 or (OPERATIONS[name][1] and not approximates and name in ("divf", "sqrt"))
        tolerance = (0, 0) if exact else (OPERATIONS[name][3], 2.0 ** (-126 if flushes and name in functions else -148))
        close = numpy.isclose(actual[row], expected[row], *tolerance, equal_nan=True)
        if not close.all():
            at = int(numpy.nonzero(~close)[0][0])
            mistakes.append(f"{name}({numbers[:4, at]}) is {actual[row, at]!r}, expected {expected[row, at]!r}; {(~close).sum()} differ")
    subnormal = (numpy.abs(actual) < numpy.finfo(numpy.float32).tiny) & (actual != 0)
    flushed = [row for row, (_, _, can_flush, _) in enumerate(OPERATIONS.values()) if can_flush]
    if subnormal[flushed].any() == flushes:
        mistakes.append("subnormal results are " + ("left" if flushes else "missing: the test tests nothing"))
    return mistakes


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for tool in ("tileiras", "emulator", "interpreter"):
        parser.add_argument(f"--{tool}", required=True)
    arguments = parser.parse_args()
    mistakes = []
    for flushes in (False, True):
        for approximates in (False, True):
            with tempfile.TemporaryDirectory(prefix="tileiras-") as folder:
                mistakes += [f"ftz={flushes} approx={approximates}: {mistake}"
                             for mistake in compare(arguments, pathlib.Path(folder), flushes, approximates)]
    print("\n".join(mistakes))
    print(f"{len(OPERATIONS)} operations, 4 settings, {len(mistakes)} wrong")
    sys.exit(1 if mistakes else 0)


if __name__ == "__main__":
    main()
