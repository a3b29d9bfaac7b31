//===- TilePattern.h - Conversion patterns of tile operations ---*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LOWERING_TILEPATTERN_H
#define TILEIRAS_LOWERING_TILEPATTERN_H

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Transforms/DialectConversion.h"
#include "tileiras/Lowering/Emitter.h"
#include "tileiras/Lowering/LoweringContext.h"

namespace tileiras {

/// Who lowers an operation when several could: the pattern with the greatest benefit that matches.
enum PatternOwner : unsigned {
  kUpstreamPattern = 1, ///< MLIR's own, on the vectors that tiles become
  kCorePattern = 2,
  kFamilyPattern = 3, ///< of a dialect that a plugin brings along
  kTargetPattern = 4,
};

/// A conversion pattern that knows the context. A failure of matchAndRewrite leaves the operation to the next owner's
/// pattern.
template <typename OpTy, PatternOwner owner = kCorePattern>
class TilePattern : public mlir::OpConversionPattern<OpTy> {
public:
  using OpAdaptor = typename mlir::OpConversionPattern<OpTy>::OpAdaptor;
  explicit TilePattern(const LoweringContext &lowering)
      : mlir::OpConversionPattern<OpTy>(lowering.converter, &lowering.converter.getContext(), owner),
        lowering(lowering) {}

protected:
  mlir::Type convert(mlir::Type type) const { return lowering.converter.convertType(type); }
  const LoweringContext &lowering;
};

/// A pattern with which a target does an operation its own way.
template <typename OpTy>
using TargetPattern = TilePattern<OpTy, kTargetPattern>;

/// Replaces a memory operation by its value, if it has one; its token has done its work when barriers were placed and
/// becomes something that nobody reads.
void replaceMemoryOp(mlir::ConversionPatternRewriter &rewriter, mlir::Operation *op, mlir::ValueRange values = {});

} // namespace tileiras

#endif // TILEIRAS_LOWERING_TILEPATTERN_H
