"""Kinds of generated programs (kinds.py) that differ in the loops around products, and in sizes."""

import numpy

from kind_operands import Operand, Product
from kind_parts import tile
from products import ELEMENTS



def breaking(p):
    """Loops that a front end did not write as `for`, two iterations, and products outside loops."""
    way = p.draw("", "bound first", "bound last", "skipped tiles", "limit in memory", "two iterations", "no loop", "two products")
    if way in ("no loop", "two products"):
        return without_loop(p, 1 if way == "no loop" else 2)
    product = Product(p, p.draw("", "f16", "f16", "bf16", "s8"), steps=2 if way == "two iterations" else None)
    a, b = product.operands()
    if way == "two iterations":
        total, = product.run(style=p.draw("loop", "for", "loop"))
        return product.finish(total, product.exact())
    if way == "skipped tiles":
        return skip_tiles(p, product)
    count = product.count()
    used = product.steps
    if way == "limit in memory":
        used = p.random.randint(1, product.steps)
        p.array("limit", "i32", numpy.array([used], numpy.int32))
        loaded = p.load(p.rows("limit", "i32", ["1"], (1,), padding=""), [p.zero])
        limit = p.reshape(loaded, (1,), (), "i32")
        count = p.arithmetic("mini", count, limit, " signed")
    total = run_to_the_end(p, product, count) if way == "bound last" else run_with(p, product, count)
    expected = a.read()[:, :used * product.k] @ b.read()[:used * product.k]
    return product.finish(total, expected)


def run_with(p, product, count):
    def body(step, values):
        a, b, after = product.load_both(step, values[1:])
        return [p.multiply(a, b, values[0], product.tile, product.kind), *after]
    carried = [(p.none(product.kind, (product.m, product.n)), product.sums), *product.a.carried(), *product.b.carried()]
    return p.loop(count, carried, body, "loop")[0]


def run_to_the_end(p, product, count):
    """do … while: the bound is compared behind the product."""
    carried = [(p.none(product.kind, (product.m, product.n)), product.sums), *product.a.carried(), *product.b.carried()]
    kinds = ", ".join(["tile<i32>", *[kind for _, kind in carried]])
    names, step, whole = [p.name("carried") for _ in carried], p.name("step"), p.name("all")
    values = ", ".join([f"{step} = {p.zero}"] + [f"{inner} = {value}" for inner, (value, _) in zip(names, carried)])
    p.line(f"{whole}:{len(carried) + 1} = loop iter_values({values}) : {kinds} -> {kinds} {{")
    a, b, after = product.load_both(step, names[1:])
    total = p.multiply(a, b, names[0], product.tile, product.kind)
    following = p.arithmetic("addi", step, p.one)
    ended = p.less(following, count, (), p.draw("until", "greater_than_or_equal", "equal"))
    result = ", ".join([following, total, *after])
    p.line(f"if {ended} {{")
    p.line(f"break {result} : {kinds}")
    p.line("}")
    p.line(f"continue {result} : {kinds}")
    p.line("}")
    return f"{whole}#1"


def skip_tiles(p, product):
    """Iterations whose flag is zero multiply nothing: by `continue`, or in a branch."""
    flags = p.numbers.integers(0, 2, product.steps).astype(numpy.int32)
    flags[p.random.randrange(product.steps)] = 1
    p.array("flags", "i32", flags)
    view = p.rows("flags", "i32", [str(product.steps)], (1,), padding="")
    way = p.draw("skips by", "continue", "if")
    zero = p.constant(0)

    def body(step, values):
        flag = p.reshape(p.load(view, [step]), (1,), (), "i32")
        kinds = ", ".join([product.sums, *[kind for _, kind in (*product.a.carried(), *product.b.carried())]])
        if way == "continue":
            skipped = p.less(flag, zero, (), "equal")
            after = product.advance(values[1:])
            p.line(f"if {skipped} {{")
            p.line(f"continue {', '.join([values[0], *after])} : {kinds}")
            p.line("}")
            a, b, _ = product.load_both(step, values[1:])
            return [p.multiply(a, b, values[0], product.tile, product.kind), *after]
        taken, result = p.less(flag, zero, (), "not_equal"), p.name("sum")
        p.line(f"{result} = if {taken} -> ({product.sums}) {{")
        a, b, _ = product.load_both(step, values[1:])
        p.line(f"yield {p.multiply(a, b, values[0], product.tile, product.kind)} : {product.sums}")
        p.line("} else {")
        p.line(f"yield {values[0]} : {product.sums}")
        p.line("}")
        after = product.advance(values[1:])
        return [result, *after]

    carried = [(p.none(product.kind, (product.m, product.n)), product.sums), *product.a.carried(), *product.b.carried()]
    total = p.loop(product.count(), carried, body, "for")[0]
    used = numpy.repeat(flags, product.k)
    return product.finish(total, (product.a.read() * used) @ product.b.read())


