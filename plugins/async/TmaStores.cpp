//===- TmaStores.cpp - Stores by the copy engine --------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TmaStores.h"
#include "SharedBudget.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Layout/SharedLayouts.h"
#include "tileiras/Lowering/SharedArena.h"
#include "tileiras/Pipeline/Remarks.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tileiras::async {

/// Below, the way through shared memory and the wait for the engine cost more than they save.
constexpr int64_t kSmallestTmaStore = 4096;

//===----------------------------------------------------------------------===//
// Which stores
//===----------------------------------------------------------------------===//

/// The values that `value` is computed from or stands for, one step back.
static void collectTiles(Value value, llvm::SetVector<Value> &tiles) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (loop && argument != loop.getInductionVar())
      tiles.insert(loop.getTiedLoopYieldedValue(argument)->get());
    return;
  }
  const unsigned number = cast<OpResult>(value).getResultNumber();
  llvm::TypeSwitch<Operation *>(value.getDefiningOp())
      .Case([&](scf::ForOp loop) { tiles.insert(loop.getYieldedValues()[number]); })
      .Case([&](scf::IfOp branch) {
        tiles.insert(branch.thenYield().getOperand(number));
        tiles.insert(branch.elseYield().getOperand(number));
      })
      .Case([&](as::ConsumeOneOp consume) {
        Operation *yield = consume.getBody().front().getTerminator();
        if (number < yield->getNumOperands())
          tiles.insert(yield->getOperand(number));
      })
      .Default([&](Operation *op) {
        if (isPure(op))
          for (Value operand : op->getOperands())
            if (isa<RankedTensorType>(operand.getType()))
              tiles.insert(operand);
      });
}

/// Whether a product is among what `value` is computed from.
static bool isOfProduct(Value value) {
  llvm::SetVector<Value> tiles;
  tiles.insert(value);
  for (unsigned i = 0; i < tiles.size(); ++i) {
    if (tiles[i].getDefiningOp<as::DotOp>())
      return true;
    collectTiles(tiles[i], tiles);
  }
  return false;
}

/// A tile that is stored by way of `staging`, in which the engine finds it.
struct StagedStore {
  as::TiledStoreOp store;
  Value tile; ///< in the registers that the product leaves it in
  RankedTensorType staging;
  TmaAccess access;
};

/// Rows along the dimension whose elements are neighbours in the array, in the widest swizzle that they fill: threads
/// that hold rows of a product store without conflicts of banks.
static RankedTensorType getStagingType(as::TiledViewType view, RankedTensorType tile) {
  const unsigned rank = tile.getRank(), bits = as::getSharedBits(tile.getElementType());
  unsigned contiguous = rank - 1;
  for (unsigned dim = 0; dim < rank; ++dim)
    if (view.getSource().getStrides()[view.getDimMap()[dim]] == 1 && tile.getDimSize(dim) > 1)
      contiguous = dim;
  SmallVector<unsigned> order = {contiguous};
  for (unsigned dim = rank; dim-- > 0;)
    if (dim != contiguous)
      order.push_back(dim);
  SwizzleMode widest = SwizzleMode::None;
  for (SwizzleMode mode : {SwizzleMode::B32, SwizzleMode::B64, SwizzleMode::B128})
    if (tile.getDimSize(contiguous) * bits >= 8 * int64_t(getSwizzleRowBytes(mode)))
      widest = mode;
  llvm::Expected<as::SharedAttr> encoding =
      as::encodeShared(tile.getContext(), makeSwizzledLayout(tile.getShape(), order, bits, widest), bits);
  if (encoding)
    return tile.cloneWithEncoding(*encoding);
  llvm::consumeError(encoding.takeError());
  return {};
}

/// Other accesses, of threads, may neither be ordered before the engine's store nor behind it: it goes another way to
/// memory than they.
static bool checkOrder(as::TiledStoreOp store, std::string &reason) {
  if (store.getMemSemantic() != aa::MemSemantic::Weak ||
      (store.getResultToken() && !store.getResultToken().use_empty()))
    reason = "others are ordered behind the store";
  else if (store.getToken() && !store.getToken().getDefiningOp<as::CreateNoneOp>())
    reason = "it is ordered behind others";
  return reason.empty();
}

