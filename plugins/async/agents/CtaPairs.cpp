//===- CtaPairs.cpp - Products of two CTAs at once ------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CtaPairs.h"
#include "ProductAgent.h"
#include "common/ConsumerSteps.h"
#include "common/HandOff.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tileiras/Analysis/WarpgroupProducts.h"
#include "tileiras/Dialect/TileAA/Clusters.h"
#include "tileiras/Dialect/TileAS/AnchorLayouts.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/TensorMemory.h"
#include "tileiras/Lowering/SharedBudget.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tileiras::async {

//===----------------------------------------------------------------------===//
// Tiles and their halves
//===----------------------------------------------------------------------===//

/// The dimension of a tile of shape `to` that is dimension `dim` of the same tile in shape `from`, where these differ
/// in dimensions of extent 1 alone.
static std::optional<unsigned> findSameDim(ArrayRef<int64_t> from, ArrayRef<int64_t> to, unsigned dim) {
  auto collectLong = [](ArrayRef<int64_t> shape) {
    return llvm::filter_to_vector(llvm::seq<unsigned>(0, shape.size()), [&](unsigned d) { return shape[d] > 1; });
  };
  const SmallVector<unsigned> ofFrom = collectLong(from), ofTo = collectLong(to);
  const unsigned *found = llvm::find(ofFrom, dim);
  if (found == ofFrom.end() || ofFrom.size() != ofTo.size())
    return std::nullopt;
  for (auto [a, b] : llvm::zip(ofFrom, ofTo))
    if (from[a] != to[b])
      return std::nullopt;
  return ofTo[found - ofFrom.begin()];
}

static ArrayRef<int64_t> getShape(Value tile) {
  return cast<RankedTensorType>(tile.getType()).getShape();
}

namespace {
/// A tile of a stage, in a body, and one of its dimensions.
struct SlotDim {
  BlockArgument slot;
  unsigned dim;
};
} // namespace

/// The tile of a stage that `tile` is another name of; null if it is none.
static BlockArgument findSlot(Value tile) {
  return dyn_cast<BlockArgument>(as::skipViews(tile));
}

/// What dimension `dim` of `tile` is of the stage that it is another name of.
static std::optional<SlotDim> findSlotDim(Value tile, unsigned dim) {
  while (Operation *op = tile.getDefiningOp()) {
    std::optional<unsigned> ofSource;
    if (auto permute = dyn_cast<as::PermuteOp>(op))
      ofSource = permute.getPermutation()[dim];
    else if (auto view = dyn_cast<as::ViewOp>(op))
      ofSource = findSameDim(getShape(tile), getShape(view.getSource()), dim);
    if (!ofSource)
      return std::nullopt;
    dim = *ofSource;
    tile = op->getOperand(0);
  }
  return SlotDim{cast<BlockArgument>(tile), dim};
}

/// Memory for the half of `tile` along `dim` that is laid out as a half is there; null where none is.
static RankedTensorType halveMemory(RankedTensorType tile, unsigned dim) {
  llvm::Expected<LinearLayout> layout = as::getSharedLayout(tile);
  if (!layout)
    return llvm::consumeError(layout.takeError()), RankedTensorType();
  SmallVector<int64_t> shape(tile.getShape());
  const int64_t half = shape[dim] /= 2;
  LinearLayout memory(shape);
  for (LinearLayout::Basis basis : layout->getBases(LayoutDim::Offset)) {
    if ((basis[dim] & half) == 0)
      memory.addBasis(LayoutDim::Offset, basis);
    else if (llvm::count(basis, 0) != int64_t(basis.size()) - 1 || basis[dim] != half)
      return {};
  }
  return as::getSharedType(tile.getElementType(), memory);
}

template <typename LoadOpTy>
static LoadOpTy findCopyTo(Value slot) {
  for (Operation *user : slot.getUsers()) {
    if (auto load = dyn_cast<LoadOpTy>(user))
      return load;
    if (isa<ViewLikeOpInterface>(user))
      if (LoadOpTy load = findCopyTo<LoadOpTy>(user->getResult(0)))
        return load;
  }
  return {};
}

/// The dimension of what `load` fills that is dimension `dim` of the stage's tile.
static std::optional<unsigned> findDimOfCopy(as::AsyncTiledTmaLoadOp load, unsigned dim) {
  for (unsigned d = 0, rank = load.getDestination().getType().getRank(); d < rank; ++d)
    if (std::optional<SlotDim> found = findSlotDim(load.getDestination(), d); found && found->dim == dim)
      return d;
  return std::nullopt;
}

