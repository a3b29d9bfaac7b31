//===- SliceMemory.cpp - Memory of tiles that are kept as slices ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread's part of a slice is a row of vectors of 16 bytes. In shared memory vectors of neighbouring threads are
// neighbours, so that an access has no bank conflicts; the hardware interleaves local memory by itself.
//
//===----------------------------------------------------------------------===//

#include "SliceMemory.h"
#include "Conversion/TileASToLLVM/Patterns.h"
#include "tileiras/Lowering/SharedStaging.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tileiras {

static int64_t getSliceBytes(const LoweringContext &lowering, as::SlicesType type) {
  Type element = lowering.converter.convertElement(type.getSlice().getElementType());
  return llvm::alignTo(int64_t(getNumRegisters(type.getSlice())) * getCarrierBytes(element), kSliceVectorBytes);
}

int64_t getThreadBytes(const LoweringContext &lowering, as::SlicesType type) {
  return type.getNumSlices() * getSliceBytes(lowering, type);
}

Value createLocalArena(LLVM::LLVMFuncOp function, int64_t bytes) {
  auto builder = OpBuilder::atBlockBegin(&function.getBody().front());
  Emitter emit(builder, function);
  auto array = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes);
  return LLVM::AllocaOp::create(builder, function.getLoc(), emit.ptrType(kGenericSpace), array, emit.i32(1),
                                kSliceVectorBytes);
}

namespace {

/// The pointer is to the thread's first vector.
struct AllocSlicesPattern final : TilePattern<as::AllocSlicesOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::AllocSlicesOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    const bool isShared = op.getType().getAddressSpace() == kSharedSpace;
    if (!op.getRange() || isShared == bool(op.getMemory()))
      return op.emitOpError("has no place: run tileas-allocate-memory before");
    Emitter emit(rewriter, op);
    Value pointer;
    if (isShared) {
      Value offset = emit.mul(emit.threadId(), emit.i32(kSliceVectorBytes));
      pointer = emit.gep(emit.intType(8), emitArenaAddress(emit, op, op.getRange()->getOffset()), offset);
    } else {
      pointer = emit.gep(emit.intType(8), adaptor.getMemory(), op.getRange()->getOffset());
    }
    rewriter.replaceOp(op, pointer);
    return success();
  }
};

template <typename OpTy>
struct SliceAccessPattern : TilePattern<OpTy> {
  using TilePattern<OpTy>::TilePattern;

protected:
  /// A thread's part of one slice.
  struct Row {
    Value address;         ///< of its first vector
    int64_t stride;        ///< bytes from one of its vectors to the next
    unsigned count, bytes; ///< carriers, and of one
    unsigned step;         ///< carriers of a vector

    Value getPointer(Emitter &emit, unsigned first) const {
      return emit.gep(emit.intType(8), address, first / step * stride);
    }
    unsigned getAlignment() const { return std::min<unsigned>(step * bytes, kSliceVectorBytes); }
  };

  Row emitRow(Emitter &emit, as::SlicesType type, Value pointer, ValueRange indices) const {
    Row row;
    row.stride =
        type.getAddressSpace() == kSharedSpace ? kSliceVectorBytes * emit.scope.getNumThreads() : kSliceVectorBytes;
    row.count = getNumRegisters(type.getSlice());
    row.bytes = getCarrierBytes(this->lowering.converter.convertElement(type.getSlice().getElementType()));
    row.step = std::min<unsigned>(row.count, kSliceVectorBytes / row.bytes);
    Value slice = emitFlatIndex(emit, SmallVector<Value>(indices), type.getGrid());
    int64_t vectors = getSliceBytes(this->lowering, type) / kSliceVectorBytes;
    row.address = emit.gep(emit.intType(8), pointer, emit.mul(slice, emit.i32(vectors * row.stride)));
    return row;
  }
};

struct StoreSlicePattern final : SliceAccessPattern<as::StoreSliceOp> {
  using SliceAccessPattern::SliceAccessPattern;

  LogicalResult matchAndRewrite(as::StoreSliceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    Row row = emitRow(emit, op.getSlices().getType(), adaptor.getSlices(), adaptor.getIndices());
    Value carriers = toCarrier(emit, adaptor.getTile());
    for (unsigned first = 0; first < row.count; first += row.step) {
      SmallVector<int32_t> taken = llvm::to_vector(llvm::seq<int32_t>(first, first + row.step));
      Value vector = row.count == row.step ? carriers : emit.shuffleElements(carriers, taken);
      emit.store(vector, row.getPointer(emit, first), row.getAlignment());
    }
    rewriter.eraseOp(op);
    return success();
  }
};

struct LoadSlicePattern final : SliceAccessPattern<as::LoadSliceOp> {
  using SliceAccessPattern::SliceAccessPattern;

  LogicalResult matchAndRewrite(as::LoadSliceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    Row row = emitRow(emit, op.getSlices().getType(), adaptor.getSlices(), adaptor.getIndices());
    Type vector = Emitter::vectorType(row.step, emit.intType(8 * row.bytes));
    SmallVector<Value> carriers;
    for (unsigned first = 0; first < row.count; first += row.step)
      llvm::append_range(carriers, emit.unpack(emit.load(vector, row.getPointer(emit, first), row.getAlignment())));
    rewriter.replaceOp(op, fromCarrier(emit, emit.pack(carriers), convert(op.getType())));
    return success();
  }
};

} // namespace

void populateSliceMemoryPatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<AllocSlicesPattern, StoreSlicePattern, LoadSlicePattern>(lowering);
}

} // namespace tileiras