def without_loop(p, number):
    """The whole of K is a tile, or two."""
    product = Product(p, p.draw("", "f16", "bf16", "e4m3", "s8"), steps=number)
    p.loops = False
    a, b = product.operands()
    total = p.none(product.kind, (product.m, product.n))
    carried = [value for value, _ in (*a.carried(), *b.carried())]
    for index in range(number):
        tile_a, tile_b, carried = product.load_both(p.constant(index), carried)
        total = p.multiply(tile_a, tile_b, total, product.tile, product.kind)
    return product.finish(total, product.exact())


def several(p):
    """Two loops, one after the other or nested, or two products in a loop."""
    way = p.draw("", "one after the other", "persistent", "gate and up", "chain", "shared b")
    return {"one after the other": two_loops, "persistent": persistent, "gate and up": gate_and_up, "chain": chain,
            "shared b": shared_b}[way](p)


def two_loops(p):
    """A · B + X · Y, the second from where the first ended, or from nothing and added."""
    product = Product(p, p.draw("", "f16", "bf16"), rows=1)
    a, b = product.operands()
    (em, en, ek), (m, n, k), (sm, sn, sk) = product.extents, product.tile, product.sizes
    x = Operand(p, "x", product.kind, (em, ek), (m, k), 1, (sm, sk))
    y = Operand(p, "y", product.kind, (ek, en), (k, n), 0, (sk, sn))
    x.prepare(product.row)
    y.prepare(product.column)
    none, total = p.none(product.kind, (m, n)), None
    way = p.draw("sums", "go on", "are added")
    for first, second in ((a, b), (x, y)):
        product.a, product.b = first, second
        start = total if total and way == "go on" else none

        def body(step, values):
            left, right, after = product.load_both(step, values[1:])
            return [p.multiply(left, right, values[0], product.tile, product.kind), *after]
        result = p.loop(product.count(), [(start, product.sums), *first.carried(), *second.carried()], body)[0]
        total = result if not total or way == "go on" else p.op("both", f"addf {total}, {result}", (m, n), "f32")
    return product.finish(total, a.read() @ b.read() + x.read() @ y.read())


def persistent(p):
    """Each block goes over several tiles of the result."""
    product = Product(p, p.draw("", "f16", "bf16", "s8", "e4m3"), rows=2, columns=2)
    p.grid = (p.draw("blocks", 1, 2), 1, 1)
    p.line("%number_x, %number_y, %number_z = get_num_tile_blocks : tile<i32>")
    way = p.draw("number", "row first", "column first")
    limit, index = p.constant(4), p.name("tile")
    p.line(f"for {index} in ({p.blocks[0]} to {limit}, step %number_x) : tile<i32> {{")
    major = p.arithmetic("divi", index, "2", " signed")
    minor = p.arithmetic("remi", index, "2", " signed")
    product.row, product.column = (major, minor) if way == "row first" else (minor, major)
    product.operands()
    total, = product.run()
    element = product.kind.wide
    product.write("c", total, element, product.exact())
    p.line("continue")
    p.line("}")
    return p.case((4e-3, 4e-3) if element == "f32" else (0, 0))


