//===- CompareTest.cpp - setp, set, selp, slct ---------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatReference.h"
#include <catch2/catch.hpp>

using namespace ptxemu::testing;

namespace {

enum class Kind { Bits, Unsigned, Signed, Float };

struct Comparable {
  const char *name;
  unsigned bits; ///< of one element
  Kind kind;
  const Format *format = nullptr;
  bool packed = false;

  std::string reg() const { return ".b" + std::to_string(packed ? 32 : bits); }
  bool takesFtz() const { return format == &kF32 || format == &kF16; }
  bool isBrain() const { return format == &kBF16; }
};
const Comparable kTypes[] = {{".b16", 16, Kind::Bits},
                             {".b32", 32, Kind::Bits},
                             {".b64", 64, Kind::Bits},
                             {".u16", 16, Kind::Unsigned},
                             {".u32", 32, Kind::Unsigned},
                             {".u64", 64, Kind::Unsigned},
                             {".s16", 16, Kind::Signed},
                             {".s32", 32, Kind::Signed},
                             {".s64", 64, Kind::Signed},
                             {".f32", 32, Kind::Float, &kF32},
                             {".f64", 64, Kind::Float, &kF64},
                             {".f16", 16, Kind::Float, &kF16},
                             {".bf16", 16, Kind::Float, &kBF16},
                             {".f16x2", 16, Kind::Float, &kF16, true},
                             {".bf16x2", 16, Kind::Float, &kBF16, true}};

struct Operator {
  const char *name;
  bool (*holds)(int order); ///< of -1, 0, 1; unordered operands are apart
  bool unordered;           ///< what it says of NaNs
  bool floatOnly, unsignedOnly;
};
const Operator kOperators[] = {{".eq", [](int c) { return c == 0; }, false, false, false},
                               {".ne", [](int c) { return c != 0; }, false, false, false},
                               {".lt", [](int c) { return c < 0; }, false, false, false},
                               {".le", [](int c) { return c <= 0; }, false, false, false},
                               {".gt", [](int c) { return c > 0; }, false, false, false},
                               {".ge", [](int c) { return c >= 0; }, false, false, false},
                               {".lo", [](int c) { return c < 0; }, false, false, true},
                               {".ls", [](int c) { return c <= 0; }, false, false, true},
                               {".hi", [](int c) { return c > 0; }, false, false, true},
                               {".hs", [](int c) { return c >= 0; }, false, false, true},
                               {".equ", [](int c) { return c == 0; }, true, true, false},
                               {".neu", [](int c) { return c != 0; }, true, true, false},
                               {".ltu", [](int c) { return c < 0; }, true, true, false},
                               {".leu", [](int c) { return c <= 0; }, true, true, false},
                               {".gtu", [](int c) { return c > 0; }, true, true, false},
                               {".geu", [](int c) { return c >= 0; }, true, true, false},
                               {".num", [](int) { return true; }, false, true, false},
                               {".nan", [](int) { return false; }, true, true, false}};

bool exists(const Comparable &t, const Operator &op) {
  if (op.floatOnly)
    return t.kind == Kind::Float;
  if (op.unsignedOnly)
    return t.kind == Kind::Unsigned;
  return t.kind != Kind::Bits || op.name == std::string(".eq") || op.name == std::string(".ne");
}

bool compare(const Comparable &t, const Operator &op, uint64_t a, uint64_t b, bool ftz) {
  if (t.kind == Kind::Float) {
    const Format &f = *t.format;
    if (f.isNaN(a) || f.isNaN(b))
      return op.unordered;
    if (ftz)
      a = f.flush(a), b = f.flush(b);
    auto key = [&](uint64_t v) {
      return v & f.signBit() ? -static_cast<__int128>(v & ~f.signBit()) : static_cast<__int128>(v);
    };
    return op.holds(key(a) < key(b) ? -1 : key(a) > key(b));
  }
  if (t.kind == Kind::Signed)
    a ^= 1ull << (t.bits - 1), b ^= 1ull << (t.bits - 1);
  return op.holds(a < b ? -1 : a > b);
}

std::vector<Values> tuplesFor(const Comparable &t) {
  std::vector<Values> tuples = t.kind == Kind::Float
                                   ? tuplesOf(floatValues(t.bits, t.format->mantissaBits), 2, t.bits, 20, 300)
                                   : tuplesOf(integerValues(t.bits), 2, t.bits, 20, 300);
  for (Values &v : tuples) {
    if (t.packed)
      for (uint64_t &x : v)
        x |= (randomBits() % 3 ? tuples[randomBits() % tuples.size()][0] & 0xffff : x) << 16;
    v.push_back(randomBits() & 1);
  }
  return tuples;
}

uint64_t element(const Comparable &t, uint64_t v, unsigned i) {
  return t.packed ? v >> (16 * i) & 0xffff : v;
}

bool combined(int boolOp, bool value, bool c) {
  return boolOp == 0 ? value : boolOp == 1 ? value && c : boolOp == 2 ? value || c : value != c;
}
constexpr const char *kBoolOps[] = {"", ".and", ".or", ".xor"};

} // namespace

