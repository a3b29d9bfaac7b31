//===- MmaTest.cpp - Every form of mma.sync against the ISA's tables -----===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GeneratedPtx.h"
#include "MatrixFormats.h"
#include "TestSupport.h"
#include <bit>
#include <catch2/catch.hpp>
#include <functional>
#include <map>

using namespace ptxemu;
using namespace ptxemu::testing;

namespace {

struct Place {
  unsigned row, column;
};
/// Where element i of a lane's fragment lies, as the ISA's formulas say (g = groupID, t = threadID_in_group).
using Fragment = std::function<Place(unsigned g, unsigned t, unsigned i)>;

// Multiplicand A: rows of A, columns along k.
const Fragment kA16K8 = [](unsigned g, unsigned t, unsigned i) { return Place{i < 2 ? g : g + 8, t * 2 + (i & 1)}; };
const Fragment kA16K16 = [](unsigned g, unsigned t, unsigned i) {
  return Place{i < 2 || (i >= 4 && i < 6) ? g : g + 8, t * 2 + (i & 1) + (i >= 4 ? 8 : 0)};
};
const Fragment kA32K4 = [](unsigned g, unsigned t, unsigned i) { return Place{i == 0 ? g : g + 8, t}; };
const Fragment kA32K8 = [](unsigned g, unsigned t, unsigned i) {
  return Place{i == 0 || i == 2 ? g : g + 8, i < 2 ? t : t + 4};
};
const Fragment kA64K16 = [](unsigned g, unsigned t, unsigned i) {
  return i % 2 == 0 ? Place{g, i * 2 + t} : Place{g + 8, i * 2 - 2 + t};
};
const Fragment kA8M8 = [](unsigned g, unsigned t, unsigned i) { return Place{g, t * 4 + i}; };
const Fragment kA8K16 = [](unsigned g, unsigned t, unsigned i) { return Place{i < 4 ? g : g + 8, t * 4 + (i & 3)}; };
const Fragment kA8K32 = [](unsigned g, unsigned t, unsigned i) {
  return Place{i < 4 || (i >= 8 && i < 12) ? g : g + 8, t * 4 + (i & 3) + (i >= 8 ? 16 : 0)};
};
const Fragment kA4M8 = [](unsigned g, unsigned t, unsigned i) { return Place{g, t * 8 + i}; };
const Fragment kA4K32 = [](unsigned g, unsigned t, unsigned i) { return Place{i < 8 ? g : g + 8, t * 8 + (i & 7)}; };
const Fragment kA4K64 = [](unsigned g, unsigned t, unsigned i) {
  return Place{i < 8 || (i >= 16 && i < 24) ? g : g + 8, t * 8 + (i & 7) + (i >= 16 ? 32 : 0)};
};
const Fragment kA1M8 = [](unsigned g, unsigned t, unsigned i) { return Place{g, t * 32 + i}; };
const Fragment kA1K128 = [](unsigned g, unsigned t, unsigned i) {
  return Place{i < 32 ? g : g + 8, t * 32 + (i & 31)};
};
const Fragment kA1K256 = [](unsigned g, unsigned t, unsigned i) {
  return Place{i < 32 || (i >= 64 && i < 96) ? g : g + 8, t * 32 + (i & 31) + (i >= 64 ? 128 : 0)};
};
const Fragment kA64M8 = [](unsigned g, unsigned t, unsigned) { return Place{g, t}; };

// Multiplicand B: rows along k, columns of B.
const Fragment kB16 = [](unsigned g, unsigned t, unsigned i) { return Place{t * 2 + (i & 1) + i / 2 * 8, g}; };
const Fragment kB32 = [](unsigned g, unsigned t, unsigned i) { return Place{t + i * 4, g}; };
const Fragment kB8 = [](unsigned g, unsigned t, unsigned i) { return Place{t * 4 + (i & 3) + i / 4 * 16, g}; };
const Fragment kB4 = [](unsigned g, unsigned t, unsigned i) { return Place{t * 8 + (i & 7) + i / 8 * 32, g}; };
const Fragment kFragmentB1 = [](unsigned g, unsigned t, unsigned i) {
  return Place{t * 32 + (i & 31) + i / 32 * 128, g};
};

struct MmaForm {
  std::string modifiers; ///< after mma(.sp).sync.aligned.
  ElementFormat a, b;
  unsigned m, k, aElements, bElements;
  Fragment placeA, placeB;
  char c = 'f', d = 'f';   ///< accumulators: f .f32, h .f16, d .f64, i .s32
  unsigned container = 0;  ///< bits, when wider than the element
  const char *sparse = ""; ///< .sp or .sp::ordered_metadata
  unsigned selector = 0, scales = 0;
  unsigned byteA = 0, threadA = 0, byteB = 0, threadB = 0;
  const char *target = "sm_90a";
  bool braces = false; ///< around single registers: CUTLASS and LLVM write them
  const char *version = "8.8";
};

unsigned containerOf(const MmaForm &f) {
  return f.container ? f.container : f.a.bits;
}
unsigned bytesOf(char accumulator) {
  return accumulator == 'd' ? 8 : accumulator == 'h' ? 2 : 4;
}

uint64_t encode(char accumulator, double v) {
  switch (accumulator) {
  case 'f':
    return std::bit_cast<uint32_t>(static_cast<float>(v));
  case 'd':
    return std::bit_cast<uint64_t>(v);
  case 'i':
    return static_cast<uint32_t>(static_cast<int64_t>(v));
  default:
    if (v == 0)
      return 0;
    int e;
    auto m = static_cast<uint32_t>(std::nearbyint(std::frexp(std::fabs(v), &e) * 2048)); // to even; carries fit
    return (v < 0 ? 0x8000u : 0) + (static_cast<uint32_t>(e + 13) << 10) + m;
  }
}

/// Loads the registers of all operands from the lane's 512 bytes, multiplies, and stores the result there.
class MmaProgram {
public:
  explicit MmaProgram(const MmaForm &f) : f(f) {
    bool wide = f.a.bits == 64;
    unsigned per = (wide ? 64 : 32) / containerOf(f);
    a = load("a", f.aElements / per, wide ? 8 : 4);
    b = load("b", f.bElements / per, wide ? 8 : 4);
    unsigned elements = quadPairs() ? 8 : f.m * 8 / 32;
    std::string cList = loadAccumulator(elements), dList = list("d", registers(f.d, elements));
    std::string tail;
    if (*f.sparse)
      tail += ", " + load("e", 1, 4) + ", " + std::to_string(f.selector);
    if (f.scales)
      tail += ", " + load("sa", 1, 4) + ", {" + std::to_string(f.byteA) + ", " + std::to_string(f.threadA) + "}, " +
              load("sb", 1, 4) + ", {" + std::to_string(f.byteB) + ", " + std::to_string(f.threadB) + "}";
    for (const char *single : {"{%e0}", "{%sa0}", "{%sb0}"})
      if (size_t at = tail.find(single); at != std::string::npos && !f.braces)
        tail.replace(at, std::string(single).size(), std::string(single).substr(1, std::string(single).size() - 2));
    body += "  mma" + std::string(f.sparse) + ".sync.aligned." + f.modifiers + " " + dList + ", " + a + ", " + b +
            ", " + cList + tail + ";\n";
    for (unsigned r = 0; r < registers(f.d, elements); ++r)
      body += "  st.global." + std::string(f.d == 'd' ? "b64" : "b32") + " [%base+" + std::to_string(r * wordOf(f.d)) +
              "], %d" + std::to_string(r) + ";\n";
  }
  bool quadPairs() const { return f.m == 8 && f.a.bits == 16; }
  unsigned offsetOf(const std::string &prefix) const { return offsets.at(prefix); }
  std::string text() const {
    return ".version " + std::string(f.version) + "\n.target " + f.target +
           "\n.address_size 64\n.visible .entry k(.param .u64 out)\n.reqntid 32\n{\n  .reg .b64 %base, %off;\n  .reg "
           ".b32 %i;\n" +
           declarations + "  ld.param.u64 %base, [out];\n  mov.u32 %i, %tid.x;\n  mul.wide.u32 %off, %i, 512;\n" +
           "  add.u64 %base, %base, %off;\n" + body + "  ret;\n}\n";
  }

private:
  static unsigned wordOf(char accumulator) { return accumulator == 'd' ? 8 : 4; }
  static unsigned registers(char accumulator, unsigned elements) {
    return accumulator == 'h' ? elements / 2 : elements;
  }
  std::string list(const std::string &prefix, unsigned n) {
    std::string type = (prefix == "d" && f.d == 'd') || ((prefix == "a" || prefix == "b") && f.a.bits == 64) ||
                               (prefix == "c" && f.c == 'd')
                           ? ".b64"
                           : ".b32";
    declarations += "  .reg " + type + " %" + prefix + "<8>;\n";
    std::string text = "{";
    for (unsigned i = 0; i < n; ++i)
      text += (i ? ", %" : "%") + prefix + std::to_string(i);
    return text + "}";
  }
  std::string load(const std::string &prefix, unsigned n, unsigned bytes) {
    offsets[prefix] = next;
    for (unsigned i = 0; i < n; ++i, next += bytes)
      body += "  ld.global" + std::string(bytes == 8 ? ".b64" : ".b32") + " %" + prefix + std::to_string(i) +
              ", [%base+" + std::to_string(next) + "];\n";
    return list(prefix, n);
  }
  std::string loadAccumulator(unsigned elements) { return load("c", registers(f.c, elements), wordOf(f.c)); }

