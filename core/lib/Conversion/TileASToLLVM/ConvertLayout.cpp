//===- ConvertLayout.cpp - Tiles change hands -----------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/IR/TypeUtilities.h"
#include "tileiras/Lowering/SharedStaging.h"

using namespace mlir;

namespace tileiras {
namespace {

struct ConvertLayoutPattern final : TilePattern<as::ConvertLayoutOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::ConvertLayoutOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    rewriter.replaceOp(op, emitConversion(emit, lowering, adaptor.getSource(), getLayout(op.getSource().getType()),
                                          getLayout(op.getType()), op));
    return success();
  }
};

} // namespace

int64_t as::ConvertLayoutOp::getScratchBytes(const LoweringContext &lowering) {
  Type element = lowering.converter.convertElement(getElementTypeOrSelf(getType()));
  return getConversionScratchBytes(lowering, element, getLayout(getSource().getType()), getLayout(getType()), *this);
}

void populateConvertLayoutPatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<ConvertLayoutPattern>(lowering);
}

} // namespace tileiras
