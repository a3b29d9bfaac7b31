"""What the buffers of a row hold: from its operation, without PyTorch.

An operation is what tests/bench/lab/entries.py says a row computes, as data. The payload's builder compares the sizes that
come out here with those of the launch.
"""

import math

SIZES = {"f16": 2, "bf16": 2, "f32": 4, "tf32": 4, "e4m3": 1, "s8": 1, "i32": 4}


class Buffer:
    """dtype: a key of SIZES; fill: "normal" (for integers: any), "zeros", "result" (written by the kernel: poison before a
    check), "sum" (the kernel adds to it: zeros before a check), "permutation", "below N" (integers), "blocks N" (0, 0, … N-1,
    each as often), "derived" (from other buffers, by the operation)."""

    def __init__(self, dtype, shape, fill="normal"):
        self.dtype, self.shape, self.fill = dtype, tuple(shape), fill

    @property
    def elements(self):
        return math.prod(self.shape)

    @property
    def bytes(self):
        return self.elements * SIZES[self.dtype]

    @property
    def is_result(self):
        return self.fill in ("result", "sum")


def matmul(s):
    element, batch, shape = s["element"], s["batch"], s["shape"]
    outer = (batch,) if shape == "batched" else ()
    a = (s["k"], s["m"]) if s["transposed"][0] == "t" else (s["m"], s["k"])
    b = (s["n"], s["k"]) if s["transposed"][1] == "t" else (s["k"], s["n"])
    buffers = {"a": Buffer(element, outer + a), "b": Buffer(element, outer + b),
               "c": Buffer(s["result"], outer + (s["m"], s["n"]), "sum" if shape == "split" else "result")}
    if shape == "gelu":
        buffers["bias"] = Buffer(s["result"], (s["n"],))
    return buffers


def experts(s):
    rows = s["groups"] * s["m"]
    return {"x": Buffer("f16", (rows, s["k"])), "w": Buffer("f16", (s["groups"], s["k"], s["n"])),
            "y": Buffer("f16", (rows, s["n"]), "result"), "token_of_row": Buffer("i32", (rows,), "permutation"),
            "expert_of_block": Buffer("i32", (s["blocks"],), f"blocks {s['groups']}")}


def attention(s):
    heads = (s["heads"],) if s["heads"] > 1 else ()
    queries = (s["batch"], *heads, s["queries"], s["d"])
    keys = (s["batch"], s["length"], s["d"])
    return {"q": Buffer("f16", queries), "k": Buffer("f16", keys), "v": Buffer("f16", keys), "o": Buffer("f16", queries, "result")}


def attention_backward(s):
    shape = (s["batch"], s["length"], s["d"])
    buffers = {name: Buffer("f16", shape) for name in ("q", "k", "v", "dy")}
    buffers.update({name: Buffer("f16", shape, "result") for name in ("dk", "dv")})
    return buffers | {name: Buffer("f32", shape[:2], "derived") for name in ("level", "delta")}


def rows_of(matrices=(), results=(), vectors=(), columns=(), column_results=(), fills=()):
    """A kind whose arrays are matrices of rows, vectors (an element a column) and columns (an f32 a row)."""
    fills = dict(fills)

    def describe(s):
        element, rows, width = s["element"], s["rows"], s["width"]
        buffers = {name: Buffer(element, (rows, width)) for name in matrices}
        buffers.update({name: Buffer(element, (rows, width), "result") for name in results})
        buffers.update({name: Buffer(element, (width,)) for name in vectors})
        buffers.update({name: Buffer("f32", (rows,), "derived") for name in columns})
        buffers.update({name: Buffer("f32", (rows,), "result") for name in column_results})
        for name, make in fills.items():
            buffers[name] = make(s)
        return buffers
    return describe


def rotary(s):
    rows, width = s["rows"], s["width"]
    return {"x": Buffer(s["element"], (rows, width)), "cosine": Buffer("f32", (rows, width // 2), "derived"),
            "sine": Buffer("f32", (rows, width // 2), "derived"), "y": Buffer(s["element"], (rows, width), "result")}


def square(s):
    shape = (s["size"], s["size"])
    return {"x": Buffer(s["element"], shape), "y": Buffer(s["element"], shape, "result")}


def vectors(s):
    return {name: Buffer(s["element"], (s["count"],), "result" if name == "c" else "normal") for name in "abc"}


ONE_TO_ONE = rows_of("x", "y")
KINDS = {
    "matmul": matmul, "experts": experts, "attention": attention, "attention backward": attention_backward,
    "softmax": ONE_TO_ONE, "cumulative sum": ONE_TO_ONE, "copy": ONE_TO_ONE, "transpose": square, "add": vectors,
    "softmax backward": rows_of(("y", "dy"), ("dx",)),
    "layer norm": rows_of("x", "y", ("w", "b"), column_results=("average", "scale")),
    "layer norm backward": rows_of(("x", "dy"), ("dx",), "w", ("average", "scale")),
    "rms norm": rows_of("x", "y", "w"), "rms norm backward": rows_of(("x", "dy"), ("dx",), "w", ("scale",)),
    "cross entropy": rows_of("x", column_results=("loss",), fills={
        "targets": lambda s: Buffer("i32", (s["rows"],), f"below {s['width']}")}),
    "rotary": rotary, "gated gelu": rows_of(("x", "gate"), "y", ("bias",)),
    "embedding": rows_of((), "y", fills={
        "table": lambda s: Buffer(s["element"], (s["rows"], s["width"])),
        "numbers": lambda s: Buffer("i32", (s["rows"],), "permutation")}),
    "row sum": rows_of("x", column_results=("y",)),
}


def describe(operation):
    """{name: Buffer}"""
    return KINDS[operation["kind"]](operation)
