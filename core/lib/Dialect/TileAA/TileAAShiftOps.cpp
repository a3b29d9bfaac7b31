//===- TileAAShiftOps.cpp - Shifts by any amount --------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "tileiras/Dialect/TileAA/KnownMaximum.h"
#include "tileiras/Dialect/TileAA/Shifts.h"

using namespace mlir;
using namespace tileiras::aa;

#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAA/TileAAShiftOps.cpp.inc"

/// APInt's shifts take any amount.
using ShiftFunction = APInt (APInt::*)(const APInt &) const;

static Attribute foldConstants(Attribute lhs, Attribute rhs, ShiftFunction shift) {
  if (auto value = dyn_cast_if_present<IntegerAttr>(lhs), amount = dyn_cast_if_present<IntegerAttr>(rhs);
      value && amount)
    return IntegerAttr::get(value.getType(), (value.getValue().*shift)(amount.getValue()));
  auto values = dyn_cast_if_present<DenseIntElementsAttr>(lhs),
       amounts = dyn_cast_if_present<DenseIntElementsAttr>(rhs);
  if (!values || !amounts)
    return {};
  if (values.isSplat() && amounts.isSplat())
    return DenseElementsAttr::get(values.getType(),
                                  (values.getSplatValue<APInt>().*shift)(amounts.getSplatValue<APInt>()));
  SmallVector<APInt> results;
  for (const auto &[value, amount] : llvm::zip_equal(values, amounts))
    results.push_back((value.*shift)(amount));
  return DenseElementsAttr::get(values.getType(), results);
}

template <typename OpTy>
static OpFoldResult foldShift(OpTy op, typename OpTy::FoldAdaptor adaptor, ShiftFunction shift) {
  if (matchPattern(op.getRhs(), m_Zero()))
    return op.getLhs();
  return foldConstants(adaptor.getLhs(), adaptor.getRhs(), shift);
}

OpFoldResult ShLIOp::fold(FoldAdaptor adaptor) {
  return foldShift(*this, adaptor, &APInt::shl);
}
OpFoldResult ShRUIOp::fold(FoldAdaptor adaptor) {
  return foldShift(*this, adaptor, &APInt::lshr);
}
OpFoldResult ShRSIOp::fold(FoldAdaptor adaptor) {
  return foldShift(*this, adaptor, &APInt::ashr);
}

namespace {
/// By a known amount: that of `arith`, or all that is left of a number whose bits are all shifted out.
template <typename OpTy, typename Near>
struct SimplifyShift : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    const unsigned width = getElementTypeOrSelf(op.getType()).getIntOrFloatBitWidth();
    if (getKnownMaximum(op.getRhs()) < width) {
      rewriter.replaceOpWithNewOp<Near>(op, op.getLhs(), op.getRhs());
      return success();
    }
    APInt amount;
    if (!matchPattern(op.getRhs(), m_ConstantInt(&amount)) || amount.ult(width))
      return failure();
    auto constant = [&](uint64_t number) {
      TypedAttr value = rewriter.getIntegerAttr(getElementTypeOrSelf(op.getType()), number);
      if (auto tile = dyn_cast<ShapedType>(op.getType()))
        value = DenseElementsAttr::get(tile, value);
      return arith::ConstantOp::create(rewriter, op.getLoc(), value);
    };
    if (std::is_same_v<OpTy, ShRSIOp>)
      rewriter.replaceOpWithNewOp<Near>(op, op.getLhs(), constant(width - 1));
    else
      rewriter.replaceOp(op, constant(0));
    return success();
  }
};
} // namespace

void ShLIOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<SimplifyShift<ShLIOp, arith::ShLIOp>>(context);
}
void ShRUIOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<SimplifyShift<ShRUIOp, arith::ShRUIOp>>(context);
}
void ShRSIOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<SimplifyShift<ShRSIOp, arith::ShRSIOp>>(context);
}