def gate_and_up(p):
    """Two products that share A; the results are combined."""
    shape = p.draw("tile", (128, 64, 64), (64, 64, 64), (128, 128, 32), (64, 128, 64))
    product = Product(p, p.draw("", "f16", "bf16"), shape=shape)
    a, b = product.operands()
    (_, en, ek), (m, n, k), (_, sn, sk) = product.extents, product.tile, product.sizes
    up = Operand(p, "up", product.kind, (ek, en), (k, n), 0, (sk, sn))
    up.prepare(product.column)
    none, edge = p.none(product.kind, (m, n)), len(a.carried()) + len(b.carried())

    def body(step, values):
        own = values[2 + edge:]
        if p.draw("up", "first", "last") == "first":
            right = up.load(step, own)
            left, gate, after = product.load_both(step, values[2:2 + edge])
        else:
            left, gate, after = product.load_both(step, values[2:2 + edge])
            right = up.load(step, own)
        return [p.multiply(left, gate, values[0], product.tile, product.kind),
                p.multiply(left, right, values[1], product.tile, product.kind), *after, *up.advance(own)]

    carried = [(none, product.sums), (none, product.sums), *a.carried(), *b.carried(), *up.carried()]
    gate, lift = p.loop(product.count(), carried, body)[:2]
    shape = (m, n)
    scaled = p.op("small", f"mulf {gate}, {p.constant('0.015625', 'f32', shape)}", shape, "f32")
    negative = p.op("negative", f"negf {scaled}", shape, "f32")
    power = p.op("power", f"exp {negative}", shape, "f32")
    divisor = p.op("divisor", f"addf {power}, {p.constant('1.0', 'f32', shape)}", shape, "f32")
    quotient = p.op("share", f"divf {scaled}, {divisor}", shape, "f32")
    total = p.op("gated", f"mulf {quotient}, {lift}", shape, "f32")
    exact = a.read() @ b.read() / 64
    return product.finish(total, exact / (1 + numpy.exp(-exact)) * (a.read() @ up.read()), (6e-3, 6e-3), epilogue="none")


def shared_b(p):
    """Two products that share B."""
    shape = p.draw("tile", (64, 128, 64), (64, 64, 64), (128, 64, 64))
    product = Product(p, p.draw("", "f16", "bf16", "s8"), shape=shape, rows=1)
    a, b = product.operands()
    (em, _, ek), (m, n, k), (sm, _, sk) = product.extents, product.tile, product.sizes
    other = Operand(p, "x", product.kind, (em, ek), (m, k), 1, (sm, sk))
    other.prepare(product.row)
    none, edge = p.none(product.kind, (m, n)), len(a.carried()) + len(b.carried())

    def body(step, values):
        left, right, after = product.load_both(step, values[2:2 + edge])
        second = other.load(step, values[2 + edge:])
        return [p.multiply(left, right, values[0], product.tile, product.kind),
                p.multiply(second, right, values[1], product.tile, product.kind), *after, *other.advance(values[2 + edge:])]

    carried = [(none, product.sums), (none, product.sums), *a.carried(), *b.carried(), *other.carried()]
    first, second = p.loop(product.count(), carried, body)[:2]
    product.write("second", second, product.kind.wide, other.read() @ b.read())
    return product.finish(first, product.exact())


def chain(p):
    """(X · W) · V, a tile of the inner product's columns an iteration: X lies before the loop, as in attention."""
    m, h, d, n = p.draw("tile", (64, 64, 64, 64), (128, 64, 64, 128), (64, 64, 128, 64), (128, 128, 64, 64))
    element = p.draw("", "f16", "bf16")
    kind, steps = ELEMENTS[element], p.random.choice((3, 4))
    product = Product(p, element, (m, n, h), rows=1, steps=steps)
    rows, columns, hidden = product.sizes
    x = Operand(p, "x", kind, (m, d), (m, d), 1, (rows, str(d)), "view", False, stride="dense")
    w = Operand(p, "w", kind, (d, product.extents[2]), (d, h), 0, (str(d), hidden), "view", stride="dense")
    b = Operand(p, "b", kind, (product.extents[2], product.extents[1]), (h, n), 0, (hidden, columns))
    for operand, outer in ((x, product.row), (w, p.zero), (b, product.column)):
        operand.prepare(outer)
    left, p.computes = x.load(p.zero), True
    none, inner_none = p.constant("0.0", "f32", (m, n)), p.constant("0.0", "f32", (m, h))
    def body(step, values):
        # W's tiles go along its columns.
        loaded = p.load(w.view, (step, p.zero) if w.turned == "permute" else (p.zero, step))
        if w.turned == "permute":
            loaded = p.permute(loaded, (h, d), (1, 0), kind.name)
        inner = p.multiply(left, loaded, inner_none, (m, h, d), kind)
        scaled = p.op("small", f"mulf {inner}, {p.constant('0.125', 'f32', (m, h))}", (m, h), "f32")
        if p.draw("between", "cast", "relu") == "relu":
            scaled = p.op("relu", f"maxf {scaled}, {p.constant('0.0', 'f32', (m, h))}", (m, h), "f32")
        narrow = p.convert("narrow", f"ftof {scaled}", (m, h), "f32", kind.name)
        right = b.load(step, values[1:])
        return [p.multiply(narrow, right, values[0], (m, n, h), kind), *b.advance(values[1:])]

    total = p.loop(product.count(), [(none, product.sums), *b.carried()], body)[0]
    inner = x.read() @ w.read() / 8
    if "between=relu" in p.drawn:
        inner = numpy.maximum(inner, 0)
    return product.finish(total, inner @ b.read(), (1.5e-2, 0.25), epilogue="none")


