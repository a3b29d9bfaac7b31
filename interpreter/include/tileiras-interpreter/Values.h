//===- Values.h - What a value of the tile language is ----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Plain dense arrays, whatever the element type: no layouts, no packing. How elements lie in memory is the business of
// ElementStorage.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_INTERPRETER_VALUES_H
#define TILEIRAS_INTERPRETER_VALUES_H

#include "tileiras/Dialect/CudaTile/CudaTile.h"
#include <memory>
#include <string>
#include <variant>

namespace tileiras::interpreter {

/// A tile. An element is its bits, in the low bits of a word of its own; the rest of the word is zero. A pointer is its
/// address in bytes.
struct Tile {
  /// A false assumption about it that has not been reported: front ends state divisors of every stride, and nobody
  /// multiplies with that of a dimension of size 1.
  struct Doubt {
    mlir::Operation *assumption;
    std::string why;
  };

  mlir::Type elementType;
  llvm::SmallVector<int64_t, 4> shape;
  llvm::SmallVector<uint64_t, 1> elements; ///< row-major
  /// How far a conforming implementation's element may lie from this one, one bound for each element; empty if every
  /// element is exact. For elements that are no floating-point numbers, zero means exact, anything else unknown.
  llvm::SmallVector<double, 0> bounds;
  std::shared_ptr<const Doubt> doubt; ///< whoever uses the value otherwise reports it

  Tile() = default;
  /// All elements are zero.
  Tile(mlir::Type elementType, llvm::ArrayRef<int64_t> shape);
  explicit Tile(cuda_tile::TileType type) : Tile(type.getElementType(), type.getShape()) {}

  static Tile scalar(mlir::Type elementType, uint64_t bits);

  size_t size() const { return elements.size(); }
  unsigned width() const; ///< bits of an element; 64 for pointers
  int64_t getSigned(size_t i) const;
  uint64_t operator[](size_t i) const { return elements[i]; }
  double bound(size_t i) const { return bounds.empty() ? 0 : bounds[bounds.size() == 1 ? 0 : i]; }
};

/// Bits of an element of `type`; 64 for pointers.
unsigned getElementWidth(mlir::Type type);

/// Cuts `value` to the low `width` bits.
constexpr uint64_t truncate(uint64_t value, unsigned width) {
  return width >= 64 ? value : value & ((uint64_t(1) << width) - 1);
}

/// Reads the low `width` bits as a signed number.
constexpr int64_t signExtend(uint64_t value, unsigned width) {
  return width >= 64 ? static_cast<int64_t>(value) : static_cast<int64_t>(value << (64 - width)) >> (64 - width);
}

/// A tensor in memory; sizes and strides in elements.
struct TensorView {
  cuda_tile::TensorViewType type;
  uint64_t base = 0;
  llvm::SmallVector<int64_t, 4> sizes, strides;
};

/// A partition, strided or gather/scatter view: its type says which.
struct TileView {
  cuda_tile::TileViewInterface type;
  TensorView tensor;
};

/// Tokens carry nothing: operations run in the order of the program, which is one that all tokens allow.
struct Token {};

using RuntimeValue = std::variant<Token, Tile, TensorView, TileView>;

/// Steps through the points of `shape` in row-major order.
class IndexIterator {
public:
  explicit IndexIterator(llvm::ArrayRef<int64_t> shape) : shape(shape), index(shape.size()) {}
  llvm::ArrayRef<int64_t> operator*() const { return index; }
  void operator++();

private:
  llvm::ArrayRef<int64_t> shape;
  llvm::SmallVector<int64_t, 4> index;
};

/// `[3, 0]`: the index of the element at a row-major position.
std::string formatIndex(llvm::ArrayRef<int64_t> shape, size_t position);

/// The number or address an element stands for: `-3`, `0.5`, `nan`, `0x7f00`.
std::string formatElement(mlir::Type elementType, uint64_t bits);

/// Shape, element type and elements (the first and last few along each dimension), or what a view looks at.
std::string formatValue(const RuntimeValue &value);

} // namespace tileiras::interpreter

#endif // TILEIRAS_INTERPRETER_VALUES_H
