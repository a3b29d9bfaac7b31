//===- IntegerTest.cpp - Integer arithmetic against wide arithmetic ------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormTest.h"
#include <algorithm>
#include <catch2/catch.hpp>

using namespace ptxemu::testing;

namespace {

using Wide = __int128;

struct IntegerType {
  const char *name;
  unsigned bits;
  bool isSigned;

  std::string reg() const { return ".b" + std::to_string(bits); }
  uint64_t mask() const { return bits == 64 ? ~0ull : (1ull << bits) - 1; }
  Wide read(uint64_t raw) const {
    raw &= mask();
    return isSigned && raw >> (bits - 1) ? static_cast<Wide>(raw) - (static_cast<Wide>(1) << bits) : Wide(raw);
  }
  uint64_t wrap(Wide v) const { return static_cast<uint64_t>(v) & mask(); }
  uint64_t clamp(Wide v) const {
    Wide low = isSigned ? -(static_cast<Wide>(1) << (bits - 1)) : 0,
         high = (static_cast<Wide>(1) << (isSigned ? bits - 1 : bits)) - 1;
    return wrap(v < low ? low : v > high ? high : v);
  }
};

constexpr IntegerType kTypes[] = {{".u16", 16, false}, {".u32", 32, false}, {".u64", 64, false},
                                  {".s16", 16, true},  {".s32", 32, true},  {".s64", 64, true}};
constexpr IntegerType kS32 = {".s32", 32, true};

using Compute = Wide (*)(Wide a, Wide b, Wide c);

/// d = op(a, b[, c]) modulo 2^bits.
void checkWrapping(const std::string &opcode, const IntegerType &t, unsigned operands, Compute op) {
  checkForm(Form(opcode + t.name, {t.reg()}, std::vector<std::string>(operands, t.reg())),
            tuplesOf(integerValues(t.bits), operands, t.bits), [&](const Values &v) {
              return Values{t.wrap(op(t.read(v[0]), operands > 1 ? t.read(v[1]) : 0, operands > 2 ? t.read(v[2]) : 0))};
            });
}

void checkSaturating(const std::string &opcode, unsigned operands, Compute op) {
  checkForm(Form(opcode + ".s32", {".b32"}, std::vector<std::string>(operands, ".b32")),
            tuplesOf(integerValues(32), operands, 32), [&](const Values &v) {
              return Values{kS32.clamp(op(kS32.read(v[0]), kS32.read(v[1]), operands > 2 ? kS32.read(v[2]) : 0))};
            });
}

/// Both halves of 32 bits by themselves.
void checkHalves(const std::string &opcode, bool isSigned, Compute op) {
  IntegerType t{"", 16, isSigned};
  checkForm(Form(opcode, {".b32"}, {".b32", ".b32"}), tuplesOf(integerValues(32), 2, 32), [&](const Values &v) {
    uint64_t low = t.wrap(op(t.read(v[0]), t.read(v[1]), 0)),
             high = t.wrap(op(t.read(v[0] >> 16), t.read(v[1] >> 16), 0));
    return Values{high << 16 | low};
  });
}

Wide shiftedDown(Wide v, unsigned bits) {
  return v >> bits; // arithmetic: the floor
}

} // namespace

TEST_CASE("add, sub, min, max, abs, neg of every integer type") {
  for (const IntegerType &t : kTypes) {
    checkWrapping("add", t, 2, [](Wide a, Wide b, Wide) { return a + b; });
    checkWrapping("sub", t, 2, [](Wide a, Wide b, Wide) { return a - b; });
    checkWrapping("min", t, 2, [](Wide a, Wide b, Wide) { return a < b ? a : b; });
    checkWrapping("max", t, 2, [](Wide a, Wide b, Wide) { return a > b ? a : b; });
    checkWrapping("sad", t, 3, [](Wide a, Wide b, Wide c) { return c + (a < b ? b - a : a - b); });
    if (t.isSigned) {
      checkWrapping("abs", t, 1, [](Wide a, Wide, Wide) { return a < 0 ? -a : a; });
      checkWrapping("neg", t, 1, [](Wide a, Wide, Wide) { return -a; });
    }
  }
  checkSaturating("add.sat", 2, [](Wide a, Wide b, Wide) { return a + b; });
  checkSaturating("sub.sat", 2, [](Wide a, Wide b, Wide) { return a - b; });
  checkWrapping("min.relu", kS32, 2, [](Wide a, Wide b, Wide) { return std::max<Wide>(std::min(a, b), 0); });
  checkWrapping("max.relu", kS32, 2, [](Wide a, Wide b, Wide) { return std::max<Wide>(std::max(a, b), 0); });
}

