//===- Elementwise.h - Functions of elements, applied to tiles --*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All tiles of an elementwise operation have one shape. In the body of a reduction, which is executed for many scalars
// at once, a tile of one element stands for as many as the others have.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_INTERPRETER_LIB_ELEMENTWISE_H
#define TILEIRAS_INTERPRETER_LIB_ELEMENTWISE_H

#include "tileiras-interpreter/Values.h"

namespace tileiras::interpreter {

/// A tile of `elementType` as large as the largest of the operands.
template <typename... Tiles>
Tile makeResult(mlir::Type elementType, const Tile &first, const Tiles &...rest) {
  const Tile *largest = &first;
  ((largest = rest.size() > largest->size() ? &rest : largest), ...);
  return Tile(elementType, largest->shape);
}

/// How to step through a tile that may stand for many.
inline size_t stepOf(const Tile &tile) {
  return tile.size() == 1 ? 0 : 1;
}

/// Applies a function of the elements' bits.
template <typename Function>
Tile mapElements(mlir::Type elementType, const Tile &a, Function function) {
  Tile result = makeResult(elementType, a);
  for (size_t i = 0, n = result.size(); i < n; ++i)
    result.elements[i] = function(a.elements[i]);
  return result;
}

template <typename Function>
Tile mapElements(mlir::Type elementType, const Tile &a, const Tile &b, Function function) {
  Tile result = makeResult(elementType, a, b);
  const size_t stepA = stepOf(a), stepB = stepOf(b);
  for (size_t i = 0, n = result.size(); i < n; ++i)
    result.elements[i] = function(a.elements[i * stepA], b.elements[i * stepB]);
  return result;
}

template <typename Function>
Tile mapElements(mlir::Type elementType, const Tile &a, const Tile &b, const Tile &c, Function function) {
  Tile result = makeResult(elementType, a, b, c);
  const size_t stepA = stepOf(a), stepB = stepOf(b), stepC = stepOf(c);
  for (size_t i = 0, n = result.size(); i < n; ++i)
    result.elements[i] = function(a.elements[i * stepA], b.elements[i * stepB], c.elements[i * stepC]);
  return result;
}

} // namespace tileiras::interpreter

#endif // TILEIRAS_INTERPRETER_LIB_ELEMENTWISE_H
