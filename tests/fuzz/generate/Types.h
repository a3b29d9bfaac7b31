//===- Types.h - Tiles of the language, and what is known of their elements --*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_TYPES_H
#define TILEIRAS_FUZZ_TYPES_H

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <string>

namespace tileiras::fuzz {

enum class Element : uint8_t { I1, I4, I8, I16, I32, I64, F16, BF16, F32, TF32, F64, E4M3, E5M2, E8M0, E2M1 };

struct ElementInfo {
  const char *name;
  unsigned bits;
  bool isFloat;
  int precision; ///< significant bits, the implicit one included
  int quantum;   ///< log2 of the smallest positive number
  int magnitude; ///< every number up to 2^magnitude is in range
  const llvm::fltSemantics *(*semantics)();
};
const ElementInfo &getInfo(Element element);
inline bool isFloat(Element element) {
  return getInfo(element).isFloat;
}
/// How many bytes an element takes in memory; only types of whole bytes (and i1) live there.
inline unsigned getBytes(Element element) {
  return (getInfo(element).bits + 7) / 8;
}

constexpr Element kArithInts[] = {Element::I1, Element::I8, Element::I16, Element::I32, Element::I64};
constexpr Element kWideInts[] = {Element::I8, Element::I16, Element::I32, Element::I64};
constexpr Element kArithFloats[] = {Element::F16, Element::BF16, Element::F32, Element::F64};

using Shape = llvm::SmallVector<int64_t, 4>;
int64_t countElements(llvm::ArrayRef<int64_t> shape);

struct Type {
  Element element;
  Shape shape;
  bool isPointer = false;

  bool operator==(const Type &other) const {
    return element == other.element && shape == other.shape && isPointer == other.isPointer;
  }
  int64_t size() const { return countElements(shape); }
  Type with(Element other) const { return {other, shape, isPointer}; }
  Type with(llvm::ArrayRef<int64_t> other) const { return {element, Shape(other), isPointer}; }
  /// "tile<4x8xf32>".
  std::string str() const;
};
inline Type scalarOf(Element element) {
  return {element, {}, false};
}
/// " : tile<…> -> tile<…>".
std::string printTypes(const Type &from, const Type &to);
/// "4x8x", with the separator that precedes an element type.
std::string joinShape(llvm::ArrayRef<int64_t> shape);

/// What holds for every element of a value. It keeps programs defined, and tells what their results may differ by.
struct Facts {
  /// Integers, read as signed.
  int64_t low = 0, high = 0;

  /// Floating point. The language specifies every bit (of a NaN: that it is one); otherwise implementations may differ.
  bool exact = true;
  /// May be NaN or infinite.
  bool special = true;
  /// Every element is a multiple of 2^quantum and at most 2^magnitude in magnitude. Sums and products of such numbers
  /// are exact in any order while magnitude - quantum stays within the precision of the type, and finite in any order
  /// while the magnitude stays within its range.
  bool hasGrid = false;
  int quantum = 0, magnitude = 0;

  bool isFinite() const { return exact && !special; }
};

Facts unknownFacts(Element element);
Facts rangeFacts(int64_t low, int64_t high);
Facts gridFacts(int quantum, int magnitude);
Facts joinFacts(Element element, const Facts &a, const Facts &b);
/// Whether numbers on the grid are all exact in `element`.
bool fitsGrid(Element element, int quantum, int magnitude);
/// Integers that the type holds, read as signed; of i1 they are -1 and 0.
int64_t getMinimum(Element element);
int64_t getMaximum(Element element);

/// The bits of `value`, which must be a number of the type.
uint64_t encode(Element element, double value);
/// The number in a word of memory.
llvm::APFloat decode(Element element, uint64_t word);
/// A literal of the text: decimal when it is short and exact, else the bits.
std::string printLiteral(Element element, uint64_t bits);

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_TYPES_H
