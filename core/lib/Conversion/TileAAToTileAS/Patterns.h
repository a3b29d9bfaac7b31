//===- Patterns.h - nv_tileaa operations in nv_tileas -----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CONVERSION_TILEAATOTILEAS_PATTERNS_H
#define TILEIRAS_LIB_CONVERSION_TILEAATOTILEAS_PATTERNS_H

#include "mlir/Transforms/DialectConversion.h"
#include "tileiras/Dialect/TileAA/Clusters.h"
#include "tileiras/Dialect/TileAS/TileAS.h"

namespace tileiras {

/// Tiles get the default layout of their shape, views and tokens become those of nv_tileas; all else stays.
class TileASTypeConverter : public mlir::TypeConverter {
public:
  explicit TileASTypeConverter(int64_t numWarps);
};

/// `now` stands for `op`: results in order, notes that passes left on it, and whom CTAs share it with.
inline mlir::LogicalResult replaceKeepingNotes(mlir::ConversionPatternRewriter &rewriter, mlir::Operation *op,
                                               mlir::Operation *now) {
  now->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  if (uint32_t mask = aa::getSharedCtas(op))
    aa::setSharedCtas(now, mask);
  rewriter.replaceOp(op, now);
  return mlir::success();
}

/// What is promised of the pointers of loads and stores (`contiguity` of nv_tileas.load), from the program before it is
/// converted. Of sums in memory, too, if `ofSums`: the GPU adds neighbours at once.
using PointerContiguity = llvm::DenseMap<mlir::Operation *, mlir::DenseI64ArrayAttr>;
PointerContiguity findPointerContiguity(aa::FuncOp func, bool ofSums);

/// Patterns put operations on tiles in place of each other as if layouts did not matter; applyLayouts then makes them
/// fit.
void populateStructurePatterns(const TileASTypeConverter &types, mlir::RewritePatternSet &patterns);
void populateMemoryPatterns(const TileASTypeConverter &types, const PointerContiguity &contiguity,
                            mlir::RewritePatternSet &patterns);

} // namespace tileiras

#endif // TILEIRAS_LIB_CONVERSION_TILEAATOTILEAS_PATTERNS_H
