#!/usr/bin/env python3
"""Block-scaled products: every kind with tiles, layouts and sources of scales as programs have them, generated.
Compiled, assembled, emulated (all checks, several seeds) and compared: all sums are exact.

  scaled_products.py [NAME…] --tileiras FILE [--emulator FILE] [--gpu CHIP[,CHIP]] [--seeds N] [--option OPTION]
                     [--assemble CHIP[,CHIP]] [-j N]

Code for a kernel that says so has the instruction for its kind, and does not widen operands; where a chip's instructions
do not take it, the compiler has said why. Exit code 0 when all of this holds.
"""

import argparse
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy

import products
import run

# Elements, scales, elements that share one; the kind of the instructions.
KINDS = {"e4m3": ("f8E4M3FN", "f8E8M0FNU", 32, "mxf8f6f4"), "e5m2": ("f8E5M2", "f8E8M0FNU", 32, "mxf8f6f4"),
         "mxf4": ("f4E2M1FN", "f8E8M0FNU", 32, "mxf4"), "nvf4": ("f4E2M1FN", "f8E4M3FN", 16, "mxf4nvf4"),
         "fine": ("f4E2M1FN", "f8E8M0FNU", 16, None)}  # no instruction has such scales
MANTISSA = {"f8E4M3FN": (3, 7), "f8E5M2": (2, 15), "f4E2M1FN": (1, 1)}
TENSOR_MEMORY = ("sm_100", "sm_103", "sm_110")
# Of interleaved scales.
ROWS_OF_BLOCK, SCALES_OF_BLOCK, BLOCKS = 128, 4, {"ii": (2, 256), "bb": (512,), "rr": (32, 16), "ww": (32, 4, 4),
                                            "ss": (32, 4, 4)}
STATIC = ("ss",)  # sizes that the program knows
SIGNS = str(0x7f7f7f7f)  # what is left of four scales without theirs


def value(kind, code):
    if kind == "f8E8M0FNU":
        return numpy.ldexp(1.0, code.astype(int) - 127)
    mantissa, bias = MANTISSA[kind]
    sign = numpy.where(code >> (3 if kind == "f4E2M1FN" else 7), -1.0, 1.0)
    code = code.astype(int) & (7 if kind == "f4E2M1FN" else 127)
    exponent, fraction = code >> mantissa, (code & (1 << mantissa) - 1) / (1 << mantissa)
    return sign * numpy.where(exponent == 0, numpy.ldexp(fraction, 1 - bias), numpy.ldexp(1 + fraction, exponent - bias))


def make_codes(random, kind, shape, signs=True):
    """1 <= |x| < 4; powers of two from a half to two."""
    if kind == "f8E8M0FNU":
        return random.integers(126, 129, shape).astype(numpy.uint8)
    mantissa, bias = MANTISSA[kind]
    code = random.integers(bias << mantissa, bias + 2 << mantissa, shape)
    if signs:
        code |= random.integers(0, 2, shape) << (3 if kind == "f4E2M1FN" else 7)
    return code.astype(numpy.uint8)


