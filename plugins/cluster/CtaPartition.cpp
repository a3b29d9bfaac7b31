//===- CtaPartition.cpp - From what a tile block does to what a CTA does ---===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CtaPartition.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "tileiras/Dialect/TileAA/Coordinates.h"
#include "llvm/ADT/TypeSwitch.h"
#include <map>
#include <numeric>

using namespace mlir;

namespace tileiras::cluster {

namespace {

RankedTensorType getPart(RankedTensorType tile, const aa::CtaLayout &layout) {
  return tile.clone(layout.getPartShape(tile.getShape()));
}

/// `to` only takes away copies of `from`: a CTA has all of its part already.
bool isLocal(const aa::CtaLayout &from, const aa::CtaLayout &to) {
  for (auto [bit, dims] : llvm::enumerate(llvm::zip_equal(from.getDims(), to.getDims()))) {
    auto [before, now] = dims;
    if (before == now)
      continue;
    // The parts of a dimension that is cut already lie in those only if they are numbered by lower bits.
    if (before != aa::CtaLayout::kCopies || llvm::is_contained(from.getDims().take_front(bit), now))
      return false;
  }
  return true;
}

class Partition {
public:
  Partition(aa::FuncOp func, const CtaPlan &plan) : func(func), plan(plan), entry(func.getBody()) {}

  void run() {
    for (Operation *op : collectOperations(func))
      rewrite(op);
  }

private:
  void rewrite(Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](aa::ClusterExchangeOp exchange) { rewriteExchange(exchange); })
        .Case([&](aa::MakeRangeOp range) { rewriteRange(range); })
        .Case([&](aa::AssumeOp assume) { rewriteAssume(assume); })
        .Case([&](aa::ReduceOp reduce) { rewriteReduce(reduce); })
        .Case<aa::TiledLoadOp, aa::TiledStoreOp, aa::TiledAtomicRMWOp>([&](auto access) {
          cutView(access);
          cutResults(access);
          shareAccess(access, access.getMemSemantic());
        })
        .Case<aa::LoadOp, aa::StoreOp, aa::AtomicRMWOp, aa::AtomicCASOp>([&](auto access) {
          cutResults(access);
          shareAccess(access, access.getMemSemantic());
        })
        .Case<aa::PrintOp, aa::AssertOp>([&](Operation *output) { share(output); })
        .Default([&](Operation *) { cutResults(op); });
  }

  /// Tiles that it makes, hands on or gives.
  void cutResults(Operation *op) {
    for (Value result : op->getResults())
      cut(result);
    for (Region &region : op->getRegions())
      for (BlockArgument argument : region.getArguments())
        cut(argument);
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      if (auto splat = dyn_cast<SplatElementsAttr>(constant.getValue()))
        constant.setValueAttr(splat.resizeSplat(cast<ShapedType>(op->getResult(0).getType())));
  }
  void cut(Value tile) {
    if (RankedTensorType type = getTile(tile))
      tile.setType(getPart(type, plan.getLayout(tile)));
  }

  //===--------------------------------------------------------------------===//
  // Ranks
  //===--------------------------------------------------------------------===//

