//===- Slicing.cpp - tileas-slicing ---------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "tileiras/Dialect/TileAS/TileAS.h"
#include "tileiras/Dialect/TripCount.h"
#include "tileiras/Work/WorkInterface.h"

using namespace mlir;

namespace tileiras::layout {
#define GEN_PASS_DEF_TILEASSLICING
#include "Passes.h.inc"

namespace {

constexpr llvm::StringLiteral kSliceCount = "sliceCount";

/// Made of constants and the induction variables of loops around.
bool isKnownBound(Value bound) {
  if (auto argument = dyn_cast<BlockArgument>(bound)) {
    auto around = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return around && argument == around.getInductionVar();
  }
  if (getConstantIntValue(bound))
    return true;
  Operation *op = bound.getDefiningOp();
  return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>(op) &&
         llvm::all_of(op->getOperands(), isKnownBound);
}

/// Where a value comes from that goes round no loop but those of scf.for.
bool isKnownInit(Value init) {
  auto argument = dyn_cast<BlockArgument>(init);
  return !argument || isa<scf::ForOp, FunctionOpInterface>(argument.getOwner()->getParentOp());
}

/// Operations that say what they cost are known to the compiler, those of plugins, too.
bool canClone(Operation *op) {
  const bool isKnown =
      isa<WorkOpInterface>(op) || op->hasTrait<OpTrait::ConstantLike>() || op->hasTrait<OpTrait::IsTerminator>();
  return isKnown && !isa<CallOpInterface>(op);
}

struct TileASSlicing : impl::TileASSlicingBase<TileASSlicing> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileASSlicing)

  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation()->walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
      if (!loop->hasAttr(kSliceCount))
        return WalkResult::advance();
      loops.push_back(loop);
      return WalkResult::skip();
    });
    for (scf::ForOp loop : loops) {
      FailureOr<int64_t> count = readCount(loop);
      if (failed(count) || failed(checkBody(loop)) || failed(checkValues(loop)))
        return signalPassFailure();
      split(loop, *count);
    }
  }

  FailureOr<int64_t> readCount(scf::ForOp loop) {
    auto count = loop->getAttrOfType<IntegerAttr>(kSliceCount);
    const Type type = loop.getInductionVar().getType();
    const unsigned bits = isa<IndexType>(type) ? 32 : std::min(32u, type.getIntOrFloatBitWidth());
    const std::optional<APInt> trips = loop.getStaticTripCount();
    if (count && count.getValue().isStrictlyPositive() && count.getValue().isIntN(bits - 1) &&
        (!trips || trips->getLimitedValue() >= count.getValue().getLimitedValue()))
      return int64_t(count.getValue().getLimitedValue());
    InFlightDiagnostic error = loop.emitOpError("The `sliceCount` need to be a `IntegerAttr`");
    error.attachNote() << "positive, and at most the number of iterations";
    return error;
  }

  LogicalResult checkBody(scf::ForOp loop) {
    auto fail = [&](const Twine &text, Operation *op) {
      loop.emitOpError(text).attachNote(op->getLoc()) << "it is '" << op->getName() << "'";
      return WalkResult::interrupt();
    };
    return failure(loop.getBody()
                       ->walk([&](Operation *op) {
                         if (!canClone(op))
                           return fail("unsupported op in Slicing pass", op);
                         if (op->hasAttr(kSliceCount))
                           return fail("is not expected inside sliced part in SlicingPass\n", op);
                         if (auto copy = dyn_cast<as::CopyOp>(op); copy && copy.getAtom().getName().empty())
                           return fail("unsupported atom of copyOp in slicing pass", op);
                         return WalkResult::advance();
                       })
                       .wasInterrupted());
  }

  LogicalResult checkValues(scf::ForOp loop) {
    if (!isKnownBound(loop.getLowerBound()))
      return loop.emitOpError("unsupported op to be a lower bound in slicing pass ");
    if (!llvm::all_of(loop.getInitArgs(), isKnownInit))
      return loop.emitOpError("fail to get an initial forOperand in slicing pass");
    return success();
  }

  /// Each slice starts with what the one before it has ended with.
  void split(scf::ForOp loop, int64_t count) {
    OpBuilder builder(loop);
    const Location location = loop.getLoc();
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(builder, location,
                                       builder.getIntegerAttr(loop.getInductionVar().getType(), value));
    };
    Value trips = createTripCount(builder, loop);
    // Rounded up, without a sum that might wrap.
    Value whole = builder.createOrFold<arith::DivUIOp>(location, trips, constant(count));
    Value rest = builder.createOrFold<arith::RemUIOp>(location, trips, constant(count));
    Value lower = loop.getLowerBound();
    Value done = constant(0);
    SmallVector<Value> carried(loop.getInitArgs());
    for (int64_t i = 0; i < count; ++i) {
      // The first `rest` slices have one iteration more.
      Value hasMore = builder.createOrFold<arith::CmpIOp>(location, arith::CmpIPredicate::ult, constant(i), rest);
      Value more = builder.createOrFold<arith::SelectOp>(location, hasMore, constant(1), constant(0));
      Value length = builder.createOrFold<arith::AddIOp>(location, whole, more);
      done = builder.createOrFold<arith::AddIOp>(location, done, length);
      Value isLast = builder.createOrFold<arith::CmpIOp>(location, arith::CmpIPredicate::eq, done, trips);
      Value distance = builder.createOrFold<arith::MulIOp>(location, done, loop.getStep());
      Value next = builder.createOrFold<arith::AddIOp>(location, loop.getLowerBound(), distance);
      Value upper = builder.createOrFold<arith::SelectOp>(location, isLast, loop.getUpperBound(), next);
      auto slice = cast<scf::ForOp>(builder.clone(*loop));
      slice->removeAttr(kSliceCount);
      slice.setLowerBound(lower);
      slice.setUpperBound(upper);
      slice.getInitArgsMutable().assign(carried);
      carried.assign(slice->result_begin(), slice->result_end());
      lower = upper;
    }
    loop->replaceAllUsesWith(carried);
    loop.erase();
  }
};

} // namespace
} // namespace tileiras::layout
