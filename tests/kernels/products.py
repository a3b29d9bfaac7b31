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

    def returning(self, result):
        return Element(self.name, self.wide, result or self.result, self.size, self.make, self.read)


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
    # Small integers, whose sums f16 holds.
    "f16_f16": Element("f16", "f16", "f16", 2, lambda r, s: r.integers(-3, 4, s).astype(numpy.float16),
                       lambda x: x.astype(float)),
    "e4m3_f16": Element("f8E4M3FN", "f16", "f16", 1,
                        lambda r, s: r.choice(numpy.array([0, 0x38, 0x40, 0xb8, 0xc0], numpy.uint8), s), lambda x: E4M3[x]),
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

    def multiply(self, name, x, y):
        """Names or numbers; `name` is for what is computed."""
        if "1" in (x, y):
            return x if y == "1" else y
        if x.isdecimal() and y.isdecimal():
            return str(int(x) * int(y))
        if x.isdecimal():
            x, y = y, x
        if y.isdecimal():
            self.line(f"{name}_factor = constant <i32: {y}> : tile<i32>")
            y = f"{name}_factor"
        self.line(f"{name} = muli {x}, {y} : tile<i32>")
        return name

    def view(self, name, element, sizes, tile, padding=True):
        """Row-major with these sizes (names or numbers), as tiles."""
        strides = ["1"]
        for index in range(len(sizes) - 1, 0, -1):
            strides.insert(0, self.multiply(f"%{name}_stride{index}", sizes[index], strides[0]))
        in_type = lambda values: [value if value.isdecimal() else "?" for value in values]
        tensor = f"tensor_view<{'x'.join(in_type(sizes))}x{element}, strides=[{','.join(in_type(strides))}]>"
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
        self.line(f"{value}_written = store_view_tko weak {value}, %{name}_tiles[{', '.join(indices)}] token = %token : "
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


def operand(text, result, name, kind, tile, indices, transposed, leading=()):
    """Loads a tile of an operand, which lies in memory as it is used or transposed; `leading`: indices of a batch."""
    stored = list(reversed(tile)) if transposed else list(tile)
    place = list(leading) + (list(reversed(indices)) if transposed else list(indices))
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
    if transposed:
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
    none = "i32: 0" if kind.wide == "i32" else f"{kind.wide}: 0.000000e+00"
    text.line(f"%none = constant <{none}> : {sums}")
    text.line(f"%sum = for %step in ({first} to {last}, step %one) : tile<i32> iter_values(%partial = %none) -> ({sums}) {{")
    a = operand(text, "%x", "a", kind, (m, k), (row, "%step"), transposed[0] == "t", leading)
    b = operand(text, "%y", "b", kind, (k, n), ("%step", column), transposed[1] == "t", leading)
    multiply(text, "%next", kind, a, b, "%partial", tile, fast)
    text.line(f"continue %next : {sums}")
    text.line("}")


GELU = ("0.7978845608028654", "0.044715")


def gelu(text, result, value, tile):
    """x/2 · (1 + tanh(√(2/π) · (x + 0.044715 x³))), of a tile of f32 of that type."""
    for name, number in (("root", GELU[0]), ("cube", GELU[1]), ("unit", "1.0"), ("half", "0.5")):
        text.line(f"%{name} = constant <f32: {number}> : {tile}")
    for line in (f"%square = mulf {value}, {value}", "%series = fma %square, %cube, %unit", f"%scaled_root = mulf {value}, %root",
                 "%inner = mulf %scaled_root, %series", "%bent = tanh %inner", f"%halved = mulf {value}, %half",
                 f"{result} = fma %halved, %bent, %halved"):
        text.line(f"{line} : {tile}")


def read_gelu(x):
    return x / 2 * (1 + numpy.tanh(float(GELU[0]) * (x + float(GELU[1]) * x ** 3)))


def bias_and_gelu(text, kind, tile):
    """%gelu, of %sum and the bias of its columns."""
    m, n, _ = tile
    text.view("bias", kind.result, ["%n"], [n])
    text.load("%bias_tile", "bias", ["%block_y"], [n], kind.result)
    text.line(f"%bias_wide = ftof %bias_tile : tile<{n}x{kind.result}> -> tile<{n}xf32>")
    along_columns(text, "%bias_all", "%bias_wide", (m, n))
    text.line(f"%moved = addf %sum, %bias_all : tile<{m}x{n}xf32>")
    gelu(text, "%gelu", "%moved", f"tile<{m}x{n}xf32>")


def result_of(text, kind, tile, value="%sum"):
    m, n, _ = tile
    if kind.result == kind.wide:
        return value
    text.line(f"%rounded = ftof {value} : tile<{m}x{n}x{kind.wide}> -> tile<{m}x{n}x{kind.result}>")
    return "%rounded"


def ceiling(text, name, size, tile):
    text.line(f"%{name}_up = constant <i32: {tile - 1}> : tile<i32>")
    text.line(f"%{name}_tile = constant <i32: {tile}> : tile<i32>")
    text.line(f"%{name}_sum = addi {size}, %{name}_up : tile<i32>")
    text.line(f"%{name} = divi %{name}_sum, %{name}_tile signed : tile<i32>")


def matmul(element, tile, transposed="nn", shape="plain", fast=False, steps=4, batch=2, result=None):
    """shape: plain, batched, split (over two blocks, sums by atomics), persistent (one block makes both tiles), gelu (of the
    sums and a bias, an element a column). result: its type in memory, where it is not the usual one."""
    kind, (m, n, k) = ELEMENTS[element].returning(result), tile
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
    if shape == "gelu":
        text.pointer("bias", kind.result)
        parameters.append("ptr bias 0")
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
        persistent_body(text, kind, tile, transposed, fast)
        grid = (1, 1, 1)
    else:
        inner_loop(text, kind, tile, transposed, "%block", "%block_y", leading=leading, fast=fast)
        if shape == "gelu":
            bias_and_gelu(text, kind, tile)
        value = result_of(text, kind, tile, "%gelu" if shape == "gelu" else "%sum")
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
    expected, more = kind.read(a) @ kind.read(b), {}
    if shape == "gelu":
        more["bias"] = random.standard_normal(columns_all).astype(kind_of_result)
        expected = read_gelu(expected + more["bias"])
    expected = expected.astype(kind_of_result)
    arrange = lambda matrix, way: numpy.ascontiguousarray(numpy.swapaxes(matrix, -1, -2)) if way == "t" else matrix
    data = {"a": arrange(a, transposed[0]), "b": arrange(b, transposed[1]), "c": numpy.zeros(expected.shape, kind_of_result), **more}
    name = "_".join([f"matmul_{element}_{m}x{n}x{k}_{transposed}"] + ([] if shape == "plain" else [shape]) + ["fast"] * fast
                    + ([result] if result else []))
    # Tensor cores of sm_90 keep 13 bits of quick sums of bytes: 0.7 % less than the sum of 512 positive products (H200).
    relative = 0 if kind.wide != "f32" else 1e-2 if fast else 4e-3
    return make_case(name, text, grid, parameters, data, {"c": expected}, (relative, min(relative, 4e-3)))


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


def experts(tile, counts=(2, 0, 1), depth=192, width=256, tokens=300):
    """The first product of a mixture of experts: a tile block has rows of one expert, sorted by it, and which token each is;
    rows of tokens are read through pointers."""
    kind, (m, n, k) = ELEMENTS["f16"], tile
    text = start()
    for name, element in (("x", "f16"), ("w", "f16"), ("y", "f16"), ("token_of_row", "i32"), ("expert_of_block", "i32")):
        text.pointer(name, element)
    for name, multiple in (("tokens", 1), ("rows", m), ("n", 8), ("k", 8), ("experts", 1), ("blocks", 1)):
        text.size(name, multiple)
    text.view("w", "f16", ["%experts", "%k", "%n"], (1, k, n))
    text.view("y", "f16", ["%rows", "%n"], (m, n), padding=False)
    text.view("token_of_row", "i32", ["%rows"], [m], padding=False)
    text.view("expert_of_block", "i32", ["%blocks"], [1], padding=False)
    text.load("%token_numbers", "token_of_row", ["%block"], [m], "i32")
    text.load("%expert_one", "expert_of_block", ["%block"], [1], "i32")
    text.line("%expert = reshape %expert_one : tile<1xi32> -> tile<i32>")
    ceiling(text, "steps", "%k", k)
    pointers, sums = f"tile<{m}x{k}xptr<f16>>", f"tile<{m}x{n}xf32>"
    text.line("%k_one = reshape %k : tile<i32> -> tile<1xi32>")
    text.line(f"%k_rows = broadcast %k_one : tile<1xi32> -> tile<{m}xi32>")
    text.line(f"%row_start = muli %token_numbers, %k_rows : tile<{m}xi32>")
    pointers_to_rows(text, "%at", "%x", "%row_start", (m, k), "f16")
    text.line(f"%tile_depth = constant <i32: {k}> : tile<i32>")
    text.line(f"%none = constant <f32: 0.0> : {sums}")
    text.line(f"%sum = for %step in (%zero to %steps, step %one) : tile<i32> iter_values(%partial = %none) -> ({sums}) {{")
    text.line("%first = muli %step, %tile_depth : tile<i32>")
    text.line("%first_one = reshape %first : tile<i32> -> tile<1x1xi32>")
    text.line(f"%first_all = broadcast %first_one : tile<1x1xi32> -> tile<{m}x{k}xi32>")
    text.line(f"%step_at = offset %at, %first_all : {pointers}, tile<{m}x{k}xi32> -> {pointers}")
    text.line(f"%a, %a_read = load_ptr_tko weak %step_at token = %token : {pointers} -> tile<{m}x{k}xf16>, token")
    b = operand(text, "%b", "w", kind, (k, n), ("%step", "%block_y"), False, ("%expert",))
    multiply(text, "%next", kind, "%a", b, "%partial", tile)
    text.line(f"continue %next : {sums}")
    text.line("}")
    text.store(result_of(text, kind, tile), "y", ["%block", "%block_y"], [m, n], "f16")
    random, blocks = numpy.random.default_rng(m), numpy.repeat(numpy.arange(len(counts), dtype=numpy.int32), counts)
    data = {"x": halves(random, (tokens, depth)), "w": halves(random, (len(counts), depth, width)),
            "token_of_row": random.integers(0, tokens, len(blocks) * m).astype(numpy.int32), "expert_of_block": blocks}
    rows = data["x"].astype(float)[data["token_of_row"]].reshape(len(blocks), m, depth)
    expected = (rows @ data["w"].astype(float)[blocks]).reshape(-1, width).astype(numpy.float16)
    data["y"] = numpy.zeros_like(expected)
    return make_case("experts_f16_" + "x".join(map(str, tile)), text, (len(blocks), width // n, 1),
                     ["ptr x 0", "ptr w 0", "ptr y 0", "ptr token_of_row 0", "ptr expert_of_block 0", f"i32 {tokens}",
                      f"i32 {len(blocks) * m}", f"i32 {width}", f"i32 {depth}", f"i32 {len(counts)}", f"i32 {len(blocks)}"],
                     data, {"y": expected}, (4e-3, 4e-3))


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


def persistent_body(text, kind, tile, transposed, fast=False):
    """One block goes over all tiles of the result, in the way of frontends."""
    m, n, _ = tile
    ceiling(text, "rows", "%m", m)
    ceiling(text, "columns", "%n", n)
    text.line("%count = muli %rows, %columns : tile<i32>")
    text.line("%blocks, %blocks_y, %blocks_z = get_num_tile_blocks : tile<i32>")
    text.line("for %tile in (%block to %count, step %blocks) : tile<i32> {")
    text.line("%row = remi %tile, %rows signed : tile<i32>")
    text.line("%column = divi %tile, %rows signed : tile<i32>")
    inner_loop(text, kind, tile, transposed, "%row", "%column", fast=fast)
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


def along_rows(text, result, source, shape, element="f32"):
    m, n = shape
    text.line(f"{result}_column = reshape {source} : tile<{m}x{element}> -> tile<{m}x1x{element}>")
    text.line(f"{result} = broadcast {result}_column : tile<{m}x1x{element}> -> tile<{m}x{n}x{element}>")


def along_columns(text, result, source, shape, element="f32"):
    m, n = shape
    text.line(f"{result}_row = reshape {source} : tile<{n}x{element}> -> tile<1x{n}x{element}>")
    text.line(f"{result} = broadcast {result}_row : tile<1x{n}x{element}> -> tile<{m}x{n}x{element}>")


def pointers_to_rows(text, result, base, starts, shape, element):
    """Pointers to the first columns of rows of the array at `base`; starts: a row's first element, of i32."""
    whole, pointers = f"{shape[0]}x{shape[1]}", f"tile<{shape[0]}x{shape[1]}xptr<{element}>>"
    along_rows(text, f"{result}_starts", starts, shape, "i32")
    text.line(f"{result}_number = iota : tile<{shape[1]}xi32>")
    along_columns(text, f"{result}_numbers", f"{result}_number", shape, "i32")
    text.line(f"{result}_places = addi {result}_starts, {result}_numbers : tile<{whole}xi32>")
    text.line(f"{result}_base = reshape {base} : tile<ptr<{element}>> -> tile<1x1xptr<{element}>>")
    text.line(f"{result}_bases = broadcast {result}_base : tile<1x1xptr<{element}>> -> {pointers}")
    text.line(f"{result} = offset {result}_bases, {result}_places : {pointers}, tile<{whole}xi32> -> {pointers}")


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
       matmul("f16", (128, 128, 64), "nn", "gelu"), grouped((128, 128, 64)), experts((128, 128, 64))])