  const MmaForm &f;
  std::map<std::string, unsigned> offsets;
  unsigned next = 0;
  std::string a, b, declarations, body;
};

/// The matrices of one multiplication and where they lie in the lanes' memory.
class MmaProblem {
public:
  explicit MmaProblem(const MmaForm &f)
      : f(f), program(f), random(f.m + f.k * 3 + f.aElements), stored(f.k / (*f.sparse ? 2 : 1)), a(f.m * stored),
        dense(f.m * f.k), b(f.k * 8), c(f.m * 8), memory(32 * 512) {
    for (uint64_t &v : a)
      v = randomBits(f.a, random);
    for (uint64_t &v : b)
      v = randomBits(f.b, random);
    for (double &v : c)
      v = static_cast<int>(random() % 17) - 8;
    if (*f.sparse)
      spread();
    else
      for (unsigned i = 0; i < f.m * f.k; ++i)
        dense[i] = valueOf(f.a, a[i]);
    if (f.scales)
      placeScales();
    placeFragments();
  }

  /// The program with a part of its text replaced.
  std::string edited(const std::string &from, const std::string &to) const {
    std::string text = program.text();
    size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
  }
  /// Runs; true when every element of the result is right.
  bool run(const std::function<double(unsigned, unsigned)> &expected) { return run(program.text(), expected); }
  bool run(const std::string &text, const std::function<double(unsigned, unsigned)> &expected) {
    if (std::string(f.version) < "9.1") // which ptxas 13.0 does not know
      addGenerated(text);
    Run run(text);
    uint64_t address = run.buffer(memory);
    run.argument(address);
    LaunchResult r = run.launch();
    INFO((r.ok() ? "" : r.diagnostics[0].render()));
    REQUIRE(r.ok());
    std::vector<uint8_t> out = run.read<uint8_t>(address, memory.size());
    bool correct = true;
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned i = 0; i < f.m * 8 / 32; ++i) {
        Place p = accumulator(lane, i);
        uint64_t got = 0;
        std::memcpy(&got, &out[lane * 512 + i * bytesOf(f.d)], bytesOf(f.d));
        correct &= got == encode(f.d, expected(p.row, p.column));
      }
    return correct;
  }
  double product(unsigned row, unsigned column) const {
    double sum = c[row * 8 + column];
    for (unsigned k = 0; k < f.k; ++k)
      sum += dense[row * f.k + k] * valueOf(f.b, b[k * 8 + column]) * scale(scaleA, row, k) * scale(scaleB, column, k);
    return sum;
  }
  /// Bits of a row of A and a column of B that agree with `op`.
  double popcount(unsigned row, unsigned column, bool isAnd) const {
    double sum = c[row * 8 + column];
    for (unsigned k = 0; k < f.k; ++k) {
      bool x = a[row * f.k + k], y = b[k * 8 + column];
      sum += isAnd ? x && y : x != y;
    }
    return sum;
  }

private:
  static Place accumulator(unsigned lane, unsigned i) {
    return {i < 2 ? lane / 4 : lane / 4 + 8, lane % 4 * 2 + (i & 1)};
  }
  double scale(const std::vector<double> &factors, unsigned mn, unsigned k) const {
    return f.scales ? factors[mn * f.scales + k * f.scales / f.k] : 1;
  }
  void put(unsigned lane, unsigned at, unsigned bit, unsigned bits, uint64_t v) {
    for (unsigned i = 0; i < bits; ++i)
      if (v >> i & 1)
        memory[lane * 512 + at + (bit + i) / 8] |= static_cast<uint8_t>(1u << (bit + i) % 8);
  }