static std::optional<StagedStore> findStagedStore(as::TiledStoreOp store, std::string &reason) {
  auto convert = store.getValue().getDefiningOp<as::ConvertLayoutOp>();
  if (!convert && !isa<as::DotOperandAttr>(store.getValue().getType().getEncoding())) {
    reason = "between product and store its tile is rearranged in registers";
    return std::nullopt;
  }
  if (!checkTmaHint(store, reason) || !checkOrder(store, reason))
    return std::nullopt;
  as::TiledViewType view = store.getView().getType();
  StagedStore staged{
      store, convert ? convert.getSource() : store.getValue(), getStagingType(view, store.getValue().getType()), {}};
  if (!staged.staging) {
    reason = "no layout of shared memory that it knows holds the tile";
    return std::nullopt;
  }
  std::optional<TmaAccess> access = findTmaAccess(store.getView(), staged.staging, reason);
  if (!access)
    return std::nullopt;
  staged.access = std::move(*access);
  return staged;
}

//===----------------------------------------------------------------------===//
// Room
//===----------------------------------------------------------------------===//

namespace {

/// What is in shared memory, and when.
class SharedRoom {
public:
  SharedRoom(FunctionOpInterface function, const MachineModel &machine)
      : order(function.getFunctionBody()), budget(getSharedBudget(machine, getWantedBlocks(function))) {
    function->walk([&](Operation *op) {
      if (auto pipeline = dyn_cast<as::CreatePipelineOp>(op)) {
        as::PipelineType type = pipeline.getType();
        if (llvm::all_of(type.getPayload(), as::isSharedTensor))
          take(pipeline.getResult(), type.getStages() * getPipelineStageBytes(type));
      } else if (auto tile = dyn_cast<as::AllocTensorOp>(op); tile && as::isSharedTensor(tile.getType())) {
        take(tile.getResult(), as::getStageBytes(tile.getType()) * tile.getStages().value_or(1));
      }
    });
  }

  /// Whether tiles of `type` fit while `op` is executed.
  bool fits(RankedTensorType type, Operation *op, std::string &reason) const {
    int64_t taken = 0;
    for (auto [lifetime, bytes] : parts)
      if (lifetime.overlaps(order.getLifetime(op)))
        taken += bytes;
    const int64_t bytes = as::getStageBytes(type);
    if (taken + bytes <= budget)
      return true;
    reason = llvm::formatv("it takes {0} bytes of shared memory, and pipelines that are still in use leave {1}", bytes,
                           std::max<int64_t>(budget - taken, 0));
    return false;
  }

private:
  void take(Value memory, int64_t bytes) { parts.push_back({order.getLifetime(memory), bytes}); }

  ProgramOrder order;
  int64_t budget;
  SmallVector<std::pair<Lifetime, int64_t>> parts;
};

} // namespace

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

static void stage(StagedStore &staged, TmaMaps &maps) {
  as::TiledStoreOp store = staged.store;
  OpBuilder builder(store);
  const Location location = store.getLoc();
  Value map = maps.getOrCreate(staged.access, "tma_store");
  Value buffer = as::AllocTensorOp::create(builder, location, staged.staging, as::SlotAttr(), IntegerAttr());
  as::CopyOp::create(builder, location, Type(), staged.tile, buffer, "universal_copy");
  Value source = permuteSlot(builder, location, buffer, staged.access.tileDims);
  SmallVector<Value> coordinates =
      emitTmaCoordinates(builder, location, staged.access, store.getView().getType(), store.getCoords());
  Value token = as::AsyncTiledTmaStoreOp::create(builder, location, builder.getType<as::AsyncTokenType>(), map, source,
                                                 coordinates, aa::RmwModeAttr(), "tma_store");
  as::AsyncWaitOp::create(builder, location, token);
  auto convert = store.getValue().getDefiningOp<as::ConvertLayoutOp>();
  store.erase();
  if (convert && convert->use_empty())
    convert.erase();
}

void lowerTmaStores(FunctionOpInterface function, const ChipTarget &target, TmaMaps &maps) {
  SmallVector<as::TiledStoreOp> stores;
  function->walk([&](as::TiledStoreOp store) {
    RankedTensorType tile = store.getValue().getType();
    const int64_t bytes = tile.getNumElements() * as::getSharedBits(tile.getElementType()) / 8;
    if (bytes >= kSmallestTmaStore && isOfProduct(store.getValue()))
      stores.push_back(store);
  });
  if (stores.empty())
    return;
  const SharedRoom room(function, target.machine());
  for (as::TiledStoreOp store : stores) {
    std::string reason;
    std::optional<StagedStore> staged = findStagedStore(store, reason);
    if (staged && room.fits(staged->staging, store, reason)) {
      stage(*staged, maps);
      continue;
    }
    remarkMissed(store, "TensorCopy", "tma") << "this tile is stored by the threads, not by the copy engine: " + reason;
  }
}

} // namespace tileiras::async
