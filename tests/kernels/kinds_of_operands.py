"""Kinds of generated programs (kinds.py) that differ in how the operands of a product are made."""

import numpy

from kind_operands import Product
from kind_parts import tile
from products import ELEMENTS, E4M3, bf16_bits, bf16_values



def plain(p):
    product = Product(p)
    product.operands()
    total, = product.run()
    return product.finish(total, product.exact())


def masked_pointers(p):
    ragged = p.draw("ends inside", "k", "m", "mk", "mnk")
    product = Product(p, p.draw("", "f16", "bf16", "f16", "e4m3", "tf32"), ragged=ragged)
    masks = lambda other: (["k"] if "k" in ragged else []) + (["other"] if other in ragged else [])
    product.operands({"access": "pointers", "masks": masks("m")}, {"access": "pointers", "masks": masks("n")})
    total, = product.run()
    return product.finish(total, product.exact())


def ragged_depth(p):
    """K ends inside a tile, and the program masks what is behind it; or the view says what it is."""
    product = Product(p, p.draw("", "f16", "f16", "bf16", "tf32"), ragged="k")
    way = p.draw("masked by", "select", "select both", "padding")
    padding = p.draw("padding", *["nan", "neg_inf"] * (way != "padding"), "neg_zero", "zero")
    # What the view pads B with must not be multiplied by the zeros of A.
    of_b = padding if way == "select both" else p.draw("padding of b", "zero", "neg_zero")
    product.operands({"access": "view", "padding": padding}, {"access": "view", "padding": of_b})
    p.computes = way != "padding"

    def mask(operand):
        def change(value, element, step):
            k, shape = product.k, operand.shape
            if p.draw("rest", "rest", "numbers") == "rest":
                rest = p.arithmetic("subi", product.sizes[2], p.arithmetic("muli", step, str(k)))
                inside = p.less(p.iota(k), p.spread(rest, (k,), "i32"), (k,))
            else:
                numbers = p.indices(p.arithmetic("muli", step, str(k)), k)
                inside = p.less(numbers, p.spread(p.value(product.sizes[2]), (k,), "i32"), (k,))
            inside = p.spread(inside, shape, "i1", (operand.along,))
            return p.select(inside, value, p.constant("0.0", element, shape), shape, element), element
        operand.then.append(change)

    if way != "padding":
        mask(product.a)
    if way == "select both":
        mask(product.b)
    total, = product.run()
    return product.finish(total, product.exact())


def converted(p):
    way = p.draw("", "i8 weights", "i8 weights", "f8 weights", "bf16 to f16", "f16 to bf16", "f32 to bf16", "f32 to tf32",
                 "i4 weights", "f8 activations")
    if way == "i4 weights":
        return packed_weights(p)
    of_a = way == "f8 activations" or p.random.random() < 0.2 and "weights" not in way
    element = {"f16 to bf16": "bf16", "f32 to bf16": "bf16", "f32 to tf32": "tf32"}.get(way) or \
        (p.draw("", "f16", "bf16") if "weights" in way else "f16")
    scale = p.draw("scale", "none", "column", "group") if "weights" in way else "none"
    product = Product(p, element)
    memory, values, numbers = make_narrow(p, way, (product.extents[0], product.extents[2]) if of_a else
                                          (product.extents[2], product.extents[1]))
    narrow = {"memory": memory, "values": values}
    product.operands(narrow if of_a else {}, {} if of_a else narrow)
    operand = product.a if of_a else product.b
    p.computes = True
    operand.read = lambda: numbers

    def change(value, element, step):
        to = product.kind.name if product.kind.name != "tf32" else "f32"
        if element == to:
            return value, element
        if element == "i8":
            return p.convert("float", f"itof {value} signed", operand.shape, "i8", to), to
        if element in ("bf16", "f16", "f8E4M3FN") and p.draw("by way of", "nothing", "f32") == "f32":
            value, element = p.convert("wide", f"ftof {value}", operand.shape, element, "f32"), "f32"
        return p.convert("converted", f"ftof {value}", operand.shape, element, to), to

    operand.then.append(change)
    expected = lambda: product.a.read() @ product.b.read()
    if scale == "group":
        scale_groups(p, product, numbers)
    total, = product.run()
    result = expected()
    if scale == "column":
        scales = p.numbers.choice(numpy.array([0.25, 0.5, 1, 2], numpy.float32), product.extents[1])
        p.array("scales", "f32", scales)
        loaded = p.load(p.rows("scales", "f32", [product.sizes[1]], (product.n,)), [product.column])
        shape = (product.m, product.n)
        total = p.op("scaled", f"mulf {total}, {p.spread(loaded, shape, 'f32', (1,))}", shape, "f32")
        result = result * scales
    return product.finish(total, result, epilogue=p.draw("epilogue", "none", "bias", "two"))