  void placeFragments() {
    unsigned container = containerOf(f);
    auto up = [&](const ElementFormat &e) { return container == 8 && e.bits == 4 ? 2u : 0u; }; // central bits
    for (unsigned lane = 0; lane < 32; ++lane) {
      unsigned g = lane >> 2, t = lane & 3;
      for (unsigned i = 0; i < f.aElements; ++i) {
        Place p = f.placeA(g, t, i);
        put(lane, program.offsetOf("a"), i * container + up(f.a), f.a.bits, a[p.row * stored + p.column]);
      }
      for (unsigned i = 0; i < f.bElements; ++i) {
        Place p = f.placeB(g, t, i);
        put(lane, program.offsetOf("b"), i * container + up(f.b), f.b.bits, b[p.row * 8 + p.column]);
      }
      for (unsigned i = 0; i < f.m * 8 / 32; ++i) {
        Place p = accumulator(lane, i);
        unsigned bits = bytesOf(f.c) * 8;
        put(lane, program.offsetOf("c"), i * bits, bits, encode(f.c, c[p.row * 8 + p.column]));
      }
    }
  }

  /// The stored halves of chunks of 2, 4 or 8 elements, and the metadata that says which they are.
  void spread() {
    unsigned chunk = f.a.bits == 32 ? 2 : containerOf(f) == 4 ? 8 : 4;
    constexpr unsigned pairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    for (unsigned row = 0; row < f.m; ++row)
      for (unsigned n = 0; n < f.k / chunk; ++n) {
        const unsigned *p = pairs[random() % 6];
        unsigned bits = p[0] | p[1] << 2;
        if (chunk == 2)
          bits = random() % 2 ? 0b1110 : 0b0100;
        for (unsigned e = 0; e < chunk / 2; ++e) {
          unsigned position = chunk == 2 ? (bits == 0b1110) : chunk == 4 ? p[e] : p[e / 2] * 2 + e % 2;
          dense[row * f.k + n * chunk + position] = valueOf(f.a, a[row * stored + n * chunk / 2 + e]);
        }
        placeMetadata(row, n, bits);
      }
  }
  /// Figures 119 to 147: a lane of four holds 16 bits for row g and 16 for row g + 8 (wide elements), or all 32 for
  /// one of them; the selector says which lanes hold it when not all do.
  void placeMetadata(unsigned row, unsigned chunk, unsigned bits) {
    unsigned g = row % 8, upper = row / 8, lane, bit;
    if (f.a.bits >= 16) {
      bool single = (f.a.bits == 16 && f.k == 16) || (f.a.bits == 32 && f.k == 8);
      lane = single ? f.selector : f.selector * 2 + chunk / 4;
      bit = upper * 16 + chunk % 4 * 4;
    } else {
      lane = f.selector * 2 + chunk / 8 * 2 + upper;
      bit = chunk % 8 * 4;
    }
    put(g * 4 + lane, program.offsetOf("e"), bit, 4, bits);
  }

