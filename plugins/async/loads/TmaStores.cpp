//===- TmaStores.cpp - Stores by the copy engine --------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TmaStores.h"
#include "Remarks.h"
#include "common/TokenOrder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAA/Clusters.h"
#include "tileiras/Dialect/TileAS/AsyncCopies.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Layout/SharedLayouts.h"
#include "tileiras/Layout/TensorCopyLimits.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "tileiras/Lowering/SharedBudget.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tileiras::async {

/// Parts in which a tile goes through memory, one after the other, rather than take memory of stages, and buffers for
/// them: with two, a part is computed while the engine reads the one before.
using WayThroughMemory = std::pair<int64_t, int64_t>;
constexpr WayThroughMemory kWhole = {1, 1}, kInParts = {as::kMostStoreParts, 2}, kInHalves = {2, 1},
                           kInQuarters = {as::kMostStoreParts, 1};

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

/// A tile that a view gets, or that is combined with what is there.
struct TileWrite {
  Operation *op;
  TypedValue<as::TiledViewType> view;
  TypedValue<RankedTensorType> value;
  ValueRange coords;
  ArrayRef<bool> inBounds;  ///< one flag for each dimension of the array
  Value token, resultToken; ///< null: none
  aa::RmwModeAttr mode;     ///< null: it replaces what is there
};

static std::optional<TileWrite> matchTileWrite(Operation *op) {
  auto match = [&](auto write, aa::RmwModeAttr mode) {
    return TileWrite{op,
                     write.getView(),
                     write.getValue(),
                     write.getCoords(),
                     write.getInBounds(),
                     write.getToken(),
                     write.getResultToken(),
                     mode};
  };
  return llvm::TypeSwitch<Operation *, std::optional<TileWrite>>(op)
      .Case([&](as::TiledStoreOp store) { return match(store, {}); })
      .Case([&](as::TiledAtomicRMWOp atomic) { return match(atomic, atomic.getRmwModeAttr()); })
      .Default(std::nullopt);
}

/// Why the engine does not do the same to memory as `write`; empty: it does. Each element of its reductions is relaxed,
/// for the whole device. PTX ISA, cp.reduce.async.bulk.tensor.
static std::string findDifference(const TileWrite &write) {
  auto atomic = dyn_cast<as::TiledAtomicRMWOp>(write.op);
  if (!atomic)
    return cast<as::TiledStoreOp>(write.op).getMemSemantic() == aa::MemSemantic::Weak ? "" : "it is no weak access";
  if (atomic.getResult() && !atomic.getResult().use_empty())
    return "the old elements are used";
  if (atomic.getMemSemantic() != aa::MemSemantic::Relaxed)
    return "it is ordered with accesses of other tile blocks";
  if (atomic.getMemScope() == aa::MemScope::System)
    return "it is atomic for the whole system, and TMA only for a device; scope device is enough for one kernel";
  Type element = write.value.getType().getElementType();
  const bool isInteger = element.isInteger(32);
  const bool isAdd = atomic.getRmwMode() == aa::RmwMode::Add;
  const bool isOther = llvm::is_contained(
      {aa::RmwMode::And, aa::RmwMode::Or, aa::RmwMode::Xor, aa::RmwMode::UMin, aa::RmwMode::UMax}, atomic.getRmwMode());
  if ((isAdd && (isInteger || element.isF32() || element.isF16() || element.isBF16())) || (isOther && isInteger))
    return "";
  return "TMA does not combine so: it adds f16, bf16, f32 and 32-bit integers, and has and, or, xor, and "
         "unsigned "
         "minimum and maximum of the latter";
}

