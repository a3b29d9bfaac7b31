"""Kernels that execute every instruction whose result the ISA fixes to the bit, on the same operands.

One kernel a group; thread t takes operand triple t, and writes the results of all instructions of the group, 8 bytes
each: results[instruction][thread].
"""

import random
import struct

THREADS = 1024
BLOCK = 128

# (instruction, result bits, operand bits). Operands are named a, b, c. 8: the low byte in a 32-bit register. The ISA
# restricts positions and lengths of bfe to 255; beyond them hardware's bfe.s64 takes all 32 bits, not the lower 8.
INTEGER = [(f"{op}.{t}", w, [w, w]) for t, w in (("s32", 32), ("u32", 32), ("s64", 64), ("u64", 64), ("s16", 16), ("u16", 16))
           for op in ("add", "sub", "min", "max", "mul.lo", "mul.hi")]
INTEGER += [(f"mul.wide.{t}", 2 * w, [w, w]) for t, w in (("s16", 16), ("u16", 16), ("s32", 32), ("u32", 32))]
INTEGER += [(f"mad.{part}.{t}", w, [w, w, w]) for t, w in (("s32", 32), ("u32", 32), ("s64", 64), ("u64", 64))
            for part in ("lo", "hi")]
INTEGER += [("mad24.lo.s32", 32, [32] * 3), ("mul24.hi.u32", 32, [32] * 2), ("sad.s32", 32, [32] * 3),
            ("sad.u64", 64, [64] * 3), ("add.sat.s32", 32, [32] * 2), ("sub.sat.s32", 32, [32] * 2),
            ("abs.s32", 32, [32]), ("neg.s64", 64, [64]), ("dp4a.s32.u32", 32, [32] * 3), ("dp4a.u32.s32", 32, [32] * 3),
            ("dp2a.lo.s32.s32", 32, [32] * 3), ("dp2a.hi.u32.u32", 32, [32] * 3)]
BITS = [(f"{op}.b{w}", w, [w, w]) for op in ("and", "or", "xor") for w in (16, 32, 64)]
BITS += [("not.b64", 64, [64]), ("cnot.b32", 32, [32]), ("popc.b32", 32, [32]), ("popc.b64", 32, [64]),
         ("clz.b32", 32, [32]), ("clz.b64", 32, [64]), ("brev.b32", 32, [32]), ("brev.b64", 64, [64]),
         ("bfind.u32", 32, [32]), ("bfind.s64", 32, [64]), ("bfind.shiftamt.s32", 32, [32]),
         ("shl.b32", 32, [32, 32]), ("shl.b64", 64, [64, 32]), ("shr.s32", 32, [32, 32]), ("shr.u64", 64, [64, 32]),
         ("shr.s64", 64, [64, 32]), ("shf.l.wrap.b32", 32, [32] * 3), ("shf.r.clamp.b32", 32, [32] * 3),
         ("bfe.u32", 32, [32] * 3), ("bfe.s64", 64, [64, 8, 8]), ("bmsk.clamp.b32", 32, [32, 32]),
         ("prmt.b32", 32, [32] * 3), ("prmt.b32.f4e", 32, [32] * 3), ("prmt.b32.rc16", 32, [32] * 3),
         ("szext.wrap.s32", 32, [32, 32])]
FLOAT = [(f"{op}.{rnd}{ftz}.f32", 32, [32] * (3 if op == "fma" else 2)) for op in ("add", "sub", "mul", "fma", "div")
         for rnd in ("rn", "rz", "rm", "rp") for ftz in ("", ".ftz")]
FLOAT += [(f"{op}.{rnd}.f32", 32, [32]) for op in ("rcp", "sqrt") for rnd in ("rn", "rz", "rm", "rp")]
FLOAT += [("add.rn.sat.f32", 32, [32] * 2), ("fma.rn.sat.f32", 32, [32] * 3), ("abs.f32", 32, [32]), ("neg.ftz.f32", 32, [32])]
FLOAT += [(f"{op}{ftz}{nan}.f32", 32, [32, 32]) for op in ("min", "max") for ftz in ("", ".ftz") for nan in ("", ".NaN")]
DOUBLE = [(f"{op}.{rnd}.f64", 64, [64] * (3 if op == "fma" else 2)) for op in ("add", "sub", "mul", "fma", "div")
          for rnd in ("rn", "rz", "rm", "rp")] + [(f"sqrt.{rnd}.f64", 64, [64]) for rnd in ("rn", "rz", "rm", "rp")]
HALF = [(f"{op}.rn{sat}.f16x2", 32, [32] * (3 if op == "fma" else 2)) for op in ("add", "sub", "mul", "fma")
        for sat in ("", ".sat")]
HALF += [("fma.rn.relu.f16x2", 32, [32] * 3), ("fma.rn.bf16x2", 32, [32] * 3), ("fma.rn.relu.bf16x2", 32, [32] * 3),
         ("min.f16x2", 32, [32] * 2), ("max.NaN.f16x2", 32, [32] * 2), ("max.bf16x2", 32, [32] * 2),
         ("min.NaN.bf16x2", 32, [32] * 2)]
CONVERT = [(f"cvt.{rnd}.{d}.f32", 32, [32]) for d in ("s32", "u32") for rnd in ("rni", "rzi", "rmi", "rpi")]
CONVERT += [(f"cvt.{rnd}.{d}.f64", 64, [64]) for d in ("s64", "u64") for rnd in ("rni", "rzi", "rmi", "rpi")]
CONVERT += [(f"cvt.{rnd}.f32.{s}", 32, [w]) for s, w in (("s32", 32), ("u32", 32), ("s64", 64), ("u64", 64), ("f64", 64))
            for rnd in ("rn", "rz", "rm", "rp")]