def make_narrow(p, way, shape):
    """Type in memory, what is there, and what the program multiplies."""
    if way == "i8 weights":
        values = p.numbers.integers(-8, 9, shape).astype(numpy.int8)
        return "i8", values, values.astype(float)
    if way.startswith("f8"):
        values = ELEMENTS["e4m3"].make(p.numbers, shape)
        return "f8E4M3FN", values, E4M3[values]
    if way == "bf16 to f16":
        values = bf16_bits(p.numbers.standard_normal(shape))
        return "bf16", values, bf16_values(values).astype(float)
    if way == "f16 to bf16":
        values = p.numbers.standard_normal(shape).astype(numpy.float16)
        return "f16", values, bf16_values(bf16_bits(values.astype(numpy.float32))).astype(float)
    values = p.numbers.integers(-8, 9, shape).astype(numpy.float32)
    return "f32", values, values.astype(float)


def scale_groups(p, product, numbers):
    """A scale for each column and iteration's rows of B, loaded in the loop: powers of two, so that nothing is rounded."""
    operand, steps = product.b, product.steps
    scales = p.numbers.choice(numpy.array([0.5, 1, 2], numpy.float32), (steps, product.extents[1]))
    element = p.draw("scales", "f32", "f16")
    p.array("scales", element, scales.astype(numpy.float32 if element == "f32" else numpy.float16))
    view = p.rows("scales", element, [str(steps), product.sizes[1]], (1, product.n))

    def change(value, kind, step):
        loaded = p.load(view, (step, product.column))
        if element != kind:
            loaded = p.convert("scale", f"ftof {loaded}", (1, product.n), element, kind)
        spread = p.convert("scale", f"broadcast {loaded}", (1, product.n), kind, kind, operand.shape)
        return p.op("scaled", f"mulf {value}, {spread}", operand.shape, kind), kind

    operand.then.append(change)
    operand.read = lambda: numbers * numpy.repeat(scales, product.k, axis=0)


