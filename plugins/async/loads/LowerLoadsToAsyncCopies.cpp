//===- LowerLoadsToAsyncCopies.cpp - Copies that threads start ------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "Remarks.h"
#include "common/TokenOrder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tileiras/Dialect/TileAA/ModuleTarget.h"
#include "tileiras/Dialect/TileAS/AsyncCopies.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tileiras::async {
#define GEN_PASS_DEF_LOWERLOADSTOASYNCCOPIES
#include "Passes.h.inc"

using namespace mlir;

namespace {

/// Nothing is ordered behind the load or before it, and nobody else uses what it loads.
template <typename OpTy>
bool isOnlyCopied(OpTy load) {
  return load.getMemSemantic() == aa::MemSemantic::Weak && load.getResult().hasOneUse() &&
         (!load.getResultToken() || load.getResultToken().use_empty()) && !isBehindWrites(load.getToken());
}

/// All bits of all elements are.
bool isZero(Value tile) {
  auto constant = tile.getDefiningOp<arith::ConstantOp>();
  auto elements = constant ? dyn_cast<SplatElementsAttr>(constant.getValue()) : nullptr;
  if (!elements)
    return false;
  Attribute element = elements.getSplatValue<Attribute>();
  if (auto number = dyn_cast<FloatAttr>(element))
    return number.getValue().isPosZero();
  auto integer = dyn_cast<IntegerAttr>(element);
  return integer && integer.getValue().isZero();
}

/// Why threads cannot copy what `load` reads to `slot` without registers; empty if they can.
StringRef findObstacle(as::TiledLoadOp load, RankedTensorType slot) {
  if (!isOnlyCopied(load))
    return "it has an order with other accesses, or others read the tile, too";
  if (load.getPaddingValue().value_or(aa::PaddingValue::Zero) != aa::PaddingValue::Zero)
    return "what is outside of the array is filled with other values than zero";
  if (!as::planAsyncCopy(load.getView(), slot, load.getInBounds(), getExecutionScope(load).numWarps))
    return "4 bytes of neighbours in the array are not known to be neighbours in the stage";
  return "";
}

StringRef findObstacle(as::LoadOp load, RankedTensorType slot) {
  if (!isOnlyCopied(load))
    return "it has an order with other accesses, or others read the tile, too";
  if (load.getOther() && !isZero(load.getOther()))
    return "elements that the mask leaves out have other values than zero";
  if (!as::planAsyncCopy(cast<RankedTensorType>(load.getPointer().getType()), slot, load.getContiguity()))
    return "4 bytes of what the pointers point to are not known to be neighbours in memory and in the stage";
  return "";
}

/// Why `copy`, of a tile to a stage, cannot go past registers; empty if it can.
StringRef findObstacle(as::CopyOp copy) {
  RankedTensorType slot = copy.getDestination().getType();
  Operation *source = copy.getSource().getDefiningOp();
  if (!source || source->getBlock() != copy->getBlock())
    return "it is not what one load reads";
  return llvm::TypeSwitch<Operation *, StringRef>(source)
      .Case<as::TiledLoadOp, as::LoadOp>([&](auto load) { return findObstacle(load, slot); })
      .Default([](Operation *) { return "it is converted on the way"; });
}

void startCopy(as::CopyOp copy) {
  OpBuilder builder(copy);
  Operation *source = copy.getSource().getDefiningOp();
  auto token = builder.getType<as::AsyncTokenType>();
  if (auto load = dyn_cast<as::TiledLoadOp>(source))
    as::AsyncTiledLoadOp::create(builder, load.getLoc(), token, load.getView(), load.getCoords(), copy.getDestination(),
                                 /*predicate=*/Value(), load.getInBoundsAttr(), load.getPaddingValueAttr(),
                                 as::AtomAttr::get(builder.getContext(), as::kAsyncCopyAtom));
  else if (auto load = dyn_cast<as::LoadOp>(source))
    as::AsyncLoadOp::create(builder, load.getLoc(), token, load.getPointer(), load.getMask(), copy.getDestination(),
                            /*predicate=*/Value(), load.getContiguityAttr(),
                            as::AtomAttr::get(builder.getContext(), as::kAsyncCopyAtom));
  copy.erase();
  source->erase();
}

struct LowerLoadsToAsyncCopies : impl::LowerLoadsToAsyncCopiesBase<LowerLoadsToAsyncCopies> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerLoadsToAsyncCopies)
  using LowerLoadsToAsyncCopiesBase::LowerLoadsToAsyncCopiesBase;

  void runOnOperation() override {
    ChipTarget target = findModuleTarget(getOperation(), gpuName);
    if (!target || !target.chip->features.cpAsync)
      return;
    const bool mayMix = target.chip->features.fillsByGroups();
    getOperation()->walk([&](as::CreatePipelineOp pipeline) {
      for (as::CopyOp copy : collectCopies(pipeline, mayMix))
        startCopy(copy);
    });
  }

  /// What threads copy to stages of the pipeline. None where something of it has to go through registers, unless the
  /// pipeline may mix both: barriers that count arrivals wait for one of the two.
  static SmallVector<as::CopyOp> collectCopies(as::CreatePipelineOp pipeline, bool mayMix) {
    SmallVector<as::CopyOp> copies;
    for (as::CopyOp copy : collectStores(pipeline)) {
      StringRef obstacle = findObstacle(copy);
      if (obstacle.empty()) {
        copies.push_back(copy);
        continue;
      }
      remarkOn(copy, Missed::AsyncCopy)
          << ("this tile goes through registers on its way to its stage: " + obstacle).str();
      if (!mayMix)
        return {};
    }
    return copies;
  }

  /// What producers store to stages.
  static SmallVector<as::CopyOp> collectStores(as::CreatePipelineOp pipeline) {
    SmallVector<as::CopyOp> stores;
    for (Operation *user : pipeline->getUsers())
      if (auto produce = dyn_cast<as::ProduceOneOp>(user))
        for (auto copy : produce.getBody().front().getOps<as::CopyOp>())
          if (copy.getDestination())
            stores.push_back(copy);
    return stores;
  }
};

} // namespace
} // namespace tileiras::async