/// A tile that is written by way of `staging`, in which the engine finds it, or one of its parts after the other.
struct StagedStore {
  TileWrite write;
  Value tile;               ///< in the registers that the product leaves it in
  RankedTensorType staging; ///< of a part
  TmaAccess access;
  /// What is in use as long as the staging memory: the outermost loop around the store, or the store.
  Operation *lifetime;
  int64_t buffers = 1;                     ///< of staging memory, which parts take alternately
  int64_t parts = 1;                       ///< along the dimension whose elements are neighbours in the array
  RankedTensorType part = {};              ///< in registers; null: the tile is the only one
  llvm::SetVector<Operation *> chain = {}; ///< that computes it, for each part anew; the last first
  bool isBehindStores = false;             ///< other ones of the engine, by its token
  bool isBehindAccesses = false;           ///< of threads, by its token
  bool isBeforeAccesses = false;           ///< of threads

  bool isInLoop() const { return lifetime != write.op; }
};
using StagedStores = std::vector<StagedStore>;

/// The dimension whose elements are neighbours in the array.
static unsigned findRowDim(as::TiledViewType view, RankedTensorType tile) {
  unsigned row = tile.getRank() - 1;
  for (unsigned dim = 0; dim < tile.getRank(); ++dim)
    if (view.getSource().getStrides()[view.getDimMap()[dim]] == 1 && tile.getDimSize(dim) > 1)
      row = dim;
  return row;
}

/// Rows along the dimension whose elements are neighbours in the array, in the widest swizzle that they fill: threads
/// that hold rows of a product store without conflicts of banks. Where rows are longer, boxes of all of them lie one
/// after the other, which has to be where boxes may begin.
static RankedTensorType getStagingType(as::TiledViewType view, RankedTensorType tile) {
  const unsigned rank = tile.getRank(), bits = as::getSharedBits(tile.getElementType());
  const unsigned contiguous = findRowDim(view, tile);
  SmallVector<unsigned> order = {contiguous};
  for (unsigned dim = rank; dim-- > 0;)
    if (dim != contiguous)
      order.push_back(dim);
  const int64_t rowBits = tile.getDimSize(contiguous) * bits,
                rows = tile.getNumElements() / tile.getDimSize(contiguous);
  auto fits = [&](SwizzleMode mode) {
    const int64_t boxBytes = getSwizzleRowBytes(mode);
    return rowBits == 8 * boxBytes ||
           (rowBits > 8 * boxBytes && rows * boxBytes % TensorCopyLimits::getBoxAlignment(boxBytes) == 0);
  };
  SwizzleMode widest = SwizzleMode::None;
  for (SwizzleMode mode : {SwizzleMode::B32, SwizzleMode::B64, SwizzleMode::B128})
    if (fits(mode))
      widest = mode;
  return as::getSharedType(tile.getElementType(), makeSwizzledLayout(tile.getShape(), order, bits, widest));
}

static Operation *findLifetime(Operation *store) {
  Operation *outermost = store;
  for (auto loop = store->getParentOfType<LoopLikeOpInterface>(); loop;
       loop = loop->getParentOfType<LoopLikeOpInterface>())
    outermost = loop;
  return outermost;
}

/// Whether threads hold the tile as they hold the result of a product, perhaps with its dimensions in another order.
static bool isHeldAsProduct(Value tile) {
  llvm::SetVector<Value> tiles;
  tiles.insert(tile);
  for (unsigned i = 0; i < tiles.size(); ++i) {
    if (isa<as::DotOperandAttr>(cast<RankedTensorType>(tiles[i].getType()).getEncoding()))
      return true;
    Operation *op = tiles[i].getDefiningOp();
    if (op && (isa<ViewLikeOpInterface>(op) || OpTrait::hasElementwiseMappableTraits(op)))
      for (Value operand : op->getOperands())
        if (isa<RankedTensorType>(operand.getType()))
          tiles.insert(operand);
  }
  return false;
}

static std::optional<TmaAccess> findStoreAccess(const TensorCopyRule &rule, const TileWrite &write,
                                                RankedTensorType staging, std::string &reason) {
  const bool isOfRows = write.view.getType().getSparseDim() >= 0;
  std::optional<TmaAccess> access =
      isOfRows ? findRowAccess(rule, write.view, staging, reason) : findTmaAccess(rule, write.view, staging, reason);
  return access && checkRowEnds(rule, *access, write.inBounds, reason) ? access : std::nullopt;
}

