"""Attention over latent vectors (MLA, absorbed), as people deploy it and front ends write it, generated: keys are 576 wide, values
their first 512.

  deployed_latent.py --tileiras FILE --emulator FILE [NAME…] [--gpu CHIP[,CHIP]]

compiles all cases and runs them on the emulator.
"""

import sys

import deployed_parts
import numpy
from deployed_pages import Pages, positions, scatter_pages
from deployed_parts import KIND_OF, Kernel, Softmax, attend
from products import ELEMENTS

LATENT, ROTARY = 512, 64
WIDTH = LATENT + ROTARY
SCALE_DEPTH = 192  # of a head before it is absorbed


class Latent:
    """m heads of a token, and what n rows of the cache add to their state."""

    def __init__(self, p, m, n, element="bf16"):
        self.p, self.m, self.n, self.element, self.kind = p, m, n, element, ELEMENTS[KIND_OF[element]]
        self.softmax = Softmax(p, m, n, LATENT, element, SCALE_DEPTH)

    def views(self, name, sizes, tile):
        """Of the first 512 columns and the others."""
        return [self.p.rows(name, self.element, sizes + [str(WIDTH)], (*tile, columns)) for columns in (LATENT, ROTARY)]

    def load(self, views, place):
        return [self.p.load_tile(view, (*place, self.p.constant(column) if column else self.p.zero))
                for view, column in zip(views, (0, LATENT // ROTARY))]

    def add(self, state, queries, parts, seen=None):
        p, m, n = self.p, self.m, self.n
        score = p.fill("0.0", (m, n))
        for query, part, columns in zip(queries, parts, (LATENT, ROTARY)):
            score = p.multiply(query, p.turn(part, (n, columns), self.element), score, (m, n, columns), self.kind)
        return self.softmax.add(state, score, parts[0], seen)

    def store(self, state, sizes, place, expected):
        p, shape = self.p, (self.m, LATENT)
        p.written("o", self.element, expected)
        view = p.rows("o", self.element, sizes + [str(LATENT)], (1, self.m, LATENT), "")
        p.store_tile(p.rounded(self.softmax.finish(state), shape, self.element), shape, view, (*place, p.zero))


def expect(q, cache):
    return attend(q @ cache.swapaxes(-1, -2) / SCALE_DEPTH ** 0.5, cache[..., :LATENT])[0]


def decode(m, n, heads, paged=False, lengths=(200, 64)):
    """One position of each sequence; a block has m of its heads."""
    p = Kernel(f"latent_decode_{heads}_{m}x{n}" + "_paged" * paged)
    sequences, longest, of = len(lengths), max(lengths), Latent(p, m, n)
    q = p.numbers_of("q", "bf16", (sequences, heads, WIDTH), 0.5)
    if paged:
        tables, count = scatter_pages(p.numbers, lengths, n)
        pages = p.numbers_of("cache", "bf16", (count, n, WIDTH), 0.5)
        cache = pages[tables].reshape(sequences, -1, WIDTH)
        p.indices_of("table", tables)
    else:
        cache = p.numbers_of("cache", "bf16", (sequences, longest, WIDTH), 0.5)
    p.indices_of("lengths", lengths)
    count = p.size("sequences", sequences, 1)
    p.grid = (heads // m, sequences, 1)
    block, sequence = p.blocks[:2]
    queries = of.load(of.views("q", [count, str(heads)], (1, m)), (sequence, block))
    length = p.scalar("lengths", [count], (sequence,))
    if paged:
        page_count, width = p.size("pages", len(tables.ravel()), 1), p.size("table_width", tables.shape[1], 4)
        table = p.rows("table", "i32", [count, width], (1, 1), "")
        views = of.views("cache", [page_count, str(n)], (1, n))
    else:
        views = of.views("cache", [count, p.size("longest", longest, 8)], (1, n))

    def body(step, state):
        place = (sequence, step)
        if paged:
            place = (p.reshape(p.load(table, place), (1, 1), (), "i32"), p.zero)
        seen = p.less(positions(p, p.arithmetic("muli", step, str(n)), n, (m, n), 1), p.spread(length, (m, n), "i32"), (m, n))
        return of.add(state, queries, of.load(views, place), seen)

    state = p.loop(p.quotient(length, n), of.softmax.start(), body)
    of.store(state, [count, str(heads)], (sequence, block),
             lambda: numpy.stack([expect(q[i], cache[i, :own]) for i, own in enumerate(lengths)]))
    return p.case()


def sparse(way, m, n, heads, tokens=2, length=300, chosen=128):
    """Each token sees the rows of the cache that its list names."""
    p = Kernel(f"latent_sparse_{way}_{m}x{n}")
    of = Latent(p, m, n)
    q, cache = p.numbers_of("q", "bf16", (tokens, heads, WIDTH), 0.5), p.numbers_of("cache", "bf16", (length, WIDTH), 0.5)
    lists = numpy.stack([p.numbers.permutation(length)[:chosen] for _ in range(tokens)])
    p.indices_of("list", lists)
    count, rows, width = p.size("tokens", tokens, 1), p.size("rows", length, 1), p.size("chosen", chosen, n)
    p.grid = (heads // m, tokens, 1)
    block, token = p.blocks[:2]
    queries = of.load(of.views("q", [count, str(heads)], (1, m)), (token, block))
    table = p.rows("list", "i32", [count, width], (1, n), "")
    views = [p.row_view("cache", "bf16", rows, WIDTH, n, columns) for columns in (LATENT, ROTARY)] if way == "rows" else None

    def load(numbers):
        if way == "rows":
            return [p.load_rows(view, numbers, p.constant(column) if column else None) for view, column in zip(views, (0, LATENT))]
        first, parts = p.scale(numbers, (n,), str(WIDTH)), []
        for column, columns in ((0, LATENT), (LATENT, ROTARY)):
            shape = (n, columns)
            places = p.op("places", f"addi {p.spread(first, shape, 'i32', (0,))}, "
                          + p.spread(p.indices(p.constant(column) if column else p.zero, columns), shape, "i32", (1,)), shape, "i32")
            parts.append(p.load_at(p.pointers("%cache", places, shape, "bf16"), shape, "bf16"))
        return parts

    state = p.loop(p.quotient(width, n), of.softmax.start(),
                   lambda step, state: of.add(state, queries, load(p.reshape(p.load(table, (token, step)), (1, n), (n,), "i32"))))
    of.store(state, [count, str(heads)], (token, block), lambda: numpy.stack([expect(q[i], cache[lists[i]]) for i in range(tokens)]))
    return p.case()


CASES = [decode(64, 64, 128), decode(64, 32, 64, paged=True), decode(16, 64, 16), decode(16, 64, 16, paged=True),
         sparse("rows", 64, 64, 128), sparse("pointers", 64, 64, 64)]

if __name__ == "__main__":
    sys.exit(deployed_parts.main(CASES, __doc__))
