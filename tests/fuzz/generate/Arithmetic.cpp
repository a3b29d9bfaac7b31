//===- Arithmetic.cpp - Steps that compute element by element -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace tileiras::fuzz;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

namespace {

/// The exact range of a result, before wrapping.
struct WideRange {
  __int128 low, high;

  bool isWithin(__int128 least, __int128 greatest) const { return low >= least && high <= greatest; }
};

WideRange combine(llvm::StringRef mnemonic, const Facts &a, const Facts &b) {
  using Wide = __int128;
  if (mnemonic == "addi")
    return {Wide(a.low) + b.low, Wide(a.high) + b.high};
  if (mnemonic == "subi")
    return {Wide(a.low) - b.high, Wide(a.high) - b.low};
  Wide products[] = {Wide(a.low) * b.low, Wide(a.low) * b.high, Wide(a.high) * b.low, Wide(a.high) * b.high};
  return {*std::min_element(products, products + 4), *std::max_element(products, products + 4)};
}

} // namespace

/// Sum, difference or product; where it cannot wrap, it says so now and then.
static void makeWrapping(ProgramBuilder &builder, const char *mnemonic, const Value &lhs, const Value &rhs) {
  Element element = lhs.type.element;
  WideRange range = combine(mnemonic, lhs.facts, rhs.facts);
  bool signedFits = range.isWithin(getMinimum(element), getMaximum(element));
  // Read as unsigned, numbers with the sign bit are large: only what stays positive in both readings counts.
  bool unsignedFits = signedFits && lhs.facts.low >= 0 && rhs.facts.low >= 0 && range.low >= 0;
  Facts facts = unknownFacts(element);
  if (signedFits)
    facts = rangeFacts(static_cast<int64_t>(range.low), static_cast<int64_t>(range.high));
  const char *promise = "";
  if (signedFits && builder.random.chance(40))
    promise =
        unsignedFits
            ? builder.random.pick({" overflow<no_wrap>", " overflow<no_unsigned_wrap>", " overflow<no_signed_wrap>"})
            : " overflow<no_signed_wrap>";
  builder.publish(builder.binary(mnemonic, lhs, rhs, facts, promise));
}

static Facts maskFacts(Element element, const Value &lhs, const Value &rhs) {
  // One nonnegative operand bounds the conjunction.
  if (lhs.facts.low >= 0 || rhs.facts.low >= 0) {
    int64_t high = lhs.facts.low >= 0 ? lhs.facts.high : rhs.facts.high;
    if (lhs.facts.low >= 0 && rhs.facts.low >= 0)
      high = std::min(lhs.facts.high, rhs.facts.high);
    return rangeFacts(0, high);
  }
  return unknownFacts(element);
}

/// `value`, or `other` where `value` is `number`.
static Value replace(ProgramBuilder &builder, const Value &value, int64_t number, const Value &other) {
  const Type &type = value.type, bits = type.with(Element::I1);
  Value is = builder.compute(bits, {},
                             "cmpi equal " + value.name + ", " + builder.constant(type, number).name + ", signed" +
                                 printTypes(type, bits));
  return builder.compute(type, unknownFacts(type.element),
                         "select " + is.name + ", " + other.name + ", " + value.name + " : " + bits.str() + ", " +
                             type.str());
}

/// Quotient or remainder. No divisor is 0, and no quotient is of the smallest number by -1: that is undefined.
static void makeDivision(ProgramBuilder &builder, const char *mnemonic, Value lhs, const Value &rhs) {
  const Type &type = lhs.type;
  bool isSigned = builder.random.chance(50);
  Value divisor = rhs;
  if (divisor.facts.low <= 0 && divisor.facts.high >= 0)
    divisor = replace(builder, divisor, 0, builder.constant(type, type.element == Element::I1 ? -1 : 1));
  const bool isQuotient = llvm::StringRef(mnemonic) == "divi";
  if (isSigned && isQuotient && lhs.facts.low == getMinimum(type.element)) {
    if (builder.random.chance(50))
      divisor = replace(builder, divisor, -1, builder.constant(type, getMaximum(type.element)));
    else
      lhs = replace(builder, lhs, getMinimum(type.element), builder.constant(type, 0));
    if (type.element == Element::I1) // Its only divisor is -1.
      lhs = builder.constant(type, 0), divisor = builder.constant(type, -1);
  }
  std::string suffix = isSigned ? " signed" : " unsigned";
  if (isQuotient && isSigned && builder.random.chance(50))
    suffix += builder.random.pick({" rounding<positive_inf>", " rounding<negative_inf>", " rounding<zero>"});
  builder.publish(builder.binary(mnemonic, lhs, divisor, unknownFacts(type.element), suffix));
}