static as::CreatePipelineOp getPipeline(as::PipelineRegionOpInterface stage) {
  return stage.getStageOwner().getDefiningOp<as::CreatePipelineOp>();
}

//===----------------------------------------------------------------------===//
// Which products
//===----------------------------------------------------------------------===//

namespace {

class PairFinder {
public:
  PairFinder(FunctionOpInterface function, const ChipTarget &target) : function(function), target(target) {}

  CtaPairs run(ArrayRef<ProductLoop> loops) {
    for (const ProductLoop &loop : loops)
      for (as::ConsumeOneOp consume : loop.consumers) {
        if (as::CreatePipelineOp pipeline = getPipeline(consume); !llvm::is_contained(found.pipelines, pipeline))
          found.pipelines.push_back(pipeline);
        for (as::AsyncDotOp product : getProducts(consume))
          if (!found.obstacle.op)
            addProduct(product);
      }
    for (as::CreatePipelineOp pipeline : found.pipelines)
      for (as::PipelineRegionOpInterface stage : as::getStageBodies(pipeline))
        if (!found.obstacle.op)
          checkStage(pipeline, stage);
    return std::move(found);
  }

private:
  void refuse(Operation *op, const Twine &reason) {
    if (!found.obstacle.op)
      found.obstacle = {op, reason.str()};
  }

  void addProduct(as::AsyncDotOp product) {
    constexpr int64_t kLeastColumns = 32, kMostColumns = 256; // PTX ISA, cta_group::2 with 256 rows, or with 128.
    const MmaAtom *atom = product.getAtom().findMma(target.atoms());
    const int64_t columns = product.getC().getType().getDimSize(1);
    if (!as::isSharedTensor(product.getA().getType()))
      return refuse(product, "an instruction of two CTAs has operand A in shared memory");
    if (columns < kLeastColumns || columns > kMostColumns)
      return refuse(product, llvm::formatv("an instruction of two CTAs has {0} to {1} columns, not {2}", kLeastColumns,
                                           kMostColumns, columns)
                                 .str());
    if (as::dividesColumns(*atom) && columns != atom->n)
      return refuse(product, "an instruction of two CTAs with 64 rows of each has all columns");
    std::optional<SlotDim> slot = findSlotDim(product.getB(), 1);
    if (slot && !(halveMemory(cast<RankedTensorType>(slot->slot.getType()), slot->dim) && readsHalf(*atom, product)))
      return refuse(product, "half of operand B is not laid out as an instruction reads it");
    addOperand(product, slot ? slot->slot : BlockArgument(), slot ? std::optional(slot->dim) : std::nullopt);
    if (product.isBlockScaled())
      addOperand(product, findSlot(product.getScaleB()), /*dim=*/std::nullopt);
  }

  void addOperand(as::AsyncDotOp product, BlockArgument slot, std::optional<unsigned> dim) {
    auto stage = slot ? dyn_cast<as::ConsumeOneOp>(slot.getOwner()->getParentOp()) : as::ConsumeOneOp();
    if (!stage)
      return refuse(product, "operand B is no tile of a stage");
    const CtaPairs::Operand operand = {getPipeline(stage), slot.getArgNumber(), dim};
    const CtaPairs::Operand *known = findOperand(operand.pipeline, operand.number);
    if (known && known->dim != operand.dim)
      return refuse(product, "another MMA reads operand B the other way round");
    if (!known)
      found.operands.push_back(operand);
  }

  static bool readsHalf(const MmaAtom &atom, as::AsyncDotOp product) {
    RankedTensorType half = halveMemory(product.getB().getType(), 1);
    if (!half)
      return false;
    llvm::Expected<MatrixDescriptorLayout> descriptor = as::getOperandDescriptor(atom, as::OperandAxis::B, half);
    if (descriptor)
      return true;
    llvm::consumeError(descriptor.takeError());
    return false;
  }

  const CtaPairs::Operand *findOperand(as::CreatePipelineOp pipeline, unsigned number) const {
    for (const CtaPairs::Operand &operand : found.operands)
      if (operand.pipeline == pipeline && operand.number == number)
        return &operand;
    return nullptr;
  }

