"""Kernels of a model's layers, beside its products and attention: norms forward and backward, softmax, cross entropy, rotary
embedding, chains of elementwise operations, scans, embeddings; generated.

CASES has what run.OwnKernel takes of a case, each with `text`, the module. A tile has `rows` whole rows unless a kernel says
otherwise; sizes of a row are static, as frontends make them.
"""

import numpy

from memory_kernels import as_numbers, dense_view, matrix, narrow, open_text, widen
from products import RESULTS, along_columns, along_rows, gelu, make_case, pointers_to_rows, read_gelu, reduce


class Rows:
    """A module whose arrays are matrices of `width` columns, and tile blocks `rows` rows of them."""

    def __init__(self, element, rows, width, matrices, vectors=(), columns=()):
        """matrices: names; vectors: names of what has an element a column; columns: an f32 a row."""
        self.element, self.rows, self.width, self.shape = element, rows, width, (rows, width)
        self.wide, self.column = f"tile<{rows}x{width}xf32>", f"tile<{rows}xf32>"
        arrays = {**dict.fromkeys(matrices, element), **dict.fromkeys(vectors, element), **dict.fromkeys(columns, "f32")}
        self.text = open_text(arrays, {"m": 1})
        self.names = list(arrays)
        for name in matrices:
            self.text.view(name, element, ["%m", str(width)], self.shape, padding=False)
        for name in columns:
            self.text.view(name, "f32", ["%m"], [rows], padding=False)
        for name in vectors:
            dense_view(self.text, name, element, [width])

    def load(self, name):
        """The block's rows, in f32."""
        self.text.load(f"%{name}_tile", name, ("%block", "%zero"), self.shape, self.element)
        return widen(self.text, f"%{name}_wide", f"%{name}_tile", self.shape, self.element)

    def load_vector(self, name):
        """The same elements in each row, in f32."""
        self.text.load(f"%{name}_tile", name, ["%zero"], [self.width], self.element)
        value = widen(self.text, f"%{name}_wide", f"%{name}_tile", [self.width], self.element)
        along_columns(self.text, f"%{name}_rows", value, self.shape)
        return f"%{name}_rows"

    def constant(self, name, value, of=None):
        self.text.line(f"%{name} = constant <f32: {value}> : {of or self.wide}")
        return f"%{name}"

    def apply(self, result, operation, *operands, of=None):
        self.text.line(f"%{result} = {operation} {', '.join(operands)} : {of or self.wide}")
        return f"%{result}"

    def mean(self, result, value):
        """Of each row, along the row."""
        reduce(self.text, f"%{result}_sum", value, self.shape, "addf", "0.0")
        share = self.constant(f"{result}_share", repr(1 / self.width), self.column)
        self.apply(f"{result}_column", "mulf", f"%{result}_sum", share, of=self.column)
        return self.spread(result, f"%{result}_column")

    def spread(self, result, column):
        along_rows(self.text, f"%{result}_all", column, self.shape)
        return f"%{result}_all"

    def store(self, name, value):
        self.text.store(narrow(self.text, f"%{name}_result", value, self.shape, self.element), name, ("%block", "%zero"),
                        self.shape, self.element)

    def make(self, name, data, results, tolerance, blocks=2, more=()):
        """data: what the kernel reads; results: what it writes, as numbers."""
        kinds = {result: numpy.float32 if values.ndim == 1 else RESULTS[self.element] for result, values in results.items()}
        expected = {result: values.astype(kinds[result]) for result, values in results.items()}
        data = {**data, **{result: numpy.zeros_like(values) for result, values in expected.items()}}
        parameters = [f"ptr {array} 0" for array in self.names] + [f"i32 {blocks * self.rows}", *more]
        return make_case(f"{name}_{self.element}_{self.rows}x{self.width}", self.text, (blocks, 1, 1), parameters, data,
                         expected, tolerance)


def read(element, data):
    return [as_numbers(element, values) for values in data.values()]


