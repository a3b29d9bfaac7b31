//===- ReadInPlace.cpp - Tiles that products read where they lie ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadInPlace.h"
#include "common/TmaEligibility.h"
#include "tileiras/Analysis/WarpgroupProducts.h"
#include "tileiras/Dialect/TileAA/BlockScale.h"
#include "tileiras/Dialect/TileAS/AnchorLayouts.h"
#include "tileiras/Dialect/TileAS/MemRefFacts.h"
#include "tileiras/Dialect/TileAS/MmaSelection.h"
#include "tileiras/Layout/SharedLayouts.h"
#include "tileiras/Lowering/ExecutionScope.h"

using namespace mlir;

namespace tileiras::async {
namespace {

/// What an operand of a product is, under the coordinates of the product.
struct OperandSource {
  Operation *load = nullptr;          ///< null: it is computed
  bool isConverted = false;           ///< threads compute between the load and the product
  std::optional<unsigned> contiguous; ///< the dimension whose neighbours are neighbours in memory
};

/// One way to bring an operand to its product.
struct OperandWay {
  /// Loaded: by the copy engine, as it is in memory or as it converts. Stored: by threads, behind all conversions.
  /// Copied: scales, in words.
  enum Kind { Loaded, Stored, Computed, Copied } kind;
  as::OperandPlace place;
};

/// The dimension of the result that dimension `dim` of the source has become.
std::optional<unsigned> followDim(Operation *op, unsigned dim) {
  if (auto permute = dyn_cast<aa::PermuteOp>(op))
    return llvm::find(permute.getPermutation(), int32_t(dim)) - permute.getPermutation().begin();
  if (auto expand = dyn_cast<aa::ExpandDimsOp>(op))
    return dim >= expand.getAxis() ? dim + 1 : dim;
  // Another shape: extents of 1 come and go.
  auto source = cast<RankedTensorType>(op->getOperand(0).getType()),
       result = cast<RankedTensorType>(op->getResult(0).getType());
  auto isLong = [](int64_t extent) { return extent != 1; };
  if (!llvm::equal(llvm::make_filter_range(source.getShape(), isLong),
                   llvm::make_filter_range(result.getShape(), isLong)))
    return std::nullopt;
  unsigned before = llvm::count_if(source.getShape().take_front(dim), isLong);
  for (auto [i, extent] : llvm::enumerate(result.getShape()))
    if (isLong(extent) && before-- == 0)
      return i;
  return std::nullopt;
}

/// The operand of `op`, something between a load and a product, that comes from the load.
Operation *findTileOperand(Operation *op, ArrayRef<QueueLoad> loads) {
  for (Value operand : op->getOperands())
    if (Operation *maker = operand.getDefiningOp())
      for (const QueueLoad &entry : loads)
        if (entry.load == maker || entry.between.contains(maker))
          return maker;
  return nullptr;
}

OperandSource findSource(Value operand, ArrayRef<QueueLoad> loads) {
  OperandSource source;
  SmallVector<Operation *> way;
  Operation *op = operand.getDefiningOp();
  auto isLoad = [&](const QueueLoad &entry) { return entry.load == op; };
  auto passes = [&](const QueueLoad &entry) { return entry.between.contains(op); };
  auto convertsByEngine = [&](const QueueLoad &entry) { return llvm::is_contained(entry.conversions, op); };
  for (; op && llvm::any_of(loads, passes); op = findTileOperand(op, loads)) {
    way.push_back(op);
    source.isConverted |= !isa<ViewLikeOpInterface>(op) && llvm::none_of(loads, convertsByEngine);
  }
  if (!op || llvm::none_of(loads, isLoad))
    return {};
  source.load = op;
  if (auto tiled = dyn_cast<aa::TiledLoadOp>(op))
    source.contiguous = findContiguousDim(tiled.getView().getType());
  for (Operation *renaming : llvm::make_filter_range(llvm::reverse(way), llvm::IsaPred<ViewLikeOpInterface>))
    if (source.contiguous)
      source.contiguous = followDim(renaming, *source.contiguous);
  return source;
}

/// How operands A and B of a product reach it.
struct OperandWays {
  OperandWay::Kind a, b;
};

/// Threads can copy four neighbours along the fastest dimension of the array at once, or fill them with zeros.
bool canCopyWords(aa::TiledLoadOp load) {
  constexpr int64_t kWordBytes = 4;
  auto tiles = load.getView().getDefiningOp<aa::BlockTileOp>();
  aa::TiledViewType view = load.getView().getType();
  const std::optional<unsigned> contiguous = findContiguousDim(view);
  if (!tiles || view.isGatherScatter() || !contiguous ||
      view.getPadding().value_or(aa::PaddingValue::Zero) != aa::PaddingValue::Zero)
    return false;
  const as::MemRefFacts facts = as::getMemRefFacts(tiles.getSource());
  const unsigned fastest = view.getDimMap()[*contiguous];
  return facts.baseAlignment % kWordBytes == 0 && facts.sizeDivisors[fastest] % kWordBytes == 0 &&
         llvm::all_of(llvm::enumerate(facts.strideDivisors),
                      [&](auto stride) { return stride.index() == fastest || stride.value() % kWordBytes == 0; });
}

/// Whether the scales, of rows or columns along `mnDim`, are a tile under other extents that comes to shared memory in
/// blocks (`isScaleBlocks`): as it is, by the copy engine, or word by word.
bool comeInBlocks(const TensorCopyRule &rule, Value scales, unsigned mnDim) {
  SmallVector<Operation *> way;
  Operation *op = scales.getDefiningOp();
  for (; isa_and_nonnull<ViewLikeOpInterface>(op); op = op->getOperand(0).getDefiningOp())
    way.push_back(op);
  auto load = dyn_cast_or_null<aa::TiledLoadOp>(op);
  if (!load)
    return false;
  aa::TiledViewType view = load.getView().getType();
  SmallVector<unsigned> order(view.getRank());
  for (auto [dim, memoryDim] : llvm::enumerate(view.getDimMap()))
    order[view.getRank() - 1 - memoryDim] = dim;
  LinearLayout layout = makeSwizzledLayout(cast<RankedTensorType>(load->getResult(0).getType()).getShape(), order,
                                           /*elementBits=*/8, SwizzleMode::None);
  for (Operation *renaming : llvm::reverse(way)) {
    if (auto permute = dyn_cast<aa::PermuteOp>(renaming))
      layout = layout.permute(SmallVector<unsigned>(permute.getPermutation().begin(), permute.getPermutation().end()));
    else
      layout = layout.reshape(cast<RankedTensorType>(renaming->getResult(0).getType()).getShape());
  }
  std::string reason;
  if (isScaleBlocks(layout, mnDim) && canEngineLoad(rule, load, reason))
    return true;
  ArrayRef<int64_t> shape = cast<RankedTensorType>(scales.getType()).getShape();
  const bool hasWords = layout.getNumBits(LayoutDim::Offset) > 1 && llvm::all_of(llvm::seq(2u), [&](unsigned bit) {
                          return layout.getBasis(LayoutDim::Offset, bit)[1 - mnDim] == int64_t(1) << bit;
                        });
  return getScaleBlocks(shape[mnDim], shape[1 - mnDim], mnDim) && hasWords && canCopyWords(load);
}

/// Nobody else reads `operand`, or what it was before it got its extents.
bool isOnlyUse(Value operand) {
  for (; operand.hasOneUse(); operand = operand.getDefiningOp()->getOperand(0))
    if (!operand.getDefiningOp<ViewLikeOpInterface>())
      return true;
  return false;
}

/// The loads that are still to be queued, and how they reach their products.
class InPlaceLoads {
public:
  InPlaceLoads(ArrayRef<QueueLoad> loads, scf::ForOp loop, const ChipTarget &target) : target(target) {
    const TensorCopyRule rule(target);
    for (const QueueLoad &entry : loads) {
      Candidate &candidate = candidates[entry.load];
      auto tiled = dyn_cast<aa::TiledLoadOp>(entry.load);
      if (tiled)
        (void)canEngineLoad(rule, tiled, candidate.engineObstacle);
      else
        candidate.engineObstacle = "it goes through pointers";
      candidate.isStorable = succeeded(findConversions(entry, loop));
    }
  }
  void remove(Operation *load) { candidates.erase(load); }

