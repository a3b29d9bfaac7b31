"""Attention, forward and backward, as frontends write it; generated.

CASES has what run.OwnKernel takes of a case, each with `text`, the module. Scores and sums are in f32, powers of two.
"""

import numpy

from products import ELEMENTS, along_rows, ceiling, make_case, multiply, operand, reduce, start

F16 = ELEMENTS["f16"]


def attention(d, causal=False, m=128, n=64, length=256, heads=1, batch=0, queries=0, growing=False, columns=False):
    """`heads` of queries read the same keys and values; a tile block has m / heads rows of each. With a batch, each block of the
    grid's second dimension has queries, keys and values of its own. With `queries`, there are so many, not as many as keys.
    `growing`: scores grow from key to key, to where exponentials relative to the first ones overflow. `columns`: what is known
    of rows is a tile with one column, as front ends write it that keep dimensions."""
    text = start()
    for name in "qkvo":
        text.pointer(name, "f16")
    text.size("length", 8)
    parameters, leading, ones = ["ptr q 0", "ptr k 0", "ptr v 0", "ptr o 0", f"i32 {length}"], (), []
    for name, value in (("batch", batch), ("queries", queries)):
        if value:
            text.size(name, 1)
            parameters.append(f"i32 {value}")
    if batch:
        leading, ones = ("%block_y",), [1]
    outer, rows_all = ["%batch"] * len(ones), "%queries" if queries else "%length"
    if heads > 1:
        text.line(f"%head_count = constant <i32: {heads}> : tile<i32>")
    of_heads, group = (["%head_count"], [heads]) if heads > 1 else ([], [])
    for name in "qkvo":
        if name in "qo":
            text.view(name, "f16", [*outer, *of_heads, rows_all, str(d)], ones + group + [m // heads, d], padding=name == "q")
        else:
            text.view(name, "f16", [*outer, "%length", str(d)], ones + [n, d])
    rows, scores, output = f"tile<{m}x1xf32>" if columns else f"tile<{m}xf32>", f"tile<{m}x{n}xf32>", f"tile<{m}x{d}xf32>"
    for name, value, kind_of in (("none", "0.0", output), ("lowest", "-1.0e+30", rows), ("nothing", "0.0", rows),
                                 ("no_score", "0.0", scores), ("far", "-1.0e+30", scores),
                                 ("scale", repr(1.4426950408889634 / d ** 0.5), scores),
                                 ("row_scale", repr(1.4426950408889634 / d ** 0.5), rows)):
        text.line(f"%{name} = constant <f32: {value}> : {kind_of}")
    if causal:
        text.line(f"%rows_of_tile = constant <i32: {m}> : tile<i32>")
        text.line("%last_row = addi %block, %one : tile<i32>")
        text.line("%end = muli %last_row, %rows_of_tile : tile<i32>")
        text.line("%seen = mini %end, %length signed : tile<i32>")
    ceiling(text, "steps", "%seen" if causal else "%length", n)
    place = (*leading, *["%zero"] * len(group), "%block", "%zero")
    full = ones + group + [m // heads, d]
    stacked = "x".join(map(str, full))
    if len(full) > 2:
        text.load("%q_heads", "q", place, full, "f16")
        text.line(f"%q_tile = reshape %q_heads : tile<{stacked}xf16> -> tile<{m}x{d}xf16>")
    else:
        text.load("%q_tile", "q", place, full, "f16")
    text.line(f"%all:3 = for %step in (%zero to %steps, step %one) : tile<i32> iter_values(%sum = %none, %top = %lowest, "
              f"%weight = %nothing) -> ({output}, {rows}, {rows}) {{")
    keys = operand(text, "%keys", "k", F16, (d, n), ("%zero", "%step"), True, leading)
    multiply(text, "%raw", F16, "%q_tile", keys, "%no_score", (m, n, d))
    score = causal_mask(text, m, n, scores) if causal else "%raw"
    reduce_rows(text, "%raw_top", score, (m, n), "maxf", "0xFF800000", columns)
    text.line(f"%row_top = mulf %raw_top, %row_scale : {rows}")
    text.line(f"%new_top = maxf %top, %row_top : {rows}")
    widen(text, "%shift", "%new_top", (m, n), columns)
    text.line(f"%lowered = negf %shift : {scores}")
    text.line(f"%shifted = fma {score}, %scale, %lowered : {scores}")
    text.line(f"%power = exp2 %shifted flush_to_zero : {scores}")
    reduce_rows(text, "%row_weight", "%power", (m, n), "addf", "0.0", columns)
    text.line(f"%fall = subf %top, %new_top : {rows}")
    text.line(f"%decay = exp2 %fall flush_to_zero : {rows}")
    text.line(f"%new_weight = fma %weight, %decay, %row_weight : {rows}")
    widen(text, "%decays", "%decay", (m, d), columns)
    text.line(f"%kept = mulf %sum, %decays : {output}")
    text.line(f"%half = ftof %power : {scores} -> tile<{m}x{n}xf16>")
    values = operand(text, "%values", "v", F16, (n, d), ("%step", "%zero"), False, leading)
    multiply(text, "%new_sum", F16, "%half", values, "%kept", (m, d, n))
    text.line(f"continue %new_sum, %new_top, %new_weight : {output}, {rows}, {rows}")
    text.line("}")
    widen(text, "%weights", "%all#2", (m, d), columns)
    text.line(f"%quotient = divf %all#0, %weights : {output}")
    text.line(f"%rounded = ftof %quotient : {output} -> tile<{m}x{d}xf16>")
    if len(full) > 2:
        text.line(f"%apart = reshape %rounded : tile<{m}x{d}xf16> -> tile<{stacked}xf16>")
        text.store("%apart", "o", place, full, "f16")
    else:
        text.store("%rounded", "o", place, full, "f16")
    random = numpy.random.default_rng(d)
    outside = ((batch,) if batch else ())
    shape_q = outside + ((heads,) if heads > 1 else ()) + (queries or length, d)
    data = {name: random.standard_normal(shape_q if name == "q" else outside + (length, d)).astype(numpy.float16) for name in "qkv"}
    data["o"] = numpy.zeros(shape_q, numpy.float16)
    if growing:
        data["q"] *= numpy.float16(6)
        data["k"] *= numpy.linspace(0.05, 6, length).astype(numpy.float16)[:, None]
    q, k, v = (data[name].astype(float) for name in "qkv")
    if batch and heads > 1:
        k, v = k[:, None], v[:, None]
    weights = q @ numpy.swapaxes(k, -1, -2) / d ** 0.5
    if causal:
        weights = numpy.where(numpy.tril(numpy.ones((length, length), bool)), weights, -1e30)
    powers = numpy.exp(weights - weights.max(axis=-1, keepdims=True))
    expected = (powers / powers.sum(axis=-1, keepdims=True) @ v).astype(numpy.float16)
    name = f"attention_{d}" + ("_causal" if causal else "") + ("_growing" if growing else "")
    name += "_columns" if columns else ""
    name += f"_of_{heads}_heads" if heads > 1 else ""
    name += ("_batched" if batch else "") + (f"_{queries}_queries" if queries else "")
    name += f"_{m}x{n}" if m == 256 else ""
    return make_case(name, text, (-(-(queries or length) * heads // m), batch or 1, 1), parameters, data, {"o": expected},
                     (5e-3, 5e-3))


def reduce_rows(text, result, value, shape, operation, identity, columns):
    if not columns:
        reduce(text, result, value, shape, operation, identity)
        return
    reduce(text, f"{result}_of_row", value, shape, operation, identity)
    text.line(f"{result} = reshape {result}_of_row : tile<{shape[0]}xf32> -> tile<{shape[0]}x1xf32>")


def widen(text, result, value, shape, columns):
    if columns:
        text.line(f"{result} = broadcast {value} : tile<{shape[0]}x1xf32> -> tile<{shape[0]}x{shape[1]}xf32>")
    else:
        along_rows(text, result, value, shape)


def causal_mask(text, m, n, scores):
    for name, block, size, shape in (("query", "%block", m, (m, 1)), ("key", "%step", n, (1, n))):
        long, row = f"tile<{size}xi32>", f"tile<{shape[0]}x{shape[1]}xi32>"
        text.line(f"%{name}_size = constant <i32: {size}> : tile<i32>")
        text.line(f"%{name}_first = muli {block}, %{name}_size : tile<i32>")
        text.line(f"%{name}_one = reshape %{name}_first : tile<i32> -> tile<1xi32>")
        text.line(f"%{name}_all = broadcast %{name}_one : tile<1xi32> -> {long}")
        text.line(f"%{name}_offsets = iota : {long}")
        text.line(f"%{name}_numbers = addi %{name}_all, %{name}_offsets : {long}")
        text.line(f"%{name}_shaped = reshape %{name}_numbers : {long} -> {row}")
        text.line(f"%{name}_tile = broadcast %{name}_shaped : {row} -> tile<{m}x{n}xi32>")
    text.line(f"%is_seen = cmpi less_than_or_equal %key_tile, %query_tile, signed : tile<{m}x{n}xi32> -> tile<{m}x{n}xi1>")
    text.line(f"%masked = select %is_seen, %raw, %far : tile<{m}x{n}xi1>, {scores}")
    return "%masked"


def backward(d, m=64, n=128, length=256, batch=2):
    """The gradients of keys and values: a tile block has n rows of them and goes over the queries, m at a time. Of each query
    the logarithm (of 2) of its sum of powers is known, and the sum of its output times the output's gradient."""
    text, leading = start(), ("%block_y",)
    names = ("q", "k", "v", "dy", "dk", "dv")
    for name in names:
        text.pointer(name, "f16")
    for name in ("level", "delta"):
        text.pointer(name, "f32")
    text.size("length", 8)
    text.size("batch", 1)
    for name in names:
        text.view(name, "f16", ["%batch", "%length", str(d)], [1, m if name in ("q", "dy") else n, d],
                  padding=not name.startswith("dk"))
    for name in ("level", "delta"):
        text.view(name, "f32", ["%batch", "%length"], [1, m])
    scores, output = f"tile<{n}x{m}xf32>", f"tile<{n}x{d}xf32>"
    for name, value, kind_of in (("none", "0.0", output), ("no_score", "0.0", scores), ("root", repr(d ** -0.5), output),
                                 ("scale", repr(1.4426950408889634 / d ** 0.5), scores)):
        text.line(f"%{name} = constant <f32: {value}> : {kind_of}")
    ceiling(text, "steps", "%length", m)
    own = ("%block", "%zero")
    keys = operand(text, "%keys", "k", F16, (n, d), own, False, leading)
    values = operand(text, "%values", "v", F16, (n, d), own, False, leading)
    text.line("%all:2 = for %step in (%zero to %steps, step %one) : tile<i32> iter_values(%dk_sum = %none, %dv_sum = %none) -> "
              f"({output}, {output}) {{")
    queries = operand(text, "%queries", "q", F16, (m, d), ("%step", "%zero"), False, leading)
    gradients = operand(text, "%gradients", "dy", F16, (m, d), ("%step", "%zero"), False, leading)
    for result, tile in (("%queries_turned", queries), ("%gradients_turned", gradients)):
        text.line(f"{result} = permute {tile} [1, 0] : tile<{m}x{d}xf16> -> tile<{d}x{m}xf16>")
    for name in ("level", "delta"):
        text.load(f"%{name}_tile", name, ("%block_y", "%step"), [1, m], "f32")
        text.line(f"%{name}_all = broadcast %{name}_tile : tile<1x{m}xf32> -> {scores}")
    multiply(text, "%raw", F16, keys, "%queries_turned", "%no_score", (n, m, d))
    text.line(f"%lowered = negf %level_all : {scores}")
    text.line(f"%shifted = fma %raw, %scale, %lowered : {scores}")
    text.line(f"%power = exp2 %shifted flush_to_zero : {scores}")
    text.line(f"%half = ftof %power : {scores} -> tile<{n}x{m}xf16>")
    multiply(text, "%dv_next", F16, "%half", gradients, "%dv_sum", (n, d, m))
    multiply(text, "%turned_raw", F16, values, "%gradients_turned", "%no_score", (n, m, d))
    text.line(f"%above = subf %turned_raw, %delta_all : {scores}")
    text.line(f"%slope = mulf %power, %above : {scores}")
    text.line(f"%slope_half = ftof %slope : {scores} -> tile<{n}x{m}xf16>")
    multiply(text, "%dk_next", F16, "%slope_half", queries, "%dk_sum", (n, d, m))
    text.line(f"continue %dk_next, %dv_next : {output}, {output}")
    text.line("}")
    text.line(f"%dk_all = mulf %all#0, %root : {output}")
    for name, value in (("dk", "%dk_all"), ("dv", "%all#1")):
        text.line(f"%{name}_half = ftof {value} : {output} -> tile<{n}x{d}xf16>")
        text.line(f"%{name}_out = reshape %{name}_half : tile<{n}x{d}xf16> -> tile<1x{n}x{d}xf16>")
        text.store(f"%{name}_out", name, (*leading, *own), [1, n, d], "f16")
    random = numpy.random.default_rng(d)
    data = {name: random.standard_normal((batch, length, d)).astype(numpy.float16) for name in names[:4]}
    q, k, v, dy = (data[name].astype(float) for name in names[:4])
    transpose = lambda matrix: numpy.swapaxes(matrix, -1, -2)
    weights = q @ transpose(k) / d ** 0.5
    top = weights.max(axis=-1, keepdims=True)
    level = numpy.log(numpy.exp(weights - top).sum(axis=-1, keepdims=True)) + top
    share = numpy.exp(weights - level)
    delta = (share @ v * dy).sum(axis=-1)
    data["level"], data["delta"] = (level[..., 0] * 1.4426950408889634).astype(numpy.float32), delta.astype(numpy.float32)
    slope = share * (dy @ transpose(v) - delta[..., None])
    expected = {"dk": (transpose(slope) @ q / d ** 0.5).astype(numpy.float16), "dv": (transpose(share) @ dy).astype(numpy.float16)}
    data.update({name: numpy.zeros_like(values) for name, values in expected.items()})
    return make_case(f"attention_{d}_backward", text, (-(-length // n), batch, 1),
                     [f"ptr {name} 0" for name in (*names, "level", "delta")] + [f"i32 {length}", f"i32 {batch}"], data, expected,
                     (1e-2, 1e-2))


CASES = [attention(64), attention(128), attention(256), attention(64, causal=True), attention(64, heads=2),
         attention(128, batch=2), attention(128, causal=True, batch=2), attention(64, batch=2, heads=2),
         attention(128, m=16, batch=2, queries=16), attention(64, columns=True),
         attention(64, causal=True, columns=True), backward(64), backward(128)]