def layer_norm(element, rows, width, blocks=2):
    """(x - mean) / deviation · w + b, and for the way back the mean and the reciprocal deviation."""
    kernel = Rows(element, rows, width, ("x", "y"), ("w", "b"), ("average", "scale"))
    x = kernel.load("x")
    mean = kernel.mean("mean", x)
    centred = kernel.apply("centred", "subf", x, mean)
    kernel.mean("variance", kernel.apply("square", "mulf", centred, centred))
    little = kernel.constant("little", "1.0e-5", kernel.column)
    kernel.apply("raised", "addf", "%variance_column", little, of=kernel.column)
    kernel.apply("factor", "rsqrt", "%raised", of=kernel.column)
    scaled = kernel.apply("scaled", "mulf", centred, kernel.spread("factor", "%factor"))
    kernel.store("y", kernel.apply("moved", "fma", scaled, kernel.load_vector("w"), kernel.load_vector("b")))
    kernel.text.store("%mean_column", "average", ["%block"], [rows], "f32")
    kernel.text.store("%factor", "scale", ["%block"], [rows], "f32")
    data = {"x": matrix(element, blocks * rows, width), "w": matrix(element, 1, width)[0], "b": matrix(element, 2, width)[1]}
    x, w, b = read(element, data)
    mean, factor = x.mean(axis=1), 1 / numpy.sqrt(x.var(axis=1) + 1e-5)
    results = {"y": (x - mean[:, None]) * factor[:, None] * w + b, "average": mean, "scale": factor}
    return kernel.make("layer_norm", data, results, (4e-3, 4e-3), blocks)


def norm_backward(element, rows, width, blocks=2, centred=True):
    """The gradient of x behind a layer norm, or an RMS norm, whose statistics were kept."""
    statistics = ("average", "scale") if centred else ("scale",)
    kernel = Rows(element, rows, width, ("x", "dy", "dx"), ("w",), statistics)
    for name in statistics:
        kernel.text.load(f"%{name}_rows", name, ["%block"], [rows], "f32")
    factor = kernel.spread("factor", "%scale_rows")
    x = kernel.load("x")
    if centred:
        x = kernel.apply("centred", "subf", x, kernel.spread("mean", "%average_rows"))
    normal = kernel.apply("normal", "mulf", x, factor)
    weighted = kernel.apply("weighted", "mulf", kernel.load("dy"), kernel.load_vector("w"))
    along = kernel.mean("along", kernel.apply("dot", "mulf", normal, weighted))
    rest = kernel.apply("remainder", "subf", weighted, kernel.apply("part", "mulf", normal, along))
    if centred:
        rest = kernel.apply("level", "subf", rest, kernel.mean("bias", weighted))
    kernel.store("dx", kernel.apply("result", "mulf", rest, factor))
    data = {"x": matrix(element, blocks * rows, width), "dy": matrix(element, blocks * rows + 1, width)[1:],
            "w": matrix(element, 1, width)[0]}
    x, dy, w = read(element, data)
    mean = x.mean(axis=1) if centred else numpy.zeros(blocks * rows)
    factor = 1 / numpy.sqrt(((x - mean[:, None]) ** 2).mean(axis=1) + 1e-5)
    for name, values in (("average", mean), ("scale", factor)):
        if name in statistics:
            data[name] = values.astype(numpy.float32)
    normal, weighted = (x - mean[:, None]) * factor[:, None], dy * w
    result = weighted - normal * (normal * weighted).mean(axis=1, keepdims=True)
    if centred:
        result -= weighted.mean(axis=1, keepdims=True)
    return kernel.make("layer_norm_backward" if centred else "rms_norm_backward", data, {"dx": result * factor[:, None]},
                       (4e-3, 4e-3), blocks)


def softmax(element, rows, width, blocks=2):
    kernel = Rows(element, rows, width, ("x", "y"))
    x = kernel.load("x")
    reduce(kernel.text, "%top", x, kernel.shape, "maxf", "0xFF800000")
    powers = kernel.apply("powers", "exp", kernel.apply("shifted", "subf", x, kernel.spread("top", "%top")))
    reduce(kernel.text, "%total", powers, kernel.shape, "addf", "0.0")
    kernel.store("y", kernel.apply("quotient", "divf", powers, kernel.spread("total", "%total")))
    data = {"x": matrix(element, blocks * rows, width)}
    x, = read(element, data)
    powers = numpy.exp(x - x.max(axis=1, keepdims=True))
    return kernel.make("softmax", data, {"y": powers / powers.sum(axis=1, keepdims=True)}, (2e-3, 1e-6), blocks)