  /// Decides anew for all products of `entry`.
  std::optional<std::string> findObstacle(const QueueLoad &entry, ArrayRef<QueueLoad> loads) {
    std::optional<OperandWay::Kind> common;
    for (Operation *product : entry.products) {
      std::string obstacle;
      const std::optional<OperandWays> ways = findWays(product, loads, obstacle);
      if (!ways)
        return "its MMA would not read it where it lies: " + obstacle;
      const std::optional<OperandWay::Kind> kind = findWay(product, entry, loads, *ways);
      if (!kind)
        return "its MMA would not read it where it lies: threads store operands of the MMA";
      if (common.value_or(*kind) != *kind)
        return "its MMAs want it in different forms; load it twice, once for each";
      common = kind;
    }
    Candidate &candidate = candidates[entry.load];
    candidate.isStored = common == OperandWay::Stored;
    if (common != OperandWay::Stored && common != OperandWay::Copied && !candidate.engineObstacle.empty())
      return "TMA cannot load it: " + candidate.engineObstacle;
    return std::nullopt;
  }

  bool isStored(Operation *load) { return candidates[load].isStored; }

private:
  struct Candidate {
    std::string engineObstacle; ///< empty: the copy engine can load it
    bool isStorable = false;    ///< threads can store what the product reads
    bool isStored = false;      ///< and shall
  };

