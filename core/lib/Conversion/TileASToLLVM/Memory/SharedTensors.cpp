//===- SharedTensors.cpp - Tiles in shared memory -------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/TileASToLLVM/Patterns.h"
#include "mlir/IR/TypeUtilities.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"

using namespace mlir;

namespace tileiras {
namespace {

/// A number of `type` fills its place in shared memory with its carrier.
struct SharedTile {
  LinearLayout layout;
  Type carrier;

  static FailureOr<SharedTile> get(Operation *op, RankedTensorType type, const LoweringContext &lowering) {
    llvm::Expected<LinearLayout> layout = as::getSharedLayout(type);
    if (!layout)
      return op->emitError("the layout of ") << type << " cannot be accessed: " << llvm::toString(layout.takeError());
    unsigned bytes = getCarrierBytes(lowering.converter.convertElement(type.getElementType()));
    return SharedTile{std::move(*layout), IntegerType::get(op->getContext(), 8 * bytes)};
  }
};

struct AllocTensorPattern final : TilePattern<as::AllocTensorOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::AllocTensorOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!as::isSharedTensor(op.getType()))
      return failure();
    Emitter emit(rewriter, op);
    rewriter.replaceOp(op, emitArenaAddress(emit, op, op.getRange()->getOffset()));
    return success();
  }
};

struct CopyPattern final : TilePattern<as::CopyOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::CopyOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    const std::optional<as::RegisterCopy> copy = as::findRegisterCopy(op);
    if (!copy || !as::isSharedTensor(copy->memory))
      return failure();
    FailureOr<SharedTile> tile = SharedTile::get(op, copy->memory, lowering);
    if (failed(tile))
      return failure();
    Emitter emit(rewriter, op);
    const LinearLayout registers = getLayout(copy->registers);
    if (copy->isStore) {
      emitSharedTileStore(emit, lowering, toCarrier(emit, adaptor.getSource()), registers, tile->layout,
                          adaptor.getDestination());
      rewriter.eraseOp(op);
      return success();
    }
    Value loaded = emitSharedTileLoad(emit, lowering, tile->carrier, registers, tile->layout, adaptor.getSource());
    rewriter.replaceOp(op, fromCarrier(emit, loaded, convert(copy->registers)));
    return success();
  }
};

} // namespace

void populateSharedTensorPatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<AllocTensorPattern, CopyPattern>(lowering);
}

} // namespace tileiras