def odd(p):
    """Small and odd sizes, without promises; few rows; a batch."""
    way = p.draw("", "odd", "odd strides", "few rows", "batch", "small k", "promised rows")
    if way == "batch":
        return batch(p)
    element = p.draw("", "f16", "f16", "bf16", "tf32")
    shape = {"few rows": (16, 128, 64), "small k": (64, 64, 16)}.get(way)
    if shape and element == "tf32":
        shape = (*shape[:2], shape[2] // 2)
    odd_sizes = way in ("odd", "odd strides")
    product = Product(p, element, shape, rows=1 if shape else None, steps=2 if way == "small k" else None,
                      ragged="mnk" if odd_sizes else "", promises=not odd_sizes)
    masks = ["k", "other"] if odd_sizes else []
    common = {"masks": masks, "aligned": p.draw("pointers are", "promised", "not promised") == "promised"}
    if way == "odd strides":
        common["stride"] = "odd"
    elif odd_sizes:
        common["stride"] = p.draw("stride", "dense", "padded")
    product.operands(common, common)
    total, = product.run()
    return product.finish(total, product.exact())


def batch(p):
    """The third dimension of the grid is a batch, of views of three dimensions or of pointers that are moved."""
    product = Product(p, p.draw("", "f16", "bf16"), shape=p.draw("tile", (64, 64, 64), (128, 128, 32), (16, 64, 64)), rows=1)
    (m, n, k), kind, count = product.tile, product.kind, 2
    (em, en, ek), sizes = product.extents, product.sizes
    way = p.draw("batch", "views", "pointers")
    p.grid = (*p.grid[:2], count)
    batches = p.size("batch", count, 1)
    data, block = {}, p.blocks[2]
    for name, shape in (("a", (em, ek)), ("b", (ek, en))):
        data[name] = kind.make(p.numbers, (count, *shape))
        p.array(name, kind.name, data[name])
    result = kind.read(data["a"]).astype(float) @ kind.read(data["b"]).astype(float)
    p.result("c", "f32", result)
    p.tile_bytes = min(m, n) * k * 2
    parts = {"a": ((m, k), (sizes[0], sizes[2])), "b": ((k, n), (sizes[2], sizes[1])), "c": ((m, n), (sizes[0], sizes[1]))}
    views = {}
    for name, (shape, own) in parts.items():
        padding = "" if name == "c" else "zero"
        if way == "views":
            views[name] = p.rows(name, kind.name if name != "c" else "f32", [batches, *own], (1, *shape), padding)
            continue
        element = "f32" if name == "c" else kind.name
        moved = p.name(f"{name}_of_batch")
        distance = p.value(p.times(p.times(*own), block))
        p.line(f"{moved} = offset %{name}, {distance} : tile<ptr<{element}>>, tile<i32> -> tile<ptr<{element}>>")
        p.line(f"%{name}_moved = assume div_by<16>, {moved} : tile<ptr<{element}>>")
        views[name] = p.view(f"{name}_moved", element, list(own), [own[1], "1"], shape, padding)
    head = (block,) if way == "views" else ()

    def load(name, place):
        value = p.load(views[name], (*head, *place))
        return p.reshape(value, views[name].shape, parts[name][0], kind.name)

    def body(step, values):
        a, b = load("a", (product.row, step)), load("b", (step, product.column))
        return [p.multiply(a, b, values[0], product.tile, kind)]

    total = p.loop(product.count(), [(p.none(kind, (m, n)), tile((m, n), "f32"))], body)[0]
    p.store(p.reshape(total, (m, n), views["c"].shape, "f32"), views["c"], (*head, product.row, product.column))
    return p.case()


KINDS = {"breaking": breaking, "several": several, "odd": odd}