  /// Rows g and g + 8 have theirs in two lanes of four that the thread selector names; a column in one lane.
  void placeScales() {
    const ElementFormat &s = f.modifiers.find("ue4m3") != std::string::npos ? kUE4M3Element : kUE8M0Element;
    for (unsigned row = 0; row < 16; ++row)
      for (unsigned i = 0; i < f.scales; ++i) {
        uint64_t raw = randomBits(s, random);
        scaleA.push_back(valueOf(s, raw));
        put(row % 8 * 4 + f.threadA * 2 + row / 8, program.offsetOf("sa"), (f.byteA + i) * 8, 8, raw);
      }
    for (unsigned column = 0; column < 8; ++column)
      for (unsigned i = 0; i < f.scales; ++i) {
        uint64_t raw = randomBits(s, random);
        scaleB.push_back(valueOf(s, raw));
        put(column * 4 + f.threadB, program.offsetOf("sb"), (f.byteB + i) * 8, 8, raw);
      }
  }

  const MmaForm &f;
  MmaProgram program;
  std::mt19937 random;
  unsigned stored;
  std::vector<uint64_t> a;
  std::vector<double> dense;
  std::vector<uint64_t> b;
  std::vector<double> c, scaleA, scaleB;
  std::vector<uint8_t> memory;
};

void check(const MmaForm &f) {
  INFO("mma" << f.sparse << " " << f.modifiers);
  MmaProblem p(f);
  CHECK(p.run([&](unsigned row, unsigned column) { return p.product(row, column); }));
}

} // namespace

TEST_CASE("mma.sync multiplies f16, bf16, tf32 and f64") {
  for (const MmaForm &f : {
           MmaForm{"m16n8k8.row.col.f32.f16.f16.f32", kF16Element, kF16Element, 16, 8, 4, 2, kA16K8, kB16},
           MmaForm{"m16n8k8.row.col.f16.f16.f16.f16", kF16Element, kF16Element, 16, 8, 4, 2, kA16K8, kB16, 'h', 'h'},
           MmaForm{"m16n8k16.row.col.f32.f16.f16.f32", kF16Element, kF16Element, 16, 16, 8, 4, kA16K16, kB16},
           MmaForm{"m16n8k16.row.col.f16.f16.f16.f16", kF16Element, kF16Element, 16, 16, 8, 4, kA16K16, kB16, 'h', 'h'},
           MmaForm{"m16n8k8.row.col.f32.bf16.bf16.f32", kBF16Element, kBF16Element, 16, 8, 4, 2, kA16K8, kB16},
           MmaForm{"m16n8k16.row.col.f32.bf16.bf16.f32", kBF16Element, kBF16Element, 16, 16, 8, 4, kA16K16, kB16},
           MmaForm{"m16n8k4.row.col.f32.tf32.tf32.f32", kTF32Element, kTF32Element, 16, 4, 2, 1, kA32K4, kB32},
           MmaForm{"m16n8k8.row.col.f32.tf32.tf32.f32", kTF32Element, kTF32Element, 16, 8, 4, 2, kA32K8, kB32},
           MmaForm{"m8n8k4.row.col.f64.f64.f64.f64", kF64Element, kF64Element, 8, 4, 1, 1, kA64M8, kB32, 'd', 'd'},
           MmaForm{"m16n8k4.row.col.f64.f64.f64.f64", kF64Element, kF64Element, 16, 4, 2, 1, kA32K4, kB32, 'd', 'd'},
           MmaForm{"m16n8k8.row.col.f64.f64.f64.f64.rn", kF64Element, kF64Element, 16, 8, 4, 2, kA32K8, kB32, 'd', 'd'},
           MmaForm{"m16n8k16.row.col.f64.f64.f64.f64", kF64Element, kF64Element, 16, 16, 8, 4, kA64K16, kB32, 'd', 'd'},
       })
    check(f);
}

