//===- Conversions.cpp - Steps that change the type of elements -----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace tileiras::fuzz;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

static void makeExtension(ProgramBuilder &builder, const Value &source, Element to) {
  Type type = source.type.with(to);
  bool isSigned = builder.random.chance(50);
  unsigned bits = getInfo(source.type.element).bits;
  Facts facts = source.facts;
  if (!isSigned && facts.low < 0)
    facts = rangeFacts(0, static_cast<int64_t>(llvm::maskTrailingOnes<uint64_t>(bits)));
  builder.define(type, facts,
                 "exti " + source.name + (isSigned ? " signed" : " unsigned") + printTypes(source.type, type));
}

static void makeTruncation(ProgramBuilder &builder, const Value &source, Element to) {
  Type type = source.type.with(to);
  bool fits = source.facts.low >= getMinimum(to) && source.facts.high <= getMaximum(to);
  const char *promise = "";
  if (fits && builder.random.chance(40))
    promise = source.facts.low >= 0 ? " overflow<no_wrap>" : " overflow<no_signed_wrap>";
  builder.define(type, fits ? source.facts : unknownFacts(to),
                 "trunci " + source.name + promise + printTypes(source.type, type));
}

static bool makeIntConversion(ProgramBuilder &builder) {
  static constexpr Element order[] = {Element::I1, Element::I4, Element::I8, Element::I16, Element::I32, Element::I64};
  size_t a = builder.random.below(std::size(order)), b = builder.random.below(std::size(order));
  if (a == b)
    return false;
  Value source = builder.operand({order[a], builder.pickShape(), false});
  if (a < b)
    makeExtension(builder, source, order[b]);
  else
    makeTruncation(builder, source, order[b]);
  return true;
}

//===----------------------------------------------------------------------===//
// Between integers and floating point
//===----------------------------------------------------------------------===//

/// The result is an integer: on the grid of ones where the range says that it is exact.
static void makeIntToFloat(ProgramBuilder &builder, const Value &source, Element to) {
  bool isSigned = builder.random.chance(60);
  unsigned bits = getInfo(source.type.element).bits;
  unsigned magnitude = bits;
  if (isSigned || source.facts.low >= 0) {
    uint64_t largest = std::max(static_cast<uint64_t>(source.facts.high), 0 - static_cast<uint64_t>(source.facts.low));
    magnitude = source.facts.low >= 0 ? llvm::Log2_64_Ceil(static_cast<uint64_t>(source.facts.high) + 1)
                                      : llvm::Log2_64_Ceil(std::max<uint64_t>(largest, 1));
  }
  Facts facts;
  if (to != Element::E8M0 && fitsGrid(to, 0, static_cast<int>(magnitude))) // It has neither zero nor signs.
    facts = gridFacts(0, static_cast<int>(magnitude));
  facts.special = static_cast<int>(magnitude) > getInfo(to).magnitude;
  Type type = source.type.with(to);
  builder.define(type, facts,
                 "itof " + source.name + (isSigned ? " signed" : " unsigned") + printTypes(source.type, type));
}

/// `value`, or zero where it is infinite (`isNaN`: where it is a NaN).
static Value replaceSpecial(ProgramBuilder &builder, const Value &value, bool isNaN) {
  const Type &type = value.type, bits = type.with(Element::I1);
  Value kept;
  if (isNaN) {
    kept = builder.compute(bits, {}, "cmpf equal ordered " + value.name + ", " + value.name + printTypes(type, bits));
  } else {
    Value magnitude = builder.compute(type, value.facts, "absf " + value.name + " : " + type.str());
    Value infinity = builder.floatConstant(type, INFINITY);
    kept = builder.compute(
        bits, {}, "cmpf not_equal unordered " + magnitude.name + ", " + infinity.name + printTypes(type, bits));
  }
  return builder.compute(type, value.facts,
                         "select " + kept.name + ", " + value.name + ", " + builder.zero(type).name + " : " +
                             bits.str() + ", " + type.str());
}

static bool hasComparison(Element element) {
  return llvm::is_contained(kArithFloats, element);
}

/// Numbers out of range and NaN have a result; infinities do where the operation saturates.
static void makeFloatToInt(ProgramBuilder &builder) {
  static constexpr Element sources[] = {Element::F16,  Element::BF16, Element::F32,  Element::F64,
                                        Element::TF32, Element::E4M3, Element::E5M2, Element::E8M0};
  const Element from = builder.random.chance(75) ? builder.random.pick<Element>(kArithFloats)
                                                 : builder.random.pick<Element>(sources),
                to = builder.random.chance(8) ? Element::I1 : builder.random.pick<Element>(kWideInts);
  const bool isSaturating = builder.random.chance(30), canBeInfinite = isSaturating || hasComparison(from);
  Value source = builder.operand({from, builder.pickShape(), false}, canBeInfinite ? Need::Exact : Need::Finite);
  if (!isSaturating && source.facts.special)
    source = replaceSpecial(builder, source, /*isNaN=*/false);
  Type type = source.type.with(to);
  Facts facts = unknownFacts(to);
  bool isSigned = builder.random.chance(60);
  if (isSigned && source.facts.hasGrid && source.facts.magnitude < static_cast<int>(getInfo(to).bits) - 1) {
    int64_t bound = source.facts.magnitude < 0 ? 0 : int64_t(1) << source.facts.magnitude;
    facts = rangeFacts(-bound, bound);
  }
  builder.define(type, facts,
                 "ftoi " + source.name + (isSigned ? " signed" : " unsigned") + (isSaturating ? " saturating" : "") +
                     printTypes(source.type, type));
}

