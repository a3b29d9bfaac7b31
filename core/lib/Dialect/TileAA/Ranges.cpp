//===- Ranges.cpp - What integers may be ----------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAA/Ranges.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "tileiras/Dialect/TileAA/TileAA.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tileiras;

namespace {

/// Chains of arithmetic are followed this far.
constexpr unsigned kMaxRangeDepth = 16;

class RangeFinder {
public:
  ConstantIntRanges find(Value value, unsigned depth = 0) {
    const ConstantIntRanges all = getAll(value);
    if (depth > kMaxRangeDepth)
      return all;
    // Who asks for it while it is looked for gets what is always right.
    auto [it, isNew] = known.try_emplace(value, IntegerValueRange(all));
    if (!isNew)
      return it->second.getValue();
    const ConstantIntRanges range = compute(value, all, depth + 1);
    known.insert_or_assign(value, IntegerValueRange(range));
    return range;
  }

private:
  static ConstantIntRanges getAll(Value value) {
    return ConstantIntRanges::maxRange(ConstantIntRanges::getStorageBitwidth(value.getType()));
  }

  ConstantIntRanges compute(Value value, const ConstantIntRanges &all, unsigned depth) {
    if (APInt constant; matchPattern(value, m_ConstantInt(&constant)))
      return ConstantIntRanges::constant(constant);
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto loop = dyn_cast_if_present<scf::ForOp>(argument.getOwner()->getParentOp());
      return loop && argument == loop.getInductionVar() ? findInduction(loop, all, depth) : all;
    }
    return llvm::TypeSwitch<Operation *, ConstantIntRanges>(value.getDefiningOp())
        .Case([&](aa::AssumeOp op) { return findAssumed(op, depth); })
        .Case([&](aa::GetDimSizeOp op) { return findExtent(op, all, depth); })
        .Case<aa::GetProgramIdOp, aa::GetNumProgramsOp>([&](Operation *) {
          // No grid has more tile blocks along a dimension.
          const unsigned bits = all.umax().getBitWidth();
          return ConstantIntRanges::fromUnsigned(APInt::getZero(bits), APInt::getSignedMaxValue(bits));
        })
        .Case([&](scf::IfOp op) {
          const unsigned number = cast<OpResult>(value).getResultNumber();
          return find(op.thenYield().getOperand(number), depth)
              .rangeUnion(find(op.elseYield().getOperand(number), depth));
        })
        .Case([&](InferIntRangeInterface op) { return infer(op, value, all, depth); })
        .Default([&](Operation *) { return all; });
  }

  ConstantIntRanges findAssumed(aa::AssumeOp op, unsigned depth) {
    ConstantIntRanges range = find(op.getValue(), depth);
    auto bounds = dyn_cast<aa::BoundedAttr>(op.getPredicate());
    if (!bounds)
      return range;
    const unsigned bits = range.umax().getBitWidth();
    const APInt lower = APInt(bits, bounds.getLower().value_or(INT64_MIN), /*isSigned=*/true, /*implicitTrunc=*/true),
                upper = APInt(bits, bounds.getUpper().value_or(INT64_MAX), /*isSigned=*/true, /*implicitTrunc=*/true);
    return range.intersection(
        ConstantIntRanges::fromSigned(bounds.getLower() ? lower : APInt::getSignedMinValue(bits),
                                      bounds.getUpper() ? upper : APInt::getSignedMaxValue(bits)));
  }

  ConstantIntRanges findExtent(aa::GetDimSizeOp op, const ConstantIntRanges &all, unsigned depth) {
    auto make = op.getSource().getDefiningOp<aa::MakeMemRefOp>();
    ArrayRef<int64_t> shape = cast<aa::TileMemRefType>(op.getSource().getType()).getShape();
    if (!make || !ShapedType::isDynamic(shape[op.getAxis()]))
      return all;
    const unsigned number = llvm::count(shape.take_front(op.getAxis()), ShapedType::kDynamic);
    const ConstantIntRanges size = find(make.getSizes()[number], depth);
    const unsigned bits = all.umax().getBitWidth();
    if (size.umax().getActiveBits() > bits)
      return all;
    return ConstantIntRanges::fromUnsigned(size.umin().zextOrTrunc(bits), size.umax().zextOrTrunc(bits));
  }

  /// From the lower bound on, and below the upper one.
  ConstantIntRanges findInduction(scf::ForOp loop, const ConstantIntRanges &all, unsigned depth) {
    const ConstantIntRanges lower = find(loop.getLowerBound(), depth), upper = find(loop.getUpperBound(), depth);
    if (loop.getUnsignedCmp())
      return lower.umin().ult(upper.umax()) ? ConstantIntRanges::fromUnsigned(lower.umin(), upper.umax() - 1) : all;
    return lower.smin().slt(upper.smax()) ? ConstantIntRanges::fromSigned(lower.smin(), upper.smax() - 1) : all;
  }

  ConstantIntRanges infer(InferIntRangeInterface op, Value value, const ConstantIntRanges &all, unsigned depth) {
    auto isScalar = [](Type type) { return type.isIntOrIndex(); };
    if (!llvm::all_of(op->getOperandTypes(), isScalar))
      return all;
    SmallVector<ConstantIntRanges> operands;
    for (Value operand : op->getOperands())
      operands.push_back(find(operand, depth));
    ConstantIntRanges range = all;
    op.inferResultRanges(operands, [&](Value result, const ConstantIntRanges &inferred) {
      if (result == value)
        range = inferred;
    });
    return range;
  }

  DenseMap<Value, IntegerValueRange> known;
};

} // namespace

ConstantIntRanges aa::getKnownRange(Value value) {
  return RangeFinder().find(value);
}
