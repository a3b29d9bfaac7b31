//===- PipelineGroups.cpp - What fills and reads the stages of a pipeline -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PipelineGroups.h"
#include "WarpgroupProducts.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"

using namespace mlir;

namespace tileiras::layout {

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

LinearLayout ProductUse::deriveLayout(const LinearLayout &entry) const {
  LinearLayout layout = entry;
  for (Operation *op : path)
    if (auto shape = dyn_cast<as::ShapeLayoutOpInterface>(op))
      layout = *shape.deriveResultLayout(layout);
  return layout;
}

std::optional<LinearLayout> ProductUse::deriveEntryLayout(const LinearLayout &operand) const {
  std::optional<LinearLayout> layout = operand;
  for (Operation *op : llvm::reverse(path))
    if (auto shape = dyn_cast<as::ShapeLayoutOpInterface>(op); shape && layout)
      layout = shape.deriveSourceLayout(*layout);
  return layout;
}

OpOperand &ProductUse::getOperand() {
  const bool isA = axis == as::OperandAxis::A;
  if (isScale)
    return *(isA ? product.getScaleAMutable() : product.getScaleBMutable()).begin();
  return isA ? product.getAMutable() : product.getBMutable();
}

unsigned PipelineEntry::getElementBits() const {
  return as::getSharedBits(type.getElementType());
}

/// Of a tile in memory these are the same memory.
static bool isRenaming(Operation *op) {
  return isa<ViewLikeOpInterface, as::ConvertLayoutOp>(op);
}

/// Several warps have the same fragments: a conversion, which takes more instructions, is not worth doing for each.
static bool isElementwise(OpOperand &use) {
  Operation *op = use.getOwner();
  return OpTrait::hasElementwiseMappableTraits(op) && op->getNumResults() == 1 && as::isTile(op->getResult(0)) &&
         getElementTypeOrSelf(op->getResult(0)) == getElementTypeOrSelf(use.get());
}

/// How a product reads `use`; nothing if it is its accumulator, or no product does.
static std::optional<ProductUse> findProductUse(OpOperand &use) {
  auto product = dyn_cast<as::DotOp>(use.getOwner());
  if (!product)
    return std::nullopt;
  for (as::OperandAxis axis : {as::OperandAxis::A, as::OperandAxis::B})
    for (bool isScale : {false, true}) {
      ProductUse found{product, axis, isScale, {}};
      if ((!isScale || product.isBlockScaled()) && &found.getOperand() == &use)
        return found;
    }
  return std::nullopt;
}

/// Follows a value to the products that read it, `path` being the way from the entry. Where products read registers,
/// what is computed on the way, element by element, is computed with their fragments.
static void collectUses(Value value, SmallVector<Operation *> &path, PipelineEntry &entry, bool fromRegisters) {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (std::optional<ProductUse> product = findProductUse(use)) {
      product->path = path;
      entry.products.push_back(*product);
    } else if (isRenaming(user) || (fromRegisters && isElementwise(use))) {
      path.push_back(user);
      collectUses(user->getResult(0), path, entry, fromRegisters);
      path.pop_back();
    } else {
      entry.hasOtherUses = true;
    }
  }
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

namespace {
enum class PayloadKind { Registers, Memory, Scalar };
} // namespace

static PayloadKind getKind(Type payload) {
  if (as::isMemoryTensor(payload))
    return PayloadKind::Memory;
  return isa<RankedTensorType>(payload) ? PayloadKind::Registers : PayloadKind::Scalar;
}

static PipelineGroup collectGroup(as::CreatePipelineOp pipeline, bool fromRegisters) {
  PipelineGroup group;
  group.pipeline = pipeline;
  for (Type type : pipeline.getPipeline().getType().getPayload())
    group.entries.emplace_back().type = cast<RankedTensorType>(type);
  for (as::PipelineRegionOpInterface op : as::getStageBodies(pipeline)) {
    (op.isProducer() ? group.producers : group.consumers).push_back(op);
    Region &body = op.getPipelineBody();
    if (op.isProducer())
      for (auto [entry, value] : llvm::zip(group.entries, body.back().getTerminator()->getOperands()))
        entry.produced.push_back(value);
    else
      for (auto [entry, argument] : llvm::zip(group.entries, body.getArguments()))
        entry.arguments.push_back(argument);
  }
  for (PipelineEntry &entry : group.entries)
    for (BlockArgument argument : entry.arguments) {
      SmallVector<Operation *> path;
      collectUses(argument, path, entry, fromRegisters);
    }
  return group;
}

LogicalResult emitNoCommonMemory(as::CreatePipelineOp pipeline) {
  InFlightDiagnostic diagnostic = pipeline.emitError(" can not find common memKind among pipeline alias group\n");
  diagnostic.attachNote()
      << "stages of tiles lie in shared memory and stages of scalars do not; give tiles and scalars "
         "pipelines of their own";
  return diagnostic;
}

FailureOr<std::vector<PipelineGroup>> collectPipelineGroups(Operation *func, const ChipTarget &target) {
  const bool fromRegisters = target && !hasWarpgroupProducts(target);
  std::vector<PipelineGroup> groups;
  WalkResult result = func->walk([&](as::CreatePipelineOp pipeline) -> WalkResult {
    ArrayRef<Type> payload = pipeline.getPipeline().getType().getPayload();
    const PayloadKind kind = getKind(payload.front());
    if (!llvm::all_of(payload, [&](Type type) { return getKind(type) == kind; }))
      return emitNoCommonMemory(pipeline);
    if (kind == PayloadKind::Registers)
      groups.push_back(collectGroup(pipeline, fromRegisters));
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return groups;
}

} // namespace tileiras::layout
