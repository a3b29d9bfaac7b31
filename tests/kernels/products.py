"""Kernels around matrix products, as frontends write them: a matrix of tiles, types and transpositions, generated.

CASES has what run.OwnKernel takes of a case, each with `text`, the module.
"""

import types

import numpy


def bf16_bits(values):
    """Rounded to nearest, as uint16."""
    bits = values.astype(numpy.float32).view(numpy.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(numpy.uint16)


def bf16_values(bits):
    return (bits.astype(numpy.uint32) << 16).view(numpy.float32)


E4M3 = numpy.array([(-1) ** (b >> 7) * ((8 + b % 8) * 2.0 ** ((b >> 3 & 15) - 10) if b >> 3 & 15 else b % 8 * 2.0 ** -9)
                    for b in range(256)])


class Element:
    """name: of the language; wide: of sums; kinds of numpy for memory; make and read random operands."""

    def __init__(self, name, wide, result, size, make, read):
        self.name, self.wide, self.result, self.size, self.make, self.read = name, wide, result, size, make, read


def halves(random, shape):
    return random.standard_normal(shape).astype(numpy.float16)


ELEMENTS = {
    "f16": Element("f16", "f32", "f16", 2, halves, lambda x: x.astype(float)),
    "bf16": Element("bf16", "f32", "f32", 2, lambda r, s: bf16_bits(r.standard_normal(s)), bf16_values),
    "tf32": Element("tf32", "f32", "f32", 4, lambda r, s: r.integers(-8, 9, s).astype(numpy.float32), lambda x: x),
    "e4m3": Element("f8E4M3FN", "f32", "f32", 1, lambda r, s: r.integers(0x20, 0x48, s).astype(numpy.uint8),
                    lambda x: E4M3[x]),
    "s8": Element("i8", "i32", "i32", 1, lambda r, s: r.integers(-128, 128, s).astype(numpy.int8),
                  lambda x: x.astype(numpy.int64)),
}
RESULTS = {"f16": numpy.float16, "f32": numpy.float32, "i32": numpy.int32}


class Text:
    """A module under construction: names by the caller, promises as frontends make them."""

    def __init__(self):
        self.parameters, self.before, self.lines = [], [], []
        self.types = {}

    def pointer(self, name, element):
        self.parameters.append(f"%{name}_raw: tile<ptr<{element}>>")
        self.line(f"%{name} = assume div_by<16>, %{name}_raw : tile<ptr<{element}>>")

    def size(self, name, multiple):
        self.parameters.append(f"%{name}_raw: tile<i32>")
        self.line(f"%{name}_natural = assume bounded<0, ?>, %{name}_raw : tile<i32>")
        self.line(f"%{name} = assume div_by<{multiple}>, %{name}_natural : tile<i32>")

    def line(self, text):
        self.lines.append("    " + text)

    def view(self, name, element, sizes, tile, padding=True):
        """Row-major with these sizes (names or numbers), as tiles."""
        rank = len(sizes)
        strides = ["1"]
        for index in range(rank - 1, 0, -1):
            if index == rank - 1:
                strides.insert(0, sizes[-1])
                continue
            self.line(f"%{name}_stride{index} = muli {sizes[index]}, {strides[0]} : tile<i32>")
            strides.insert(0, f"%{name}_stride{index}")
        tensor = f"tensor_view<{'x'.join('?' * rank)}x{element}, strides=[{','.join(['?'] * (rank - 1) + ['1'])}]>"
        shape = "x".join(map(str, tile))
        zero = "padding_value = zero, " if padding else ""
        self.types[name] = f"partition_view<tile=({shape}), {zero}{tensor}>"
        self.line(f"%{name}_view = make_tensor_view %{name}, shape = [{', '.join(sizes)}], strides = "
                  f"[{', '.join(strides)}] : tile<i32> -> {tensor}")
        self.line(f"%{name}_tiles = make_partition_view %{name}_view : {self.types[name]}")

    def load(self, result, name, indices, tile, element):
        shape = "x".join(map(str, tile))
        self.line(f"{result}, {result}_read = load_view_tko weak %{name}_tiles[{', '.join(indices)}] token = %token : "
                  f"{self.types[name]}, tile<i32> -> tile<{shape}x{element}>, token")

    def store(self, value, name, indices, tile, element):
        shape = "x".join(map(str, tile))
        self.line(f"%{name}_written = store_view_tko weak {value}, %{name}_tiles[{', '.join(indices)}] token = %token : "
                  f"tile<{shape}x{element}>, {self.types[name]}, tile<i32> -> token")

    def module(self, entry):
        return (f"cuda_tile.module @kernels {{\n  entry @{entry}({', '.join(self.parameters)}) {{\n"
                + "\n".join(self.lines) + "\n    return\n  }\n}\n")


def start():
    text = Text()
    for line in ("%token = make_token : token", "%zero = constant <i32: 0> : tile<i32>",
                 "%one = constant <i32: 1> : tile<i32>", "%block, %block_y, %block_z = get_tile_block_id : tile<i32>"):
        text.line(line)
    return text


def make_case(name, text, grid, parameters, data, expected, tolerance):
    return types.SimpleNamespace(name=name, text=text.module("kernel"), KERNEL="kernel", GRID=grid, PARAMETERS=parameters,
                                 buffers=lambda: data, expected=lambda data: expected, TOLERANCE=tolerance)


def operand(text, result, name, kind, tile, indices, turned, leading=()):
    """Loads a tile of an operand, which lies in memory as it is used or turned; `leading`: indices of a batch."""
    stored = list(reversed(tile)) if turned else list(tile)
    place = list(leading) + (list(reversed(indices)) if turned else list(indices))
    memory = "f32" if kind.name == "tf32" else kind.name
    text.load(f"{result}_loaded", name, place, [1] * len(leading) + stored, memory)
    value, shape = f"{result}_loaded", "x".join(map(str, stored))
    if leading:
        full = "x".join(map(str, [1] * len(leading) + stored))
        text.line(f"{result}_flat = reshape {value} : tile<{full}x{memory}> -> tile<{shape}x{memory}>")
        value = f"{result}_flat"
    if kind.name == "tf32":
        text.line(f"{result}_narrow = ftof {value} : tile<{shape}xf32> -> tile<{shape}xtf32>")
        value = f"{result}_narrow"
    if turned:
        text.line(f"{result}_turned = permute {value} [1, 0] : tile<{shape}x{kind.name}> -> "
                  f"tile<{'x'.join(map(str, tile))}x{kind.name}>")
        value = f"{result}_turned"
    return value


def multiply(text, result, kind, a, b, c, tile, fast=False):
    m, n, k = tile
    operation = "mmai" if kind.wide == "i32" else "mmaf"
    suffix = " signed signed" if kind.wide == "i32" else " fast_acc" if fast else ""
    text.line(f"{result} = {operation} {a}, {b}, {c}{suffix} : tile<{m}x{k}x{kind.name}>, tile<{k}x{n}x{kind.name}>, "
              f"tile<{m}x{n}x{kind.wide}>")


def inner_loop(text, kind, tile, transposed, row, column, first="%zero", last="%steps", leading=(), fast=False):
    m, n, k = tile
    sums = f"tile<{m}x{n}x{kind.wide}>"
    none = "i32: 0" if kind.wide == "i32" else "f32: 0.000000e+00"
    text.line(f"%none = constant <{none}> : {sums}")
    text.line(f"%sum = for %step in ({first} to {last}, step %one) : tile<i32> iter_values(%partial = %none) -> ({sums}) {{")
    a = operand(text, "%x", "a", kind, (m, k), (row, "%step"), transposed[0] == "t", leading)
    b = operand(text, "%y", "b", kind, (k, n), ("%step", column), transposed[1] == "t", leading)
    multiply(text, "%next", kind, a, b, "%partial", tile, fast)
    text.line(f"continue %next : {sums}")
    text.line("}")


def result_of(text, kind, tile):
    m, n, _ = tile
    if kind.result == kind.wide:
        return "%sum"
    text.line(f"%rounded = ftof %sum : tile<{m}x{n}x{kind.wide}> -> tile<{m}x{n}x{kind.result}>")
    return "%rounded"


def ceiling(text, name, size, tile):
    text.line(f"%{name}_up = constant <i32: {tile - 1}> : tile<i32>")
    text.line(f"%{name}_tile = constant <i32: {tile}> : tile<i32>")
    text.line(f"%{name}_sum = addi {size}, %{name}_up : tile<i32>")
    text.line(f"%{name} = divi %{name}_sum, %{name}_tile signed : tile<i32>")


def matmul(element, tile, transposed="nn", shape="plain", fast=False, steps=4, batch=2):
    """shape: plain, batched, split (over two blocks, sums by atomics), persistent (one block makes both tiles)."""
    kind, (m, n, k) = ELEMENTS[element], tile
    columns = 2 if shape == "persistent" else 1
    rows_all, columns_all, depth = m, columns * n, steps * k
    memory = "f32" if element == "tf32" else kind.name
    text, multiple = start(), 16 // kind.size
    text.pointer("a", memory), text.pointer("b", memory), text.pointer("c", kind.wide if shape == "split" else kind.result)
    for name in "mnk":
        text.size(name, multiple)
    parameters = ["ptr a 0", "ptr b 0", "ptr c 0", f"i32 {rows_all}", f"i32 {columns_all}", f"i32 {depth}"]
    leading = ()
    if shape == "batched":
        text.size("batch", 1)
        parameters.append(f"i32 {batch}")
        leading = ("%block_z",)
    head, ones = (["%batch"], [1]) if leading else ([], [])
    sizes_a, sizes_b = ["%m", "%k"], ["%k", "%n"]
    tile_a, tile_b = [m, k], [k, n]
    if transposed[0] == "t":
        sizes_a, tile_a = sizes_a[::-1], tile_a[::-1]
    if transposed[1] == "t":
        sizes_b, tile_b = sizes_b[::-1], tile_b[::-1]
    text.view("a", memory, head + sizes_a, ones + tile_a)
    text.view("b", memory, head + sizes_b, ones + tile_b)
    text.view("c", kind.wide if shape == "split" else kind.result, head + ["%m", "%n"], ones + [m, n], padding=False)
    ceiling(text, "steps", "%k", k)
    grid = (1, columns, batch if leading else 1)
    if shape == "split":
        grid = split_body(text, kind, tile, transposed)
    elif shape == "persistent":
        persistent_body(text, kind, tile, transposed)
        grid = (1, 1, 1)
    else:
        inner_loop(text, kind, tile, transposed, "%block", "%block_y", leading=leading, fast=fast)
        value = result_of(text, kind, tile)
        stored = [m, n]
        if leading:
            text.line(f"%stacked = reshape {value} : tile<{m}x{n}x{kind.result}> -> tile<1x{m}x{n}x{kind.result}>")
            value, stored = "%stacked", [1, m, n]
        text.store(value, "c", list(leading) + ["%block", "%block_y"], stored, kind.result)
    random = numpy.random.default_rng(m + n + k)
    outer = (batch,) if leading else ()
    a = kind.make(random, outer + (rows_all, depth))
    b = kind.make(random, outer + (depth, columns_all))
    kind_of_result = RESULTS[kind.wide if shape == "split" else kind.result]
    expected = (kind.read(a) @ kind.read(b)).astype(kind_of_result)
    turn = lambda matrix, way: numpy.ascontiguousarray(numpy.swapaxes(matrix, -1, -2)) if way == "t" else matrix
    data = {"a": turn(a, transposed[0]), "b": turn(b, transposed[1]), "c": numpy.zeros(expected.shape, kind_of_result)}
    name = f"matmul_{element}_{m}x{n}x{k}_{transposed}" + ("" if shape == "plain" else "_" + shape) + ("_fast" if fast else "")
    return make_case(name, text, grid, parameters, data, {"c": expected}, (4e-3, 4e-3) if kind.wide == "f32" else (0, 0))


def grouped(tile, sizes=((128, 256, 192), (0, 128, 64), (264, 104, 0), (200, 136, 320))):
    """One block makes all products of a list of arrays, whose sizes and places it loads: views are made in a loop."""
    kind, (m, n, k) = ELEMENTS["f16"], tile
    text, names = start(), "abc"
    for name in names:
        text.pointer(name + "s", "f16")
    text.pointer("table", "i32")
    text.size("groups", 1)
    tensor = "tensor_view<?x8xi32, strides=[8,1]>"
    text.types["table"] = f"partition_view<tile=(1x8), {tensor}>"
    text.line(f"%table_view = make_tensor_view %table, shape = [%groups, 8], strides = [8, 1] : tile<i32> -> {tensor}")
    text.line(f"%table_tiles = make_partition_view %table_view : {text.types['table']}")
    text.line("for %group in (%zero to %groups, step %one) : tile<i32> {")
    text.load("%entry", "table", ["%group", "%zero"], [1, 8], "i32")
    for index, name in enumerate(("m", "n", "k", "a_start", "b_start", "c_start")):
        text.line(f"%at_{name} = constant <i32: {index}> : tile<i32>")
        text.line(f"%{name}_piece = extract %entry[%zero, %at_{name}] : tile<1x8xi32> -> tile<1x1xi32>")
        text.line(f"%{name}_raw = reshape %{name}_piece : tile<1x1xi32> -> tile<i32>")
        text.line(f"%{name}_natural = assume bounded<0, ?>, %{name}_raw : tile<i32>")
        text.line(f"%{name} = assume div_by<8>, %{name}_natural : tile<i32>")
    for name, shape, view in (("a", ["%m", "%k"], (m, k)), ("b", ["%k", "%n"], (k, n)), ("c", ["%m", "%n"], (m, n))):
        text.line(f"%{name}_moved = offset %{name}s, %{name}_start : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>")
        text.line(f"%{name} = assume div_by<16>, %{name}_moved : tile<ptr<f16>>")
        text.view(name, "f16", shape, view, padding=name != "c")
    ceiling(text, "steps", "%k", k)
    persistent_body(text, kind, tile, "nn")
    text.line("continue")
    text.line("}")
    random = numpy.random.default_rng(m + n)
    table, data = numpy.zeros((len(sizes), 8), numpy.int32), {}
    operands = [(halves(random, (rows, depth)), halves(random, (depth, columns))) for rows, columns, depth in sizes]
    products = [(a.astype(float) @ b.astype(float)).astype(numpy.float16) for a, b in operands]
    for name, parts in zip(names, (*zip(*operands), products)):
        starts = numpy.cumsum([0] + [part.size for part in parts])
        table[:, 3 + names.index(name)] = starts[:-1]
        data[name] = numpy.concatenate([part.ravel() for part in parts])
    table[:, :3] = sizes
    expected = data["c"]
    data.update(c=numpy.zeros_like(expected), table=table)
    return make_case("grouped_f16_" + "x".join(map(str, tile)), text, (1, 1, 1),
                     ["ptr a 0", "ptr b 0", "ptr c 0", "ptr table 0", f"i32 {len(sizes)}"], data, {"c": expected},
                     (4e-3, 4e-3))


def split_body(text, kind, tile, transposed):
    """Two blocks share the inner dimension and add up what they have."""
    m, n, _ = tile
    text.line("%two = constant <i32: 2> : tile<i32>")
    text.line("%rounded_steps = addi %steps, %one : tile<i32>")
    text.line("%part = divi %rounded_steps, %two signed : tile<i32>")
    text.line("%first = muli %block_z, %part : tile<i32>")
    text.line("%end = addi %first, %part : tile<i32>")
    text.line("%last = mini %end, %steps signed : tile<i32>")
    inner_loop(text, kind, tile, transposed, "%block", "%block_y", "%first", "%last")
    text.line(f"%c_added = atomic_red_view_tko relaxed device %c_tiles[%block, %block_y], addf, %sum token = %token : "
              f"tile<{m}x{n}x{kind.wide}>, {text.types['c']}, tile<i32> -> token")
    return (1, 1, 2)


def persistent_body(text, kind, tile, transposed):
    """One block goes over all tiles of the result, in the way of frontends."""
    m, n, _ = tile
    ceiling(text, "rows", "%m", m)
    ceiling(text, "columns", "%n", n)
    text.line("%count = muli %rows, %columns : tile<i32>")
    text.line("%blocks, %blocks_y, %blocks_z = get_num_tile_blocks : tile<i32>")
    text.line("for %tile in (%block to %count, step %blocks) : tile<i32> {")
    text.line("%row = remi %tile, %rows signed : tile<i32>")
    text.line("%column = divi %tile, %rows signed : tile<i32>")
    inner_loop(text, kind, tile, transposed, "%row", "%column")
    text.store(result_of(text, kind, tile), "c", ["%row", "%column"], [m, n], kind.result)
    text.line("continue")
    text.line("}")


def reduce(text, result, source, shape, operation, identity):
    text.line(f"{result} = reduce {source} dim=1 identities=[{identity} : f32] : tile<{shape[0]}x{shape[1]}xf32> -> "
              f"tile<{shape[0]}xf32>")
    text.line("(%element: tile<f32>, %rest: tile<f32>) {")
    text.line(f"%r = {operation} %element, %rest : tile<f32>")
    text.line("yield %r : tile<f32>")
    text.line("}")


def along_rows(text, result, source, shape):
    m, n = shape
    text.line(f"{result}_column = reshape {source} : tile<{m}xf32> -> tile<{m}x1xf32>")
    text.line(f"{result} = broadcast {result}_column : tile<{m}x1xf32> -> tile<{m}x{n}xf32>")


def attention(d, causal=False, m=128, n=64, length=256, heads=1):
    """`heads` of queries read the same keys and values; a tile block has m / heads rows of each."""
    kind, text = ELEMENTS["f16"], start()
    for name, element in (("q", "f16"), ("k", "f16"), ("v", "f16"), ("o", "f16")):
        text.pointer(name, element)
    text.size("length", 8)
    if heads > 1:
        text.line(f"%width = constant <i32: {d}> : tile<i32>")
        text.line(f"%head_count = constant <i32: {heads}> : tile<i32>")
        for name in "qo":
            text.view(name, "f16", ["%head_count", "%length", "%width"], (heads, m // heads, d), padding=name == "q")
    for name, rows in (("q", m), ("k", n), ("v", n), ("o", m)):
        if name in text.types:
            continue
        tensor = f"tensor_view<?x{d}xf16, strides=[{d},1]>"
        text.types[name] = f"partition_view<tile=({rows}x{d}), {'' if name == 'o' else 'padding_value = zero, '}{tensor}>"
        text.line(f"%{name}_view = make_tensor_view %{name}, shape = [%length, {d}], strides = [{d}, 1] : tile<i32> -> {tensor}")
        text.line(f"%{name}_tiles = make_partition_view %{name}_view : {text.types[name]}")
    rows, scores, output = f"tile<{m}xf32>", f"tile<{m}x{n}xf32>", f"tile<{m}x{d}xf32>"
    for name, value, kind_of in (("none", "0.0", output), ("lowest", "-1.0e+30", rows), ("nothing", "0.0", rows),
                                 ("no_score", "0.0", scores), ("far", "-1.0e+30", scores),
                                 ("scale", repr(1.4426950408889634 / d ** 0.5), scores)):
        text.line(f"%{name} = constant <f32: {value}> : {kind_of}")
    if causal:
        text.line(f"%rows_of_tile = constant <i32: {m}> : tile<i32>")
        text.line("%last_row = addi %block, %one : tile<i32>")
        text.line("%end = muli %last_row, %rows_of_tile : tile<i32>")
        text.line("%seen = mini %end, %length signed : tile<i32>")
    ceiling(text, "steps", "%seen" if causal else "%length", n)
    if heads > 1:
        text.load("%q_heads", "q", ("%zero", "%block", "%zero"), (heads, m // heads, d), "f16")
        text.line(f"%q_tile = reshape %q_heads : tile<{heads}x{m // heads}x{d}xf16> -> tile<{m}x{d}xf16>")
    else:
        text.load("%q_tile", "q", ("%block", "%zero"), (m, d), "f16")
    text.line(f"%all:3 = for %step in (%zero to %steps, step %one) : tile<i32> iter_values(%sum = %none, %top = %lowest, "
              f"%weight = %nothing) -> ({output}, {rows}, {rows}) {{")
    keys = operand(text, "%keys", "k", kind, (d, n), ("%zero", "%step"), True)
    multiply(text, "%raw", kind, "%q_tile", keys, "%no_score", (m, n, d))
    text.line(f"%scaled = mulf %raw, %scale : {scores}")
    score = "%scaled"
    if causal:
        score = causal_mask(text, m, n, scores)
    reduce(text, "%row_top", score, (m, n), "maxf", "0xFF800000")
    text.line(f"%new_top = maxf %top, %row_top : {rows}")
    along_rows(text, "%shift", "%new_top", (m, n))
    text.line(f"%shifted = subf {score}, %shift : {scores}")
    text.line(f"%power = exp2 %shifted flush_to_zero : {scores}")
    reduce(text, "%row_weight", "%power", (m, n), "addf", "0.0")
    text.line(f"%fall = subf %top, %new_top : {rows}")
    text.line(f"%decay = exp2 %fall flush_to_zero : {rows}")
    text.line(f"%decayed = mulf %weight, %decay : {rows}")
    text.line(f"%new_weight = addf %decayed, %row_weight : {rows}")
    along_rows(text, "%decays", "%decay", (m, d))
    text.line(f"%kept = mulf %sum, %decays : {output}")
    text.line(f"%half = ftof %power : {scores} -> tile<{m}x{n}xf16>")
    values = operand(text, "%values", "v", kind, (n, d), ("%step", "%zero"), False)
    multiply(text, "%new_sum", kind, "%half", values, "%kept", (m, d, n))
    text.line(f"continue %new_sum, %new_top, %new_weight : {output}, {rows}, {rows}")
    text.line("}")
    along_rows(text, "%weights", "%all#2", (m, d))
    text.line(f"%quotient = divf %all#0, %weights : {output}")
    text.line(f"%rounded = ftof %quotient : {output} -> tile<{m}x{d}xf16>")
    if heads > 1:
        text.line(f"%apart = reshape %rounded : tile<{m}x{d}xf16> -> tile<{heads}x{m // heads}x{d}xf16>")
        text.store("%apart", "o", ("%zero", "%block", "%zero"), (heads, m // heads, d), "f16")
    else:
        text.store("%rounded", "o", ("%block", "%zero"), (m, d), "f16")
    random = numpy.random.default_rng(d)
    queries = (heads, length, d) if heads > 1 else (length, d)
    data = {name: random.standard_normal(queries if name == "q" else (length, d)).astype(numpy.float16) for name in "qkv"}
    data["o"] = numpy.zeros(queries, numpy.float16)
    weights = data["q"].astype(float) @ data["k"].astype(float).T / d ** 0.5
    if causal:
        weights = numpy.where(numpy.tril(numpy.ones((length, length), bool)), weights, -1e30)
    powers = numpy.exp(weights - weights.max(axis=-1, keepdims=True))
    expected = (powers / powers.sum(axis=-1, keepdims=True) @ data["v"].astype(float)).astype(numpy.float16)
    name = f"attention_{d}" + ("_causal" if causal else "") + (f"_of_{heads}_heads" if heads > 1 else "")
    return make_case(name, text, (-(-length * heads // m), 1, 1),
                     ["ptr q 0", "ptr k 0", "ptr v 0", "ptr o 0", f"i32 {length}"], data, {"o": expected}, (5e-3, 5e-3))


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
    text.line(f"%masked = select %is_seen, %scaled, %far : tile<{m}x{n}xi1>, {scores}")
    return "%masked"


CASES = (
    [matmul("f16", tile, transposed) for tile in ((64, 64, 32), (128, 128, 64), (128, 256, 64))
     for transposed in ("nn", "nt", "tn", "tt")]
    + [matmul("f16", (256, 256, 64)), matmul("bf16", (128, 128, 64)), matmul("bf16", (128, 256, 64), "nt"),
       matmul("e4m3", (128, 128, 128), "nt"), matmul("e4m3", (128, 128, 128), "nn"), matmul("e4m3", (128, 128, 128), "nt", fast=True),
       matmul("s8", (128, 128, 128), "nt"), matmul("s8", (128, 128, 128), "nn"), matmul("tf32", (128, 128, 32), "nt"),
       matmul("tf32", (128, 128, 32), "nn"), matmul("f16", (128, 128, 64), "nn", "batched"),
       matmul("bf16", (128, 128, 64), "nn", "split"), matmul("f16", (128, 256, 64), "nn", "persistent"),
       matmul("f16", (16, 128, 64)), matmul("bf16", (32, 128, 64), "nt"), matmul("f16", (16, 128, 64), "nn", "batched"),
       matmul("f16", (8, 64, 64), "tt"), matmul("bf16", (32, 256, 64), "tn", "persistent"),
       matmul("bf16", (16, 128, 64), "nn", "split"), matmul("e4m3", (16, 128, 128), "nt"),
       grouped((128, 128, 64)),
       attention(64), attention(128), attention(256), attention(64, causal=True),
       attention(64, heads=2)])
