//===- VideoTest.cpp - Video instructions --------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormTest.h"
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>

using namespace ptxemu::testing;

namespace {

// Written from the ISA's pseudocode for one element, in 64 bits.

/// Part `index` of `bits` bits, widened with its type's sign.
int64_t part(uint64_t word, unsigned bits, unsigned index, bool isSigned) {
  const uint64_t field = word >> (bits * index) & ((1ull << bits) - 1);
  const bool negative = isSigned && field >> (bits - 1);
  return static_cast<int64_t>(field) - (negative ? int64_t(1) << bits : 0);
}

int64_t saturated(int64_t v, unsigned bits, bool isSigned) {
  const int64_t low = isSigned ? -(int64_t(1) << (bits - 1)) : 0,
                high = isSigned ? (int64_t(1) << (bits - 1)) - 1 : (int64_t(1) << bits) - 1;
  return v < low ? low : v > high ? high : v;
}

int64_t apply(const std::string &op, int64_t a, int64_t b) {
  if (op == "vadd")
    return a + b;
  if (op == "vsub")
    return a - b;
  if (op == "vabsdiff")
    return a > b ? a - b : b - a;
  if (op == "vmin")
    return a < b ? a : b;
  if (op == "vmax")
    return a > b ? a : b;
  const int64_t sum = a + b; // vavrg: halves away from zero, but for negative sums down
  return sum >= 0 ? (sum + 1) / 2 : (sum - (sum % 2 != 0)) / 2;
}

bool compare(const std::string &cmp, int64_t a, int64_t b) {
  return cmp == "eq"   ? a == b
         : cmp == "ne" ? a != b
         : cmp == "lt" ? a < b
         : cmp == "le" ? a <= b
         : cmp == "gt" ? a > b
                       : a >= b;
}

uint32_t placed(uint32_t into, int64_t v, unsigned bits, unsigned index) {
  const uint64_t mask = ((1ull << bits) - 1) << (bits * index);
  return static_cast<uint32_t>((into & ~mask) | (static_cast<uint64_t>(v) << (bits * index) & mask));
}

std::vector<Values> words(unsigned n) {
  return tuplesOf({0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 0x12345678}, n,
                  32, 64, 200);
}

const std::vector<std::string> kSigns{"u32", "s32"};
std::string typed(const std::string &op, const std::string &d, const std::string &a, const std::string &b) {
  return op + "." + d + "." + a + "." + b;
}

Form three(const std::string &text) {
  return Form::statement(text, {".b32"}, {".b32", ".b32", ".b32"});
}

} // namespace

TEST_CASE("scalar video arithmetic takes parts, saturates, and combines with a third operand") {
  for (std::string op : {"vadd", "vsub", "vabsdiff", "vmin", "vmax"})
    for (const std::string &d : kSigns)
      for (const std::string &a : kSigns)
        for (const std::string &b : kSigns) {
          const bool sd = d == "s32", sa = a == "s32", sb = b == "s32";
          checkForm(three(typed(op, d, a, b) + " %d0, %a0, %a1;"), words(3), [&](const Values &v) {
            return Values{static_cast<uint32_t>(apply(op, part(v[0], 32, 0, sa), part(v[1], 32, 0, sb)))};
          });
          checkForm(three(typed(op, d, a, b) + ".sat %d0, %a0.h1, %a1;"), words(3), [&](const Values &v) {
            return Values{
                static_cast<uint32_t>(saturated(apply(op, part(v[0], 16, 1, sa), part(v[1], 32, 0, sb)), 32, sd))};
          });
          checkForm(three(typed(op, d, a, b) + ".sat.min %d0, %a0.b3, %a1, %a2;"), words(3), [&](const Values &v) {
            return Values{static_cast<uint32_t>(std::min(
                saturated(apply(op, part(v[0], 8, 3, sa), part(v[1], 32, 0, sb)), 32, sd), part(v[2], 32, 0, sd)))};
          });
          checkForm(three(typed(op, d, a, b) + ".sat %d0.b2, %a0.b1, %a1.h0, %a2;"), words(3), [&](const Values &v) {
            return Values{placed(static_cast<uint32_t>(v[2]),
                                 saturated(apply(op, part(v[0], 8, 1, sa), part(v[1], 16, 0, sb)), 8, sd), 8, 2)};
          });
        }
  for (std::string second : {"add", "max"})
    checkForm(three("vadd.s32.s32.s32." + second + " %d0, %a0, %a1, %a2;"), words(3), [&](const Values &v) {
      const int64_t sum = part(v[0], 32, 0, true) + part(v[1], 32, 0, true), c = part(v[2], 32, 0, true);
      return Values{static_cast<uint32_t>(second == "add" ? sum + c : std::max(sum, c))};
    });
  checkForm(three("vsub.u32.u32.u32 %d0.h1, %a0, %a1, %a2;"), words(3), [](const Values &v) {
    return Values{placed(static_cast<uint32_t>(v[2]), static_cast<int64_t>(v[0] - v[1]), 16, 1)};
  });
}