def load_operand(text, name, kind, shape, indices, transposed):
    """A tile of numbers as it is used; in memory it may be transposed, and numbers of four bits are two to a byte."""
    element = KINDS[kind][0]
    stored, place = (shape[::-1], indices[::-1]) if transposed else (shape, indices)
    packed = element == "f4E2M1FN"
    inside = "x".join(map(str, stored))
    if packed:
        count, half = stored[0] * stored[1], [stored[0], stored[1] // 2]
        text.load(f"%{name}_bytes", name, place, half, "i8")
        text.line(f"%{name}_row = reshape %{name}_bytes : tile<{half[0]}x{half[1]}xi8> -> tile<{count // 2}xi8>")
        text.line(f"%{name}_flat = unpack %{name}_row : tile<{count // 2}xi8> -> tile<{count}x{element}>")
        text.line(f"%{name}_tile = reshape %{name}_flat : tile<{count}x{element}> -> tile<{inside}x{element}>")
    else:
        text.load(f"%{name}_tile", name, place, stored, element)
    if not transposed:
        return f"%{name}_tile"
    text.line(f"%{name}_turned = permute %{name}_tile [1, 0] : tile<{inside}x{element}> -> "
              f"tile<{'x'.join(map(str, shape))}x{element}>")
    return f"%{name}_turned"


def load_interleaved_scales(text, name, scale, shape, step, block, isOfB):
    """In blocks of 512 bytes, for 128 rows and four along K, those of rows that are 32 apart side by side. `block`: its
    shape in memory."""
    rows, depth = (shape[::-1] if isOfB else shape)
    rows, depth, element = rows // ROWS_OF_BLOCK, depth // SCALES_OF_BLOCK, f"x{scale}>"
    text.load(f"%{name}_blocks", name, ("%block_y" if isOfB else "%block", step, *["%zero"] * len(block)), (rows, depth, *block),
              scale)
    inside = "x".join(map(str, block))
    places = [("reshape", f"tile<{rows}x{depth}x{inside}{element}", f"tile<{rows}x{depth}x32x4x4{element}", ""),
              ("permute", f"tile<{rows}x{depth}x32x4x4{element}", f"tile<{rows}x4x32x{depth}x4{element}", "[0, 3, 2, 1, 4]"),
              ("reshape", f"tile<{rows}x4x32x{depth}x4{element}", f"tile<{128 * rows}x{4 * depth}{element}", ""),
              ("permute", f"tile<{128 * rows}x{4 * depth}{element}", f"tile<{4 * depth}x{128 * rows}{element}", "[1, 0]")]
    value = f"%{name}_blocks"
    for number, (operation, before, after, how) in enumerate(places if isOfB else places[:3]):
        text.line(f"%{name}_place{number} = {operation} {value} {how} : {before} -> {after}")
        value = f"%{name}_place{number}"
    return value


def load_scales(text, name, kind, shape, indices, transposed, computed):
    """Row-major; or twice as large in memory as they are used, as bytes."""
    scale = KINDS[kind][1]
    stored, place = (shape[::-1], indices[::-1]) if transposed else (shape, indices)
    inside = "x".join(map(str, stored))
    result = f"%{name}_tile"
    if computed:
        text.load(f"%{name}_codes", name, place, stored, "i8")
        text.line(f"%{name}_one = constant <i8: 1> : tile<{inside}xi8>")
        text.line(f"%{name}_lower = subi %{name}_codes, %{name}_one : tile<{inside}xi8>")
        text.line(f"{result} = bitcast %{name}_lower : tile<{inside}xi8> -> tile<{inside}x{scale}>")
    else:
        text.load(result, name, place, stored, scale)
    if not transposed:
        return result
    text.line(f"%{name}_turned = permute {result} [1, 0] : tile<{inside}x{scale}> -> tile<{'x'.join(map(str, shape))}x{scale}>")
    return f"%{name}_turned"


class Case:
    """`transposed`: of A and B in memory, as in products.py; `steps`: of the loop, 0 for none; `negative`: some scales
    are, or "below", some of the lower half of A's; `scales`: likewise transposed, or interleaved as the hardware takes
    them (BLOCKS); `promised`: a divisor of those in a row of A or column of B; `unaligned`: rows of packed operands are
    not; `positive`: promised of scales; `copied`: on chips with tensor memory, which copies them there; `ctas`: of a
    tile block, pairs of which multiply together there; `hardware`: chips that have an instruction for it."""

    def __init__(self, kind, tile, transposed="nt", steps=4, computed=False, negative=False, twice=False, scales="nn",
                 copied=False, promised=0, unaligned=False, positive=False, ctas=1,
                 hardware=TENSOR_MEMORY + ("sm_120", "sm_121")):
        self.ctas, self.options = ctas, ["--set", f"num-ctas={ctas}"] if ctas > 1 else []
        self.options += ["--set", "positive-scales=true"] if positive else []
        self.copied, self.promised, self.unaligned, self.positive = copied, promised, unaligned, positive
        self.kind, self.tile, self.transposed, self.steps = kind, tile, transposed, steps
        self.computed, self.negative, self.twice, self.scales = computed, negative, twice, scales
        self.hardware = () if KINDS[kind][3] is None else hardware
        flags = "".join(f"_{flag}" for flag in ("computed", "negative", "twice", "unaligned", "positive") if getattr(self, flag))
        flags += "_below" if negative == "below" else ""
        promise = f"_{promised}" if promised else ""
        if ctas > 1:
            flags += f"_{ctas}_ctas"
        self.name = f"{kind}_{'x'.join(map(str, tile))}_{transposed}_{scales}{promise}_{steps}{flags}"

    def get_sizes(self, m, n, depth):
        """Of the whole product, by the names of parameters."""
        block = KINDS[self.kind][2]
        sizes = {"m": m, "n": n, "k": depth, "half": depth // 2, "half_n": n // 2, "half_m": m // 2, "blocks": depth // block}
        if self.scales in BLOCKS:
            sizes |= {"groups": depth // block // SCALES_OF_BLOCK, "m_blocks": m // ROWS_OF_BLOCK,
                      "n_blocks": n // ROWS_OF_BLOCK}
            if self.scales not in STATIC:
                sizes |= {f"bytes{dim}": size for dim, size in enumerate(BLOCKS[self.scales])}
        return sizes

    def build(self):
        """For one tile block; the text is that for any number of them."""
        (element, scale, block, _), (m, n, k), steps = KINDS[self.kind], self.tile, max(1, self.steps)
        packed = element == "f4E2M1FN"
        text = products.start()
        for name, what in (("a", "i8" if packed else element), ("b", "i8" if packed else element),
                           ("sa", "i8" if self.computed else scale), ("sb", "i8" if self.computed else scale), ("c", "f32")):
            text.pointer(name, what)
        depth = steps * k
        sizes = self.get_sizes(m, n, depth)
        for name, size in sizes.items():
            # Of interleaved scales, halves are those of whole blocks.
            half = 16 if (self.scales in BLOCKS or self.promised) and not self.unaligned else 8
            few = self.promised if self.promised and (name == "blocks" or name.startswith("bytes")) else 1
            text.size(name, few if "blocks" in name or name == "groups" or size < 16 else half if name.startswith("half") else 16)
        parameters = [f"ptr {name} 0" for name in ("a", "b", "sa", "sb", "c")] + [f"i32 {size}" for size in sizes.values()]
        last = {"%k": "%half", "%n": "%half_n", "%m": "%half_m"}
        for name, shape, extents, way in (("a", (m, k), ["%m", "%k"], self.transposed[0]),
                                          ("b", (k, n), ["%k", "%n"], self.transposed[1])):
            shape, extents = (shape[::-1], extents[::-1]) if way == "t" else (shape, extents)
            if packed:
                shape, extents = (shape[0], shape[1] // 2), [extents[0], last[extents[1]]]
            text.view(name, "i8" if packed else element, extents, shape)
        for name, shape, extents, way in (("sa", (m, k // block), ["%m", "%blocks"], self.scales[0]),
                                          ("sb", (k // block, n), ["%blocks", "%n"], self.scales[1])):
            if self.scales in BLOCKS:
                rows, inside = m if name == "sa" else n, BLOCKS[self.scales]
                extents = [str(extent) if self.scales in STATIC else f"%bytes{dim}" for dim, extent in enumerate(inside)]
                text.view(name, scale, [f"%{'m' if name == 'sa' else 'n'}_blocks", "%groups", *extents],
                          (rows // ROWS_OF_BLOCK, k // block // SCALES_OF_BLOCK, *inside))
                continue
            shape, extents = (shape[::-1], extents[::-1]) if way == "t" else (shape, extents)
            text.view(name, "i8" if self.computed else scale, extents, shape)
        text.view("c", "f32", ["%m", "%n"], (m, n), padding=False)
        products.ceiling(text, "steps", "%k", k)
        sums = f"tile<{m}x{n}xf32>"
        text.line(f"%none = constant <f32: 0.000000e+00> : {sums}")
        if self.steps:
            text.line(f"%sum = for %step in (%zero to %steps, step %one) : tile<i32> iter_values(%partial = %none) -> "
                      f"({sums}) {{")
        step, before, after = ("%step", "%partial", "%next") if self.steps else ("%zero", "%none", "%sum")
        a = load_operand(text, "a", self.kind, (m, k), ("%block", step), self.transposed[0] == "t")
        b = load_operand(text, "b", self.kind, (k, n), (step, "%block_y"), self.transposed[1] == "t")
        if inside := BLOCKS.get(self.scales):
            sa = load_interleaved_scales(text, "sa", scale, (m, k // block), step, inside, isOfB=False)
            sb = load_interleaved_scales(text, "sb", scale, (k // block, n), step, inside, isOfB=True)
        else:
            sa = load_scales(text, "sa", self.kind, (m, k // block), ("%block", step), self.scales[0] == "t", self.computed)
            sb = load_scales(text, "sb", self.kind, (k // block, n), (step, "%block_y"), self.scales[1] == "t", self.computed)
        types = (f"tile<{m}x{k}x{element}>, tile<{k}x{n}x{element}>, {sums}, tile<{m}x{k // block}x{scale}>, "
                 f"tile<{k // block}x{n}x{scale}>")
        if self.twice:
            text.line(f"%first = mmaf_scaled {a}, {b}, {before}, {sa}, {sb} : {types}")
            before = "%first"
        text.line(f"{after} = mmaf_scaled {a}, {b}, {before}, {sa}, {sb} : {types}")
        if self.steps:
            text.line(f"continue %next : {sums}")
            text.line("}")
        text.store("%sum", "c", ["%block", "%block_y"], [m, n], "f32")
        data, expected = self.make_data(m, n, depth)
        return products.make_case(f"matmul_{self.name}", text, (1, 1, 1), parameters, data, {"c": expected}, (0, 0))

    def make_data(self, m, n, depth):
        element, scale, block, _ = KINDS[self.kind]
        random = numpy.random.default_rng(m + n + depth)
        a, b = make_codes(random, element, (m, depth)), make_codes(random, element, (depth, n))
        sa = make_codes(random, scale, (m, depth // block), self.negative)
        sb = make_codes(random, scale, (depth // block, n), self.negative is True)
        if self.negative == "below":
            sa[:m // 2] &= 0x7f
        scaled = lambda codes, scales, axis: value(element, codes) * value(scale, scales).repeat(block, axis)
        expected = scaled(a, sa, 1) @ scaled(b, sb, 0) * (2 if self.twice else 1)

        def store(codes, way, packed=False):
            stored = numpy.ascontiguousarray(codes.T if way == "t" else codes)
            return stored[:, 0::2] | stored[:, 1::2] << 4 if packed else stored
        def interleave(codes):
            rows, depth = codes.shape
            blocks = codes.reshape(rows // ROWS_OF_BLOCK, 4, 32, depth // SCALES_OF_BLOCK, SCALES_OF_BLOCK)
            return numpy.ascontiguousarray(blocks.transpose(0, 3, 2, 1, 4))
        packed = element == "f4E2M1FN"
        more = numpy.uint8(1 if self.computed else 0)
        data = {"a": store(a, self.transposed[0], packed), "b": store(b, self.transposed[1], packed),
                "sa": interleave(sa) if self.scales in BLOCKS else store(sa + more, self.scales[0]),
                "sb": interleave(sb.T) if self.scales in BLOCKS else store(sb + more, self.scales[1]),
                "c": numpy.zeros((m, n), numpy.float32)}
        return data, expected.astype(numpy.float32)


WARP = ("sm_120", "sm_121")
CASES = (
    [Case(kind, tile) for kind in ("e4m3", "e5m2", "mxf4", "nvf4") for tile in ((128, 128, 128), (128, 64, 256))]
    + [Case("e4m3", tile) for tile in ((128, 256, 128), (256, 128, 128), (128, 32, 64), (128, 16, 128), (128, 128, 32))]
    + [Case("nvf4", tile) for tile in ((128, 256, 128), (128, 16, 128), (128, 128, 64))]
    + [Case("mxf4", (256, 64, 128)), Case("mxf4", (128, 32, 64))]
    + [Case(kind, (128, 128, 128), way) for kind in ("e4m3", "nvf4") for way in ("nn", "tt", "tn")]
    + [Case(kind, (128, 64, 128), scales="nt") for kind in ("e4m3", "mxf4", "nvf4")]
    + [Case("e5m2", (128, 64, 128), scales="tn")]
    + [Case(kind, (128, 128, 128), steps=0) for kind in ("e4m3", "mxf4", "nvf4")]
    + [Case(kind, (128, 64, 128), computed=True) for kind in ("e4m3", "nvf4")]
    + [Case("nvf4", (128, 64, 128), negative=True), Case("nvf4", (128, 128, 256), negative=True, steps=0)]
    + [Case("e4m3", (128, 64, 128), twice=True), Case("nvf4", (128, 64, 128), twice=True, negative=True)]
    # Scales as the hardware takes them.
    + [Case("e4m3", tile, scales="ii", copied=True) for tile in ((128, 128, 128), (128, 256, 256), (256, 128, 128))]
    + [Case("e5m2", (128, 128, 128), steps=13, scales="bb", copied=True)]
    + [Case("mxf4", tile, scales="ii", copied=True) for tile in ((128, 128, 128), (128, 128, 256))]
    + [Case("e4m3", (128, 128, 128), "nn", scales="ii"), Case("e4m3", (128, 128, 128), steps=0, scales="ii")]
    + [Case("e4m3", (128, 128, 128), scales="ii", twice=True, copied=True)]
    + [Case("nvf4", tile, scales=scales, copied=True) for tile in ((128, 128, 128), (256, 128, 64)) for scales in ("ii", "bb")]
    + [Case("nvf4", (128, 256, 256), steps=5, scales="ii", negative=True, copied=True)]
    + [Case("nvf4", (128, 128, 128), scales="ii", negative=True, twice=True)]
    + [Case(kind, (128, 128, 256), scales=scales, promised=4, copied=True)
       for kind in ("e4m3", "mxf4", "nvf4") for scales in ("rr", "ww", "ss")]
    # With operands of four bits that threads load.
    + [Case("mxf4", (128, 128, 128), scales="ii", unaligned=True)]
    # Row-major ones, that threads copy to where they are as the hardware takes them.
    + [Case(kind, tile, scales="nt", promised=4, copied=True) for kind, tile in (
        ("e4m3", (128, 128, 128)), ("e4m3", (128, 256, 256)), ("e5m2", (256, 128, 128)), ("mxf4", (128, 128, 256)),
        ("nvf4", (128, 256, 64)))]
    + [Case("nvf4", (128, 128, 256), steps=9, scales="nt", promised=16, negative=True, copied=True)]
    + [Case("nvf4", (128, 128, 128), positive=True), Case("nvf4", (128, 128, 256), scales="ii", positive=True, copied=True),
       Case("nvf4", (256, 128, 128), scales="ii", positive=True, copied=True, ctas=2)]
    # By pairs of CTAs, each of which has scales of its rows and of all columns; in clusters of four, too.
    + [Case(kind, tile, scales="ii", copied=True, ctas=2) for kind, tile in (
        ("e4m3", (256, 256, 128)), ("e5m2", (512, 128, 128)), ("mxf4", (256, 128, 256)), ("nvf4", (256, 128, 128)))]
    + [Case("nvf4", (256, 256, 256), steps=5, scales="bb", negative=True, copied=True, ctas=2)]
    + [Case("e4m3", (256, 128, 128), steps=5, scales=scales, promised=4, copied=True, ctas=2) for scales in ("ww", "ss")]
    + [Case("nvf4", (256, 128, 128), steps=6, scales="ii", negative="below", copied=True, ctas=2)]
    + [Case("e4m3", (256, 128, 128), scales="ii", twice=True, copied=True, ctas=2)]
    + [Case(kind, tile, steps=9, scales="nt", promised=4, copied=True, ctas=2) for kind, tile in (
        ("e4m3", (256, 256, 128)), ("mxf4", (256, 128, 256)), ("nvf4", (512, 128, 128)))]
    + [Case(kind, tile, scales="ii", negative=kind == "nvf4", copied=True, ctas=4) for kind, tile in (
        ("e4m3", (512, 256, 128)), ("e4m3", (256, 512, 128)), ("nvf4", (512, 128, 256)))]
    + [Case("e4m3", (512, 128, 128), steps=9, scales="nt", promised=4, copied=True, ctas=4)]
    # Tiles that tensor memory does not take.
    + [Case("e4m3", (64, 64, 128), hardware=WARP), Case("nvf4", (32, 64, 64), hardware=WARP),
       Case("e4m3", (128, 16, 64)), Case("fine", (128, 64, 128)), Case("mxf4", (128, 64, 32), hardware=())])


def examine(case, ptx, remarks, gpu, has_pipelines, has_agents):
    """What is wrong with the code."""
    chip = re.match(r"sm_\d+", gpu).group()
    kind = KINDS[case.kind][3]
    family = "tcgen05.mma" if chip in TENSOR_MEMORY else "mma.sync"
    pattern = rf"{family}\S*\.kind::{kind}\.block_scale"
    if chip not in case.hardware:
        if "block_scale" in ptx:
            return "has an instruction for what is listed as having none"
        return None if "block-scaled MMA without an instruction" in remarks else "no remark says why it is emulated"
    if not re.search(pattern, ptx):
        return f"has no {family} of kind {kind}"
    if case.copied and has_pipelines and family == "tcgen05.mma" and "tcgen05.cp" not in ptx:
        return "does not copy scales to tensor memory"
    if KINDS[case.kind][1] == "f8E4M3FN" and case.positive == (SIGNS in ptx):
        return "looks for signs of scales" if case.positive else "does not look for signs of scales"
    if case.scales in STATIC and has_pipelines and family == "tcgen05.mma" and "cp.async.c" in ptx:
        return "has threads copy scales that lie one behind the other"
    if case.ctas > 1 and has_agents and family == "tcgen05.mma" and "tcgen05.mma.cta_group::2" not in ptx:
        return "is not of pairs of CTAs"
    if re.search(r"cvt\.\S*(e4m3x2|e5m2x2|e2m1x2|ue8m0x2|bf16)", ptx):
        return "widens operands"
    return None


def process(case, gpu, arguments):
    """What is wrong; None if nothing is."""
    with tempfile.TemporaryDirectory(prefix="tileiras-") as temporary:
        folder = pathlib.Path(arguments.keep or temporary) / gpu / case.name
        folder.mkdir(parents=True, exist_ok=True)
        kernel = case.build()
        (folder / "kernel.mlir").write_text(kernel.text)
        base = [arguments.tileiras, str(folder / "kernel.mlir"), "--gpu-name", gpu] + case.options + arguments.option
        compiled = subprocess.run(base + ["-o", str(folder / "kernel.ptx"), f"--metadata={folder / 'kernel.json'}",
                                          "--remarks=missed"], capture_output=True, text=True, timeout=arguments.timeout)
        if compiled.returncode != 0:
            return "is not compiled: " + compiled.stderr.strip()
        has_pipelines = "-O1" not in arguments.option
        has_agents = has_pipelines and not any("unspecialized" in option for option in arguments.option)
        if wrong := examine(case, (folder / "kernel.ptx").read_text(), compiled.stderr, gpu, has_pipelines, has_agents):
            return wrong
        if failure := run.run(base + ["-o", str(folder / "kernel.cubin")], arguments.timeout):
            return "is not assembled: " + failure
        if not arguments.emulator or gpu in arguments.assemble:
            return None
        of_case = run.OwnKernel.__new__(run.OwnKernel)
        of_case.case, of_case.name = kernel, case.name
        of_case.dump(folder)
        command = [arguments.emulator, "run", str(folder / "kernel.ptx"), "--case", str(folder), "--strict", "--seeds",
                   str(arguments.seeds), "--smem", str(run.get_dynamic_shared(folder / "kernel.json", folder))]
        return run.run(command, arguments.timeout) or of_case.check(folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="parts of names of kernels")
    parser.add_argument("--tileiras", default="tileiras")
    parser.add_argument("--emulator")
    parser.add_argument("--gpu", type=lambda text: text.split(","), default=["sm_100", "sm_103", "sm_120"])
    parser.add_argument("--assemble", type=lambda text: text.split(","), default=[], help="chips to assemble for only")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--option", action="append", default=[])
    parser.add_argument("--timeout", type=float, default=300)
    parser.add_argument("--part", metavar="K/N", help="every N-th of the products; K may be 'commit'")
    parser.add_argument("--keep", help="keep the cases in this folder")
    parser.add_argument("-j", type=int, default=1)
    arguments = parser.parse_args()
    cases = [case for case in CASES if not arguments.names or any(name in case.name for name in arguments.names)]
    jobs = [(case, gpu) for gpu in arguments.gpu + arguments.assemble for case in cases]
    jobs = run.choose_part(jobs, arguments.part, "products")
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
        for (case, gpu), wrong in zip(jobs, pool.map(lambda job: process(*job, arguments), jobs)):
            if wrong:
                print(f"{case.name} on {gpu}: {wrong}", flush=True)
                bad += 1
    print(f"{len(jobs)} products, {bad} mistakes")
    return 1 if bad or not jobs else 0


if __name__ == "__main__":
    sys.exit(main())
