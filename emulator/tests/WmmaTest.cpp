//===- WmmaTest.cpp - wmma load, multiply and store against plain loops --===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatFormat.h"
#include "FormTest.h"
#include "GeneratedPtx.h"
#include "MmaTypes.h"
#include "TestSupport.h"
#include <catch2/catch.hpp>

using namespace ptxemu;
using namespace ptxemu::testing;

namespace {

struct Product {
  unsigned m, n, k;
  Type multiplicand, accumulator;
  std::string a, acc; ///< the types' names
  unsigned registersA, registersB, registersC;
  std::string form;           ///< of wmma.mma behind the shape
  std::string operation = ""; ///< ".xor.popc"
  bool columnsA = false, columnsB = true;
  std::string space = ".global";
  unsigned pad = 0; ///< elements between rows
};

unsigned bitsOf(Type t) {
  return t == Type::TF32 ? 32 : bitWidth(t);
}

/// A matrix in memory: small whole numbers, so that every order of summation gives the same.
struct Stored {
  std::vector<uint8_t> bytes;
  std::vector<double> values; ///< by rows

  Stored(Type t, unsigned rows, unsigned columns, bool byColumns, unsigned stride, bool isAccumulator)
      : bytes(static_cast<size_t>(byColumns ? columns : rows) * stride * bitsOf(t) / 8), values(rows * columns) {
    for (unsigned r = 0; r < rows; ++r)
      for (unsigned c = 0; c < columns; ++c) {
        const int64_t number = static_cast<int64_t>(randomBits() % 15) - (isSignless(t) ? 0 : 7);
        uint64_t raw = encode(t, number, isAccumulator);
        values[r * columns + c] = isAccumulator ? decodeAccumulator(t, raw) : ElementDecoder(t)(raw);
        const size_t bit = (byColumns ? c * size_t(stride) + r : r * size_t(stride) + c) * bitsOf(t);
        for (unsigned b = 0; b < bitsOf(t); ++b)
          bytes[(bit + b) / 8] |= static_cast<uint8_t>((raw >> b & 1) << (bit + b) % 8);
      }
  }

