"""Linear attention with states, as people deploy it and front ends write it, generated: the gated delta rule in chunks (GDN; KDA with
a decay a channel), and its step for one token.

  deployed_recurrences.py --tileiras FILE --emulator FILE [NAME…] [--gpu CHIP[,CHIP]]

compiles all cases and runs them on the emulator. A state is keys · values wide, in f32. Logarithms of decays are of two.

The gated delta rule, of a chunk with keys k, values v, gates b and the sums g of logarithms of decays within it:

  T = (1 + A)⁻¹,  A = tril(b · (k·kᵀ) · 2^(gᵢ - gⱼ), -1),  w = T·(b · 2^g · k),  u = T·(b · v)
  v' = u - w·S,  o = (2^g · q)·S + tril((q·kᵀ) · 2^(gᵢ - gⱼ))·v',  S' = 2^(g of the last) · S + (2^(that - g) · k)ᵀ·v'
"""

import functools
import sys

import deployed_parts
import numpy
from deployed_parts import Kernel
from kind_parts import tile
from products import ELEMENTS, bf16_bits, bf16_values

BF16, TF32 = ELEMENTS["bf16"], ELEMENTS["tf32"]


def unit(x):
    return x / numpy.sqrt((x * x).sum(axis=-1, keepdims=True))


