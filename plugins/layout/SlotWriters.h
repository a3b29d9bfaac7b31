//===- SlotWriters.h - Threads that store loaded tiles to slots -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile that no engine copies goes through registers: threads load it, perhaps convert it, and store it to its slot.
// Where the slot has another dimension as its fastest than memory, each thread loads a block that is wide along both,
// and its registers are what transposes it.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_LAYOUT_SLOTWRITERS_H
#define TILEIRAS_PLUGINS_LAYOUT_SLOTWRITERS_H

#include "tileiras/Dialect/TileAS/AnchorLayouts.h"

namespace tileiras::layout {

/// The layout in which `numWarps` warps load a tile for a slot whose fastest dimension is `slotDim`, elements of
/// `slotBits` bits. Along `slotDim` a thread holds 16 bytes of the slot; the lanes that store together go along it as
/// far as it takes for a swizzle to spread them over all banks.
BlockedParameters chooseWriterLayout(const as::AccessPattern &pattern, unsigned slotDim, unsigned slotBits,
                                     int64_t numWarps);

/// The slot that takes what `loaded` is, or elementwise operations make of it; null if it goes elsewhere, too.
mlir::Value findSlot(mlir::Value loaded);

/// The dimension of a slot whose elements are neighbours.
std::optional<unsigned> getFastestDim(mlir::RankedTensorType slot);

} // namespace tileiras::layout

#endif // TILEIRAS_PLUGINS_LAYOUT_SLOTWRITERS_H