/// Why the engine does not scatter rows as `write` does; empty: it does, or there are none.
static std::string findScatterObstacle(const ChipInfo &chip, const TileWrite &write) {
  if (write.view.getType().getSparseDim() < 0)
    return "";
  if (!chip.features.scatter4)
    return "it scatters rows, and " + chip.name + " has no TMA instruction for that";
  if (write.mode)
    return "it combines rows that are scattered, which TMA does not";
  // Lanes store rows; when a map changes, one thread waits for what it has stored itself.
  Operation *array = write.view.getDefiningOp();
  return array && array->getParentOfType<LoopLikeOpInterface>() ? "it scatters rows of an array that changes in a loop"
                                                                : "";
}

static std::optional<StagedStore> findStagedStore(const TensorCopyRule &rule, const TileWrite &write, bool preferTma,
                                                  std::string &reason) {
  auto convert = write.value.getDefiningOp<as::ConvertLayoutOp>();
  if (!convert && !preferTma && !isHeldAsProduct(write.value)) {
    reason = "between MMA and store its tile is rearranged in registers";
    return std::nullopt;
  }
  if (aa::getSharedCtas(write.op) != 0) {
    reason = "several CTAs have the tile, one of which writes it";
    return std::nullopt;
  }
  if (!checkTmaHint(write.op, reason))
    return std::nullopt;
  reason = findDifference(write);
  if (!reason.empty())
    return std::nullopt;
  StagedStore staged{write,
                     convert ? convert.getSource() : write.value,
                     getStagingType(write.view.getType(), write.value.getType()),
                     {},
                     findLifetime(write.op)};
  if (!staged.staging) {
    reason = "no layout of shared memory that it knows holds the tile";
    return std::nullopt;
  }
  std::optional<TmaAccess> access = findStoreAccess(rule, write, staged.staging, reason);
  if (!access)
    return std::nullopt;
  staged.access = std::move(*access);
  return staged;
}

/// What computes `tile` element by element and nothing else, the last operation first.
static llvm::SetVector<Operation *> collectElementwise(Value tile) {
  llvm::SetVector<Operation *> chain;
  Operation *last = tile.getDefiningOp();
  if (!last || !tile.hasOneUse())
    return chain;
  auto isOfChain = [&](Operation &op) {
    return OpTrait::hasElementwiseMappableTraits(&op) && isPure(&op) &&
           llvm::all_of(op.getOperandTypes(), llvm::IsaPred<RankedTensorType>) &&
           (&op == last ||
            (!op.use_empty() && llvm::all_of(op.getUsers(), [&](Operation *user) { return chain.contains(user); })));
  };
  for (Operation &op : llvm::make_range(last->getReverseIterator(), last->getBlock()->rend()))
    if (isOfChain(op))
      chain.insert(&op);
  return chain;
}

/// The same by way of memory for one of `parts` parts. Nothing where threads would have to exchange elements for that,
/// or where rows become short.
static std::optional<StagedStore> splitStore(const TensorCopyRule &rule, const StagedStore &whole, int64_t parts,
                                             int64_t buffers) {
  auto tile = cast<RankedTensorType>(whole.tile.getType());
  const unsigned row = findRowDim(whole.write.view.getType(), tile);
  const int64_t rowBytes = tile.getDimSize(row) * as::getSharedBits(tile.getElementType()) / 8;
  std::optional<LinearLayout> layout = as::getPartLayout(as::getLinearLayout(tile), row, parts);
  if (!layout || rowBytes < parts * as::kLeastPartRowBytes)
    return std::nullopt;
  StagedStore split = whole;
  split.parts = parts;
  split.buffers = buffers;
  split.part = RankedTensorType::get(layout->getOutSizes(), tile.getElementType(),
                                     as::LinearAttr::get(tile.getContext(), *layout));
  split.staging = getStagingType(whole.write.view.getType(), split.part);
  split.chain = collectElementwise(whole.tile);
  std::string reason;
  std::optional<TmaAccess> access =
      split.staging ? findStoreAccess(rule, whole.write, split.staging, reason) : std::nullopt;
  if (!access)
    return std::nullopt;
  split.access = std::move(*access);
  return split;
}

