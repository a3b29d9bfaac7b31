"""Tile IR written as expressions of Python: values know their types, scalars spread to the tile beside them, as in the languages
of front ends. A Program becomes a case, as run.OwnKernel takes one; results may be of any type that memory has.
"""

import types

import numpy

from products import E4M3, bf16_values

FLOATS = ("f16", "bf16", "f32", "f8E4M3FN", "f8E8M0FNU", "f4E2M1FN", "tf32")
DECODE = {"bf16": bf16_values, "e4m3": lambda codes: E4M3[codes]}


def tile(shape, element):
    return "tile<" + "".join(f"{extent}x" for extent in shape) + element + ">"


class Value:
    """A tile: its name, shape and element."""

    def __init__(self, program, name, shape, element):
        self.program, self.name, self.shape, self.element = program, name, tuple(shape), element
        self.type = tile(shape, element)

    def apply(self, other, of_floats, of_integers, turned=False):
        mine, other = self.program.match(self, other)
        operation = of_floats if mine.element in FLOATS else of_integers
        first, second = (other, mine) if turned else (mine, other)
        operation, _, suffix = operation.partition(" ")
        return self.program.op(f"{operation} {first}, {second} {suffix}".rstrip(), first)

    def compare(self, other, how):
        mine, other = self.program.match(self, other)
        is_float = mine.element in FLOATS
        text = f"cmpf {how} ordered {mine}, {other}" if is_float else f"cmpi {how} {mine}, {other}, signed"
        return self.program.convert(text, mine, mine.shape, "i1")

    def fma(self, factor, summand):
        """This times the factor, and the summand, rounded once."""
        shape = self.program.match(self.program.match(self, factor)[0], summand)[0].shape
        first, factor, summand = (value.spread(*shape) for value in (self, factor, summand))
        return self.program.op(f"fma {first}, {factor}, {summand}", first)

    def __str__(self):
        return self.name

    def __add__(self, other):
        return self.apply(other, "addf", "addi")

    def __radd__(self, other):
        return self.apply(other, "addf", "addi", True)

    def __sub__(self, other):
        return self.apply(other, "subf", "subi")

    def __rsub__(self, other):
        return self.apply(other, "subf", "subi", True)

    def __mul__(self, other):
        return self.apply(other, "mulf", "muli")

    def __rmul__(self, other):
        return self.apply(other, "mulf", "muli", True)

    def __truediv__(self, other):
        return self.apply(other, "divf", "divi signed")

    def __floordiv__(self, other):
        return self.apply(other, "divf", "divi signed")

    def __rtruediv__(self, other):
        return self.apply(other, "divf", "divi signed", True)

    def __mod__(self, other):
        return self.apply(other, "remf", "remi signed")

    def __and__(self, other):
        return self.apply(other, "andi", "andi")

    def __or__(self, other):
        return self.apply(other, "ori", "ori")

    def __xor__(self, other):
        return self.apply(other, "xori", "xori")

    def __lshift__(self, other):
        return self.apply(other, "shli", "shli")

    def __rshift__(self, other):
        return self.apply(other, "shri", "shri signed")

    def shift_right(self, count):
        """Of a number without a sign."""
        return self.apply(count, "shri", "shri unsigned")

    def __lt__(self, other):
        return self.compare(other, "less_than")

    def __le__(self, other):
        return self.compare(other, "less_than_or_equal")

    def __gt__(self, other):
        return self.compare(other, "greater_than")

    def __ge__(self, other):
        return self.compare(other, "greater_than_or_equal")

    def equals(self, other):
        return self.compare(other, "equal")

    def largest(self, other):
        return self.apply(other, "maxf", "maxi signed")

    def smallest(self, other):
        return self.apply(other, "minf", "mini signed")

    def reshape(self, *shape):
        return self if shape == self.shape else self.program.convert(f"reshape {self}", self, shape, self.element)

    def spread(self, *shape):
        """Repeated along dimensions of one element; a scalar along all."""
        ones = self.reshape(*[1] * (len(shape) - len(self.shape)), *self.shape)
        return ones if shape == ones.shape else self.program.convert(f"broadcast {ones}", ones, shape, self.element)

    def column(self):
        return self.reshape(*self.shape, 1)

    def row(self):
        return self.reshape(1, *self.shape)

    def permute(self, *order):
        return self.program.convert(f"permute {self} [{', '.join(map(str, order))}]", self, [self.shape[i] for i in order],
                                    self.element)

    def extract(self, place, shape):
        """The part of that shape, counted in parts."""
        indices = ", ".join(str(self.program.constant(index)) for index in place)
        return self.program.convert(f"extract {self}[{indices}]", self, shape, self.element)

    def to(self, element, signed="signed"):
        """Another type of numbers; i1 becomes 0 or 1."""
        if element == self.element:
            return self
        if self.element in FLOATS:
            text = f"ftof {self}" if element in FLOATS else f"ftoi {self} signed"
        elif element in FLOATS:
            text = f"itof {self} {signed}"
        else:
            wider = int(element[1:]) > int(self.element[1:])
            text = f"exti {self} {'unsigned' if self.element == 'i1' else signed}" if wider else f"trunci {self}"
        return self.program.convert(text, self, self.shape, element)

    def function(self, name):
        return self.program.op(f"{name} {self}", self)

    def reduce(self, dimension, operation="addf", identity="0.0"):
        shape = self.shape[:dimension] + self.shape[dimension + 1:]
        return self.program.fold(f"reduce {self} dim={dimension}", self, shape, operation, identity)

    def scan(self, dimension, operation="addi", identity="0", reverse="false"):
        return self.program.fold(f"scan {self} dim={dimension} reverse={reverse}", self, self.shape, operation, identity)

    def select(self, yes, no):
        if not isinstance(yes, Value):
            yes, no = self.program.match(no, yes)[::-1]
        yes, no = self.program.match(yes, no)
        condition = self.spread(*yes.shape)
        name = self.program.name()
        self.program.line(f"{name} = select {condition}, {yes}, {no} : {condition.type}, {yes.type}")
        return Value(self.program, name, yes.shape, yes.element)

    def offset(self, places):
        """Pointers, of a pointer or as many."""
        pointers = self.spread(*places.shape)
        return self.program.convert(f"offset {pointers}, {places}", f"{pointers.type}, {places.type}", places.shape, self.element)