TEST_CASE("mma.sync multiplies integers and bits") {
  for (const ElementFormat &a : {kS8Element, kU8Element})
    for (const ElementFormat &b : {kS8Element, kU8Element}) {
      std::string types = ".row.col.s32." + std::string(a.name) + "." + b.name + ".s32";
      check({"m8n8k16" + types, a, b, 8, 16, 4, 4, kA8M8, kB8, 'i', 'i'});
      check({"m16n8k16" + types, a, b, 16, 16, 8, 4, kA8K16, kB8, 'i', 'i'});
      check({"m16n8k32" + types, a, b, 16, 32, 16, 8, kA8K32, kB8, 'i', 'i'});
    }
  for (const ElementFormat &a : {kS4Element, kU4Element})
    for (const ElementFormat &b : {kS4Element, kU4Element}) {
      std::string types = ".row.col.satfinite.s32." + std::string(a.name) + "." + b.name + ".s32";
      check({"m8n8k32" + types, a, b, 8, 32, 8, 8, kA4M8, kB4, 'i', 'i'});
      check({"m16n8k32" + types, a, b, 16, 32, 16, 8, kA4K32, kB4, 'i', 'i'});
      check({"m16n8k64" + types, a, b, 16, 64, 32, 16, kA4K64, kB4, 'i', 'i'});
    }
  for (bool isAnd : {false, true}) {
    std::string types = std::string(".row.col.s32.b1.b1.s32") + (isAnd ? ".and" : ".xor") + ".popc";
    for (const MmaForm &f :
         {MmaForm{"m8n8k128" + types, kBitElement, kBitElement, 8, 128, 32, 32, kA1M8, kFragmentB1, 'i', 'i'},
          MmaForm{"m16n8k128" + types, kBitElement, kBitElement, 16, 128, 64, 32, kA1K128, kFragmentB1, 'i', 'i'},
          MmaForm{"m16n8k256" + types, kBitElement, kBitElement, 16, 256, 128, 64, kA1K256, kFragmentB1, 'i', 'i'}}) {
      INFO(f.modifiers);
      MmaProblem p(f);
      CHECK(p.run([&](unsigned row, unsigned column) { return p.popcount(row, column, isAnd); }));
    }
  }
}

TEST_CASE("mma.sync multiplies fp8, fp6 and fp4") {
  for (const ElementFormat &a : {kE4M3Element, kE5M2Element})
    for (const ElementFormat &b : {kE4M3Element, kE5M2Element}) {
      std::string types = std::string(a.name) + "." + b.name;
      check({"m16n8k32.row.col.f32." + types + ".f32", a, b, 16, 32, 16, 8, kA8K32, kB8});
      check({"m16n8k16.row.col.f32." + types + ".f32", a, b, 16, 16, 8, 4, kA8K16, kB8});
      MmaForm half{"m16n8k32.row.col.f16." + types + ".f16", a, b, 16, 32, 16, 8, kA8K32, kB8, 'h', 'h'};
      half.target = "sm_120a";
      check(half);
    }
  for (const ElementFormat &a : {kE4M3Element, kE5M2Element, kE2M3Element, kE3M2Element, kE2M1Element})
    for (const ElementFormat &b : {kE4M3Element, kE5M2Element, kE2M3Element, kE3M2Element, kE2M1Element})
      for (bool half : {false, true}) {
        std::string acc = half ? "f16" : "f32", types = std::string(a.name) + "." + b.name;
        MmaForm f{"m16n8k32.row.col.kind::f8f6f4." + acc + "." + types + "." + acc, a, b, 16, 32, 16, 8, kA8K32, kB8};
        f.c = f.d = half ? 'h' : 'f';
        f.container = 8;
        f.target = "sm_120a";
        check(f);
      }
}

namespace {

/// A block-scaled form: m16n8k32 with elements in bytes, or m16n8k64 of packed e2m1. `qualifiers` follow .block_scale.
MmaForm blockScaled(const std::string &kind, const std::string &qualifiers, unsigned scales, const std::string &scale,
                    const ElementFormat &a = kE2M1Element, const ElementFormat &b = kE2M1Element) {
  std::string tail =
      ".row.col.kind::" + kind + ".block_scale" + qualifiers + ".f32." + a.name + "." + b.name + ".f32." + scale;
  MmaForm f = kind == "mxf8f6f4" ? MmaForm{"m16n8k32" + tail, a, b, 16, 32, 16, 8, kA8K32, kB8}
                                 : MmaForm{"m16n8k64" + tail, a, b, 16, 64, 32, 16, kA4K64, kB4};
  f.container = kind == "mxf8f6f4" ? 8 : 0;
  f.scales = scales;
  f.target = "sm_120a";
  return f;
}

/// What a launch with zeros everywhere says; it decodes first.
std::string verdictOf(const std::string &text) {
  Run run(text);
  run.argument(run.buffer(std::vector<uint8_t>(32 * 512)));
  return verdict(run.launch());
}

std::vector<MmaForm> blockScaledForms() {
  std::vector<MmaForm> forms;
  for (const ElementFormat &a : {kE4M3Element, kE5M2Element, kE2M3Element, kE3M2Element, kE2M1Element})
    for (const ElementFormat &b : {kE4M3Element, kE5M2Element, kE2M3Element, kE3M2Element, kE2M1Element})
      for (const char *size : {"", ".scale_vec::1X"})
        forms.push_back(blockScaled("mxf8f6f4", size, 1, "ue8m0", a, b));
  for (const char *size : {"", ".scale_vec::2X"})
    forms.push_back(blockScaled("mxf4", size, 2, "ue8m0"));
  forms.push_back(blockScaled("mxf4nvf4", ".scale_vec::2X", 2, "ue8m0"));
  forms.push_back(blockScaled("mxf4nvf4", ".scale_vec::4X", 4, "ue4m3"));
  forms.push_back(blockScaled("mxf4nvf4", ".scale_vec::4X", 4, "ue8m0"));
  forms.back().version = "9.1";
  return forms;
}

} // namespace

