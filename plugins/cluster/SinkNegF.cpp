//===- SinkNegF.cpp - sink-negf-through-shapes -----------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Remarks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "tileiras/Dialect/TileAA/TileAA.h"
#include "tileiras/Dialect/TileAS/TileAS.h"

using namespace mlir;

namespace tileiras::cluster {
#define GEN_PASS_DEF_TILEASSINKNEGF
#include "Passes.h.inc"

namespace {

bool isBehindShape(arith::NegFOp negate) {
  return isa_and_nonnull<as::BroadcastOp, as::ExpandDimsOp, aa::BroadcastOp, aa::ExpandDimsOp>(
      negate.getOperand().getDefiningOp());
}

struct ExchangeNegWithBroadcastPattern : OpRewritePattern<arith::NegFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::NegFOp negate, PatternRewriter &rewriter) const override {
    if (!isBehindShape(negate))
      return failure();
    Operation *shape = negate.getOperand().getDefiningOp();
    auto inner = arith::NegFOp::create(rewriter, negate.getLoc(), shape->getOperand(0), negate.getFastmathAttr());
    IRMapping mapping;
    mapping.map(shape->getOperand(0), inner.getResult());
    rewriter.replaceOp(negate, rewriter.clone(*shape, mapping));
    return success();
  }
};

/// The negation that `operand`, which nobody else uses, comes from, past operations that move elements only.
arith::NegFOp findNegation(Value operand) {
  while (operand.hasOneUse()) {
    Operation *op = operand.getDefiningOp();
    if (auto negate = dyn_cast_or_null<arith::NegFOp>(op))
      return negate;
    if (!isa_and_nonnull<ViewLikeOpInterface, aa::BroadcastOp, as::BroadcastOp, as::ConvertLayoutOp>(op))
      break;
    operand = op->getOperand(0);
  }
  return {};
}

bool canNegate(aa::DotOp) {
  return true;
}
bool canNegate(as::DotOp product) {
  return !product.isBlockScaled();
}

/// c + -a · b is c - a · b: instructions of warpgroups take the sign, and others find it in the words of a.
template <typename OpTy>
struct NegateProductPattern : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy product, PatternRewriter &rewriter) const override {
    arith::NegFOp negate = findNegation(product.getA());
    if (!negate)
      negate = findNegation(product.getB());
    if (!negate || !canNegate(product))
      return failure();
    rewriter.replaceOp(negate, negate.getOperand());
    rewriter.modifyOpInPlace(product, [&] { product.setNegate(!product.getNegate()); });
    return success();
  }
};

/// Nothing takes the sign from where it is.
bool stays(arith::NegFOp negate) {
  if (isBehindShape(negate))
    return false;
  Value tile = negate.getResult();
  while (tile.hasOneUse() && isa<ViewLikeOpInterface, aa::BroadcastOp>(*tile.user_begin()))
    tile = tile.user_begin()->getResult(0);
  return !tile.hasOneUse() || !isa<aa::DotOp, as::DotOp>(*tile.user_begin());
}

struct TileASSinkNegF : impl::TileASSinkNegFBase<TileASSinkNegF> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileASSinkNegF)

  void runOnOperation() override {
    getOperation()->walk([](arith::NegFOp negate) {
      if (stays(negate))
        remarkOn(negate, Missed::SinkNegF) << "no broadcast/expand_dim op";
    });
    RewritePatternSet patterns(&getContext());
    patterns.add<ExchangeNegWithBroadcastPattern, NegateProductPattern<aa::DotOp>, NegateProductPattern<as::DotOp>>(
        &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace tileiras::cluster
