//===- OwnMemory.cpp - The memory that a tile block allocates --------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An alloca is an array of shared memory. If other tile blocks can use it, or it does not fit, it is a part of a block
// of the device's heap: one thread takes it when the kernel starts and gives it back at the end. Turns of a loop use
// the same memory: what an alloca in it gave ends with the turn. Without memory, the alloca traps.
//
//===----------------------------------------------------------------------===//

#include "MemoryInstructions.h"
#include "Preparation.h"
#include "SymbolNames.h"
#include "SystemCalls.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tileiras/Pipeline/Remarks.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tileiras {
namespace {

constexpr llvm::StringLiteral kSharedArrayAttr = "nv_tileas.shared_array";
constexpr llvm::StringLiteral kHeapOffsetAttr = "nv_tileas.heap_offset";
constexpr int64_t kPointerBytes = 8;

/// Of the device's malloc.
constexpr int64_t kHeapAlignment = 16;

/// What shared memory as a whole is aligned to: no more can be had of an array in it.
constexpr int64_t kMaxSharedAlignment = 1024;

/// Two addresses in shared memory, 0 if the heap had nothing to give: the block, and where in it allocas begin.
std::string getHeapName(LLVM::LLVMFuncOp kernel) {
  return makeInternalSymbol("heap_" + kernel.getSymName());
}
enum HeapAddress { Block, Start, NumHeapAddresses };
Value emitHeapAddress(Emitter &emit, LLVM::LLVMFuncOp kernel, HeapAddress which) {
  Value array = LLVM::AddressOfOp::create(emit.builder, emit.location, emit.ptrType(kSharedSpace), getHeapName(kernel));
  return emit.gep(emit.i64(), array, int64_t(which));
}

/// Calls a function of the device's heap in one thread of the CTA.
void emitInFirstThread(Emitter &emit, llvm::function_ref<void(Emitter &)> body) {
  Value isFirst = emit.icmp(LLVM::ICmpPredicate::eq, emit.threadId(), emit.i32(0));
  scf::IfOp::create(emit.builder, emit.location, isFirst, [&](OpBuilder &builder, Location location) {
    Emitter inner(builder, location);
    body(inner);
    scf::YieldOp::create(builder, location);
  });
}

void emitTakeHeap(LLVM::LLVMFuncOp kernel, int64_t bytes, int64_t alignment) {
  auto builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  Emitter emit(builder, kernel.getLoc());
  emitInFirstThread(emit, [&](Emitter &emit) {
    auto allocate = getSystemFunction(emit, kernel, "malloc", emit.ptrType(kGenericSpace), {emit.i64()});
    Value block = emit.call(allocate, {emit.i64(bytes + alignment - kHeapAlignment)});
    emit.store(block, emitHeapAddress(emit, kernel, Block), kPointerBytes);
    Value start = LLVM::PtrToIntOp::create(emit.builder, emit.location, emit.i64(), block);
    if (alignment > kHeapAlignment) // Nothing stays at 0.
      start = emit.bitAnd(emit.add(start, emit.i64(alignment - 1)), emit.i64(-alignment));
    emit.store(start, emitHeapAddress(emit, kernel, Start), kPointerBytes);
  });
  emit.barrier();
}

void emitReturnHeap(LLVM::LLVMFuncOp kernel) {
  kernel.walk([&](LLVM::ReturnOp end) {
    OpBuilder builder(end);
    Emitter emit(builder, end.getLoc());
    emit.barrier();
    emitInFirstThread(emit, [&](Emitter &emit) {
      Type pointer = emit.ptrType(kGenericSpace), none = LLVM::LLVMVoidType::get(emit.getContext());
      auto release = getSystemFunction(emit, kernel, "free", none, {pointer});
      emit.call(release, {emit.load(pointer, emitHeapAddress(emit, kernel, Block), kPointerBytes)});
    });
  });
}

struct AllocaPattern final : TilePattern<aa::AllocaOp> {
  using TilePattern::TilePattern;

