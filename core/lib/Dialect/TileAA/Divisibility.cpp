//===- Divisibility.cpp - Known factors of values -------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAA/Divisibility.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "tileiras/Dialect/TileAA/TileAA.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tileiras;

/// Chains of arithmetic are followed this far: the walk may visit 2^depth operations.
static constexpr unsigned kMaxArithmeticDepth = 10;

static int64_t getFactor(const APInt &value) {
  return value.countr_zero() >= 10 ? aa::kMaxKnownDivisor : int64_t(1) << value.countr_zero();
}

static int64_t getDivisor(Value value, unsigned depth);

/// Every value an induction variable takes is the lower bound plus a multiple of the step.
static int64_t getArgumentDivisor(BlockArgument argument, unsigned depth) {
  auto loop = dyn_cast_if_present<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop || argument != loop.getInductionVar())
    return 1;
  return std::min(getDivisor(loop.getLowerBound(), depth), getDivisor(loop.getStep(), depth));
}

static int64_t getDivisor(Value value, unsigned depth) {
  if (depth > kMaxArithmeticDepth)
    return 1;
  if (auto argument = dyn_cast<BlockArgument>(value))
    return getArgumentDivisor(argument, depth + 1);
  auto of = [&](Value operand) { return getDivisor(operand, depth + 1); };
  if (APInt constant; matchPattern(value, m_ConstantInt(&constant)))
    return getFactor(constant);
  return TypeSwitch<Operation *, int64_t>(value.getDefiningOp())
      .Case([&](aa::AssumeOp assume) {
        auto fact = dyn_cast<aa::DivByAttr>(assume.getPredicate());
        int64_t stated = fact && !fact.getEvery() ? getFactor(APInt(64, fact.getDivisor())) : 1;
        return std::max(stated, of(assume.getValue()));
      })
      .Case<arith::AddIOp, arith::SubIOp, arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp>(
          [&](auto op) { return std::min(of(op.getLhs()), of(op.getRhs())); })
      .Case([&](arith::SelectOp op) { return std::min(of(op.getTrueValue()), of(op.getFalseValue())); })
      .Case([&](arith::MulIOp op) { return std::min(aa::kMaxKnownDivisor, of(op.getLhs()) * of(op.getRhs())); })
      .Case<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp>(
          [&](auto op) { return of(op.getIn()); })
      .Case([&](aa::BitcastOp op) { return of(op.getSource()); })
      .Case([&](aa::AddPtrOp op) -> int64_t {
        Type pointee = cast<aa::PtrType>(getElementTypeOrSelf(op.getBase())).getPointeeType();
        int64_t bytes = pointee.isIntOrFloat() ? pointee.getIntOrFloatBitWidth() / 8 : 8;
        return std::max<int64_t>(1, std::min({aa::kMaxKnownDivisor, of(op.getBase()), of(op.getOffset()) * bytes}));
      })
      .Default([](Operation *) { return 1; });
}

int64_t aa::getKnownDivisor(Value value) {
  return getDivisor(value, 0);
}