TEST_CASE("mma.sync scales blocks") {
  // Every type, and every byte and thread that hold scale factors.
  for (MmaForm f : blockScaledForms()) {
    bool allSelectors = f.a.bits == 4 && f.b.bits == 4;
    for (f.threadB = 0; f.threadB < 4; ++f.threadB) {
      f.threadA = f.threadB % 2;
      f.braces = f.threadB >= 2;
      f.byteA = f.threadB / f.scales * f.scales;
      f.byteB = 4 - f.scales - f.byteA;
      if (allSelectors || f.threadB == 1)
        check(f);
    }
  }
}

TEST_CASE("mma.sync takes the scale factors that its selectors name") {
  MmaForm f = blockScaled("mxf8f6f4", ".scale_vec::1X", 1, "ue8m0", kE4M3Element, kE3M2Element);
  f.byteA = f.byteB = 2;
  f.threadA = 1;
  f.threadB = 3;
  MmaProblem p(f);
  auto product = [&](unsigned row, unsigned column) { return p.product(row, column); };
  CHECK(p.run(product));
  for (auto [from, to] : {std::pair{"%sa0, {2, 1}", "%sa0, {1, 1}"},
                          {"%sa0, {2, 1}", "%sa0, {2, 0}"},
                          {"%sb0, {2, 3}", "%sb0, {3, 3}"},
                          {"%sb0, {2, 3}", "%sb0, {2, 1}"}}) {
    INFO(to);
    CHECK(!p.run(p.edited(from, to), product));
  }
  // Selectors in registers.
  auto withRegisters = [&](const std::string &moves) {
    std::string text = p.edited("%sb0, {2, 3}", "%sb0, {%h0, %h1}");
    return text.insert(text.find("  mma."), "  .reg .b16 %h<2>;\n" + moves);
  };
  CHECK(p.run(withRegisters("  mov.b16 %h0, 2;\n  mov.b16 %h1, 3;\n"), product));
  CHECK(verdictOf(withRegisters("  mov.b16 %h0, 2;\n  mov.b16 %h1, 4;\n")) == "scale-factors");
  CHECK(verdictOf(withRegisters("  mov.b16 %h0, 2;\n  cvt.u16.u32 %h1, %i;\n")) == "divergence");
}

TEST_CASE("mma.sync refuses scale factors that the ISA does not have") {
  MmaForm mx8 = blockScaled("mxf8f6f4", "", 1, "ue8m0", kE4M3Element, kE4M3Element),
          mx4 = blockScaled("mxf4", "", 2, "ue8m0"), nv4 = blockScaled("mxf4nvf4", ".scale_vec::4X", 4, "ue4m3");
  auto refuses = [](const MmaForm &f, const std::string &from, const std::string &to) {
    INFO(f.modifiers << ": " << to);
    CHECK(verdictOf(MmaProgram(f).text()).empty());
    CHECK_THROWS_AS(verdictOf(MmaProblem(f).edited(from, to)), InputError);
  };
  for (const MmaForm *f : {&mx8, &mx4, &nv4}) {
    for (const char *scales : {"{4, 0}", "{65536, 0}", "{-1, 0}", "{0, 2}", "{0}", "{0, 0, 0}", "0"})
      refuses(*f, "%sa0, {0, 0}", "%sa0, " + std::string(scales));
    refuses(*f, "%sb0, {0, 0}", "%sb0, {0, 4}");
    refuses(*f, "%sa0, ", "{%sa0, %sa0}, ");
    refuses(*f, ".block_scale", "");
    refuses(*f, ".f32." + std::string(f->a.name), ".f16." + std::string(f->a.name));
  }
  refuses(mx4, "%sa0, {0, 0}", "%sa0, {1, 0}");
  refuses(mx4, "%sb0, {0, 0}", "%sb0, {3, 0}");
  refuses(nv4, "%sb0, {0, 0}", "%sb0, {2, 0}");
  refuses(nv4, ".scale_vec::4X", "");               // no default
  refuses(nv4, ".scale_vec::4X", ".scale_vec::2X"); // .ue4m3 scales 16 elements
  refuses(nv4, ".ue4m3", ".ue8m0");                 // PTX 9.1
  refuses(mx4, ".block_scale", ".block_scale.scale_vec::4X");
  refuses(mx4, ".e2m1.e2m1", ".e2m1.e4m3");
  refuses(mx4, "m16n8k64", "m16n8k32");
  refuses(mx8, ".block_scale", ".block_scale.scale_vec::2X");
  refuses(mx8, ".ue8m0", ".ue4m3");
}

