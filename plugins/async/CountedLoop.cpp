//===- CountedLoop.cpp - Loops that count from zero -----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CountedLoop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace tileiras::async {
namespace {

unsigned getWidth(Type type) {
  return isa<IndexType>(type) ? 64 : type.getIntOrFloatBitWidth();
}

Value createConstant(ImplicitLocOpBuilder &builder, Type type, int64_t value) {
  return arith::ConstantOp::create(builder, builder.getIntegerAttr(type, value));
}

/// How often `loop` runs, in the type of its bounds, as an unsigned number: as one, the difference of the bounds is
/// exact.
Value computeTripCount(ImplicitLocOpBuilder &builder, scf::ForOp loop) {
  const Type type = loop.getInductionVar().getType();
  const auto predicate = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  Value one = createConstant(builder, type, 1), zero = createConstant(builder, type, 0);
  Value any = builder.createOrFold<arith::CmpIOp>(predicate, loop.getLowerBound(), loop.getUpperBound());
  Value span = builder.createOrFold<arith::SubIOp>(loop.getUpperBound(), loop.getLowerBound());
  Value last = builder.createOrFold<arith::DivUIOp>(builder.createOrFold<arith::SubIOp>(span, one), loop.getStep());
  return builder.createOrFold<arith::SelectOp>(any, builder.createOrFold<arith::AddIOp>(last, one), zero);
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
  ImplicitLocOpBuilder builder(loop.getLoc(), rewriter);
  const Type type = loop.getInductionVar().getType();
  const bool isNarrow = getWidth(type) < 64;
  const Type wide = isNarrow ? builder.getI64Type() : type;
  Value count = computeTripCount(builder, loop), lower = loop.getLowerBound(), step = loop.getStep();
  if (isNarrow)
    count = builder.createOrFold<arith::ExtUIOp>(wide, count);
  Value zero = createConstant(builder, wide, 0), one = createConstant(builder, wide, 1);

  builder.setInsertionPointToStart(loop.getBody());
  rewriter.modifyOpInPlace(loop, [&] {
    Value counter = loop.getInductionVar();
    counter.setType(wide);
    Value narrow = isNarrow ? Value(arith::TruncIOp::create(builder, type, counter)) : counter;
    Value distance = arith::MulIOp::create(builder, narrow, step);
    Value old = arith::AddIOp::create(builder, lower, distance);
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
