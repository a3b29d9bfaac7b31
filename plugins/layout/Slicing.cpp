//===- Slicing.cpp - tileas-slicing ---------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "Remarks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "tileiras/Dialect/TileAS/TileAS.h"
#include "tileiras/Dialect/TripCount.h"
#include "tileiras/Work/WorkInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tileiras::layout {
#define GEN_PASS_DEF_TILEASSLICING
#include "Passes.h.inc"

namespace {

constexpr llvm::StringLiteral kSliceCount = "sliceCount";

/// More slices than anybody treats differently; each is a copy of the loop.
constexpr uint64_t kMostSlices = 1024;

bool isInductionVariable(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto around = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : nullptr;
  return around && argument == around.getInductionVar();
}

/// Made of constants and the induction variables of loops around.
bool isKnownBound(Value bound) {
  llvm::SetVector<Value> made;
  made.insert(bound);
  for (unsigned i = 0; i < made.size(); ++i) {
    if (getConstantIntValue(made[i]) || isInductionVariable(made[i]))
      continue;
    Operation *op = made[i].getDefiningOp();
    if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::IndexCastOp, arith::ExtSIOp,
                         arith::TruncIOp>(op))
      return false;
    made.insert_range(op->getOperands());
  }
  return true;
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

/// Why a loop cannot be sliced, and the operation that it is about.
struct Obstacle {
  StringRef text;
  Operation *op = nullptr;
};

std::optional<Obstacle> findObstacleInBody(scf::ForOp loop) {
  std::optional<Obstacle> found;
  loop.getBody()->walk([&](Operation *op) {
    if (!canClone(op))
      found = {"unsupported op in Slicing pass", op};
    else if (op->hasAttr(kSliceCount))
      found = {"is not expected inside sliced part in SlicingPass\n", op};
    else if (auto copy = dyn_cast<as::CopyOp>(op); copy && copy.getAtom().getName().empty())
      found = {"unsupported atom of copyOp in slicing pass", op};
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

std::optional<Obstacle> findObstacle(scf::ForOp loop) {
  if (std::optional<Obstacle> inBody = findObstacleInBody(loop))
    return inBody;
  if (!isKnownBound(loop.getLowerBound()))
    return Obstacle{"unsupported op to be a lower bound in slicing pass "};
  if (!llvm::all_of(loop.getInitArgs(), isKnownInit))
    return Obstacle{"fail to get an initial forOperand in slicing pass"};
  return std::nullopt;
}

struct TileASSlicing : impl::TileASSlicingBase<TileASSlicing> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileASSlicing)
  using TileASSlicingBase::TileASSlicingBase;

  void runOnOperation() override {
    SmallVector<scf::ForOp> named, outermost;
    WalkResult walk = getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      auto loop = dyn_cast<scf::ForOp>(op);
      if (op->hasAttr(kSliceCount) && !loop)
        return refuseOther(op);
      if (!loop)
        return WalkResult::advance();
      if (op->hasAttr(kSliceCount))
        named.push_back(loop);
      else if (!loop->getParentOfType<scf::ForOp>())
        outermost.push_back(loop);
      return op->hasAttr(kSliceCount) ? WalkResult::skip() : WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return signalPassFailure();
    for (scf::ForOp loop : named)
      if (failed(splitNamed(loop)))
        return signalPassFailure();
    if (sliceCount > 1)
      for (scf::ForOp loop : outermost)
        splitAsked(loop);
  }

  static WalkResult refuseOther(Operation *op) {
    op->emitOpError("unsupported op in Slicing pass").attachNote()
        << "'" << kSliceCount << "' belongs to 'scf.for', whose iterations can be counted";
    return WalkResult::interrupt();
  }

  /// Loops of the program that say how many slices they want.
  LogicalResult splitNamed(scf::ForOp loop) {
    const FailureOr<int64_t> count = readCount(loop);
    if (failed(count))
      return failure();
    if (std::optional<Obstacle> obstacle = findObstacle(loop)) {
      InFlightDiagnostic error = loop.emitOpError(obstacle->text);
      if (obstacle->op)
        error.attachNote(obstacle->op->getLoc()) << "it is '" << obstacle->op->getName() << "'";
      return error;
    }
    split(loop, *count);
    return success();
  }

  /// Others, where the compilation asks for slices.
  void splitAsked(scf::ForOp loop) {
    if (loop->walk([](scf::ForOp inner) { return WalkResult(failure(inner->hasAttr(kSliceCount))); }).wasInterrupted())
      return;
    std::optional<Obstacle> obstacle = findObstacle(loop);
    if (!obstacle && !fits(loop, sliceCount))
      obstacle = {"it has fewer iterations"};
    if (!obstacle)
      return split(loop, sliceCount);
    std::string reason = ("loop is not sliced: " + obstacle->text.trim()).str();
    if (obstacle->op)
      reason += (": " + obstacle->op->getName().getStringRef()).str();
    remarkOn(loop, Missed::SlicedLoop) << reason;
  }

  /// The loop has iterations for so many slices, as far as that is known.
  static bool fits(scf::ForOp loop, int64_t count) {
    const Type type = loop.getInductionVar().getType();
    const unsigned bits = isa<IndexType>(type) ? 32 : std::min(32u, type.getIntOrFloatBitWidth());
    const std::optional<APInt> trips = loop.getStaticTripCount();
    return llvm::isIntN(bits - 1, count) && (!trips || trips->getLimitedValue() >= uint64_t(count));
  }

  FailureOr<int64_t> readCount(scf::ForOp loop) {
    auto count = loop->getAttrOfType<IntegerAttr>(kSliceCount);
    if (count && count.getValue().isStrictlyPositive() && count.getValue().getLimitedValue() <= kMostSlices &&
        fits(loop, count.getValue().getLimitedValue()))
      return int64_t(count.getValue().getLimitedValue());
    InFlightDiagnostic error = loop.emitOpError("The `sliceCount` need to be a `IntegerAttr`");
    error.attachNote() << "positive, at most the number of iterations, and at most " << kMostSlices;
    return error;
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
