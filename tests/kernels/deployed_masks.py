"""Attention that sees a part of the keys, as people deploy it and front ends write it, generated: windows, sinks, sequences of
several lengths, lists of blocks; and attention in fp8.

  deployed_masks.py --tileiras FILE --emulator FILE [NAME…] [--gpu CHIP[,CHIP]]

compiles all cases and runs them on the emulator.
"""

import sys

import deployed_parts
import numpy
from deployed_pages import positions, scores_of
from deployed_parts import LOG2E, Kernel, Softmax, attend

F8 = "f8E4M3FN"


class Heads:
    """Queries, keys and values of heads · length · d each; `group` heads of queries read the same keys."""

    def __init__(self, p, element, m, n, d, heads, group, length, turned=False):
        self.p, self.element, self.m, self.n, self.d, self.turned = p, element, m, n, d, turned
        self.heads, self.group, self.length = heads, group, length
        self.arrays = {"q": p.numbers_of("q", element, (heads * group, length, d)),
                       "k": p.numbers_of("k", element, (heads, length, d)),
                       "v": p.numbers_of("v", element, (heads, d, length) if turned else (heads, length, d))}
        if turned:
            self.arrays["v"] = self.arrays["v"].swapaxes(-1, -2)
        self.size = p.size("length", length, 16 if element == F8 else 8)
        p.grid = (-(-length // m), heads * group, 1)
        self.block, self.of_queries = p.blocks[:2]
        self.head = p.arithmetic("divi", self.of_queries, str(group), " signed") if group > 1 else self.of_queries
        self.start = p.arithmetic("muli", self.block, str(m))

    def views(self):
        p, d = self.p, str(self.d)
        count, all_heads = str(self.heads), str(self.heads * self.group)
        view = lambda name, heads, extent: p.rows(name, self.element, [heads, self.size, d], (1, extent, self.d))
        self.query = p.load_tile(view("q", all_heads, self.m), (self.of_queries, self.block, p.zero))
        self.keys = view("k", count, self.n)
        if self.turned:
            self.values = p.rows("v", self.element, [count, d, self.size], (1, self.d, self.n))
        else:
            self.values = view("v", count, self.n)

    def load_keys(self, step):
        return self.p.load_tile(self.keys, (self.head, step, self.p.zero))

    def load_values(self, step):
        p = self.p
        if self.turned:
            return p.turn(p.load_tile(self.values, (self.head, p.zero, step)), (self.d, self.n), self.element)
        return p.load_tile(self.values, (self.head, step, p.zero))

    def score(self, step):
        return scores_of(self.p, self.query, self.load_keys(step), self.m, self.n, self.d, self.element)

    def store(self, value, element, expected):
        p, sizes = self.p, [str(self.heads * self.group), self.size, str(self.d)]
        p.written("o", element, expected)
        p.store_tile(p.rounded(value, (self.m, self.d), element), (self.m, self.d),
                     p.rows("o", element, sizes, (1, self.m, self.d), ""), (self.of_queries, self.block, p.zero))

    def expect(self, seen=None, sink=None):
        q, k, v = self.arrays.values()
        k, v = (numpy.repeat(values, self.group, axis=0) for values in (k, v))
        return lambda: attend(q @ k.swapaxes(-1, -2) / self.d ** 0.5, v, seen, sink)[0]


def fp8(m=128, n=128, d=128, length=256, heads=2, turned=False, fast=True):
    """All of them e4m3, and powers too, 256 times what they are; a scale for the results. turned: values lie in memory by columns;
    fast: quick sums."""
    p = Kernel(f"fp8_attention_{m}x{n}" + "_turned" * turned + "_fast" * fast, fast)
    of = Heads(p, F8, m, n, d, heads, 1, length, turned)
    p.array("scale", "f32", numpy.array([0.5], numpy.float32))
    of.views()
    scale = p.load(p.rows("scale", "f32", ["1"], (1,), ""), (p.zero,))
    softmax = Softmax(p, m, n, d, F8, boost=8)
    state = p.loop(p.quotient(of.size, n), softmax.start(),
                   lambda step, state: softmax.add(state, of.score(step), of.load_values(step)))
    result = softmax.finish(state)
    scaled = p.f32("scaled", f"mulf {result}, {p.spread(p.reshape(scale, (1,), (), 'f32'), (m, d), 'f32')}", (m, d))
    of.store(scaled, "bf16", lambda: of.expect()() / 2)
    return p.case((5e-2, 5e-2))


def window(element, m, n, d, width, length=320, heads=1, group=1, sink=False):
    """A position sees itself and the width - 1 before it; with a sink, each head has one more score, without a value."""
    p = Kernel(f"window_{d}_{width}_{m}x{n}" + "_sink" * sink)
    of = Heads(p, element, m, n, d, heads, group, length)
    shape = (m, n)
    of.views()
    first = p.arithmetic("subi", of.start, str(width - 1))
    first = p.arithmetic("divi", p.arithmetic("maxi", first, p.zero, " signed"), str(n), " signed")
    last = p.quotient(p.arithmetic("mini", p.arithmetic("addi", of.start, str(m)), of.size, " signed"), n)
    softmax, sinks = Softmax(p, m, n, d, element), None
    state = softmax.start()
    if sink:
        sinks = p.numbers_of("sinks", "f32", (heads * group,), 2.0)
        own = p.reshape(p.load(p.rows("sinks", "f32", [str(heads * group)], (1,), ""), (of.of_queries,)), (1,), (), "f32")
        own = p.f32("sink", f"mulf {own}, {p.fill(repr(LOG2E), ())}", ())
        state = softmax.start(p.spread(own, (m,), "f32"), p.fill("1.0", (m,)))

    def body(step, state):
        query, key = positions(p, of.start, m, shape, 0), positions(p, p.arithmetic("muli", step, str(n)), n, shape, 1)
        seen = p.less(key, query, shape, "less_than_or_equal")
        oldest = p.op("oldest", f"subi {query}, {p.constant(width, 'i32', shape)}", shape, "i32")
        seen = p.both(seen, p.less(oldest, key, shape), shape)
        return softmax.add(state, of.score(step), of.load_values(step), seen)

    state = p.loop(last, state, body, bounds=(first, last))
    rows, columns = numpy.arange(length)[:, None], numpy.arange(length)
    of.store(softmax.finish(state), element, of.expect((columns <= rows) & (columns > rows - width), sinks))
    return p.case()


def varlen(element, m=128, n=128, d=128, heads=2, lengths=(130, 64, 257)):
    """Causal, of sequences that lie behind each other: rows are positions, with all heads."""
    p = Kernel(f"varlen_{element}_{m}x{n}")
    total, starts = sum(lengths), numpy.concatenate([[0], numpy.cumsum(lengths)])
    q, k, v = (p.numbers_of(name, element, (total, heads, d)) for name in "qkv")
    p.indices_of("starts", starts)
    count = p.size("sequences", len(lengths), 1)
    p.grid = (-(-max(lengths) // m), heads, len(lengths))
    block, head, sequence = p.blocks
    first = p.scalar("starts", [p.arithmetic("addi", count, p.one)], (sequence,))
    end = p.scalar("starts", [p.arithmetic("addi", count, p.one)], (p.arithmetic("addi", sequence, p.one),))
    length = p.op("length", f"assume bounded<0, ?>, {p.arithmetic('subi', end, first)}", (), "i32")
    offset = p.arithmetic("muli", first, str(heads * d))
    p.written("o", element, lambda: numpy.concatenate([
        attend(numpy.einsum("ihd,jhd->hij", q[a:b], k[a:b]) / d ** 0.5, v[a:b].swapaxes(0, 1),
               numpy.tril(numpy.ones((b - a, b - a), bool)))[0].swapaxes(0, 1) for a, b in zip(starts, starts[1:])]))

    def own(name, extent):
        moved = p.name("moved")
        p.line(f"{moved} = offset %{name}, {offset} : tile<ptr<{element}>>, tile<i32> -> tile<ptr<{element}>>")
        p.line(f"%{name}_own = assume div_by<16>, {moved} : tile<ptr<{element}>>")
        return p.rows(f"{name}_own", element, [length, str(heads), str(d)], (extent, 1, d), "" if name == "o" else "zero")

    def load(view, step, extent):
        return p.reshape(p.load(view, (step, head, p.zero)), (extent, 1, d), (extent, d), element)

    views = {name: own(name, m if name in "qo" else n) for name in "qkvo"}
    start = p.arithmetic("muli", block, str(m))
    p.line(f"if {p.less(start, length, ())} {{")
    query = load(views["q"], block, m)
    end = p.arithmetic("mini", p.arithmetic("addi", start, str(m)), length, " signed")
    softmax, shape = Softmax(p, m, n, d, element), (m, n)

    def body(step, state):
        score = scores_of(p, query, load(views["k"], step, n), m, n, d, element)
        seen = p.less(positions(p, p.arithmetic("muli", step, str(n)), n, shape, 1), positions(p, start, m, shape, 0), shape,
                      "less_than_or_equal")
        return softmax.add(state, score, load(views["v"], step, n), seen)

    state = p.loop(p.quotient(end, n), softmax.start(), body)
    result = p.rounded(softmax.finish(state), (m, d), element)
    p.store(p.reshape(result, (m, d), (m, 1, d), element), views["o"], (block, head, p.zero))
    p.line("}")
    return p.case()


def block_sparse(element, m=128, n=128, d=128, heads=2, length=512, share=0.5):
    """A block of queries sees the blocks of keys that its list names."""
    p = Kernel(f"block_sparse_{element}_{m}x{n}")
    of = Heads(p, element, m, n, d, heads, 1, length)
    query_blocks, key_blocks = length // m, length // n
    width = int(share * key_blocks)
    counts = p.numbers.integers(1, width + 1, (heads, query_blocks))
    lists = numpy.stack([[p.numbers.permutation(key_blocks)[:width] for _ in range(query_blocks)] for _ in range(heads)])
    p.indices_of("counts", counts), p.indices_of("list", lists)
    of.views()
    all_blocks, list_width = p.quotient(of.size, m), p.size("list_width", width, 1)
    count = p.scalar("counts", [str(heads), all_blocks], (of.head, of.block))
    table = p.rows("list", "i32", [str(heads), all_blocks, list_width], (1, 1, 1), "")
    softmax = Softmax(p, m, n, d, element)

    def body(step, state):
        number = p.reshape(p.load(table, (of.head, of.block, step)), (1, 1, 1), (), "i32")
        return softmax.add(state, of.score(number), of.load_values(number))

    state = p.loop(count, softmax.start(), body)
    seen = numpy.zeros((heads, query_blocks, key_blocks), bool)
    for head in range(heads):
        for row in range(query_blocks):
            seen[head, row, lists[head, row, :counts[head, row]]] = True
    seen = numpy.repeat(numpy.repeat(seen, m, axis=1), n, axis=2)
    of.store(softmax.finish(state), element, of.expect(seen))
    return p.case()


CASES = [fp8(), fp8(turned=True), fp8(fast=False),
         window("bf16", 128, 64, 64, 100, heads=1, group=2, sink=True), window("bf16", 128, 64, 256, 100), varlen("bf16"),
         block_sparse("bf16"), block_sparse("bf16", m=64, n=64)]

if __name__ == "__main__":
    sys.exit(deployed_parts.main(CASES, __doc__))
