"""Kernels whose time is that of memory, as frontends write them: reductions and norms over long rows, copies, transposes,
changes of layout; generated.

CASES has what run.OwnKernel takes of a case, each with `text`, the module.
"""

import math

import numpy

from products import ELEMENTS, RESULTS, along_columns, along_rows, ceiling, make_case, reduce, start


def open_text(arrays, sizes):
    """A module with these pointers (name: element) and sizes (name: what divides it)."""
    text = start()
    for name, element in arrays.items():
        text.pointer(name, element)
    for name, multiple in sizes.items():
        text.size(name, multiple)
    return text


def widen(text, result, source, shape, element):
    """The tile in f32."""
    if element == "f32":
        return source
    tile = "x".join(map(str, shape))
    text.line(f"{result} = ftof {source} : tile<{tile}x{element}> -> tile<{tile}xf32>")
    return result


def narrow(text, result, source, shape, element):
    if element == "f32":
        return source
    tile = "x".join(map(str, shape))
    text.line(f"{result} = ftof {source} : tile<{tile}xf32> -> tile<{tile}x{element}>")
    return result


def matrix(element, rows, columns):
    random = numpy.random.default_rng(rows + columns)
    return (ELEMENTS[element] if element != "f32" else ELEMENTS["tf32"]).make(random, (rows, columns))


def as_numbers(element, values):
    return values.astype(float) if element == "f32" else ELEMENTS[element].read(values).astype(float)


def row_sum(element, rows, width, length, blocks=2):
    """The sum of each row; a tile has `rows` rows and `width` columns."""
    shape, partial = (rows, width), f"tile<{rows}x{width}xf32>"
    text = open_text({"x": element, "y": "f32"}, {"m": 1, "n": 16})
    text.view("x", element, ["%m", "%n"], shape)
    text.view("y", "f32", ["%m"], [rows], padding=False)
    ceiling(text, "steps", "%n", width)
    text.line(f"%none = constant <f32: 0.0> : {partial}")
    text.line(f"%sum = for %step in (%zero to %steps, step %one) : tile<i32> iter_values(%partial = %none) -> ({partial}) {{")
    text.load("%tile", "x", ("%block", "%step"), shape, element)
    text.line(f"%next = addf %partial, {widen(text, '%wide', '%tile', shape, element)} : {partial}")
    text.line(f"continue %next : {partial}")
    text.line("}")
    reduce(text, "%total", "%sum", shape, "addf", "0.0")
    text.store("%total", "y", ["%block"], [rows], "f32")
    data = {"x": matrix(element, blocks * rows, length), "y": numpy.zeros(blocks * rows, numpy.float32)}
    expected = as_numbers(element, data["x"]).sum(axis=1).astype(numpy.float32)
    return make_case(f"row_sum_{element}_{rows}x{width}", text, (blocks, 1, 1),
                     ["ptr x 0", "ptr y 0", f"i32 {blocks * rows}", f"i32 {length}"], data, {"y": expected}, (1e-4, 1e-3))


def column_sum(element, rows, width, length):
    """The sum of each column; blocks have `width` columns, iterations `rows` rows."""
    shape, partial = (rows, width), f"tile<{rows}x{width}xf32>"
    text = open_text({"x": element, "y": "f32"}, {"m": 1, "n": 16})
    text.view("x", element, ["%m", "%n"], shape)
    text.view("y", "f32", ["%n"], [width], padding=False)
    ceiling(text, "steps", "%m", rows)
    text.line(f"%none = constant <f32: 0.0> : {partial}")
    text.line(f"%sum = for %step in (%zero to %steps, step %one) : tile<i32> iter_values(%partial = %none) -> ({partial}) {{")
    text.load("%tile", "x", ("%step", "%block"), shape, element)
    text.line(f"%next = addf %partial, {widen(text, '%wide', '%tile', shape, element)} : {partial}")
    text.line(f"continue %next : {partial}")
    text.line("}")
    text.line(f"%total = reduce %sum dim=0 identities=[0.0 : f32] : {partial} -> tile<{width}xf32>")
    text.line("(%element: tile<f32>, %rest: tile<f32>) {")
    text.line("%r = addf %element, %rest : tile<f32>")
    text.line("yield %r : tile<f32>")
    text.line("}")
    text.store("%total", "y", ["%block"], [width], "f32")
    data = {"x": matrix(element, length, 2 * width), "y": numpy.zeros(2 * width, numpy.float32)}
    expected = as_numbers(element, data["x"]).sum(axis=0).astype(numpy.float32)
    return make_case(f"column_sum_{element}_{rows}x{width}", text, (2, 1, 1),
                     ["ptr x 0", "ptr y 0", f"i32 {length}", f"i32 {2 * width}"], data, {"y": expected}, (1e-4, 1e-3))