  /// The ways of an operand, the best first. Of 8 and 32 bits, products read only what is contiguous along K.
  SmallVector<OperandWay> getWays(const OperandSource &source, unsigned depth, bool isA) {
    SmallVector<OperandWay> ways;
    const OperandWay computed = {OperandWay::Computed, as::OperandPlace::Registers};
    auto it = source.load ? candidates.find(source.load) : candidates.end();
    if (it == candidates.end())
      return {computed};
    const as::OperandPlace asLoaded =
        source.contiguous.value_or(depth) == depth ? as::OperandPlace::KMajor : as::OperandPlace::MnMajor;
    const bool hasEngine = it->second.engineObstacle.empty();
    if (hasEngine && source.contiguous && !source.isConverted)
      ways.push_back({OperandWay::Loaded, asLoaded});
    if (hasEngine && isA && !source.isConverted && asLoaded == as::OperandPlace::MnMajor)
      ways.push_back({OperandWay::Loaded, as::OperandPlace::RegistersOfMnMajor});
    if (hasEngine && isA && source.isConverted)
      ways.push_back({OperandWay::Loaded, as::OperandPlace::Registers});
    if (it->second.isStorable) {
      ways.push_back({OperandWay::Stored, asLoaded});
      if (asLoaded != as::OperandPlace::KMajor)
        ways.push_back({OperandWay::Stored, as::OperandPlace::KMajor});
    }
    ways.push_back(computed);
    return ways;
  }

  /// That of `entry`: scales are copied where the engine brings both operands.
  static std::optional<OperandWay::Kind> findWay(Operation *product, const QueueLoad &entry, ArrayRef<QueueLoad> loads,
                                                 OperandWays ways) {
    if (entry.load == findSource(product->getOperand(1), loads).load)
      return ways.b;
    if (entry.load == findSource(product->getOperand(0), loads).load)
      return ways.a;
    if (ways.a != OperandWay::Loaded || ways.b != OperandWay::Loaded)
      return std::nullopt;
    return OperandWay::Copied;
  }