//===----------------------------------------------------------------------===//
// Floating point
//===----------------------------------------------------------------------===//

static const char *pickConversionRounding(ProgramBuilder &builder) {
  if (builder.random.chance(60))
    return "";
  return builder.random.pick(
      {" rounding<zero>", " rounding<negative_inf>", " rounding<positive_inf>", " rounding<nearest_away>"});
}

static bool makeFloatConversion(ProgramBuilder &builder) {
  static constexpr Element all[] = {Element::F16,  Element::BF16, Element::F32,  Element::TF32, Element::F64,
                                    Element::E4M3, Element::E5M2, Element::E8M0, Element::E2M1};
  Element from = builder.random.pick<Element>(all), to = builder.random.pick<Element>(all);
  if (from == to)
    return false;
  Value source = builder.operand({from, builder.pickShape(), false}, Need::Exact);
  Facts facts = source.facts;
  if (to == Element::E8M0)
    facts = Facts();
  facts.hasGrid = facts.hasGrid && fitsGrid(to, facts.quantum, facts.magnitude);
  facts.special |= !facts.hasGrid && getInfo(to).magnitude < getInfo(from).magnitude;
  Type type = source.type.with(to);
  builder.define(type, facts, "ftof " + source.name + pickConversionRounding(builder) + printTypes(source.type, type));
  return true;
}

bool tileiras::fuzz::makeConversion(ProgramBuilder &builder) {
  switch (builder.random.below(4)) {
  case 0:
    return makeIntConversion(builder);
  case 1:
    return makeFloatConversion(builder);
  case 2:
    makeIntToFloat(builder, builder.operand({builder.random.pick<Element>(kArithInts), builder.pickShape(), false}),
                   builder.random.chance(75) ? builder.random.pick<Element>(kArithFloats)
                                             : builder.random.pick({Element::TF32, Element::E4M3, Element::E5M2,
                                                                    Element::E8M0, Element::E2M1}));
    return true;
  default:
    makeFloatToInt(builder);
    return true;
  }
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

bool tileiras::fuzz::makeBitCast(ProgramBuilder &builder) {
  static constexpr std::pair<Element, Element> pairs[] = {
      {Element::I8, Element::E4M3},  {Element::I8, Element::E5M2},   {Element::I16, Element::F16},
      {Element::I16, Element::BF16}, {Element::F16, Element::BF16},  {Element::I32, Element::F32},
      {Element::I64, Element::F64},  {Element::E4M3, Element::E5M2}, {Element::I8, Element::E8M0},
      {Element::I4, Element::E2M1},  {Element::E5M2, Element::E8M0}};
  auto [from, to] = builder.random.pick<std::pair<Element, Element>>(pairs);
  if (builder.random.chance(50))
    std::swap(from, to);
  // Which NaN a NaN is, is not specified: its bits must not be seen.
  Value source = builder.operand({from, builder.pickShape(), false}, hasComparison(from) ? Need::Exact : Need::Finite);
  if (hasComparison(from) && source.facts.special)
    source = replaceSpecial(builder, source, /*isNaN=*/true);
  Type type = source.type.with(to);
  builder.define(type, unknownFacts(to), "bitcast " + source.name + printTypes(source.type, type));
  return true;
}

bool tileiras::fuzz::makePacking(ProgramBuilder &builder) {
  static constexpr Element elements[] = {Element::I1,   Element::I4,   Element::I16, Element::I32, Element::I64,
                                         Element::F16,  Element::BF16, Element::F32, Element::F64, Element::E4M3,
                                         Element::E5M2, Element::E2M1, Element::E8M0};
  Element element = builder.random.pick<Element>(elements);
  int64_t bits = getInfo(element).bits, largest = std::min<int64_t>(builder.options.maxElements, 256);
  if (builder.random.chance(50)) {
    // At least a byte, at most the largest tile.
    int64_t count = std::max<int64_t>(8 / bits, 1) << builder.random.below(4);
    if (count * bits / 8 > largest)
      return false;
    Value source = builder.operand({element, {count}, false}, Need::Finite);
    Type type{Element::I8, {count * bits / 8}, false};
    builder.define(type, unknownFacts(Element::I8), "pack " + source.name + printTypes(source.type, type));
    return true;
  }
  int64_t bytes = std::max<int64_t>(bits / 8, 1) << builder.random.below(4);
  if (bytes * 8 / bits > largest)
    return false;
  Value source = builder.operand({Element::I8, {bytes}, false});
  Type type{element, {bytes * 8 / bits}, false};
  builder.define(type, unknownFacts(element), "unpack " + source.name + printTypes(source.type, type));
  return true;
}
