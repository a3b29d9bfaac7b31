"""What programs of deployed kernels have in common: a builder without chance, online softmax, and how a module of them is
checked on the emulator."""

import functools
import types

import kind_parts
import numpy
import product_quality
import program_checks
from kind_parts import tile
from products import ELEMENTS, E4M3, bf16_bits, bf16_values

LOG2E = 1.4426950408889634
LOWEST = "-1.0e+30"
NARROW = {"f16": lambda x: x.astype(numpy.float16), "bf16": bf16_bits, "f32": lambda x: x.astype(numpy.float32)}
READ = {"f16": lambda x: x.astype(float), "bf16": lambda x: bf16_values(x).astype(float), "f8E4M3FN": lambda x: E4M3[x]}
BYTES = {"f16": 2, "bf16": 2, "f8E4M3FN": 1, "f32": 4}


class Kernel(kind_parts.Program):
    """A program that is written in one way: the first of each choice."""

    def __init__(self, name, fast=False):
        super().__init__(name, 0)
        self.fast = fast  # quick sums of products of fp8

    def draw(self, what, *ways):
        return ways[0]

    def multiply(self, a, b, c, sizes, kind):
        return super().multiply(a, b, c + " fast_acc" * self.fast, sizes, kind)

    def numbers_of(self, name, element, shape, scale=1.0):
        """An array of random numbers, as floats."""
        if element == "f8E4M3FN":
            values = ELEMENTS["e4m3"].make(self.numbers, shape) ^ (self.numbers.integers(0, 2, shape) << 7).astype(numpy.uint8)
        else:
            values = NARROW[element](scale * self.numbers.standard_normal(shape))
        self.array(name, element, values)
        return READ[element](values) if element in READ else values.astype(float)

    def indices_of(self, name, values):
        self.array(name, "i32", numpy.ascontiguousarray(values, numpy.int32))

    def given(self, name, element, compute):
        """An array whose values are computed when they are asked for: who only wants the text does not wait for them."""
        self.array(name, element, numpy.zeros(0))
        self.data[name] = functools.cache(lambda: NARROW[element](compute()))

    def written(self, name, element, compute):
        """A result, and what computes what is expected of it."""
        self.array(name, element, numpy.zeros(0))
        self.results[name] = functools.cache(lambda: NARROW[element](compute()))
        self.data[name] = lambda: numpy.zeros_like(self.results[name]())

    def f32(self, stem, text, shape):
        return self.op(stem, text, shape, "f32")

    def fill(self, value, shape):
        return self.constant(value, "f32", shape)

    def scalar(self, name, sizes, place):
        """An element of an array of i32."""
        view = self.rows(name, "i32", sizes, (1,) * len(sizes), "")
        return self.reshape(self.load(view, place), view.shape, (), "i32")

    def rounded(self, value, shape, element):
        return value if element == "f32" else self.convert("rounded", f"ftof {value}", shape, "f32", element)

    def wide(self, value, shape, element):
        return value if element == "f32" else self.convert("wide", f"ftof {value}", shape, element, "f32")

    def load_tile(self, view, place):
        """The last two dimensions; the others are units."""
        return self.reshape(self.load(view, place), view.shape, view.shape[-2:], view.element)

    def store_tile(self, value, shape, view, place):
        self.store(self.reshape(value, shape, view.shape, view.element), view, place)

    def turn(self, value, shape, element):
        return self.permute(value, shape, (1, 0), element)

    def join(self, x, y, shape, element):
        """One above the other."""
        result = self.name("joined")
        self.line(f"{result} = cat {x}, {y} dim = 0 : {tile(shape, element)}, {tile(shape, element)} -> "
                  f"{tile((2 * shape[0], *shape[1:]), element)}")
        return result

    def row_view(self, name, element, rows, width, count, columns=None):
        """Rows of a row-major array, of which a tile has any `count`, and so many columns."""
        tensor = f"tensor_view<?x{width}x{element}, strides=[{width},1]>"
        kind = f"gather_scatter_view<tile=({count}x{columns or width}), padding_value = zero, {tensor}, sparse_dim=0>"
        whole, tiles = self.name(f"{name}_view"), self.name(f"{name}_rows")
        self.line(f"{whole} = make_tensor_view %{name}, shape = [{rows}, {width}], strides = [{width}, 1] : tile<i32> -> {tensor}")
        self.line(f"{tiles} = make_gather_scatter_view {whole} : {kind}")
        return types.SimpleNamespace(tiles=tiles, type=kind, shape=(count, columns or width), element=element)

    def load_rows(self, view, numbers, column=None):
        value = self.name("loaded")
        self.line(f"{value}, {value}_read = load_view_tko weak {view.tiles}[{numbers}, {column or self.zero}] token = %token : "
                  f"{view.type}, tile<{view.shape[0]}xi32>, tile<i32> -> {tile(view.shape, view.element)}, token")
        return value

    def both(self, x, y, shape):
        return self.op("both", f"andi {x}, {y}", shape, "i1")

    def case(self, tolerance=(1e-2, 1e-2)):
        body = "\n".join(["    " + line for line in self.head]
                         + [f"    {', '.join(self.blocks)} = get_tile_block_id : tile<i32>"] + self.lines)
        parameters = ", ".join(text for text, _ in self.parameters)
        text = f"cuda_tile.module @kernels {{\n  entry @kernel({parameters}) {{\n{body}\n    return\n  }}\n}}\n"
        return types.SimpleNamespace(
            name=self.kind, text=text, KERNEL="kernel", GRID=self.grid, PARAMETERS=[value for _, value in self.parameters],
            buffers=lambda: {name: values() if callable(values) else values for name, values in self.data.items()},
            expected=lambda data: {name: values() for name, values in self.results.items()}, TOLERANCE=tolerance)


