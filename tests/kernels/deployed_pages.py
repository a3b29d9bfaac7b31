"""Attention whose keys are found by lists, as people deploy it and front ends write it, generated: keys in pages.

  deployed_pages.py --tileiras FILE --emulator FILE [NAME…] [--gpu CHIP[,CHIP]]

compiles all cases and runs them on the emulator. Keys and values of pages are read in one of these ways:

  view      tiles of a view whose index is a page's number; where an iteration takes several pages, they are put together
  rows      a gather_scatter_view of rows
  pointers  a pointer for each element, and a mask
"""

import sys

import deployed_parts
import numpy
from deployed_parts import Kernel, Softmax, attend
from products import ELEMENTS


class Pages:
    """Keys and values in pages: an array of pages · heads · page · d each, and the numbers of a sequence's pages."""

    def __init__(self, p, way, element, page, n, d, heads, names=("k", "v")):
        self.p, self.way, self.element, self.page, self.n, self.d, self.heads = p, way, element, page, n, d, heads
        self.names = names

    def declare(self, tables, count):
        """tables: of sequences, each with the numbers of its pages; count: of all pages. The arrays, as floats."""
        p = self.p
        made = [p.numbers_of(name, self.element, (count, self.heads, self.page, self.d)) for name in self.names]
        p.indices_of("table", tables)
        self.pages = p.size("pages", count, 1)
        self.sequences, self.width = p.size("sequences", tables.shape[0], 1), p.size("table_width", tables.shape[1], 4)
        return made

    def views(self, sequence, head):
        p, page, d = self.p, self.page, str(self.d)
        self.sequence, self.head = sequence, head
        if self.way == "view":
            self.table = p.rows("table", "i32", [self.sequences, self.width], (1, 1), "")
            self.tiles = {name: p.rows(name, self.element, [self.pages, str(self.heads), str(page), d], (1, 1, page, self.d))
                          for name in self.names}
        elif self.way == "rows":
            rows = p.times(self.pages, str(self.heads * page))
            self.tiles = {name: p.row_view(name, self.element, rows, self.d, self.n) for name in self.names}

    def open(self, step, length):
        """What an iteration knows of its pages."""
        p, n, page = self.p, self.n, self.page
        if self.way == "view":
            count = max(1, n // page)
            first = p.arithmetic("muli", step, str(count)) if count > 1 else step
            places = [first] + [p.arithmetic("addi", first, str(index)) for index in range(1, count)]
            self.numbers = [p.reshape(p.load(self.table, (self.sequence, place)), (1, 1), (), "i32") for place in places]
            return
        position = p.indices(p.arithmetic("muli", step, str(n)), n)
        self.is_there = p.less(position, p.spread(length, (n,), "i32"), (n,))
        of_page = p.op("of_page", f"divi {position}, {p.constant(page, 'i32', (n,))} signed", (n,), "i32")
        in_page = p.op("in_page", f"remi {position}, {p.constant(page, 'i32', (n,))} signed", (n,), "i32")
        own = p.arithmetic("muli", self.sequence, self.width)
        place = p.op("place", f"addi {of_page}, {p.spread(own, (n,), 'i32')}", (n,), "i32")
        numbers = p.load_at(p.pointers("%table", place, (n,), "i32"), (n,), "i32", self.is_there)
        first = p.op("first", f"muli {numbers}, {p.constant(self.heads * page, 'i32', (n,))}", (n,), "i32")
        of_head = p.arithmetic("muli", self.head, str(page))
        first = p.op("first", f"addi {first}, {p.spread(of_head, (n,), 'i32')}", (n,), "i32")
        self.rows = p.op("row", f"addi {first}, {in_page}", (n,), "i32")

    def load(self, name):
        """n · d."""
        p, n, d, element = self.p, self.n, self.d, self.element
        if self.way == "view":
            parts = [p.load_tile(self.tiles[name], (number, self.head, p.zero, p.zero)) for number in self.numbers]
            rows = self.page
            while len(parts) > 1:
                parts = [p.join(a, b, (rows, d), element) for a, b in zip(parts[::2], parts[1::2])]
                rows *= 2
            return parts[0]
        if self.way == "rows":
            return p.load_rows(self.tiles[name], self.rows)
        start = p.scale(self.rows, (n,), str(d))
        column = p.spread(p.iota(d), (n, d), "i32", (1,))
        places = p.op("places", f"addi {p.spread(start, (n, d), 'i32', (0,))}, {column}", (n, d), "i32")
        mask = p.spread(self.is_there, (n, d), "i1", (0,))
        return p.load_at(p.pointers(f"%{name}", places, (n, d), element), (n, d), element, mask)


def positions(p, start, extent, shape, along):
    return p.spread(p.indices(start, extent), shape, "i32", (along,))


def scores_of(p, query, keys, m, n, d, element):
    kind = ELEMENTS[deployed_parts.KIND_OF[element]]
    return p.multiply(query, p.turn(keys, (n, d), element), p.fill("0.0", (m, n)), (m, n, d), kind)


def scatter_pages(random, lengths, page):
    """Tables of sequences, whose pages lie anywhere, and how many pages there are."""
    width = -(-max(lengths) // page)
    width += -width % 4
    count = len(lengths) * width
    return random.permutation(count).reshape(len(lengths), width), count


def gather(pages, table, length):
    """heads · length · d, of pages · heads · page · d."""
    own = pages[table].transpose(1, 0, 2, 3)
    return own.reshape(own.shape[0], -1, own.shape[-1])[:, :length]


def paged_decode(element, way, page, n, d=128, m=16, group=16, heads=2, lengths=(200, 96), splits=1):
    """One position of a sequence: a block of m rows is a group of heads that read the same keys. With splits, each block has a
    part of the keys, and leaves sums and levels for `combine`."""
    p = Kernel(f"paged_decode_{element}_{way}_{page}_{m}x{n}" + "_split" * (splits > 1))
    tables, count = scatter_pages(p.numbers, lengths, page)
    sequences = len(lengths)
    q = p.numbers_of("q", element, (sequences, heads, group, d))
    pages = Pages(p, way, element, page, n, d, heads)
    k, v = pages.declare(tables, count)
    p.indices_of("lengths", lengths)
    split_count = p.size("splits", splits, 1) if splits > 1 else None
    p.grid = (heads, sequences, splits)
    head, sequence, split = p.blocks
    query = p.load_tile(p.rows("q", element, [pages.sequences, str(heads), str(group), str(d)], (1, 1, m, d)),
                        (sequence, head, p.zero, p.zero))
    length = p.scalar("lengths", [pages.sequences], (sequence,))
    pages.views(sequence, head)
    first, last = p.zero, p.quotient(length, n)
    if splits > 1:
        share = p.arithmetic("divi", p.arithmetic("subi", p.arithmetic("addi", last, split_count), p.one), split_count, " signed")
        first = p.arithmetic("muli", split, share)
        last = p.arithmetic("mini", p.arithmetic("addi", first, share), last, " signed")
    softmax = Softmax(p, m, n, d, element)

    def body(step, state):
        pages.open(step, length)
        score = scores_of(p, query, pages.load("k"), m, n, d, element)
        seen = p.less(positions(p, p.arithmetic("muli", step, str(n)), n, (m, n), 1), p.spread(length, (m, n), "i32"), (m, n))
        return softmax.add(state, score, pages.load("v"), seen)

    state = p.loop(last, softmax.start(), body, bounds=(first, last))

    def expect(which):
        """Results (0) or levels (1) of each part and sequence."""
        results = []
        for index, own in enumerate(lengths):
            keys, values = gather(k, tables[index], own), gather(v, tables[index], own)
            scores = q[index] @ keys.swapaxes(-1, -2) / d ** 0.5
            share = -(-(-(-own // n)) // splits) * n
            results.append([attend(scores[..., at * share:(at + 1) * share], values[:, at * share:(at + 1) * share])[which]
                            for at in range(splits)])
        return numpy.stack([[parts[at] for parts in results] for at in range(splits)])

    if splits == 1:
        p.written("o", element, lambda: expect(0)[0])
        view = p.rows("o", element, [pages.sequences, str(heads), str(group), str(d)], (1, 1, m, d), "")
        p.store_tile(p.rounded(softmax.finish(state), (m, d), element), (m, d), view, (sequence, head, p.zero, p.zero))
        return p.case()
    p.written("o", "f32", lambda: expect(0)), p.written("level", "f32", lambda: expect(1))
    outer = [split_count, pages.sequences, str(heads), str(group)]
    p.store_tile(softmax.finish(state), (m, d), p.rows("o", "f32", outer + [str(d)], (1, 1, 1, m, d), ""),
                 (split, sequence, head, p.zero, p.zero))
    p.store_tile(softmax.level(state), (m,), p.rows("level", "f32", outer, (1, 1, 1, m), ""), (split, sequence, head, p.zero))
    return p.case()


def combine(element, splits, rows=8, blocks=2, d=128):
    """Parts of attention, of each row, by their levels."""
    p = Kernel(f"combine_{element}_{splits}x{rows}")
    total = rows * blocks
    o, level = p.numbers_of("part", "f32", (splits, total, d)), p.numbers_of("level", "f32", (splits, total), 4.0)
    row_count = p.size("rows", total, 8)
    p.grid = (blocks, 1, 1)
    shape, block = (splits, rows), p.blocks[0]
    parts = p.load(p.rows("part", "f32", [str(splits), row_count, str(d)], (splits, rows, d)), (p.zero, block, p.zero))
    levels = p.load(p.rows("level", "f32", [str(splits), row_count], shape), (p.zero, block))
    top = p.reduce(levels, shape, 0, "maxf", "0xFF800000")
    share = p.f32("share", f"exp2 {p.f32('fall', f'subf {levels}, ' + p.spread(top, shape, 'f32', (1,)), shape)}", shape)
    weighted = p.f32("weighted", f"mulf {parts}, {p.spread(share, (splits, rows, d), 'f32', (0, 1))}", (splits, rows, d))
    sums, weight = p.reduce(weighted, (splits, rows, d), 0), p.reduce(share, shape, 0)
    result = p.f32("result", f"divf {sums}, {p.spread(weight, (rows, d), 'f32', (0,))}", (rows, d))
    powers = numpy.exp2(level - level.max(axis=0))
    p.written("o", element, lambda: (o * powers[..., None]).sum(axis=0) / powers.sum(axis=0)[:, None])
    p.store(p.rounded(result, (rows, d), element), p.rows("o", element, [row_count, str(d)], (rows, d), ""), (block, p.zero))
    return p.case()


def paged_prefill(element, way, page, m=128, n=128, d=128, group=2, heads=1, lengths=(256, 200)):
    """Causal, of whole sequences whose keys are in pages: a block has m positions of one head."""
    p = Kernel(f"paged_prefill_{element}_{way}_{page}_{m}x{n}")
    tables, count = scatter_pages(p.numbers, lengths, page)
    sequences, longest = len(lengths), max(lengths)
    q = p.numbers_of("q", element, (sequences, heads * group, longest, d))
    pages = Pages(p, way, element, page, n, d, heads)
    k, v = pages.declare(tables, count)
    p.indices_of("lengths", lengths)
    queries = p.size("queries", longest, 8)
    p.grid = (-(-longest // m), heads * group, sequences)
    block, of_queries, sequence = p.blocks
    head = p.arithmetic("divi", of_queries, str(group), " signed")
    sizes = [pages.sequences, str(heads * group), queries, str(d)]
    query = p.load_tile(p.rows("q", element, sizes, (1, 1, m, d)), (sequence, of_queries, block, p.zero))
    length = p.scalar("lengths", [pages.sequences], (sequence,))
    pages.views(sequence, head)
    start = p.arithmetic("muli", block, str(m))
    end = p.arithmetic("mini", p.arithmetic("addi", start, str(m)), length, " signed")
    last = p.quotient(end, n)
    softmax = Softmax(p, m, n, d, element)

    def body(step, state):
        pages.open(step, length)
        score = scores_of(p, query, pages.load("k"), m, n, d, element)
        place = positions(p, p.arithmetic("muli", step, str(n)), n, (m, n), 1)
        seen = p.less(place, positions(p, start, m, (m, n), 0), (m, n), "less_than_or_equal")
        seen = p.both(seen, p.less(place, p.spread(length, (m, n), "i32"), (m, n)), (m, n))
        return softmax.add(state, score, pages.load("v"), seen)

    state = p.loop(last, softmax.start(), body)

    def expect(index, own):
        keys, values = (numpy.repeat(gather(x, tables[index], own), group, axis=0) for x in (k, v))
        return attend(q[index] @ keys.swapaxes(-1, -2) / d ** 0.5, values, numpy.arange(own) <= numpy.arange(longest)[:, None])[0]

    p.written("o", element, lambda: numpy.stack([expect(index, own) for index, own in enumerate(lengths)]))
    p.store_tile(p.rounded(softmax.finish(state), (m, d), element), (m, d), p.rows("o", element, sizes, (1, 1, m, d), ""),
                 (sequence, of_queries, block, p.zero))
    return p.case()


CASES = [paged_decode("f16", "view", 64, 64), paged_decode("f16", "pointers", 64, 64), paged_decode("f16", "rows", 64, 64),
         paged_decode("f16", "view", 16, 64), paged_decode("f16", "pointers", 16, 128),
         paged_decode("bf16", "pointers", 16, 128, group=8, lengths=(200, 130), splits=2),
         paged_decode("bf16", "view", 64, 64, group=8, lengths=(200, 130), splits=2),
         combine("bf16", 32), paged_prefill("bf16", "view", 128), paged_prefill("bf16", "pointers", 16),
         paged_prefill("bf16", "rows", 16)]

if __name__ == "__main__":
    sys.exit(deployed_parts.main(CASES, __doc__))