TEST_CASE("setp: every comparison of every type") {
  for (const Comparable &t : kTypes)
    for (const Operator &op : kOperators)
      for (int boolOp = 0; boolOp < 4; ++boolOp)
        for (bool ftz : {false, true}) {
          if (!exists(t, op) || (ftz && !t.takesFtz()))
            continue;
          std::string operands = boolOp ? ", %a0, %a1, %a2;" : ", %a0, %a1;";
          bool two = t.packed || (t.format != &kF16 && t.format != &kBF16); // scalar halves have no second result
          checkForm(Form::statement("setp" + std::string(op.name) + kBoolOps[boolOp] + (ftz ? ".ftz" : "") + t.name +
                                        (two ? " %d0|%d1" : " %d0") + operands,
                                    std::vector<std::string>(two ? 2 : 1, ".pred"), {t.reg(), t.reg(), ".pred"}),
                    tuplesFor(t), [&](const Values &v) {
                      bool low = compare(t, op, element(t, v[0], 0), element(t, v[1], 0), ftz);
                      bool second = t.packed ? compare(t, op, element(t, v[0], 1), element(t, v[1], 1), ftz) : !low;
                      Values results = {combined(boolOp, low, v[2]), combined(boolOp, second, v[2])};
                      results.resize(two ? 2 : 1);
                      return results;
                    });
        }
  // One result, and a negated operand.
  checkForm(Form::statement("setp.lt.or.s32 %d0, %a0, %a1, !%a2;", {".pred"}, {".b32", ".b32", ".pred"}),
            tuplesFor(kTypes[7]),
            [](const Values &v) { return Values{static_cast<int32_t>(v[0]) < static_cast<int32_t>(v[1]) || !v[2]}; });
}

TEST_CASE("set: every result type of every comparison") {
  struct Result {
    const char *name;
    unsigned bits;
    uint64_t truth;
    const char *sources; ///< names of the operand types it goes with; "" for all unpacked ones
  };
  const Result results[] = {
      {".u32", 32, 0xffffffff, ""},       {".s32", 32, 0xffffffff, ""},       {".f32", 32, 0x3f800000, "no halves"},
      {".u16", 16, 0xffff, ".f16 .bf16"}, {".s16", 16, 0xffff, ".f16 .bf16"}, {".f16", 16, 0x3c00, "not .bf16"},
      {".bf16", 16, 0x3f80, "not .f16"},  {".f16x2", 32, 0x3c00, ".f16x2"},   {".bf16x2", 32, 0x3f80, ".bf16x2"},
      {".u32", 32, 0xffff, "packed"},     {".s32", 32, 0xffff, "packed"}};
  for (const Result &d : results)
    for (const Comparable &t : kTypes) {
      std::string sources = d.sources, name = t.name;
      bool half = t.format == &kF16 || t.format == &kBF16;
      bool fits = sources == "packed"      ? t.packed
                  : sources == "no halves" ? !half
                  : sources == "not .bf16" ? !t.packed && name != ".bf16"
                  : sources == "not .f16"  ? !t.packed && name != ".f16"
                  : sources.empty()        ? !t.packed
                                           : (" " + sources + " ").find(name + " ") != std::string::npos;
      if (!fits)
        continue;
      for (const Operator &op : kOperators)
        for (int boolOp = 0; boolOp < 4; ++boolOp)
          for (bool ftz : {false, true}) {
            if (!exists(t, op) || (ftz && !t.takesFtz()) || (ftz && std::string(d.name) == ".bf16"))
              continue;
            std::string operands = boolOp ? ", %a0, %a1, %a2;" : ", %a0, %a1;";
            checkForm(Form::statement("set" + std::string(op.name) + kBoolOps[boolOp] + (ftz ? ".ftz" : "") + d.name +
                                          name + " %d0" + operands,
                                      {".b" + std::to_string(d.bits)}, {t.reg(), t.reg(), ".pred"}),
                      tuplesFor(t), [&](const Values &v) {
                        uint64_t result = 0;
                        for (unsigned i = 0; i < (t.packed ? 2u : 1u); ++i)
                          if (combined(boolOp, compare(t, op, element(t, v[0], i), element(t, v[1], i), ftz), v[2]))
                            result |= d.truth << (16 * i);
                        return Values{result};
                      });
          }
    }
}

TEST_CASE("selp and slct") {
  for (const Comparable &t : kTypes) {
    if (t.format == &kF16 || t.isBrain())
      continue;
    std::string reg = t.reg();
    checkForm(Form(std::string("selp") + t.name, {reg}, {reg, reg, ".pred"}), tuplesFor(t),
              [](const Values &v) { return Values{v[2] ? v[0] : v[1]}; });
    checkForm(Form::statement(std::string("selp") + t.name + " %d0, %a0, %a1, !%a2;", {reg}, {reg, reg, ".pred"}),
              tuplesFor(t), [](const Values &v) { return Values{v[2] ? v[1] : v[0]}; });
    std::vector<Values> tuples = tuplesFor(t);
    std::vector<uint64_t> selectors = floatValues(32, 23);
    for (Values &v : tuples)
      v[2] = selectors[randomBits() % selectors.size()];
    checkForm(Form(std::string("slct") + t.name + ".s32", {reg}, {reg, reg, ".b32"}), tuples,
              [](const Values &v) { return Values{v[2] >> 31 ? v[1] : v[0]}; });
    for (bool ftz : {false, true})
      checkForm(Form(std::string("slct") + (ftz ? ".ftz" : "") + t.name + ".f32", {reg}, {reg, reg, ".b32"}), tuples,
                [&](const Values &v) {
                  uint64_t c = ftz ? kF32.flush(v[2]) : v[2];
                  bool first = !kF32.isNaN(c) && (!(c >> 31) || (c & 0x7fffffff) == 0);
                  return Values{first ? v[0] : v[1]};
                });
  }
}
