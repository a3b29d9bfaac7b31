"""Parts of generated programs around matrix products (kinds.py): names, sizes, views, pointers, loops, operands.

What may be written in several ways is drawn from the program's seed, and noted in `drawn`.
"""

import random
import re
import types

import numpy

from products import RESULTS

KINDS_OF_NUMPY = {**RESULTS, "i8": numpy.int8, "bf16": numpy.uint16, "f8E4M3FN": numpy.uint8}
BYTES = {"f32": 4, "tf32": 4, "i32": 4, "f16": 2, "bf16": 2, "i8": 1, "f8E4M3FN": 1}


def tile(shape, element):
    return "tile<" + "".join(f"{extent}x" for extent in shape) + element + ">"


class Program:
    """A kernel under construction. Constants stand before everything else; parameters come in an order that is drawn."""

    def __init__(self, kind, seed):
        self.kind, self.seed, self.random = kind, seed, random.Random(f"{kind} {seed}")
        self.numbers = numpy.random.default_rng(self.random.randrange(1 << 32))
        self.lines, self.head, self.parameters, self.known = [], [], [], {}
        self.data, self.results, self.drawn, self.count = {}, {}, [], 0
        self.grid = (1, 1, 1)
        # What structure to expect (kind_quality.py): the bytes of the smallest tile that a product's iteration loads; whether
        # operands are computed in it; whether the products are in a loop at all, of how many iterations, and whether their
        # number is a constant.
        self.tile_bytes, self.computes, self.loops, self.steps = 1 << 30, False, True, 1
        self.counted = False
        self.head.append("%token = make_token : token")
        self.zero, self.one = self.constant(0), self.constant(1)
        self.blocks = ("%block_x", "%block_y", "%block_z")

    def draw(self, what, *ways):
        way = self.random.choice(ways)
        self.drawn.append(f"{what}={way}" if what else str(way))
        return way

    def name(self, stem="v"):
        self.count += 1
        return f"%{stem}_{self.count}"

    def line(self, text):
        self.lines.append("    " + text)

    def op(self, stem, text, shape, element):
        result = self.name(stem)
        self.line(f"{result} = {text} : {tile(shape, element)}")
        return result

    def convert(self, stem, text, shape, source, target, shape_after=None):
        result = self.name(stem)
        self.line(f"{result} = {text} : {tile(shape, source)} -> {tile(shape if shape_after is None else shape_after, target)}")
        return result

    def constant(self, value, element="i32", shape=()):
        key = (repr(value), element, tuple(shape))
        if key not in self.known:
            self.known[key] = self.name("const")
            self.head.append(f"{self.known[key]} = constant <{element}: {value}> : {tile(shape, element)}")
        return self.known[key]

    def array(self, name, element, values, aligned=True):
        """A pointer parameter to these values."""
        raw = f"%{name}_raw" if aligned else f"%{name}"
        self.parameters.append((f"{raw}: tile<ptr<{element}>>", f"ptr {name} 0"))
        if aligned:
            self.head.append(f"%{name} = assume div_by<16>, {raw} : tile<ptr<{element}>>")
        self.data[name] = numpy.ascontiguousarray(values)
        return f"%{name}"

    def result(self, name, element, values, aligned=True):
        self.results[name] = values = numpy.ascontiguousarray(values).astype(KINDS_OF_NUMPY[element])
        return self.array(name, element, numpy.zeros_like(values), aligned)

    def size(self, name, value, multiple=0):
        """A parameter of i32, or where `multiple` is None a number; 0: nothing is promised of it."""
        if multiple is None:
            return str(value)
        raw = f"%{name}_raw" if multiple else f"%{name}"
        self.parameters.append((f"{raw}: tile<i32>", f"i32 {value}"))
        if multiple:
            self.head.append(f"%{name}_natural = assume bounded<0, ?>, {raw} : tile<i32>")
            self.head.append(f"%{name} = assume div_by<{multiple}>, %{name}_natural : tile<i32>")
        return f"%{name}"

    def value(self, size):
        """A size as an operand."""
        return self.constant(int(size)) if size.isdecimal() else size

    def arithmetic(self, operation, x, y, suffix=""):
        return self.op("n", f"{operation} {self.value(x)}, {self.value(y)}{suffix}", (), "i32")

    def times(self, x, y):
        if "1" in (x, y):
            return x if y == "1" else y
        return str(int(x) * int(y)) if x.isdecimal() and y.isdecimal() else self.arithmetic("muli", x, y)

    def quotient(self, size, step, exact=False):
        """How many steps cover the size."""
        if size.isdecimal():
            return self.constant(-(-int(size) // step))
        way = self.draw("count", "addition", "rounded", *["shift"] * exact)
        if way == "shift":
            return self.arithmetic("shri", size, str(step.bit_length() - 1), " unsigned")
        if way == "rounded":
            return self.arithmetic("divi", size, str(step), " signed rounding<positive_inf>")
        return self.arithmetic("divi", self.arithmetic("addi", size, str(step - 1)), str(step), " signed")

    # Tiles.

    def spread(self, value, shape, element, along=()):
        """A tile whose dimensions are `along` of the shape, repeated along the others."""
        ones = [extent if index in along else 1 for index, extent in enumerate(shape)]
        before = [shape[index] for index in along]
        if before != ones:
            value = self.convert("shaped", f"reshape {value}", before, element, element, ones)
        if list(shape) == ones:
            return value
        return self.convert("spread", f"broadcast {value}", ones, element, element, shape)

    def iota(self, extent):
        result = self.name("iota")
        self.line(f"{result} = iota : tile<{extent}xi32>")
        return result

    def indices(self, first, extent):
        """first, first + 1, ... ; first: a name of a scalar."""
        if first == self.zero:
            return self.iota(extent)
        return self.op("index", f"addi {self.spread(first, (extent,), 'i32')}, {self.iota(extent)}", (extent,), "i32")

    def scale(self, value, shape, factor):
        """A tile of i32, times a size."""
        if factor == "1":
            return value
        return self.op("scaled", f"muli {value}, {self.spread(self.value(factor), shape, 'i32')}", shape, "i32")

    def less(self, x, y, shape, how="less_than"):
        result = self.name("is")
        self.line(f"{result} = cmpi {how} {x}, {y}, signed : {tile(shape, 'i32')} -> {tile(shape, 'i1')}")
        return result

    def select(self, condition, x, y, shape, element):
        result = self.name("chosen")
        self.line(f"{result} = select {condition}, {x}, {y} : {tile(shape, 'i1')}, {tile(shape, element)}")
        return result

    def reduce(self, value, shape, dimension, operation="addf", identity="0.0", element="f32"):
        result = self.name("reduced")
        after = [extent for index, extent in enumerate(shape) if index != dimension]
        self.line(f"{result} = reduce {value} dim={dimension} identities=[{identity} : {element}] : {tile(shape, element)} -> "
                  f"{tile(after, element)}")
        self.line(f"(%element: tile<{element}>, %rest: tile<{element}>) {{")
        self.line(f"%r = {operation} %element, %rest : tile<{element}>")
        self.line(f"yield %r : tile<{element}>")
        self.line("}")
        return result

    def reshape(self, value, before, after, element):
        if list(before) == list(after):
            return value
        return self.convert("flat", f"reshape {value}", before, element, element, after)

    def permute(self, value, shape, order, element):
        return self.convert("turned", f"permute {value} [{', '.join(map(str, order))}]", shape, element, element,
                            [shape[index] for index in order])

    # Memory.

    def view(self, name, element, sizes, strides, shape, padding="zero", order=None):
        """A view of the array as tiles; the strides of the tensor, outermost first; order: its dim_map."""
        kind = lambda values: [value if value.isdecimal() else "?" for value in values]
        tensor = f"tensor_view<{'x'.join(kind(sizes))}x{element}, strides=[{','.join(kind(strides))}]>"
        is_open = any(not value.isdecimal() for value in (*sizes, *strides))
        padded = f"padding_value = {padding}, " if padding else ""
        mapped = f", dim_map=[{', '.join(map(str, order))}]" if order else ""
        tiled = f"partition_view<tile=({'x'.join(map(str, shape))}), {padded}{tensor}{mapped}>"
        whole, tiles = self.name(f"{name}_view"), self.name(f"{name}_tiles")
        self.line(f"{whole} = make_tensor_view %{name}, shape = [{', '.join(sizes)}], strides = [{', '.join(strides)}] : "
                  + ("tile<i32> -> " if is_open else "") + tensor)
        self.line(f"{tiles} = make_partition_view {whole} : {tiled}")
        return types.SimpleNamespace(tensor=whole, tensor_type=tensor, tiles=tiles, type=tiled, shape=list(shape),
                                     element=element)

    def rows(self, name, element, sizes, shape, padding="zero"):
        """A view of a row-major array."""
        strides = ["1"]
        for size in reversed(sizes[1:]):
            strides.insert(0, self.times(size, strides[0]))
        return self.view(name, element, sizes, strides, shape, padding)

    def load(self, view, place):
        value = self.name("loaded")
        self.line(f"{value}, {value}_read = load_view_tko weak {view.tiles}[{', '.join(place)}] token = %token : {view.type}, "
                  f"tile<i32> -> {tile(view.shape, view.element)}, token")
        return value

    def store(self, value, view, place):
        self.line(f"{self.name('written')} = store_view_tko weak {value}, {view.tiles}[{', '.join(place)}] token = %token : "
                  f"{tile(view.shape, view.element)}, {view.type}, tile<i32> -> token")

    def pointers(self, base, offsets, shape, element):
        bases = self.spread(base, shape, f"ptr<{element}>")
        return self.move(bases, offsets, shape, element)

    def move(self, pointers, offsets, shape, element):
        result, kind = self.name("at"), tile(shape, f"ptr<{element}>")
        self.line(f"{result} = offset {pointers}, {offsets} : {kind}, {tile(shape, 'i32')} -> {kind}")
        return result

    def load_at(self, pointers, shape, element, mask=None):
        value, kind = self.name("loaded"), tile(shape, f"ptr<{element}>")
        masked, mask_type = "", ""
        if mask:
            zero = "0" if element[0] == "i" else "0.0"
            masked = f", {mask}, {self.constant(zero, element, shape)}"
            mask_type = f", {tile(shape, 'i1')}, {tile(shape, element)}"
        self.line(f"{value}, {value}_read = load_ptr_tko weak {pointers}{masked} token = %token : {kind}{mask_type} -> "
                  f"{tile(shape, element)}, token")
        return value

    # Control.

    def loop(self, count, carried, body, style=None, bounds=None):
        """carried: (initial value, type); body(step, values) gives the next ones. The results."""
        style = style or self.draw("loop", "for", "for", "for", "loop")
        inside, kinds = [self.name("carried") for _ in carried], ", ".join(kind for _, kind in carried)
        initial = ", ".join(f"{inner} = {value}" for inner, (value, _) in zip(inside, carried))
        all_results, step = self.name("all"), self.name("step")
        head = f"{all_results}:{len(carried)} = " if len(carried) > 1 else f"{all_results} = " if carried else ""
        first = bounds[0] if bounds else self.zero
        if style == "loop":
            values = f"{step} = {first}" + (f", {initial}" if carried else "")
            whole = "tile<i32>" + (f", {kinds}" if carried else "")
            self.line(f"{all_results}:{len(carried) + 1} = loop iter_values({values}) : {whole} -> {whole} {{")
            ended = self.less(step, count, (), "greater_than_or_equal")
            now = ", ".join([step, *inside])
            self.line(f"if {ended} {{")
            self.line(f"break {now} : {whole}")
            self.line("}")
            after = body(step, inside)
            following = self.arithmetic("addi", step, self.one)
            self.line(f"continue {', '.join([following, *after])} : {whole}")
            self.line("}")
            return [f"{all_results}#{index + 1}" if carried else "" for index in range(len(carried))]
        values = f" iter_values({initial}) -> ({kinds})" if carried else ""
        self.line(f"{head}for {step} in ({first} to {count}, step {self.one}) : tile<i32>{values} {{")
        after = body(step, inside)
        self.line("continue" + (f" {', '.join(after)} : {kinds}" if carried else ""))
        self.line("}")
        return [all_results] if len(carried) == 1 else [f"{all_results}#{index}" for index in range(len(carried))]

    def place(self, rows, columns):
        """Row and column of the block's tile, of so many."""
        way = self.draw("grid", "xy", "yx", "linear")
        self.grid = {"xy": (rows, columns, 1), "yx": (columns, rows, 1), "linear": (rows * columns, 1, 1)}[way]
        if way == "xy":
            return self.blocks[0], self.blocks[1]
        if way == "yx":
            return self.blocks[1], self.blocks[0]
        width = str(columns)
        return (self.arithmetic("divi", self.blocks[0], width, " signed"),
                self.arithmetic("remi", self.blocks[0], width, " signed"))

    def multiply(self, a, b, c, sizes, kind):
        m, n, k = sizes
        operation, suffix = ("mmai", " signed signed") if kind.wide == "i32" else ("mmaf", "")
        result = self.name("product")
        self.line(f"{result} = {operation} {a}, {b}, {c}{suffix} : {tile((m, k), kind.name)}, {tile((k, n), kind.name)}, "
                  f"{tile((m, n), kind.wide)}")
        return result

    def none(self, kind, shape):
        return self.constant("0" if kind.wide == "i32" else "0.0", kind.wide, shape)

    def case(self, tolerance=(4e-3, 4e-3)):
        parameters = list(self.parameters)
        self.random.shuffle(parameters)
        hints = self.random.choice(["", "", "", " optimization_hints=<default = {num_worker_warps_per_cta = 8}>",
                                    " optimization_hints=<default = {num_worker_warps_per_cta = 4}>",
                                    " optimization_hints=<default = {occupancy = 1}>"])
        body = "\n".join(["    " + line for line in self.head]
                         + [f"    {', '.join(self.blocks)} = get_tile_block_id : tile<i32>"] + self.lines)
        text = (f"cuda_tile.module @kernels {{\n  entry @kernel({', '.join(text for text, _ in parameters)}){hints} {{\n{body}\n"
                "    return\n  }\n}\n")
        if self.draw("names", "words", "numbers") == "numbers":
            text = number_names(text)
        return types.SimpleNamespace(
            name=f"{self.kind}_{self.seed}", kind=self.kind, seed=self.seed, text=text, KERNEL="kernel", GRID=self.grid,
            PARAMETERS=[parameter for _, parameter in parameters], buffers=lambda: self.data,
            expected=lambda data: self.results, TOLERANCE=tolerance, drawn=self.drawn, tile_bytes=self.tile_bytes,
            computes=self.computes, loops=self.loops, steps=self.steps, counted=self.counted)


def number_names(text):
    numbers = {}
    return re.sub(r"%([A-Za-z_]\w*)", lambda match: f"%v{numbers.setdefault(match[1], len(numbers))}", text)

