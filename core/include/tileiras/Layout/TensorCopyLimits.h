//===- TensorCopyLimits.h - What tensor copies (TMA) take -------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arrays that a tensor map can describe, and boxes that lie in shared memory. As in IsaLimits.h, the numbers here are
// those of the ISA; a chip's are in its MachineModel.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LAYOUT_TENSORCOPYLIMITS_H
#define TILEIRAS_LAYOUT_TENSORCOPYLIMITS_H

#include <algorithm>
#include <cstdint>

namespace tileiras {

/// What tensor copies (TMA) take: here what the ISA does. PTX ISA, "Tensors", "cp.async.bulk.tensor"; CUDA driver API,
/// cuTensorMapEncodeTiled. TensorCopyRule answers questions by it.
struct TensorCopyLimits {
  uint32_t mostDimensions = 5;           ///< of an array, and so of a box
  uint32_t mostBoxExtent = 256;          ///< elements along each dimension of a box
  uint32_t elementBytes = 1 | 2 | 4 | 8; ///< the sizes that elements may have, powers of two: a set of bits
  uint32_t baseAlignment = 16;           ///< bytes, of the address of an array
  uint32_t strideAlignment = 16;         ///< bytes, of strides between what are no neighbours
  uint32_t rowAlignment = 16;            ///< bytes: rows of a box are multiples, and so many are written at once

  // The same on all chips: they are fields of a tensor map, or shared memory is laid out by them.
  static constexpr uint64_t kMostElements = uint64_t(1) << 31; ///< along a dimension that coordinates reach
  static constexpr uint64_t kStrideLimit = uint64_t(1) << 40;  ///< bytes; strides are less
  static constexpr int64_t kBoxAlignment = 128, kRowsOfSwizzle = 8;

  /// Where boxes begin in shared memory, in bytes, if their swizzle has rows of `swizzleBytes`; 0: no swizzle.
  static constexpr int64_t getBoxAlignment(int64_t swizzleBytes) {
    return std::max(kBoxAlignment, kRowsOfSwizzle * swizzleBytes);
  }

  bool operator==(const TensorCopyLimits &other) const = default;
};

} // namespace tileiras

#endif // TILEIRAS_LAYOUT_TENSORCOPYLIMITS_H
