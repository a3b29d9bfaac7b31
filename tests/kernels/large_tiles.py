#!/usr/bin/env python3
"""Tiles that no register file holds: each kernel compiles in less than SECONDS and MEGABYTES, and those that are small
enough to be emulated give the right results.

  large_tiles.py [NAME…] --tileiras FILE [--emulator FILE]

The last table says what each took. Exit code 0 when all of them kept the limits and were right.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import types

import numpy

import run

SECONDS, MEGABYTES = 10, 2048


def view(name, rows, columns, tile, element):
    """A row-major matrix as tiles: the statements, and the type of the view."""
    tensor = f"tensor_view<?x?x{element}, strides=[?,1]>"
    tiles = f"partition_view<tile=({tile[0]}x{tile[1]}), padding_value = zero, {tensor}>"
    return (f"""    %{name}_tensor = make_tensor_view %{name}, shape = [{rows}, {columns}], strides = [{columns}, 1] : tile<i32> -> {tensor}
    %{name}_tiles = make_partition_view %{name}_tensor : {tiles}
""", tiles)


def load(name, tile, i, j, tiles, element):
    return (f"    %{name}_tile, %{name}_read = load_view_tko weak %{name}_tiles[{i}, {j}] token = %token : {tiles}, "
            f"tile<i32> -> tile<{tile[0]}x{tile[1]}x{element}>, token\n")


def reduce(result, source, shape, operation, identity):
    return f"""    {result} = reduce {source} dim=1 identities=[{identity} : f32] : tile<{shape[0]}x{shape[1]}xf32> -> tile<{shape[0]}xf32>
    (%element: tile<f32>, %rest: tile<f32>) {{
      %r = {operation} %element, %rest : tile<f32>
      yield %r : tile<f32>
    }}
"""


def along_rows(result, source, shape):
    m, n = shape
    return f"""    {result}_column = reshape {source} : tile<{m}xf32> -> tile<{m}x1xf32>
    {result} = broadcast {result}_column : tile<{m}x1xf32> -> tile<{m}x{n}xf32>
"""


def module(name, parameters, body):
    signature = ", ".join(f"%{parameter}: tile<{kind}>" for parameter, kind in parameters)
    return f"""cuda_tile.module @kernels {{
  entry @{name}({signature}) {{
    %token = make_token : token
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %block, %block_y, %block_z = get_tile_block_id : tile<i32>
{body}    return
  }}
}}
"""


def case(name, source, parameters=(), buffers=None, expected=None, tolerance=(0, 0)):
    return types.SimpleNamespace(name=name, text=source, KERNEL=name.split("_")[0], GRID=(1, 1, 1),
                                 PARAMETERS=parameters, buffers=buffers, expected=expected, TOLERANCE=tolerance)


def matmul(m, n, k, size=None):
    a, tiles_a = view("a", "%m", "%k", (m, k), "f16")
    b, tiles_b = view("b", "%k", "%n", (k, n), "f16")
    c, tiles_c = view("c", "%m", "%n", (m, n), "f32")
    shape = f"tile<{m}x{n}xf32>"
    body = a + b + c + f"""    %steps:2 = get_index_space_shape %a_tiles : {tiles_a} -> tile<i32>
    %none = constant <f32: 0.0> : {shape}
    %sum = for %step in (%zero to %steps#1, step %one) : tile<i32> iter_values(%partial = %none) -> ({shape}) {{
""" + load("a", (m, k), "%zero", "%step", tiles_a, "f16") + load("b", (k, n), "%step", "%zero", tiles_b, "f16") + \
        f"""      %next = mmaf %a_tile, %b_tile, %partial : tile<{m}x{k}xf16>, tile<{k}x{n}xf16>, {shape}
      continue %next : {shape}
    }}
    %written = store_view_tko weak %sum, %c_tiles[%zero, %zero] token = %token : {shape}, {tiles_c}, tile<i32> -> token
"""
    text = module("matmul", [("a", "ptr<f16>"), ("b", "ptr<f16>"), ("c", "ptr<f32>"), ("m", "i32"), ("n", "i32"),
                             ("k", "i32")], body)
    if not size:
        return case(f"matmul_{m}x{n}x{k}", text)
    random = numpy.random.default_rng(1)
    rows, columns, depth = size
    data = {"a": random.standard_normal((rows, depth)).astype(numpy.float16),
            "b": random.standard_normal((depth, columns)).astype(numpy.float16),
            "c": numpy.zeros((rows, columns), numpy.float32)}
    return case(f"matmul_{m}x{n}x{k}", text,
                ["ptr a 0", "ptr b 0", "ptr c 0", f"i32 {rows}", f"i32 {columns}", f"i32 {depth}"], lambda: data,
                lambda data: {"c": (data["a"].astype(float) @ data["b"].astype(float)).astype(numpy.float32)},
                (1e-4, 1e-4))


def softmax(n, run_it):
    shape = (1, n)
    x, tiles_x = view("x", "%m", "%n", shape, "f32")
    y, tiles_y = view("y", "%m", "%n", shape, "f32")
    tile = f"tile<1x{n}xf32>"
    body = x + y + load("x", shape, "%block", "%zero", tiles_x, "f32") + \
        reduce("%largest", "%x_tile", shape, "maxf", "0xFF800000") + along_rows("%shift", "%largest", shape) + \
        f"    %shifted = subf %x_tile, %shift : {tile}\n    %powers = exp %shifted : {tile}\n" + \
        reduce("%total", "%powers", shape, "addf", "0.0") + along_rows("%scale", "%total", shape) + \
        f"""    %result = divf %powers, %scale : {tile}
    %written = store_view_tko weak %result, %y_tiles[%block, %zero] token = %token : {tile}, {tiles_y}, tile<i32> -> token