TEST_CASE("video shifts and comparisons") {
  for (std::string op : {"vshl", "vshr"})
    for (std::string mode : {"clamp", "wrap"})
      for (const std::string &a : kSigns)
        for (const std::string &d : kSigns)
          checkForm(three(op + "." + d + "." + a + ".u32.sat." + mode + " %d0, %a0, %a1.b0;"), words(3),
                    [&](const Values &v) {
                      int64_t value = part(v[0], 32, 0, a == "s32"), by = part(v[1], 8, 0, false);
                      by = mode == "wrap" ? by % 32 : std::min<int64_t>(by, 32);
                      const int64_t shifted = op == "vshr" ? value >> by : value * (int64_t(1) << by);
                      return Values{static_cast<uint32_t>(saturated(shifted, 32, d == "s32"))};
                    });
  for (std::string cmp : {"eq", "ne", "lt", "le", "gt", "ge"})
    for (const std::string &a : kSigns)
      for (const std::string &b : kSigns) {
        auto holds = [&](const Values &v) {
          return compare(cmp, part(v[0], 32, 0, a == "s32"), part(v[1], 16, 1, b == "s32"));
        };
        checkForm(three("vset." + a + "." + b + "." + cmp + " %d0, %a0, %a1.h1;"), words(3),
                  [&](const Values &v) { return Values{holds(v)}; });
        checkForm(three("vset." + a + "." + b + "." + cmp + ".add %d0, %a0, %a1.h1, %a2;"), words(3),
                  [&](const Values &v) { return Values{static_cast<uint32_t>(v[2] + holds(v))}; });
        checkForm(three("vset." + a + "." + b + "." + cmp + " %d0.b0, %a0, %a1.h1, %a2;"), words(3),
                  [&](const Values &v) { return Values{placed(static_cast<uint32_t>(v[2]), holds(v), 8, 0)}; });
      }
}

TEST_CASE("vmad negates, scales, adds one and saturates") {
  struct Variant {
    const char *form, *operands;
    int product, addend, one;
    unsigned shift;
  };
  const Variant variants[] = {{"", "%a0, %a1, %a2", 1, 1, 0, 0},      {"", "-%a0, %a1, %a2", -1, 1, 0, 0},
                              {"", "%a0, %a1, -%a2", 1, -1, 0, 0},    {".po", "%a0, %a1, %a2", 1, 1, 1, 0},
                              {".shr7", "%a0, %a1, %a2", 1, 1, 0, 7}, {".shr15", "%a0, -%a1, %a2", -1, 1, 0, 15}};
  for (const Variant &variant : variants)
    for (std::string sat : {"", ".sat"})
      for (const std::string &a : kSigns)
        for (const std::string &b : kSigns) {
          const bool isSigned = a == "s32" || b == "s32" || variant.product < 0 || variant.addend < 0;
          const std::string form = variant.form == std::string(".po") ? ".po" + sat : sat + variant.form;
          checkForm(three(typed("vmad", isSigned ? "s32" : "u32", a, b) + form + " %d0, " + variant.operands + ";"),
                    words(3), [&](const Values &v) {
                      const __int128 sum = static_cast<__int128>(part(v[0], 32, 0, a == "s32")) *
                                               part(v[1], 32, 0, b == "s32") * variant.product +
                                           part(v[2], 32, 0, isSigned) * variant.addend + variant.one;
                      const int64_t result = static_cast<int64_t>(sum >> variant.shift);
                      return Values{static_cast<uint32_t>(sat.empty() ? result : saturated(result, 32, isSigned))};
                    });
        }
}

