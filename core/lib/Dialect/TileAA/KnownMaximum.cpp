//===- KnownMaximum.cpp - How large integers can be -----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAA/KnownMaximum.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "tileiras/Dialect/TileAA/Shifts.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileiras;

namespace {

class MaximumFinder {
public:
  explicit MaximumFinder(bool believesAssumptions) : believesAssumptions(believesAssumptions) {}

  uint64_t find(Value value, unsigned depth = 0) const {
    auto type = dyn_cast<IntegerType>(getElementTypeOrSelf(value));
    if (!type || type.getWidth() > 64)
      return ~uint64_t(0);
    const uint64_t limit = llvm::maskTrailingOnes<uint64_t>(type.getWidth());
    if (auto argument = dyn_cast<BlockArgument>(value))
      return std::min(limit, findOfArgument(argument));
    if (DenseIntElementsAttr elements; matchPattern(value, m_Constant(&elements)))
      return findOfElements(elements);
    if (APInt constant; matchPattern(value, m_ConstantInt(&constant)))
      return constant.getZExtValue();
    return depth < kMaxDepth ? std::min(limit, findOfResult(value.getDefiningOp(), limit, depth + 1)) : limit;
  }

private:
  /// The walk may visit 2^depth operations.
  static constexpr unsigned kMaxDepth = 6;

  static uint64_t findOfElements(DenseIntElementsAttr elements) {
    if (elements.isSplat())
      return elements.getSplatValue<APInt>().getZExtValue();
    uint64_t maximum = 0;
    for (const APInt &element : elements)
      maximum = std::max(maximum, element.getZExtValue());
    return maximum;
  }

  /// A loop that counts between constants that are not negative.
  static uint64_t findOfArgument(BlockArgument argument) {
    auto loop = dyn_cast_if_present<scf::ForOp>(argument.getOwner()->getParentOp());
    APInt lower, upper;
    if (!loop || argument != loop.getInductionVar() || !matchPattern(loop.getLowerBound(), m_ConstantInt(&lower)) ||
        !matchPattern(loop.getUpperBound(), m_ConstantInt(&upper)) || lower.isNegative() || !upper.isStrictlyPositive())
      return ~uint64_t(0);
    return upper.getZExtValue() - 1;
  }

  uint64_t findOfResult(Operation *op, uint64_t limit, unsigned depth) const {
    auto of = [&](Value operand) { return find(operand, depth); };
    return TypeSwitch<Operation *, uint64_t>(op)
        .Case<arith::AndIOp, arith::MinUIOp>([&](auto op) { return std::min(of(op.getLhs()), of(op.getRhs())); })
        .Case([&](arith::MaxUIOp op) { return std::max(of(op.getLhs()), of(op.getRhs())); })
        .Case([&](arith::SelectOp op) { return std::max(of(op.getTrueValue()), of(op.getFalseValue())); })
        .Case([&](arith::AddIOp op) {
          const uint64_t sum = llvm::SaturatingAdd(of(op.getLhs()), of(op.getRhs()));
          return sum <= limit ? sum : limit; // beyond, it may wrap to anything
        })
        // The divisor is not zero.
        .Case([&](arith::RemUIOp op) { return std::min(of(op.getLhs()), std::max<uint64_t>(of(op.getRhs()), 1) - 1); })
        .Case<arith::DivUIOp, arith::ShRUIOp, aa::ShRUIOp>([&](auto op) { return of(op.getLhs()); })
        .Case<arith::ExtUIOp, arith::TruncIOp>([&](auto op) { return of(op.getIn()); })
        .Case([&](arith::ExtSIOp op) {
          const unsigned from = getElementTypeOrSelf(op.getIn()).getIntOrFloatBitWidth();
          const uint64_t maximum = of(op.getIn());
          return maximum >> (from - 1) ? limit : maximum;
        })
        .Case<aa::SplatOp, aa::BroadcastOp, aa::ExpandDimsOp, aa::ViewOp, aa::PermuteOp>(
            [&](auto op) { return of(op.getSource()); })
        .Case([&](aa::MakeRangeOp op) -> uint64_t { return cast<ShapedType>(op.getType()).getNumElements() - 1; })
        .Case([&](aa::AssumeOp op) {
          auto fact = dyn_cast<aa::BoundedAttr>(op.getPredicate());
          const bool isBound = believesAssumptions && fact && fact.getLower().value_or(-1) >= 0 && fact.getUpper();
          return isBound ? std::min<uint64_t>(of(op.getValue()), *fact.getUpper()) : of(op.getValue());
        })
        .Default(limit);
  }

  bool believesAssumptions;
};

} // namespace

uint64_t aa::getKnownMaximum(Value value, bool believesAssumptions) {
  return MaximumFinder(believesAssumptions).find(value);
}
