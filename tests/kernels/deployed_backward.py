"""Gradients of attention, as people deploy it and front ends write it, generated: two kernels without atomics, one for keys and
values, one for queries; or one for all, which adds to the gradients of queries by atomics.

  deployed_backward.py --tileiras FILE --emulator FILE [NAME…] [--gpu CHIP[,CHIP]]

compiles all cases and runs them on the emulator. Of each query the logarithm (of two) of its sum of powers is known, and the sum of
its output times the output's gradient.
"""

import sys

import deployed_parts
import numpy
from deployed_pages import positions
from deployed_parts import KIND_OF, LOG2E, Kernel
from kind_parts import tile
from products import ELEMENTS


class Backward:
    """Arrays of heads · length · d."""

    def __init__(self, name, element, m, n, d, causal, length, heads):
        self.p = Kernel(f"backward_{name}_{element}_{d}_{m}x{n}" + "_causal" * causal)
        p, self.element, self.m, self.n, self.d, self.causal = self.p, element, m, n, d, causal
        self.length, self.heads, self.kind = length, heads, ELEMENTS[KIND_OF[element]]
        q, k, v, dy = (p.numbers_of(name, element, (heads, length, d)) for name in ("q", "k", "v", "dy"))
        self.expect(q, k, v, dy)
        self.size, self.count = p.size("length", length, 8), p.size("heads", heads, 1)
        self.block, self.head = p.blocks[:2]
        self.views = {name: p.rows(name, element, [self.count, self.size, str(d)], (1, m if name in ("q", "dy") else n, d))
                      for name in ("q", "k", "v", "dy")}
        self.statistics = {name: p.rows(name, "f32", [self.count, self.size], (1, m)) for name in ("level", "delta")}

    def expect(self, q, k, v, dy):
        p, turned = self.p, lambda x: x.swapaxes(-1, -2)
        scores = q @ turned(k) / self.d ** 0.5
        if self.causal:
            scores = numpy.where(numpy.tril(numpy.ones((self.length, self.length), bool)), scores, -numpy.inf)
        top = scores.max(axis=-1, keepdims=True)
        level = numpy.log(numpy.exp(scores - top).sum(axis=-1, keepdims=True)) + top
        share = numpy.exp(scores - level)
        delta = (share @ v * dy).sum(axis=-1)
        p.array("level", "f32", (level[..., 0] * LOG2E).astype(numpy.float32)), p.array("delta", "f32", delta.astype(numpy.float32))
        slope = share * (dy @ turned(v) - delta[..., None]) / self.d ** 0.5
        self.expected = {"dq": slope @ k, "dk": turned(slope) @ q, "dv": turned(share) @ dy}

    def load(self, name, step):
        return self.p.load_tile(self.views[name], (self.head, step, self.p.zero))

    def slopes(self, score, gradient, step, shape, along):
        """Powers and slopes, rounded; `along` is the dimension of queries: 1 where step is a block of them, else of keys."""
        p = self.p
        place = (self.head, step if along else self.block)
        vectors = [p.reshape(p.load(self.statistics[name], place), (1, self.m), (self.m,), "f32") for name in ("level", "delta")]
        level, delta = (p.spread(vector, shape, "f32", (along,)) for vector in vectors)
        shifted = p.f32("shifted", f"fma {score}, {p.fill(repr(LOG2E / self.d ** 0.5), shape)}, "
                        + p.f32("lowered", f"negf {level}", shape), shape)
        power = p.f32("power", f"exp2 {shifted} flush_to_zero", shape)
        if self.causal:
            query_block, key_block = (step, self.block) if along else (self.block, step)
            query = positions(p, p.arithmetic("muli", query_block, str(self.m)), self.m, shape, along)
            key = positions(p, p.arithmetic("muli", key_block, str(self.n)), self.n, shape, 1 - along)
            power = p.select(p.less(key, query, shape, "less_than_or_equal"), power, p.fill("0.0", shape), shape, "f32")
        slope = p.f32("slope", f"mulf {power}, {p.f32('above', f'subf {gradient}, {delta}', shape)}", shape)
        return p.rounded(power, shape, self.element), p.rounded(slope, shape, self.element)

    def multiply(self, a, b, c, sizes):
        return self.p.multiply(a, b, c or self.p.fill("0.0", sizes[:2]), sizes, self.kind)

    def scaled(self, value, shape):
        return self.p.f32("scaled", f"mulf {value}, {self.p.fill(repr(self.d ** -0.5), shape)}", shape)

    def result(self, name, value, extent):
        p, shape = self.p, (extent, self.d)
        p.written(name, self.element, lambda: self.expected[name])
        view = p.rows(name, self.element, [self.count, self.size, str(self.d)], (1, extent, self.d), "")
        p.store_tile(p.rounded(value, shape, self.element), shape, view, (self.head, self.block, p.zero))


