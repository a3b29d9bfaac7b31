//===- Slice.cpp - Parts of tiles -----------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Which elements a thread needs depends on indices known at run time only: the slice lies row-major in shared memory
// and everybody reads from there. Where indices are known and threads have what they need, they pick registers.
//
//===----------------------------------------------------------------------===//

#include "Conversion/TileASToLLVM/Patterns.h"
#include "mlir/IR/TypeUtilities.h"
#include "tileiras/Dialect/TileAS/KnownSlices.h"

using namespace mlir;

namespace tileiras {
namespace {

/// The box `box` of the slice, of shape `slice`, that run-time indices name in a tile of shape `tile`. A slice outside
/// of the tile becomes some slice inside.
TileSlice getBoxOfSlice(Emitter &emit, ArrayRef<int64_t> tile, ArrayRef<int64_t> slice, ValueRange indices,
                        const TileSlice &box) {
  TileSlice result{box.extents, {}};
  for (unsigned d = 0; d < tile.size(); ++d) {
    Value index = box.indices[d];
    if (tile[d] != slice[d]) {
      Value inside = emit.bitAnd(indices[d], emit.i32(tile[d] / slice[d] - 1));
      Value first = emit.mul(inside, emit.i32(slice[d] / box.extents[d]));
      index = index ? emit.add(first, index) : first;
    }
    result.indices.push_back(index);
  }
  return result;
}

unsigned getElementBytes(const LoweringContext &lowering, RankedTensorType slice) {
  return getCarrierBytes(lowering.converter.convertElement(slice.getElementType()));
}

ExchangeRounds getRounds(const LoweringContext &lowering, RankedTensorType slice, Operation *op) {
  return ExchangeRounds(lowering.getScratchLimit(op), slice.getShape(), getElementBytes(lowering, slice));
}

int64_t getSliceScratchBytes(const LoweringContext &lowering, RankedTensorType slice, Operation *op) {
  return getRounds(lowering, slice, op).getBoxElements() * getElementBytes(lowering, slice);
}

struct ExtractSlicePattern final : TilePattern<as::ExtractSliceOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::ExtractSliceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    if (std::optional<SmallVector<unsigned>> registers = as::findSliceRegisters(op)) {
      const SmallVector<Value> whole = emit.unpack(adaptor.getSource());
      rewriter.replaceOp(op, emit.pack(llvm::map_to_vector(*registers, [&](unsigned r) { return whole[r]; })));
      return success();
    }
    auto source = cast<RankedTensorType>(op.getSource().getType()), result = cast<RankedTensorType>(op.getType());
    Value carrier = toCarrier(emit, adaptor.getSource()), scratch = emitScratch(emit, op);
    LinearLayout layout = getLayout(result);
    SmallVector<Value> registers(layout.getInSize(LayoutDim::Register), Value());
    getRounds(lowering, result, op).emit(emit, [&](const TileSlice &box) {
      TileSlice from = getBoxOfSlice(emit, source.getShape(), result.getShape(), adaptor.getIndices(), box);
      emitStageSlice(emit, carrier, getLayout(source), from, scratch);
      emit.barrier();
      emitLoadSlice(emit, layout, box, scratch, getElementTypeOrSelf(carrier.getType()), registers);
    });
    rewriter.replaceOp(op, fromCarrier(emit, emit.pack(registers), convert(result)));
    return success();
  }
};

struct InsertSlicePattern final : TilePattern<as::InsertSliceOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::InsertSliceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    auto source = cast<RankedTensorType>(op.getSource().getType()), result = cast<RankedTensorType>(op.getType());
    Value carrier = toCarrier(emit, adaptor.getSource()), scratch = emitScratch(emit, op);
    SmallVector<Value> registers = emit.unpack(toCarrier(emit, adaptor.getDestination()));
    getRounds(lowering, source, op).emit(emit, [&](const TileSlice &box) {
      emitStageSlice(emit, carrier, getLayout(source), box, scratch);
      emit.barrier();
      TileSlice to = getBoxOfSlice(emit, result.getShape(), source.getShape(), adaptor.getIndices(), box);
      emitLoadSlice(emit, getLayout(result), to, scratch, getElementTypeOrSelf(carrier.getType()), registers);
    });
    rewriter.replaceOp(op, fromCarrier(emit, emit.pack(registers), convert(result)));
    return success();
  }
};

} // namespace

int64_t as::ExtractSliceOp::getScratchBytes(const LoweringContext &lowering) {
  return findSliceRegisters(*this) ? 0 : getSliceScratchBytes(lowering, getResult().getType(), *this);
}

int64_t as::InsertSliceOp::getScratchBytes(const LoweringContext &lowering) {
  return getSliceScratchBytes(lowering, getSource().getType(), *this);
}

void populateSlicePatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<ExtractSlicePattern, InsertSlicePattern>(lowering);
}

} // namespace tileiras
