//===- AnchorLayouts.h - The layouts operations ask for ---------*- C++ -*-===//
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

#ifndef TILEIRAS_LIB_CONVERSION_TILEAATOTILEAS_ANCHORLAYOUTS_H
#define TILEIRAS_LIB_CONVERSION_TILEAATOTILEAS_ANCHORLAYOUTS_H

#include "tileiras/Dialect/TileAA/TileAA.h"
#include "tileiras/Dialect/TileAS/TileAS.h"
#include "tileiras/Layout/RegisterLayouts.h"

namespace tileiras {

/// What an access to memory would like: where neighbours in memory are and how wide an access may be.
struct AccessPattern {
  mlir::RankedTensorType tile;
  std::optional<unsigned> contiguousDim; ///< neighbours along it are neighbours in memory
  unsigned elementBytes = 1;             ///< in memory, at least 1
  unsigned maxVectorBytes = 16;          ///< as far as alignment and bounds are known
  int64_t minElements = 1;               ///< along contiguousDim that one thread has to hold together
};

/// The pattern of a load, store or atomic of nv_tileaa on tiles.
AccessPattern getAccessPattern(mlir::Operation *access);

/// The layout that coalesces and vectorises the access.
BlockedParameters chooseAccessLayout(const AccessPattern &pattern, int64_t numWarps);

/// `layout` serves the access about as well as `preferred` does: it is not worth moving the tile for it.
bool isGoodForAccess(const AccessPattern &pattern, const LinearLayout &layout, const LinearLayout &preferred);

/// How warps share a product whose blocks (an atom's, or those of a warp's lanes) are `blockM`×`blockN`: by rows only,
/// if work along rows surrounds it.
MmaWarpGrid chooseWarpGrid(llvm::ArrayRef<int64_t> shape, int64_t blockM, int64_t blockN, int64_t numWarps,
                           bool preferRows);

/// A blocked layout for the result of a product of ordinary arithmetic: square blocks use each operand often.
BlockedParameters chooseFmaLayout(llvm::ArrayRef<int64_t> shape, int64_t numWarps, bool preferRows);

as::BlockedAttr encodeBlocked(mlir::MLIRContext *context, const BlockedParameters &parameters);

} // namespace tileiras

#endif // TILEIRAS_LIB_CONVERSION_TILEAATOTILEAS_ANCHORLAYOUTS_H
