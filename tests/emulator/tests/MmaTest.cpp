//===- MmaTest.cpp - Matrix fragments against the ISA's tables -----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"
#include <bit>
#include <catch2/catch.hpp>
#include <functional>

using namespace ptxemu;
using namespace ptxemu::testing;

namespace {

struct Place {
  unsigned row, column;
};
/// Where element i of lane l's fragment lies, as the ISA's tables say (g = groupID, t = threadID_in_group).
using Fragment = std::function<Place(unsigned g, unsigned t, unsigned i)>;

struct Shape {
  const char *modifiers; ///< after mma.sync.aligned.
  unsigned m, k, elementBits, aElements, bElements;
  Fragment a, b; ///< b: row is k
  const char *accumulator = ".f32";
  std::function<uint64_t(int)> encode;
};

uint64_t f16(int v) {
  return v == 0 ? 0
                : (v < 0 ? 0x8000u : 0u) |
                      ((std::bit_cast<uint32_t>(static_cast<float>(std::abs(v))) >> 13) - (112u << 10));
}
uint64_t bf16(int v) {
  return std::bit_cast<uint32_t>(static_cast<float>(v)) >> 16;
}
uint64_t f32(int v) {
  return std::bit_cast<uint32_t>(static_cast<float>(v));
}
uint64_t f64(int v) {
  return std::bit_cast<uint64_t>(static_cast<double>(v));
}
uint64_t s8(int v) {
  return static_cast<uint8_t>(v);
}
uint64_t s4(int v) {
  return static_cast<uint8_t>(v) & 15;
}
uint64_t e4m3(int v) { // small integers
  constexpr uint8_t codes[] = {0x00, 0x38, 0x40, 0x44, 0x48};
  return codes[std::abs(v)] | (v < 0 ? 0x80 : 0);
}
uint64_t e5m2(int v) {
  constexpr uint8_t codes[] = {0x00, 0x3c, 0x40, 0x42, 0x44};
  return codes[std::abs(v)] | (v < 0 ? 0x80 : 0);
}

const Fragment kA16x16 = [](unsigned g, unsigned t, unsigned i) {
  return Place{i < 2 || (i >= 4 && i < 6) ? g : g + 8, t * 2 + (i & 1) + (i >= 4 ? 8 : 0)};
};
const Fragment kB16x8 = [](unsigned g, unsigned t, unsigned i) { return Place{t * 2 + (i & 1) + (i >= 2 ? 8 : 0), g}; };
const Fragment kA16x8 = [](unsigned g, unsigned t, unsigned i) { return Place{i < 2 ? g : g + 8, t * 2 + (i & 1)}; };
const Fragment kB8x8 = [](unsigned g, unsigned t, unsigned i) { return Place{t * 2 + i, g}; };
const Fragment kATf8 = [](unsigned g, unsigned t, unsigned i) {
  return Place{i == 0 || i == 2 ? g : g + 8, i < 2 ? t : t + 4};
};
const Fragment kBTf8 = [](unsigned g, unsigned t, unsigned i) { return Place{i == 0 ? t : t + 4, g}; };
const Fragment kATf4 = [](unsigned g, unsigned t, unsigned i) { return Place{i == 0 ? g : g + 8, t}; };
const Fragment kBTf4 = [](unsigned g, unsigned t, unsigned) { return Place{t, g}; };
const Fragment kA8x32 = [](unsigned g, unsigned t, unsigned i) {
  return Place{i < 4 || (i >= 8 && i < 12) ? g : g + 8, t * 4 + (i & 3) + (i >= 8 ? 16 : 0)};
};
const Fragment kB8x32 = [](unsigned g, unsigned t, unsigned i) {
  return Place{t * 4 + (i & 3) + (i >= 4 ? 16 : 0), g};
};
const Fragment kA8x16 = [](unsigned g, unsigned t, unsigned i) { return Place{i < 4 ? g : g + 8, t * 4 + (i & 3)}; };
const Fragment kB8x16 = [](unsigned g, unsigned t, unsigned i) { return Place{t * 4 + i, g}; };
const Fragment kA4x64 = [](unsigned g, unsigned t, unsigned i) {
  return Place{i < 8 || (i >= 16 && i < 24) ? g : g + 8, t * 8 + (i & 7) + (i >= 16 ? 32 : 0)};
};
const Fragment kB4x64 = [](unsigned g, unsigned t, unsigned i) {
  return Place{t * 8 + (i & 7) + (i >= 8 ? 32 : 0), g};
};
const Fragment kAF64 = [](unsigned g, unsigned t, unsigned) { return Place{g, t}; };
const Fragment kBF64 = [](unsigned g, unsigned t, unsigned) { return Place{t, g}; };
const Fragment kAM8 = [](unsigned g, unsigned t, unsigned i) { return Place{g, t * 4 + i}; };

const Shape kShapes[] = {
    {"m16n8k16.row.col.f32.f16.f16.f32", 16, 16, 16, 8, 4, kA16x16, kB16x8, ".f32", f16},
    {"m16n8k8.row.col.f32.f16.f16.f32", 16, 8, 16, 4, 2, kA16x8, kB8x8, ".f32", f16},
    {"m16n8k16.row.col.f16.f16.f16.f16", 16, 16, 16, 8, 4, kA16x16, kB16x8, ".f16", f16},
    {"m16n8k16.row.col.f32.bf16.bf16.f32", 16, 16, 16, 8, 4, kA16x16, kB16x8, ".f32", bf16},
    {"m16n8k8.row.col.f32.bf16.bf16.f32", 16, 8, 16, 4, 2, kA16x8, kB8x8, ".f32", bf16},
    {"m16n8k8.row.col.f32.tf32.tf32.f32", 16, 8, 32, 4, 2, kATf8, kBTf8, ".f32", f32},
    {"m16n8k4.row.col.f32.tf32.tf32.f32", 16, 4, 32, 2, 1, kATf4, kBTf4, ".f32", f32},
    {"m16n8k32.row.col.s32.s8.s8.s32", 16, 32, 8, 16, 8, kA8x32, kB8x32, ".s32", s8},
    {"m16n8k16.row.col.s32.s8.s8.s32", 16, 16, 8, 8, 4, kA8x16, kB8x16, ".s32", s8},
    {"m8n8k16.row.col.s32.s8.s8.s32", 8, 16, 8, 4, 4, kAM8, kB8x16, ".s32", s8},
    {"m16n8k64.row.col.s32.s4.s4.s32", 16, 64, 4, 32, 16, kA4x64, kB4x64, ".s32", s4},
    {"m16n8k32.row.col.f32.e4m3.e4m3.f32", 16, 32, 8, 16, 8, kA8x32, kB8x32, ".f32", e4m3},
    {"m16n8k32.row.col.f32.e5m2.e5m2.f32", 16, 32, 8, 16, 8, kA8x32, kB8x32, ".f32", e5m2},
    {"m8n8k4.row.col.f64.f64.f64.f64", 8, 4, 64, 1, 1, kAF64, kBF64, ".f64", f64},
};

/// Each lane loads its fragment registers from its own 256 bytes, multiplies, stores the result.
std::string program(const Shape &s, unsigned aRegs, unsigned bRegs, unsigned cRegs) {
  bool is64 = s.elementBits == 64, cIs64 = std::string(s.accumulator) == ".f64";
  auto list = [](const char *prefix, unsigned n) {
    std::string text = "{";
    for (unsigned i = 0; i < n; ++i)
      text += std::string(i ? ", " : "") + "%" + prefix + std::to_string(i);
    return text + "}";
  };
  std::string word = is64 ? ".b64" : ".b32", cWord = cIs64 ? ".b64" : ".b32", body;
  unsigned step = is64 ? 8 : 4, cStep = cIs64 ? 8 : 4, at = 0;
  auto loads = [&](const char *prefix, unsigned n, const std::string &type, unsigned bytes) {
    for (unsigned i = 0; i < n; ++i, at += bytes)
      body += "  ld.global" + type + " %" + prefix + std::to_string(i) + ", [%base+" + std::to_string(at) + "];\n";
  };
  loads("a", aRegs, word, step);
  loads("b", bRegs, word, step);
  loads("c", cRegs, cWord, cStep);
  body += "  mma.sync.aligned." + std::string(s.modifiers) + " " + list("d", cRegs) + ", " + list("a", aRegs) + ", " +
          list("b", bRegs) + ", " + list("c", cRegs) + ";\n";
  for (unsigned i = 0; i < cRegs; ++i)
    body += "  st.global" + cWord + " [%base+" + std::to_string(i * cStep) + "], %d" + std::to_string(i) + ";\n";
  return ".version 8.7\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 out)\n.reqntid 32\n{\n  .reg "
         ".b64 %base, %off;\n  .reg .b32 %i;\n  .reg " +
         word + " %a<8>, %b<8>;\n  .reg " + cWord +
         " %c<8>, %d<8>;\n  ld.param.u64 %base, [out];\n  mov.u32 %i, %tid.x;\n  mul.wide.u32 %off, %i, 256;\n" +
         "  add.u64 %base, %base, %off;\n" + body + "  ret;\n}\n";
}

int valueA(unsigned r, unsigned c) {
  return static_cast<int>((r * 5 + c * 3) % 7) - 3;
}
int valueB(unsigned r, unsigned c) {
  return static_cast<int>((r * 11 + c * 5) % 9) - 4;
}
int valueC(unsigned r, unsigned c) {
  return static_cast<int>((r + c * 2) % 5) - 2;
}

} // namespace

