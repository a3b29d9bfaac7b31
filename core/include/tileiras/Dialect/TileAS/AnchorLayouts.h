//===- AnchorLayouts.h - Layouts that operations want -----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layouts that serve one operation well: coalesced, vectorised memory access, and the fragments of matrix-multiply
// atoms.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_ANCHORLAYOUTS_H
#define TILEIRAS_DIALECT_TILEAS_ANCHORLAYOUTS_H

#include "tileiras/Dialect/TileAS/TileAS.h"
#include "tileiras/Layout/RegisterLayouts.h"
#include "tileiras/Layout/SharedLayouts.h"
#include "tileiras/Target/ContextTargets.h"

namespace tileiras::as {

BlockedAttr encodeBlocked(mlir::MLIRContext *context, const BlockedParameters &parameters);

/// How the tile of a load lies in memory.
AccessPattern getAccessPattern(TiledLoadOp load);
AccessPattern getAccessPattern(LoadOp load);

/// The layout that coalesces and vectorises the access.
BlockedParameters chooseAccessLayout(const AccessPattern &pattern, int64_t numWarps);

/// How a matrix product is computed.
struct ProductLayouts {
  mlir::Attribute a, b;           ///< null for ordinary arithmetic: operands may have any layout
  mlir::Attribute c;              ///< of the accumulator and the result
  mlir::Attribute scaleA, scaleB; ///< of block-scaled products
};

/// Fragments of `atom`, whose operands are in the registers of one warp, for a product with a result of `shape`.
/// `preferRows`: work along rows surrounds it; no row should be spread over warps.
ProductLayouts getProductLayouts(mlir::MLIRContext *context, const MmaAtom &atom, llvm::ArrayRef<int64_t> shape,
                                 int64_t numWarps, bool preferRows);

/// The layouts around `product` become those of its atom.
void setProductLayouts(ProductOpInterface product, const ProductLayouts &chosen, OpLayouts &layouts);

/// One warp holds all its operands in registers: layouts of tiles can be made of its fragments.
bool isWarpAtom(const MmaAtom &atom);

/// Which operands of a product are bytes in shared memory whose neighbours are along M or N there, not along K.
struct ByteNeighbours {
  bool a = false, b = false;
};

/// The best of the target's atoms for the product that takes its operands from the registers of one warp; null for
/// ordinary arithmetic. Fails, with a diagnostic, where the target refuses the product, or has only atoms for it that
/// are of another kind. `target` may be empty. Fragments for `neighbours` where there are such.
mlir::FailureOr<const MmaAtom *> findWarpAtom(ProductOpInterface product, const ChipTarget &target,
                                              ByteNeighbours neighbours = {});
/// The same for `op`, of any dialect, that `query` describes.
mlir::FailureOr<const MmaAtom *> findWarpAtom(mlir::Operation *op, const MmaQuery &query, const ChipTarget &target);

/// The tile before its layout has been changed.
mlir::Value skipConversions(mlir::Value tile);

/// A blocked layout for the result of a product of ordinary arithmetic: square blocks use each operand often.
BlockedParameters chooseFmaLayout(llvm::ArrayRef<int64_t> shape, int64_t numWarps, bool preferRows);

} // namespace tileiras::as

#endif // TILEIRAS_DIALECT_TILEAS_ANCHORLAYOUTS_H