/// By any amount, read as unsigned: from the width on, all bits are shifted out. Half of the amounts are about the
/// width, as most numbers are far beyond it.
static void makeShift(ProgramBuilder &builder, const char *mnemonic, const Value &lhs, const Value &rhs) {
  const Element element = lhs.type.element;
  const int64_t bits = getInfo(element).bits;
  Value amount = rhs;
  if (builder.random.chance(20)) {
    // The literal of a type's own width: 2^32 of an i64 is 0 in its low half.
    const int64_t number = builder.random.pick<int64_t>(
        {0, bits - 1, bits, bits + 1, 2 * bits, -1, getMinimum(element), int64_t(1) << 32});
    amount = builder.constant(lhs.type, llvm::SignExtend64(static_cast<uint64_t>(number), static_cast<unsigned>(bits)));
  } else if (element != Element::I1 && builder.random.chance(45)) {
    amount = builder.below(rhs, builder.random.chance(50) ? bits : bits + bits / 2);
  }
  llvm::StringRef name(mnemonic);
  std::string suffix = name == "shri" ? builder.random.pick({" signed", " unsigned"}) : "";
  // A promise where it holds: a number that is not negative stays so.
  const bool isShort = lhs.facts.low >= 0 && amount.facts.low >= 0 && amount.facts.high < bits - 1 &&
                       lhs.facts.high <= getMaximum(element) >> amount.facts.high;
  if (name == "shli" && isShort && builder.random.chance(50))
    suffix = builder.random.pick({" overflow<no_wrap>", " overflow<no_unsigned_wrap>", " overflow<no_signed_wrap>"});
  builder.publish(builder.binary(mnemonic, lhs, amount, unknownFacts(element), suffix));
}

/// Of numbers with a sign bit the unsigned order is another.
static void makeIntExtremum(ProgramBuilder &builder, const char *mnemonic, const Value &lhs, const Value &rhs) {
  const Element element = lhs.type.element;
  const bool isUnsigned = builder.random.chance(50), isSame = lhs.facts.low >= 0 && rhs.facts.low >= 0;
  const Facts facts = isSame || !isUnsigned ? joinFacts(element, lhs.facts, rhs.facts) : unknownFacts(element);
  builder.publish(builder.binary(mnemonic, lhs, rhs, facts, isUnsigned ? " unsigned" : " signed"));
}

static void makeIntUnary(ProgramBuilder &builder, const Value &source) {
  const Type &type = source.type;
  bool negates = builder.random.chance(50);
  bool fits = source.facts.low > getMinimum(type.element);
  const char *promise = negates && fits && builder.random.chance(50) ? " overflow<no_signed_wrap>" : "";
  int64_t largest = std::max(std::abs(source.facts.low), std::abs(source.facts.high));
  Facts facts = !fits     ? unknownFacts(type.element)
                : negates ? rangeFacts(-source.facts.high, -source.facts.low)
                          : rangeFacts(0, largest);
  builder.define(type, facts, (negates ? "negi " : "absi ") + source.name + promise + " : " + type.str());
}

bool tileiras::fuzz::makeIntArithmetic(ProgramBuilder &builder) {
  Type type{builder.random.pick<Element>(kArithInts), builder.pickShape(), false};
  Value lhs = builder.operand(type);
  if (builder.random.chance(10)) {
    makeIntUnary(builder, lhs);
    return true;
  }
  Value rhs = builder.operand(type);
  const char *mnemonic = builder.random.pick(
      {"addi", "subi", "muli", "andi", "ori", "xori", "maxi", "mini", "mulhii", "divi", "remi", "shli", "shri"});
  llvm::StringRef name(mnemonic);
  if (name == "divi" || name == "remi")
    makeDivision(builder, mnemonic, lhs, rhs);
  else if (name.starts_with("sh"))
    makeShift(builder, mnemonic, lhs, rhs);
  else if (name == "addi" || name == "subi" || name == "muli")
    makeWrapping(builder, mnemonic, lhs, rhs);
  else if (name == "maxi" || name == "mini")
    makeIntExtremum(builder, mnemonic, lhs, rhs);
  else
    builder.publish(builder.binary(mnemonic, lhs, rhs,
                                   name == "andi" ? maskFacts(type.element, lhs, rhs) : unknownFacts(type.element)));
  return true;
}