TEST_CASE("mma.sync fragments follow the ISA's tables") {
  for (const Shape &s : kShapes) {
    INFO(s.modifiers);
    unsigned registerBits = s.elementBits == 64 ? 64 : 32, per = registerBits / s.elementBits;
    unsigned aRegs = s.aElements / per, bRegs = s.bElements / per;
    bool half = std::string(s.accumulator) == ".f16", isDouble = std::string(s.accumulator) == ".f64",
         isInt = std::string(s.accumulator) == ".s32";
    unsigned cElements = s.m * 8 / 32, cRegs = half ? cElements / 2 : cElements;
    std::vector<uint8_t> memory(32 * 256);
    auto put = [&](unsigned lane, unsigned at, unsigned bits, unsigned element, uint64_t v) {
      uint64_t word = 0;
      unsigned bit = element * bits, byte = lane * 256 + at + bit / 8;
      std::memcpy(&word, &memory[byte], std::max(1u, bits / 8));
      word |= bits < 8 ? v << (bit % 8) : v;
      std::memcpy(&memory[byte], &word, std::max(1u, bits / 8));
    };
    auto placeC = [](unsigned g, unsigned t, unsigned i) { return Place{i < 2 ? g : g + 8, t * 2 + (i & 1)}; };
    unsigned bAt = aRegs * registerBits / 8, cAt = bAt + bRegs * registerBits / 8;
    for (unsigned lane = 0; lane < 32; ++lane) {
      unsigned g = lane >> 2, t = lane & 3;
      for (unsigned i = 0; i < s.aElements; ++i) {
        Place p = s.a(g, t, i);
        put(lane, 0, s.elementBits, i, s.encode(valueA(p.row, p.column)));
      }
      for (unsigned i = 0; i < s.bElements; ++i) {
        Place p = s.b(g, t, i);
        put(lane, bAt, s.elementBits, i, s.encode(valueB(p.row, p.column)));
      }
      for (unsigned i = 0; i < cElements; ++i) {
        Place p = placeC(g, t, i);
        int v = valueC(p.row, p.column);
        put(lane, cAt,
            half       ? 16
            : isDouble ? 64
                       : 32,
            i,
            half       ? f16(v)
            : isDouble ? f64(v)
            : isInt    ? static_cast<uint32_t>(v)
                       : f32(v));
      }
    }
    Run run(program(s, aRegs, bRegs, cRegs));
    uint64_t address = run.buffer(memory);
    run.argument(address);
    LaunchResult r = run.launch();
    INFO((r.ok() ? "" : r.diagnostics[0].render()));
    REQUIRE(r.ok());
    std::vector<uint8_t> out = run.read<uint8_t>(address, memory.size());
    bool correct = true;
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned i = 0; i < cElements; ++i) {
        Place p = placeC(lane >> 2, lane & 3, i);
        int sum = valueC(p.row, p.column);
        for (unsigned k = 0; k < s.k; ++k)
          sum += valueA(p.row, k) * valueB(k, p.column);
        uint64_t got = 0, expected = half       ? f16(sum)
                                     : isDouble ? f64(sum)
                                     : isInt    ? static_cast<uint32_t>(sum)
                                                : f32(sum);
        unsigned bytes = half ? 2 : isDouble ? 8 : 4;
        std::memcpy(&got, &out[lane * 256 + i * bytes], bytes);
        correct &= got == expected;
      }
    CHECK(correct);
  }
}