def softmax_backward(element, rows, width, blocks=2):
    kernel = Rows(element, rows, width, ("y", "dy", "dx"))
    y, dy = kernel.load("y"), kernel.load("dy")
    reduce(kernel.text, "%total", kernel.apply("product", "mulf", y, dy), kernel.shape, "addf", "0.0")
    kernel.store("dx", kernel.apply("result", "mulf", y, kernel.apply("remainder", "subf", dy, kernel.spread("total", "%total"))))
    data = {"y": matrix(element, blocks * rows, width), "dy": matrix(element, blocks * rows + 1, width)[1:]}
    y, dy = read(element, data)
    return kernel.make("softmax_backward", data, {"dx": y * (dy - (y * dy).sum(axis=1, keepdims=True))}, (4e-3, 2e-2), blocks)


def cross_entropy(element, rows, width, blocks=2):
    """log Σ exp(x) - x[target] of each row; which element is the target is read from an array."""
    kernel = Rows(element, rows, width, ("x",), (), ("loss",))
    kernel.text.pointer("targets", "i32")
    kernel.text.view("targets", "i32", ["%m"], [rows], padding=False)
    kernel.text.load("%target", "targets", ["%block"], [rows], "i32")
    x = kernel.load("x")
    reduce(kernel.text, "%top", x, kernel.shape, "maxf", "0xFF800000")
    powers = kernel.apply("powers", "exp", kernel.apply("shifted", "subf", x, kernel.spread("top", "%top")))
    reduce(kernel.text, "%total", powers, kernel.shape, "addf", "0.0")
    whole = f"tile<{rows}x{width}xi32>"
    along_rows(kernel.text, "%target_all", "%target", kernel.shape, "i32")
    kernel.text.line(f"%number = iota : tile<{width}xi32>")
    along_columns(kernel.text, "%number_all", "%number", kernel.shape, "i32")
    for line in (f"%is_target = cmpi equal %number_all, %target_all, signed : {whole} -> tile<{rows}x{width}xi1>",
                 f"%nothing = constant <f32: 0.0> : {kernel.wide}",
                 f"%picked = select %is_target, {x}, %nothing : tile<{rows}x{width}xi1>, {kernel.wide}"):
        kernel.text.line(line)
    reduce(kernel.text, "%chosen", "%picked", kernel.shape, "addf", "0.0")
    kernel.apply("log_total", "log", "%total", of=kernel.column)
    kernel.apply("level", "addf", "%log_total", "%top", of=kernel.column)
    kernel.apply("result", "subf", "%level", "%chosen", of=kernel.column)
    kernel.text.store("%result", "loss", ["%block"], [rows], "f32")
    data = {"x": matrix(element, blocks * rows, width)}
    x, = read(element, data)
    data["targets"] = numpy.random.default_rng(width).integers(0, width, blocks * rows).astype(numpy.int32)
    top = x.max(axis=1)
    loss = numpy.log(numpy.exp(x - top[:, None]).sum(axis=1)) + top - x[numpy.arange(len(x)), data["targets"]]
    return kernel.make("cross_entropy", data, {"loss": loss}, (2e-3, 2e-3), blocks, more=["ptr targets 0"])


def rotary(element, rows, width, blocks=2):
    """Rotary embedding of the two halves of each row by angles whose cosines and sines are tables."""
    half, text = width // 2, open_text({"x": element, "cosine": "f32", "sine": "f32", "y": element}, {"m": 1})
    wide = f"tile<{rows}x{half}xf32>"
    for name, kind, columns in (("x", element, width), ("cosine", "f32", half), ("sine", "f32", half), ("y", element, width)):
        text.view(name, kind, ["%m", str(columns)], (rows, half), padding=False)
    parts = []
    for result, name, kind, column in (("left", "x", element, "%zero"), ("right", "x", element, "%one"),
                                       ("c", "cosine", "f32", "%zero"), ("s", "sine", "f32", "%zero")):
        text.load(f"%{result}_tile", name, ("%block", column), (rows, half), kind)
        parts.append(widen(text, f"%{result}_wide", f"%{result}_tile", (rows, half), kind))
    left, right, c, s = parts
    for result, first, second, operation, column in (("near", left, right, "subf", "%zero"), ("far", right, left, "addf", "%one")):
        text.line(f"%{result}_c = mulf {first}, {c} : {wide}")
        text.line(f"%{result}_s = mulf {second}, {s} : {wide}")
        text.line(f"%{result} = {operation} %{result}_c, %{result}_s : {wide}")
        text.store(narrow(text, f"%{result}_result", f"%{result}", (rows, half), element), "y", ("%block", column),
                   (rows, half), element)
    angles = numpy.random.default_rng(width).standard_normal((blocks * rows, half))
    data = {"x": matrix(element, blocks * rows, width), "cosine": numpy.cos(angles).astype(numpy.float32),
            "sine": numpy.sin(angles).astype(numpy.float32)}
    x = as_numbers(element, data["x"])
    left, right = x[:, :half], x[:, half:]
    expected = numpy.concatenate([left * numpy.cos(angles) - right * numpy.sin(angles),
                                  right * numpy.cos(angles) + left * numpy.sin(angles)], axis=1).astype(RESULTS[element])
    data["y"] = numpy.zeros_like(expected)
    return make_case(f"rotary_{element}_{rows}x{width}", text, (blocks, 1, 1),
                     ["ptr x 0", "ptr cosine 0", "ptr sine 0", "ptr y 0", f"i32 {blocks * rows}"], data, {"y": expected},
                     (4e-3, 4e-3))


