//===- LowerTmaLoadStoreToAsync.cpp - Copies by tensor maps ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "Remarks.h"
#include "TmaMaps.h"
#include "TmaStores.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Dialect/TileAA/Clusters.h"
#include "tileiras/Dialect/TileAA/ModuleTarget.h"
#include "tileiras/Dialect/TileAS/AsyncCopies.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Lowering/ExecutionScope.h"

namespace tileiras::async {
#define GEN_PASS_DEF_LOWERTMALOADSTORETOASYNC
#include "Passes.h.inc"

using namespace mlir;

namespace {

/// One tile that a producer loads to registers, perhaps rounds, and copies to its stage.
struct StagedLoad {
  as::CreatePipelineOp pipeline;
  as::TiledLoadOp load;
  as::CopyOp copy;
  TmaAccess access;
};

/// Makes the box so small that each of `numCtas` copies as many boxes of a tile of `shape` as the others. Boxes begin
/// where a swizzle does. Returns false where that leaves nothing to share.
bool shareBoxes(TmaAccess &access, ArrayRef<int64_t> shape, unsigned numCtas) {
  as::TmaDescType desc = access.descriptor;
  SmallVector<int64_t> box(desc.getBox());
  const int64_t unit = TensorCopyLimits::getBoxAlignment(desc.getSwizzle());
  const int64_t elementBytes = as::getSharedBits(desc.getElementType()) / 8;
  auto isTooLarge = [&] { return llvm::product_of(shape) / llvm::product_of(box) < numCtas; };
  for (int64_t &extent : MutableArrayRef(box).drop_back())
    while (isTooLarge() && extent % 2 == 0 && llvm::product_of(box) / 2 * elementBytes % unit == 0)
      extent /= 2;
  if (isTooLarge())
    return false;
  access.descriptor = desc.withBox(box);
  return true;
}

/// What loads `tile` as it is in memory, or as the engine converts it; null where there is more to it.
as::TiledLoadOp findLoad(Value tile) {
  if (auto conversion = tile.getDefiningOp<aa::FpToFpOp>(); conversion && as::canTensorCopyConvert(conversion))
    tile = conversion.getSource();
  return tile.getDefiningOp<as::TiledLoadOp>();
}

struct LowerTmaLoadStoreToAsync : impl::LowerTmaLoadStoreToAsyncBase<LowerTmaLoadStoreToAsync> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerTmaLoadStoreToAsync)
  using LowerTmaLoadStoreToAsyncBase::LowerTmaLoadStoreToAsyncBase;

  void runOnOperation() override {
    ChipTarget target = findModuleTarget(getOperation(), gpuName);
    if (!target)
      return remarkNoTarget();
    if (!target.chip->features.tma)
      return;
    const TensorCopyRule rule(target);
    TmaMaps maps;
    SmallVector<StagedLoad> loads;
    getOperation()->walk(
        [&](as::CreatePipelineOp pipeline) { llvm::append_range(loads, collectLoads(*target.chip, rule, pipeline)); });
    auto kernel = dyn_cast<aa::FuncOp>(getOperation().getOperation());
    if (!loads.empty() && !(kernel && kernel.isKernel())) {
      getOperation()->emitError("LowerTMALoadStoreToAsync: missing or invalid KernelSpecAttr on function: tensor maps "
                                "are built where a launch begins");
      return signalPassFailure();
    }
    for (StagedLoad &staged : loads)
      startCopy(*target.chip, staged, maps);
    if (!loads.empty() || (preferTma && kernel && kernel.isKernel()))
      lowerTmaStores(getOperation(), target, maps, preferTma);
    else
      remarkStoresByThreads(getOperation(), target,
                            "it loads no tiles, and a tensor map for results alone does not pay");
  }

  /// A GPU without TMA misses nothing by that.
  void remarkNoTarget() {
    getOperation()->walk([&](as::CreatePipelineOp pipeline) {
      remarkOn(pipeline, Missed::TensorCopy) << "tiles are copied by the threads: no GPU is named";
    });
  }

  /// Rows that are gathered are copied as they are in memory.
  static std::optional<TmaAccess> findAccess(const ChipInfo &chip, const TensorCopyRule &rule, as::TiledLoadOp load,
                                             as::CopyOp copy, std::string &reason) {
    if (load.getView().getType().getSparseDim() < 0)
      return findTmaAccess(rule, load, copy.getDestination(), reason);
    if (!chip.features.gather4)
      reason = "it gathers, and " + chip.name + " has no TMA instruction for that";
    else if (copy.getSource() != load.getResult())
      reason = "it gathers, and what it reads is rounded";
    return reason.empty() ? findRowAccess(rule, load, copy.getDestination().getType(), reason) : std::nullopt;
  }

