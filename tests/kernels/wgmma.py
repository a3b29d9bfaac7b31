#!/usr/bin/env python3
"""Products of warpgroups: nv_tileas programs that put operands into shared memory in every layout a matrix descriptor
has, multiply, and store the result. Lowered, assembled where there is an assembler, emulated, and compared.

  wgmma.py [NAME…] --opt FILE --plugin FILE [--emulator FILE] [--translate FILE] [--llc FILE] [--ptxas FILE]

A warning of the assembler about wgmma is a failure. Exit code 0 when all of them were right.
"""

import argparse
import concurrent.futures
import dataclasses
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import rotation  # noqa: E402

TYPES = {  # MLIR's name, bits, sign for products of integers
    "f16": ("f16", 16, None), "bf16": ("bf16", 16, None), "tf32": ("tf32", 32, None), "e4m3": ("f8E4M3FN", 8, None),
    "e5m2": ("f8E5M2", 8, None), "s8": ("i8", 8, "signed"), "u8": ("i8", 8, "unsigned"), "f32": ("f32", 32, None),
    "s32": ("i32", 32, None),
}


@dataclasses.dataclass
class Case:
    """`a` and `b` say where operands are: K or MN contiguous and the bytes of the swizzle, or registers."""
    types: str = "f16 f16 f32"
    shape: tuple = (128, 128, 64)
    warps: int = 4
    a: str = "K128"
    b: str = "K128"
    zero: bool = False
    fast: bool = False
    isAsync: bool = False
    iterations: int = 0  # of a loop over the same operands that leaves one group in flight

    @property
    def name(self):
        m, n, k = self.shape
        flags = "_zero" * self.zero + "_fast" * self.fast + "_async" * self.isAsync + f"_loop{self.iterations}" * bool(self.iterations)
        return f"{self.types.replace(' ', '_')}_{m}x{n}x{k}_w{self.warps}_{self.a}_{self.b}{flags}"


