//===- TensorCopyRule.cpp - What tensor copies (TMA) can copy -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Target/TensorCopyRule.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileiras;

TensorCopyRule::TensorCopyRule(const ChipTarget &target)
    : limits(target ? target.machine().tensorCopy : TensorCopyLimits()) {}

int64_t TensorCopyRule::getMostAlignment() const {
  return std::max(limits.baseAlignment, limits.strideAlignment);
}

//===----------------------------------------------------------------------===//
// The array
//===----------------------------------------------------------------------===//

std::string TensorCopyRule::explainRank(int64_t rank) const {
  static constexpr llvm::StringLiteral possible[] = {"one is possible", "one to two are possible",
                                                     "one to three are possible", "one to four are possible",
                                                     "one to five are possible"};
  static_assert(std::size(possible) == TensorCopyLimits().mostDimensions);
  if (rank != 0 && rank <= limits.mostDimensions)
    return "";
  return llvm::formatv("an array of {0} dimensions; {1}", rank, possible[limits.mostDimensions - 1]);
}

std::string TensorCopyRule::explainElement(Type element) const {
  const unsigned bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0, bytes = bits / 8;
  if (bits % 8 == 0 && llvm::isPowerOf2_32(bytes) && (limits.elementBytes & bytes) != 0)
    return "";
  return llvm::formatv("elements of type {0}", element);
}

std::string TensorCopyRule::explainBase(int64_t alignment) const {
  if (alignment % limits.baseAlignment == 0)
    return "";
  return llvm::formatv("the address of the array is not known to be a multiple of {0} bytes; 'assume div_by<{0}>' on "
                       "its pointer would say so",
                       limits.baseAlignment);
}

std::string TensorCopyRule::explainStrides(ArrayRef<int64_t> divisors, int64_t elementBytes) const {
  const int64_t alignment = limits.strideAlignment;
  for (auto [dim, divisor] : llvm::enumerate(divisors))
    if (divisor * elementBytes % alignment != 0)
      return llvm::formatv("the stride of dimension {0} is not known to be a multiple of {1} bytes; 'assume "
                           "div_by<{2}>' on it would say so",
                           dim, alignment, std::max<int64_t>(alignment / elementBytes, 1));
  return "";
}

std::string TensorCopyRule::explainSizes(ArrayRef<int64_t> types, ArrayRef<uint64_t> largest) const {
  for (auto [dim, type, size] : llvm::enumerate(types, largest)) {
    if (size <= TensorCopyLimits::kMostElements)
      continue;
    std::string reason =
        llvm::formatv("the size of dimension {0} may be more than 2^31, and its coordinates are signed numbers of 32 "
                      "bits",
                      dim);
    if (ShapedType::isDynamic(type))
      reason += "; 'assume bounded<0, 2147483647>' on it would say that it is not";
    return reason;
  }
  return "";
}

std::string TensorCopyRule::explainLongStrides(ArrayRef<int64_t> types, ArrayRef<uint64_t> largest,
                                               uint64_t elementBytes) const {
  const uint64_t limit = TensorCopyLimits::kStrideLimit / elementBytes;
  for (auto [dim, type, stride] : llvm::enumerate(types, largest)) {
    if (stride < limit)
      continue;
    std::string reason = llvm::formatv("the stride of dimension {0} may be 2^40 bytes or more", dim);
    if (ShapedType::isDynamic(type))
      reason += llvm::formatv("; 'assume bounded<0, {0}>' on it would say that it is not", limit - 1);
    return reason;
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Tiles and boxes
//===----------------------------------------------------------------------===//

std::string TensorCopyRule::explainSteps(ArrayRef<int64_t> steps) const {
  // Tiles that start where no coordinate reaches get one in front of the array, so far that they end there, too.
  constexpr int64_t most = TensorCopyLimits::kMostElements / 2;
  if (llvm::all_of(steps, [](int64_t step) { return step <= most; }))
    return "";
  return "its tiles are more than 2^30 elements apart";
}

std::string TensorCopyRule::explainRow(int64_t rowBytes) const {
  if (rowBytes % limits.rowAlignment == 0)
    return "";
  return llvm::formatv("a row of the tile is no multiple of {0} bytes", limits.rowAlignment);
}

std::string TensorCopyRule::explainRowEnd(unsigned dim, int64_t size, int64_t divisor, int64_t elementBytes) const {
  const int64_t alignment = limits.rowAlignment;
  if (divisor * elementBytes % alignment == 0)
    return "";
  std::string reason =
      llvm::formatv("its stores reach the end of the last {0} bytes in which a row has elements, and ", alignment);
  if (!ShapedType::isDynamic(size))
    reason += llvm::formatv("rows are {0} elements of {1} bytes (dimension {2}), no multiple of that", size,
                            elementBytes, dim);
  else
    reason += llvm::formatv("the size of dimension {0} is not known to be a multiple of that; 'assume div_by<{1}>' on "
                            "it would say so",
                            dim, alignment / elementBytes);
  return reason;
}

std::string TensorCopyRule::explainBox(ArrayRef<int64_t> box) const {
  if (std::string reason = explainRank(box.size()); !reason.empty())
    return reason;
  for (auto [dim, extent] : llvm::enumerate(box))
    if (extent > limits.mostBoxExtent)
      return llvm::formatv("a box of {0} elements along dimension {1}; up to {2} are possible", extent, dim,
                           limits.mostBoxExtent);
  return "";
}