"""
    text = module("softmax", [("x", "ptr<f32>"), ("y", "ptr<f32>"), ("m", "i32"), ("n", "i32")], body)
    if not run_it:
        return case(f"softmax_{n}", text)
    values = (4 * numpy.random.default_rng(2).standard_normal(n)).astype(numpy.float32)
    powers = numpy.exp(values.astype(float) - values.max())
    return case(f"softmax_{n}", text, ["ptr x 0", "ptr y 0", "i32 1", f"i32 {n}"],
                lambda: {"x": values, "y": numpy.zeros(n, numpy.float32)},
                lambda data: {"y": (powers / powers.sum()).astype(numpy.float32)}, (1e-4, 1e-9))


def permute(n, run_it):
    shape, tile = (n, n), f"tile<{n}x{n}xf32>"
    x, tiles_x = view("x", "%n", "%n", shape, "f32")
    y, tiles_y = view("y", "%n", "%n", shape, "f32")
    body = x + y + load("x", shape, "%zero", "%zero", tiles_x, "f32") + f"""    %turned = permute %x_tile [1, 0] : {tile} -> {tile}
    %both = addf %turned, %x_tile : {tile}
    %written = store_view_tko weak %both, %y_tiles[%zero, %zero] token = %token : {tile}, {tiles_y}, tile<i32> -> token
"""
    text = module("permute", [("x", "ptr<f32>"), ("y", "ptr<f32>"), ("n", "i32")], body)
    if not run_it:
        return case(f"permute_{n}", text)
    values = numpy.random.default_rng(3).standard_normal((n, n)).astype(numpy.float32)
    return case(f"permute_{n}", text, ["ptr x 0", "ptr y 0", f"i32 {n}"],
                lambda: {"x": values, "y": numpy.zeros((n, n), numpy.float32)},
                lambda data: {"y": values + values.T})


def attention(m, n, d, length):
    q, tiles_q = view("q", "%length", "%depth", (m, d), "f16")
    k, tiles_k = view("k", "%length", "%depth", (n, d), "f16")
    v, tiles_v = view("v", "%length", "%depth", (n, d), "f16")
    o, tiles_o = view("o", "%length", "%depth", (m, d), "f32")
    rows, scores, output = f"tile<{m}xf32>", f"tile<{m}x{n}xf32>", f"tile<{m}x{d}xf32>"
    body = q + k + v + o + f"""    %steps:2 = get_index_space_shape %k_tiles : {tiles_k} -> tile<i32>
    %none = constant <f32: 0.0> : {output}
    %lowest = constant <f32: -1.0e+30> : {rows}
    %nothing = constant <f32: 0.0> : {rows}
    %no_score = constant <f32: 0.0> : {scores}
    %tile_length = constant <i32: {n}> : tile<i32>
    %numbers = iota : tile<{n}xi32>
    %far = constant <f32: -1.0e+30> : {scores}
""" + load("q", (m, d), "%block", "%zero", tiles_q, "f16") + f"""    %all:3 = for %step in (%zero to %steps#0, step %one) : tile<i32> iter_values(%sum = %none, %top = %lowest, %weight = %nothing) -> ({output}, {rows}, {rows}) {{
""" + load("k", (n, d), "%step", "%zero", tiles_k, "f16") + load("v", (n, d), "%step", "%zero", tiles_v, "f16") + f"""      %turned = permute %k_tile [1, 0] : tile<{n}x{d}xf16> -> tile<{d}x{n}xf16>
      %raw = mmaf %q_tile, %turned, %no_score : tile<{m}x{d}xf16>, tile<{d}x{n}xf16>, {scores}
      %first = muli %step, %tile_length : tile<i32>
      %first_row = reshape %first : tile<i32> -> tile<1xi32>
      %firsts = broadcast %first_row : tile<1xi32> -> tile<{n}xi32>
      %keys = addi %firsts, %numbers : tile<{n}xi32>
      %length_row = reshape %length : tile<i32> -> tile<1xi32>
      %lengths = broadcast %length_row : tile<1xi32> -> tile<{n}xi32>
      %is_key = cmpi less_than %keys, %lengths, signed : tile<{n}xi32> -> tile<{n}xi1>
      %is_key_row = reshape %is_key : tile<{n}xi1> -> tile<1x{n}xi1>
      %mask = broadcast %is_key_row : tile<1x{n}xi1> -> tile<{m}x{n}xi1>
      %score = select %mask, %raw, %far : tile<{m}x{n}xi1>, {scores}
""" + reduce("%row_top", "%score", (m, n), "maxf", "0xFF800000") + f"""      %new_top = maxf %top, %row_top : {rows}
""" + along_rows("%shift", "%new_top", (m, n)) + f"""      %shifted = subf %score, %shift : {scores}
      %power = exp %shifted : {scores}
""" + reduce("%row_weight", "%power", (m, n), "addf", "0.0") + f"""      %fall = subf %top, %new_top : {rows}
      %decay = exp %fall : {rows}
      %decayed = mulf %weight, %decay : {rows}
      %new_weight = addf %decayed, %row_weight : {rows}
""" + along_rows("%decays", "%decay", (m, d)) + f"""      %kept = mulf %sum, %decays : {output}
      %half = ftof %power : {scores} -> tile<{m}x{n}xf16>
      %new_sum = mmaf %half, %v_tile, %kept : tile<{m}x{n}xf16>, tile<{n}x{d}xf16>, {output}
      continue %new_sum, %new_top, %new_weight : {output}, {rows}, {rows}
    }}