TEST_CASE("mma.sp spreads A by its metadata") {
  for (const char *sparse : {".sp", ".sp::ordered_metadata"}) {
    auto sp = [&](MmaForm f, unsigned selectors) {
      f.sparse = sparse;
      for (f.selector = 0; f.selector < selectors; ++f.selector)
        check(f);
    };
    // A's fragments have the places of the dense forms of half the depth.
    sp({"m16n8k16.row.col.f32.f16.f16.f32", kF16Element, kF16Element, 16, 16, 4, 4, kA16K8, kB16}, 4);
    sp({"m16n8k32.row.col.f16.f16.f16.f16", kF16Element, kF16Element, 16, 32, 8, 8, kA16K16, kB16, 'h', 'h'}, 2);
    sp({"m16n8k32.row.col.f32.bf16.bf16.f32", kBF16Element, kBF16Element, 16, 32, 8, 8, kA16K16, kB16}, 2);
    sp({"m16n8k8.row.col.f32.tf32.tf32.f32", kTF32Element, kTF32Element, 16, 8, 2, 2, kA32K4, kB32}, 4);
    sp({"m16n8k16.row.col.f32.tf32.tf32.f32", kTF32Element, kTF32Element, 16, 16, 4, 4, kA32K8, kB32}, 2);
    sp({"m16n8k32.row.col.s32.s8.u8.s32", kS8Element, kU8Element, 16, 32, 8, 8, kA8K16, kB8, 'i', 'i'}, 2);
    sp({"m16n8k64.row.col.s32.u8.s8.s32", kU8Element, kS8Element, 16, 64, 16, 16, kA8K32, kB8, 'i', 'i'}, 1);
    sp({"m16n8k64.row.col.s32.s4.u4.s32", kS4Element, kU4Element, 16, 64, 16, 16, kA4K32, kB4, 'i', 'i'}, 2);
    sp({"m16n8k128.row.col.s32.u4.s4.s32", kU4Element, kS4Element, 16, 128, 32, 32, kA4K64, kB4, 'i', 'i'}, 1);
    sp({"m16n8k64.row.col.f32.e4m3.e5m2.f32", kE4M3Element, kE5M2Element, 16, 64, 16, 16, kA8K32, kB8}, 1);
  }
  MmaForm f8{
      "m16n8k64.row.col.kind::f8f6f4.f32.e2m1.e3m2.f32", kE2M1Element, kE3M2Element, 16, 64, 16, 16, kA8K32, kB8},
      mx8{"m16n8k64.row.col.kind::mxf8f6f4.block_scale.f32.e2m3.e5m2.f32.ue8m0",
          kE2M3Element,
          kE5M2Element,
          16,
          64,
          16,
          16,
          kA8K32,
          kB8},
      mx4{"m16n8k128.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0",
          kE2M1Element,
          kE2M1Element,
          16,
          128,
          32,
          32,
          kA4K64,
          kB4},
      nv4{"m16n8k128.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3",
          kE2M1Element,
          kE2M1Element,
          16,
          128,
          32,
          32,
          kA4K64,
          kB4};
  f8.container = mx8.container = 8;
  mx8.scales = 1;
  mx4.scales = 2;
  nv4.scales = 4;
  for (MmaForm *f : {&f8, &mx8, &mx4, &nv4}) {
    f->sparse = ".sp::ordered_metadata";
    f->target = "sm_120a";
    f->braces = f->scales > 1;
    check(*f);
  }
}

