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
    const bool isMatrix = isByMatrices(op, lowering);
    if (failed(checkMatrices(op, *copy, *tile, lowering)))
      return failure();
    if (copy->isStore) {
      emitSharedTileStore(emit, lowering, toCarrier(emit, adaptor.getSource()), registers, tile->layout,
                          adaptor.getDestination(), isMatrix || op.getAtom().isAny());
      rewriter.eraseOp(op);
      return success();
    }
    Value loaded = emitSharedTileLoad(emit, lowering, tile->carrier, registers, tile->layout, adaptor.getSource(),
                                      isMatrix || op.getAtom().isAny(), op.getOrigin().value_or(ArrayRef<int64_t>()));
    rewriter.replaceOp(op, fromCarrier(emit, loaded, convert(copy->registers)));
    return success();
  }

  /// The atom that `op` names is ldmatrix or stmatrix.
  static bool isByMatrices(as::CopyOp op, const LoweringContext &lowering) {
    const CopyAtom *atom = op.getAtom().findCopy(lowering.atoms());
    return atom && atom->kind == CopyKind::Matrix;
  }

  /// Layouts let the instruction do it that the atom names.
  static LogicalResult checkMatrices(as::CopyOp op, const as::RegisterCopy &copy, const SharedTile &tile,
                                     const LoweringContext &lowering) {
    if (!isByMatrices(op, lowering))
      return success();
    const SharedAccess access =
        planSharedAccess(getLayout(copy.registers).removeRegisterReplicas().within(tile.layout.getOutSizes()),
                         tile.layout, tile.carrier.getIntOrFloatBitWidth(), /*allowMatrix=*/true);
    if (access.matrix)
      return success();
    return op.emitOpError() << "names atom \"" << op.getAtom().getName() << "\", which cannot move " << copy.registers
                            << " to or from " << copy.memory << "; with \"" << as::AtomAttr::kAnyCopy
                            << "\" an instruction is chosen";
  }
};

} // namespace

void populateSharedTensorPatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<AllocTensorPattern, CopyPattern>(lowering);
}

} // namespace tileiras