class Softmax:
    """Online softmax of m rows, n keys at a time, of results d wide. boost: powers of two by which all powers are larger."""

    def __init__(self, p, m, n, d, element, depth=None, boost=0):
        self.p, self.element, self.boost = p, element, boost
        self.m, self.n, self.d, self.depth = m, n, d, depth or d
        self.factor = repr(LOG2E / self.depth ** 0.5)

    def start(self, top=None, weight=None):
        """Carried values with their types. top: of each row, a logarithm of two."""
        p, row = self.p, (self.m,)
        return [(p.fill("0.0", (self.m, self.d)), tile((self.m, self.d), "f32")), (top or p.fill(LOWEST, row), tile(row, "f32")),
                (weight or p.fill("0.0", row), tile(row, "f32"))]

    def add(self, state, score, values, seen=None):
        """The state after these scores."""
        p, shape, row, out = self.p, (self.m, self.n), (self.m,), (self.m, self.d)
        total, top, weight = state
        if seen:
            score = p.select(seen, score, p.fill("0xFF800000", shape), shape, "f32")
        largest = p.reduce(score, shape, 1, "maxf", "0xFF800000")
        scaled = p.f32("largest", f"mulf {largest}, {p.fill(self.factor, row)}", row)
        new_top = p.f32("top", f"maxf {top}, {scaled}", row)
        base = new_top
        if self.boost:
            base = p.f32("base", f"subf {new_top}, {p.fill(f'{self.boost}.0', row)}", row)
        lowered = p.f32("lowered", f"negf {p.spread(base, shape, 'f32', (0,))}", shape)
        shifted = p.f32("shifted", f"fma {score}, {p.fill(self.factor, shape)}, {lowered}", shape)
        power = p.f32("power", f"exp2 {shifted} flush_to_zero", shape)
        added = p.reduce(power, shape, 1)
        decay = p.f32("decay", f"exp2 {p.f32('fall', f'subf {top}, {new_top}', row)} flush_to_zero", row)
        new_weight = p.f32("weight", f"fma {weight}, {decay}, {added}", row)
        kept = p.f32("kept", f"mulf {total}, {p.spread(decay, out, 'f32', (0,))}", out)
        narrow = p.rounded(power, shape, self.element)
        new_total = p.multiply(narrow, values, kept, (self.m, self.d, self.n), ELEMENTS[KIND_OF[self.element]])
        return [new_total, new_top, new_weight]

    def finish(self, state):
        p, out = self.p, (self.m, self.d)
        return p.f32("quotient", f"divf {state[0]}, {p.spread(state[2], out, 'f32', (0,))}", out)

    def level(self, state):
        """The logarithm (of two) of the sum of all powers."""
        p, row = self.p, (self.m,)
        return p.f32("level", f"addf {p.f32('log', f'log2 {state[2]}', row)}, {state[1]}", row)


KIND_OF = {"f16": "f16", "bf16": "bf16", "f8E4M3FN": "e4m3"}


def attend(scores, v, seen=None, sink=None):
    """Of scores (not scaled by anything any more): results, and logarithms of two of their weights."""
    if seen is not None:
        scores = numpy.where(seen, scores, -numpy.inf)
    top = numpy.maximum(scores.max(axis=-1, keepdims=True), -1e30)
    powers = numpy.exp(scores - top)
    weight = powers.sum(axis=-1, keepdims=True)
    if sink is not None:
        weight = weight + numpy.exp(sink[..., None, None] - top)
    return powers @ v / weight, ((numpy.log(weight) + top) * LOG2E)[..., 0]


class DeployedKernel(product_quality.OwnProduct):
    """Results of uint16 are bf16."""

    def tolerances(self):
        return {name: ("bf16", *self.case.TOLERANCE) if kind == "u16" else (kind, relative, absolute)
                for name, (kind, relative, absolute) in super().tolerances().items()}

    def check(self, folder):
        relative, absolute = self.case.TOLERANCE
        for name, expected in self.case.expected(self.case.buffers()).items():
            read = bf16_values if expected.dtype == numpy.uint16 else lambda values: values
            actual = read(numpy.fromfile(folder / f"out_{name}.bin", expected.dtype)).reshape(expected.shape)
            if difference := program_checks.find_difference(name, actual, read(expected), relative, absolute):
                return difference
        return None


def main(cases, description):
    """As program_checks; products of fp8 are there from sm_89 on, where others are as on sm_80."""
    fp8 = ["sm_89", *program_checks.CHIPS[1:]]
    return program_checks.main(cases, description, DeployedKernel,
                               lambda case: fp8 if "f8E4M3FN" in case.text else program_checks.CHIPS)