TEST_CASE("packed 16-bit integer arithmetic") {
  for (bool isSigned : {false, true}) {
    std::string type = isSigned ? ".s16x2" : ".u16x2";
    checkHalves("add" + type, isSigned, [](Wide a, Wide b, Wide) { return a + b; });
    checkHalves("min" + type, isSigned, [](Wide a, Wide b, Wide) { return std::min(a, b); });
    checkHalves("max" + type, isSigned, [](Wide a, Wide b, Wide) { return std::max(a, b); });
  }
  checkHalves("min.relu.s16x2", true, [](Wide a, Wide b, Wide) { return std::max<Wide>(std::min(a, b), 0); });
  checkHalves("max.relu.s16x2", true, [](Wide a, Wide b, Wide) { return std::max<Wide>(std::max(a, b), 0); });
}

TEST_CASE("products: low, high and wide") {
  for (const IntegerType &t : kTypes) {
    std::vector<Values> pairs = tuplesOf(integerValues(t.bits), 2, t.bits),
                        triples = tuplesOf(integerValues(t.bits), 3, t.bits);
    std::vector<std::string> two(2, t.reg()), three(3, t.reg());
    // The product of two 64-bit unsigned values does not fit the signed wide type: form it unsigned.
    auto high = [&](const Values &v) {
      if (!t.isSigned)
        return static_cast<Wide>((static_cast<unsigned __int128>(v[0]) * v[1]) >> t.bits);
      return shiftedDown(t.read(v[0]) * t.read(v[1]), t.bits);
    };
    auto low = [&](const Values &v) { return static_cast<Wide>(static_cast<unsigned __int128>(v[0]) * v[1]); };
    checkForm(Form(std::string("mul.lo") + t.name, {t.reg()}, two), pairs,
              [&](const Values &v) { return Values{t.wrap(low(v))}; });
    checkForm(Form(std::string("mul.hi") + t.name, {t.reg()}, two), pairs,
              [&](const Values &v) { return Values{t.wrap(high(v))}; });
    checkForm(Form(std::string("mad.lo") + t.name, {t.reg()}, three), triples,
              [&](const Values &v) { return Values{t.wrap(low(v) + static_cast<Wide>(v[2]))}; });
    checkForm(Form(std::string("mad.hi") + t.name, {t.reg()}, three), triples,
              [&](const Values &v) { return Values{t.wrap(high(v) + static_cast<Wide>(v[2]))}; });
    if (t.bits == 64)
      continue;
    IntegerType w{"", t.bits * 2, t.isSigned};
    checkForm(Form(std::string("mul.wide") + t.name, {w.reg()}, two), pairs,
              [&](const Values &v) { return Values{w.wrap(t.read(v[0]) * t.read(v[1]))}; });
    for (Values &v : triples)
      v[2] = randomBits() & w.mask();
    checkForm(Form(std::string("mad.wide") + t.name, {w.reg()}, {t.reg(), t.reg(), w.reg()}), triples,
              [&](const Values &v) { return Values{w.wrap(t.read(v[0]) * t.read(v[1]) + w.read(v[2]))}; });
  }
  checkSaturating("mad.hi.sat", 3, [](Wide a, Wide b, Wide c) { return shiftedDown(a * b, 32) + c; });
}

TEST_CASE("24-bit products take the low 24 bits of their operands") {
  for (bool isSigned : {false, true}) {
    IntegerType t{"", 24, isSigned}, full{"", 32, isSigned};
    std::string type = isSigned ? ".s32" : ".u32";
    for (bool high : {false, true}) {
      std::string half = high ? ".hi" : ".lo";
      auto product = [&](const Values &v) { return shiftedDown(t.read(v[0]) * t.read(v[1]), high ? 16 : 0); };
      checkForm(Form("mul24" + half + type, {".b32"}, {".b32", ".b32"}), tuplesOf(integerValues(32), 2, 32),
                [&](const Values &v) { return Values{full.wrap(product(v))}; });
      checkForm(Form("mad24" + half + type, {".b32"}, {".b32", ".b32", ".b32"}), tuplesOf(integerValues(32), 3, 32),
                [&](const Values &v) { return Values{full.wrap(product(v) + full.read(v[2]))}; });
      if (high && isSigned)
        checkForm(Form("mad24.hi.sat.s32", {".b32"}, {".b32", ".b32", ".b32"}), tuplesOf(integerValues(32), 3, 32),
                  [&](const Values &v) { return Values{full.clamp(product(v) + full.read(v[2]))}; });
    }
  }
}

TEST_CASE("division and remainder; the quotient by zero is unspecified") {
  for (const IntegerType &t : kTypes)
    for (bool remainder : {false, true})
      checkFormBy(Form((remainder ? "rem" : "div") + std::string(t.name), {t.reg()}, {t.reg(), t.reg()}),
                  tuplesOf(integerValues(t.bits), 2, t.bits), [&](const Values &v, const Values &d) -> std::string {
                    Wide a = t.read(v[0]), b = t.read(v[1]);
                    if (b == 0)
                      return "";
                    return d[0] == t.wrap(remainder ? a % b : a / b) ? "" : "wrong";
                  });
}

