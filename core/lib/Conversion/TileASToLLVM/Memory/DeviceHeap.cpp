//===- DeviceHeap.cpp - Allocas in the heap of the device -----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceHeap.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tileiras/Diagnostics/Remarks.h"
#include "tileiras/Lowering/SystemCalls.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tileiras {

static constexpr int64_t kPointerBytes = 8;
/// Of the device's malloc.
static constexpr int64_t kHeapAlignment = 16;

namespace {
/// Two addresses in shared memory, 0 if the heap had nothing to give: the block, and where in it allocas begin.
enum HeapAddress { HeapBlock, HeapStart, NumHeapAddresses };
static_assert(NumHeapAddresses * kPointerBytes == kHeapAddressBytes);
} // namespace

/// `addresses`: their offset in shared memory.
static Value emitAddressOf(Emitter &emit, Operation *op, int64_t addresses, HeapAddress which) {
  return emit.gep(emit.i64(), emitArenaAddress(emit, op, addresses), int64_t(which));
}

/// Calls a function of the device's heap in one thread of the CTA.
static void emitInFirstThread(Emitter &emit, llvm::function_ref<void(Emitter &)> body) {
  scf::IfOp::create(emit.builder, emit.location, emitIsFirstThread(emit), [&](OpBuilder &builder, Location location) {
    Emitter inner(builder, location, emit.scope);
    body(inner);
    scf::YieldOp::create(builder, location);
  });
}

static void emitTakeBlock(Emitter &emit, LLVM::LLVMFuncOp kernel, int64_t bytes, int64_t alignment, int64_t addresses) {
  Operation *inside = &kernel.getBody().front().front();
  emitInFirstThread(emit, [&](Emitter &emit) {
    auto allocate = getSystemFunction(emit, kernel, "malloc", emit.ptrType(kGenericSpace), {emit.i64()});
    Value block = emit.call(allocate, {emit.i64(bytes + alignment - kHeapAlignment)});
    emit.store(block, emitAddressOf(emit, inside, addresses, HeapBlock), kPointerBytes);
    Value start = LLVM::PtrToIntOp::create(emit.builder, emit.location, emit.i64(), block);
    if (alignment > kHeapAlignment) // Nothing stays at 0.
      start = emit.bitAnd(emit.add(start, emit.i64(alignment - 1)), emit.i64(-alignment));
    emit.store(start, emitAddressOf(emit, inside, addresses, HeapStart), kPointerBytes);
  });
  emit.barrier();
}

static void emitReturnBlock(LLVM::ReturnOp end, int64_t addresses) {
  OpBuilder builder(end);
  Emitter emit(builder, end);
  emit.barrier();
  emitInFirstThread(emit, [&](Emitter &emit) {
    Type pointer = emit.ptrType(kGenericSpace), none = LLVM::LLVMVoidType::get(emit.getContext());
    auto release = getSystemFunction(emit, end, "free", none, {pointer});
    emit.call(release, {emit.load(pointer, emitAddressOf(emit, end, addresses, HeapBlock), kPointerBytes)});
  });
}

void DeviceHeapBlock::add(aa::AllocaOp op) {
  bytes = llvm::alignTo(bytes, op.getAlignment());
  op.setHeapOffset(bytes);
  bytes += std::max<int64_t>(op.getBytes(), 1);
  alignment = std::max<int64_t>({alignment, int64_t(op.getAlignment()), kHeapAlignment});
  allocas.push_back(op);
}

void DeviceHeapBlock::emit(int64_t addresses) {
  auto builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  Emitter emit(builder, kernel);
  emitTakeBlock(emit, kernel, bytes, alignment, addresses);
  kernel.walk([&](LLVM::ReturnOp end) { emitReturnBlock(end, addresses); });
  for (aa::AllocaOp op : allocas)
    op.setSharedOffset(addresses);
  remarkOn(kernel, Missed::HeapMemory)
      << "each tile block takes " << std::to_string(bytes)
      << " bytes of the device's heap for allocas; cudaLimitMallocHeapSize (8 MiB unless set) has to be enough for all "
         "that run at once";
}

bool isOnHeap(aa::AllocaOp op) {
  return op.getHeapOffset().has_value();
}

Value emitHeapAddress(Emitter &emit, aa::AllocaOp op) {
  Value start = emit.load(emit.i64(), emitAddressOf(emit, op, *op.getSharedOffset(), HeapStart), kPointerBytes);
  PtxInstruction trap(emit);
  Value isNull = emit.icmp(LLVM::ICmpPredicate::eq, start, emit.i64(0));
  trap.emit(trap.guard(isNull) + "trap;", PtxEffect::Convergent);
  return LLVM::IntToPtrOp::create(emit.builder, emit.location, emit.ptrType(kGenericSpace),
                                  emit.add(start, emit.i64(*op.getHeapOffset())));
}

} // namespace tileiras
