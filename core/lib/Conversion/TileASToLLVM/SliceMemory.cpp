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
#include "Patterns.h"
#include "tileiras/Lowering/SharedStaging.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tileiras {

static constexpr StringLiteral kLocalArenaAttr = "nv_tileas.local_arena";

static int64_t getSliceBytes(const LoweringContext &lowering, as::SlicesType type) {
  Type element = lowering.converter.convertElement(type.getSlice().getElementType());
  return llvm::alignTo(int64_t(getNumRegisters(type.getSlice())) * getCarrierBytes(element), kSliceVectorBytes);
}

int64_t getThreadBytes(const LoweringContext &lowering, as::SlicesType type) {
  return type.getNumSlices() * getSliceBytes(lowering, type);
}

void createLocalArena(LLVM::LLVMFuncOp function, int64_t bytes) {
  auto builder = OpBuilder::atBlockBegin(&function.getBody().front());
  Emitter emit(builder, function);
  auto array = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes);
  auto arena = LLVM::AllocaOp::create(builder, function.getLoc(), emit.ptrType(kGenericSpace), array, emit.i32(1),
                                      kSliceVectorBytes);
  arena->setAttr(kLocalArenaAttr, builder.getUnitAttr());
}

namespace {

Value findLocalArena(LLVM::LLVMFuncOp function) {
  for (auto arena : function.getBody().front().getOps<LLVM::AllocaOp>())
    if (arena->hasAttr(kLocalArenaAttr))
      return arena;
  return {};
}

/// The pointer is to the thread's first vector.
struct AllocSlicesPattern final : TilePattern<as::AllocSlicesOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::AllocSlicesOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!op.getSlot())
      return op.emitOpError("has no place: run tileas-allocate-memory before");
    Emitter emit(rewriter, op);
    Value pointer;
    if (op.getType().getAddressSpace() == kSharedSpace) {
      Value offset = emit.mul(emit.threadId(), emit.i32(kSliceVectorBytes));
      pointer = emit.gep(emit.intType(8), emitArenaAddress(emit, op, *op.getSlot()), offset);
    } else {
      Value arena = findLocalArena(op->getParentOfType<LLVM::LLVMFuncOp>());
      pointer = emit.gep(emit.intType(8), arena, op.getSlot()->getOffset());
    }
    rewriter.replaceOp(op, pointer);
    return success();
  }
};

template <typename OpTy>
struct SliceAccessPattern : TilePattern<OpTy> {
  using TilePattern<OpTy>::TilePattern;

protected:
  /// Bytes from a thread's vector to its next one.
  static int64_t getVectorStride(Emitter &emit, as::SlicesType type) {
    return type.getAddressSpace() == kSharedSpace ? kSliceVectorBytes * emit.scope.getNumThreads() : kSliceVectorBytes;
  }

  /// To the thread's first vector of the slice.
  Value emitSliceAddress(Emitter &emit, as::SlicesType type, Value pointer, ValueRange indices) const {
    Value slice = emitFlatIndex(emit, SmallVector<Value>(indices), type.getGrid());
    int64_t vectors = getSliceBytes(this->lowering, type) / kSliceVectorBytes;
    return emit.gep(emit.intType(8), pointer, emit.mul(slice, emit.i32(vectors * getVectorStride(emit, type))));
  }
};

struct StoreSlicePattern final : SliceAccessPattern<as::StoreSliceOp> {
  using SliceAccessPattern::SliceAccessPattern;

  LogicalResult matchAndRewrite(as::StoreSliceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    as::SlicesType type = op.getSlices().getType();
    Value address = emitSliceAddress(emit, type, adaptor.getSlices(), adaptor.getIndices());
    Value carriers = toCarrier(emit, adaptor.getTile());
    const unsigned count = Emitter::getVectorSize(carriers);
    const unsigned bytes = getCarrierBytes(cast<VectorType>(carriers.getType()).getElementType());
    const unsigned step = std::min<unsigned>(count, kSliceVectorBytes / bytes);
    for (unsigned first = 0; first < count; first += step) {
      SmallVector<int32_t> taken = llvm::to_vector(llvm::seq<int32_t>(first, first + step));
      Value vector = count == step ? carriers : emit.shuffleElements(carriers, taken);
      emit.store(vector, emit.gep(emit.intType(8), address, first / step * getVectorStride(emit, type)),
                 std::min<unsigned>(step * bytes, kSliceVectorBytes));
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
    as::SlicesType type = op.getSlices().getType();
    Value address = emitSliceAddress(emit, type, adaptor.getSlices(), adaptor.getIndices());
    const unsigned count = getNumRegisters(type.getSlice());
    const unsigned bytes = getCarrierBytes(lowering.converter.convertElement(type.getSlice().getElementType()));
    const unsigned step = std::min<unsigned>(count, kSliceVectorBytes / bytes);
    SmallVector<Value> registers;
    for (unsigned first = 0; first < count; first += step) {
      Value vector = emit.load(Emitter::vectorType(step, emit.intType(8 * bytes)),
                               emit.gep(emit.intType(8), address, first / step * getVectorStride(emit, type)),
                               std::min<unsigned>(step * bytes, kSliceVectorBytes));
      llvm::append_range(registers, emit.unpack(vector));
    }
    rewriter.replaceOp(op, fromCarrier(emit, emit.pack(registers), convert(op.getType())));
    return success();
  }
};

} // namespace

void populateSliceMemoryPatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<AllocSlicesPattern, StoreSlicePattern, LoadSlicePattern>(lowering);
}

} // namespace tileiras