def keys(element, m=64, n=128, d=128, causal=False, atomic=False, length=256, heads=2):
    """A block has n keys, and goes over the queries, m at a time."""
    of = Backward("all" if atomic else "keys", element, m, n, d, causal, length, heads)
    p, output = of.p, (n, d)
    p.grid = (-(-length // n), heads, 1)
    if atomic:
        p.written("dq", "f32", lambda: of.expected["dq"])
        sums = p.rows("dq", "f32", [of.count, of.size, str(d)], (1, m, d), "")
    own_keys, own_values = of.load("k", of.block), of.load("v", of.block)

    def body(step, carried):
        queries, gradients = of.load("q", step), of.load("dy", step)
        score = of.multiply(own_keys, p.turn(queries, (m, d), element), None, (n, m, d))
        gradient = of.multiply(own_values, p.turn(gradients, (m, d), element), None, (n, m, d))
        power, slope = of.slopes(score, gradient, step, (n, m), 1)
        dv = of.multiply(power, gradients, carried[1], (n, d, m))
        dk = of.multiply(slope, queries, carried[0], (n, d, m))
        if atomic:
            dq = of.scaled(of.multiply(p.turn(slope, (n, m), element), own_keys, None, (m, d, n)), (m, d))
            p.line(f"{p.name('added')} = atomic_red_view_tko relaxed device {sums.tiles}[{of.head}, {step}, {p.zero}], addf, "
                   f"{p.reshape(dq, (m, d), (1, m, d), 'f32')} token = %token : {tile((1, m, d), 'f32')}, {sums.type}, "
                   "tile<i32> -> token")
        return [dk, dv]

    first = p.arithmetic("divi", p.arithmetic("muli", of.block, str(n)), str(m), " signed") if causal else p.zero
    none = (p.fill("0.0", output), tile(output, "f32"))
    dk, dv = p.loop(p.quotient(of.size, m), [none, none], body, bounds=(first, None))
    of.result("dk", of.scaled(dk, output), n)
    of.result("dv", dv, n)
    return p.case((2e-2, 1e-2))


def queries(element, m=128, n=64, d=128, causal=False, length=256, heads=2):
    """A block has m queries, and goes over the keys, n at a time."""
    of = Backward("queries", element, m, n, d, causal, length, heads)
    p, output, shape = of.p, (m, d), (m, n)
    p.grid = (-(-length // m), heads, 1)
    query, own = of.load("q", of.block), of.load("dy", of.block)

    def body(step, carried):
        keys, values = of.load("k", step), of.load("v", step)
        score = of.multiply(query, p.turn(keys, (n, d), element), None, (m, n, d))
        gradient = of.multiply(own, p.turn(values, (n, d), element), None, (m, n, d))
        _, slope = of.slopes(score, gradient, step, shape, 0)
        return [of.multiply(slope, keys, carried[0], (m, d, n))]

    end = of.size
    if causal:
        end = p.arithmetic("mini", p.arithmetic("muli", p.arithmetic("addi", of.block, p.one), str(m)), of.size, " signed")
    dq, = p.loop(p.quotient(end, n), [(p.fill("0.0", output), tile(output, "f32"))], body)
    of.result("dq", of.scaled(dq, output), m)
    return p.case((2e-2, 1e-2))


CASES = [keys("bf16"), keys("bf16", causal=True), keys("bf16", atomic=True), keys("bf16", causal=True, atomic=True),
         queries("bf16"), queries("bf16", causal=True)]

if __name__ == "__main__":
    sys.exit(deployed_parts.main(CASES, __doc__))
