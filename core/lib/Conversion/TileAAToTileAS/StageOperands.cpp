//===- StageOperands.cpp - tileas-stage-operands --------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Analysis/WarpgroupProducts.h"
#include "tileiras/Conversion/TileAAToTileAS/Passes.h"
#include "tileiras/Dialect/TileAA/ModuleTarget.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/MmaSelection.h"
#include "tileiras/Dialect/TileAS/ScaledProducts.h"
#include "tileiras/Lowering/ExecutionScope.h"

namespace tileiras {
#define GEN_PASS_DEF_TILEASSTAGEOPERANDS
#include "tileiras/Conversion/TileAAToTileAS/Passes.h.inc"
} // namespace tileiras

using namespace mlir;
using namespace tileiras;

namespace {

struct TileASStageOperands : tileiras::impl::TileASStageOperandsBase<TileASStageOperands> {
  using Base::Base;

  void runOnOperation() override {
    const ChipTarget target = findModuleTarget(getOperation(), gpuName);
    SmallVector<as::DotOp> products;
    getOperation()->walk([&](as::DotOp product) {
      if (product.getAtom().isUnplaced())
        products.push_back(product);
    });
    for (as::DotOp product : products)
      if (failed(place(product, target)))
        return signalPassFailure();
  }

  static LogicalResult place(as::DotOp product, const ChipTarget &target) {
    llvm::Expected<as::WarpgroupProduct> chosen = as::findWarpgroupProduct(
        product.getContext(), getMmaQuery(product), target, getExecutionScope(product).numWarps,
        as::OperandPlace::KMajor, as::OperandPlace::KMajor);
    if (!chosen)
      return product.emitOpError() << "finds no instruction: " << llvm::toString(chosen.takeError());
    if (failed(stage(product, product.getAMutable(), /*depth=*/1)) ||
        failed(stage(product, product.getBMutable(), /*depth=*/0)))
      return failure();
    product.setAtomAttr(as::AtomAttr::get(product.getContext(), chosen->atom->name));
    as::setAccumulator(product, chosen->layouts.c);
    as::setScales(product, chosen->layouts);
    return success();
  }

  /// A copy of the operand in shared memory, contiguous along `depth`, dimension K.
  static LogicalResult stage(as::DotOp product, OpOperand &operand, unsigned depth) {
    auto tile = cast<RankedTensorType>(operand.get().getType());
    RankedTensorType type = as::chooseOperandMemory(tile, depth);
    if (!type)
      return product.emitOpError() << "has an operand that no swizzle fits: " << tile;
    OpBuilder builder(product);
    operand.set(as::copyToMemory(builder, product.getLoc(), operand.get(), type));
    return success();
  }
};

} // namespace