TEST_CASE("dot products of bytes and halves") {
  for (const char *at : {".u32", ".s32"})
    for (const char *bt : {".u32", ".s32"}) {
      bool aSigned = at[1] == 's', bSigned = bt[1] == 's';
      auto part = [](uint64_t v, unsigned bits, unsigned i, bool isSigned) {
        return IntegerType{"", bits, isSigned}.read(v >> (bits * i));
      };
      std::vector<std::string> operands(3, ".b32");
      std::vector<Values> tuples = tuplesOf(integerValues(32), 3, 32, 300, 200);
      checkForm(Form(std::string("dp4a") + at + bt, {".b32"}, operands), tuples, [&](const Values &v) {
        Wide sum = static_cast<Wide>(v[2]);
        for (unsigned i = 0; i < 4; ++i)
          sum += part(v[0], 8, i, aSigned) * part(v[1], 8, i, bSigned);
        return Values{kS32.wrap(sum)};
      });
      for (unsigned high : {0u, 1u})
        checkForm(Form(std::string("dp2a") + (high ? ".hi" : ".lo") + at + bt, {".b32"}, operands), tuples,
                  [&](const Values &v) {
                    Wide sum = static_cast<Wide>(v[2]);
                    for (unsigned i = 0; i < 2; ++i)
                      sum += part(v[0], 16, i, aSigned) * part(v[1], 8, i + 2 * high, bSigned);
                    return Values{kS32.wrap(sum)};
                  });
    }
}

TEST_CASE("carries and borrows travel through the condition code") {
  for (const IntegerType &t : kTypes) {
    if (t.bits == 16)
      continue;
    using U = unsigned __int128;
    std::string name = t.name, reg = t.reg();
    std::vector<Values> pairs = tuplesOf(integerValues(t.bits), 2, t.bits);
    // Two words, then the carry out of the second as a third.
    for (Values &v : pairs)
      v.insert(v.end(), {randomBits() % 5 ? v[0] : randomBits() & t.mask(), randomBits() % 5 ? t.mask() : v[1]});
    for (bool subtract : {false, true}) {
      std::string op = subtract ? "sub" : "add", opc = op + "c";
      Form chain = Form::statement(op + ".cc" + name + " %d0, %a0, %a1; " + opc + ".cc" + name + " %d1, %a2, %a3; " +
                                       opc + name + " %d2, 0, 0;",
                                   {reg, reg, reg}, {reg, reg, reg, reg});
      checkForm(chain, pairs, [&](const Values &v) {
        U base = static_cast<U>(1) << t.bits;
        U low = subtract ? base + v[0] - v[1] : static_cast<U>(v[0]) + v[1];
        unsigned carry = subtract ? low < base : low >= base;
        U high = subtract ? base + v[2] - v[3] - carry : static_cast<U>(v[2]) + v[3] + carry;
        unsigned out = subtract ? high < base : high >= base;
        return Values{static_cast<uint64_t>(low) & t.mask(), static_cast<uint64_t>(high) & t.mask(),
                      subtract ? (0 - static_cast<uint64_t>(out)) & t.mask() : out};
      });
    }
    std::vector<Values> triples = tuplesOf(integerValues(t.bits), 3, t.bits);
    for (const char *half : {".lo", ".hi"})
      for (const char *nextHalf : {".lo", ".hi"}) {
        Form chain = Form::statement("mad" + std::string(half) + ".cc" + name + " %d0, %a0, %a1, %a2; madc" + nextHalf +
                                         ".cc" + name + " %d1, %a0, %a1, %a2; madc.lo" + name + " %d2, %a1, %a1, 0;",
                                     {reg, reg, reg}, {reg, reg, reg});
        checkForm(chain, triples, [&](const Values &v) {
          U product = t.isSigned ? static_cast<U>(t.read(v[0]) * t.read(v[1])) : static_cast<U>(v[0]) * v[1];
          auto part = [&](const char *h) {
            return static_cast<U>(static_cast<uint64_t>(h[1] == 'l' ? product : product >> t.bits) & t.mask());
          };
          U low = part(half) + v[2], high = part(nextHalf) + v[2] + static_cast<unsigned>(low >> t.bits);
          U last = static_cast<U>(v[1]) * v[1] + static_cast<unsigned>(high >> t.bits);
          return Values{static_cast<uint64_t>(low) & t.mask(), static_cast<uint64_t>(high) & t.mask(),
                        static_cast<uint64_t>(last) & t.mask()};
        });
      }
  }
}