def rms_norm(element, rows, width, length, blocks=2):
    """x · rsqrt(mean of squares) · w: two passes over each row."""
    shape, wide = (rows, width), f"tile<{rows}x{width}xf32>"
    text = open_text({"x": element, "w": element, "y": element}, {"m": 1, "n": 16})
    text.view("x", element, ["%m", "%n"], shape)
    text.view("w", element, ["%n"], [width])
    text.view("y", element, ["%m", "%n"], shape, padding=False)
    ceiling(text, "steps", "%n", width)
    text.line(f"%none = constant <f32: 0.0> : {wide}")
    text.line(f"%sum = for %step in (%zero to %steps, step %one) : tile<i32> iter_values(%partial = %none) -> ({wide}) {{")
    text.load("%tile", "x", ("%block", "%step"), shape, element)
    value = widen(text, "%wide", "%tile", shape, element)
    text.line(f"%next = fma {value}, {value}, %partial : {wide}")
    text.line(f"continue %next : {wide}")
    text.line("}")
    reduce(text, "%total", "%sum", shape, "addf", "0.0")
    text.line("%count = itof %n signed : tile<i32> -> tile<f32>")
    text.line("%count_one = reshape %count : tile<f32> -> tile<1xf32>")
    text.line(f"%counts = broadcast %count_one : tile<1xf32> -> tile<{rows}xf32>")
    text.line(f"%mean = divf %total, %counts : tile<{rows}xf32>")
    text.line(f"%scale = rsqrt %mean : tile<{rows}xf32>")
    along_rows(text, "%scales", "%scale", shape)
    text.line("for %step in (%zero to %steps, step %one) : tile<i32> {")
    text.load("%tile", "x", ("%block", "%step"), shape, element)
    text.line(f"%scaled = mulf {widen(text, '%wide', '%tile', shape, element)}, %scales : {wide}")
    text.load("%weight", "w", ["%step"], [width], element)
    weight = widen(text, "%weight_wide", "%weight", [width], element)
    along_columns(text, "%weights", weight, shape)
    text.line(f"%weighted = mulf %scaled, %weights : {wide}")
    text.store(narrow(text, "%result", "%weighted", shape, element), "y", ("%block", "%step"), shape, element)
    text.line("continue")
    text.line("}")
    data = {"x": matrix(element, blocks * rows, length), "w": matrix(element, 1, length)[0],
            "y": numpy.zeros((blocks * rows, length), RESULTS[element])}
    x = as_numbers(element, data["x"])
    expected = x / numpy.sqrt((x * x).mean(axis=1, keepdims=True)) * as_numbers(element, data["w"])
    return make_case(f"rms_norm_{element}_{rows}x{width}", text, (blocks, 1, 1),
                     ["ptr x 0", "ptr w 0", "ptr y 0", f"i32 {blocks * rows}", f"i32 {length}"], data,
                     {"y": expected.astype(RESULTS[element])}, (2e-3, 2e-3))


