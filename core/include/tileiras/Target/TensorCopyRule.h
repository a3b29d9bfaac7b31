//===- TensorCopyRule.h - What tensor copies (TMA) can copy -----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rule of what a tensor map can describe and a tensor copy can do, in one place: ranks, element sizes, alignments,
// extents and boxes, as the chip has them. It knows no dialect. Whoever asks collects what is known of an array or a
// tile, from types, from promises of the program, or from both, and asks about that: early passes know little, later
// ones more, and what is not known yet is taken for what suits (a divisor of 0).
//
// Each answer says why a tensor copy cannot do it, and what in the program would help; an empty one: it can.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TARGET_TENSORCOPYRULE_H
#define TILEIRAS_TARGET_TENSORCOPYRULE_H

#include "tileiras/Layout/SharedLayouts.h"
#include "tileiras/Target/ContextTargets.h"
#include <string>

namespace tileiras {

class TensorCopyRule {
public:
  explicit TensorCopyRule(const TensorCopyLimits &limits) : limits(limits) {}
  /// Without a target: what the ISA allows.
  explicit TensorCopyRule(const ChipTarget &target);

  const TensorCopyLimits &getLimits() const { return limits; }
  /// The largest of the alignments: to know more of a divisor, in bytes, is of no use.
  int64_t getMostAlignment() const;

  //===--------------------------------------------------------------------===//
  // The array
  //===--------------------------------------------------------------------===//

  std::string explainRank(int64_t rank) const;
  std::string explainElement(mlir::Type element) const;
  /// `alignment`: what is known to divide the address of the array, bytes.
  std::string explainBase(int64_t alignment) const;
  /// `divisors`: what is known to divide each stride, in elements of `elementBytes`. 0 for the dimension of neighbours,
  /// whose stride is 1, and for strides that are not known yet.
  std::string explainStrides(llvm::ArrayRef<int64_t> divisors, int64_t elementBytes) const;
  /// `types`: sizes, or strides, as the type of the array has them, some dynamic; `largest`: the most that each may be.
  std::string explainSizes(llvm::ArrayRef<int64_t> types, llvm::ArrayRef<uint64_t> largest) const;
  std::string explainLongStrides(llvm::ArrayRef<int64_t> types, llvm::ArrayRef<uint64_t> largest,
                                 uint64_t elementBytes) const;

  //===--------------------------------------------------------------------===//
  // Tiles and boxes
  //===--------------------------------------------------------------------===//

  /// `steps`: elements from one tile to the next, one for each dimension.
  std::string explainSteps(llvm::ArrayRef<int64_t> steps) const;
  /// Of the tile, along the dimension of neighbours.
  std::string explainRow(int64_t rowBytes) const;
  /// For stores by tiles that reach the end of rows: the last bytes in which a row has elements are written whole
  /// (measured, H200, 2026-11-26), so that rows must end with them. `dim` is the array's dimension of neighbours,
  /// `size` its size in elements, perhaps dynamic, and `divisor` what is known to divide that.
  std::string explainRowEnd(unsigned dim, int64_t size, int64_t divisor, int64_t elementBytes) const;
  /// Of a tensor map: the extents of its boxes, in elements.
  std::string explainBox(llvm::ArrayRef<int64_t> box) const;

  /// The largest box with which copies write `memory`, a tile of elements of `elementBits` in shared memory; nothing if
  /// none does (see matchTmaTile).
  std::optional<TmaTile> findBox(const LinearLayout &memory, unsigned elementBits) const {
    return matchTmaTile(memory, elementBits, limits);
  }

private:
  TensorCopyLimits limits;
};

} // namespace tileiras

#endif // TILEIRAS_TARGET_TENSORCOPYRULE_H