class Chunks:
    """Arrays of heads · length · width, of which a tile has `chunk` rows; `group` heads of values have the same queries and keys."""

    def __init__(self, name, chunk, d, heads, group, length, inputs="qkv", channels=False):
        """inputs: which of queries, keys and values the kernel reads."""
        self.p, self.chunk, self.d, self.heads, self.group, self.length = Kernel(name), chunk, d, heads, group, length
        self.channels = channels
        p, random = self.p, self.p.numbers
        self.size = p.size("length", length, 8)
        numbers = {name: random.standard_normal((heads // group if name in "qk" else heads, length, d)) for name in "qkv"}
        for name, values in numbers.items():
            bits = bf16_bits(unit(values) if name in "qk" else values)
            setattr(self, name, bf16_values(bits).astype(float))
            if name in inputs:
                p.array(name, "bf16", bits)
        shape = (heads, length, d) if channels else (heads, length)
        decays = -0.3 * random.random(shape).reshape(heads, -1, chunk, *shape[2:])
        self.g = decays.cumsum(axis=2).reshape(shape).astype(numpy.float32).astype(float)
        self.b = random.random((heads, length)).astype(numpy.float32).astype(float)

    def put(self, name, values):
        """As bf16; the numbers that these are."""
        bits = bf16_bits(values)
        self.p.array(name, "bf16", bits)
        return bf16_values(bits).astype(float)

    def put_floats(self, *names):
        for name in names:
            self.p.array(name, "f32", getattr(self, name).astype(numpy.float32))

    def tiles(self, name, element="bf16", width=None, heads=None, padding="zero"):
        heads = heads or (self.heads // self.group if name in "qk" else self.heads)
        width = width or self.d
        return self.p.rows(name, element, [str(heads), self.size, str(self.d)], (1, self.chunk, width), padding)

    def vector(self, name):
        return self.p.rows(name, "f32", [str(self.heads), self.size], (1, self.chunk))

    def load_vector(self, view, head, step):
        return self.p.reshape(self.p.load(view, (head, step)), (1, self.chunk), (self.chunk,), "f32")

    def mask(self, how):
        """Of rows and columns of a chunk: less_than is strictly lower."""
        p, shape = self.p, (self.chunk, self.chunk)
        return p.less(p.spread(p.iota(self.chunk), shape, "i32", (1,)), p.spread(p.iota(self.chunk), shape, "i32", (0,)), shape, how)

    def multiply(self, a, b, c, sizes, kind=BF16):
        return self.p.multiply(a, b, c or self.p.fill("0.0", sizes[:2]), sizes, kind)

    def narrow(self, value, shape):
        return self.p.rounded(value, shape, "bf16")

    def power(self, value, shape):
        return self.p.f32("power", f"exp2 {value}", shape)

    def times(self, x, y, shape):
        return self.p.f32("times", f"mulf {x}, {y}", shape)

    def falls(self, g):
        """2^(gᵢ - gⱼ), of each row and column."""
        p, shape = self.p, (self.chunk, self.chunk)
        return self.power(p.f32("fall", f"subf {p.spread(g, shape, 'f32', (0,))}, {p.spread(g, shape, 'f32', (1,))}", shape), shape)

    def weigh(self, value, factors, width):
        """Each row times its factor; the value is of bf16, and so is the result."""
        shape = (self.chunk, width)
        return self.narrow(self.times(self.p.wide(value, shape, "bf16"), self.p.spread(factors, shape, "f32", (0,)), shape), shape)


def invert(of, lower):
    """(1 + A)⁻¹ of a strictly lower tile: (1 - A)(1 + A²)(1 + A⁴)…, by products of tf32."""
    p, c = of.p, of.chunk
    shape = (c, c)
    identity = p.select(of.mask("equal"), p.fill("1.0", shape), p.fill("0.0", shape), shape, "f32")
    short = lambda value: p.convert("short", f"ftof {value}", shape, "f32", "tf32")
    result = p.f32("less", f"subf {identity}, {lower}", shape)
    power, reach = lower, 2
    while reach < c:
        half = short(power)
        power = of.multiply(half, half, None, (c, c, c), TF32)
        result = of.multiply(short(result), short(power), result, (c, c, c), TF32)
        reach *= 2
    return result


@functools.cache
def expect_chunks(of):
    """Of the whole rule: w, u, the states before each chunk, v' and o."""
    h, c, count = of.heads, of.chunk, of.length // of.chunk
    q, k = (numpy.repeat(x, of.group, axis=0) for x in (of.q, of.k))
    parts = {name: numpy.zeros((h, of.length, of.d)) for name in ("w", "u", "vn", "o")}
    states, state = numpy.zeros((h, count, of.d, of.d)), numpy.zeros((h, of.d, of.d))
    for at in range(count):
        own = slice(at * c, (at + 1) * c)
        g = of.g[:, own] if of.channels else of.g[:, own, None]
        b, kc, qc = of.b[:, own, None], k[:, own], q[:, own]
        up, down = kc * numpy.exp2(g), kc * numpy.exp2(-g)
        a = numpy.tril(b * (up @ down.swapaxes(1, 2)), -1)
        t = numpy.linalg.inv(numpy.eye(c) + a)
        parts["w"][:, own], parts["u"][:, own] = t @ (b * up), t @ (b * of.v[:, own])
        states[:, at] = state
        vn = parts["vn"][:, own] = parts["u"][:, own] - parts["w"][:, own] @ state
        parts["o"][:, own] = (qc * numpy.exp2(g)) @ state + numpy.tril((qc * numpy.exp2(g)) @ down.swapaxes(1, 2)) @ vn
        last = g[:, -1:]
        state = numpy.exp2(last).swapaxes(1, 2) * state + (kc * numpy.exp2(last - g)).swapaxes(1, 2) @ vn
    return parts, states


def gated_prepare(chunk=64, d=128, heads=2, group=2, length=128):
    """w and u of all chunks, each in a block of its own."""
    of = Chunks(f"gated_prepare_{chunk}", chunk, d, heads, group, length, "kv")
    p, c, square = of.p, chunk, (chunk, chunk)
    of.put_floats("g", "b")
    p.grid = (length // chunk, heads, 1)
    block, head = p.blocks[:2]
    of_keys = p.arithmetic("divi", head, str(group), " signed") if group > 1 else head
    keys = p.load_tile(of.tiles("k"), (of_keys, block, p.zero))
    values = p.load_tile(of.tiles("v"), (head, block, p.zero))
    g, b = (of.load_vector(of.vector(name), head, block) for name in "gb")
    score = of.multiply(keys, p.turn(keys, (c, d), "bf16"), None, (c, c, d))
    score = of.times(of.times(score, of.falls(g), square), p.spread(b, square, "f32", (0,)), square)
    lower = p.select(of.mask("less_than"), score, p.fill("0.0", square), square, "f32")
    inverse = of.narrow(invert(of, lower), square)
    factor = of.times(b, of.power(g, (c,)), (c,))
    expected = lambda name: lambda: expect_chunks(of)[0][name]
    for name, tile_of, factors in (("w", keys, factor), ("u", values, b)):
        result = of.multiply(inverse, of.weigh(tile_of, factors, d), None, (c, d, c))
        p.written(name, "bf16", expected(name))
        p.store_tile(of.narrow(result, (c, d)), (c, d), of.tiles(name, padding=""), (head, block, p.zero))
    return p.case((2e-2, 4e-3))


def gated_states(chunk=64, columns=64, turned=False, d=128, heads=2, group=2, length=192):
    """The states before all chunks, and v'; a block has `columns` of a head's values and goes over the chunks. turned: it has the
    state turned, so that what is computed is the left operand of all products."""
    of = Chunks(f"gated_states_{chunk}_{columns}" + "_turned" * turned, chunk, d, heads, group, length, "k")
    p, c = of.p, chunk
    of.put_floats("g")
    p.given("w", "bf16", lambda: expect_chunks(of)[0]["w"]), p.given("u", "bf16", lambda: expect_chunks(of)[0]["u"])
    p.written("states", "bf16", lambda: expect_chunks(of)[1]), p.written("vn", "bf16", lambda: expect_chunks(of)[0]["vn"])
    p.grid = (d // columns, heads, 1)
    block, head = p.blocks[:2]
    of_keys = p.arithmetic("divi", head, str(group), " signed") if group > 1 else head
    count = p.quotient(of.size, c)
    views = {name: of.tiles(name, width=columns if name in ("u", "vn") else d, padding="" if name == "vn" else "zero")
             for name in ("k", "w", "u", "vn")}
    out = p.rows("states", "bf16", [str(heads), count, str(d), str(d)], (1, 1, d, columns), "")
    last_of = p.rows("g", "f32", [str(heads), of.size], (1, 1))
    vector = of.vector("g")

    def decays(step):
        """2^(g of the last - g), and 2^(g of the last)."""
        g = of.load_vector(vector, head, step)
        at = p.arithmetic("addi", p.arithmetic("muli", step, str(c)), str(c - 1))
        last = p.reshape(p.load(last_of, (head, at)), (1, 1), (), "f32")
        return of.power(p.f32("fall", f"subf {p.spread(last, (c,), 'f32')}, {g}", (c,)), (c,)), of.power(last, ())

    def body(step, carried):
        state, = carried
        half = of.narrow(state, (d, columns))
        p.store_tile(half, (d, columns), out, (head, step, p.zero, block))
        old = of.multiply(p.load_tile(views["w"], (head, step, p.zero)), half, None, (c, columns, d))
        new = p.f32("new", f"subf {p.wide(p.load_tile(views['u'], (head, step, block)), (c, columns), 'bf16')}, {old}", (c, columns))
        new_half = of.narrow(new, (c, columns))
        p.store_tile(new_half, (c, columns), views["vn"], (head, step, block))
        rest, last = decays(step)
        keys = of.weigh(p.load_tile(views["k"], (of_keys, step, p.zero)), rest, d)
        kept = of.times(state, p.spread(last, (d, columns), "f32"), (d, columns))
        return [of.multiply(p.turn(keys, (c, d), "bf16"), new_half, kept, (d, columns, c))]

    def turned_body(step, carried):
        state, = carried
        half = of.narrow(state, (columns, d))
        p.store_tile(p.turn(half, (columns, d), "bf16"), (d, columns), out, (head, step, p.zero, block))
        w = p.turn(p.load_tile(views["w"], (head, step, p.zero)), (c, d), "bf16")
        old = of.multiply(half, w, None, (columns, c, d))
        u = p.turn(p.load_tile(views["u"], (head, step, block)), (c, columns), "bf16")
        new = p.f32("new", f"subf {p.wide(u, (columns, c), 'bf16')}, {old}", (columns, c))
        p.store_tile(p.turn(of.narrow(new, (columns, c)), (columns, c), "bf16"), (c, columns), views["vn"], (head, step, block))
        rest, last = decays(step)
        weighed = of.narrow(of.times(new, p.spread(rest, (columns, c), "f32", (1,)), (columns, c)), (columns, c))
        kept = of.times(state, p.spread(last, (columns, d), "f32"), (columns, d))
        return [of.multiply(weighed, p.load_tile(views["k"], (of_keys, step, p.zero)), kept, (columns, d, c))]

    shape = (columns, d) if turned else (d, columns)
    p.loop(count, [(p.fill("0.0", shape), tile(shape, "f32"))], turned_body if turned else body)
    return p.case((2e-2, 4e-3))


def gated_output(chunk=64, columns=128, d=128, heads=2, group=2, length=128):
    """o of all chunks, each in a block of its own."""
    of = Chunks(f"gated_output_{chunk}", chunk, d, heads, group, length, "qk")
    p, c, square = of.p, chunk, (chunk, chunk)
    of.put_floats("g")
    p.given("vn", "bf16", lambda: expect_chunks(of)[0]["vn"]), p.given("states", "bf16", lambda: expect_chunks(of)[1])
    p.grid = (length // chunk, heads, d // columns)
    block, head, column = p.blocks
    of_keys = p.arithmetic("divi", head, str(group), " signed") if group > 1 else head
    count = p.quotient(of.size, c)
    query, keys = (p.load_tile(of.tiles(name), (of_keys, block, p.zero)) for name in "qk")
    new = p.load_tile(of.tiles("vn", width=columns), (head, block, column))
    view = p.rows("states", "bf16", [str(heads), count, str(d), str(d)], (1, 1, d, columns))
    state = p.load_tile(view, (head, block, p.zero, column))
    g = of.load_vector(of.vector("g"), head, block)
    score = of.times(of.multiply(query, p.turn(keys, (c, d), "bf16"), None, (c, c, d)), of.falls(g), square)
    seen = of.narrow(p.select(of.mask("less_than_or_equal"), score, p.fill("0.0", square), square, "f32"), square)
    old = of.multiply(query, state, None, (c, columns, d))
    old = of.times(old, p.spread(of.power(g, (c,)), (c, columns), "f32", (0,)), (c, columns))
    p.written("o", "bf16", lambda: expect_chunks(of)[0]["o"])
    p.store_tile(of.narrow(of.multiply(seen, new, old, (c, columns, c)), (c, columns)), (c, columns),
                 of.tiles("o", width=columns, padding=""), (head, block, column))
    return p.case((2e-2, 4e-3))


def delta_rule(chunk, d=128, channels=False, heads=2, group=1, length=192):
    """All of the rule in one kernel: a block has a head and goes over the chunks, whose decays it adds up."""
    of = Chunks(f"delta_rule_{chunk}" + "_channels" * channels, chunk, d, heads, group, length, channels=channels)
    p, c, square, whole = of.p, chunk, (chunk, chunk), (chunk, d)
    raw = numpy.diff(of.g.reshape(heads, length // c, c, -1), axis=2, prepend=0)
    if channels:
        raw = of.put("decays", raw.reshape(of.g.shape))
        of.g = raw.reshape(heads, -1, c, d).cumsum(axis=2).reshape(of.g.shape)
    else:
        p.array("decays", "f32", raw.reshape(of.g.shape).astype(numpy.float32))
    of.put_floats("b")
    p.written("o", "bf16", lambda: expect_chunks(of)[0]["o"])
    p.grid = (heads, 1, 1)
    head = p.blocks[0]
    of_keys = p.arithmetic("divi", head, str(group), " signed") if group > 1 else head
    views = {name: of.tiles(name, padding="" if name == "o" else "zero") for name in "qkvo"}
    gates = of.vector("b")
    decays = of.tiles("decays") if channels else of.vector("decays")

    def summed(value, shape):
        result = p.name("sums")
        p.line(f"{result} = scan {value} dim=0 reverse=false identities=[0.0 : f32] : {tile(shape, 'f32')} -> {tile(shape, 'f32')}")
        p.lines += ["    (%element: tile<f32>, %before: tile<f32>) {", "    %r = addf %element, %before : tile<f32>",
                    "    yield %r : tile<f32>", "    }"]
        return result

    def weigh(value, factors):
        """Factors of all elements."""
        return of.narrow(of.times(p.wide(value, whole, "bf16"), factors, whole), whole)

    def powers(step):
        """2^g, 2^-g, 2^(g of the last - g) of all elements, and 2^(g of the last) of the state's rows."""
        if channels:
            g = summed(p.wide(p.load_tile(decays, (head, step, p.zero)), whole, "bf16"), whole)
            last = p.reduce(g, whole, 0, "minf", "0x7F800000")
            each = (of.power(g, whole), of.power(p.f32("rise", f"negf {g}", whole), whole),
                    of.power(p.f32("fall", f"subf {p.spread(last, whole, 'f32', (1,))}, {g}", whole), whole))
            return (*each, p.spread(of.power(last, (d,)), (d, d), "f32", (0,)))
        g = summed(of.load_vector(decays, head, step), (c,))
        last = p.reduce(g, (c,), 0, "minf", "0x7F800000")
        each = (of.power(g, (c,)), of.power(p.f32("rise", f"negf {g}", (c,)), (c,)),
                of.power(p.f32("fall", f"subf {p.spread(last, (c,), 'f32')}, {g}", (c,)), (c,)))
        return (*(p.spread(value, whole, "f32", (0,)) for value in each), p.spread(of.power(last, ()), (d, d), "f32"))

    def body(step, carried):
        state, = carried
        half = of.narrow(state, (d, d))
        query, keys = (p.load_tile(views[name], (of_keys, step, p.zero)) for name in "qk")
        values, b = p.load_tile(views["v"], (head, step, p.zero)), of.load_vector(gates, head, step)
        up, down, rest, last = powers(step)
        low, high, query_high = weigh(keys, down), weigh(keys, up), weigh(query, up)
        low_turned = p.turn(low, whole, "bf16")
        score = of.times(of.multiply(high, low_turned, None, (c, c, d)), p.spread(b, square, "f32", (0,)), square)
        inverse = of.narrow(invert(of, p.select(of.mask("less_than"), score, p.fill("0.0", square), square, "f32")), square)
        w = of.narrow(of.multiply(inverse, of.weigh(high, b, d), None, (c, d, c)), whole)
        u = of.multiply(inverse, of.weigh(values, b, d), None, (c, d, c))
        new = of.narrow(p.f32("new", f"subf {u}, {of.multiply(w, half, None, (c, d, d))}", whole), whole)
        seen = p.select(of.mask("less_than_or_equal"), of.multiply(query_high, low_turned, None, (c, c, d)), p.fill("0.0", square),
                        square, "f32")
        result = of.multiply(of.narrow(seen, square), new, of.multiply(query_high, half, None, (c, d, d)), (c, d, c))
        p.store_tile(of.narrow(result, whole), whole, views["o"], (head, step, p.zero))
        added = p.turn(weigh(keys, rest), whole, "bf16")
        return [of.multiply(added, new, of.times(state, last, (d, d)), (d, d, c))]

    p.loop(p.quotient(of.size, c), [(p.fill("0.0", (d, d)), tile((d, d), "f32"))], body)
    return p.case((2e-2, 4e-3))


def gated_step(columns=32, d=128, sequences=2, heads=2):
    """One token: the state of each head is read, and the one after it written."""
    p = Kernel(f"gated_step_{columns}")
    shape = (sequences, heads)
    state = p.numbers_of("state", "f32", (*shape, d, d), 0.3).astype(numpy.float32).astype(float)
    q, k, v = (p.numbers_of(name, "bf16", (*shape, d), d ** -0.5 if name != "v" else 1.0) for name in "qkv")
    random = p.numbers
    g, b = -random.random(shape), random.random(shape)
    p.array("g", "f32", g.astype(numpy.float32)), p.array("b", "f32", b.astype(numpy.float32))
    count = p.size("sequences", sequences, 1)
    p.grid = (d // columns, heads, sequences)
    block, head, sequence = p.blocks
    both = [count, str(heads)]
    number = lambda name: p.reshape(p.load(p.rows(name, "f32", both, (1, 1), ""), (sequence, head)), (1, 1), (), "f32")
    vector = lambda name, width, place: p.wide(p.reshape(p.load(p.rows(name, "bf16", both + [str(d)], (1, 1, width)), (
        sequence, head, place)), (1, 1, width), (width,), "bf16"), (width,), "bf16")
    part, row = (d, columns), (columns,)
    states = p.rows("state", "f32", both + [str(d)] * 2, (1, 1, *part), "")
    of_rows = lambda value: p.spread(value, part, "f32", (0,))
    old = p.load_tile(states, (sequence, head, p.zero, block))
    decay = p.f32("decay", f"exp2 {number('g')}", ())
    faded = p.f32("faded", f"mulf {old}, {p.spread(decay, part, 'f32')}", part)
    keys, query = of_rows(vector("k", d, p.zero)), of_rows(vector("q", d, p.zero))
    known = p.reduce(p.f32("known", f"mulf {faded}, {keys}", part), part, 0)
    rest = p.f32("rest", f"subf {vector('v', columns, block)}, {known}", row)
    rest = p.f32("rest", f"mulf {rest}, {p.spread(number('b'), row, 'f32')}", row)
    new = p.f32("new", f"fma {keys}, {p.spread(rest, part, 'f32', (1,))}, {faded}", part)
    result = p.reduce(p.f32("read", f"mulf {new}, {query}", part), part, 0)

    def expect():
        faded = state * numpy.exp2(g)[..., None, None]
        change = b[..., None] * (v - numpy.einsum("shkv,shk->shv", faded, k))
        return faded + k[..., None] * change[..., None, :]

    p.written("after", "f32", expect)
    p.written("o", "bf16", lambda: numpy.einsum("shkv,shk->shv", expect(), q))
    p.store_tile(new, part, p.rows("after", "f32", both + [str(d)] * 2, (1, 1, *part), ""), (sequence, head, p.zero, block))
    p.store(p.reshape(p.rounded(result, row, "bf16"), row, (1, 1, columns), "bf16"),
            p.rows("o", "bf16", both + [str(d)], (1, 1, columns), ""), (sequence, head, block))
    return p.case((1e-2, 1e-3))


CASES = [gated_prepare(), gated_states(), gated_states(columns=128), gated_states(turned=True), gated_output(),
         delta_rule(64, group=2), delta_rule(16, channels=True), gated_step()]

if __name__ == "__main__":
    sys.exit(deployed_parts.main(CASES, __doc__))
