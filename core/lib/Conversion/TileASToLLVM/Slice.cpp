//===- Slice.cpp - Parts of tiles -----------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Which elements a thread needs depends on indices known at run time only: the slice lies row-major in shared memory
// and everybody reads from there.
//
//===----------------------------------------------------------------------===//

#include "Collectives.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace tileiras {
namespace {

/// The slice of a tile of `shape` that run-time indices name; one outside of the tile becomes some slice inside.
TileSlice getSlice(Emitter &emit, ArrayRef<int64_t> shape, ArrayRef<int64_t> extents, ValueRange indices) {
  TileSlice slice{SmallVector<int64_t>(extents), {}};
  for (auto [outer, inner, index] : llvm::zip_equal(shape, extents, indices))
    slice.indices.push_back(outer == inner ? Value() : emit.bitAnd(index, emit.i32(outer / inner - 1)));
  return slice;
}

struct ExtractSlicePattern final : TilePattern<as::ExtractSliceOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::ExtractSliceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op.getLoc());
    auto source = cast<RankedTensorType>(op.getSource().getType()), result = cast<RankedTensorType>(op.getType());
    Value carrier = toCarrier(emit, adaptor.getSource()), scratch = emitScratch(emit, op);
    Type word = getElementTypeOrSelf(carrier.getType());
    TileSlice slice = getSlice(emit, source.getShape(), result.getShape(), adaptor.getIndices());
    emitStageSlice(emit, carrier, getLayout(source), slice, scratch);
    emit.barrier();
    LinearLayout layout = getLayout(result);
    SmallVector<Value> thread = emitThreadCoordinates(emit, layout), registers;
    for (int64_t reg = 0; reg < layout.getInSize(LayoutDim::Register); ++reg) {
      SmallVector<Value> at = emitCoordinates(emit, thread, layout, reg);
      Value pointer = emit.gep(word, scratch, emitFlatIndex(emit, at, result.getShape()));
      registers.push_back(emit.load(word, pointer, word.getIntOrFloatBitWidth() / 8));
    }
    rewriter.replaceOp(op, fromCarrier(emit, emit.pack(registers), convert(result)));
    return success();
  }
};

struct InsertSlicePattern final : TilePattern<as::InsertSliceOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::InsertSliceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op.getLoc());
    auto source = cast<RankedTensorType>(op.getSource().getType()), result = cast<RankedTensorType>(op.getType());
    Value carrier = toCarrier(emit, adaptor.getSource()), scratch = emitScratch(emit, op);
    Type word = getElementTypeOrSelf(carrier.getType());
    emitStage(emit, carrier, getLayout(source), scratch);
    emit.barrier();
    TileSlice slice = getSlice(emit, result.getShape(), source.getShape(), adaptor.getIndices());
    LinearLayout layout = getLayout(result);
    SmallVector<Value> thread = emitThreadCoordinates(emit, layout), registers;
    Value destination = toCarrier(emit, adaptor.getDestination());
    for (int64_t reg = 0; reg < layout.getInSize(LayoutDim::Register); ++reg) {
      SmallVector<Value> at = emitCoordinates(emit, thread, layout, reg);
      Value inside = slice.emitEnter(emit, at), kept = emit.extract(destination, reg);
      Value pointer = emit.gep(word, scratch, emitFlatIndex(emit, at, source.getShape()));
      Value inserted = emit.load(word, pointer, word.getIntOrFloatBitWidth() / 8);
      registers.push_back(inside ? emit.select(inside, inserted, kept) : inserted);
    }
    rewriter.replaceOp(op, fromCarrier(emit, emit.pack(registers), convert(result)));
    return success();
  }
};

} // namespace

int64_t getSliceScratchBytes(const LoweringContext &lowering, Operation *op) {
  auto slice = cast<RankedTensorType>(isa<as::ExtractSliceOp>(op) ? op->getResult(0).getType()
                                                                  : cast<as::InsertSliceOp>(op).getSource().getType());
  return slice.getNumElements() * getCarrierBytes(lowering.converter.convertElement(slice.getElementType()));
}

void populateSlicePatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<ExtractSlicePattern, InsertSlicePattern>(lowering);
}

} // namespace tileiras
