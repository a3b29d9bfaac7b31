//===- ScalarTest.cpp - One instruction at a time, against independent values -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>

using namespace ptxemu;
using namespace ptxemu::testing;

namespace {

/// Runs `instruction` with %a, %b, %c (registers of `sources` bits) in one thread and returns %d.
struct Machine1 {
  static uint64_t run(const std::string &instruction, unsigned resultBits, unsigned sourceBits,
                      std::vector<uint64_t> operands, unsigned thirdBits = 0) {
    auto reg = [](unsigned bits) { return ".b" + std::to_string(bits); };
    auto load = [&](const char *name, unsigned bits, unsigned index) {
      // Registers of 8 bits do not exist: 16 hold them.
      return "  ld.global" + std::string(".b") + std::to_string(bits) + " %" + name + ", [%out+" +
             std::to_string(8 + 8 * index) + "];\n";
    };
    thirdBits = thirdBits ? thirdBits : sourceBits;
    std::string ptx = ".version 8.7\n.target sm_100a\n.address_size 64\n.visible .entry k(.param .u64 out)\n.reqntid "
                      "1\n{\n  .reg .b64 %out;\n  .reg " +
                      reg(resultBits) + " %d;\n  .reg " + reg(sourceBits) + " %a, %b;\n  .reg " + reg(thirdBits) +
                      " %c;\n  .reg .pred %p, %q;\n  .reg .b32 %e, %x;\n" + "  ld.param.u64 %out, [out];\n" +
                      load("a", sourceBits, 0) + load("b", sourceBits, 1) + load("c", thirdBits, 2) + "  " +
                      instruction + "\n  st.global.b" + std::to_string(resultBits) + " [%out], %d;\n  ret;\n}\n";
    Run r(ptx);
    operands.resize(3);
    operands.insert(operands.begin(), 0);
    uint64_t address = r.buffer(operands);
    r.argument(address);
    LaunchResult result = r.launch();
    INFO(instruction << "\n" << (result.ok() ? "" : result.diagnostics[0].render()));
    REQUIRE(result.ok());
    return r.read<uint64_t>(address, 1)[0];
  }
};

uint64_t f(float v) {
  return std::bit_cast<uint32_t>(v);
}
uint64_t d(double v) {
  return std::bit_cast<uint64_t>(v);
}

struct Row {
  const char *instruction;
  unsigned result, source;
  std::vector<uint64_t> operands;
  uint64_t expected;
  unsigned third = 0;
};

constexpr uint64_t kM1 = 0xffffffff;

const std::vector<Row> kInteger = {
    {"add.u32 %d, %a, %b;", 32, 32, {kM1, 2}, 1},
    {"add.s32 %d, %a, -5;", 32, 32, {3}, 0xfffffffe},
    {"add.sat.s32 %d, %a, %b;", 32, 32, {0x7fffffff, 1}, 0x7fffffff},
    {"sub.sat.s32 %d, %a, %b;", 32, 32, {0x80000000, 1}, 0x80000000},
    {"add.u16 %d, %a, %b;", 16, 16, {0xffff, 3}, 2},
    {"add.s64 %d, %a, %b;", 64, 64, {~0ull, 2}, 1},
    {"add.u16x2 %d, %a, %b;", 32, 32, {0xffff0001, 0x00020003}, 0x00010004},
    {"min.s16x2 %d, %a, %b;", 32, 32, {0xffff0001, 0x00020003}, 0xffff0001},
    {"max.relu.s16x2 %d, %a, %b;", 32, 32, {0xfffffff1, 0xfffe0003}, 0x00000003},
    {"sub.u64 %d, %a, %b;", 64, 64, {0, 1}, ~0ull},
    {"mul.lo.s32 %d, %a, %b;", 32, 32, {kM1, 7}, 0xfffffff9},
    {"mul.hi.s32 %d, %a, %b;", 32, 32, {kM1, 7}, kM1},
    {"mul.hi.u32 %d, %a, %b;", 32, 32, {kM1, 7}, 6},
    {"mul.hi.u64 %d, %a, %b;", 64, 64, {~0ull, 16}, 15},
    {"mul.hi.s64 %d, %a, %b;", 64, 64, {~0ull, 16}, ~0ull},
    {"mul.hi.u16 %d, %a, %b;", 16, 16, {0xffff, 0x10}, 0xf},
    {"mul.wide.u16 %d, %a, %b;", 32, 16, {0xffff, 0xffff}, 0xfffe0001},
    {"mul.wide.s16 %d, %a, %b;", 32, 16, {0xffff, 5}, 0xfffffffb},
    {"mul.wide.s32 %d, %a, %b;", 64, 32, {kM1, 5}, static_cast<uint64_t>(-5)},
    {"mul.wide.u32 %d, %a, %b;", 64, 32, {kM1, 5}, 0x4fffffffb},
    {"mad.lo.u32 %d, %a, %b, %c;", 32, 32, {7, 6, 8}, 50},
    {"mad.hi.u32 %d, %a, %b, %c;", 32, 32, {kM1, 16, 1}, 16},
    {"mad.wide.s32 %d, %a, %b, %c;", 64, 32, {kM1, 5, 7}, 2, 64},
    {"mad.hi.sat.s32 %d, %a, %b, %c;", 32, 32, {0x7fffffff, 0x7fffffff, 0x7fffffff}, 0x7fffffff},
    {"mul24.lo.u32 %d, %a, %b;", 32, 32, {0xff000003, 5}, 15},
    {"mul24.hi.s32 %d, %a, %b;", 32, 32, {0x00ffffff, 0x00000100}, kM1},
    {"div.s32 %d, %a, %b;", 32, 32, {static_cast<uint32_t>(-7), 2}, static_cast<uint32_t>(-3)},
    {"div.u32 %d, %a, %b;", 32, 32, {kM1, 2}, 0x7fffffff},
    {"rem.s32 %d, %a, %b;", 32, 32, {static_cast<uint32_t>(-7), 2}, kM1},
    {"rem.u64 %d, %a, %b;", 64, 64, {100, 7}, 2},
    {"div.s64 %d, %a, %b;", 64, 64, {1ull << 63, ~0ull}, 1ull << 63},
    {"abs.s32 %d, %a;", 32, 32, {kM1}, 1},
    {"neg.s16 %d, %a;", 16, 16, {1}, 0xffff},
    {"min.s32 %d, %a, %b;", 32, 32, {kM1, 1}, kM1},
    {"min.u32 %d, %a, %b;", 32, 32, {kM1, 1}, 1},
    {"max.s64 %d, %a, %b;", 64, 64, {~0ull, 1}, 1},
    {"sad.s32 %d, %a, %b, %c;", 32, 32, {kM1, 4, 10}, 15},
    {"dp4a.s32.s32 %d, %a, %b, %c;", 32, 32, {0xff020304, 0x01010101, 100}, 108},
    {"dp4a.u32.s32 %d, %a, %b, %c;", 32, 32, {0xff000000, 0xff000000, 0}, static_cast<uint32_t>(-255)},
    {"dp2a.lo.s32.s32 %d, %a, %b, %c;", 32, 32, {0x00020003, 0x05060708, 1}, 2 * 7 + 3 * 8 + 1},
    {"dp2a.hi.s32.s32 %d, %a, %b, %c;", 32, 32, {0x00020003, 0x05060708, 1}, 2 * 5 + 3 * 6 + 1},
    {"add.cc.u32 %d, %a, %b; addc.u32 %d, %c, 0;", 32, 32, {kM1, 1, 41}, 42},
    {"sub.cc.u32 %d, %a, %b; subc.u32 %d, %c, 0;", 32, 32, {0, 1, 41}, 40},
    {"mad.lo.cc.u32 %d, %a, %b, %c; madc.hi.u32 %d, %a, %b, 0;", 32, 32, {kM1, kM1, kM1}, kM1},
};

const std::vector<Row> kBits = {
    {"and.b32 %d, %a, %b;", 32, 32, {0xff00ff00, 0x0ff00ff0}, 0x0f000f00},
    {"xor.b64 %d, %a, %b;", 64, 64, {~0ull, 0xff}, ~0xffull},
    {"not.b16 %d, %a;", 16, 16, {0x00ff}, 0xff00},
    {"cnot.b32 %d, %a;", 32, 32, {0}, 1},
    {"shl.b32 %d, %a, %x;", 32, 32, {3}, 48},
    {"popc.b64 %d, %a;", 32, 64, {0xf0f0f0f0f0f0f0f0}, 32},
    {"clz.b32 %d, %a;", 32, 32, {0x00010000}, 15},
    {"clz.b64 %d, %a;", 32, 64, {1}, 63},
    {"brev.b32 %d, %a;", 32, 32, {1}, 0x80000000},
    {"bfind.u32 %d, %a;", 32, 32, {0x00010000}, 16},
    {"bfind.s32 %d, %a;", 32, 32, {0xfffffff0}, 3},
    {"bfind.shiftamt.u32 %d, %a;", 32, 32, {0x00010000}, 15},
    {"bfind.u32 %d, %a;", 32, 32, {0}, kM1},
    {"bfe.u32 %d, %a, 4, 8;", 32, 32, {0x12345678}, 0x67},
    {"bfe.s32 %d, %a, 4, 4;", 32, 32, {0x000000f0}, kM1},
    {"bfe.s32 %d, %a, 28, 8;", 32, 32, {0x80000000}, 0xfffffff8},
    {"bfe.u64 %d, %a, 60, 8;", 64, 64, {0xf000000000000000}, 0xf},
    {"bfi.b32 %d, %a, %b, 8, 8;", 32, 32, {0xab, 0x11223344}, 0x1122ab44},
    {"bmsk.clamp.b32 %d, %a, %b;", 32, 32, {4, 8}, 0xff0},
    {"szext.wrap.s32 %d, %a, %b;", 32, 32, {0x8, 4}, 0xfffffff8},
    {"fns.b32 %d, %a, 0, 3;", 32, 32, {0xaaaa}, 5},
    {"prmt.b32 %d, %a, %b, 0x7531;", 32, 32, {0x33221100, 0x77665544}, 0x77553311},
    {"prmt.b32 %d, %a, %b, 0x8;", 32, 32, {0x80, 0}, 0x808080ff},
    {"prmt.b32.f4e %d, %a, %b, 1;", 32, 32, {0x33221100, 0x77665544}, 0x44332211},
    {"prmt.b32.b4e %d, %a, %b, 1;", 32, 32, {0x33221100, 0x77665544}, 0x66770011},
    {"prmt.b32.rc16 %d, %a, %b, 1;", 32, 32, {0x33221100, 0}, 0x33223322},
    {"shf.l.wrap.b32 %d, %a, %b, %c;", 32, 32, {0x80000000, 1, 33}, 3},
    {"shf.l.clamp.b32 %d, %a, %b, %c;", 32, 32, {0x80000000, 1, 33}, 0x80000000},
    {"shf.r.wrap.b32 %d, %a, %b, %c;", 32, 32, {0x80000000, 1, 4}, 0x18000000},
    {"shf.r.clamp.b32 %d, %a, %b, %c;", 32, 32, {5, 9, 40}, 9},
    {"lop3.b32 %d, %a, %b, %c, 0xe8;", 32, 32, {0b1100, 0b1010, 0b1001}, 0b1000},
    {"shr.s32 %d, %a, 40;", 32, 32, {0x80000000}, kM1},
    {"shr.u32 %d, %a, 32;", 32, 32, {0x80000000}, 0},
    {"shl.b64 %d, %a, 63;", 64, 64, {3}, 1ull << 63},
    {"shr.s16 %d, %a, 4;", 16, 16, {0x8000}, 0xf800},
};

const uint64_t kNaN = 0x7fffffff;

const std::vector<Row> kFloat = {
    {"add.f32 %d, %a, %b;", 32, 32, {f(1.5f), f(2.25f)}, f(3.75f)},
    {"add.rz.f32 %d, %a, %b;", 32, 32, {f(1.0f), f(0x1.8p-24f)}, f(1.0f)},
    {"add.rp.f32 %d, %a, %b;", 32, 32, {f(1.0f), f(0x1p-40f)}, f(1.0f + 0x1p-23f)},
    {"add.rm.f32 %d, %a, %b;", 32, 32, {f(1.0f), f(-1.0f)}, 0x80000000},
    {"add.rm.f32 %d, %a, %b;", 32, 32, {f(1.0f), f(-0x1p-40f)}, f(1.0f - 0x1p-24f)},
    {"add.ftz.f32 %d, %a, %b;", 32, 32, {1, 0x80000001}, 0},
    {"add.ftz.f32 %d, %a, %b;", 32, 32, {0x80000001, 0x80000001}, 0x80000000},
    {"add.sat.f32 %d, %a, %b;", 32, 32, {f(0.75f), f(0.5f)}, f(1.0f)},
    {"add.sat.f32 %d, %a, %b;", 32, 32, {kNaN, f(0.5f)}, 0},
    {"sub.f32 %d, %a, %b;", 32, 32, {f(INFINITY), f(INFINITY)}, kNaN},
    {"mul.f32 %d, %a, %b;", 32, 32, {0xffc12345, f(1)}, kNaN},
    {"mul.rz.f32 %d, %a, %b;", 32, 32, {0x7f7fffff, f(2)}, 0x7f7fffff},
    {"mul.ftz.f32 %d, %a, %b;", 32, 32, {f(0x1p-100f), f(-0x1p-40f)}, 0x80000000},
    {"fma.rn.f32 %d, %a, %b, %c;", 32, 32, {f(1 + 0x1p-23f), f(1 - 0x1p-23f), f(-1.0f)}, f(-0x1p-46f)},
    {"fma.rz.f32 %d, %a, %b, %c;", 32, 32, {f(3), f(1.0f), f(0x1p-30f)}, f(3)},
    {"fma.rp.f32 %d, %a, %b, %c;", 32, 32, {f(3), f(1.0f), f(0x1p-30f)}, f(3 + 0x1p-22f)},
    {"div.rn.f32 %d, %a, %b;", 32, 32, {f(1), f(3)}, 0x3eaaaaab},
    {"div.rz.f32 %d, %a, %b;", 32, 32, {f(1), f(3)}, 0x3eaaaaaa},
    {"div.rp.f32 %d, %a, %b;", 32, 32, {f(-1), f(3)}, 0xbeaaaaaa},
    {"rcp.rn.f32 %d, %a;", 32, 32, {f(3)}, 0x3eaaaaab},
    {"sqrt.rn.f32 %d, %a;", 32, 32, {f(2)}, 0x3fb504f3},
    {"sqrt.rp.f32 %d, %a;", 32, 32, {f(2)}, 0x3fb504f4},
    {"sqrt.rn.f32 %d, %a;", 32, 32, {f(-1)}, kNaN},
    {"min.f32 %d, %a, %b;", 32, 32, {f(-0.0f), f(0.0f)}, 0x80000000},
    {"max.f32 %d, %a, %b;", 32, 32, {kNaN, f(2)}, f(2)},
    {"max.NaN.f32 %d, %a, %b;", 32, 32, {kNaN, f(2)}, kNaN},
    {"min.xorsign.abs.f32 %d, %a, %b;", 32, 32, {f(-3), f(2)}, f(-2)},
    {"max.f32 %d, %a, %b, %c;", 32, 32, {f(1), f(7), f(3)}, f(7)},
    {"abs.f32 %d, %a;", 32, 32, {f(-3)}, f(3)},
    {"neg.ftz.f32 %d, %a;", 32, 32, {1}, 0x80000000},
    {"copysign.f32 %d, %a, %b;", 32, 32, {f(-1), f(5)}, f(-5)},
    {"add.f64 %d, %a, %b;", 64, 64, {d(0.1), d(0.2)}, d(0.1 + 0.2)},
    {"add.rp.f64 %d, %a, %b;", 64, 64, {d(1), d(0x1p-80)}, d(1 + 0x1p-52)},
    {"fma.rn.f64 %d, %a, %b, %c;", 64, 64, {d(1 + 0x1p-52), d(1 - 0x1p-52), d(-1)}, d(-0x1p-104)},
    {"div.rz.f64 %d, %a, %b;", 64, 64, {d(1), d(3)}, 0x3fd5555555555555},
    {"rcp.rn.f64 %d, %a;", 64, 64, {d(4)}, d(0.25)},
    {"sqrt.rm.f64 %d, %a;", 64, 64, {d(2)}, 0x3ff6a09e667f3bcc},
    {"min.f64 %d, %a, %b;", 64, 64, {d(1), d(-2)}, d(-2)},
    {"add.rn.f32x2 %d, %a, %b;", 64, 64, {f(1) | f(2) << 32, f(3) | f(5) << 32}, f(4) | f(7) << 32},
    {"fma.rn.f32x2 %d, %a, %b, %c;",
     64,
     64,
     {f(1) | f(2) << 32, f(3) | f(5) << 32, f(1) | f(1) << 32},
     f(4) | f(11) << 32},
    {"add.f16 %d, %a, %b;", 16, 16, {0x3c00, 0x4000}, 0x4200},
    {"add.rn.f16x2 %d, %a, %b;", 32, 32, {0x3c003c00, 0x40003c00}, 0x42004000},
    {"mul.f16 %d, %a, %b;", 16, 16, {0x7bff, 0x4000}, 0x7c00},
    {"fma.rn.relu.f16 %d, %a, %b, %c;", 16, 16, {0x3c00, 0xc000, 0x3c00}, 0},
    {"fma.rn.sat.f16 %d, %a, %b, %c;", 16, 16, {0x4000, 0x4000, 0}, 0x3c00},
    {"sub.ftz.f16 %d, %a, %b;", 16, 16, {0x0400, 0x0200}, 0x0400},
    {"add.rn.bf16 %d, %a, %b;", 16, 16, {0x3f80, 0x3b80}, 0x3f80},
    {"fma.rn.bf16x2 %d, %a, %b, %c;", 32, 32, {0x40003f80, 0x40403f80, 0x3f803f80}, 0x40e04000},
    {"max.NaN.bf16 %d, %a, %b;", 16, 16, {0x7fc0, 0x3f80}, 0x7fff},
    {"neg.bf16x2 %d, %a;", 32, 32, {0x3f803f80}, 0xbf80bf80},
    {"abs.f16x2 %d, %a;", 32, 32, {0xbc00bc00}, 0x3c003c00},
    {"min.f16x2 %d, %a, %b;", 32, 32, {0x7e003c00, 0x40004000}, 0x40003c00},
};

const std::vector<Row> kConversion = {
    {"cvt.u32.u16 %d, %a;", 32, 16, {0x8000}, 0x8000},
    {"cvt.s32.s16 %d, %a;", 32, 16, {0x8000}, 0xffff8000},
    {"cvt.s32.s8 %d, %a;", 32, 32, {0x180}, 0xffffff80},
    {"cvt.u16.u8 %d, %a;", 16, 32, {0x1ff}, 0xff},
    {"cvt.sat.u8.s32 %d, %a;", 32, 32, {0xfffffff0}, 0},
    {"cvt.sat.s8.s32 %d, %a;", 32, 32, {1000}, 127},
    {"cvt.u64.u32 %d, %a;", 64, 32, {kM1}, kM1},
    {"cvt.s64.s32 %d, %a;", 64, 32, {kM1}, ~0ull},
    {"cvt.u32.u64 %d, %a;", 32, 64, {0x123456789a}, 0x3456789a},
    {"cvt.rn.f32.s32 %d, %a;", 32, 32, {16777217}, f(16777216)},
    {"cvt.rp.f32.s32 %d, %a;", 32, 32, {16777217}, f(16777218)},
    {"cvt.rn.f32.u64 %d, %a;", 32, 64, {~0ull}, f(0x1p64f)},
    {"cvt.rz.f32.u64 %d, %a;", 32, 64, {~0ull}, 0x5f7fffff},
    {"cvt.rn.f64.s64 %d, %a;", 64, 64, {(1ull << 53) + 1}, d(0x1p53)},
    {"cvt.rz.f64.u64 %d, %a;", 64, 64, {~0ull}, 0x43efffffffffffff},
    {"cvt.rn.f16.s32 %d, %a;", 16, 32, {2049}, 0x6800},
    {"cvt.rzi.s32.f32 %d, %a;", 32, 32, {f(-1.9f)}, kM1},
    {"cvt.rni.s32.f32 %d, %a;", 32, 32, {f(2.5f)}, 2},
    {"cvt.rmi.s32.f32 %d, %a;", 32, 32, {f(-1.1f)}, static_cast<uint32_t>(-2)},
    {"cvt.rpi.u32.f32 %d, %a;", 32, 32, {f(1.1f)}, 2},
    {"cvt.rzi.s32.f32 %d, %a;", 32, 32, {f(3e9f)}, 0x7fffffff},
    {"cvt.rzi.u32.f32 %d, %a;", 32, 32, {f(-5)}, 0},
    {"cvt.rzi.s32.f32 %d, %a;", 32, 32, {kNaN}, 0},
    {"cvt.rzi.s32.f64 %d, %a;", 32, 64, {0x7ff8000000000000}, 0x80000000},
    {"cvt.rzi.u64.f64 %d, %a;", 64, 64, {d(1e19)}, 10000000000000000000ull},
    {"cvt.rzi.u8.f32 %d, %a;", 32, 32, {f(300)}, 255},
    {"cvt.rn.f32.f64 %d, %a;", 32, 64, {d(1 + 0x1p-24)}, f(1)},
    {"cvt.rp.f32.f64 %d, %a;", 32, 64, {d(1 + 0x1p-50)}, f(1 + 0x1p-23f)},
    {"cvt.f64.f32 %d, %a;", 64, 32, {f(1.5f)}, d(1.5)},
    {"cvt.rn.f16.f32 %d, %a;", 16, 32, {f(65520)}, 0x7c00},
    {"cvt.rn.f16.f32 %d, %a;", 16, 32, {f(0x1p-24f)}, 1},
    {"cvt.rz.f16.f32 %d, %a;", 16, 32, {f(65535)}, 0x7bff},
    {"cvt.f32.f16 %d, %a;", 32, 16, {0x0001}, f(0x1p-24f)},
    {"cvt.rn.bf16.f32 %d, %a;", 16, 32, {0x3f808000}, 0x3f80},
    {"cvt.rn.bf16.f32 %d, %a;", 16, 32, {0x3f818000}, 0x3f82},
    {"cvt.f32.bf16 %d, %a;", 32, 16, {0x4049}, 0x40490000},
    {"cvt.rn.bf16x2.f32 %d, %a, %b;", 32, 32, {f(1), f(2)}, 0x3f804000},
    {"cvt.rn.f16x2.f32 %d, %a, %b;", 32, 32, {f(1), f(2)}, 0x3c004000},
    {"cvt.rn.relu.f16x2.f32 %d, %a, %b;", 32, 32, {f(-1), f(2)}, 0x00004000},
    {"cvt.rna.tf32.f32 %d, %a;", 32, 32, {0x3f801000}, 0x3f802000},
    {"cvt.rni.f32.f32 %d, %a;", 32, 32, {f(-2.5f)}, f(-2)},
    {"cvt.rpi.f32.f32 %d, %a;", 32, 32, {f(-0.5f)}, 0x80000000},
    {"cvt.sat.f32.f32 %d, %a;", 32, 32, {f(7)}, f(1)},
    {"cvt.ftz.f32.f16 %d, %a;", 32, 16, {0x3c00}, f(1)},
    {"cvt.rn.satfinite.e4m3x2.f32 %d, %a, %b;", 16, 32, {f(1), f(1000)}, 0x387e},
    {"cvt.rn.satfinite.e5m2x2.f32 %d, %a, %b;", 16, 32, {f(1), f(-1e6f)}, 0x3cfb},
    {"cvt.rn.satfinite.e4m3x2.f16x2 %d, %a;", 16, 32, {0x3c00c000}, 0x38c0},
    {"cvt.rn.f16x2.e4m3x2 %d, %a;", 32, 16, {0x38c0}, 0x3c00c000},
    {"cvt.rn.f16x2.e5m2x2 %d, %a;", 32, 16, {0x3cc0}, 0x3c00c000},
    {"cvt.rn.satfinite.e4m3x2.f32 %d, %a, %b;", 16, 32, {kNaN, f(0x1p-9f)}, 0x7f01},
    {"cvt.pack.sat.s16.s32 %d, %a, %b;", 32, 32, {70000, kM1}, 0x7fffffff},
    {"cvt.pack.sat.u8.s32.b32 %d, %a, %b, %c;", 32, 32, {300, 0xfffffff0, 0x0000abcd}, 0xabcdff00},
    {"set.lt.u32.f32 %d, %a, %b;", 32, 32, {f(1), f(2)}, kM1},
    {"set.gt.f32.s32 %d, %a, %b;", 32, 32, {kM1, 2}, 0},
    {"setp.ltu.f32 %p, %a, %b; selp.b32 %d, 7, 9, %p;", 32, 32, {kNaN, f(2)}, 7},
    {"setp.lt.f32 %p, %a, %b; selp.b32 %d, 7, 9, %p;", 32, 32, {kNaN, f(2)}, 9},
    {"setp.ne.f32 %p, %a, %b; selp.b32 %d, 7, 9, %p;", 32, 32, {kNaN, f(2)}, 9},
    {"setp.hs.u32 %p|%q, %a, %b; selp.b32 %d, 7, 9, %q;", 32, 32, {kM1, 2}, 9},
    {"setp.lt.s16 %p, %a, %b; selp.b16 %d, 7, 9, %p;", 16, 16, {0xffff, 2}, 7},
    {"setp.gt.bf16x2 %p|%q, %a, %b; selp.b32 %d, 7, 9, %q;", 32, 32, {0x40003f80, 0x3f804000}, 7},
    {"slct.b32.s32 %d, %a, %b, %c;", 32, 32, {5, 6, kM1}, 6},
    {"slct.b32.f32 %d, %a, %b, %c;", 32, 32, {5, 6, 0x80000000}, 5},
    {"testp.subnormal.f32 %p, %a; selp.b32 %d, 1, 0, %p;", 32, 32, {1}, 1},
};

void check(const std::vector<Row> &rows) {
  for (const Row &r : rows) {
    std::string instruction = r.instruction;
    if (instruction.find("%x") != std::string::npos)
      instruction = "mov.u32 %x, 4; " + instruction;
    uint64_t got = Machine1::run(instruction, r.result, r.source, r.operands, r.third);
    INFO(r.instruction);
    CHECK(got == r.expected);
  }
}

} // namespace

