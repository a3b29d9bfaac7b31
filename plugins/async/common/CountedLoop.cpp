//===- CountedLoop.cpp - Loops that count from zero -----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CountedLoop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "tileiras/Dialect/TripCount.h"

using namespace mlir;

namespace tileiras::async {
namespace {

unsigned getWidth(Type type) {
  return isa<IndexType>(type) ? 64 : type.getIntOrFloatBitWidth();
}

} // namespace

bool canCompareAhead(scf::ForOp loop, int64_t ahead) {
  const unsigned width = getWidth(loop.getInductionVar().getType());
  const std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()),
                               step = getConstantIntValue(loop.getStep());
  int64_t distance, first, last;
  if (loop.getUnsignedCmp() || !lower || !step || llvm::MulOverflow(*step, ahead, distance) ||
      llvm::SubOverflow(*lower, distance, first) || llvm::AddOverflow(*lower, distance, last))
    return false;
  return llvm::isIntN(width, first) && llvm::isIntN(width, last);
}

void countFromZero(RewriterBase &rewriter, scf::ForOp loop) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(loop);
  const Location location = loop.getLoc();
  const Type type = loop.getInductionVar().getType();
  const bool isNarrow = getWidth(type) < 64;
  const Type wide = isNarrow ? rewriter.getI64Type() : type;
  Value count = createTripCount(rewriter, loop), lower = loop.getLowerBound(), step = loop.getStep();
  if (isNarrow)
    count = rewriter.createOrFold<arith::ExtUIOp>(location, wide, count);
  Value zero = arith::ConstantOp::create(rewriter, location, rewriter.getIntegerAttr(wide, 0));
  Value one = arith::ConstantOp::create(rewriter, location, rewriter.getIntegerAttr(wide, 1));

  rewriter.setInsertionPointToStart(loop.getBody());
  rewriter.modifyOpInPlace(loop, [&] {
    Value counter = loop.getInductionVar();
    counter.setType(wide);
    Value narrow = isNarrow ? Value(arith::TruncIOp::create(rewriter, location, type, counter)) : counter;
    Value distance = arith::MulIOp::create(rewriter, location, narrow, step);
    Value old = arith::AddIOp::create(rewriter, location, lower, distance);
    counter.replaceUsesWithIf(old, [&](OpOperand &use) {
      return use.getOwner() != narrow.getDefiningOp() && use.getOwner() != distance.getDefiningOp();
    });
    loop.setLowerBound(zero);
    loop.setUpperBound(count);
    loop.setStep(one);
    loop.setUnsignedCmp(false);
  });
}

} // namespace tileiras::async
