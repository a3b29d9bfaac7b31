//===- DeferredWaits.cpp - Products in flight across iterations -----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeferredWaits.h"
#include "ConsumerSteps.h"
#include "HandOff.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tileiras::async {

/// The next product that adds to what `product` has computed, or null: then only the end of the body uses it.
static FailureOr<as::AsyncDotOp> getNextInChain(as::AsyncDotOp product) {
  as::AsyncFutureWaitOp wait = getWait(product);
  if (!wait || !product.getResult().hasOneUse() || !wait.getResults().front().hasOneUse())
    return failure();
  OpOperand &use = *wait.getResults().front().use_begin();
  if (isa<as::PipelineYieldOp>(use.getOwner()))
    return as::AsyncDotOp();
  auto next = dyn_cast<as::AsyncDotOp>(use.getOwner());
  if (!next || next->getBlock() != product->getBlock() || next.getC() != use.get() || next.getA() == use.get() ||
      next.getB() == use.get() || next.getAtom() != product.getAtom())
    return failure();
  return next;
}

/// Whether iteration argument `argument` of `loop` is the sum that `first` and those behind it add to, and nothing
/// else.
static bool isAccumulatorOf(scf::ForOp loop, Value argument, as::AsyncDotOp first, as::ConsumeOneOp consume) {
  auto iterArg = dyn_cast<BlockArgument>(argument);
  if (!iterArg || iterArg.getOwner() != loop.getBody() || !iterArg.hasOneUse() || iterArg == loop.getInductionVar())
    return false;
  as::AsyncDotOp last = first;
  while (true) {
    FailureOr<as::AsyncDotOp> next = getNextInChain(last);
    if (failed(next))
      return false;
    if (!*next)
      break;
    last = *next;
  }
  OpOperand &use = *getWait(last).getResults().front().use_begin();
  Value sum = consume.getValues()[use.getOperandNumber()];
  OpOperand *yielded = loop.getTiedLoopYieldedValue(iterArg);
  return sum.hasOneUse() && yielded == &*sum.use_begin();
}

bool canDeferWaits(scf::ForOp loop, as::ConsumeOneOp consume) {
  SmallVector<as::AsyncDotOp> products = getProducts(consume);
  if (products.empty() || consume->getBlock() != loop.getBody())
    return false;
  // Each chain begins with an accumulator; every product is in one.
  size_t inChains = 0;
  for (as::AsyncDotOp product : products) {
    // Registers that hold A are written again in the next iteration.
    if (!as::isMemoryTensor(product.getA().getType()))
      return false;
    if (auto wait = product.getC().getDefiningOp<as::AsyncFutureWaitOp>();
        wait && wait->getBlock() == product->getBlock())
      continue;
    if (!isAccumulatorOf(loop, product.getC(), product, consume))
      return false;
    for (FailureOr<as::AsyncDotOp> next = product; *next; next = getNextInChain(*next))
      ++inChains;
  }
  return inChains == products.size();
}

void guardLoop(RewriterBase &rewriter, scf::ForOp loop) {
  if (std::optional<APInt> trips = loop.getStaticTripCount(); trips && !trips->isZero())
    return;
  rewriter.setInsertionPoint(loop);
  Location location = loop.getLoc();
  const auto isLess = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  Value hasIteration = arith::CmpIOp::create(rewriter, location, isLess, loop.getLowerBound(), loop.getUpperBound());
  auto branch = scf::IfOp::create(rewriter, location, loop.getResultTypes(), hasIteration, /*withElseRegion=*/true);
  rewriter.replaceAllUsesWith(loop.getResults(), branch.getResults());
  rewriter.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(rewriter, location, loop.getResults());
  rewriter.moveOpBefore(loop, branch.thenBlock(), branch.thenBlock()->begin());
  rewriter.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(rewriter, location, loop.getInitArgs());
}

scf::ForOp deferWaits(RewriterBase &rewriter, scf::ForOp loop, as::ConsumeOneOp consume) {
  // Registers of a sum must be written by products alone until somebody has waited for them: behind a loop that may
  // have been skipped, they would be those of its initial value.
  guardLoop(rewriter, loop);
  Location location = consume.getLoc();
  SmallVector<as::AsyncDotOp> products = getProducts(consume);
  SmallVector<unsigned> accumulators;
  Operation *yield = consume.getBody().front().getTerminator();
  for (OpOperand &operand : loop.getBody()->getTerminator()->getOpOperands())
    if (auto it = llvm::find(consume.getValues(), operand.get()); it != consume.getValues().end())
      if (yield->getOperand(it - consume.getValues().begin()).getDefiningOp<as::AsyncFutureWaitOp>())
        accumulators.push_back(operand.getOperandNumber());
  as::ConsumerReadOp read = as::splitConsumer(rewriter, consume, removeWaits(rewriter, products));
  Value token = read.getValues().back();

  rewriter.setInsertionPoint(loop);
  Value noProduct = as::CreateNoneOp::create(rewriter, location, token.getType());
  Value noStage = as::CreateNoneOp::create(rewriter, location, read.getDone().getType());
  auto yieldTokens = [&](OpBuilder &, Location, ArrayRef<BlockArgument>) {
    return SmallVector<Value>{token, read.getDone()};
  };
  auto replaced = *loop.replaceWithAdditionalYields(rewriter, {noProduct, noStage},
                                                    /*replaceInitOperandUsesInLoop=*/false, yieldTokens);
  auto newLoop = cast<scf::ForOp>(replaced.getOperation());
  const unsigned tokenIndex = newLoop.getNumRegionIterArgs() - 2;

  // The products of the iteration before are complete: their stage is free.
  rewriter.setInsertionPointAfter(read);
  as::AsyncWaitOp::create(rewriter, location, ValueRange(newLoop.getRegionIterArg(tokenIndex)), IntegerAttr());
  as::ConsumerReleaseOp::create(rewriter, location, newLoop.getRegionIterArg(tokenIndex + 1));

  rewriter.setInsertionPointAfter(newLoop);
  SmallVector<Value> sums =
      llvm::map_to_vector(accumulators, [&](unsigned i) -> Value { return newLoop.getResult(i); });
  auto wait = as::AsyncFutureWaitOp::create(rewriter, location, newLoop.getResult(tokenIndex), sums);
  for (auto [sum, complete] : llvm::zip_equal(sums, wait.getResults()))
    rewriter.replaceAllUsesExcept(sum, complete, wait);
  as::ConsumerReleaseOp::create(rewriter, location, newLoop.getResult(tokenIndex + 1));
  return newLoop;
}

} // namespace tileiras::async
