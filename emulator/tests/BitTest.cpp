//===- BitTest.cpp - Logic, shifts and bit fields, bit by bit ------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormTest.h"
#include <catch2/catch.hpp>

using namespace ptxemu::testing;

namespace {

std::string bitType(unsigned bits) {
  return ".b" + std::to_string(bits);
}
uint64_t maskOf(unsigned bits) {
  return bits == 64 ? ~0ull : (1ull << bits) - 1;
}
/// The value whose bit i is f(i).
template <class F>
uint64_t build(unsigned bits, F f) {
  uint64_t v = 0;
  for (unsigned i = 0; i < bits; ++i)
    v |= static_cast<uint64_t>(f(i) ? 1 : 0) << i;
  return v;
}
bool bit(uint64_t v, uint64_t i) {
  return i < 64 && (v >> i & 1);
}

const std::vector<uint64_t> kAmounts = {0, 1, 4, 7, 15, 16, 17, 31, 32, 33, 63, 64, 65, 128, 0x80000000, 0xffffffff};

/// Every value with every amount.
std::vector<Values> withAmounts(unsigned bits, unsigned values = 1) {
  std::vector<Values> tuples;
  for (Values v : tuplesOf(integerValues(bits), values, bits, 20, 40))
    for (uint64_t amount : kAmounts) {
      tuples.push_back(v);
      tuples.back().push_back(amount);
    }
  return tuples;
}

} // namespace

TEST_CASE("and, or, xor, not, cnot") {
  for (unsigned bits : {16u, 32u, 64u}) {
    std::string t = bitType(bits);
    std::vector<Values> pairs = tuplesOf(integerValues(bits), 2, bits),
                        singles = tuplesOf(integerValues(bits), 1, bits);
    checkForm(Form("and" + t, {t}, {t, t}), pairs, [](const Values &v) { return Values{v[0] & v[1]}; });
    checkForm(Form("or" + t, {t}, {t, t}), pairs, [](const Values &v) { return Values{v[0] | v[1]}; });
    checkForm(Form("xor" + t, {t}, {t, t}), pairs, [](const Values &v) { return Values{v[0] ^ v[1]}; });
    checkForm(Form("not" + t, {t}, {t}), singles, [&](const Values &v) { return Values{~v[0] & maskOf(bits)}; });
    checkForm(Form("cnot" + t, {t}, {t}), singles, [](const Values &v) { return Values{v[0] == 0 ? 1ull : 0}; });
  }
  std::vector<Values> truth = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  std::vector<std::string> p = {".pred"}, pq = {".pred", ".pred"};
  checkForm(Form("and.pred", p, pq), truth, [](const Values &v) { return Values{v[0] & v[1]}; });
  checkForm(Form("or.pred", p, pq), truth, [](const Values &v) { return Values{v[0] | v[1]}; });
  checkForm(Form("xor.pred", p, pq), truth, [](const Values &v) { return Values{v[0] ^ v[1]}; });
  checkForm(Form("not.pred", p, p), {{0}, {1}}, [](const Values &v) { return Values{v[0] ^ 1}; });
}

TEST_CASE("shifts at and beyond the width") {
  for (unsigned bits : {16u, 32u, 64u})
    for (std::string kind : {"b", "u", "s"}) {
      std::string t = bitType(bits), size = std::to_string(bits);
      if (kind == "b")
        checkForm(Form("shl.b" + size, {t}, {t, ".b32"}), withAmounts(bits), [&](const Values &v) {
          return Values{build(bits, [&](uint64_t i) { return i >= v[1] && bit(v[0], i - v[1]); })};
        });
      checkForm(Form("shr." + kind + size, {t}, {t, ".b32"}), withAmounts(bits), [&](const Values &v) {
        bool sign = kind == "s" && bit(v[0], bits - 1);
        return Values{build(bits, [&](uint64_t i) { return i + v[1] < bits ? bit(v[0], i + v[1]) : sign; })};
      });
    }
}

TEST_CASE("funnel shifts") {
  for (bool left : {true, false})
    for (bool wrap : {true, false})
      checkForm(Form(std::string("shf") + (left ? ".l" : ".r") + (wrap ? ".wrap" : ".clamp") + ".b32", {".b32"},
                     {".b32", ".b32", ".b32"}),
                withAmounts(32, 2), [&](const Values &v) {
                  uint64_t n = wrap ? v[2] & 31 : v[2] > 32 ? 32 : v[2], both = v[1] << 32 | v[0];
                  return Values{build(32, [&](uint64_t i) { return bit(both, left ? i + 32 - n : i + n); })};
                });
}