TEST_CASE("ldmatrix and stmatrix move 8x8 matrices") {
  // Lane l writes row l of four matrices; ldmatrix gives them back, transposed or not.
  for (bool transposed : {false, true}) {
    std::string trans = transposed ? ".trans" : "";
    std::vector<uint32_t> out;
    LaunchResult r =
        runBody(kernel("mov.u32 %r1, s; shl.b32 %r2, %i, 4; add.u32 %r1, %r1, %r2; shl.b32 %r3, %i, 3;\n"
                       "add.u32 %r4, %r3, 1; shl.b32 %r4, %r4, 16; or.b32 %r4, %r4, %r3; add.u32 %r5, %r4, 0x20002; "
                       "add.u32 %r6, %r4, 0x40004; add.u32 "
                       "%r7, %r4, 0x60006;\nst.shared.v4.u32 [%r1], {%r4, %r5, %r6, %r7}; bar.warp.sync -1;\n"
                       "ldmatrix.sync.aligned.m8n8.x4" +
                           trans +
                           ".shared.b16 {%r10, %r11, %r12, %r13}, [%r1];\n"
                           "stmatrix.sync.aligned.m8n8.x4" +
                           trans +
                           ".shared.b16 [%r1+512], {%r10, %r11, %r12, %r13}; bar.warp.sync -1;\n"
                           "ld.shared.v4.u32 {%r20, %r21, %r22, %r23}, [%r1+512];\n"
                           "mul.wide.u32 %rd1, %i, 32; add.u64 %rd1, %out, %rd1; st.global.v4.u32 [%rd1], {%r10, %r11, "
                           "%r12, %r13}; st.global.v4.u32 "
                           "[%rd1+16], {%r20, %r21, %r22, %r23};",
                       32, ".shared .align 16 .b8 s[1024];"),
                256, 1, 1, &out);
    INFO((r.ok() ? "" : r.diagnostics[0].render()));
    REQUIRE(r.ok());
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned m = 0; m < 4; ++m) {
        auto element = [&](unsigned row, unsigned column) { return (m * 8 + row) * 8 + column; };
        unsigned row = lane / 4, column = lane % 4 * 2;
        unsigned low = transposed ? element(column, row) : element(row, column),
                 high = transposed ? element(column + 1, row) : element(row, column + 1);
        CHECK(out[lane * 8 + m] == (low | high << 16));
        CHECK(out[lane * 8 + 4 + m] == ((lane * 8 + 2 * m) | (lane * 8 + 2 * m + 1) << 16)); // back where they were
      }
  }
}