class View:
    def __init__(self, name, kind, shape, element):
        self.name, self.type, self.shape, self.element = name, kind, tuple(shape), element


class Program:
    """A kernel under construction. Parameters come in the order in which they are named."""

    def __init__(self):
        self.lines, self.head, self.parameters, self.order = [], [], [], []
        self.known, self.count, self.depth = {}, 0, 0
        self.head.append("%token = make_token : token")
        self.token = "%token"
        self.x, self.y, self.z = (Value(self, f"%block_{axis}", (), "i32") for axis in "xyz")

    # Text.

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def line(self, text):
        self.lines.append("    " + "  " * self.depth + text)

    def op(self, text, like):
        name = self.name()
        self.line(f"{name} = {text} : {like.type}")
        return Value(self, name, like.shape, like.element)

    def convert(self, text, source, shape, element):
        name = self.name()
        self.line(f"{name} = {text} : {source if isinstance(source, str) else source.type} -> {tile(shape, element)}")
        return Value(self, name, shape, element)

    def constant(self, value, element="i32", shape=()):
        key = (str(value), element, tuple(shape))
        if key not in self.known:
            self.known[key] = f"%c{len(self.known)}"
            self.head.append(f"{self.known[key]} = constant <{element}: {value}> : {tile(shape, element)}")
        return Value(self, self.known[key], shape, element)

    def match(self, value, other):
        """Both of one shape."""
        if not isinstance(other, Value):
            number = repr(float(other)) if value.element in FLOATS and not isinstance(other, str) else other
            return value, self.constant(number, value.element, value.shape)
        rank = max(len(value.shape), len(other.shape))
        padded = [(1,) * (rank - len(v.shape)) + v.shape for v in (value, other)]
        shape = tuple(max(pair) for pair in zip(*padded))
        return value.spread(*shape), other.spread(*shape)

    def fold(self, text, source, shape, operation, identity):
        name, element = self.name(), source.element
        operation, _, suffix = operation.partition(" ")
        self.line(f"{name} = {text} identities=[{identity} : {element}] : {source.type} -> {tile(shape, element)}")
        each, rest, result = (self.name() for _ in range(3))
        self.line(f"({each}: tile<{element}>, {rest}: tile<{element}>) {{")
        self.line(f"  {result} = {operation} {each}, {rest} {suffix}".rstrip() + f" : tile<{element}>")
        self.line(f"  yield {result} : tile<{element}>")
        self.line("}")
        return Value(self, name, shape, element)

    # Parameters.

    def pointer(self, name, element, multiple=16):
        self.parameters.append(f"%{name}_raw: tile<ptr<{element}>>")
        self.order.append(f"ptr {name} 0")
        self.head.append(f"%{name} = assume div_by<{multiple}>, %{name}_raw : tile<ptr<{element}>>")
        return Value(self, f"%{name}", (), f"ptr<{element}>")

    def size(self, name, multiple=1):
        self.parameters.append(f"%{name}_raw: tile<i32>")
        self.order.append(f"i32 {name}")
        self.head.append(f"%{name}_natural = assume bounded<0, ?>, %{name}_raw : tile<i32>")
        self.head.append(f"%{name} = assume div_by<{multiple}>, %{name}_natural : tile<i32>")
        return Value(self, f"%{name}", (), "i32")

    def promise(self, value, multiple=1):
        """A natural number, and what divides it."""
        natural = self.op(f"assume bounded<0, ?>, {value}", value)
        return natural if multiple == 1 else self.op(f"assume div_by<{multiple}>, {natural}", natural)

    # Memory.

    def tensor(self, pointer, sizes, strides=None):
        """Name and type of a view of the array; sizes and strides: numbers or values; row-major where none are given."""
        if strides is None:
            strides = [1]
            for size in reversed(sizes[1:]):
                strides.insert(0, size * strides[0] if isinstance(size, int) or strides[0] != 1 else size)
        show = lambda values: ["?" if isinstance(value, Value) else str(value) for value in values]
        element = pointer.element[4:-1]
        kind = f"tensor_view<{'x'.join(show(sizes))}x{element}, strides=[{','.join(show(strides))}]>"
        is_open = any(isinstance(value, Value) for value in (*sizes, *strides))
        name = self.name()
        self.line(f"{name} = make_tensor_view {pointer}, shape = [{', '.join(map(str, sizes))}], strides = "
                  f"[{', '.join(map(str, strides))}] : {'tile<i32> -> ' if is_open else ''}{kind}")
        return name, kind, element

    def view(self, pointer, sizes, shape, strides=None, padding="zero", steps=None, sparse=None):
        """As tiles; steps: distances of tiles that overlap; sparse: the dimension whose index is a list."""
        whole, kind, element = self.tensor(pointer, sizes, strides)
        padded = f"padding_value = {padding}, " if padding else ""
        head = f"tile=({'x'.join(map(str, shape))})"
        if steps:
            text = f"strided_view<{head}, traversal_strides=[{','.join(map(str, steps))}], {padded}{kind}>"
        elif sparse is not None:
            text = f"gather_scatter_view<{head}, {padded}{kind}, sparse_dim={sparse}>"
        else:
            text = f"partition_view<{head}, {padded}{kind}>"
        name, word = self.name(), text.split("<")[0]
        self.line(f"{name} = make_{word} {whole} : {text}")
        return View(name, text, shape, element)

    def place(self, indices):
        values = [index if isinstance(index, Value) else self.constant(index) for index in indices]
        kinds = [value.type for value in values]
        return ", ".join(map(str, values)), kinds[0] if len(set(kinds)) == 1 else ", ".join(kinds)

    def load(self, view, *indices):
        name, (place, kinds) = self.name(), self.place(indices)
        self.line(f"{name}, {name}_read = load_view_tko weak {view.name}[{place}] token = {self.token} : {view.type}, {kinds} -> "
                  f"{tile(view.shape, view.element)}, token")
        return Value(self, name, view.shape, view.element)

    def store(self, value, view, *indices):
        name, (place, kinds) = self.name(), self.place(indices)
        self.line(f"{name} = store_view_tko weak {value}, {view.name}[{place}] token = {self.token} : {value.type}, {view.type}, "
                  f"{kinds} -> token")
        return name

    def load_at(self, pointers, mask=None, padding=None):
        name, element = self.name(), pointers.element[4:-1]
        masked = kinds = ""
        if mask:
            padding = self.constant(padding or ("0.0" if element in FLOATS else "0"), element, pointers.shape)
            masked, kinds = f", {mask}, {padding}", f", {mask.type}, {padding.type}"
        self.line(f"{name}, {name}_read = load_ptr_tko weak {pointers}{masked} token = {self.token} : {pointers.type}{kinds} -> "
                  f"{tile(pointers.shape, element)}, token")
        return Value(self, name, pointers.shape, element)

    def store_at(self, value, pointers, mask=None):
        name = self.name()
        masked, kinds = (f", {mask}", f", {mask.type}") if mask else ("", "")
        self.line(f"{name} = store_ptr_tko weak {pointers}, {value}{masked} token = {self.token} : {pointers.type}, "
                  f"{value.type}{kinds} -> token")
        return name

    def atomic(self, mode, pointers, value, mask=None):
        """What was there; and the token, as NAME_done."""
        name = self.name()
        masked, kinds = (f", {mask}", f", {mask.type}") if mask else ("", "")
        self.line(f"{name}, {name}_done = atomic_rmw_tko relaxed device {pointers}, {mode}, {value}{masked} token = {self.token} "
                  f": {pointers.type}, {value.type}{kinds} -> {value.type}, token")
        return Value(self, name, value.shape, value.element)

    def own(self, count, element):
        """Pointers to elements of memory that is the tile block's own, and to the first."""
        name = self.name()
        self.line(f"{name} = alloca num_elem = {count}, alignment = 16 : tile<ptr<{element}>>")
        first = Value(self, name, (), f"ptr<{element}>")
        return first.offset(self.iota(count)), first

    def wait(self, *tokens):
        """What follows comes after these, also where pointers of another kind lead to the same memory."""
        for text in ([f"join_tokens {self.token}, {', '.join(tokens)} : token"] if tokens else []) + [
                "memory_fence_alias_tko token = {token} -> token"]:
            name = self.name()
            self.line(f"{name} = {text.format(token=self.token)}")
            self.token = name

    # Control and products.

    def loop(self, first, last, carried, body, step=1):
        """carried: values; body(index, values) gives the next ones. The results; tokens may be among them, as names."""
        first, last, step = (value if isinstance(value, Value) else self.constant(value) for value in (first, last, step))
        kind = lambda value: value.type if isinstance(value, Value) else "token"
        rename = lambda value, name: Value(self, name, value.shape, value.element) if isinstance(value, Value) else name
        kinds, index, results = ", ".join(map(kind, carried)), self.name(), self.name()
        inside = [rename(value, self.name()) for value in carried]
        head = {0: "", 1: f"{results} = "}.get(len(carried), f"{results}:{len(carried)} = ")
        initial = ", ".join(f"{inner} = {value}" for inner, value in zip(inside, carried))
        self.line(f"{head}for {index} in ({first} to {last}, step {step}) : tile<i32>"
                  + (f" iter_values({initial}) -> ({kinds})" if carried else "") + " {")
        self.depth += 1
        after = body(Value(self, index, (), "i32"), inside)
        self.line("continue" + (f" {', '.join(map(str, after))} : {kinds}" if carried else ""))
        self.depth -= 1
        self.line("}")
        if len(carried) == 1:
            return [rename(carried[0], results)]
        return [rename(value, f"{results}#{number}") for number, value in enumerate(carried)]

    def when(self, condition, body):
        self.line(f"if {condition} {{")
        self.depth += 1
        body()
        self.depth -= 1
        self.line("}")

    def multiply(self, a, b, c):
        name = self.name()
        operation, suffix = ("mmai", " signed signed") if c.element == "i32" else ("mmaf", "")
        self.line(f"{name} = {operation} {a}, {b}, {c}{suffix} : {a.type}, {b.type}, {c.type}")
        return Value(self, name, c.shape, c.element)

    def zeros(self, *shape, element="f32"):
        return self.constant("0" if element[0] == "i" else "0.0", element, shape)

    def iota(self, extent):
        name = self.name()
        self.line(f"{name} = iota : tile<{extent}xi32>")
        return Value(self, name, (extent,), "i32")

    def ceiling(self, size, part):
        return (size + (part - 1)) // part

    def text(self):
        body = "\n".join(["    " + line for line in self.head]
                         + [f"    {self.x}, {self.y}, {self.z} = get_tile_block_id : tile<i32>"] + self.lines)
        return (f"cuda_tile.module @kernels {{\n  entry @kernel({', '.join(self.parameters)}) {{\n{body}\n    return\n  }}\n}}\n")

    def case(self, name, grid, sizes, data, results, tolerance=(0, 0), arrange=None, chips=()):
        """sizes: by name; results: (type, what is expected) by name, bf16 and e4m3 as numbers; arrange(name, values): of results
        that may be right in several orders, one; chips: on which it is checked, where that is not all."""
        memory = {"bf16": numpy.uint16, "e4m3": numpy.uint8}
        expected = {array: numpy.asarray(values) for array, (_, values) in results.items()}
        kinds = {array: kind for array, (kind, _) in results.items()}
        for array, values in expected.items():
            data = {array: numpy.zeros(values.shape, memory.get(kinds[array], kinds[array])), **data}
        parameters = [f"i32 {sizes[text.split()[1]]}" if text.startswith("i32") else text for text in self.order]
        return types.SimpleNamespace(
            name=name, text=self.text(), KERNEL="kernel", GRID=grid, PARAMETERS=parameters, buffers=lambda: data,
            expected=lambda _: {array: numpy.zeros(values.shape, memory.get(kinds[array], kinds[array]))
                                for array, values in expected.items()},
            TOLERANCE=tolerance, canonical=lambda array, values: values, results=expected, kinds=kinds, arrange=arrange,
            chips=chips, sizes=[text.split()[1] for text in self.order if text.startswith("i32")])
