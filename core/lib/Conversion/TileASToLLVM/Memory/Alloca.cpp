//===- Alloca.cpp - Memory that programs ask for --------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An alloca is memory of the tile block: a part of its shared memory or of the device's heap, as allocation has
// decided. Iterations of a loop use the same memory: what an alloca in it gave ends with the iteration.
//
//===----------------------------------------------------------------------===//

#include "DeviceHeap.h"

using namespace mlir;

namespace tileiras {
namespace {

struct AllocaPattern final : TilePattern<aa::AllocaOp> {
  using TilePattern::TilePattern;

  /// A store to half a byte keeps the other half, which has to be something.
  void emitZeros(Emitter &emit, aa::AllocaOp op, Value address) const {
    const int64_t threads = emit.scope.getNumThreads();
    Type byte = emit.intType(8);
    for (int64_t first = 0; first < int64_t(op.getBytes()); first += threads) {
      Value index = emit.add(emit.threadId(), emit.i32(first));
      Value inside = emit.icmp(LLVM::ICmpPredicate::slt, index, emit.i32(op.getBytes()));
      emitStore(emit, lowering.converter, {}, byte, emit.constant(byte, 0), {emit.gep(byte, address, index)}, inside);
    }
    emit.barrier();
  }

  LogicalResult matchAndRewrite(aa::AllocaOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    // In a loop it is the memory of the iteration before, which no token orders: all threads have to be done with it.
    emit.barrier();
    Value address = isOnHeap(op) ? emitHeapAddress(emit, op) : emitArenaAddress(emit, op, *op.getSharedOffset());
    if (Type type = convert(op.getType()); type != address.getType())
      address = LLVM::AddrSpaceCastOp::create(rewriter, op.getLoc(), type, address);
    if (isHalfByte(cast<aa::PtrType>(op.getType()).getPointeeType()))
      emitZeros(emit, op, address);
    rewriter.replaceOp(op, address);
    return success();
  }
};

} // namespace

void populateAllocaPatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<AllocaPattern>(lowering);
}

} // namespace tileiras