  void checkStage(as::CreatePipelineOp pipeline, as::PipelineRegionOpInterface stage) {
    for (BlockArgument slot : stage.getPipelineBody().front().getArguments()) {
      const CtaPairs::Operand *operand = findOperand(pipeline, slot.getArgNumber());
      if (isa<as::ProduceOneOp>(stage))
        checkCopy(stage, slot, operand);
      else if (operand && !isOperandB(slot, /*isOfScales=*/!operand->dim))
        refuse(stage, "what is operand B is read elsewhere, too");
    }
  }

  /// Products read it as nothing else.
  static bool isOperandB(Value tile, bool isOfScales) {
    return llvm::all_of(tile.getUses(), [&](OpOperand &use) {
      if (isa<ViewLikeOpInterface>(use.getOwner()))
        return isOperandB(use.getOwner()->getResult(0), isOfScales);
      auto product = dyn_cast<as::AsyncDotOp>(use.getOwner());
      return product && &use == (isOfScales ? product.getScaleBMutable().begin() : &product.getBMutable());
    });
  }

  /// Both CTAs need operand B and its scales, and nothing else; of what is halved, they copy half each. Threads copy
  /// what is not, and who starts the products waits for them.
  void checkCopy(Operation *stage, BlockArgument slot, const CtaPairs::Operand *operand) {
    as::AsyncTiledTmaLoadOp load = findCopyTo<as::AsyncTiledTmaLoadOp>(slot);
    auto gather = findCopyTo<as::AsyncGatherTmaLoadOp>(slot);
    if (!load && operand && operand->dim)
      return refuse(stage, gather ? "rows of operand B are gathered" : "threads fill a stage with operand B");
    if (Operation *map = gather ? gather.getDesc().getDefiningOp() : nullptr; map && map->getParentOp() != function)
      return refuse(gather, "the array changes in a loop, and only one of the CTAs is told when copies are complete");
    if (!load)
      return;
    const bool isShared = aa::getSharedCtas(load) & aa::kPairBit;
    if (isShared && !operand)
      return refuse(load, "the CTAs share operand A");
    if (!isShared && operand && operand->dim)
      return refuse(load, "the CTAs do not share operand B");
    Operation *map = load.getDesc().getDefiningOp();
    if (map && map->getParentOp() != function)
      return refuse(load, "the array changes in a loop, and only one of the CTAs is told when copies are complete");
    if (!operand || !operand->dim)
      return;
    std::optional<unsigned> dim = findDimOfCopy(load, *operand->dim);
    const int64_t half = getShape(slot)[*operand->dim] / 2;
    if (!dim || (load.getDesc().getType().getBox()[*dim] > half && !(map && map->hasOneUse())))
      refuse(load, "boxes of the tensor map are for more than half of operand B");
  }

  FunctionOpInterface function;
  const ChipTarget &target;
  CtaPairs found;
};

} // namespace

CtaPairs findCtaPairs(FunctionOpInterface function, ArrayRef<ProductLoop> loops, const ChipTarget &target) {
  return PairFinder(function, target).run(loops);
}

//===----------------------------------------------------------------------===//
// Halves of operand B
//===----------------------------------------------------------------------===//

/// Gives the other names of `tile`, whose dimension `dim` has been halved, their types.
static void halveNames(Value tile, unsigned dim) {
  auto type = cast<RankedTensorType>(tile.getType());
  for (Operation *user : tile.getUsers()) {
    unsigned ofResult = dim;
    if (auto permute = dyn_cast<as::PermuteOp>(user)) {
      ofResult = llvm::find(permute.getPermutation(), int32_t(dim)) - permute.getPermutation().begin();
      permute.getResult().setType(as::getPermutedMemory(type, permute.getPermutation()));
    } else if (auto view = dyn_cast<as::ViewOp>(user)) {
      SmallVector<int64_t> before(type.getShape()), shape(getShape(view.getResult()));
      before[dim] *= 2;
      ofResult = *findSameDim(before, shape, dim);
      shape[ofResult] /= 2;
      view.getResult().setType(
          as::getSharedType(type.getElementType(), llvm::cantFail(as::getSharedLayout(type)).reshape(shape)));
    } else {
      continue;
    }
    halveNames(user->getResult(0), ofResult);
  }
}

/// The CTA copies nothing for the other one of its pair.
static void copyAlone(as::AsyncTiledTmaLoadOp load) {
  const uint32_t shared = aa::getSharedCtas(load) & ~aa::kPairBit;
  Builder builder(load.getContext());
  load.setCtaPair(true);
  load.setMulticast(shared != 0);
  load.setSharedCtas(shared);
  if (shared != 0)
    load.setNumMulticastAttr(builder.getI32IntegerAttr(aa::getNumSharingCtas(shared)));
  else
    load.removeNumMulticastAttr();
}