  /// How operands reach a product of warpgroups that reads shared memory. Else, why they do not.
  std::optional<OperandWays> findWays(Operation *op, ArrayRef<QueueLoad> loads, std::string &obstacle) {
    if (cast<RankedTensorType>(op->getResult(0).getType()).getRank() != 2) {
      obstacle = "it is a batch of MMAs; a loop over tiles without a batch dimension has one at a time";
      return std::nullopt;
    }
    auto scaled = dyn_cast<aa::MmaBlockScaleOp>(op);
    const MmaQuery query = scaled ? getMmaQuery(scaled) : getMmaQuery(cast<aa::DotOp>(op));
    const OperandSource a = findSource(op->getOperand(0), loads), b = findSource(op->getOperand(1), loads);
    obstacle = "its right operand is not what a load of the loop gives, perhaps converted";
    for (OperandWay wayB : getWays(b, /*depth=*/0, /*isA=*/false))
      for (OperandWay wayA : getWays(a, /*depth=*/1, /*isA=*/true)) {
        if (wayB.kind == OperandWay::Computed || (a.load && a.load == b.load && wayA.kind != wayB.kind))
          continue;
        // Where threads store B, they convert A on the way, too: nothing is won by registers.
        if (wayB.kind == OperandWay::Stored && wayA.kind == OperandWay::Loaded &&
            wayA.place == as::OperandPlace::Registers && candidates[a.load].isStorable)
          continue;
        llvm::Expected<as::WarpgroupProduct> found = as::findWarpgroupProduct(
            op->getContext(), query, target, getExecutionScope(op).numWarps, wayA.place, wayB.place);
        if (found)
          return OperandWays{wayA.kind, wayB.kind};
        obstacle = llvm::toString(found.takeError());
      }
    return std::nullopt;
  }

  const ChipTarget &target;
  llvm::DenseMap<Operation *, Candidate> candidates;
};

} // namespace

std::optional<unsigned> findContiguousDim(Value operand, ArrayRef<QueueLoad> loads) {
  return findSource(operand, loads).contiguous;
}

bool readsScalesInPlace(aa::MmaBlockScaleOp product, const ChipTarget &target) {
  if (!target || !target.chip->features.tcgen05 || !product.getSfa() || !product.getSfb())
    return false;
  const bool haveSigns = aa::mayBeNegative(product, getElementTypeOrSelf(product.getSfa()));
  const TensorCopyRule rule(target);
  return comeInBlocks(rule, product.getSfa(), /*mnDim=*/0) && comeInBlocks(rule, product.getSfb(), /*mnDim=*/1) &&
         (!haveSigns ||
          llvm::all_of(ValueRange({product.getA(), product.getB(), product.getSfa(), product.getSfb()}), isOnlyUse));
}

bool readsAsScales(const QueueLoad &entry) {
  return !entry.products.empty() && llvm::all_of(entry.products, [&](Operation *op) {
    auto product = dyn_cast<aa::MmaBlockScaleOp>(op);
    return product && findSource(product.getA(), entry).load != entry.load &&
           findSource(product.getB(), entry).load != entry.load;
  });
}

void keepReadInPlace(SmallVectorImpl<QueueLoad> &loads, scf::ForOp loop, const ChipTarget &target,
                     llvm::function_ref<void(Operation *, const Twine &)> report) {
  InPlaceLoads inPlace(loads, loop, target);
  // One that goes may take the others of its products along.
  for (size_t before = loads.size() + 1; loads.size() < before;) {
    before = loads.size();
    SmallVector<QueueLoad> kept;
    for (const QueueLoad &entry : loads) {
      std::optional<std::string> obstacle = inPlace.findObstacle(entry, loads);
      if (!obstacle) {
        kept.push_back(entry);
        continue;
      }
      report(entry.load, *obstacle);
      inPlace.remove(entry.load);
    }
    loads = std::move(kept);
  }
  for (QueueLoad &entry : loads) {
    entry.isStored = inPlace.isStored(entry.load);
    if (entry.isStored)
      setConversions(entry, *findConversions(entry, loop), loop);
  }
}

} // namespace tileiras::async