CONVERT += [("cvt.f64.f32", 64, [32]), ("cvt.rn.f16.f32", 16, [32]), ("cvt.rz.f16.f32", 16, [32]), ("cvt.f32.f16", 32, [16]),
            ("cvt.rn.bf16.f32", 16, [32]), ("cvt.rn.f16x2.f32", 32, [32, 32]), ("cvt.rn.relu.f16x2.f32", 32, [32, 32]),
            ("cvt.rn.bf16x2.f32", 32, [32, 32]), ("cvt.rna.tf32.f32", 32, [32])]
CONVERT_90 = [("cvt.rn.satfinite.e4m3x2.f32", 16, [32, 32]), ("cvt.rn.satfinite.e5m2x2.f32", 16, [32, 32]),
              ("cvt.rn.f16x2.e4m3x2", 32, [16]), ("cvt.rn.f16x2.e5m2x2", 32, [16]), ("cvt.rn.tf32.f32", 32, [32])]

GROUPS = {"integer": (INTEGER, 80), "bits": (BITS, 80), "float": (FLOAT, 80), "double": (DOUBLE, 80), "half": (HALF, 80),
          "convert": (CONVERT, 80), "convert_fp8": (CONVERT_90, 90)}


def operand(rng, group):
    """64 bits. Small magnitudes, powers of two and their neighbours, and special floats are frequent."""
    if group == "double":  # NaN payloads are not part of the comparison
        value = rng.choice([0.0, -0.0, 1.0, -1.5, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, float("inf"),
                            rng.uniform(-4, 4), rng.gauss(0, 1) * 2.0 ** rng.randrange(-1000, 1000)])
        return struct.unpack("<Q", struct.pack("<d", value))[0]
    kind = rng.randrange(5)
    if kind == 0:
        return rng.getrandbits(64)
    if kind == 1:
        return (rng.randrange(-40, 40)) & (2 ** 64 - 1)
    if kind == 2:
        return ((1 << rng.randrange(64)) + rng.randrange(-1, 2)) & (2 ** 64 - 1)
    word = rng.choice([0, 0x80000000, 0x3F800000, 0x7F800000, 0xFF800000, 0x7FC00000, 1, 0x807FFFFF, 0x00800000, 0x7F7FFFFF,
                       struct.unpack("<I", struct.pack("<f", rng.gauss(0, 1) * 2.0 ** rng.randrange(-30, 30)))[0]])
    if group == "half":
        word = rng.choice([0, 0x8000, 0x3C00, 0x7C00, 1, 0x83FF, 0x0400, 0x7BFF, 0x3F80, rng.getrandbits(16)]) << 16 | rng.choice(
            [0, 0x3C00, 0xFC00, 0x7E00, 0x7F80, 1, 0x8001, rng.getrandbits(16)])
    return rng.getrandbits(32) << 32 | word


def operands(group):
    rng = random.Random(group)
    return struct.pack(f"<{3 * THREADS}Q", *(operand(rng, group) for _ in range(3 * THREADS)))




def ptx(group):
    forms, target = GROUPS[group]
    lines = [f"// {len(forms)} instructions whose results the ISA fixes; written by tests/gpu/exact.py.", ".version 8.0",
             f".target sm_{target}", ".address_size 64", "", ".visible .entry exact(.param .u64 operands, .param .u64 results)",
             f".reqntid {BLOCK}, 1, 1", "{", "  .reg .b16 %h<4>;", "  .reg .b32 %r<8>, %b<3>;", "  .reg .b64 %d<4>, %from, %to, %t;",
             "  mov.u32 %r4, %ctaid.x;", "  mov.u32 %r5, %tid.x;", f"  mad.lo.u32 %r4, %r4, {BLOCK}, %r5;",
             "  ld.param.u64 %from, [operands];", "  ld.param.u64 %to, [results];", "  mul.wide.u32 %t, %r4, 24;",
             "  add.u64 %from, %from, %t;", "  mul.wide.u32 %t, %r4, 8;", "  add.u64 %to, %to, %t;"]
    for i, name in enumerate("012"):
        lines += [f"  ld.global.b64 %d{i}, [%from+{8 * i}];", f"  cvt.u32.u64 %r{i}, %d{i};", f"  cvt.u16.u64 %h{i}, %d{i};",
                  f"  and.b32 %b{i}, %r{i}, 255;"]
    prefix = {8: "%b", 16: "%h", 32: "%r", 64: "%d"}
    for i, (instruction, bits, sources) in enumerate(forms):
        result = {16: "%h3", 32: "%r3", 64: "%d3"}[bits]
        arguments = ", ".join(f"{prefix[w]}{n}" for n, w in enumerate(sources))
        lines.append(f"  {instruction} {result}, {arguments};")
        if bits == 16:
            lines.append("  cvt.u64.u16 %d3, %h3;")
        elif bits == 32:
            lines.append("  cvt.u64.u32 %d3, %r3;")
        lines.append(f"  st.global.b64 [%to+{8 * THREADS * i}], %d3;")
    return "\n".join(lines + ["  ret;", "}", ""])


def launch(group):
    """launch.txt; the operands are `in`."""
    size = 8 * THREADS * len(GROUPS[group][0])
    return "\n".join([
        "kernel exact", f"grid {THREADS // BLOCK} 1 1", f"block {BLOCK} 1 1", f"buffer in {24 * THREADS} buf_in.bin",
        f"buffer results {size} buf_results.bin", "param ptr in 0", "param ptr results 0", f"read results {size} out_results.bin", ""
    ])