  static bool isSignless(Type t) { return t == Type::U8 || t == Type::U4 || t == Type::B1; }
  static uint64_t encode(Type t, int64_t number, bool isAccumulator) {
    if (isAccumulator)
      return encodeAccumulator(t, static_cast<double>(number), false);
    switch (t) {
    case Type::F16:
    case Type::BF16:
      return encodeFloat(static_cast<double>(number), formatOf(t));
    case Type::TF32:
      return encodeAccumulator(Type::F32, static_cast<double>(number), false);
    case Type::F64:
      return encodeAccumulator(Type::F64, static_cast<double>(number), false);
    default:
      return static_cast<uint64_t>(number) & ((1ull << bitWidth(t)) - 1);
    }
  }
};

std::string registers(const std::string &prefix, unsigned n) {
  std::string list = "{";
  for (unsigned i = 0; i < n; ++i)
    list += (i ? ", " : "") + prefix + std::to_string(i);
  return list + "}";
}

std::string layout(bool columns) {
  return columns ? ".col" : ".row";
}

/// Loads A, B and C, multiplies, stores D, in every lane of a warp.
void check(const Product &p) {
  const unsigned strideA = (p.columnsA ? p.m : p.k) + p.pad, strideB = (p.columnsB ? p.k : p.n) + p.pad,
                 strideC = p.n + p.pad;
  const Stored a(p.multiplicand, p.m, p.k, p.columnsA, strideA, false),
      b(p.multiplicand, p.k, p.n, p.columnsB, strideB, false), c(p.accumulator, p.m, p.n, false, strideC, true);
  const std::string shape = ".m" + std::to_string(p.m) + "n" + std::to_string(p.n) + "k" + std::to_string(p.k),
                    word = p.multiplicand == Type::F64 ? ".f64" : ".b32",
                    accWord = p.accumulator == Type::F64   ? ".f64"
                              : p.accumulator == Type::F32 ? ".f32"
                                                           : ".b32",
                    listA = registers("%a", p.registersA), listB = registers("%b", p.registersB),
                    listC = registers("%c", p.registersC), listD = registers("%d", p.registersC);
  auto load = [&](const std::string &which, bool columns, const std::string &type, const std::string &list,
                  const std::string &pointer, unsigned stride) {
    return "  wmma.load." + which + ".sync.aligned" + layout(columns) + shape + p.space + "." + type + " " + list +
           ", [" + pointer + "], " + std::to_string(stride) + ";\n";
  };
  const std::string text =
      ".version 8.7\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, "
      ".param .u64 d)\n.reqntid 32, 1, 1\n{\n  .reg .b64 %p<4>;\n  .reg " +
      word + " %a<8>, %b<8>;\n  .reg " + accWord +
      " %c<8>, %d<8>;\n  ld.param.u64 %p0, [a];\n  ld.param.u64 %p1, [b];\n  ld.param.u64 %p2, [c];\n  ld.param.u64 "
      "%p3, "
      "[d];\n" +
      load("a", p.columnsA, p.a, listA, "%p0", strideA) + load("b", p.columnsB, p.a, listB, "%p1", strideB) +
      load("c", false, p.acc, listC, "%p2", strideC) + "  wmma.mma" + p.operation + ".sync.aligned" +
      layout(p.columnsA) + layout(p.columnsB) + shape + p.form + " " + listD + ", " + listA + ", " + listB + ", " +
      listC + ";\n  wmma.store.d.sync.aligned.row" + shape + p.space + "." + p.acc + " [%p3], " + listD + ", " +
      std::to_string(strideC) + ";\n  ret;\n}\n";
  INFO(text);
  addGenerated(text);
  Run run(text);
  run.argument(run.buffer(a.bytes)).argument(run.buffer(b.bytes)).argument(run.buffer(c.bytes));
  const uint64_t out = run.buffer(std::vector<uint8_t>(c.bytes.size()));
  run.argument(out);
  const LaunchResult r = run.launch();
  INFO((r.ok() ? "" : r.diagnostics[0].render()));
  REQUIRE(r.ok());
  const std::vector<uint8_t> got = run.read<uint8_t>(out, c.bytes.size());
  unsigned wrong = 0;
  for (unsigned row = 0; row < p.m; ++row)
    for (unsigned column = 0; column < p.n; ++column) {
      double sum = c.values[row * p.n + column];
      for (unsigned k = 0; k < p.k; ++k) {
        const double v = a.values[row * p.k + k], w = b.values[k * p.n + column];
        sum += p.multiplicand != Type::B1 ? v * w : p.operation == ".and.popc" ? v != 0 && w != 0 : v != w;
      }
      uint64_t raw = 0;
      std::memcpy(&raw, &got[(size_t(row) * strideC + column) * bitsOf(p.accumulator) / 8], bitsOf(p.accumulator) / 8);
      wrong += decodeAccumulator(p.accumulator, raw) != sum; // a zero's sign depends on the rounding
    }
  CHECK(wrong == 0);
}

const unsigned kShapes[][3] = {{16, 16, 16}, {8, 32, 16}, {32, 8, 16}};

} // namespace

TEST_CASE("wmma of half precision, all shapes and layouts") {
  for (auto [m, n, k] : kShapes)
    for (Type acc : {Type::F16, Type::F32})
      for (bool columnsA : {false, true})
        for (bool columnsB : {false, true}) {
          const std::string name = acc == Type::F16 ? "f16" : "f32";
          check({m, n, k, Type::F16, acc, "f16", name, 8, 8, acc == Type::F16 ? 4u : 8u, "." + name + "." + name, "",
                 columnsA, columnsB, columnsA ? "" : ".global", columnsB ? 16u : 0u});
        }
}