//===----------------------------------------------------------------------===//
// Floating point
//===----------------------------------------------------------------------===//

/// What a sum of `count` values, or a product, of the grids stays on; nothing where that is not exact.
static Facts arithmeticFacts(Element element, bool isProduct, const Facts &a, const Facts &b) {
  Facts facts;
  facts.exact = a.exact && b.exact;
  if (!facts.exact || !a.hasGrid || !b.hasGrid)
    return facts;
  int quantum = isProduct ? a.quantum + b.quantum : std::min(a.quantum, b.quantum);
  int magnitude = isProduct ? a.magnitude + b.magnitude : std::max(a.magnitude, b.magnitude) + 1;
  return fitsGrid(element, quantum, magnitude) ? gridFacts(quantum, magnitude) : facts;
}

static std::string pickRounding(ProgramBuilder &builder, Element element) {
  // Directed rounding is an instruction of its own for f32 and f64.
  bool isNative = element == Element::F32 || element == Element::F64;
  std::string suffix;
  if (builder.random.chance(isNative ? 30 : 5))
    suffix = builder.random.pick(
        {" rounding<zero>", " rounding<negative_inf>", " rounding<positive_inf>", " rounding<nearest_even>"});
  if (element == Element::F32 && builder.random.chance(15))
    suffix += " flush_to_zero";
  return suffix;
}

static void makeFma(ProgramBuilder &builder, const Type &type) {
  Value lhs = builder.operand(type), rhs = builder.operand(type), acc = builder.operand(type);
  Facts facts =
      arithmeticFacts(type.element, false, arithmeticFacts(type.element, true, lhs.facts, rhs.facts), acc.facts);
  builder.define(type, facts,
                 "fma " + lhs.name + ", " + rhs.name + ", " + acc.name + pickRounding(builder, type.element) + " : " +
                     type.str());
}

static void makeExtremum(ProgramBuilder &builder, const Type &type) {
  Value lhs = builder.operand(type), rhs = builder.operand(type);
  std::string suffix = builder.random.chance(50) ? " propagate_nan" : "";
  if (type.element == Element::F32 && builder.random.chance(15))
    suffix += " flush_to_zero";
  builder.publish(builder.binary(builder.random.pick({"maxf", "minf"}), lhs, rhs,
                                 joinFacts(type.element, lhs.facts, rhs.facts), suffix));
}

static void makeQuotient(ProgramBuilder &builder, const Type &type) {
  Value lhs = builder.operand(type), rhs = builder.operand(type);
  Facts facts = joinFacts(type.element, lhs.facts, rhs.facts);
  facts.special = true;
  facts.hasGrid = false;
  std::string suffix;
  if (type.element == Element::F32 && builder.random.chance(30)) {
    suffix = builder.random.pick({" rounding<approx>", " rounding<full>"});
    facts.exact = false;
  } else {
    suffix = pickRounding(builder, type.element);
  }
  builder.publish(builder.binary("divf", lhs, rhs, facts, suffix));
}

static void makeRoundedUnary(ProgramBuilder &builder, const Type &type) {
  Value source = builder.operand(type);
  Facts facts = source.facts;
  const char *mnemonic = builder.random.pick({"absf", "negf", "ceil", "floor"});
  // An integral part on the grid of the source stays there; it may reach the next power of two.
  if (facts.hasGrid && !fitsGrid(type.element, facts.quantum, ++facts.magnitude))
    facts.hasGrid = false;
  // Of an inexact number the integral part may be another integer: no bound would hold.
  if (!source.facts.exact && mnemonic[0] != 'a' && mnemonic[0] != 'n')
    mnemonic = "negf";
  builder.define(type, facts, Twine(mnemonic) + " " + source.name + " : " + type.str());
}

bool tileiras::fuzz::makeFloatArithmetic(ProgramBuilder &builder) {
  Type type{builder.random.pick<Element>(kArithFloats), builder.pickShape(), false};
  switch (builder.random.below(8)) {
  case 0:
    makeFma(builder, type);
    return true;
  case 1:
    makeExtremum(builder, type);
    return true;
  case 2:
    makeQuotient(builder, type);
    return true;
  case 3:
    makeRoundedUnary(builder, type);
    return true;
  default: {
    Value lhs = builder.operand(type), rhs = builder.operand(type);
    const char *mnemonic = builder.random.pick({"addf", "subf", "mulf"});
    Facts facts = arithmeticFacts(type.element, mnemonic[0] == 'm', lhs.facts, rhs.facts);
    builder.publish(builder.binary(mnemonic, lhs, rhs, facts, pickRounding(builder, type.element)));
    return true;
  }
  }
}

