"""Operands of generated products (kinds.py), as views or pointers, and the loop and the epilogue around them."""

import numpy

from kind_parts import BYTES, tile
from products import ELEMENTS, GELU, read_gelu

BY_LOADS = ("permute", "strides", "order")


class Operand:
    """A matrix of `extents` elements, of whose tiles each iteration loads one. `along`: its dimension that the product sums
    along. masks: of "k" and "other", the dimensions whose ends are inside tiles. values: what is in memory, as the program reads
    it; then: what the program does to each tile, functions (value, element, step) -> (value, element)."""

    def __init__(self, p, name, kind, extents, shape, along, sizes, access="", transposed=None, masks=(), padding="zero",
                 aligned=True, values=None, memory=None, stride=""):
        self.p, self.name, self.shape, self.along, self.sizes, self.masks = p, name, tuple(shape), along, sizes, masks
        self.memory = memory or ("f32" if kind.name == "tf32" else kind.name)
        self.kind, self.aligned, self.padding, self.then = kind, aligned, padding, []
        self.values = kind.make(p.numbers, extents) if values is None else values
        self.access = access or p.draw(f"{name}", "view", "view", "pointers")
        is_turned = p.draw(f"{name}", "n", "t") == "t" if transposed is None else transposed
        self.turned = p.draw("turned by", *BY_LOADS) if is_turned else ""
        self.depth, self.width = self.shape[along], self.shape[1 - along]
        inner = 0 if is_turned else 1
        stride = stride or p.draw("stride", "dense", "dense", "padded")
        stored = self.values.T if is_turned else self.values
        self.leading = sizes[inner]
        if stride != "dense":
            more = 16 if stride == "padded" else 3
            stored = numpy.pad(stored, ((0, 0), (0, more)))
            self.leading = p.size(f"{name}_stride", stored.shape[1], 16 // BYTES[self.memory] if stride == "padded" else 0)
        p.array(name, self.memory, stored, aligned)
        p.tile_bytes = min(p.tile_bytes, self.depth * self.width * BYTES[self.memory])

    def read(self):
        return self.kind.read(self.values).astype(float)

    def logical(self, other, along):
        """What belongs to the dimensions, in their order."""
        return [along, other] if self.along == 0 else [other, along]

    def prepare(self, outer):
        """Before the loop; outer: the tile's number along the other dimension."""
        self.outer = outer
        if self.access == "view":
            self.prepare_view()
        else:
            self.prepare_pointers()

    def prepare_view(self):
        turned, shape, sizes = self.turned, list(self.shape), list(self.sizes)
        if turned == "strides":
            strides, order = ["1", self.leading], None
        else:
            strides, order = [self.leading, "1"], [1, 0] if turned == "order" else None
        if turned in ("permute", "order"):
            sizes.reverse()
        if turned == "permute":
            shape.reverse()
        self.view = self.p.view(self.name, self.memory, sizes, strides, shape, self.padding, order)

    def prepare_pointers(self):
        p = self.p
        self.way = p.draw("pointers", "computed", "moved by step", "carried", "base")
        strides = ["1", self.leading] if self.turned else [self.leading, "1"]
        self.k_stride, other_stride = strides[self.along], strides[1 - self.along]
        self.loaded = self.shape[::-1] if self.turned == "permute" else self.shape
        self.k_dimension = 1 - self.along if self.turned == "permute" else self.along
        first = p.arithmetic("muli", self.outer, str(self.width))
        numbers = p.indices(first, self.width)
        self.other = self.spread(p.scale(numbers, (self.width,), other_stride), False)
        self.other_mask = None
        if "other" in self.masks:
            limit = p.spread(p.value(self.sizes[1 - self.along]), (self.width,), "i32")
            self.other_mask = self.spread(p.less(numbers, limit, (self.width,)), False, "i1")
        self.along_k = p.iota(self.depth)
        if self.way != "computed":
            steps = self.spread(p.scale(self.along_k, (self.depth,), self.k_stride), True)
            self.offsets = p.op("offsets", f"addi {self.other}, {steps}", self.loaded, "i32")
            if self.way != "base":
                self.at = p.pointers(f"%{self.name}", self.offsets, self.loaded, self.memory)
            if self.way == "carried":
                jump = p.times(self.k_stride, str(self.depth))
                self.jump = p.spread(p.value(jump), self.loaded, "i32")

    def spread(self, vector, is_along, element="i32"):
        return self.p.spread(vector, self.loaded, element, (self.k_dimension if is_along else 1 - self.k_dimension,))

    def carried(self):
        if self.access == "view" or self.way != "carried":
            return []
        return [(self.at, tile(self.loaded, f"ptr<{self.memory}>"))]

    def load(self, step, values=(), first=None):
        """The tile as the program multiplies it; first: the first element along the sum, where it is no multiple of a step."""
        p = self.p
        if self.access == "view":
            place = self.logical(self.outer, step)
            value = p.load(self.view, place[::-1] if self.turned == "permute" else place)
        else:
            value = p.load_at(self.get_pointers(step, values, first), self.loaded, self.memory, self.get_mask(step, first))
        if self.turned == "permute":
            value = p.permute(value, self.shape[::-1], (1, 0), self.memory)
        return self.finish(value, step)

    def finish(self, value, step):
        element = self.memory
        for change in self.then:
            value, element = change(value, element, step)
        if self.kind.name == "tf32":
            value = self.p.convert("narrow", f"ftof {value}", self.shape, "f32", "tf32")
        return value

    def first(self, step, first=None):
        return first or self.p.arithmetic("muli", step, str(self.depth))

    def get_pointers(self, step, values, first):
        p = self.p
        if self.way == "carried":
            return values[0]
        start = self.first(step, first)
        if self.way == "computed":
            numbers = p.scale(p.indices(start, self.depth), (self.depth,), self.k_stride)
            offsets = p.op("offsets", f"addi {self.other}, {self.spread(numbers, True)}", self.loaded, "i32")
            return p.pointers(f"%{self.name}", offsets, self.loaded, self.memory)
        jump = p.times(start, self.k_stride)
        if self.way == "base":
            base = p.name("base")
            p.line(f"{base} = offset %{self.name}, {jump} : tile<ptr<{self.memory}>>, tile<i32> -> tile<ptr<{self.memory}>>")
            return p.pointers(base, self.offsets, self.loaded, self.memory)
        return p.move(self.at, p.spread(jump, self.loaded, "i32"), self.loaded, self.memory)

    def get_mask(self, step, first):
        p = self.p
        if "k" not in self.masks:
            return self.other_mask
        start, size = self.first(step, first), p.value(self.sizes[self.along])
        if p.draw("mask", "rest", "number") == "rest":
            rest = p.spread(p.arithmetic("subi", size, start), (self.depth,), "i32")
            mask = p.less(self.along_k, rest, (self.depth,))
        else:
            mask = p.less(p.indices(start, self.depth), p.spread(size, (self.depth,), "i32"), (self.depth,))
        mask = self.spread(mask, True, "i1")
        return p.op("mask", f"andi {mask}, {self.other_mask}", self.loaded, "i1") if self.other_mask else mask

    def advance(self, values):
        return [self.p.move(values[0], self.jump, self.loaded, self.memory)] if values else []


class Product:
    """C = A · B by tiles: what most kinds draw around their subject. Sizes are multiples of tiles unless `ragged` names
    dimensions of "mnk"; `promises`: of sizes (None: they are numbers)."""

    def __init__(self, p, element=None, shape=None, ragged="", steps=None, rows=None, columns=1, promises=True):
        self.p = p
        self.element = element or p.draw("", "f16", "f16", "bf16", "tf32", "s8", "e4m3")
        self.kind = kind = ELEMENTS[self.element]
        self.m, self.n, self.k = self.tile = shape or self.draw_tile()
        p.drawn.append("x".join(map(str, self.tile)))
        self.steps = p.steps = steps or p.random.choice((3, 4, 5))
        rows = rows or p.random.choice((1, 2))
        multiple = 16 // kind.size
        short = lambda name: multiple * p.random.randint(1, 3) - (not promises) if name in ragged else 0
        self.extents = [rows * self.m - short("m"), columns * self.n - short("n"), self.steps * self.k - short("k")]
        way = p.draw("sizes", "parameters", "parameters", "numbers") if promises else "parameters"
        p.counted = way == "numbers" or self.steps <= 2
        promised = None if way == "numbers" else multiple if promises else 0
        self.sizes = [p.size(name, extent, promised) for name, extent in zip("mnk", self.extents)]
        self.row, self.column = p.place(rows, columns)
        self.sums = tile((self.m, self.n), kind.wide)

    def draw_tile(self):
        size = self.kind.size
        m, n = self.p.random.choice(((64, 64), (128, 64), (64, 128), (128, 128), (128, 128), (128, 256), (256, 128)))
        return m, n, self.p.random.choice((64 // size, 128 // size))

    def operands(self, a=None, b=None, kind=None):
        """More of Operand's arguments for each."""
        (em, en, ek), (m, n, k), (sm, sn, sk) = self.extents, self.tile, self.sizes
        self.a = Operand(self.p, "a", self.kind, (em, ek), (m, k), 1, (sm, sk), **(a or {}))
        self.b = Operand(self.p, "b", self.kind, (ek, en), (k, n), 0, (sk, sn), **(b or {}))
        self.a.prepare(self.row)
        self.b.prepare(self.column)
        return self.a, self.b

    def count(self):
        return self.p.quotient(self.sizes[2], self.k, self.extents[2] % self.k == 0)

    def load_both(self, step, carried):
        """Both tiles, in an order that is drawn, and what the operands carry next."""
        split = len(self.a.carried())
        parts = {"a": (self.a, carried[:split]), "b": (self.b, carried[split:])}
        loaded, after = {}, {}
        for name in self.p.draw("order", "ab", "ba"):
            operand, own = parts[name]
            loaded[name], after[name] = operand.load(step, own), operand.advance(own)
        return loaded["a"], loaded["b"], after["a"] + after["b"]

    def advance(self, carried):
        """What both carry next, where a tile is not loaded."""
        split = len(self.a.carried())
        return self.a.advance(carried[:split]) + self.b.advance(carried[split:])

    def run(self, around=None, more=(), style=None):
        """The loop; around(a, b, step, values): the next values of what is carried beyond. The sum and their results."""
        p, more = self.p, list(more)
        carried = [(p.none(self.kind, (self.m, self.n)), self.sums), *more, *self.a.carried(), *self.b.carried()]

        def body(step, values):
            a, b, after = self.load_both(step, values[1 + len(more):])
            extra = around(a, b, step, values[1:1 + len(more)]) if around else []
            return [p.multiply(a, b, values[0], self.tile, self.kind), *extra, *after]

        return p.loop(self.count(), carried, body, style)[:1 + len(more)]

    def exact(self):
        return self.a.read() @ self.b.read()

    def finish(self, value, expected, tolerance=(4e-3, 4e-3), epilogue=None):
        """Stores what is drawn to be made of the sum."""
        p, kind = self.p, self.kind
        epilogue = epilogue or p.draw("epilogue", "none", "none", "cast", "bias", "gelu", "relu", "residual", "two")
        shape, element = (self.m, self.n), kind.wide
        if kind.wide == "i32" and epilogue not in ("none", "two"):
            epilogue = "none"
        if epilogue in ("bias", "gelu"):
            value, expected = self.add_bias(value, expected)
        if epilogue == "gelu":
            value, expected = self.gelu(value), read_gelu(expected)
        elif epilogue == "relu":
            value = p.op("relu", f"maxf {value}, {p.constant('0.0', 'f32', shape)}", shape, "f32")
            expected = numpy.maximum(expected, 0)
        elif epilogue == "residual":
            value, expected = self.add_residual(value, expected)
        if epilogue == "two":
            self.write("d", value, element, expected)
        if epilogue in ("cast", "gelu") and kind.wide == "f32" and numpy.abs(expected).max() < 6e4:
            value, element = p.convert("rounded", f"ftof {value}", shape, "f32", "f16"), "f16"
        self.write("c", value, element, expected)
        return p.case(tolerance if kind.wide == "f32" else (0, 0))

    def write(self, name, value, element, expected):
        self.p.result(name, element, expected)
        view = self.p.rows(name, element, self.sizes[:2], (self.m, self.n), padding="")
        self.p.store(value, view, (self.row, self.column))

    def add_bias(self, value, expected):
        p = self.p
        bias = p.numbers.standard_normal(self.extents[1]).astype(numpy.float32)
        p.array("bias", "f32", bias)
        loaded = p.load(p.rows("bias", "f32", [self.sizes[1]], (self.n,)), [self.column])
        moved = p.spread(loaded, (self.m, self.n), "f32", (1,))
        return p.op("moved", f"addf {value}, {moved}", (self.m, self.n), "f32"), expected + bias

    def add_residual(self, value, expected):
        p = self.p
        residual = p.numbers.standard_normal(expected.shape).astype(numpy.float16)
        p.array("residual", "f16", residual)
        loaded = p.load(p.rows("residual", "f16", self.sizes[:2], (self.m, self.n)), (self.row, self.column))
        wide = p.convert("wide", f"ftof {loaded}", (self.m, self.n), "f16", "f32")
        return p.op("added", f"addf {value}, {wide}", (self.m, self.n), "f32"), expected + residual

    def gelu(self, value):
        p, shape = self.p, (self.m, self.n)
        apply = lambda text: p.op("gelu", text, shape, "f32")
        constant = lambda number: p.constant(number, "f32", shape)
        square = apply(f"mulf {value}, {value}")
        series = apply(f"fma {square}, {constant(GELU[1])}, {constant('1.0')}")
        root = apply(f"mulf {value}, {constant(GELU[0])}")
        inner = apply(f"mulf {root}, {series}")
        bent, half = apply(f"tanh {inner}"), apply(f"mulf {value}, {constant('0.5')}")
        return apply(f"fma {bent}, {half}, {half}")