def cases():
    """No more than half of the registers are accumulators."""
    for warps, m, n in [(4, 64, 8), (4, 64, 16), (4, 64, 32), (4, 64, 64), (4, 64, 128), (4, 64, 256), (4, 128, 128),
                        (4, 256, 64), (8, 64, 256), (8, 128, 256), (8, 256, 128), (8, 128, 16), (16, 128, 256),
                        (16, 64, 256), (16, 128, 128)]:
        yield Case(shape=(m, n, 64), warps=warps)
        if n >= 64:
            yield Case(shape=(m, n, 64), warps=warps, a="MN128", b="MN128" if n // max(1, warps * 16 // m) >= 64 else "MN0")
    for a in ["K0", "K32", "K64", "K128", "MN0", "MN32", "MN64", "MN128", "R"]:
        for b in ["K0", "K32", "K64", "K128", "MN0", "MN32", "MN64", "MN128"]:
            yield Case(shape=(128, 128, 64), warps=8, a=a, b=b)
    for types in ["f16 f16 f16", "bf16 bf16 f32"]:
        yield Case(types=types, a="K64", b="MN64")
        yield Case(types=types, shape=(128, 64, 32), warps=8, a="R", b="MN128")
    for types in ["tf32 tf32 f32"] + [f"{x} {y} {z}" for x in ("e4m3", "e5m2") for y in ("e4m3", "e5m2")
                                      for z in ("f32", "f16")] + [f"{x} {y} s32" for x in "us" for y in "us"]:
        types = re.sub(r"\b([us])\b", r"\g<1>8", types)
        k = 32 if types.startswith("tf32") else 256
        yield Case(types=types, shape=(64, 64, k))
        yield Case(types=types, shape=(128, 32, k), warps=8, a="R", b="K32", fast=types.startswith("e"))
    yield Case(shape=(128, 256, 128), warps=8, zero=True)
    yield Case(types="f16 f16 f16", shape=(64, 64, 64), zero=True)
    yield Case(types="e4m3 e4m3 f32", shape=(64, 32, 128), zero=True, fast=True)
    yield Case(types="s8 u8 s32", shape=(64, 32, 128), zero=True)
    yield Case(shape=(128, 256, 64), warps=8, isAsync=True)
    yield Case(shape=(64, 64, 64), a="R", b="MN128", isAsync=True, zero=True)
    for zero in [False, True]:
        yield Case(shape=(128, 256, 64), warps=8, isAsync=True, zero=zero, iterations=5)
        yield Case(shape=(128, 64, 64), isAsync=True, zero=zero, iterations=3, b="MN128")


# ----------------------------------------------------------------------------------------------------------------------
# Programs
# ----------------------------------------------------------------------------------------------------------------------

def bases(values):
    return "[" + ", ".join(f"[{x}, {y}]" for x, y in values) + "]"


def powers(begin, end):
    while begin < end:
        yield begin
        begin *= 2


def shared(shape, mn, place, bits):
    """A tile whose dimension `mn` is not K."""
    is_mn = place.startswith("MN")
    swizzle = int(place.lstrip("KMN"))
    major = mn if is_mn else 1 - mn
    row, extent, other = max(swizzle, 16) * 8 // bits, shape[major], shape[1 - major]
    assert extent >= row, place
    modes, strides = [None, None], [None, None]
    modes[major] = f"({row},{extent // row})" if extent > row else str(row)
    strides[major] = f"(1,{row * other})" if extent > row else "1"
    modes[1 - major], strides[1 - major] = str(other), str(row)
    text = f"({','.join(modes)}),({','.join(strides)})"
    if swizzle:
        text += f",swizzle<{swizzle.bit_length() - 5},4,3>"
    return f"#nv_tileas.shared<{text}>"


def dot_operand(axis, atom, warps, extents, registers, lanes):
    return (f'#nv_tileas.dot_operand<axis = {axis}, atom = "{atom}", warp = [{warps[0]}, {warps[1]}], '
            f"extents = [{extents[0]}, {extents[1]}], fragment = <register = {bases(registers)}, lane = {bases(lanes)}, "
            f"warp = [[16, 0], [32, 0]]>>")


def fragment_a(atom, warps, bits, k):
    per_word = 32 // bits
    registers = [(0, x) for x in powers(1, per_word)] + [(8, 0), (0, 4 * per_word)]
    lanes = [(0, per_word), (0, 2 * per_word), (1, 0), (2, 0), (4, 0)]
    return dot_operand("A", atom, warps, (64, k), registers, lanes)


def fragment_c(atom, warps, n):
    registers = [(0, 1), (8, 0)] + [(0, x) for x in powers(8, n)]
    return dot_operand("C", atom, warps, (64, n), registers, [(0, 2), (0, 4), (1, 0), (2, 0), (4, 0)])


class Program:
    def __init__(self, case):
        self.case, self.lines = case, []
        self.element = [TYPES[name][0] for name in case.types.split()]

    def add(self, line):
        self.lines.append("    " + line)

    def view(self, name, index, shape):
        element, (rows, columns) = self.element[index], shape
        memref = f"!nv_tileaa.memref<{rows}x{columns}x{element}, strides = [{columns}, 1]>"
        view = (f"!nv_tileas.tiled_view<{rows}x{columns}, {memref.removeprefix('!nv_tileaa.')}, "
                f"steps = [{rows}, {columns}], dim_map = [0, 1]>")
        self.add(f"%{name}_m = nv_tileaa.make_memref %{name}, sizes [], strides [] : !nv_tileaa.ptr<{element}>, () -> {memref}")
        self.add(f"%{name}_v = nv_tileas.make_tiled_view %{name}_m : {view}")
        return view

    def load(self, name, index, shape, layout):
        view = self.view(name, index, shape)
        tile = f"tensor<{shape[0]}x{shape[1]}x{self.element[index]}, {layout}>"
        self.add(f'%{name}_t = nv_tileas.tiled_load weak %{name}_v[%i, %i] in_bounds [true, true] atom = "universal_copy" '
                 f": ({view}, i32, i32) -> {tile}")
        return f"%{name}_t", tile

    def put(self, name, index, shape, place, bits):
        layout = f"#nv_tileas.blocked<register = [1, 4], lane = [4, 8], warp = [{self.case.warps}, 1], order = [1, 0]>"
        value, tile = self.load(name, index, shape, layout)
        memory = f"tensor<{shape[0]}x{shape[1]}x{self.element[index]}, {shared(shape, index, place, bits)}>"
        self.add(f"%{name}_s = nv_tileas.alloc_tensor : {memory}")
        self.add(f'nv_tileas.copy {value}, %{name}_s atom = "universal_copy" : {tile}, {memory}')
        return f"%{name}_s", memory

    def text(self):
        case, (m, n, k) = self.case, self.case.shape
        names = case.types.split()
        bits = TYPES[names[0]][1]
        groups = case.warps // 4
        groups_m = min(groups, m // 64)
        columns = min(256, n // (groups // groups_m))
        atom = f"wgmma.m64n{columns}k{256 // bits}.{names[2]}.{names[0]}.{names[1]}" + ".ra" * (case.a == "R")
        warps = (4 * groups_m, groups // groups_m)
        self.add("%i = arith.constant 0 : i32")
        if case.a == "R":
            a, type_a = self.load("a", 0, (m, k), fragment_a(atom, warps, bits, 256 // bits))
        else:
            a, type_a = self.put("a", 0, (m, k), case.a, bits)
        b, type_b = self.put("b", 1, (k, n), case.b, bits)
        layout = fragment_c(atom, warps, columns)
        if case.zero:
            view, type_c, c = self.view("c", 2, (m, n)), f"tensor<{m}x{n}x{self.element[2]}, {layout}>", "%zero"
            value = "0" if names[2] == "s32" else "0.0"
            self.add(f"%zero = arith.constant dense<{value}> : {type_c}")
        else:
            c, type_c = self.load("c", 2, (m, n), layout)
            view = self.view("d", 2, (m, n))
        signs = [f" signedness = {TYPES[name][2]}" if TYPES[name][2] else "" for name in names[:2]]
        fast = " fast_acc" if case.fast else ""
        product = f'{a}{signs[0]}, {b}{signs[1]}, {c}{fast} atom = "{atom}" : {type_a} * {type_b} + {type_c}'
        if case.iterations:
            product = product.replace(f", {c}{fast} atom", f", %sum{fast} atom")
            self.add("%step = arith.constant 1 : i32")
            self.add(f"%iterations = arith.constant {case.iterations} : i32")
            self.add("%none = nv_tileas.create_none : !nv_tileas.async_token")
            self.add(f"%p, %t = scf.for %k = %i to %iterations step %step iter_args(%sum = {c}, %before = %none) "
                     f"-> ({type_c}, !nv_tileas.async_token) : i32 {{")
            self.add(f"  %next, %started = nv_tileas.async.dot {product}, !nv_tileas.async_token")
            self.add("  nv_tileas.async.wait %before")
            self.add(f"  scf.yield %next, %started : {type_c}, !nv_tileas.async_token")
            self.add("}")
            self.add(f"%r = nv_tileas.async.future_wait %t, %p : {type_c}")
        elif case.isAsync:
            self.add(f"%p, %t = nv_tileas.async.dot {product}, !nv_tileas.async_token")
            self.add(f"%r = nv_tileas.async.future_wait %t, %p : {type_c}")
        else:
            self.add(f"%r = nv_tileas.dot {product}")
        out = "%c_v" if case.zero else "%d_v"
        self.add(f'nv_tileas.tiled_store weak %r, {out}[%i, %i] in_bounds [true, true] atom = "universal_copy" '
                 f": ({view}, {type_c}, i32, i32) -> ()")
        parameters = ["a", "b", "c"] + ["d"] * (not case.zero)
        elements = self.element + [self.element[2]]
        signature = ", ".join(f"%{name}: !nv_tileaa.ptr<{element}>" for name, element in zip(parameters, elements))
        return "\n".join([f"  nv_tileaa.func @{case.name}({signature})",
                          f"      attributes {{kernel_spec = #nv_tileaa.kernel_spec<num_warps = {case.warps}>}} {{",
                          *self.lines, "    nv_tileaa.return", "  }", ""])


def module(programs):
    spec = '#nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">'
    return f"module attributes {{nv_tileaa.target_spec = {spec}}} {{\n" + "".join(programs) + "}\n"


# ----------------------------------------------------------------------------------------------------------------------
# Numbers
# ----------------------------------------------------------------------------------------------------------------------

def decode8(bits, exponent_bits, mantissa_bits):
    bias = 2 ** (exponent_bits - 1) - 1
    exponent, mantissa = bits >> mantissa_bits & (2 ** exponent_bits - 1), bits & (2 ** mantissa_bits - 1)
    value = numpy.where(exponent == 0, mantissa * 2.0 ** (1 - bias - mantissa_bits),
                        (mantissa / 2.0 ** mantissa_bits + 1) * 2.0 ** (exponent - float(bias)))
    return numpy.where(bits >> 7 == 1, -value, value)


def make(name, shape, random):
    """The bytes of a matrix, and its numbers."""
    if name in ("s8", "u8"):
        values = random.integers(-128, 128, shape).astype("i1") if name == "s8" else random.integers(0, 256, shape).astype("u1")
        return values.tobytes(), values.astype("f8")
    if name == "s32":
        values = random.integers(-1000, 1000, shape).astype("i4")
        return values.tobytes(), values.astype("f8")
    values = (random.integers(-64, 65, shape) / 16).astype("f4")
    if name == "f16":
        return values.astype("f2").tobytes(), values.astype("f8")
    if name == "bf16":
        return (values.view("u4") >> 16).astype("u2").tobytes(), (values.view("u4") & 0xffff0000).view("f4").astype("f8")
    if name in ("f32", "tf32"):
        return values.tobytes(), values.astype("f8")
    bits = random.integers(0, 256, shape).astype("i8")
    bits = bits & 0xbf  # below 2
    return bits.astype("u1").tobytes(), decode8(bits, *((4, 3) if name == "e4m3" else (5, 2)))


def describe(case, folder):
    """Writes a launch."""
    random, (m, n, k), names = numpy.random.default_rng(7), case.shape, case.types.split()
    a, b, c = (make(name, shape, random) for name, shape in zip(names, [(m, k), (k, n), (m, n)]))
    if case.zero:
        c = (bytes(len(c[0])), numpy.zeros((m, n)))
    expected = max(case.iterations, 1) * (a[1] @ b[1]) + c[1]
    kind = {"f32": "f4", "f16": "f2", "s32": "i4"}[names[2]]
    for name, data in [("a", a[0]), ("b", b[0]), ("c", c[0]), ("expected", expected.astype(kind).tobytes())]:
        (folder / f"{name}.bin").write_bytes(data)
    out = "c" if case.zero else "d"
    buffers = [{"name": name, "file": f"{name}.bin"} for name in "abc"]
    if not case.zero:
        buffers.append({"name": "d", "bytes": len(c[0]), "fill": 255})
    scale = float(numpy.abs(expected).max())
    # Tensor cores cut terms of 8-bit floats off 13 bits below the largest of a step, as the emulator does.
    of_term = 33 * 2.0 ** -13 if names[0] in ("e4m3", "e5m2") else 1e-5
    tolerance = {"f32": of_term * scale, "f16": 2e-3 * scale * max(1, k // 32)}.get(names[2])
    check = {"buffer": out, "type": {"s32": "i32"}.get(names[2], names[2]), "file": "expected.bin"}
    if tolerance is not None:
        check |= {"rtol": 0, "atol": tolerance}
    (folder / "launch.json").write_text(json.dumps({
        "entry": case.name, "grid": [1, 1, 1], "buffers": buffers,
        "parameters": [{"buffer": buffer["name"]} for buffer in buffers], "expect": [check]}))


# ----------------------------------------------------------------------------------------------------------------------
# Tools
# ----------------------------------------------------------------------------------------------------------------------

LOWER = ["--convert-nv-tile-func-to-llvm", "--tileas-resolve-tokens", "--tileas-allocate-memory", "--tileas-place-barriers",
         "--tileas-budget-registers", "--convert-tileas-control-flow", "--convert-tileas-to-llvm",
         "--tileir-finalize-llvm-kernel"]


def check(command, text=None):
    result = subprocess.run([str(part) for part in command], input=text, capture_output=True, text=True)
    if result.returncode != 0:
        raise RuntimeError(f"{pathlib.Path(str(command[0])).name} failed\n{result.stdout[-2000:]}{result.stderr[-4000:]}")
    return result.stdout, result.stderr


def compile_case(case, folder, options):
    (folder / "kernel.mlir").write_text(module([Program(case).text()]))
    lowered, _ = check([options.opt, folder / "kernel.mlir", f"--load-plugin={options.plugin}", *LOWER])
    llvm, _ = check([options.translate, "--mlir-to-llvmir"], lowered)
    ptx, _ = check([options.llc, "-O3", "-mtriple=nvptx64-nvidia-cuda", "-mcpu=sm_90a", "-mattr=+ptx90"], llvm)
    (folder / "kernel.ptx").write_text(ptx)
    if options.ptxas:
        _, messages = check([options.ptxas, "-arch=sm_90a", "-v", folder / "kernel.ptx", "-o", folder / "kernel.cubin"])
        if bad := re.search(r"C75\d\d.*|[1-9]\d* bytes spill stores", messages):
            raise RuntimeError(f"ptxas: {bad.group()}")


def run_case(case, options):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(options.keep or name) / case.name
        folder.mkdir(parents=True, exist_ok=True)
        compile_case(case, folder, options)
        if options.emulator:
            describe(case, folder)
            check([options.emulator, "run", folder / "kernel.ptx", "--launch", folder / "launch.json", "--strict",
                   "--seeds", options.seeds])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="take cases whose names contain one of these")
    parser.add_argument("--opt", default="tileiras-opt")
    parser.add_argument("--plugin", required=True, help="tileiras-sm90.so")
    parser.add_argument("--emulator")
    parser.add_argument("--translate", default="mlir-translate")
    parser.add_argument("--llc", default="llc")
    parser.add_argument("--ptxas")
    parser.add_argument("--seeds", default="2")
    parser.add_argument("--keep", help="keep programs and launches in this folder")
    parser.add_argument("--part", metavar="K/N", help="each N-th case only; commit/N: which, the commit says (tests/rotation.py)")
    parser.add_argument("-j", type=int, default=2)
    options = parser.parse_args()
    chosen = [case for case in cases() if not options.names or any(name in case.name for name in options.names)]
    chosen = rotation.choose_part(chosen, options.part, "products")

    def try_case(case):
        try:
            run_case(case, options)
        except RuntimeError as error:
            print(f"FAIL {case.name}: {error}")
            return False
        return True

    with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
        right = sum(pool.map(try_case, chosen))
    print(f"{right} of {len(chosen)} products are right")
    return 0 if chosen and right == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
