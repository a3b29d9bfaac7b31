//===- Values.cpp - What a value of the tile language is ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras-interpreter/Values.h"
#include "FloatFormat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tileiras::interpreter {

unsigned getElementWidth(Type type) {
  return isa<cuda_tile::PointerType>(type) ? 64 : type.getIntOrFloatBitWidth();
}

Tile::Tile(Type elementType, ArrayRef<int64_t> shape)
    : elementType(elementType), shape(shape), elements(ShapedType::getNumElements(shape)) {}

Tile Tile::scalar(Type elementType, uint64_t bits) {
  Tile tile(elementType, {});
  tile.elements[0] = truncate(bits, getElementWidth(elementType));
  return tile;
}

unsigned Tile::width() const {
  return getElementWidth(elementType);
}

int64_t Tile::getSigned(size_t i) const {
  return signExtend(elements[i], width());
}

void IndexIterator::operator++() {
  for (size_t d = shape.size(); d-- > 0;) {
    if (++index[d] < shape[d])
      return;
    index[d] = 0;
  }
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string formatIndex(ArrayRef<int64_t> shape, size_t position) {
  SmallVector<int64_t> index(shape.size());
  for (size_t d = shape.size(); d-- > 0; position /= shape[d])
    index[d] = position % shape[d];
  std::string text = "[";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(index, os);
  return text + "]";
}

std::string formatElement(Type elementType, uint64_t bits) {
  if (isa<cuda_tile::PointerType>(elementType))
    return "0x" + llvm::utohexstr(bits, /*LowerCase=*/true);
  if (elementType.isInteger(1))
    return bits ? "true" : "false";
  if (!isFloat(elementType))
    return std::to_string(signExtend(bits, getElementWidth(elementType)));
  llvm::SmallString<24> text;
  decode(elementType, bits).toString(text, /*FormatPrecision=*/elementType.isF64() ? 17 : 9, /*FormatMaxPadding=*/4);
  return std::string(text);
}

namespace {

constexpr int64_t kShownAtEachEnd = 4;

void printNested(llvm::raw_ostream &os, const Tile &tile, size_t dim, size_t &position, size_t stride) {
  if (dim == tile.shape.size()) {
    os << formatElement(tile.elementType, tile.elements[position]);
    return;
  }
  const int64_t extent = tile.shape[dim];
  const size_t inner = stride / extent, begin = position;
  os << '[';
  for (int64_t i = 0; i < extent; ++i) {
    if (i == kShownAtEachEnd && extent > 2 * kShownAtEachEnd + 1) {
      os << ", …";
      i = extent - kShownAtEachEnd;
    }
    os << (i ? ", " : "");
    position = begin + i * inner;
    printNested(os, tile, dim + 1, position, inner);
  }
  os << ']';
}

void printTensor(llvm::raw_ostream &os, const TensorView &view) {
  os << "sizes [";
  llvm::interleaveComma(view.sizes, os);
  os << "], strides [";
  llvm::interleaveComma(view.strides, os);
  os << "] at " << llvm::format_hex(view.base, 1);
}

} // namespace

std::string formatValue(const RuntimeValue &value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto *tile = std::get_if<Tile>(&value)) {
    os << cuda_tile::TileType::get(tile->shape, tile->elementType) << ' ';
    size_t position = 0;
    printNested(os, *tile, 0, position, tile->size());
  } else if (auto *tensor = std::get_if<TensorView>(&value)) {
    os << tensor->type << ": ";
    printTensor(os, *tensor);
  } else if (auto *view = std::get_if<TileView>(&value)) {
    os << Type(view->type) << ": ";
    printTensor(os, view->tensor);
  } else {
    os << "token";
  }
  return text;
}

} // namespace tileiras::interpreter