/// Functions whose last bits are the implementation's; square roots and remainders are exact.
bool tileiras::fuzz::makeMathFunction(ProgramBuilder &builder) {
  Type type{builder.random.pick<Element>(kArithFloats), builder.pickShape(), false};
  bool isSingle = type.element == Element::F32;
  Value source = builder.operand(type, Need::Exact);
  Facts facts;
  facts.exact = false;
  std::string types = " : " + type.str();
  switch (builder.random.below(8)) {
  case 0: {
    bool approximates = isSingle && builder.random.chance(30);
    facts.exact = !approximates;
    std::string suffix = approximates ? " rounding<approx>" : pickRounding(builder, type.element);
    builder.define(type, facts, "sqrt " + source.name + suffix + types);
    return true;
  }
  case 1:
    facts.exact = true;
    builder.publish(builder.binary("remf", source, builder.operand(type, Need::Exact), facts));
    return true;
  case 2:
    builder.publish(
        builder.binary(builder.random.pick({"atan2", "pow"}), source, builder.operand(type, Need::Exact), facts));
    return true;
  case 3: {
    const char *mnemonic = builder.random.pick({"exp", "tanh"});
    const char *suffix = isSingle && builder.random.chance(40) ? " rounding<approx>" : "";
    builder.define(type, facts, Twine(mnemonic) + " " + source.name + suffix + types);
    return true;
  }
  case 4: {
    const char *mnemonic = builder.random.pick({"exp2", "rsqrt"});
    const char *suffix = isSingle && builder.random.chance(40) ? " flush_to_zero" : "";
    builder.define(type, facts, Twine(mnemonic) + " " + source.name + suffix + types);
    return true;
  }
  case 5: {
    const Element exponents = builder.random.pick({Element::I1, Element::I8, Element::I16, Element::I32});
    Value exponent = builder.operand(type.with(exponents), builder.random.chance(50) ? Need::Small : Need::Any);
    builder.define(type, facts,
                   "fpowi " + source.name + ", " + exponent.name + types + ", " + exponent.type.str() + " -> " +
                       type.str());
    return true;
  }
  default: {
    const char *mnemonic = builder.random.pick({"log", "log2", "sin", "cos", "tan", "sinh", "cosh"});
    builder.define(type, facts, Twine(mnemonic) + " " + source.name + types);
    return true;
  }
  }
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

bool tileiras::fuzz::makeComparison(ProgramBuilder &builder) {
  bool compareFloats = builder.random.chance(50);
  Type type{compareFloats ? builder.random.pick<Element>(kArithFloats) : builder.random.pick<Element>(kArithInts),
            builder.pickShape(), false};
  const char *predicate = builder.random.pick(
      {"equal", "not_equal", "less_than", "less_than_or_equal", "greater_than", "greater_than_or_equal"});
  Value lhs = builder.operand(type, Need::Exact), rhs = builder.operand(type, Need::Exact);
  Type result = type.with(Element::I1);
  std::string types = " : " + type.str() + " -> " + result.str(), operands = lhs.name + ", " + rhs.name;
  if (compareFloats)
    builder.define(result, unknownFacts(Element::I1),
                   Twine("cmpf ") + predicate + builder.random.pick({" ordered ", " unordered "}) + operands + types);
  else
    builder.define(result, unknownFacts(Element::I1),
                   Twine("cmpi ") + predicate + " " + operands + builder.random.pick({", signed", ", unsigned"}) +
                       types);
  return true;
}

bool tileiras::fuzz::makeSelect(ProgramBuilder &builder) {
  std::optional<Value> some = builder.findLive([](const Value &value) { return !value.type.isPointer; });
  if (!some)
    return false;
  Value condition = builder.operand(some->type.with(Element::I1)), other = builder.operand(some->type);
  if (builder.random.chance(50))
    std::swap(*some, other);
  builder.define(some->type, joinFacts(some->type.element, some->facts, other.facts),
                 "select " + condition.name + ", " + some->name + ", " + other.name + " : " + condition.type.str() +
                     ", " + some->type.str());
  return true;
}