TEST_CASE("popc, clz, brev, bfind") {
  for (unsigned bits : {32u, 64u}) {
    std::string t = bitType(bits), size = std::to_string(bits);
    std::vector<Values> singles = tuplesOf(integerValues(bits), 1, bits, 200);
    for (unsigned i = 0; i < bits; ++i)
      singles.push_back({1ull << i});
    checkForm(Form("popc" + t, {".b32"}, {t}), singles, [](const Values &v) {
      uint64_t n = 0;
      for (unsigned i = 0; i < 64; ++i)
        n += bit(v[0], i);
      return Values{n};
    });
    checkForm(Form("clz" + t, {".b32"}, {t}), singles, [&](const Values &v) {
      uint64_t n = 0;
      while (n < bits && !bit(v[0], bits - 1 - n))
        ++n;
      return Values{n};
    });
    checkForm(Form("brev" + t, {t}, {t}), singles, [&](const Values &v) {
      return Values{build(bits, [&](uint64_t i) { return bit(v[0], bits - 1 - i); })};
    });
    for (std::string kind : {"u", "s"})
      for (bool amount : {false, true})
        checkForm(Form(std::string("bfind") + (amount ? ".shiftamt." : ".") + kind + size, {".b32"}, {t}), singles,
                  [&](const Values &v) {
                    bool sign = kind == "s" && bit(v[0], bits - 1);
                    for (uint64_t i = bits; i-- > 0;)
                      if (bit(v[0], i) != sign)
                        return Values{amount ? bits - 1 - i : i};
                    return Values{0xffffffff};
                  });
  }
}

TEST_CASE("bit fields") {
  for (unsigned bits : {32u, 64u}) {
    std::string t = bitType(bits), size = std::to_string(bits);
    std::vector<Values> fields;
    for (Values v : tuplesOf(integerValues(bits), 2, bits, 10, 14))
      for (uint64_t position : {0, 1, 5, 30, 31, 32, 40, 63, 64, 200, 255, 256})
        for (uint64_t length : {0, 1, 8, 31, 32, 33, 64, 100, 255, 257})
          fields.push_back({v[0], v[1], position, length});
    for (std::string kind : {"u", "s"})
      checkForm(Form::statement("bfe." + kind + size + " %d0, %a0, %a2, %a3;", {t}, {t, t, ".b32", ".b32"}), fields,
                [&](const Values &v) {
                  uint64_t position = v[2] & 0xff, length = v[3] & 0xff, top = bits - 1;
                  bool sign = kind == "s" && length && bit(v[0], std::min(position + length - 1, top));
                  return Values{build(bits, [&](uint64_t i) {
                    return i < length && position + i <= top ? bit(v[0], position + i) : sign;
                  })};
                });
    checkForm(Form::statement("bfi.b" + size + " %d0, %a0, %a1, %a2, %a3;", {t}, {t, t, ".b32", ".b32"}), fields,
              [&](const Values &v) {
                uint64_t position = v[2] & 0xff, length = v[3] & 0xff;
                return Values{build(bits, [&](uint64_t i) {
                  return i >= position && i < position + length ? bit(v[0], i - position) : bit(v[1], i);
                })};
              });
  }
}

TEST_CASE("bmsk, szext, fns") {
  std::vector<Values> amounts;
  for (uint64_t a : kAmounts)
    for (uint64_t b : kAmounts)
      amounts.push_back({a, b});
  for (bool wrap : {false, true}) {
    std::string mode = wrap ? ".wrap" : ".clamp";
    auto reduce = [&](uint64_t v) { return wrap ? v & 31 : std::min<uint64_t>(v, 32); };
    checkForm(Form("bmsk" + mode + ".b32", {".b32"}, {".b32", ".b32"}), amounts, [&](const Values &v) {
      uint64_t position = reduce(v[0]), width = reduce(v[1]);
      return Values{build(32, [&](uint64_t i) { return i >= position && i < position + width; })};
    });
    for (std::string kind : {".u32", ".s32"})
      checkForm(Form("szext" + mode + kind, {".b32"}, {".b32", ".b32"}), withAmounts(32), [&](const Values &v) {
        uint64_t n = reduce(v[1]);
        bool sign = kind == ".s32" && n && bit(v[0], n - 1);
        return Values{build(32, [&](uint64_t i) { return i < n ? bit(v[0], i) : sign; })};
      });
  }
  std::vector<Values> searches;
  for (uint64_t mask : {0x0ull, 0xffffffffull, 0xaaaaull, 0x80000001ull, 0x12345678ull})
    for (uint64_t base = 0; base < 32; base += 3)
      for (int offset : {-33, -3, -2, -1, 0, 1, 2, 3, 8, 33})
        searches.push_back({mask, base, static_cast<uint32_t>(offset)});
  checkForm(Form("fns.b32", {".b32"}, {".b32", ".b32", ".b32"}), searches, [](const Values &v) {
    int32_t offset = static_cast<int32_t>(v[2]);
    if (offset == 0)
      return Values{bit(v[0], v[1]) ? v[1] : 0xffffffff};
    int count = 0, step = offset > 0 ? 1 : -1;
    for (int64_t p = static_cast<int64_t>(v[1]); p >= 0 && p < 32; p += step)
      if (bit(v[0], static_cast<uint64_t>(p)) && ++count == offset * step)
        return Values{static_cast<uint64_t>(p)};
    return Values{0xffffffff};
  });
}