TEST_CASE("SIMD video instructions select, mask and accumulate elements") {
  for (unsigned n : {2u, 4u})
    for (std::string op : {"vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax"})
      for (const std::string &d : kSigns)
        for (const std::string &a : kSigns)
          for (const std::string &b : kSigns) {
            const unsigned bits = 32 / n;
            const std::string name = typed(op + std::to_string(n), d, a, b);
            auto element = [&](const Values &v, unsigned from, unsigned with, bool sat) {
              const uint64_t both = v[1] << 32 | v[0];
              const int64_t r = apply(op, part(both, bits, from, a == "s32"), part(both, bits, with, b == "s32"));
              return sat ? saturated(r, bits, d == "s32") : r;
            };
            checkForm(three(name + ".sat %d0, %a0, %a1, %a2;"), words(3), [&](const Values &v) {
              uint32_t result = 0;
              for (unsigned e = 0; e < n; ++e)
                result = placed(result, element(v, e, n + e, true), bits, e);
              return Values{result};
            });
            const std::string mask = n == 2 ? ".h1" : ".b20", selectA = n == 2 ? ".h23" : ".b0744",
                              selectB = n == 2 ? ".h00" : ".b1327";
            const std::vector<unsigned> fromA =
                                            n == 2 ? std::vector<unsigned>{3, 2} : std::vector<unsigned>{4, 4, 7, 0},
                                        fromB =
                                            n == 2 ? std::vector<unsigned>{0, 0} : std::vector<unsigned>{7, 2, 3, 1},
                                        written = n == 2 ? std::vector<unsigned>{1} : std::vector<unsigned>{0, 2};
            checkForm(three(name + " %d0" + mask + ", %a0" + selectA + ", %a1" + selectB + ", %a2;"), words(3),
                      [&](const Values &v) {
                        uint32_t result = static_cast<uint32_t>(v[2]);
                        for (unsigned e : written)
                          result = placed(result, element(v, fromA[e], fromB[e], false), bits, e);
                        return Values{result};
                      });
            checkForm(three(name + ".add %d0" + mask + ", %a0" + selectA + ", %a1, %a2;"), words(3),
                      [&](const Values &v) {
                        uint32_t result = static_cast<uint32_t>(v[2]);
                        for (unsigned e : written)
                          result += static_cast<uint32_t>(element(v, fromA[e], n + e, false));
                        return Values{result};
                      });
          }
  for (unsigned n : {2u, 4u})
    for (std::string cmp : {"eq", "ne", "lt", "le", "gt", "ge"})
      for (const std::string &a : kSigns)
        for (const std::string &b : kSigns) {
          const unsigned bits = 32 / n;
          const std::string name = "vset" + std::to_string(n) + "." + a + "." + b + "." + cmp;
          auto holds = [&](const Values &v, unsigned e) {
            return compare(cmp, part(v[0], bits, e, a == "s32"), part(v[1], bits, e, b == "s32"));
          };
          checkForm(three(name + " %d0, %a0, %a1, %a2;"), words(3), [&](const Values &v) {
            uint32_t result = 0;
            for (unsigned e = 0; e < n; ++e)
              result = placed(result, holds(v, e), bits, e);
            return Values{result};
          });
          checkForm(three(name + ".add %d0, %a0, %a1, %a2;"), words(3), [&](const Values &v) {
            uint32_t result = static_cast<uint32_t>(v[2]);
            for (unsigned e = 0; e < n; ++e)
              result += holds(v, e);
            return Values{result};
          });
        }
}
