//===- LoadFacts.h - What is known of the memory behind a tile --*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_LAYOUT_LOADFACTS_H
#define TILEIRAS_PLUGINS_LAYOUT_LOADFACTS_H

#include "tileiras/Dialect/TileAS/AnchorLayouts.h"
#include "tileiras/Target/TensorCopyRule.h"

namespace tileiras::layout {

/// The load that a tile comes from, whatever layout it has been converted to, or type, if tensor copies can do that;
/// null if there is none.
as::TiledLoadOp findLoad(mlir::Value tile);

/// How the elements that a tile is loaded from, or computed from one by one, lie in memory; nothing if they come from
/// several loads or none.
std::optional<as::AccessPattern> findAccessPattern(mlir::Value tile);

/// The dimensions of a loaded tile, or what is computed from its elements, fastest in memory first. Nothing for what
/// comes from elsewhere, or from memory without a contiguous dimension.
std::optional<llvm::SmallVector<unsigned>> getMemoryOrder(mlir::Value tile);

/// Whether neighbours in memory (`operand`: where each is in an operand A or B) are neighbours along M or N.
bool hasNeighboursAcross(const LinearLayout &operand, as::OperandAxis axis);

/// Tensor copies may be able to load all of `tiles`, as far as types tell: their ranks and those strides that are known
/// already suit. Whether they will is decided when stages have their layouts; threads copy what they do not.
bool mayBeTensorCopies(llvm::ArrayRef<mlir::Value> tiles, const ChipTarget &target);

} // namespace tileiras::layout

#endif // TILEIRAS_PLUGINS_LAYOUT_LOADFACTS_H