TEST_CASE("prmt in every mode") {
  std::vector<Values> tuples;
  for (Values v : tuplesOf(integerValues(32), 2, 32, 30, 30))
    for (uint64_t selector :
         {0x3210ull, 0x7654ull, 0xfedcull, 0x8b05ull, 0ull, 1ull, 2ull, 3ull, 0xffffffffull, 0x4321ull})
      tuples.push_back({v[0], v[1], selector});
  std::vector<std::string> operands(3, ".b32");
  checkForm(Form("prmt.b32", {".b32"}, operands), tuples, [](const Values &v) {
    uint64_t all = v[1] << 32 | v[0], d = 0;
    for (unsigned i = 0; i < 4; ++i) {
      uint64_t nibble = v[2] >> (4 * i) & 15, byte = all >> (8 * (nibble & 7)) & 0xff;
      d |= (nibble & 8 ? (byte & 0x80 ? 0xffull : 0) : byte) << (8 * i);
    }
    return Values{d};
  });
  // Byte sources for the selectors 0 … 3, most significant result byte first, as in the ISA's table.
  struct Mode {
    const char *name;
    unsigned source[4][4];
  };
  const Mode modes[] = {{".f4e", {{3, 2, 1, 0}, {4, 3, 2, 1}, {5, 4, 3, 2}, {6, 5, 4, 3}}},
                        {".b4e", {{5, 6, 7, 0}, {6, 7, 0, 1}, {7, 0, 1, 2}, {0, 1, 2, 3}}},
                        {".rc8", {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}}},
                        {".ecl", {{3, 2, 1, 0}, {3, 2, 1, 1}, {3, 2, 2, 2}, {3, 3, 3, 3}}},
                        {".ecr", {{0, 0, 0, 0}, {1, 1, 1, 0}, {2, 2, 1, 0}, {3, 2, 1, 0}}},
                        {".rc16", {{1, 0, 1, 0}, {3, 2, 3, 2}, {1, 0, 1, 0}, {3, 2, 3, 2}}}};
  for (const Mode &m : modes)
    checkForm(Form(std::string("prmt.b32") + m.name, {".b32"}, operands), tuples, [&](const Values &v) {
      uint64_t all = v[1] << 32 | v[0], d = 0;
      for (unsigned i = 0; i < 4; ++i)
        d |= (all >> (8 * m.source[v[2] & 3][3 - i]) & 0xff) << (8 * i);
      return Values{d};
    });
}

TEST_CASE("lop3 with every lookup table") {
  for (unsigned table = 0; table < 256; ++table) {
    auto lookup = [&](const Values &v) {
      return build(32, [&](uint64_t i) { return table >> (bit(v[0], i) * 4 + bit(v[1], i) * 2 + bit(v[2], i)) & 1; });
    };
    std::string immediate = std::to_string(table);
    checkForm(Form::statement("lop3.b32 %d0, %a0, %a1, %a2, " + immediate + ";", {".b32"}, {".b32", ".b32", ".b32"}),
              tuplesOf(integerValues(32), 3, 32, 12, 12), [&](const Values &v) { return Values{lookup(v)}; });
    if (table % 17)
      continue;
    for (std::string op : {"or", "and"})
      checkForm(Form::statement("lop3." + op + ".b32 %d0|%d1, %a0, %a1, %a2, " + immediate + ", %a3;",
                                {".b32", ".pred"}, {".b32", ".b32", ".b32", ".pred"}),
                {{0, 0, 0, 0}, {0, 0, 0, 1}, {0xf0f0, 0xcccc, 0xaaaa, 0}, {0xffffffff, 0xffffffff, 0xffffffff, 1}},
                [&](const Values &v) {
                  uint64_t d = lookup(v);
                  return Values{d, op == "or" ? (d != 0 || v[3]) : (d != 0 && v[3])};
                });
  }
}