""" + along_rows("%weights", "%all#2", (m, d)) + f"""    %result = divf %all#0, %weights : {output}
    %written = store_view_tko weak %result, %o_tiles[%block, %zero] token = %token : {output}, {tiles_o}, tile<i32> -> token
"""
    text = module("attention", [("q", "ptr<f16>"), ("k", "ptr<f16>"), ("v", "ptr<f16>"), ("o", "ptr<f32>"),
                                ("length", "i32"), ("depth", "i32")], body)
    random = numpy.random.default_rng(4)
    data = {name: (0.25 * random.standard_normal((length, d))).astype(numpy.float16) for name in "qkv"}
    data["o"] = numpy.zeros((length, d), numpy.float32)

    def expected(data):
        scores = data["q"].astype(float) @ data["k"].astype(float).T
        powers = numpy.exp(scores - scores.max(axis=1, keepdims=True))
        return {"o": (powers / powers.sum(axis=1, keepdims=True) @ data["v"].astype(float)).astype(numpy.float32)}

    made = case(f"attention_{m}x{n}x{d}", text, ["ptr q 0", "ptr k 0", "ptr v 0", "ptr o 0", f"i32 {length}", f"i32 {d}"],
                lambda: data, expected, (1e-2, 2e-3))
    made.GRID = (-(-length // m), 1, 1)
    return made


CASES = [matmul(1024, 1024, 64), matmul(256, 2048, 32, (200, 2000, 70)), attention(256, 256, 256, 300),
         softmax(4194304, False), softmax(131072, True), permute(512, True), permute(1024, False)]


class Kernel(run.OwnKernel):
    def __init__(self, made, folder):
        self.name = self.category = made.name
        self.case, self.source = made, folder / f"{made.name}.mlir"
        self.source.write_text(made.text)


def measure(command):
    """Exit code, seconds and MiB at most of a command."""
    start = time.monotonic()
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    return os.waitstatus_to_exitcode(status), time.monotonic() - start, usage.ru_maxrss / 1024


def examine(made, folder, arguments):
    """What is wrong, and the figures."""
    kernel = Kernel(made, folder)
    base = [arguments.tileiras, str(kernel.source), "--gpu-name", arguments.gpu, "-O3", f"--metadata={folder / 'k.json'}"]
    code, seconds, megabytes = measure(base + ["-o", str(folder / "k.cubin")])
    figures = f"{seconds:8.2f} s {megabytes:8.0f} MiB"
    if code != 0:
        return f"exit code {code}", figures
    if seconds > SECONDS or megabytes > MEGABYTES:
        return f"more than {SECONDS} s or {MEGABYTES} MiB", figures
    if not arguments.emulator or not made.buffers:
        return None, figures + ("" if made.buffers else "   compiled only")
    subprocess.run(base + ["-o", str(folder / "k.ptx")], check=True)
    kernel.dump(folder)
    shared = run.get_dynamic_shared(folder / "k.json", folder)
    failure = run.run([arguments.emulator, "run", str(folder / "k.ptx"), "--case", str(folder), "--smem", str(shared)], 300)
    return failure or kernel.check(folder), figures + f"   {shared} bytes of dynamic shared memory"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--tileiras", default="tileiras")
    parser.add_argument("--emulator")
    parser.add_argument("--gpu", default="sm_90")
    parser.add_argument("-j", help="not used: what is measured runs alone")
    arguments = parser.parse_args()
    wrong = 0
    for made in CASES:
        if arguments.names and not any(name in made.name for name in arguments.names):
            continue
        with tempfile.TemporaryDirectory(prefix="tileiras-") as temporary:
            failure, figures = examine(made, pathlib.Path(temporary), arguments)
        print(f"{made.name:24}{figures}" + (f"   WRONG: {failure}" if failure else ""), flush=True)
        wrong += failure is not None
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
