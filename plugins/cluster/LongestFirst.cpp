//===- LongestFirst.cpp - tileaa-longest-first ----------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "Remarks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tileiras/Dialect/TileAA/TileAA.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tileiras::cluster {
#define GEN_PASS_DEF_TILEAALONGESTFIRST
#include "Passes.h.inc"

using namespace mlir;

namespace {

/// How a number changes from one tile block of an axis to the next, as far as is seen.
enum class Trend { Same, Grows, Falls, Unknown };

Trend add(Trend a, Trend b) {
  if (a == Trend::Same || a == b)
    return b;
  return b == Trend::Same ? a : Trend::Unknown;
}

Trend negate(Trend trend) {
  return trend == Trend::Grows ? Trend::Falls : trend == Trend::Falls ? Trend::Grows : trend;
}

/// Trends of values along one axis. What is computed is taken not to overflow: a wrong trend costs time, not more.
class Trends {
public:
  explicit Trends(aa::GridAxis axis) : axis(axis) {}

  Trend find(Value value) {
    if (auto known = trends.find(value); known != trends.end())
      return known->second;
    trends[value] = Trend::Unknown; // where it depends on itself
    const Trend found = compute(value);
    return trends[value] = found;
  }

private:
  Trend compute(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return computeArgument(cast<BlockArgument>(value));
    auto both = [&](auto op) { return add(find(op.getLhs()), find(op.getRhs())); };
    return llvm::TypeSwitch<Operation *, Trend>(op)
        .Case([&](aa::GetProgramIdOp id) { return id.getAxis() == axis ? Trend::Grows : Trend::Same; })
        .Case([&](aa::AssumeOp assume) { return find(assume.getValue()); })
        .Case<arith::AddIOp, arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp, arith::MaxUIOp>(both)
        .Case([&](arith::SubIOp sub) { return add(find(sub.getLhs()), negate(find(sub.getRhs()))); })
        .Case<arith::MulIOp, arith::DivSIOp, arith::DivUIOp, arith::CeilDivSIOp, arith::CeilDivUIOp,
              arith::FloorDivSIOp>([&](auto op) { return scale(find(op.getLhs()), op.getRhs()); })
        .Case<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::IndexCastOp>(
            [&](auto op) { return find(op.getIn()); })
        .Default([&](Operation *) { return computeOther(op); });
  }

  /// By a factor or divisor of which the sign is known.
  Trend scale(Trend trend, Value by) {
    if (trend == Trend::Same)
      return find(by) == Trend::Same ? Trend::Same : Trend::Unknown;
    APInt number;
    if (!matchPattern(by, m_ConstantInt(&number)))
      return Trend::Unknown;
    return number.isNegative() ? negate(trend) : trend;
  }

  Trend computeOther(Operation *op) {
    auto isSame = [&](Value operand) { return find(operand) == Trend::Same; };
    return op->getNumRegions() == 0 && llvm::all_of(op->getOperands(), isSame) ? Trend::Same : Trend::Unknown;
  }

  Trend computeArgument(BlockArgument argument) {
    if (isa<FunctionOpInterface>(argument.getOwner()->getParentOp()))
      return Trend::Same;
    // Of all iterations together, as many are before the middle as behind it.
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && argument == loop.getInductionVar() ? add(find(loop.getLowerBound()), find(loop.getUpperBound()))
                                                      : Trend::Unknown;
  }

  aa::GridAxis axis;
  llvm::DenseMap<Value, Trend> trends;
};

struct TileAALongestFirst : impl::TileAALongestFirstBase<TileAALongestFirst> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileAALongestFirst)
  using TileAALongestFirstBase::TileAALongestFirstBase;

  void runOnOperation() override {
    auto kernel = dyn_cast<aa::FuncOp>(getOperation().getOperation());
    if (!kernel || !kernel.isKernel() || kernel.isExternal() || mayWaitForOthers(kernel))
      return;
    for (aa::GridAxis axis : {aa::GridAxis::X, aa::GridAxis::Y, aa::GridAxis::Z})
      if (findTrend(kernel, axis) == Trend::Grows)
        reverse(kernel, axis);
  }

  /// Whoever waits for a tile block counts on its being launched before, as hardware does it in the grid's order.
  static bool mayWaitForOthers(aa::FuncOp kernel) {
    return kernel
        .walk([](Operation *op) {
          auto semantic = op->getAttrOfType<aa::MemSemanticAttr>("mem_semantic");
          const bool isOrdered = isa<aa::AtomicCASOp, aa::AtomicRMWOp, aa::TiledAtomicRMWOp>(op) ||
                                 (semantic && semantic.getValue() != aa::MemSemantic::Weak);
          return isOrdered ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// Of the iterations of all loops. Where one begins at the end of another, as the part of a block that a causal mask
  /// cuts, it is their sum that counts.
  static Trend findTrend(aa::FuncOp kernel, aa::GridAxis axis) {
    Trends trends(axis);
    Trend all = Trend::Same;
    llvm::MapVector<Value, int> bounds; // how often one is an end more than a beginning
    kernel.walk([&](scf::ForOp loop) {
      ++bounds[loop.getUpperBound()];
      --bounds[loop.getLowerBound()];
      if (trends.find(loop.getStep()) != Trend::Same)
        all = Trend::Unknown;
    });
    for (auto [bound, count] : bounds)
      if (count != 0)
        all = add(all, count > 0 ? trends.find(bound) : negate(trends.find(bound)));
    return all;
  }

  static void reverse(aa::FuncOp kernel, aa::GridAxis axis) {
    kernel.walk([&](aa::GetProgramIdOp id) {
      if (id.getAxis() == axis)
        id.setDescending(true);
    });
    remarkOn(kernel, Analysis::LongestFirst) << ("tile blocks are launched from the end of axis " +
                                                 stringifyGridAxis(axis) + ": their loops have more iterations there")
                                                    .str();
  }
};

} // namespace
} // namespace tileiras::cluster
