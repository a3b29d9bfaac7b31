//===- SinkNegF.cpp - sink-negf-through-shapes -----------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "tileiras/Dialect/TileAS/TileAS.h"
#include "tileiras/Pipeline/Remarks.h"

namespace tileiras::cluster {
#define GEN_PASS_DEF_TILEASSINKNEGF
#include "Passes.h.inc"

namespace {

bool isBehindShape(mlir::arith::NegFOp negate) {
  return mlir::isa_and_nonnull<as::BroadcastOp, as::ExpandDimsOp>(negate.getOperand().getDefiningOp());
}

struct ExchangeNegWithBroadcastPattern : mlir::OpRewritePattern<mlir::arith::NegFOp> {
  using OpRewritePattern::OpRewritePattern;

  mlir::LogicalResult matchAndRewrite(mlir::arith::NegFOp negate, mlir::PatternRewriter &rewriter) const override {
    if (!isBehindShape(negate))
      return mlir::failure();
    mlir::Operation *shape = negate.getOperand().getDefiningOp();
    auto inner = mlir::arith::NegFOp::create(rewriter, negate.getLoc(), shape->getOperand(0), negate.getFastmathAttr());
    mlir::IRMapping mapping;
    mapping.map(shape->getOperand(0), inner.getResult());
    rewriter.replaceOp(negate, rewriter.clone(*shape, mapping));
    return mlir::success();
  }
};

struct TileASSinkNegF : impl::TileASSinkNegFBase<TileASSinkNegF> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileASSinkNegF)

  void runOnOperation() override {
    getOperation()->walk([](mlir::arith::NegFOp negate) {
      if (!isBehindShape(negate))
        remarkMissed(negate, "SinkNegF", "negf") << "no broadcast/expand_dim op";
    });
    mlir::RewritePatternSet patterns(&getContext());
    patterns.add<ExchangeNegWithBroadcastPattern>(&getContext());
    if (mlir::failed(mlir::applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace tileiras::cluster
