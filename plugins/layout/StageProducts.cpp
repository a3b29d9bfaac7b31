//===- StageProducts.cpp - tileas-stage-products --------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "Remarks.h"
#include "tileiras/Analysis/WarpgroupProducts.h"
#include "tileiras/Dialect/TileAA/Agents.h"
#include "tileiras/Dialect/TileAA/ModuleTarget.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/MmaSelection.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Dialect/TileAS/ScaledProducts.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "tileiras/Lowering/SharedBudget.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tileiras::layout {
#define GEN_PASS_DEF_TILEASSTAGEPRODUCTS
#include "Passes.h.inc"

namespace {

/// How a product finds an operand that threads have stored.
struct StagedOperand {
  RankedTensorType type; ///< in shared memory; null where no swizzle fits
  as::OperandPlace place;
};

/// As it was before it was transposed, so that threads store neighbours; bytes and words with K contiguous, as
/// instructions want them. `depth` is dimension K.
StagedOperand stageOperand(Value operand, unsigned depth) {
  auto tile = cast<RankedTensorType>(operand.getType());
  unsigned contiguous = 1;
  for (auto permute = operand.getDefiningOp<as::PermuteOp>(); permute;
       permute = as::skipConversions(permute.getSource()).getDefiningOp<as::PermuteOp>())
    contiguous = 1 - contiguous;
  if (as::getSharedBits(tile.getElementType()) != 16)
    contiguous = depth;
  return {as::chooseOperandMemory(tile, contiguous),
          contiguous == depth ? as::OperandPlace::KMajor : as::OperandPlace::MnMajor};
}

struct TileASStageProducts : impl::TileASStageProductsBase<TileASStageProducts> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileASStageProducts)
  using TileASStageProductsBase::TileASStageProductsBase;

  void runOnOperation() override {
    target = findModuleTarget(getOperation(), gpuName);
    // MMAs of warpgroups stand in agents where there are some.
    if (!target || !target.chip->features.wgmma || aa::hasAgents(getOperation()))
      return;
    SmallVector<as::DotOp> products;
    getOperation()->walk([&](as::DotOp product) {
      if (isOfWarps(product) && !product->getParentOfType<as::PipelineRegionOpInterface>())
        products.push_back(product);
    });
    if (products.empty())
      return;
    sharedMemory.emplace(getOperation(), target, getWantedCTAs(getOperation()));
    buffers.clear();
    readers.clear();
    for (as::DotOp product : products)
      for (Value operand : {product.getA(), product.getB()})
        readers[as::skipConversions(operand)].push_back(product);
    for (as::DotOp product : products)
      stage(product);
  }

  /// Its operands are in registers of single warps.
  bool isOfWarps(as::DotOp product) const {
    const MmaAtom *atom = product.getAtom().findMma(target.atoms());
    return atom && !as::isWarpgroupAtom(*atom) && product.getType().getRank() == 2 &&
           !as::isMemoryTensor(product.getA().getType()) && !as::isMemoryTensor(product.getB().getType());
  }

  void stage(as::DotOp product) {
    Value sourceA = as::skipConversions(product.getA()), sourceB = as::skipConversions(product.getB());
    const StagedOperand a = stageOperand(sourceA, /*depth=*/1), b = stageOperand(sourceB, /*depth=*/0);
    if (!a.type || !b.type)
      return;
    llvm::Expected<as::WarpgroupProduct> chosen = as::findWarpgroupProduct(
        &getContext(), getMmaQuery(product), target, getExecutionScope(product).numWarps, a.place, b.place);
    if (!chosen)
      return llvm::consumeError(chosen.takeError());
    llvm::Expected<as::WarpgroupTiling> fits =
        as::getWarpgroupTiling(*chosen->atom, a.type, b.type, product.getType().cloneWithEncoding(chosen->layouts.c));
    if (!fits)
      return llvm::consumeError(fits.takeError());
    if (!takeMemory(product, {{sourceA, a.type}, {sourceB, b.type}}))
      return;
    product.getAMutable().set(getBuffer(sourceA, a.type, product));
    product.getBMutable().set(getBuffer(sourceB, b.type, product));
    product.setAtomAttr(as::AtomAttr::get(&getContext(), chosen->atom->name));
    as::setAccumulator(product, chosen->layouts.c);
  }

  using Copy = std::pair<Value, Type>; ///< of a tile, in shared memory

  bool takeMemory(as::DotOp product, ArrayRef<Copy> copies) {
    llvm::SmallSetVector<Copy, 2> missing;
    missing.insert_range(llvm::make_filter_range(copies, [&](const Copy &copy) { return !buffers.contains(copy); }));
    int64_t bytes = 0;
    bool isTaken = true;
    for (const Copy &copy : missing) {
      const int64_t ofCopy = as::getStageBytes(cast<RankedTensorType>(copy.second));
      isTaken &= sharedMemory->take(ofCopy, getLifetime(copy.first));
      bytes += ofCopy;
    }
    if (isTaken)
      return true;
    remarkOn(product, Missed::SharedOperand)
        << llvm::formatv("single warps compute the MMA: its operands take {0} bytes of shared memory, and what else is "
                         "there leaves {1}; smaller tiles need less of it",
                         bytes, sharedMemory->getFree(sharedMemory->getOrder().getLifetime(product.getOperation())))
               .str();
    return false;
  }

  /// Of the copy of `operand`: until the products that read it have been waited for, which is where somebody first
  /// needs what they give.
  Lifetime getLifetime(Value operand) const {
    const ProgramOrder &order = sharedMemory->getOrder();
    Operation *definition = operand.getDefiningOp();
    if (!definition)
      return order.getWhole();
    Lifetime lifetime = order.getLifetime(definition);
    for (as::DotOp product : readers.lookup(operand)) {
      Operation *reader = definition->getBlock()->findAncestorOpInBlock(*product);
      std::optional<int64_t> needed;
      for (Operation *user : product->getUsers())
        if (Operation *inBlock = definition->getBlock()->findAncestorOpInBlock(*user))
          needed = std::min(needed.value_or(INT64_MAX), order.getLifetime(inBlock).begin);
      if (!reader || !needed)
        return order.getWhole();
      lifetime.end = std::max({lifetime.end, order.getLifetime(reader).end, *needed});
    }
    return lifetime;
  }

  /// The copy of `operand` in shared memory, from where it is computed on.
  Value getBuffer(Value operand, RankedTensorType type, as::DotOp product) {
    Value &buffer = buffers[{operand, type}];
    if (buffer)
      return buffer;
    OpBuilder builder(&getContext());
    builder.setInsertionPointAfterValue(operand);
    buffer = as::copyToMemory(builder, product.getLoc(), operand, type);
    return buffer;
  }

  ChipTarget target;
  llvm::DenseMap<Value, SmallVector<as::DotOp>> readers; ///< products by what they read, without conversions
  std::optional<SharedBudget> sharedMemory;
  llvm::DenseMap<Copy, Value> buffers;
};

} // namespace
} // namespace tileiras::layout