TEST_CASE("wmma of bfloat16, tf32, double and bytes") {
  for (auto [m, n, k] : kShapes) {
    check(
        {m, n, k, Type::BF16, Type::F32, "bf16", "f32", m * k * 16 / 1024, n * k * 16 / 1024, 8, ".f32.bf16.bf16.f32"});
    for (Type t : {Type::S8, Type::U8}) {
      const std::string name = t == Type::S8 ? "s8" : "u8";
      check({m, n, k, t, Type::S32, name, "s32", m * k * 8 / 1024, n * k * 8 / 1024, 8,
             ".s32." + name + "." + name + ".s32"});
      check({m, n, k, t, Type::S32, name, "s32", m * k * 8 / 1024, n * k * 8 / 1024, 8,
             ".s32." + name + "." + name + ".s32.satfinite", "", true, false});
    }
  }
  check({16, 16, 8, Type::TF32, Type::F32, "tf32", "f32", 4, 4, 8, ".f32.tf32.tf32.f32"});
  check({8, 8, 4, Type::F64, Type::F64, "f64", "f64", 1, 1, 2, ".f64.f64.f64.f64"});
  for (std::string rounding : {".rn", ".rz", ".rm", ".rp"})
    check({8, 8, 4, Type::F64, Type::F64, "f64", "f64", 1, 1, 2, rounding + ".f64.f64.f64.f64", "", true, false});
}

TEST_CASE("wmma of elements below a byte") {
  for (Type t : {Type::S4, Type::U4}) {
    const std::string name = t == Type::S4 ? "s4" : "u4";
    for (std::string saturation : {"", ".satfinite"})
      check({8, 8, 32, t, Type::S32, name, "s32", 1, 1, 2, ".s32." + name + "." + name + ".s32" + saturation});
  }
  for (std::string operation : {".xor.popc", ".and.popc"})
    check({8, 8, 128, Type::B1, Type::S32, "b1", "s32", 1, 1, 2, ".s32.b1.b1.s32", operation});
}

TEST_CASE("wmma saturates to finite numbers") {
  const std::string body =
      "mov.b32 %r1, 0x7bff7bff; "
      "wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16.satfinite {%r2, %r3, %r4, %r5}, {%r1, %r1, %r1, %r1, %r1, %r1, "
      "%r1, "
      "%r1}, {%r1, %r1, %r1, %r1, %r1, %r1, %r1, %r1}, {%r1, %r1, %r1, %r1}; st.global.u32 [%out], %r2;";
  std::vector<uint32_t> out;
  CHECK(verdict(runBody(kernel(body), 1, 1, 1, &out)) == "");
  CHECK(out[0] == 0x7bff7bff);
}

TEST_CASE("wmma demands one address, an aligned one, and combinations that exist") {
  const std::string load =
      "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, ";
  CHECK(verdict(runBody(kernel(load + "[%out], 16;"))) == "");
  CHECK(verdict(runBody(kernel(load + "[%out+8], 16;"))) == "misaligned");
  CHECK(verdict(runBody(kernel(load + "[%out], 20;"))) == "misaligned");
  CHECK(verdict(runBody(kernel("mad.wide.u32 %rd1, %i, 32, %out; " + load + "[%rd1], 16;"))) == "divergence");
  auto refused = [](const std::string &statement) {
    try {
      runBody(kernel(statement));
    } catch (const InputError &error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refused("wmma.load.a.sync.aligned.row.m8n8k32.global.f16 {%r1}, [%out], 32;").find("does not exist") !=
        std::string::npos);
  CHECK(refused("wmma.load.a.sync.aligned.col.m8n8k32.global.s4 {%r1}, [%out], 32;").find("does not exist") !=
        std::string::npos);
  CHECK(refused("wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r1}, [%out], 16;").find("needs 8 registers") !=
        std::string::npos);
}
