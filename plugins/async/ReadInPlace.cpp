//===- ReadInPlace.cpp - Tiles that products read where they lie ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadInPlace.h"
#include "TmaEligibility.h"
#include "tileiras/Dialect/TileAS/AnchorLayouts.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "tileiras/Target/MmaSelection.h"

using namespace mlir;

namespace tileiras::async {
namespace {

/// What an operand of a product is, under the coordinates of the product.
struct OperandSource {
  aa::TiledLoadOp load;               ///< null: it is computed
  std::optional<unsigned> contiguous; ///< the dimension whose neighbours are neighbours in memory
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

OperandSource findSource(Value operand) {
  SmallVector<Operation *> renamings;
  Operation *op = operand.getDefiningOp();
  for (; isa_and_nonnull<aa::ViewOp, aa::PermuteOp, aa::ExpandDimsOp>(op); op = op->getOperand(0).getDefiningOp())
    renamings.push_back(op);
  OperandSource source{dyn_cast_if_present<aa::TiledLoadOp>(op), std::nullopt};
  if (!source.load)
    return source;
  source.contiguous = findContiguousDim(source.load.getView().getType());
  for (Operation *renaming : llvm::reverse(renamings))
    if (source.contiguous)
      source.contiguous = followDim(renaming, *source.contiguous);
  return source;
}

/// The loads that are still to be queued, and what is asked of them.
class InPlaceLoads {
public:
  InPlaceLoads(ArrayRef<QueueLoad> loads, const ChipTarget &target) : target(target) {
    for (const QueueLoad &entry : loads)
      remaining.insert(entry.load);
  }
  void remove(aa::TiledLoadOp load) { remaining.erase(load); }

  std::optional<std::string> findObstacle(const QueueLoad &entry) {
    std::string reason;
    if (!canEngineLoad(entry.load, reason))
      return "the copy engine cannot load it: " + reason;
    for (Operation *product : entry.products)
      if (std::optional<std::string> obstacle = findProductObstacle(product))
        return "its product would not read it where it lies: " + *obstacle;
    return std::nullopt;
  }

private:
  std::optional<std::string> findProductObstacle(Operation *op) {
    auto product = dyn_cast<aa::DotOp>(op);
    if (!product)
      return "its operands have scales";
    auto result = cast<RankedTensorType>(product.getResult().getType());
    if (result.getRank() != 2)
      return "it is a batch of products; a loop over tiles without a batch dimension has one product at a time";
    const OperandSource a = findSource(product.getA()), b = findSource(product.getB());
    if (!isRemaining(b))
      return "its right operand is not a tile as the copy engine loads it";
    const as::OperandPlace placeA = isRemaining(a) ? getPlace(a, /*depth=*/1) : as::OperandPlace::Registers;
    llvm::Expected<as::WarpgroupProduct> found =
        as::findWarpgroupProduct(op->getContext(), getMmaQuery(product), target, getExecutionScope(op).numWarps, placeA,
                                 getPlace(b, /*depth=*/0));
    return found ? std::nullopt : std::optional(llvm::toString(found.takeError()));
  }

  bool isRemaining(const OperandSource &source) const {
    return source.load && source.contiguous && remaining.contains(source.load);
  }
  static as::OperandPlace getPlace(const OperandSource &source, unsigned depth) {
    return source.contiguous == depth ? as::OperandPlace::KMajor : as::OperandPlace::MnMajor;
  }

  const ChipTarget &target;
  llvm::SmallPtrSet<Operation *, 8> remaining;
};

} // namespace

void keepReadInPlace(SmallVectorImpl<QueueLoad> &loads, const ChipTarget &target,
                     llvm::function_ref<void(aa::TiledLoadOp, const Twine &)> report) {
  InPlaceLoads inPlace(loads, target);
  // One that goes may take the others of its products along.
  for (size_t before = loads.size() + 1; loads.size() < before;) {
    before = loads.size();
    llvm::erase_if(loads, [&](const QueueLoad &entry) {
      std::optional<std::string> obstacle = inPlace.findObstacle(entry);
      if (!obstacle)
        return false;
      report(entry.load, *obstacle);
      inPlace.remove(entry.load);
      return true;
    });
  }
}

} // namespace tileiras::async