/// From the rows or columns with its number on, the CTA copies what it keeps.
static void copyHalf(as::AsyncTiledTmaLoadOp load, unsigned dim) {
  const int64_t half = getShape(load.getDestination())[dim];
  as::TmaDescType desc = load.getDesc().getType();
  SmallVector<int64_t> box(desc.getBox());
  box[dim] = std::min(box[dim], half);
  load.getDesc().setType(desc.withBox(box));
  OpBuilder builder(load);
  const Location location = load.getLoc();
  auto constant = [&](int64_t value) { return arith::ConstantIntOp::create(builder, location, value, /*width=*/32); };
  Value rank = aa::GetCtaRankOp::create(builder, location, builder.getI32Type());
  Value number = arith::AndIOp::create(builder, location, rank, constant(aa::kPairBit));
  Value first = arith::MulIOp::create(builder, location, number, constant(half));
  OpOperand &coordinate = load.getCoordsMutable()[dim];
  coordinate.set(arith::AddIOp::create(builder, location, coordinate.get(), first));
}

/// What a stage of one CTA holds.
static SmallVector<Type> halvePayload(as::CreatePipelineOp pipeline, ArrayRef<CtaPairs::Operand> operands) {
  SmallVector<Type> payload(pipeline.getType().getPayload());
  for (const CtaPairs::Operand &operand : operands)
    if (operand.pipeline == pipeline && operand.dim)
      payload[operand.number] = halveMemory(cast<RankedTensorType>(payload[operand.number]), *operand.dim);
  return payload;
}

int64_t CtaPairs::countStages(as::CreatePipelineOp pipeline) const {
  const as::PipelineType type = pipeline.getType();
  const aa::StageCountsAttr counts = pipeline.getStageCountsAttr();
  const int64_t wanted = counts && counts.getWanted() ? counts.getWanted() : type.getStages();
  const int64_t bytes = type.getStages() * getStageBytes(type.getPayload());
  return std::min(wanted, bytes / getStageBytes(halvePayload(pipeline, operands)));
}

static void pairPipeline(as::CreatePipelineOp pipeline, const CtaPairs &pairs) {
  const SmallVector<Type> payload = halvePayload(pipeline, pairs.operands);
  const int64_t stages = pairs.countStages(pipeline);
  for (auto [buffer, type] : llvm::zip_equal(pipeline.getBuffers(), payload))
    buffer.setType(cast<RankedTensorType>(type));
  for (Value memory : pipeline->getOperands())
    memory.getDefiningOp<as::AllocTensorOp>().setStages(stages);
  as::setPipelineType(pipeline, as::PipelineType::get(pipeline.getContext(), stages, payload));
  pipeline.setSharedCtas(pipeline.getSharedCtas() & ~aa::kPairBit);
  pipeline.setCtaPair(true);
  for (as::PipelineRegionOpInterface stage : as::getStageBodies(pipeline)) {
    Block &body = stage.getPipelineBody().front();
    for (const CtaPairs::Operand &operand : pairs.operands) {
      if (operand.pipeline != pipeline || !operand.dim)
        continue;
      Value slot = body.getArgument(operand.number);
      halveNames(slot, *operand.dim);
      if (isa<as::ProduceOneOp>(stage)) {
        as::AsyncTiledTmaLoadOp load = findCopyTo<as::AsyncTiledTmaLoadOp>(slot);
        copyHalf(load, *findDimOfCopy(load, *operand.dim));
      }
    }
    for (auto load : body.getOps<as::AsyncTiledTmaLoadOp>())
      copyAlone(load);
    for (auto gather : body.getOps<as::AsyncGatherTmaLoadOp>())
      gather.setCtaPair(true);
  }
}

void pairProducts(const CtaPairs &pairs, ArrayRef<ProductLoop> loops) {
  for (as::CreatePipelineOp pipeline : pairs.pipelines)
    pairPipeline(pipeline, pairs);
  for (const ProductLoop &loop : loops)
    for (as::ConsumeOneOp consume : loop.consumers)
      for (as::AsyncDotOp product : getProducts(consume))
        product.setCtaPair(true);
}

} // namespace tileiras::async
