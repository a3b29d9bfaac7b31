//===- TensorBox.h - Where the bytes of a tensor copy lie -------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TENSORBOX_H
#define PTX_EMULATOR_TENSORBOX_H

#include "BulkCopy.h"
#include "ptx-emulator/TensorMap.h"
#include <string>
#include <vector>

namespace ptxemu {

enum class LoadMode : uint8_t { Tile, Im2col, Im2colNoOffsets, Im2colWide, Im2colWide128, FourRows };

/// From global to shared memory, or back (reductions, too).
enum class Direction : uint8_t { Load, Store };

/// The operands that place a box in its tensor.
struct BoxPosition {
  LoadMode mode = LoadMode::Tile;
  std::vector<int32_t> coordinates; ///< FourRows: the column, then four rows
  std::vector<int32_t> offsets;     ///< im2col: of each spatial dimension; wide: wHalo, wOffset
};

/// The runs of bytes that a copy of the box moves between global memory and shared memory at `sharedBase`, in the order
/// of the ISA's §5.5: row by row, swizzled, with out-of-bounds elements marked. Stores count as inside what is behind
/// the end of a row in its last 16 bytes. Throws std::invalid_argument with what the ISA forbids about the position.
Copy boxRuns(const TensorMap &, const BoxPosition &, uint32_t sharedBase, Direction);

} // namespace ptxemu

#endif // PTX_EMULATOR_TENSORBOX_H
