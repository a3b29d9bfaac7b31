"""Mamba-2's chunks (SSD), as people deploy them and front ends write them, generated: what each chunk adds to the state, the states
before each chunk, and the results.

  deployed_scans.py --tileiras FILE --emulator FILE [NAME…] [--gpu CHIP[,CHIP]]

compiles all cases and runs them on the emulator. Of each head and chunk, with g the sums of logarithms (of two) of decays within it:

  added = xᵀ·(2^(g of the last - g) · t · B),  state' = 2^(g of the last) · state + added
  y = (2^g · C)·stateᵀ + tril((C·Bᵀ) · 2^(gᵢ - gⱼ) · tⱼ)·x

x: length · heads · width; B and C: length · groups · 128; t and g: heads · length; states: chunks · heads · width · 128.
"""

import functools
import sys

import deployed_parts
import numpy
from deployed_pages import positions
from deployed_parts import Kernel
from kind_parts import tile
from products import ELEMENTS, bf16_bits, bf16_values

BF16 = ELEMENTS["bf16"]


class Scan:
    def __init__(self, name, chunk, heads, groups, length, width=64, inner=128):
        self.p, self.chunk, self.heads, self.groups, self.length = Kernel(f"{name}_{chunk}"), chunk, heads, groups, length
        self.width, self.inner, self.share = width, inner, heads // groups
        random = self.p.numbers
        self.x, self.b, self.c = (self.put(random.standard_normal(shape)) for shape in (
            (length, heads, width), (length, groups, inner), (length, groups, inner)))
        self.t = random.random((heads, length)).astype(numpy.float32).astype(float)
        decays = -0.1 * random.random((heads, length // chunk, chunk))
        self.g = decays.cumsum(axis=2).reshape(heads, length).astype(numpy.float32).astype(float)
        self.count = length // chunk

    def put(self, values):
        return bf16_values(bf16_bits(values)).astype(float)

    def arrays(self, *names):
        for name in names:
            values = getattr(self, name)
            if name in "tg":
                self.p.array(name, "f32", values.astype(numpy.float32))
            else:
                self.p.array(name, "bf16", bf16_bits(values))
        self.size = self.p.size("length", self.length, self.chunk)

    def views(self, rows, *names):
        """Tiles with so many positions."""
        p = self.p
        columns = {"x": (self.heads, self.width), "y": (self.heads, self.width), "b": (self.groups, self.inner),
                   "c": (self.groups, self.inner)}
        return [p.rows(name, "f32", [str(self.heads), self.size], (1, rows)) if name in "tg" else
                p.rows(name, "bf16", [self.size, *map(str, columns[name])], (rows, 1, columns[name][1]), "" if name == "y" else "zero")
                for name in names]

    def load(self, view, head, step):
        p, shape = self.p, view.shape
        if len(shape) == 2:
            return p.reshape(p.load(view, (head, step)), shape, shape[1:], "f32")
        return p.reshape(p.load(view, (step, head, p.zero)), shape, (shape[0], shape[2]), "bf16")

    def group(self, head):
        return self.p.arithmetic("divi", head, str(self.share), " signed") if self.share > 1 else head

    def last(self, view, head, chunk):
        """g of the last position of a chunk."""
        p = self.p
        at = p.arithmetic("addi", p.arithmetic("muli", chunk, str(self.chunk)), str(self.chunk - 1))
        return p.reshape(p.load(view, (head, at)), (1, 1), (), "f32")

    @functools.cache
    def expect(self):
        """What chunks add, states before them, and results."""
        h, c = self.heads, self.chunk
        x = self.x.transpose(1, 0, 2)
        b, cc = (numpy.repeat(values.transpose(1, 0, 2), self.share, axis=0) for values in (self.b, self.c))
        added, before = (numpy.zeros((self.count, h, self.width, self.inner)) for _ in range(2))
        y, state = numpy.zeros((h, self.length, self.width)), numpy.zeros((h, self.width, self.inner))
        for at in range(self.count):
            own = slice(at * c, (at + 1) * c)
            g, t = self.g[:, own, None], self.t[:, own, None]
            added[at] = x[:, own].swapaxes(1, 2) @ (numpy.exp2(g[:, -1:] - g) * t * b[:, own])
            before[at] = state
            scores = numpy.tril(cc[:, own] @ b[:, own].swapaxes(1, 2) * numpy.exp2(g - g.swapaxes(1, 2)) * t.swapaxes(1, 2))
            y[:, own] = (numpy.exp2(g) * cc[:, own]) @ state.swapaxes(1, 2) + scores @ x[:, own]
            state = numpy.exp2(g[:, -1:]) * state + added[at]
        return added, before, y.transpose(1, 0, 2)


def states(chunk, step=64, heads=2, groups=1, length=None):
    """What chunks add to the states, `step` positions at a time."""
    of = Scan("ssd_states", chunk, heads, groups, length or 2 * chunk)
    p, shape = of.p, (of.width, of.inner)
    of.arrays("x", "b", "t", "g")
    p.written("added", "f32", lambda: of.expect()[0])
    p.grid = (of.count, heads, 1)
    block, head = p.blocks[:2]
    x, b, t, g = of.views(step, "x", "b", "t", "g")
    ends = p.rows("g", "f32", [str(heads), of.size], (1, 1), "")
    last, group, steps = of.last(ends, head, block), of.group(head), chunk // step
    first = p.arithmetic("muli", block, str(steps))

    def body(index, carried):
        place = p.arithmetic("addi", first, index)
        fall = p.f32("fall", f"subf {p.spread(last, (step,), 'f32')}, {of.load(g, head, place)}", (step,))
        factor = p.f32("factor", f"mulf {p.f32('power', f'exp2 {fall}', (step,))}, {of.load(t, head, place)}", (step,))
        wide = (step, of.inner)
        inner = p.wide(of.load(b, group, place), wide, "bf16")
        inner = p.rounded(p.f32("weighed", f"mulf {inner}, {p.spread(factor, wide, 'f32', (0,))}", wide), wide, "bf16")
        turned = p.turn(of.load(x, head, place), (step, of.width), "bf16")
        return [p.multiply(turned, inner, carried[0], (*shape, step), BF16)]

    total, = p.loop(p.constant(steps), [(p.fill("0.0", shape), tile(shape, "f32"))], body)
    count = p.arithmetic("divi", of.size, str(chunk), " signed")
    view = p.rows("added", "f32", [count, str(heads), *map(str, shape)], (1, 1, *shape), "")
    p.store_tile(total, shape, view, (block, head, p.zero, p.zero))
    return p.case((1e-2, 5e-2))


def passing(chunk, rows=16, heads=2, groups=1, length=None):
    """The states before chunks; a block has so many rows of a head's state."""
    of = Scan("ssd_passing", chunk, heads, groups, length or 4 * chunk)
    p, shape = of.p, (rows, of.inner)
    of.arrays("g")
    p.given("added", "f32", lambda: of.expect()[0])
    p.written("states", "bf16", lambda: of.expect()[1])
    p.grid = (of.width // rows, heads, 1)
    block, head = p.blocks[:2]
    count = p.arithmetic("divi", of.size, str(chunk), " signed")
    sizes = [count, str(heads), str(of.width), str(of.inner)]
    source, target = (p.rows(name, kind, sizes, (1, 1, *shape), "") for name, kind in (("added", "f32"), ("states", "bf16")))
    ends = p.rows("g", "f32", [str(heads), of.size], (1, 1), "")

    def body(step, carried):
        p.store_tile(p.rounded(carried[0], shape, "bf16"), shape, target, (step, head, block, p.zero))
        decay = p.f32("decay", f"exp2 {of.last(ends, head, step)}", ())
        return [p.f32("next", f"fma {carried[0]}, {p.spread(decay, shape, 'f32')}, "
                      + p.load_tile(source, (step, head, block, p.zero)), shape)]

    p.loop(count, [(p.fill("0.0", shape), tile(shape, "f32"))], body)
    return p.case((1e-2, 1e-2))


def output(chunk, m=128, n=64, heads=2, groups=1, length=None):
    """Results of m positions of a chunk, from the state before it and n positions at a time up to them."""
    of = Scan(f"ssd_output_{m}x{n}", chunk, heads, groups, length or 2 * chunk)
    p, shape, out, parts = of.p, (m, n), (m, of.width), chunk // m
    of.arrays("x", "b", "c", "t", "g")
    p.given("states", "bf16", lambda: of.expect()[1])
    p.written("y", "bf16", lambda: of.expect()[2])
    p.grid = (of.length // m, heads, 1)
    block, head = p.blocks[:2]
    group = of.group(head)
    own_c, own_g, results = of.views(m, "c", "g", "y")
    x, b, t, g = of.views(n, "x", "b", "t", "g")
    chunk_number = p.arithmetic("divi", block, str(parts), " signed") if parts > 1 else block
    count = p.arithmetic("divi", of.size, str(chunk), " signed")
    view = p.rows("states", "bf16", [count, str(heads), str(of.width), str(of.inner)], (1, 1, of.width, of.inner))
    state = p.turn(p.load_tile(view, (chunk_number, head, p.zero, p.zero)), (of.width, of.inner), "bf16")
    query, level = of.load(own_c, group, block), of.load(own_g, head, block)
    old = p.multiply(query, state, p.fill("0.0", out), (*out, of.inner), BF16)
    old = p.f32("old", f"mulf {old}, {p.spread(p.f32('power', f'exp2 {level}', (m,)), out, 'f32', (0,))}", out)
    first = p.arithmetic("muli", chunk_number, str(chunk // n))
    start = p.arithmetic("muli", block, str(m))
    end = p.arithmetic("divi", p.arithmetic("addi", start, str(m)), str(n), " signed")

    def body(step, carried):
        inner = p.turn(of.load(b, group, step), (n, of.inner), "bf16")
        score = p.multiply(query, inner, p.fill("0.0", shape), (*shape, of.inner), BF16)
        other, share = (p.spread(of.load(view, head, step), shape, "f32", (1,)) for view in (g, t))
        fall = p.f32("fall", f"subf {p.spread(level, shape, 'f32', (0,))}, {other}", shape)
        seen = p.less(positions(p, p.arithmetic("muli", step, str(n)), n, shape, 1), positions(p, start, m, shape, 0), shape,
                      "less_than_or_equal")
        fall = p.select(seen, fall, p.fill("0xFF800000", shape), shape, "f32")
        factor = p.f32("factor", f"mulf {p.f32('power', f'exp2 {fall}', shape)}, {share}", shape)
        weighed = p.rounded(p.f32("weighed", f"mulf {score}, {factor}", shape), shape, "bf16")
        return [p.multiply(weighed, of.load(x, head, step), carried[0], (*out, n), BF16)]

    total, = p.loop(end, [(old, tile(out, "f32"))], body, bounds=(first, None))
    p.store(p.reshape(p.rounded(total, out, "bf16"), out, results.shape, "bf16"), results, (block, head, p.zero))
    return p.case((1e-2, 4e-1))


CASES = [states(128), states(256), passing(128), output(128), output(256), output(256, m=64)]

if __name__ == "__main__":
    sys.exit(deployed_parts.main(CASES, __doc__))