def gated_gelu(element, rows, width, blocks=2):
    """gelu(x + bias) · gate."""
    kernel = Rows(element, rows, width, ("x", "gate", "y"), ("bias",))
    moved = kernel.apply("moved", "addf", kernel.load("x"), kernel.load_vector("bias"))
    gelu(kernel.text, "%gelu", moved, kernel.wide)
    kernel.store("y", kernel.apply("gated", "mulf", "%gelu", kernel.load("gate")))
    data = {"x": matrix(element, blocks * rows, width), "gate": matrix(element, blocks * rows + 1, width)[1:],
            "bias": matrix(element, 1, width)[0]}
    x, gate, bias = read(element, data)
    return kernel.make("gated_gelu", data, {"y": read_gelu(x + bias) * gate}, (4e-3, 4e-3), blocks)


def cumulative_sum(element, rows, width, blocks=2):
    kernel = Rows(element, rows, width, ("x", "y"))
    x = kernel.load("x")
    for line in (f"%sums = scan {x} dim=1 reverse=false identities=[0.0 : f32] : {kernel.wide} -> {kernel.wide}",
                 "(%element: tile<f32>, %before: tile<f32>) {", "%r = addf %element, %before : tile<f32>",
                 "yield %r : tile<f32>", "}"):
        kernel.text.line(line)
    kernel.store("y", "%sums")
    data = {"x": matrix(element, blocks * rows, width)}
    x, = read(element, data)
    return kernel.make("cumulative_sum", data, {"y": x.cumsum(axis=1)}, (1e-3, 2e-2), blocks)


def embedding(element, rows, width, blocks=2, entries=64):
    """Rows of a table, by their numbers: loads through pointers."""
    kernel = Rows(element, rows, width, ("y",))
    text, whole = kernel.text, f"{rows}x{width}"
    for name, kind in (("table", element), ("numbers", "i32")):
        text.pointer(name, kind)
    text.view("numbers", "i32", ["%m"], [rows], padding=False)
    text.load("%number", "numbers", ["%block"], [rows], "i32")
    text.line(f"%length = constant <i32: {width}> : tile<{rows}xi32>")
    text.line(f"%start = muli %number, %length : tile<{rows}xi32>")
    pointers_to_rows(text, "%at", "%table", "%start", kernel.shape, element)
    text.line(f"%picked, %picked_read = load_ptr_tko weak %at token = %token : tile<{whole}xptr<{element}>> -> "
              f"tile<{whole}x{element}>, token")
    text.store("%picked", "y", ("%block", "%zero"), (rows, width), element)
    data = {"table": matrix(element, entries, width),
            "numbers": numpy.random.default_rng(rows).integers(0, entries, blocks * rows).astype(numpy.int32)}
    results = {"y": data["table"][data["numbers"]]}
    return kernel.make("embedding", data, results, (0, 0), blocks, more=["ptr table 0", "ptr numbers 0"])


CASES = [layer_norm("f16", 4, 1024), layer_norm("f32", 1, 4096), norm_backward("f16", 2, 2048),
         norm_backward("f16", 1, 4096, centred=False), softmax("f16", 4, 1024), softmax_backward("f16", 4, 1024),
         softmax_backward("f32", 4, 1024), cross_entropy("f32", 1, 8192), rotary("f16", 16, 128), gated_gelu("f16", 2, 2048),
         cumulative_sum("f32", 4, 1024), embedding("f16", 8, 1024)]
