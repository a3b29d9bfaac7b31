//===- Slice.cpp - Parts of tiles -----------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Which elements a thread needs depends on indices known at run time only: the tile lies row-major in shared memory and
// everybody reads from there.
//
//===----------------------------------------------------------------------===//

#include "Collectives.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace tileiras {
namespace {

/// Coordinates of register `reg` of this thread.
SmallVector<Value> getCoordinates(Emitter &emit, ArrayRef<Value> thread, const LinearLayout &layout, unsigned reg) {
  SmallVector<Value> coordinates;
  for (auto [value, part] : llvm::zip_equal(thread, getRegisterCoordinates(layout, reg)))
    coordinates.push_back(emit.bitXor(value, emit.i32(part)));
  return coordinates;
}

/// The row-major index of coordinates in a tile of `shape`.
Value flatten(Emitter &emit, ArrayRef<Value> coordinates, ArrayRef<int64_t> shape) {
  Value index = emit.i32(0);
  for (auto [coordinate, extent] : llvm::zip_equal(coordinates, shape))
    index = emit.add(emit.mul(index, emit.i32(extent)), coordinate);
  return index;
}

/// An index into a grid of `count` (a power of two) slices; one outside of it becomes some slice inside.
Value wrapIndex(Emitter &emit, Value index, int64_t count) {
  return emit.bitAnd(index, emit.i32(count - 1));
}

struct ExtractSlicePattern final : TilePattern<as::ExtractSliceOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::ExtractSliceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op.getLoc());
    auto source = cast<RankedTensorType>(op.getSource().getType()), result = cast<RankedTensorType>(op.getType());
    Value carrier = toCarrier(emit, adaptor.getSource()), scratch = emitScratch(emit, op);
    Type word = getElementTypeOrSelf(carrier.getType());
    emitStage(emit, carrier, getLayout(source), scratch);
    emit.barrier();
    SmallVector<Value> start;
    for (auto [index, outer, inner] : llvm::zip_equal(adaptor.getIndices(), source.getShape(), result.getShape()))
      start.push_back(emit.mul(wrapIndex(emit, index, outer / inner), emit.i32(inner)));
    LinearLayout layout = getLayout(result);
    SmallVector<Value> thread = emitThreadCoordinates(emit, layout), registers;
    for (int64_t reg = 0; reg < layout.getInSize(LayoutDim::Register); ++reg) {
      SmallVector<Value> at = getCoordinates(emit, thread, layout, reg);
      for (auto [coordinate, offset] : llvm::zip_equal(at, start))
        coordinate = emit.add(coordinate, offset);
      Value pointer = emit.gep(word, scratch, flatten(emit, at, source.getShape()));
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
    LinearLayout layout = getLayout(result);
    SmallVector<Value> thread = emitThreadCoordinates(emit, layout), registers;
    Value destination = toCarrier(emit, adaptor.getDestination());
    for (int64_t reg = 0; reg < layout.getInSize(LayoutDim::Register); ++reg) {
      SmallVector<Value> at = getCoordinates(emit, thread, layout, reg);
      Value inside;
      for (auto [coordinate, index, outer, inner] :
           llvm::zip_equal(at, adaptor.getIndices(), result.getShape(), source.getShape())) {
        Value slice = emit.lshr(coordinate, llvm::Log2_64(inner));
        inside =
            emit.conjunction(inside, emit.icmp(LLVM::ICmpPredicate::eq, slice, wrapIndex(emit, index, outer / inner)));
        coordinate = emit.bitAnd(coordinate, emit.i32(inner - 1));
      }
      Value pointer = emit.gep(word, scratch, flatten(emit, at, source.getShape()));
      Value inserted = emit.load(word, pointer, word.getIntOrFloatBitWidth() / 8);
      registers.push_back(emit.select(inside, inserted, emit.extract(destination, reg)));
    }
    rewriter.replaceOp(op, fromCarrier(emit, emit.pack(registers), convert(result)));
    return success();
  }
};

} // namespace

int64_t getSliceScratchBytes(const LoweringContext &lowering, Operation *op) {
  auto source = cast<RankedTensorType>(op->getOperand(0).getType());
  return source.getNumElements() * getCarrierBytes(lowering.converter.convertElement(source.getElementType()));
}

void populateSlicePatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<ExtractSlicePattern, InsertSlicePattern>(lowering);
}

} // namespace tileiras