def softmax(rows, width, length, blocks=2):
    """Of rows of f32 that are longer than a tile: a pass for the largest and the sum, one for the results."""
    shape, column, wide = (rows, width), f"tile<{rows}xf32>", f"tile<{rows}x{width}xf32>"
    text = open_text({"x": "f32", "y": "f32"}, {"m": 1, "n": 16})
    text.view("x", "f32", ["%m", "%n"], shape)
    text.view("y", "f32", ["%m", "%n"], shape, padding=False)
    ceiling(text, "steps", "%n", width)
    text.line(f"%lowest = constant <f32: -1.0e+30> : {column}")
    text.line(f"%nothing = constant <f32: 0.0> : {column}")
    text.line("%all:2 = for %step in (%zero to %steps, step %one) : tile<i32> iter_values(%top = %lowest, "
              f"%weight = %nothing) -> ({column}, {column}) {{")
    text.load("%tile", "x", ("%block", "%step"), shape, "f32")
    reduce(text, "%row_top", "%tile", shape, "maxf", "0xFF800000")
    text.line(f"%new_top = maxf %top, %row_top : {column}")
    along_rows(text, "%tops", "%new_top", shape)
    text.line(f"%shifted = subf %tile, %tops : {wide}")
    text.line(f"%powers = exp %shifted : {wide}")
    reduce(text, "%row_weight", "%powers", shape, "addf", "0.0")
    text.line(f"%fall = subf %top, %new_top : {column}")
    text.line(f"%decay = exp %fall : {column}")
    text.line(f"%decayed = mulf %weight, %decay : {column}")
    text.line(f"%new_weight = addf %decayed, %row_weight : {column}")
    text.line(f"continue %new_top, %new_weight : {column}, {column}")
    text.line("}")
    along_rows(text, "%all_tops", "%all#0", shape)
    along_rows(text, "%all_weights", "%all#1", shape)
    text.line("for %step in (%zero to %steps, step %one) : tile<i32> {")
    text.load("%tile", "x", ("%block", "%step"), shape, "f32")
    text.line(f"%shifted = subf %tile, %all_tops : {wide}")
    text.line(f"%powers = exp %shifted : {wide}")
    text.line(f"%result = divf %powers, %all_weights : {wide}")
    text.store("%result", "y", ("%block", "%step"), shape, "f32")
    text.line("continue")
    text.line("}")
    data = {"x": matrix("f32", blocks * rows, length), "y": numpy.zeros((blocks * rows, length), numpy.float32)}
    powers = numpy.exp(data["x"].astype(float) - data["x"].max(axis=1, keepdims=True))
    return make_case(f"softmax_long_{rows}x{width}", text, (blocks, 1, 1),
                     ["ptr x 0", "ptr y 0", f"i32 {blocks * rows}", f"i32 {length}"], data,
                     {"y": (powers / powers.sum(axis=1, keepdims=True)).astype(numpy.float32)}, (1e-4, 1e-7))


def copy(element, width, length, blocks=2):
    """Each block copies a row, tile by tile."""
    text = open_text({"x": element, "y": element}, {"m": 1, "n": 16})
    for name in "xy":
        text.view(name, element, ["%m", "%n"], (1, width), padding=name == "x")
    ceiling(text, "steps", "%n", width)
    text.line("for %step in (%zero to %steps, step %one) : tile<i32> {")
    text.load("%tile", "x", ("%block", "%step"), (1, width), element)
    text.store("%tile", "y", ("%block", "%step"), (1, width), element)
    text.line("continue")
    text.line("}")
    data = {"x": matrix(element, blocks, length)}
    data["y"] = numpy.zeros_like(data["x"])
    return make_case(f"copy_{element}_{width}", text, (blocks, 1, 1),
                     ["ptr x 0", "ptr y 0", f"i32 {blocks}", f"i32 {length}"], data, {"y": data["x"]}, (0, 0))


def dense_view(text, name, element, sizes):
    """An array of one tile."""
    shape = "x".join(map(str, sizes))
    strides = ", ".join(str(math.prod(sizes[i + 1:])) for i in range(len(sizes)))
    tensor = f"tensor_view<{shape}x{element}, strides=[{strides.replace(' ', '')}]>"
    text.types[name] = f"partition_view<tile=({shape}), {tensor}>"
    text.line(f"%{name}_view = make_tensor_view %{name}, shape = [{', '.join(map(str, sizes))}], strides = [{strides}] : {tensor}")
    text.line(f"%{name}_tiles = make_partition_view %{name}_view : {text.types[name]}")