//===----------------------------------------------------------------------===//
// Room
//===----------------------------------------------------------------------===//

static void remarkThreads(Operation *write, const std::string &reason) {
  const StringRef what = isa<as::TiledStoreOp>(write) ? "stored" : "combined with what is in memory";
  remarkOn(write, Missed::TensorCopy) << ("this tile is " + what + " by the threads, not by TMA: " + reason).str();
}

/// Bytes of a stage that will not be needed if products become those of pairs of CTAs, which keep half each of what
/// they share; if they share all of it, they do not.
static int64_t countHalvedBytes(as::CreatePipelineOp pipeline) {
  int64_t shared = 0;
  bool isSomeAlone = false;
  for (as::PipelineRegionOpInterface stage : as::getStageBodies(pipeline))
    for (auto load : stage.getPipelineBody().getOps<as::AsyncTiledTmaLoadOp>())
      if (aa::getSharedCtas(load) & aa::kPairBit)
        shared += as::getStageBytes(load.getDestination().getType());
      else
        isSomeAlone = true;
  return isSomeAlone ? shared / 2 : 0;
}

/// As many stages, as they are now, as there is memory in all that the pipeline wants.
static int64_t countStagesOfMemory(as::CreatePipelineOp pipeline, const ChipFeatures &features) {
  const as::PipelineType type = pipeline.getType();
  const int64_t bytes = getStageBytes(type.getPayload());
  const int64_t halved = features.tcgen05 ? countHalvedBytes(pipeline) : 0;
  return llvm::divideCeil(type.getStages() * (bytes - halved), bytes);
}

/// Memory of a store in a loop is in use until the kernel ends.
static bool takeRoom(const StagedStore &staged, SharedBudget &budget, std::string &reason) {
  Lifetime lifetime = budget.getOrder().getLifetime(staged.lifetime);
  if (staged.isInLoop())
    lifetime.end = budget.getOrder().getWhole().end;
  const int64_t bytes = staged.buffers * as::getStageBytes(staged.staging);
  if (budget.take(bytes, lifetime))
    return true;
  reason = llvm::formatv("it takes {0} bytes of shared memory, and pipelines that are still in use leave {1}", bytes,
                         budget.getFree(lifetime));
  return false;
}

/// The best way first. Where loads of the next tile are on their way, too, the engine has less to do at once with parts
/// (a model: 6 % of a product of e4m3 on sm_100).
static ArrayRef<WayThroughMemory> getWays(const StagedStore &staged, const ChipFeatures &features) {
  static constexpr WayThroughMemory wholeFirst[] = {kWhole, kInParts, kInHalves, kInQuarters},
                                    partsFirst[] = {kInParts, kWhole, kInHalves, kInQuarters};
  return staged.isInLoop() && features.tcgen05 ? ArrayRef(partsFirst) : ArrayRef(wholeFirst);
}

/// The stores with room beside all stages that pipelines want, in parts where that is what it takes; nothing where one
/// has none.
static std::optional<StagedStores> findRoomBesideStages(ArrayRef<StagedStore> stores, FunctionOpInterface function,
                                                        const ChipTarget &target) {
  const ChipFeatures &features = target.chip->features;
  const TensorCopyRule rule(target);
  SmallVector<Operation *> conversions; // for threads that store
  for (const StagedStore &staged : stores)
    if (staged.tile != staged.write.value && staged.write.value.hasOneUse())
      conversions.push_back(staged.write.value.getDefiningOp());
  SharedBudget budget(function, target, getWantedCTAs(function), /*countStages=*/{}, conversions);
  budget.layOut([&](as::CreatePipelineOp pipeline) { return countStagesOfMemory(pipeline, features); });
  if (!budget.fits())
    return std::nullopt;
  StagedStores placed;
  for (const StagedStore &whole : stores) {
    const auto hasRoom = [&](const WayThroughMemory &way) {
      std::string reason;
      std::optional<StagedStore> staged = way == kWhole ? whole : splitStore(rule, whole, way.first, way.second);
      if (!staged || !takeRoom(*staged, budget, reason))
        return false;
      placed.push_back(std::move(*staged));
      return true;
    };
    if (llvm::none_of(getWays(whole, features), hasRoom))
      return std::nullopt;
  }
  return placed;
}