TEST_CASE("integer arithmetic is exact") {
  check(kInteger);
}
TEST_CASE("logic, shifts and bit fields") {
  check(kBits);
}
TEST_CASE("IEEE arithmetic with rounding, ftz, saturation and NaN rules") {
  check(kFloat);
}
TEST_CASE("conversions, comparisons and selection") {
  check(kConversion);
}

TEST_CASE("approximate functions stay within the ISA's error") {
  struct Function {
    const char *instruction;
    double (*exact)(double);
    double low, high, relative, absolute;
  };
  const Function functions[] = {
      {"ex2.approx.f32 %d, %a;", [](double v) { return std::exp2(v); }, -20, 20, 0x1p-22, 0},
      {"lg2.approx.f32 %d, %a;", [](double v) { return std::log2(v); }, 0.001, 1000, 0x1p-22, 0x1p-22},
      {"rcp.approx.ftz.f32 %d, %a;", [](double v) { return 1 / v; }, 0.001, 1000, 0x1p-23, 0},
      {"rsqrt.approx.f32 %d, %a;", [](double v) { return 1 / std::sqrt(v); }, 0.001, 1000, 0x1p-22, 0},
      {"sqrt.approx.f32 %d, %a;", [](double v) { return std::sqrt(v); }, 0.001, 1000, 0x1p-23, 0},
      {"sin.approx.f32 %d, %a;", [](double v) { return std::sin(v); }, -3, 3, 0, 0x1p-20},
      {"cos.approx.f32 %d, %a;", [](double v) { return std::cos(v); }, -3, 3, 0, 0x1p-20},
      {"tanh.approx.f32 %d, %a;", [](double v) { return std::tanh(v); }, -4, 4, 0x1p-11, 0},
  };
  for (const Function &fn : functions)
    for (unsigned i = 0; i <= 20; ++i) {
      float v = static_cast<float>(fn.low + (fn.high - fn.low) * i / 20);
      double got = std::bit_cast<float>(static_cast<uint32_t>(Machine1::run(fn.instruction, 32, 32, {f(v)}))),
             exact = fn.exact(v);
      INFO(fn.instruction << " of " << v);
      CHECK(std::fabs(got - exact) <= fn.absolute + fn.relative * std::fabs(exact));
    }
}