TEST_CASE("mma.m8n8k4 makes four multiplications of f16") {
  for (bool columnA : {false, true})
    for (bool rowB : {false, true})
      for (const char *types : {"f32.f32", "f16.f16", "f32.f16"}) {
        char d = types[1] == '3' ? 'f' : 'h', c = types[5] == '3' ? 'f' : 'h';
        MmaForm f{std::string("m8n8k4.") + (columnA ? "col." : "row.") + (rowB ? "row." : "col.") +
                      std::string(types, 3) + ".f16.f16." + std::string(types + 4, 3),
                  kF16Element,
                  kF16Element,
                  8,
                  4,
                  4,
                  4,
                  nullptr,
                  nullptr,
                  c,
                  d};
        INFO(f.modifiers);
        MmaProgram program(f);
        std::mt19937 random(7);
        // Element i of a lane of multiplication q: the formulas of the ISA, x = lane % 4, u = 4 for lanes 16 and on.
        auto placeA = [&](unsigned x, unsigned u, unsigned i) { return columnA ? Place{i + u, x} : Place{x + u, i}; };
        auto placeB = [&](unsigned x, unsigned u, unsigned i) { return rowB ? Place{x, i + u} : Place{i, x + u}; };
        auto placeC = [](char type, unsigned lane, unsigned u, unsigned i) {
          return type == 'h' ? Place{lane % 4 + u, i} : Place{(lane & 1) + (i & 2) + u, (i & 4) + (lane & 2) + (i & 1)};
        };
        double a[4][8][4], b[4][4][8], sum[4][8][8];
        std::vector<uint8_t> memory(32 * 512);
        auto put = [&](unsigned lane, unsigned at, unsigned bytes, uint64_t v) {
          std::memcpy(&memory[lane * 512 + at], &v, bytes);
        };
        for (unsigned lane = 0; lane < 32; ++lane) {
          unsigned q = lane % 16 / 4, x = lane % 4, u = lane < 16 ? 0 : 4;
          for (unsigned i = 0; i < 4; ++i) {
            uint64_t ra = randomBits(kF16Element, random), rb = randomBits(kF16Element, random);
            Place pa = placeA(x, u, i), pb = placeB(x, u, i);
            a[q][pa.row][pa.column] = valueOf(kF16Element, ra);
            b[q][pb.row][pb.column] = valueOf(kF16Element, rb);
            put(lane, program.offsetOf("a") + 2 * i, 2, ra);
            put(lane, program.offsetOf("b") + 2 * i, 2, rb);
          }
          for (unsigned i = 0; i < 8; ++i) {
            Place p = placeC(c, lane, u, i);
            double v = sum[q][p.row][p.column] = static_cast<int>(random() % 9) - 4;
            put(lane, program.offsetOf("c") + i * bytesOf(c), bytesOf(c), encode(c, v));
          }
        }
        for (unsigned q = 0; q < 4; ++q)
          for (unsigned row = 0; row < 8; ++row)
            for (unsigned column = 0; column < 8; ++column)
              for (unsigned k = 0; k < 4; ++k)
                sum[q][row][column] += a[q][row][k] * b[q][k][column];
        addGenerated(program.text());
        Run run(program.text());
        uint64_t address = run.buffer(memory);
        run.argument(address);
        LaunchResult r = run.launch();
        INFO((r.ok() ? "" : r.diagnostics[0].render()));
        REQUIRE(r.ok());
        memory = run.read<uint8_t>(address, memory.size());
        bool correct = true;
        for (unsigned lane = 0; lane < 32; ++lane)
          for (unsigned i = 0; i < 8; ++i) {
            Place p = placeC(d, lane, lane < 16 ? 0 : 4, i);
            uint64_t got = 0;
            std::memcpy(&got, &memory[lane * 512 + i * bytesOf(d)], bytesOf(d));
            correct &= got == encode(d, sum[lane % 16 / 4][p.row][p.column]);
          }
        CHECK(correct);
      }
}

TEST_CASE("mma.sync rounds f64 as asked and saturates integers") {
  // One product of each row: (1 + 2^-52)^2 lies between two doubles.
  for (const char *rounding : {".rn", ".rz", ".rm", ".rp"}) {
    std::string text = kernel("mov.b64 %fd1, 0d3FF0000000000001; mov.b64 %fd2, 0d0000000000000000;\n"
                              "and.b32 %r1, %i, 3; setp.ne.u32 %p1, %r1, 0; @%p1 mov.b64 %fd1, %fd2;\n"
                              "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64" +
                              std::string(rounding) +
                              " {%fd3, %fd4, %fd5, %fd6}, {%fd1, %fd1}, {%fd1}, {%fd2, %fd2, %fd2, %fd2};\n"
                              "setp.ne.u32 %p2, %i, 0; @%p2 bra E; st.global.f64 [%out], %fd3;\nE:");
    addGenerated(text);
    std::vector<uint32_t> out;
    REQUIRE(runBody(text, 16, 1, 1, &out).ok());
    CHECK(out[0] == (std::string(rounding) == ".rp" ? 3u : 2u));
    CHECK(out[1] == 0x3ff00000u);
  }
  for (bool saturates : {false, true}) {
    std::string text = kernel("mov.b32 %r1, 0x7f7f7f7f; mov.b32 %r2, 0x7fffffff;\nmma.sync.aligned.m8n8k16.row.col" +
                              std::string(saturates ? ".satfinite" : "") +
                              ".s32.s8.s8.s32 {%r3, %r4}, {%r1}, {%r1}, {%r2, %r2};\n"
                              "setp.ne.u32 %p2, %i, 0; @%p2 bra E; st.global.u32 [%out], %r3;\nE:");
    std::vector<uint32_t> out;
    REQUIRE(runBody(text, 16, 1, 1, &out).ok());
    CHECK(out[0] == (saturates ? 0x7fffffffu : 0x7fffffffu + 16 * 127 * 127));
  }
}

TEST_CASE("mma.sync refuses what the ISA does not have") {
  for (
      const char *text : {
          "mma.sync.aligned.m16n8k32.row.col.f32.e2m1.e2m1.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, "
          "{%f1, %f2, %f3, %f4};",
          "mma.sync.aligned.m16n8k16.col.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, "
          "{%f1, %f2, %f3, %f4};",
          "mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, "
          "{%f1, %f2, %f3, %f4};",
          "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6, "
          "%r7, %r8}, {%f1, %f2, %f3, %f4}, %r9, 2;",
          "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f16 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, "
          "{%r7, %r8};",
      })
    CHECK_THROWS(runBody(kernel(text)));
  std::string metadata = kernel(
      "mov.b32 %r1, 0; mov.b32 %f1, %r1;\nmma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f2, %f3, %f4, %f5}, "
      "{%r1, %r1}, {%r1, %r1}, {%f1, %f1, %f1, %f1}, %r1, 0;");
  CHECK(verdict(runBody(metadata)) == "sparsity-metadata");
}
