"""Products with weights of 8 or 4 bits and a scale for each group of them along K, as frontends write them: the weights become
floats of 16 bits in the loop.

  narrow_weights.py --tileiras FILE --emulator FILE [--gpu CHIP[,CHIP]]

compiles some, runs them on the emulator, and looks at the loop that multiplies: by wgmma on sm_90, with weights loaded ahead.

  s8     bytes, K·N or N·K; groups of 128
  s4     two numbers a byte, of the first and the second half of the rows that an iteration reads; groups of 128
  mxfp4  two e2m1 a byte, neighbours along K, N·K; an e8m0 for each 32
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

import numpy

import loops_of_ptx
import product_quality
import products
import run

GROUP = {"s8": 128, "s4": 128, "mxfp4": 32}
E2M1 = numpy.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6])


class Program:
    def __init__(self, way, element, tile, transposed, multiples):
        self.multiples = multiples
        self.way, self.tile, self.isTurned = way, tile, transposed or way == "mxfp4"
        self.kind = products.ELEMENTS[element].returning("f32")
        self.text = products.start()

    def shape(self, *sizes):
        return "x".join(map(str, sizes))

    def op(self, result, operation, shape, element):
        self.text.line(f"%{result} = {operation} : tile<{self.shape(*shape)}x{element}>")
        return f"%{result}"

    def change(self, result, operation, source, before, after, element, to=None):
        self.text.line(f"%{result} = {operation} {source} : tile<{self.shape(*before)}x{element}> -> "
                       f"tile<{self.shape(*after)}x{to or element}>")
        return f"%{result}"

    def spread(self, name, scales, group):
        """The scales of a tile's groups, for each of its elements along `along`."""
        m, n, k = self.tile
        count = max(1, k // group)
        kind = self.kind.name
        if self.isTurned:
            before, middle, wide, after = (n, count), (n, count, 1), (n, count, k // count), (n, k)
        else:
            before, middle, wide, after = (count, n), (count, 1, n), (count, k // count, n), (k, n)
        column = self.change(f"{name}_column", "reshape", scales, before, middle, kind)
        each = self.change(f"{name}_each", "broadcast", column, middle, wide, kind)
        return self.change(f"{name}_all", "reshape", each, wide, after, kind)

    def load_scales(self):
        m, n, k = self.tile
        group, count = GROUP[self.way], max(1, k // GROUP[self.way])
        element = "f8E8M0FNU" if self.way == "mxfp4" else self.kind.name
        place = "%step"
        if k < group:
            self.text.line(f"%tiles_of_group = constant <i32: {group // k}> : tile<i32>")
            self.text.line("%group = divi %step, %tiles_of_group signed : tile<i32>")
            place = "%group"
        tile, indices = ((n, count), ["%block_y", place]) if self.isTurned else ((count, n), [place, "%block_y"])
        self.text.load("%scales_loaded", "scales", indices, tile, element)
        if element == self.kind.name:
            return "%scales_loaded"
        return self.change("scales_wide", "ftof", "%scales_loaded", tile, tile, element, self.kind.name)

    def load_weights(self):
        """As floats, in the order in which they lie in memory."""
        m, n, k = self.tile
        kind = self.kind.name
        if self.way == "s8":
            tile, indices = ((n, k), ["%block_y", "%step"]) if self.isTurned else ((k, n), ["%step", "%block_y"])
            self.text.load("%bytes", "b", indices, tile, "i8")
            return self.change("floats", "itof", "%bytes signed", tile, tile, "i8", kind)
        if self.way == "s4":
            return self.load_nibbles()
        self.text.load("%bytes", "b", ["%block_y", "%step"], (n, k // 2), "i8")
        flat = self.change("flat", "reshape", "%bytes", (n, k // 2), (n * k // 2,), "i8")
        codes = self.change("codes", "unpack", flat, (n * k // 2,), (n * k,), "i8", "f4E2M1FN")
        tiled = self.change("tiled", "reshape", codes, (n * k,), (n, k), "f4E2M1FN")
        return self.change("floats", "ftof", tiled, (n, k), (n, k), "f4E2M1FN", kind)

    def load_nibbles(self):
        m, n, k = self.tile
        half, kind = (k // 2, n), self.kind.name
        self.text.load("%bytes", "b", ["%step", "%block_y"], half, "i8")
        four = self.op("four", "constant <i8: 4>", half, "i8")
        shifted = self.op("shifted", f"shli %bytes, {four}", half, "i8")
        parts = [self.op("low", f"shri {shifted}, {four} signed", half, "i8"),
                 self.op("high", f"shri %bytes, {four} signed", half, "i8")]
        floats = [f"%{name}_float" for name in ("low", "high")]
        for part, result in zip(parts, floats):
            self.text.line(f"{result} = itof {part} signed : tile<{self.shape(*half)}xi8> -> tile<{self.shape(*half)}x{kind}>")
        self.text.line(f"%floats = cat {floats[0]}, {floats[1]} dim = 0 : tile<{self.shape(*half)}x{kind}>, "
                       f"tile<{self.shape(*half)}x{kind}> -> tile<{self.shape(k, n)}x{kind}>")
        return "%floats"

    def write(self):
        text, (m, n, k), kind = self.text, self.tile, self.kind
        group, count = GROUP[self.way], max(1, k // GROUP[self.way])
        scales = "f8E8M0FNU" if self.way == "mxfp4" else kind.name
        for name, element in (("a", kind.name), ("b", "i8"), ("scales", scales), ("c", "f32")):
            text.pointer(name, element)
        for name, multiple in zip("mnk", self.multiples):
            text.size(name, multiple)
        for name, divisor in (("packed", 2), ("groups", group)):
            text.line(f"%{name}_each = constant <i32: {divisor}> : tile<i32>")
            text.line(f"%{name}_exact = divi %k, %{name}_each signed : tile<i32>")
            text.line(f"%{name}_natural = assume bounded<0, ?>, %{name}_exact : tile<i32>")
            text.line(f"%{name} = assume div_by<{self.multiples[2] // 2 if name == 'packed' else 1}>, %{name}_natural : tile<i32>")
        text.view("a", kind.name, ["%m", "%k"], [m, k])
        depth, rows = ("%k", k) if self.way == "s8" else ("%packed", k // 2)
        order = (lambda pair: pair[::-1]) if self.isTurned else (lambda pair: pair)
        text.view("b", "i8", order([depth, "%n"]), order([rows, n]))
        text.view("scales", scales, order(["%groups", "%n"]), order([count, n]))
        text.view("c", "f32", ["%m", "%n"], [m, n], padding=False)
        products.ceiling(text, "steps", "%k", k)
        sums = f"tile<{m}x{n}xf32>"
        text.line(f"%none = constant <f32: 0.000000e+00> : {sums}")
        text.line(f"%sum = for %step in (%zero to %steps, step %one) : tile<i32> iter_values(%partial = %none) -> ({sums}) {{")
        text.load("%x", "a", ["%block", "%step"], (m, k), kind.name)
        floats = self.load_weights()
        all_scales = self.spread("scale", self.load_scales(), group)
        weights = self.op("weights", f"mulf {floats}, {all_scales}", (n, k) if self.isTurned else (k, n), kind.name)
        if self.isTurned:
            weights = self.change("turned", "permute", f"{weights} [1, 0]", (n, k), (k, n), kind.name)
        products.multiply(text, "%next", kind, "%x", weights, "%partial", self.tile)
        text.line(f"continue %next : {sums}")
        text.line("}")
        text.store("%sum", "c", ["%block", "%block_y"], (m, n), "f32")
        return text


def make(way, element, tile, transposed=False, steps=4, multiples=(128, 128, 128)):
    """multiples: what divides the sizes, as the program promises."""
    program = Program(way, element, tile, transposed, multiples)
    text, (m, n, k), group = program.write(), tile, GROUP[way]
    depth = max(steps * k, group)
    random = numpy.random.default_rng(m + n + k)
    a = program.kind.make(random, (m, depth))
    exponents = random.integers(-2, 3, (depth // group, n))
    scale_values = 2.0 ** exponents
    if way == "s8":
        weights = random.integers(-128, 128, (depth, n))
        packed = weights.astype(numpy.int8)
    elif way == "s4":
        weights = random.integers(-8, 8, (depth, n))
        blocks = weights.reshape(depth // k, 2, k // 2, n)
        packed = ((blocks[:, 0] & 15) | (blocks[:, 1] & 15) << 4).astype(numpy.uint8).view(numpy.int8).reshape(depth // 2, n)
    else:
        codes = random.integers(0, 16, (depth, n))
        weights = E2M1[codes]
        packed = (codes[0::2] | codes[1::2] << 4).astype(numpy.uint8).view(numpy.int8)
    of_kind = {"f16": lambda x: x.astype(numpy.float16), "bf16": products.bf16_bits}[program.kind.name]
    scales = (exponents + 127).astype(numpy.uint8) if way == "mxfp4" else of_kind(scale_values.astype(numpy.float32))
    arrange = (lambda x: numpy.ascontiguousarray(x.T)) if program.isTurned else (lambda x: x)
    expected = (program.kind.read(a).astype(float) @ (weights * numpy.repeat(scale_values, group, axis=0))).astype(numpy.float32)
    data = {"a": a, "b": arrange(packed), "scales": arrange(scales), "c": numpy.zeros_like(expected)}
    name = f"weights_{way}_{element}_{m}x{n}x{k}" + "_t" * (transposed and way != "mxfp4")
    return products.make_case(name, text, (1, 1, 1), ["ptr a 0", "ptr b 0", "ptr scales 0", "ptr c 0", f"i32 {m}", f"i32 {n}",
                                                      f"i32 {depth}"], data, {"c": expected}, (4e-3, 4e-2))


CASES = [make("s8", "bf16", (128, 128, 64)), make("s8", "f16", (64, 128, 64), True), make("s4", "f16", (128, 128, 64)),
         make("mxfp4", "bf16", (128, 128, 64))]


def find_faults(case, gpu, folder, arguments):
    """Of a case on a chip: what is wrong, in words."""
    own = product_quality.OwnProduct(case, folder, gpu)
    if wrong := run.check_on_emulator(own, gpu, ["-O3"], folder / f"{case.name}-{gpu}", arguments.tileiras, arguments.emulator):
        yield wrong
        return
    ptx = folder / f"{case.name}-{gpu}.ptx"
    subprocess.run([arguments.tileiras, own.source, "--gpu-name", gpu, "-O3", "-o", ptx], check=True)
    loops = loops_of_ptx.find_multiplying(loops_of_ptx.find_loops(ptx.read_text()))
    wanted = {"sm_90": "wgmma", "sm_100": "tcgen05"}.get(gpu, "mma")
    if not loops:
        yield "no loop multiplies"
    for loop in loops:
        if set(loop.products()) != {wanted}:
            yield f"multiplies by {', '.join(sorted(loop.products()))}, not {wanted}"
        waiting = [load for load in loop.loads() if loops_of_ptx.is_waited_for(loop, load)]
        if wanted != "tcgen05" and waiting:
            yield f"{len(waiting)} loads are waited for where they stand"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tileiras", required=True)
    parser.add_argument("--emulator", required=True)
    parser.add_argument("--gpu", type=lambda text: text.split(","), default=["sm_80", "sm_90"])
    arguments = parser.parse_args()
    faults = 0
    with tempfile.TemporaryDirectory(prefix="tileiras-") as temporary:
        for case in CASES:
            for gpu in arguments.gpu:
                for fault in find_faults(case, gpu, pathlib.Path(temporary), arguments):
                    faults += 1
                    print(f"{case.name} on {gpu}: {fault}")
    print(f"{len(CASES)} products on {', '.join(arguments.gpu)}: {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
