"""Cross entropy behind a linear layer without stored logits, as people deploy it and front ends write it, generated.

  deployed_losses.py --tileiras FILE --emulator FILE [NAME…] [--gpu CHIP[,CHIP]]

compiles all cases and runs them on the emulator. x: rows · depth, w: vocabulary · depth, both bf16; logits are x·wᵀ, in powers of
two.
"""

import sys

import deployed_parts
import numpy
from deployed_pages import positions
from deployed_parts import LOG2E, LOWEST, Kernel
from kind_parts import tile
from products import ELEMENTS

BF16 = ELEMENTS["bf16"]


class Logits:
    """m rows and n words of the vocabulary, k of the depth at a time."""

    def __init__(self, name, m, n, k, rows, vocabulary, depth):
        self.p, self.m, self.n, self.k, self.shape = Kernel(f"{name}_{m}x{n}x{k}"), m, n, k, (m, n)
        p = self.p
        x, w = p.numbers_of("x", "bf16", (rows, depth), depth ** -0.5), p.numbers_of("w", "bf16", (vocabulary, depth))
        self.targets = p.numbers.integers(0, vocabulary, rows)
        p.indices_of("targets", self.targets)
        self.logits = x @ w.T
        self.rows, self.words, self.depth = p.size("rows", rows, 8), p.size("words", vocabulary, 8), p.size("depth", depth, 8)
        self.views = [p.rows("x", "bf16", [self.rows, self.depth], (m, k)), p.rows("w", "bf16", [self.words, self.depth], (n, k))]
        self.steps = p.quotient(self.depth, k)
        self.target = p.load(p.rows("targets", "i32", [self.rows], (m,), ""), (p.blocks[0],))

    def compute(self, column):
        """In powers of two."""
        p, (m, n), k = self.p, self.shape, self.k

        def body(step, carried):
            x, w = p.load(self.views[0], (p.blocks[0], step)), p.load(self.views[1], (column, step))
            return [p.multiply(x, p.turn(w, (n, k), "bf16"), carried[0], (m, n, k), BF16)]

        total, = p.loop(self.steps, [(p.fill("0.0", self.shape), tile(self.shape, "f32"))], body)
        return p.f32("logits", f"mulf {total}, {p.fill(repr(LOG2E), self.shape)}", self.shape)

    def is_target(self, column):
        p, shape = self.p, self.shape
        words = positions(p, p.arithmetic("muli", column, str(self.n)), self.n, shape, 1)
        return p.less(words, p.spread(self.target, shape, "i32", (0,)), shape, "equal"), words


def forward(m, n, k, rows=256, vocabulary=512, depth=128, parts=2):
    """Of each part of the vocabulary, the level of each row, and its target's logit or nothing."""
    of = Logits("linear_loss", m, n, k, rows, vocabulary, depth)
    p, row, shape = of.p, (m,), of.shape
    p.grid = (rows // m, parts, 1)
    block, part = p.blocks[:2]
    part_count = p.size("parts", parts, 1)
    all_tiles = p.quotient(of.words, n)
    share = p.arithmetic("divi", p.arithmetic("subi", p.arithmetic("addi", all_tiles, part_count), p.one), part_count, " signed")
    first = p.arithmetic("muli", part, share)
    last = p.arithmetic("mini", p.arithmetic("addi", first, share), all_tiles, " signed")

    def body(column, state):
        top, weight, chosen = state
        logits = of.compute(column)
        is_target, words = of.is_target(column)
        own = p.select(is_target, logits, p.fill("0.0", shape), shape, "f32")
        chosen = p.f32("chosen", f"addf {chosen}, {p.reduce(own, shape, 1)}", row)
        logits = p.select(p.less(words, p.spread(of.words, shape, "i32"), shape), logits, p.fill("0xFF800000", shape), shape, "f32")
        new_top = p.f32("top", f"maxf {top}, {p.reduce(logits, shape, 1, 'maxf', '0xFF800000')}", row)
        fall = p.f32("fall", f"subf {logits}, {p.spread(new_top, shape, 'f32', (0,))}", shape)
        added = p.reduce(p.f32("power", f"exp2 {fall} flush_to_zero", shape), shape, 1)
        decay = p.f32("decay", f"exp2 {p.f32('fall', f'subf {top}, {new_top}', row)} flush_to_zero", row)
        return [new_top, p.f32("weight", f"fma {weight}, {decay}, {added}", row), chosen]

    kind = tile(row, "f32")
    top, weight, chosen = p.loop(last, [(p.fill(LOWEST, row), kind), (p.fill("0.0", row), kind), (p.fill("0.0", row), kind)], body,
                                 bounds=(first, None))
    level = p.f32("level", f"addf {p.f32('log', f'log2 {weight}', row)}, {top}", row)
    pieces = numpy.split(of.logits, parts, axis=1)
    p.written("level", "f32", lambda: numpy.stack([numpy.log2(numpy.exp(piece).sum(axis=1)) for piece in pieces]))
    own = numpy.where(of.targets[:, None] == numpy.arange(vocabulary), of.logits * LOG2E, 0)
    p.written("chosen", "f32", lambda: numpy.stack([piece.sum(axis=1) for piece in numpy.split(own, parts, axis=1)]))
    for name, value in (("level", level), ("chosen", chosen)):
        p.store_tile(value, row, p.rows(name, "f32", [part_count, of.rows], (1, m), ""), (part, block))
    return p.case((1e-2, 1e-2))


def backward(m, n, k, rows=256, vocabulary=512, depth=128):
    """The logits' gradients, of logits that are computed again; two more products make those of x and w."""
    of = Logits("linear_loss_backward", m, n, k, rows, vocabulary, depth)
    p, shape = of.p, of.shape
    p.grid = (rows // m, vocabulary // n, 1)
    level = numpy.log2(numpy.exp(of.logits).sum(axis=1, keepdims=True))
    p.array("level", "f32", level[:, 0].astype(numpy.float32))
    share = numpy.exp2(of.logits * LOG2E - level)
    share[numpy.arange(rows), of.targets] -= 1
    p.written("gradient", "bf16", lambda: share)
    levels = p.load(p.rows("level", "f32", [of.rows], (m,), ""), (p.blocks[0],))
    fall = p.f32("fall", f"subf {of.compute(p.blocks[1])}, {p.spread(levels, shape, 'f32', (0,))}", shape)
    power = p.f32("power", f"exp2 {fall} flush_to_zero", shape)
    less = p.f32("less", f"subf {power}, {p.fill('1.0', shape)}", shape)
    result = p.rounded(p.select(of.is_target(p.blocks[1])[0], less, power, shape, "f32"), shape, "bf16")
    p.store(result, p.rows("gradient", "bf16", [of.rows, of.words], shape, ""), p.blocks[:2])
    return p.case((1e-2, 1e-3))


CASES = [forward(128, 256, 64), forward(128, 128, 64), backward(128, 256, 64)]

if __name__ == "__main__":
    sys.exit(deployed_parts.main(CASES, __doc__))
