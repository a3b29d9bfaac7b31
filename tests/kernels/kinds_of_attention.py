"""Attention as front ends write it, generated (kinds.py)."""

import numpy

from kind_parts import tile
from products import ELEMENTS, bf16_bits, bf16_values

F16, LOWEST = ELEMENTS["f16"], "-1.0e+30"


class Attention:
    def __init__(self, p):
        self.p = p
        self.d = p.draw("head", 64, 128)
        self.m, self.n = p.draw("tile", (64, 64), (128, 64), (64, 128), (128, 128), (64, 32))
        self.element = p.draw("", "f16", "f16", "bf16")
        self.split = p.draw("keys", "whole", "whole", "split") == "split"
        # A part of the keys that a row does not see has no largest score.
        self.mask = "none" if self.split else p.draw("mask", "none", "causal", "causal", "window", "bias of distance")
        self.heads = p.random.choice((1, 2))
        self.group = p.draw("queries of a head", 1, self.heads)
        self.steps = p.random.choice((3, 4)) * (2 if self.split else 1)
        self.length = self.steps * self.n
        self.queries = -(-self.length // self.m) * self.m if self.mask != "none" else self.m
        if self.queries > self.length:
            self.queries = self.length // self.m * self.m or self.m
        self.columns = p.draw("rows as", "vectors", "columns") == "columns"
        self.kind = ELEMENTS[self.element]
        self.scores, self.output = (self.m, self.n), (self.m, self.d)
        self.row_shape = (self.m, 1) if self.columns else (self.m,)
        # Where the scale goes, and which exponential.
        self.scaling = p.draw("scale", *["fma"] * (self.mask in ("none", "causal")), "scores", "queries")
        p.tile_bytes, p.steps = self.n * self.d * 2, self.steps

    def make_data(self):
        p, shape = self.p, (1, self.heads, self.queries, self.d)
        key_shape = (1, self.heads // self.group, self.length, self.d)
        make = lambda of: self.kind.make(p.numbers, of)
        self.arrays = {"q": make(shape), "k": make(key_shape), "v": make(key_shape)}
        for name, values in self.arrays.items():
            p.array(name, self.element, values)
        sizes = p.draw("sizes", "parameters", "numbers")
        promised, p.counted = (8, False) if sizes == "parameters" else (None, True)
        self.sizes = {"length": p.size("length", self.length, promised), "queries": p.size("queries", self.queries, promised)}

    def views(self):
        """Of four dimensions with units, or of two, from a pointer that is moved to the head."""
        p, d = self.p, str(self.d)
        self.four = p.draw("views", "four dimensions", "two dimensions") == "four dimensions"
        head = p.blocks[1]
        key_head = head if self.group == 1 else p.arithmetic("divi", head, str(self.group), " signed")
        self.turned = p.draw("keys turned by", "permute", "order", "strides")
        made = {}
        for name, extent, length, number, heads in (("q", self.m, "queries", head, self.heads),
                                                    ("k", self.n, "length", key_head, self.heads // self.group),
                                                    ("v", self.n, "length", key_head, self.heads // self.group)):
            size = self.sizes[length]
            if self.four:
                self.leading = lambda n, key_head=key_head, head=head: (p.zero, head if n == "q" else key_head)
                strides = [p.times(str(heads), p.times(size, d)), p.times(size, d), d, "1"]
                sizes, shape, order = ["1", str(heads), size, d], [1, 1, extent, self.d], None
            else:
                self.leading = lambda n: ()
                offset = p.value(p.times(number, p.times(size, d)))
                moved = p.name("head")
                p.line(f"{moved} = offset %{name}, {offset} : tile<ptr<{self.element}>>, tile<i32> -> tile<ptr<{self.element}>>")
                p.line(f"%{name}_head = assume div_by<16>, {moved} : tile<ptr<{self.element}>>")
                strides, sizes, shape, order = [d, "1"], [size, d], [extent, self.d], None
            if name == "k" and self.turned != "permute":
                shape[-2:] = shape[:-3:-1]
                if self.turned == "strides":
                    strides[-2:], sizes[-2:] = strides[:-3:-1], sizes[:-3:-1]
                else:
                    order = [0, 1, 3, 2] if self.four else [1, 0]
            made[name] = p.view(name if self.four else f"{name}_head", self.element, sizes, strides, shape, order=order)
        self.of = made

    def load(self, name, place):
        """A tile of two dimensions."""
        p, view = self.p, self.of[name]
        loaded = p.load(view, (*self.leading(name), *place))
        return p.reshape(loaded, view.shape, view.shape[-2:], self.element)

    def load_keys(self, step):
        p = self.p
        if self.turned != "permute":
            return self.load("k", (p.zero, step))
        return p.permute(self.load("k", (step, p.zero)), (self.n, self.d), (1, 0), self.element)

    def bounds(self):
        """First and last iteration of the block."""
        p, n, m = self.p, self.n, self.m
        first, last = p.zero, p.quotient(self.sizes["length"], n, True)
        if self.mask in ("causal", "window") and p.draw("bounds", "of the mask", "all") == "of the mask":
            end = p.arithmetic("muli", p.arithmetic("addi", p.blocks[0], p.one), str(m))
            seen = p.arithmetic("divi", p.arithmetic("addi", end, str(n - 1)), str(n), " signed")
            last = p.arithmetic("mini", seen, last, " signed")
            if self.mask == "window":
                start = p.arithmetic("subi", p.arithmetic("muli", p.blocks[0], str(m)), str(self.n))
                first = p.arithmetic("maxi", p.arithmetic("divi", start, str(n), " signed"), p.zero, " signed")
        if self.split:
            half = p.arithmetic("divi", p.quotient(self.sizes["length"], n, True), "2", " signed")
            start = p.arithmetic("muli", p.blocks[2], half)
            first = p.arithmetic("maxi", first, start, " signed")
            last = p.arithmetic("mini", last, p.arithmetic("addi", start, half), " signed")
        return first, last

    def apply_mask(self, score, step):
        p, shape = self.p, self.scores
        rows = p.indices(p.arithmetic("muli", p.blocks[0], str(self.m)), self.m)
        columns = p.indices(p.arithmetic("muli", step, str(self.n)), self.n)
        rows, columns = p.spread(rows, shape, "i32", (0,)), p.spread(columns, shape, "i32", (1,))
        if self.mask == "bias of distance":
            distance = p.op("distance", f"subi {columns}, {rows}", shape, "i32")
            distance = p.convert("float", f"itof {distance} signed", shape, "i32", "f32")
            bias = p.op("bias", f"mulf {distance}, {p.constant('0.0625', 'f32', shape)}", shape, "f32")
            score = p.op("biased", f"addf {score}, {bias}", shape, "f32")
        seen = p.less(columns, rows, shape, "less_than_or_equal")
        if self.mask == "window":
            near = p.op("near", f"subi {rows}, {p.constant(self.n, 'i32', shape)}", shape, "i32")
            near = p.less(columns, near, shape, "greater_than")
            seen = p.op("both", f"andi {seen}, {near}", shape, "i1")
        return p.select(seen, score, p.constant(LOWEST, "f32", shape), shape, "f32")

    def rows(self, value, operation, identity):
        p = self.p
        reduced = p.reduce(value, self.scores, 1, operation, identity)
        return p.reshape(reduced, (self.m,), self.row_shape, "f32")

    def widen(self, value, shape):
        return self.p.convert("wide", f"broadcast {value}", (self.m, 1), "f32", "f32", shape) if self.columns else \
            self.p.spread(value, shape, "f32", (0,))

    def apply(self, stem, text, shape):
        return self.p.op(stem, text, shape, "f32")

    def body(self, query, step, values):
        p, scores, row = self.p, self.scores, self.row_shape
        total, top, weight = values
        keys = self.load_keys(step)
        values_early = p.draw("values", "early", "late") == "early"
        loaded = self.load("v", (step, p.zero)) if values_early else None
        factor = repr(1.4426950408889634 / self.d ** 0.5)
        score = p.multiply(query, keys, p.constant("0.0", "f32", scores), (self.m, self.n, self.d), self.kind)
        late = self.scaling == "fma"
        if self.scaling == "scores":
            score = self.apply("scaled", f"mulf {score}, {p.constant(factor, 'f32', scores)}", scores)
        if self.mask != "none":
            score = self.apply_mask(score, step)
        largest = self.rows(score, "maxf", "0xFF800000")
        if late:
            largest = self.apply("largest", f"mulf {largest}, {p.constant(factor, 'f32', row)}", row)
        new_top = self.apply("top", f"maxf {top}, {largest}", row)
        shift = self.widen(new_top, scores)
        if late:
            shifted = self.apply("shifted", f"fma {score}, {p.constant(factor, 'f32', scores)}, "
                                 + self.apply("lowered", f"negf {shift}", scores), scores)
        else:
            shifted = self.apply("shifted", f"subf {score}, {shift}", scores)
        power = self.apply("power", f"exp2 {shifted} flush_to_zero", scores)
        added = self.rows(power, "addf", "0.0")
        decay = self.apply("decay", f"exp2 {self.apply('fall', f'subf {top}, {new_top}', row)} flush_to_zero", row)
        new_weight = self.apply("weight", f"fma {weight}, {decay}, {added}", row)
        kept = self.apply("kept", f"mulf {total}, {self.widen(decay, self.output)}", self.output)
        narrow = p.convert("narrow", f"ftof {power}", scores, "f32", self.element)
        loaded = loaded or self.load("v", (step, p.zero))
        return [p.multiply(narrow, loaded, kept, (self.m, self.d, self.n), self.kind), new_top, new_weight]

    def query(self):
        p, shape = self.p, (self.m, self.d)
        loaded = self.load("q", (p.blocks[0], p.zero))
        if self.scaling != "queries":
            return loaded
        wide = p.convert("wide", f"ftof {loaded}", shape, self.element, "f32")
        scaled = self.apply("scaled", f"mulf {wide}, {p.constant(repr(1.4426950408889634 / self.d ** 0.5), 'f32', shape)}", shape)
        return p.convert("query", f"ftof {scaled}", shape, "f32", self.element)

    def write(self):
        p = self.p
        self.make_data()
        self.views()
        p.grid = (self.queries // self.m, self.heads, 2 if self.split else 1)
        query = self.query()
        row = tile(self.row_shape, "f32")
        carried = [(p.constant("0.0", "f32", self.output), tile(self.output, "f32")),
                   (p.constant(LOWEST, "f32", self.row_shape), row), (p.constant("0.0", "f32", self.row_shape), row)]
        first, last = self.bounds()
        total, top, weight = p.loop(last, carried, lambda step, values: self.body(query, step, values), bounds=(first, last))
        parts = self.compute()
        if not self.split:
            total = self.apply("quotient", f"divf {total}, {self.widen(weight, self.output)}", self.output)
            self.store_tile("o", total, parts[0][0] / parts[0][2][..., None])
            return p.case((1e-2, 1e-2))
        stack = lambda index: numpy.stack([part[index] for part in parts])
        self.store_tile("o", total, stack(0))
        for name, value, index in (("top", top, 1), ("weight", weight, 2)):
            self.store_row(name, value, stack(index))
        return p.case((1.5e-2, 3e-2))

    def store_tile(self, name, value, expected):
        """Of (1, heads, queries, d), or a stack of them."""
        p, d, queries = self.p, str(self.d), self.sizes["queries"]
        p.result(name, "f32", expected)
        view = p.rows(name, "f32", [str(expected.size // (self.heads * self.queries * self.d)), str(self.heads), queries, d],
                      (1, 1, self.m, self.d), "")
        p.store(p.reshape(value, self.output, view.shape, "f32"), view,
                (p.blocks[2] if self.split else p.zero, p.blocks[1], p.blocks[0], p.zero))

    def store_row(self, name, value, expected):
        p = self.p
        p.result(name, "f32", expected)
        view = p.rows(name, "f32", ["2", str(self.heads), self.sizes["queries"]], (1, 1, self.m), "")
        p.store(p.reshape(value, self.row_shape, view.shape, "f32"), view, (p.blocks[2], p.blocks[1], p.blocks[0]))

    def compute(self):
        """Of each part of the keys the sums, the largest scores (in powers of two) and the weights."""
        q, k, v = (self.kind.read(values).astype(float)[0] for values in self.arrays.values())
        k, v = (numpy.repeat(values, self.group, axis=0) for values in (k, v))
        factor = 1.4426950408889634 / self.d ** 0.5
        if self.scaling == "queries":
            q = (q * factor).astype(numpy.float32)
            q = q.astype(numpy.float16).astype(float) if self.element == "f16" else bf16_values(bf16_bits(q)).astype(float)
            factor = 1
        scores = q @ k.swapaxes(-1, -2) * factor
        rows, columns = numpy.arange(self.queries)[:, None], numpy.arange(self.length)[None, :]
        if self.mask == "bias of distance":
            scores = scores + (columns - rows) / 16
        if self.mask != "none":
            seen = columns <= rows
            if self.mask == "window":
                seen &= columns > rows - self.n
            scores = numpy.where(seen, scores, -numpy.inf)
        count = 2 if self.split else 1
        result = []
        for part in range(count):
            own = slice(part * self.length // count, (part + 1) * self.length // count)
            top = numpy.maximum(scores[..., own].max(axis=-1), -1e30)
            powers = numpy.exp2(scores[..., own] - top[..., None])
            result.append((powers @ v[:, own], top, powers.sum(axis=-1)))
        return result


KINDS = {"attention": lambda p: Attention(p).write()}