def packed_weights(p):
    """Two weights of four bits in each byte: neighbours along K, or the two halves of an iteration's rows."""
    product = Product(p, p.draw("", "f16", "bf16"))
    m, n, k = product.tile
    rows, columns = product.extents[2], product.extents[1]
    weights = p.numbers.integers(-8, 8, (rows, columns))
    way = p.draw("halves", "two products", "cat")
    blocks = weights.reshape(product.steps, 2, k // 2, columns)
    packed = ((blocks[:, 0] & 15) | (blocks[:, 1] & 15) << 4).astype(numpy.uint8).view(numpy.int8).reshape(rows // 2, columns)
    product.operands({}, {"memory": "i8", "access": "view", "transposed": False, "stride": "dense"})
    p.data["b"] = numpy.ascontiguousarray(packed)
    half = product.sizes[2]
    half = str(int(half) // 2) if half.isdecimal() else p.arithmetic("divi", half, "2", " signed")
    view = p.rows("b", "i8", [half, product.sizes[1]], (k // 2, n))
    p.tile_bytes, p.computes = min(p.tile_bytes, k * n // 2), True
    shape, kind = (k // 2, n), product.kind.name
    four = lambda: p.constant(4, "i8", shape)

    def unpack(step):
        loaded = p.load(view, (step, product.column))
        low = p.op("low", f"shli {loaded}, {four()}", shape, "i8")
        low = p.op("low", f"shri {low}, {four()} signed", shape, "i8")
        high = p.op("high", f"shri {loaded}, {four()} signed", shape, "i8")
        return [p.convert("float", f"itof {part} signed", shape, "i8", kind) for part in (low, high)]

    def body(step, values):
        parts, own = unpack(step), values[1:]
        a, total = product.a.load(step, own), values[0]
        if way == "cat":
            whole = p.name("both")
            p.line(f"{whole} = cat {parts[0]}, {parts[1]} dim = 0 : {tile(shape, kind)}, {tile(shape, kind)} -> "
                   f"{tile((k, n), kind)}")
            return [p.multiply(a, whole, total, product.tile, product.kind), *product.a.advance(own)]
        for index, part in enumerate(parts):
            piece = p.name("piece")
            p.line(f"{piece} = extract {a}[{p.zero}, {p.one if index else p.zero}] : {tile((m, k), kind)} -> "
                   f"{tile((m, k // 2), kind)}")
            total = p.multiply(piece, part, total, (m, n, k // 2), product.kind)
        return [total, *product.a.advance(own)]

    total = p.loop(product.count(), [(p.none(product.kind, (m, n)), product.sums), *product.a.carried()], body)[0]
    return product.finish(total, product.a.read() @ weights, epilogue="none")


def elementwise(p):
    """Arithmetic on an operand between its load and the product."""
    product = Product(p, p.draw("", "f16", "f16", "bf16"))
    a, b = product.operands()
    p.computes = True
    way = p.draw("", "relu", "negation", "vector along k", "vector before", "tile", "wide relu")
    operand = p.random.choice((a, b))
    numbers, kind, shape = operand.read(), product.kind.name, operand.shape

    def change(value, element, step):
        if way == "relu":
            return p.op("relu", f"maxf {value}, {p.constant('0.0', element, shape)}", shape, element), element
        if way == "negation":
            return p.op("negative", f"negf {value}", shape, element), element
        wide = p.convert("wide", f"ftof {value}", shape, element, "f32")
        wide = p.op("relu", f"maxf {wide}, {p.constant('0.0', 'f32', shape)}", shape, "f32")
        return p.convert("again", f"ftof {wide}", shape, "f32", element), element

    if way in ("relu", "wide relu", "negation"):
        operand.then.append(change)
        numbers = -numbers if way == "negation" else numpy.maximum(numbers, 0)
    else:
        numbers = multiply_operand(p, product, operand, way, numbers)
    operand.read = lambda: numbers
    assert kind in ("f16", "bf16")
    total, = product.run()
    return product.finish(total, product.exact())


def multiply_operand(p, product, operand, way, numbers):
    """By powers of two, of a vector or a matrix in memory: nothing is rounded. What the product gets."""
    kind, shape, along = product.kind.name, operand.shape, operand.along
    choices = numpy.array([-2, -1, 0.5, 1], numpy.float32)
    store = (lambda values: values.astype(numpy.float16)) if kind == "f16" else bf16_bits
    if way == "tile":
        factors = p.numbers.choice(choices, numbers.shape)
        p.array("factors", kind, store(factors))
        view = p.rows("factors", kind, operand.sizes, shape)
        load = lambda step: p.load(view, operand.logical(operand.outer, step))
    else:
        dimension = along if way == "vector along k" else 1 - along
        vector = p.numbers.choice(choices, numbers.shape[dimension])
        factors = vector[:, None] if dimension == 0 else vector[None, :]
        p.array("factors", kind, store(vector))
        view = p.rows("factors", kind, [operand.sizes[dimension]], (shape[dimension],))
        before = p.load(view, [operand.outer]) if way == "vector before" else None
        load = lambda step: p.spread(before or p.load(view, [step]), shape, kind, (dimension,))
    operand.then.append(lambda value, element, step:
                        (p.op("scaled", f"mulf {value}, {load(step)}", shape, element), element))
    return numbers * factors


def used_again(p):
    """An operand's tile has another use in the loop: sums of its rows or columns, or a copy that is stored."""
    product = Product(p, p.draw("", "f16", "f16", "bf16", "tf32"), rows=1)
    a, b = product.operands()
    way = p.draw("", "sums of rows of a", "sums of columns of b", "copy of a", "copy of b")
    operand = a if way.endswith("a") else b
    shape, dimension = operand.shape, operand.along
    p.computes = way.startswith("sums")
    if way.startswith("copy"):
        operand.then.append(make_copy(p, operand))
        total, = product.run()
        return product.finish(total, product.exact())
    extent = shape[1 - dimension]
    column = tile((extent,), "f32")

    def sum_up(tile_a, tile_b, step, values):
        value = tile_a if operand is a else tile_b
        wide = p.convert("wide", f"ftof {value}", shape, product.kind.name, "f32")
        return [p.op("sums", f"addf {values[0]}, {p.reduce(wide, shape, dimension)}", (extent,), "f32")]

    total, sums = product.run(sum_up, [(p.constant("0.0", "f32", (extent,)), column)])
    p.result("sums", "f32", operand.read().sum(axis=dimension))
    view = p.rows("sums", "f32", [operand.sizes[1 - dimension]], (extent,), padding="")
    p.store(sums, view, [operand.outer])
    return product.finish(total, product.exact())


def make_copy(p, operand):
    """Stores the operand's tiles to an array of the same shape."""
    p.results["copy"] = operand.values.copy()
    p.array("copy", operand.memory, numpy.zeros_like(operand.values))
    view = p.rows("copy", operand.memory, operand.sizes, operand.shape, padding="")

    def change(value, element, step):
        p.store(value, view, operand.logical(operand.outer, step))
        return value, element
    return change


def prefetched(p):
    """The program loads the next iteration's tiles itself: A, B or both are carried."""
    product = Product(p, p.draw("", "f16", "f16", "bf16", "e4m3"))
    ahead = p.draw("ahead", "ab", "a", "b")
    when = p.draw("loaded", "before the product", "behind the product")
    # What is loaded behind the end is not used, but must be in the array: pointers are masked, or stay at the last tile.
    a, b = product.operands({"access": p.draw("a", "view", "pointers"), "masks": ["k"] * ("a" in ahead)},
                            {"access": p.draw("b", "view", "pointers"), "masks": ["k"] * ("b" in ahead)})
    early = [(name, operand) for name, operand in (("a", a), ("b", b)) if name in ahead]
    late = [(name, operand) for name, operand in (("a", a), ("b", b)) if name not in ahead]
    carried, own = [(p.none(product.kind, (product.m, product.n)), product.sums)], {}
    for name, operand in early:
        initial = [value for value, _ in operand.carried()]
        first = operand.load(p.zero, initial)
        after = operand.advance(initial)
        own[name] = len(carried)
        carried.append((first, tile(operand.shape, product.kind.name)))
        carried += [(value, kind) for value, (_, kind) in zip(after, operand.carried())]
    for name, operand in late:
        own[name] = len(carried)
        carried += operand.carried()

    def load_next(step, values, following):
        next_step = p.arithmetic("addi", step, p.one)
        for name, operand in early:
            pointers = values[own[name] + 1:own[name] + 1 + len(operand.carried())]
            following[name] = [operand.load(next_step, pointers), *operand.advance(pointers)]

    def body(step, values):
        following, tiles = {}, {name: values[own[name]] for name, _ in early}
        if when == "before the product":
            load_next(step, values, following)
        for name, operand in late:
            pointers = values[own[name]:own[name] + len(operand.carried())]
            tiles[name], following[name] = operand.load(step, pointers), operand.advance(pointers)
        total = p.multiply(tiles["a"], tiles["b"], values[0], product.tile, product.kind)
        if when != "before the product":
            load_next(step, values, following)
        return [total] + [value for name, _ in early + late for value in following[name]]

    total = p.loop(product.count(), carried, body)[0]
    return product.finish(total, product.exact())


def gathered(p):
    """Rows of A by numbers that are loaded before the loop, or tiles of B by page numbers that are loaded in it."""
    way = p.draw("", "gather view", "row pointers", "pages of a view", "pages by pointers")
    product = Product(p, p.draw("", "f16", "f16", "bf16"), rows=1)
    return gather_rows(p, product, way) if "page" not in way else gather_pages(p, product, way)


def gather_rows(p, product, way):
    (m, _, k), kind = product.tile, product.kind
    known = product.extents[0] + 37
    values = kind.make(p.numbers, (known, product.extents[2]))
    numbers = p.numbers.integers(0, known, product.extents[0]).astype(numpy.int32)
    p.array("list", "i32", numbers)
    height = p.size("known", known, 1)
    listed = p.load(p.rows("list", "i32", [product.sizes[0]], (m,)), [product.row])
    depth = product.sizes[2]
    product.operands({"access": "view", "transposed": False, "stride": "dense"})
    p.data["a"] = values
    if way == "gather view":
        view = p.rows("a", kind.name, [height, depth], (m, k))
        gather = (f"gather_scatter_view<tile=({m}x{k}), padding_value = zero, {view.tensor_type}, sparse_dim=0>")
        p.line(f"%gathered = make_gather_scatter_view {view.tensor} : {gather}")
    else:
        starts = p.spread(p.scale(listed, (m,), depth), (m, k), "i32", (0,))

    def load(step, carried=()):
        first, result = p.arithmetic("muli", step, str(k)), p.name("rows")
        if way == "gather view":
            p.line(f"{result}, {result}_read = load_view_tko weak %gathered[{listed}, {first}] token = %token : {gather}, "
                   f"{tile((m,), 'i32')}, tile<i32> -> {tile((m, k), kind.name)}, token")
            return result
        columns = p.spread(p.indices(first, k), (m, k), "i32", (1,))
        offsets = p.op("offsets", f"addi {starts}, {columns}", (m, k), "i32")
        return p.load_at(p.pointers("%a", offsets, (m, k), kind.name), (m, k), kind.name)

    product.a.load = load
    total, = product.run()
    return product.finish(total, kind.read(values[numbers]).astype(float) @ product.b.read())


def gather_pages(p, product, way):
    (_, n, k), kind = product.tile, product.kind
    pages = product.steps + 3
    values = kind.make(p.numbers, (pages, k, product.extents[1]))
    numbers = p.numbers.permutation(pages)[:product.steps].astype(numpy.int32)
    p.array("table", "i32", numbers)
    count = p.size("pages", pages, 1)
    table = p.rows("table", "i32", [str(product.steps)], (1,), padding="")
    product.operands({}, {"access": "view", "transposed": False, "stride": "dense"})
    p.data["b"] = values
    view = p.rows("b", kind.name, [count, str(k), product.sizes[1]], (1, k, n))
    starts = p.scale(p.iota(k), (k,), product.sizes[1])
    columns = p.indices(p.arithmetic("muli", product.column, str(n)), n)
    starts, columns = p.spread(starts, (k, n), "i32", (0,)), p.spread(columns, (k, n), "i32", (1,))
    inside = p.op("inside", f"addi {starts}, {columns}", (k, n), "i32")

    def load(step, carried=()):
        page = p.reshape(p.load(table, [step]), (1,), (), "i32")
        if way == "pages of a view":
            return p.reshape(p.load(view, (page, p.zero, product.column)), (1, k, n), (k, n), kind.name)
        start = p.times(page, p.times(product.sizes[1], str(k)))
        offsets = p.op("offsets", f"addi {p.spread(start, (k, n), 'i32')}, {inside}", (k, n), "i32")
        return p.load_at(p.pointers("%b", offsets, (k, n), kind.name), (k, n), kind.name)

    product.b.load = load
    total, = product.run()
    return product.finish(total, product.a.read() @ kind.read(values[numbers]).astype(float).reshape(-1, product.extents[1]))


KINDS = {"plain": plain, "masked": masked_pointers, "ragged": ragged_depth, "converted": converted, "elementwise": elementwise,
         "used_again": used_again, "prefetched": prefetched, "gathered": gathered}