/// The stores with room where pipelines have enough stages and no more. Remarks name the others.
static StagedStores findRoom(ArrayRef<StagedStore> stores, FunctionOpInterface function, const ChipTarget &target) {
  SharedBudget budget(function, target, getWantedCTAs(function));
  // Pipelines give up stages for results, but keep so many; as many as fit, where these do not.
  for (int64_t most = target.tuning().stagesBesideStores; most > 0; --most) {
    budget.layOut([&](as::CreatePipelineOp pipeline) { return std::min(pipeline.getType().getStages(), most); });
    if (budget.fits())
      break;
  }
  StagedStores placed;
  for (const StagedStore &staged : stores) {
    std::string reason;
    if (takeRoom(staged, budget, reason))
      placed.push_back(staged);
    else
      remarkThreads(staged.write.op, reason);
  }
  return placed;
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// Whether `token` only hands on others, or is that of nothing.
static bool isNoAccess(Value token) {
  auto argument = dyn_cast<BlockArgument>(token);
  Operation *op = argument ? argument.getOwner()->getParentOp() : token.getDefiningOp();
  return isa<RegionBranchOpInterface>(op) || (!argument && isa<as::CreateNoneOp, as::JoinMemTokenOp>(op));
}

/// Looks at what the tokens of stores say.
static void findOrder(FunctionOpInterface function, MutableArrayRef<StagedStore> stores) {
  llvm::DenseMap<Value, StagedStore *> byToken;
  llvm::DenseSet<Operation *> writes;
  for (StagedStore &staged : stores) {
    writes.insert(staged.write.op);
    if (staged.write.resultToken)
      byToken[staged.write.resultToken] = &staged;
  }
  for (StagedStore &staged : stores) {
    if (!staged.write.token)
      continue;
    if (std::optional<llvm::SetVector<Value>> tokens = collectFewTokens(staged.write.token)) {
      for (Value token : *tokens)
        if (!isNoAccess(token))
          (byToken.contains(token) ? staged.isBehindStores : staged.isBehindAccesses) = true;
    } else {
      staged.isBehindStores = staged.isBehindAccesses = true;
    }
  }
  SmallVector<Value> ofOthers;
  function->walk([&](Operation *op) {
    if (!isa<as::JoinMemTokenOp, RegionBranchOpInterface>(op) && !op->hasTrait<OpTrait::IsTerminator>() &&
        !writes.contains(op))
      llvm::copy_if(op->getOperands(), std::back_inserter(ofOthers),
                    [](Value operand) { return isa<as::MemTokenType>(operand.getType()); });
  });
  for (Value token : collectTokens(ofOthers))
    if (StagedStore *staged = byToken.lookup(token))
      staged->isBeforeAccesses = true;
}

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

/// The memory of stores in loops is theirs until the kernel ends: an iteration waits for the engine to have read what
/// the one before has left there.
static SmallVector<Value> createStaging(const StagedStore &staged) {
  OpBuilder builder(staged.lifetime);
  SmallVector<Value> buffers;
  for (int64_t number = 0; number < staged.buffers; ++number)
    buffers.push_back(as::AllocTensorOp::create(builder, staged.write.op->getLoc(), staged.staging,
                                                as::MemoryRangeAttr(), IntegerAttr()));
  return buffers;
}

static as::AsyncStoreWaitOp emitStoreWait(OpBuilder &builder, Location location, Value buffer, bool read,
                                          Type token = {}) {
  return as::AsyncStoreWaitOp::create(builder, location, token, buffer, read ? builder.getUnitAttr() : UnitAttr(),
                                      /*pending=*/IntegerAttr());
}

/// The staging memory has to stay until it has been read; the end of the kernel waits for the rest.
static void waitAtEnds(FunctionOpInterface function, Location location, ArrayRef<Value> staging) {
  for (Block &block : function.getFunctionBody())
    if (block.hasNoSuccessors()) {
      OpBuilder builder(block.getTerminator());
      for (Value buffer : staging)
        emitStoreWait(builder, location, buffer, /*read=*/true);
    }
}

/// A part of the tile, with what is in the chain computed for it alone: fewer registers hold what is on its way.
static Value emitPart(OpBuilder &builder, Location location, const StagedStore &staged, int64_t number) {
  if (staged.parts == 1)
    return staged.tile;
  SmallVector<Value> indices;
  for (auto [part, whole] : llvm::zip(staged.part.getShape(), cast<RankedTensorType>(staged.tile.getType()).getShape()))
    indices.push_back(
        arith::ConstantOp::create(builder, location, builder.getI32IntegerAttr(part == whole ? 0 : number)));
  auto getPartType = [&](Value whole) {
    return RankedTensorType::get(staged.part.getShape(), cast<RankedTensorType>(whole.getType()).getElementType(),
                                 staged.part.getEncoding());
  };
  IRMapping parts;
  auto getPart = [&](Value whole) {
    if (!parts.contains(whole))
      parts.map(whole,
                as::ExtractSliceOp::create(builder, whole.getLoc(), getPartType(whole), whole, indices).getResult());
    return parts.lookup(whole);
  };
  for (Operation *op : llvm::reverse(staged.chain)) {
    llvm::for_each(op->getOperands(), getPart);
    Operation *part = builder.clone(*op, parts);
    part->getResult(0).setType(getPartType(op->getResult(0)));
  }
  return getPart(staged.tile);
}

/// Rows are along the last dimension of the map. A buffer may be written again when only stores from the others are
/// under way.
static void startStore(OpBuilder &builder, const StagedStore &staged, ArrayRef<Value> staging, TmaMaps &maps) {
  const TileWrite &write = staged.write;
  const Location location = write.op->getLoc();
  const StringRef atom = write.mode ? as::kTmaReduce : as::kTmaStore;
  Value map = maps.getOrCreate(staged.access, atom);
  const int32_t sparse = write.view.getType().getSparseDim();
  Value rows;
  if (sparse >= 0) {
    OpBuilder before(builder);
    before.setInsertionPointAfterValue(write.coords[sparse]);
    rows = emitTmaRows(before, location, write.coords[sparse], getExecutionScope(write.op).numWarps);
  }
  SmallVector<Value> start;
  for (int64_t number = 0; number < staged.parts; ++number) {
    Value buffer = staging[number % staged.buffers];
    if (number >= staged.buffers || (number > 0 && staged.isInLoop()))
      emitStoreWait(builder, location, buffer, /*read=*/true);
    as::CopyOp::create(builder, location, Type(), emitPart(builder, location, staged, number), buffer,
                       as::AtomAttr::getAnyCopy(builder.getContext()));
    Value source = permuteSlot(builder, location, buffer, staged.access.tileDims);
    if (number == 0 && rows)
      start = {emitTmaColumn(builder, location, staged.access, write.view.getType(), write.coords)};
    else if (number == 0)
      start = emitTmaCoordinates(builder, location, staged.access, write.view.getType(), write.coords);
    SmallVector<Value> coordinates = start;
    if (number > 0) {
      const int64_t offset = number * staged.part.getDimSize(staged.access.tileDims.back());
      Value distance = arith::ConstantOp::create(builder, location, builder.getI32IntegerAttr(offset));
      coordinates.back() = arith::AddIOp::create(builder, location, start.back(), distance);
    }
    auto token = builder.getType<as::AsyncTokenType>();
    auto instruction = as::AtomAttr::get(builder.getContext(), atom);
    if (rows)
      as::AsyncScatterTmaStoreOp::create(builder, location, token, map, source, rows, coordinates.back(), instruction);
    else
      as::AsyncTiledTmaStoreOp::create(builder, location, token, map, source, coordinates, write.mode, instruction);
  }
}

/// Who is ordered after the store finds it complete: threads by a wait after it, the engine by a wait before it. The
/// engine goes another way to memory than threads, whose accesses before it end with a fence; the barrier after that
/// is the one that the staging memory needs.
static void stage(const StagedStore &staged, TmaMaps &maps) {
  const TileWrite &write = staged.write;
  OpBuilder builder(write.op);
  const Location location = write.op->getLoc();
  const SmallVector<Value> staging = createStaging(staged);
  if (staged.isBehindStores)
    emitStoreWait(builder, location, staging.front(), /*read=*/false);
  else if (staged.isInLoop() && !staged.isBeforeAccesses)
    emitStoreWait(builder, location, staging.front(), /*read=*/true);
  if (staged.isBehindAccesses)
    as::ProxyFenceOp::create(builder, location);
  startStore(builder, staged, staging, maps);
  Value token = write.token;
  if (!staged.isInLoop() || staged.isBeforeAccesses) {
    const Type type = staged.isBeforeAccesses ? write.resultToken.getType() : Type();
    for (Value buffer : staging) {
      auto wait = emitStoreWait(builder, location, buffer, /*read=*/!staged.isBeforeAccesses, type);
      token = staged.isBeforeAccesses ? wait.getResultToken() : token;
    }
  } else {
    waitAtEnds(write.op->getParentOfType<FunctionOpInterface>(), location, staging);
  }
  if (Value before = write.resultToken; before && token)
    before.replaceAllUsesWith(token);
  auto convert = write.value.getDefiningOp<as::ConvertLayoutOp>();
  write.op->erase();
  if (convert && convert->use_empty())
    convert.erase();
}

/// What TMA may store: large results of MMAs; with `preferTma` all that is written.
static SmallVector<TileWrite> findResults(FunctionOpInterface function, const TuningModel &tuning, bool preferTma) {
  SmallVector<TileWrite> results;
  function->walk([&](Operation *op) {
    std::optional<TileWrite> write = matchTileWrite(op);
    if (!write)
      return;
    RankedTensorType tile = write->value.getType();
    const int64_t bytes = tile.getNumElements() * as::getSharedBits(tile.getElementType()) / 8;
    if (preferTma || (bytes >= tuning.leastTmaStoreBytes && isOfProduct(write->value)))
      results.push_back(*write);
  });
  return results;
}

void remarkStoresByThreads(FunctionOpInterface function, const ChipTarget &target, const std::string &reason) {
  for (const TileWrite &write : findResults(function, target.tuning(), /*preferTma=*/false))
    remarkThreads(write.op, reason);
}

void lowerTmaStores(FunctionOpInterface function, const ChipTarget &target, TmaMaps &maps, bool preferTma) {
  const TensorCopyRule rule(target);
  StagedStores candidates;
  for (const TileWrite &write : findResults(function, target.tuning(), preferTma)) {
    std::string reason = findScatterObstacle(*target.chip, write);
    if (std::optional<StagedStore> staged =
            reason.empty() ? findStagedStore(rule, write, preferTma, reason) : std::nullopt)
      candidates.push_back(std::move(*staged));
    else
      remarkThreads(write.op, reason);
  }
  if (candidates.empty())
    return;
  std::optional<StagedStores> found = findRoomBesideStages(candidates, function, target);
  StagedStores stores = found ? std::move(*found) : findRoom(candidates, function, target);
  findOrder(function, stores);
  for (const StagedStore &staged : stores)
    stage(staged, maps);
}

} // namespace tileiras::async