def permuted(element, tile, order):
    """The tile with its dimensions in another order; the array has one tile."""
    shape, turned = [tile[i] for i in range(len(tile))], [tile[i] for i in order]
    text = open_text({"x": element, "y": element}, {})
    for name, sizes in (("x", shape), ("y", turned)):
        dense_view(text, name, element, sizes)
    place = ["%zero"] * len(tile)
    text.load("%tile", "x", place, shape, element)
    before, after = ("x".join(map(str, sizes)) for sizes in (shape, turned))
    text.line(f"%turned = permute %tile [{', '.join(map(str, order))}] : tile<{before}x{element}> -> "
              f"tile<{after}x{element}>")
    text.store("%turned", "y", place, turned, element)
    name = "permuted_" + element + "_" + before + "_" + "".join(map(str, order))
    random = numpy.random.default_rng(len(tile))
    kind = {"i8": numpy.int8, "f16": numpy.float16, "f32": numpy.float32, "i64": numpy.int64}[element]
    data = {"x": random.integers(-100, 100, shape).astype(kind)}
    data["y"] = numpy.zeros(turned, kind)
    return make_case(name, text, (1, 1, 1), ["ptr x 0", "ptr y 0"], data,
                     {"y": numpy.ascontiguousarray(data["x"].transpose(order))}, (0, 0))


def transposed(element, tile, blocks=2):
    """A square matrix, tile by tile."""
    text = open_text({"x": element, "y": element}, {"m": 16})
    for name in "xy":
        text.view(name, element, ["%m", "%m"], (tile, tile), padding=False)
    whole = f"tile<{tile}x{tile}x{element}>"
    text.load("%tile", "x", ("%block", "%block_y"), (tile, tile), element)
    text.line(f"%turned = permute %tile [1, 0] : {whole} -> {whole}")
    text.store("%turned", "y", ("%block_y", "%block"), (tile, tile), element)
    data = {"x": matrix(element, blocks * tile, blocks * tile)}
    data["y"] = numpy.zeros_like(data["x"])
    return make_case(f"transposed_{element}_{tile}", text, (blocks, blocks, 1), ["ptr x 0", "ptr y 0", f"i32 {blocks * tile}"],
                     data, {"y": numpy.ascontiguousarray(data["x"].T)}, (0, 0))


def added(element, tile, blocks=2):
    """Two vectors, a tile of them a block."""
    text = open_text(dict.fromkeys("abc", element), {"m": 16})
    for name in "abc":
        text.view(name, element, ["%m"], [tile], padding=False)
    for name in "ab":
        text.load(f"%{name}_tile", name, ["%block"], [tile], element)
    text.line(f"%sum = addf %a_tile, %b_tile : tile<{tile}x{element}>")
    text.store("%sum", "c", ["%block"], [tile], element)
    data = {"a": matrix(element, 1, blocks * tile)[0], "b": matrix(element, 2, blocks * tile)[1]}
    data["c"] = numpy.zeros_like(data["a"])
    return make_case(f"added_{element}_{tile}", text, (blocks, 1, 1), [f"ptr {name} 0" for name in "abc"] + [f"i32 {blocks * tile}"],
                     data, {"c": data["a"] + data["b"]}, (0, 0))


CASES = (
    [row_sum("f32", 1, 256, 4096), row_sum("f32", 1, 2048, 8192), row_sum("f16", 1, 512, 8192), row_sum("f16", 4, 256, 4096),
     row_sum("bf16", 1, 1024, 8192), row_sum("f16", 1, 4096, 16384)]
    + [column_sum("f32", 32, 64, 512), column_sum("f16", 8, 128, 256)]
    + [rms_norm("f16", 1, 512, 4096), rms_norm("f32", 1, 1024, 4096), rms_norm("f16", 4, 1024, 4096)]
    + [softmax(1, 512, 4096), softmax(4, 256, 2048), softmax(1, 4096, 16384)]
    + [copy("f32", 256, 4096), copy("f16", 2048, 8192)]
    + [permuted(element, (64, 64), (1, 0)) for element in ("i8", "f16", "f32", "i64")]
    + [permuted("f16", (128, 32), (1, 0)), permuted("f32", (8, 32, 16), (2, 0, 1)), permuted("f16", (8, 16, 32), (1, 0, 2)),
       permuted("f16", (8, 16, 32), (0, 2, 1))]
    + [transposed("f32", 64), added("f32", 2048)])
