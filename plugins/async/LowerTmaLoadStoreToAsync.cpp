//===- LowerTmaLoadStoreToAsync.cpp - Copies by tensor maps ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "TmaEligibility.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Pipeline/Remarks.h"
#include "tileiras/Target/ModuleTarget.h"

namespace tileiras::async {
#define GEN_PASS_DEF_LOWERTMALOADSTORETOASYNC
#include "Passes.h.inc"

using namespace mlir;

namespace {

/// The maps of a function: copies that see an array in the same way share one.
class TensorMaps {
public:
  Value getOrCreate(const TmaAccess &access, StringRef atom) {
    auto [it, isNew] =
        maps.try_emplace({access.memref, ArrayAttr::get(access.memref.getContext(), describe(access, atom))}, Value());
    if (isNew)
      it->second = create(access, atom);
    return it->second;
  }

private:
  static SmallVector<Attribute> describe(const TmaAccess &access, StringRef atom) {
    Builder builder(access.memref.getContext());
    SmallVector<Attribute> parts = {builder.getStringAttr(atom), TypeAttr::get(access.descriptor),
                                    builder.getDenseI32ArrayAttr(access.memRefDims)};
    if (access.oobMode)
      parts.push_back(*access.oobMode);
    return parts;
  }

  /// Where the kernel starts: no copy begins before all maps are there. What the array is made of moves there, too.
  static Value create(const TmaAccess &access, StringRef atom) {
    Value memref = access.memref;
    Block *entry = memref.getParentBlock();
    auto isStart = [](Operation &op) { return op.getNumRegions() != 0 || op.hasTrait<OpTrait::IsTerminator>(); };
    Operation *start = &*llvm::find_if(*entry, isStart);
    SetVector<Operation *> definition;
    (void)collectDefinition(memref, definition);
    for (Operation *op : definition)
      if (!op->isBeforeInBlock(start))
        op->moveBefore(start);
    OpBuilder builder(memref.getContext());
    builder.setInsertionPointAfterValue(memref);
    memref = permuteMemRef(builder, memref, access.memRefDims);
    return as::MakeTiledTmaDescOp::create(builder, memref.getLoc(), access.descriptor, memref, atom,
                                          access.oobMode.value_or(aa::PaddingValueAttr()), IntegerAttr());
  }

  llvm::DenseMap<std::pair<Value, Attribute>, Value> maps;
};

/// One tile that a producer loads to registers and copies to its stage.
struct StagedLoad {
  as::TiledLoadOp load;
  as::CopyOp copy;
  TmaAccess access;
};

struct LowerTmaLoadStoreToAsync : impl::LowerTmaLoadStoreToAsyncBase<LowerTmaLoadStoreToAsync> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerTmaLoadStoreToAsync)
  using LowerTmaLoadStoreToAsyncBase::LowerTmaLoadStoreToAsyncBase;

  void runOnOperation() override {
    ChipTarget target = findModuleTarget(getOperation(), gpuName);
    if (!target || !target.chip->features.tensorCopy) {
      remarkNoEngine(target);
      return;
    }
    TensorMaps maps;
    getOperation()->walk([&](as::CreatePipelineOp pipeline) {
      SmallVector<StagedLoad> loads;
      if (succeeded(collectLoads(pipeline, loads)))
        for (StagedLoad &staged : loads)
          startCopy(staged, maps);
    });
  }

  void remarkNoEngine(const ChipTarget &target) {
    getOperation()->walk([&](as::CreatePipelineOp pipeline) {
      remarkMissed(pipeline, "TensorCopy", "tma")
          << "tiles are copied by the threads: "
          << (target ? target.chip->name + " has no engine that copies tiles" : std::string("no GPU is named"));
    });
  }

  /// Everything that fills the pipeline. Fails where something of it is not for the copy engine: all of a stage comes
  /// from one family of instructions.
  LogicalResult collectLoads(as::CreatePipelineOp pipeline, SmallVectorImpl<StagedLoad> &loads) {
    for (Operation *user : pipeline->getUsers()) {
      auto produce = dyn_cast<as::ProduceOneOp>(user);
      if (!produce)
        continue;
      for (Operation &op : produce.getBody().front().without_terminator()) {
        auto copy = dyn_cast<as::CopyOp>(op);
        if (!copy || !copy.getDestination())
          continue;
        auto load = copy.getSource().getDefiningOp<as::TiledLoadOp>();
        std::string reason;
        std::optional<TmaAccess> access = load ? findTmaAccess(load, copy.getDestination(), reason) : std::nullopt;
        if (access && load->getBlock() == op.getBlock()) {
          loads.push_back({load, copy, std::move(*access)});
          continue;
        }
        remarkMissed(load ? load.getOperation() : copy, "TensorCopy", "tma")
            << ("this tile is copied by the threads, not by the copy engine: " +
                (reason.empty() ? "it is not what one load reads" : reason));
        return failure();
      }
    }
    return success(!loads.empty());
  }

  void startCopy(StagedLoad &staged, TensorMaps &maps) {
    OpBuilder builder(staged.copy);
    const TmaAccess &access = staged.access;
    Location location = staged.load.getLoc();
    Value map = maps.getOrCreate(access, "tma_load");
    SmallVector<Value> coordinates;
    for (unsigned dim : access.tileDims)
      coordinates.push_back(emitTmaCoordinate(builder, location, staged.load.getCoords()[dim],
                                              staged.load.getView().getType().getSteps()[dim]));
    Value slot = permuteSlot(builder, location, staged.copy.getDestination(), access.tileDims);
    as::AsyncTiledTmaLoadOp::create(builder, location, builder.getType<as::AsyncTokenType>(), map, coordinates, slot,
                                    /*barrier=*/Value(), access.oobMode.value_or(aa::PaddingValueAttr()),
                                    /*multicast=*/false, /*num_multicast=*/IntegerAttr(), "tma_load");
    staged.copy.erase();
    if (staged.load->use_empty())
      staged.load.erase();
  }
};

} // namespace
} // namespace tileiras::async