  /// A store to half a byte keeps the other half, which has to be something.
  void emitZeros(Emitter &emit, aa::AllocaOp op, Value address) const {
    const int64_t threads = getNumThreads(op->getParentOfType<LLVM::LLVMFuncOp>());
    Type byte = emit.intType(8);
    for (int64_t first = 0; first < int64_t(op.getBytes()); first += threads) {
      Value index = emit.add(emit.threadId(), emit.i32(first));
      Value inside = emit.icmp(LLVM::ICmpPredicate::slt, index, emit.i32(op.getBytes()));
      emitStore(emit, lowering.converter, {}, byte, emit.constant(byte, 0), {emit.gep(byte, address, index)}, inside);
    }
    emit.barrier();
  }

  static Value emitAddress(Emitter &emit, aa::AllocaOp op) {
    if (auto array = op->getAttrOfType<FlatSymbolRefAttr>(kSharedArrayAttr))
      return LLVM::AddressOfOp::create(emit.builder, emit.location, emit.ptrType(kSharedSpace), array);
    auto kernel = op->getParentOfType<LLVM::LLVMFuncOp>();
    Value start = emit.load(emit.i64(), emitHeapAddress(emit, kernel, Start), kPointerBytes);
    emit.volatilePtx("@$0 trap;", "b", Type(), emit.icmp(LLVM::ICmpPredicate::eq, start, emit.i64(0)));
    int64_t offset = op->getAttrOfType<IntegerAttr>(kHeapOffsetAttr).getInt();
    return LLVM::IntToPtrOp::create(emit.builder, emit.location, emit.ptrType(kGenericSpace),
                                    emit.add(start, emit.i64(offset)));
  }

  LogicalResult matchAndRewrite(aa::AllocaOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op.getLoc());
    // In a loop it is the memory of the iteration before, which no token orders: all threads have to be done with it.
    emit.barrier();
    Value address = emitAddress(emit, op);
    if (Type type = convert(op.getType()); type != address.getType())
      address = LLVM::AddrSpaceCastOp::create(rewriter, op.getLoc(), type, address);
    if (isHalfByte(cast<aa::PtrType>(op.getType()).getPointeeType()))
      emitZeros(emit, op, address);
    rewriter.replaceOp(op, address);
    return success();
  }
};

} // namespace

bool isOnHeap(aa::AllocaOp op) {
  return op->hasAttr(kHeapOffsetAttr);
}

int64_t allocateOwnMemory(const LoweringContext &lowering, LLVM::LLVMFuncOp function) {
  const int64_t limit = lowering.machine().staticSharedMemoryBytes - NumHeapAddresses * kPointerBytes;
  OpBuilder builder(function);
  int64_t sharedBytes = 0, heapBytes = 0, heapAlignment = kHeapAlignment;
  unsigned count = 0;
  function.walk([&](aa::AllocaOp op) {
    const int64_t bytes = std::max<int64_t>(op.getBytes(), 1), alignment = op.getAlignment();
    const int64_t sharedEnd = llvm::alignTo(sharedBytes, alignment) + bytes;
    if (op.getGlobal() || sharedEnd > limit || alignment > kMaxSharedAlignment) {
      heapBytes = llvm::alignTo(heapBytes, alignment);
      op->setAttr(kHeapOffsetAttr, builder.getI64IntegerAttr(heapBytes));
      heapBytes += bytes;
      heapAlignment = std::max(heapAlignment, alignment);
      return;
    }
    std::string name = makeInternalSymbol("alloca_" + function.getSymName() + "_" + llvm::Twine(count++));
    createSharedArray(builder, op.getLoc(), name, bytes, alignment);
    op->setAttr(kSharedArrayAttr, FlatSymbolRefAttr::get(op.getContext(), name));
    sharedBytes = sharedEnd;
  });
  if (heapBytes == 0)
    return sharedBytes;
  constexpr int64_t addresses = NumHeapAddresses * kPointerBytes;
  createSharedArray(builder, function.getLoc(), getHeapName(function), addresses, kPointerBytes);
  emitTakeHeap(function, heapBytes, heapAlignment);
  emitReturnHeap(function);
  remarkMissed(function, "HeapMemory", "memory")
      << "each tile block takes " << std::to_string(heapBytes)
      << " bytes of the device's heap for allocas; cudaLimitMallocHeapSize (8 MiB unless set) has to be enough for all "
         "that run at once";
  return sharedBytes + addresses;
}

void populateAllocaPatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<AllocaPattern>(lowering);
}

} // namespace tileiras