  /// An i32: which part of a dimension that `bits` cut this CTA has.
  Value emitPartNumber(ArrayRef<unsigned> bits) {
    const Location location = func.getLoc();
    if (!rank) {
      entry.setInsertionPointToStart(&func.getBody().front());
      rank = aa::GetCtaRankOp::create(entry, location);
    }
    Value &known = partNumbers[SmallVector<unsigned>(bits)];
    if (known)
      return known;
    entry.setInsertionPointAfterValue(rank);
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIntOp::create(entry, location, entry.getI32Type(), value);
    };
    for (auto [position, bit] : llvm::enumerate(bits)) {
      Value shifted = entry.createOrFold<arith::ShRUIOp>(location, rank, constant(bit));
      Value isSet = entry.createOrFold<arith::AndIOp>(location, shifted, constant(1));
      Value placed = entry.createOrFold<arith::ShLIOp>(location, isSet, constant(position));
      known = known ? Value(arith::OrIOp::create(entry, location, known, placed)) : placed;
    }
    return known;
  }

  //===--------------------------------------------------------------------===//
  // Operations
  //===--------------------------------------------------------------------===//

  void rewriteExchange(aa::ClusterExchangeOp op) {
    const aa::CtaLayout from(op.getFrom()), to(op.getTo());
    cutResults(op);
    if (!isLocal(from, to))
      return;
    OpBuilder builder(op);
    SmallVector<Value> indices;
    for (int64_t dim = 0; dim < getTile(op.getResult()).getRank(); ++dim) {
      SmallVector<unsigned> bits = to.getBits(dim);
      llvm::erase_if(bits, [&](unsigned bit) { return from.getDims()[bit] == dim; });
      indices.push_back(bits.empty()
                            ? Value(arith::ConstantIntOp::create(builder, op.getLoc(), builder.getI32Type(), 0))
                            : emitPartNumber(bits));
    }
    op.replaceAllUsesWith(
        Value(aa::ExtractSliceOp::create(builder, op.getLoc(), op.getResult().getType(), op.getSource(), indices)));
    op.erase();
  }

  void rewriteRange(aa::MakeRangeOp op) {
    const SmallVector<unsigned> bits = plan.getLayout(op.getResult()).getBits(0);
    cutResults(op);
    if (bits.empty())
      return;
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    const Location location = op.getLoc();
    RankedTensorType type = getTile(op.getResult());
    Value extent = arith::ConstantIntOp::create(builder, location, builder.getI32Type(), type.getDimSize(0));
    Value first = arith::MulIOp::create(builder, location, emitPartNumber(bits), extent);
    const unsigned width = type.getElementType().getIntOrFloatBitWidth();
    if (width > 32)
      first = arith::ExtUIOp::create(builder, location, type.getElementType(), first);
    else if (width < 32)
      first = arith::TruncIOp::create(builder, location, type.getElementType(), first);
    Value firsts = aa::SplatOp::create(builder, location, type, first);
    auto sum = arith::AddIOp::create(builder, location, op.getResult(), firsts);
    op.getResult().replaceAllUsesExcept(sum, sum);
  }

  /// What is said of groups of elements is said of those that lie in one part.
  void rewriteAssume(aa::AssumeOp op) {
    cutResults(op);
    RankedTensorType type = getTile(op.getResult());
    if (auto same = dyn_cast<aa::SameElementsAttr>(op.getPredicate()); same && type) {
      SmallVector<int64_t> extents;
      for (auto [group, extent] : llvm::zip_equal(same.getValues(), type.getShape()))
        extents.push_back(std::gcd(group, extent));
      op.setPredicateAttr(aa::SameElementsAttr::get(op.getContext(), extents));
    }
    auto divides = dyn_cast<aa::DivByAttr>(op.getPredicate());
    if (!divides || !divides.getAlong() || !type || type.getDimSize(*divides.getAlong()) % *divides.getEvery() == 0)
      return;
    op.getResult().replaceAllUsesWith(op.getValue());
    op.erase();
  }

  /// Each CTA combines what it has; then all of them do the same with what they have found, in the order of the parts.
  void rewriteReduce(aa::ReduceOp op) {
    const aa::CtaLayout own = plan.getOwn(op);
    const SmallVector<unsigned> bits = own.getBits(op.getAxis());
    cutResults(op);
    if (bits.empty())
      return;
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    const Location location = op.getLoc();
    SmallVector<Value> all;
    llvm::SmallPtrSet<Operation *, 4> expansions;
    for (OpResult result : op->getResults()) {
      SmallVector<int32_t> from, to;
      for (int32_t dim : own.getDims()) {
        const bool isAxis = dim == int32_t(op.getAxis());
        const int32_t behind = dim == aa::CtaLayout::kCopies ? dim : dim < int32_t(op.getAxis()) ? dim + 1 : dim;
        from.push_back(isAxis ? 0 : behind);
        to.push_back(isAxis ? aa::CtaLayout::kCopies : behind);
      }
      RankedTensorType tile = getTile(result);
      SmallVector<int64_t> shape = {1};
      if (tile)
        llvm::append_range(shape, tile.getShape());
      auto one = RankedTensorType::get(shape, getElementTypeOrSelf(result.getType()));
      Value expanded = tile ? Value(aa::ExpandDimsOp::create(builder, location, one, result, 0))
                            : Value(aa::SplatOp::create(builder, location, one, result));
      expansions.insert(expanded.getDefiningOp());
      shape[0] = own.getNumParts(op.getAxis());
      all.push_back(
          aa::ClusterExchangeOp::create(builder, location, one.clone(shape), expanded, from, to, /*first=*/false));
    }
    auto whole = aa::ReduceOp::create(builder, location, op->getResultTypes(), all, 0, op.getIdentities());
    IRMapping mapping;
    whole.getBody().getBlocks().clear();
    op.getBody().cloneInto(&whole.getBody(), mapping);
    for (auto [part, result] : llvm::zip_equal(op->getResults(), whole->getResults()))
      part.replaceAllUsesExcept(result, expansions);
  }

  /// A view of parts, and the coordinates of this CTA's.
  template <typename OpTy>
  void cutView(OpTy op) {
    const aa::CtaLayout own = plan.getOwn(op);
    if (!own.isSplit())
      return;
    auto tiles = op.getView().template getDefiningOp<aa::BlockTileOp>();
    const aa::TiledViewType view = op.getView().getType();
    const SmallVector<int64_t> shape = own.getPartShape(view.getTileShape());
    SmallVector<int64_t> steps;
    OpBuilder builder(op);
    for (unsigned dim = 0; dim < view.getRank(); ++dim) {
      const int64_t step = view.getStep(dim), newStep = std::gcd(step, shape[dim]);
      steps.push_back(newStep);
      if (own.getNumParts(dim) > 1 && !view.isSparseAxis(dim))
        op.getCoordinatesMutable()[dim].set(emitCoordinate(builder, op.getLoc(), op.getCoordinates()[dim], step,
                                                           newStep, own.getBits(dim), shape[dim] / newStep));
      else
        steps.back() = step;
    }
    aa::ViewKind kind = view.getKind();
    if (kind == aa::ViewKind::Partition && steps != shape)
      kind = aa::ViewKind::Strided;
    auto part = aa::TiledViewType::get(view.getContext(), shape, view.getSource(), kind, view.getDimMap(),
                                       kind == aa::ViewKind::Strided ? ArrayRef<int64_t>(steps) : ArrayRef<int64_t>(),
                                       view.getSparseDim(), view.getPadding());
    builder.setInsertionPointAfter(tiles);
    op.getViewMutable().set(aa::BlockTileOp::create(builder, tiles.getLoc(), part, tiles.getSource()));
  }

  /// In units of `newStep` elements: coordinate · step / newStep + number of the part · `partSteps`. In 64 bits: what
  /// is outside of every array stays there.
  Value emitCoordinate(OpBuilder &builder, Location location, Value coordinate, int64_t step, int64_t newStep,
                       ArrayRef<unsigned> bits, int64_t partSteps) {
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIntOp::create(builder, location, builder.getI64Type(), value);
    };
    Value wide = aa::widenCoordinate(builder, location, coordinate, step);
    Value first = builder.createOrFold<arith::MulIOp>(location, wide, constant(step / newStep));
    Value number = arith::ExtUIOp::create(builder, location, builder.getI64Type(), emitPartNumber(bits));
    Value offset = builder.createOrFold<arith::MulIOp>(location, number, constant(partSteps));
    return arith::AddIOp::create(builder, location, first, offset);
  }

  //===--------------------------------------------------------------------===//
  // What is done once
  //===--------------------------------------------------------------------===//

  void share(Operation *op) {
    if (uint32_t mask = plan.getOwn(op).getCopyMask())
      aa::setSharedCtas(op, mask);
  }

  /// What others may be writing is read, and what is there before is found, by one CTA for all.
  void shareAccess(Operation *op, aa::MemSemantic semantic) {
    share(op);
    const bool isAtomic = isa<aa::AtomicRMWOp, aa::AtomicCASOp>(op);
    if (aa::getSharedCtas(op) == 0 || op->getNumResults() == 0 || (semantic == aa::MemSemantic::Weak && !isAtomic))
      return;
    Value found = op->getResult(0);
    if (isa<aa::MemTokenType>(found.getType()) || (isAtomic && found.use_empty()))
      return;
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    const aa::CtaLayout layout = getTile(found) ? plan.getLayout(found) : plan.getOwn(op);
    auto told = aa::ClusterExchangeOp::create(builder, op->getLoc(), found.getType(), found, layout.getDims(),
                                              layout.getDims(), /*first=*/true);
    found.replaceAllUsesExcept(told, told);
  }

  aa::FuncOp func;
  const CtaPlan &plan;
  OpBuilder entry;
  Value rank;
  std::map<SmallVector<unsigned>, Value> partNumbers;
};

} // namespace

void partition(aa::FuncOp func, const CtaPlan &plan) {
  Partition(func, plan).run();
}

} // namespace tileiras::cluster