  /// What fills the pipeline and is for the copy engine; threads store the rest into the same stages.
  SmallVector<StagedLoad> collectLoads(const ChipInfo &chip, const TensorCopyRule &rule,
                                       as::CreatePipelineOp pipeline) {
    SmallVector<StagedLoad> loads;
    for (Operation *user : pipeline->getUsers()) {
      auto produce = dyn_cast<as::ProduceOneOp>(user);
      if (!produce)
        continue;
      for (auto copy : produce.getBody().front().getOps<as::CopyOp>()) {
        if (!copy.getDestination())
          continue;
        as::TiledLoadOp load = findLoad(copy.getSource());
        const bool isWhole = load && load->getBlock() == copy->getBlock();
        std::string reason = isWhole ? "" : "it is not what one load reads through a view";
        std::optional<TmaAccess> access = isWhole ? findAccess(chip, rule, load, copy, reason) : std::nullopt;
        if (access)
          loads.push_back({pipeline, load, copy, std::move(*access)});
        else
          remarkOn(load ? load.getOperation() : copy, Missed::TensorCopy)
              << "this tile is copied by the threads, not by TMA: " + reason;
      }
    }
    return loads;
  }

  /// The CTAs that have the same tile copy a share of it each, to all. Returns them: bits of their ranks.
  static uint32_t shareCopy(const ChipInfo &chip, StagedLoad &staged) {
    const uint32_t sharedCtas = aa::getSharedCtas(staged.load);
    if (sharedCtas == 0)
      return 0;
    const unsigned numCtas = aa::getNumSharingCtas(sharedCtas);
    auto refuse = [&](const Twine &reason) -> uint32_t {
      remarkOn(staged.load, Missed::Multicast)
          << ("each of " + Twine(numCtas) + " CTAs copies all of this tile: " + reason).str();
      return 0;
    };
    if (!chip.features.multicast)
      return refuse(chip.name + " has no multicast");
    if (staged.access.memref.getDefiningOp()->getParentOfType<LoopLikeOpInterface>())
      return refuse("its array changes while others may be at it");
    if (!shareBoxes(staged.access, cast<RankedTensorType>(staged.load.getResult().getType()).getShape(), numCtas))
      return refuse("it is too small for shares");
    remarkOn(staged.load, Analysis::Multicast)
        << ("each of " + Twine(numCtas) + " CTAs copies a share of this tile to all of them").str();
    staged.pipeline.setSharedCtas(staged.pipeline.getSharedCtas() | sharedCtas);
    return sharedCtas;
  }

  void startCopy(const ChipInfo &chip, StagedLoad &staged, TmaMaps &maps) {
    if (staged.load.getView().getType().getSparseDim() >= 0)
      startGather(staged, maps);
    else
      startTile(chip, staged, maps);
    Operation *copied = staged.copy.getSource().getDefiningOp();
    staged.copy.erase();
    if (copied != staged.load && copied->use_empty())
      copied->erase();
    if (staged.load->use_empty())
      staged.load.erase();
  }

  /// The indices are brought to the lanes that copy where they become known: before the loop, where they are the same
  /// in all iterations.
  void startGather(StagedLoad &staged, TmaMaps &maps) {
    const TmaAccess &access = staged.access;
    const Location location = staged.load.getLoc();
    Value rows = staged.load.getCoords()[access.tileDims.front()];
    OpBuilder builder(staged.copy);
    Value map = maps.getOrCreate(access, as::kTmaLoad);
    Value column = emitTmaColumn(builder, location, access, staged.load.getView().getType(), staged.load.getCoords());
    Value slot = permuteSlot(builder, location, staged.copy.getDestination(), access.tileDims);
    OpBuilder before(builder);
    before.setInsertionPointAfterValue(rows);
    Value held = emitTmaRows(before, location, rows, getExecutionScope(staged.load).numWarps);
    as::AsyncGatherTmaLoadOp::create(builder, location, builder.getType<as::AsyncTokenType>(), map, held, column, slot,
                                     /*barrier=*/Value(), /*padding_value=*/aa::PaddingValueAttr(), /*cta_pair=*/false,
                                     as::AtomAttr::get(builder.getContext(), as::kTmaLoad));
    remarkOn(staged.load, Analysis::TensorCopy) << "TMA gathers the rows of this tile";
  }

  void startTile(const ChipInfo &chip, StagedLoad &staged, TmaMaps &maps) {
    OpBuilder builder(staged.copy);
    const uint32_t sharedCtas = shareCopy(chip, staged);
    const TmaAccess &access = staged.access;
    Location location = staged.load.getLoc();
    Value map = maps.getOrCreate(access, as::kTmaLoad);
    SmallVector<Value> coordinates =
        emitTmaCoordinates(builder, location, access, staged.load.getView().getType(), staged.load.getCoords());
    Value slot = permuteSlot(builder, location, staged.copy.getDestination(), access.tileDims);
    auto copy = as::AsyncTiledTmaLoadOp::create(
        builder, location, builder.getType<as::AsyncTokenType>(), map, coordinates, slot, /*barrier=*/Value(),
        access.oobMode.value_or(aa::PaddingValueAttr()), /*multicast=*/sharedCtas != 0,
        sharedCtas != 0 ? builder.getI32IntegerAttr(aa::getNumSharingCtas(sharedCtas)) : IntegerAttr(),
        /*cta_pair=*/false, as::AtomAttr::get(builder.getContext(), as::kTmaLoad));
    if (sharedCtas != 0)
      aa::setSharedCtas(copy, sharedCtas);
  }
};

} // namespace
} // namespace tileiras::async
