//===- Types.cpp - Tiles of the language, and what is known of their elements --===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Types.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <algorithm>
#include <iterator>

using namespace tileiras::fuzz;
using llvm::APFloat;

namespace {

const llvm::fltSemantics *noSemantics() {
  return nullptr;
}
template <const llvm::fltSemantics &(*get)()>
const llvm::fltSemantics *semantics() {
  return &get();
}

// precision, quantum = emin - (precision - 1), magnitude = emax
const ElementInfo kElements[] = {
    {"i1", 1, false, 0, 0, 0, noSemantics},
    {"i4", 4, false, 0, 0, 0, noSemantics},
    {"i8", 8, false, 0, 0, 0, noSemantics},
    {"i16", 16, false, 0, 0, 0, noSemantics},
    {"i32", 32, false, 0, 0, 0, noSemantics},
    {"i64", 64, false, 0, 0, 0, noSemantics},
    {"f16", 16, true, 11, -24, 15, semantics<APFloat::IEEEhalf>},
    {"bf16", 16, true, 8, -133, 127, semantics<APFloat::BFloat>},
    {"f32", 32, true, 24, -149, 127, semantics<APFloat::IEEEsingle>},
    {"tf32", 32, true, 11, -136, 127, semantics<APFloat::FloatTF32>},
    {"f64", 64, true, 53, -1074, 1023, semantics<APFloat::IEEEdouble>},
    {"f8E4M3FN", 8, true, 4, -9, 8, semantics<APFloat::Float8E4M3FN>},
    {"f8E5M2", 8, true, 3, -16, 15, semantics<APFloat::Float8E5M2>},
    {"f8E8M0FNU", 8, true, 1, -127, 127, semantics<APFloat::Float8E8M0FNU>},
    {"f4E2M1FN", 4, true, 2, -1, 2, semantics<APFloat::Float4E2M1FN>},
};

} // namespace

const ElementInfo &tileiras::fuzz::getInfo(Element element) {
  static_assert(std::size(kElements) == static_cast<size_t>(Element::E2M1) + 1);
  return kElements[static_cast<size_t>(element)];
}

int64_t tileiras::fuzz::countElements(llvm::ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

std::string tileiras::fuzz::joinShape(llvm::ArrayRef<int64_t> shape) {
  std::string text;
  for (int64_t size : shape)
    text += std::to_string(size) + 'x';
  return text;
}

std::string Type::str() const {
  std::string name = getInfo(element).name;
  return "tile<" + joinShape(shape) + (isPointer ? "ptr<" + name + ">" : name) + ">";
}

std::string tileiras::fuzz::printTypes(const Type &from, const Type &to) {
  return " : " + from.str() + " -> " + to.str();
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

int64_t tileiras::fuzz::getMinimum(Element element) {
  return llvm::minIntN(getInfo(element).bits);
}
int64_t tileiras::fuzz::getMaximum(Element element) {
  return llvm::maxIntN(getInfo(element).bits);
}

Facts tileiras::fuzz::unknownFacts(Element element) {
  return isFloat(element) ? Facts() : rangeFacts(getMinimum(element), getMaximum(element));
}

Facts tileiras::fuzz::rangeFacts(int64_t low, int64_t high) {
  Facts facts;
  facts.low = low;
  facts.high = high;
  return facts;
}

Facts tileiras::fuzz::gridFacts(int quantum, int magnitude) {
  Facts facts;
  facts.special = false;
  facts.hasGrid = true;
  facts.quantum = quantum;
  facts.magnitude = magnitude;
  return facts;
}

Facts tileiras::fuzz::joinFacts(Element element, const Facts &a, const Facts &b) {
  if (!isFloat(element))
    return rangeFacts(std::min(a.low, b.low), std::max(a.high, b.high));
  Facts facts;
  facts.exact = a.exact && b.exact;
  facts.special = a.special || b.special;
  facts.quantum = std::min(a.quantum, b.quantum);
  facts.magnitude = std::max(a.magnitude, b.magnitude);
  facts.hasGrid = a.hasGrid && b.hasGrid;
  return facts;
}

bool tileiras::fuzz::fitsGrid(Element element, int quantum, int magnitude) {
  const ElementInfo &info = getInfo(element);
  return info.isFloat && magnitude - quantum <= info.precision && quantum >= info.quantum &&
         magnitude <= info.magnitude;
}

//===----------------------------------------------------------------------===//
// Literals
//===----------------------------------------------------------------------===//

uint64_t tileiras::fuzz::encode(Element element, double value) {
  const ElementInfo &info = getInfo(element);
  if (!info.isFloat)
    return static_cast<uint64_t>(static_cast<int64_t>(value)) & llvm::maskTrailingOnes<uint64_t>(info.bits);
  APFloat number(value);
  bool losesInfo = false;
  number.convert(*info.semantics(), APFloat::rmNearestTiesToEven, &losesInfo);
  assert(!losesInfo && "not a number of the type");
  return number.bitcastToAPInt().getZExtValue();
}

APFloat tileiras::fuzz::decode(Element element, uint64_t word) {
  const ElementInfo &info = getInfo(element);
  const unsigned width = APFloat::getSizeInBits(*info.semantics());
  // A tf32 is the upper bits of a word.
  return APFloat(*info.semantics(), llvm::APInt(width, word >> (info.bits - width)));
}

std::string tileiras::fuzz::printLiteral(Element element, uint64_t bits) {
  const ElementInfo &info = getInfo(element);
  if (!info.isFloat)
    return std::to_string(llvm::SignExtend64(bits, info.bits));
  unsigned width = APFloat::getSizeInBits(*info.semantics());
  APFloat number(*info.semantics(), llvm::APInt(width, bits));
  if (number.isFinite()) {
    llvm::SmallString<32> text;
    number.toString(text, /*FormatPrecision=*/0, /*FormatMaxPadding=*/8);
    // Text of the language needs a point in a decimal number.
    llvm::StringRef mantissa = llvm::StringRef(text).take_until([](char c) { return c == 'E'; });
    if (text.size() <= 12 && !number.isDenormal())
      return mantissa.contains('.') ? text.str().str()
                                    : mantissa.str() + ".0" + text.str().substr(mantissa.size()).str();
  }
  return "0x" + llvm::utohexstr(bits, /*LowerCase=*/false, /*Width=*/(width + 3) / 4);
}
