//===- AsyncLoads.cpp - Copies that threads start -------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AsyncLoads.h"
#include "tileiras/Dialect/TileAS/AsyncCopies.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "tileiras/Lowering/PtxInstruction.h"
#include "tileiras/Lowering/ThreadIndexing.h"
#include "tileiras/Lowering/ViewAddressing.h"

using namespace mlir;

namespace tileiras {
namespace {

/// Copies of one thread into one slot.
class AsyncCopyEmitter {
public:
  /// Nothing is copied where `condition` is false; null: always.
  AsyncCopyEmitter(Emitter &emit, const as::AsyncCopyPlan &plan, Value slot, Value condition)
      : emit(emit), plan(plan), slot(slot), thread(emitThreadFunction(emit, plan.slot.offset)),
        isCopying(emit.conjunction(condition, emitIsFirstHolder(emit, plan.layout))) {}

  /// Of the elements of `registers`, from `pointer` on; where `predicate` is false, zeros instead.
  LogicalResult emitCopy(ArrayRef<unsigned> registers, Value pointer, Value predicate) {
    std::optional<int64_t> offset = plan.findOffset(registers);
    if (!offset)
      return failure();
    const unsigned bytes = registers.size() * plan.elementBytes;
    Value target = emit.gep(emit.intType(8 * plan.elementBytes), slot, emit.bitXor(thread, emit.i32(*offset)));
    PtxInstruction ptx(emit);
    const std::string guard = ptx.guard(isCopying), to = ptx.operand(target), from = ptx.operand(pointer);
    // A predicate, not a number of bytes: the assembler counts these with three instructions.
    const std::string ignores = predicate ? ", " + ptx.operand(emit.bitNot(predicate)) : "";
    ptx.emit(guard + "cp.async." + (bytes == 16 ? "cg" : "ca") + ".shared.global [" + to + "], [" + from + "], " +
                 Twine(bytes) + ignores + ";",
             PtxEffect::Copy);
    return success();
  }

private:
  Emitter &emit;
  const as::AsyncCopyPlan &plan;
  Value slot, thread, isCopying;
};

LogicalResult emitUnaligned(Operation *op) {
  return op->emitOpError() << "copies what is not known to be neighbours, 4, 8 or 16 bytes of them, in global and in "
                              "shared memory; load it to registers and copy it from there";
}

struct AsyncTiledLoadPattern final : TilePattern<as::AsyncTiledLoadOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::AsyncTiledLoadOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.getPaddingValue().value_or(aa::PaddingValue::Zero) != aa::PaddingValue::Zero)
      return op.emitOpError() << "fills what is outside of the array with zeros only";
    std::optional<as::AsyncCopyPlan> plan = as::planAsyncCopy(op.getView(), op.getDestination().getType(),
                                                              op.getInBounds(), getExecutionScope(op).numWarps);
    if (!plan)
      return emitUnaligned(op);
    Emitter emit(rewriter, op);
    AsyncCopyEmitter copies(emit, *plan, adaptor.getDestination(), adaptor.getPredicate());
    ViewAddressing addressing(emit, lowering.converter, op, adaptor, plan->layout);
    for (const ViewAccess &access : addressing.getAccesses(op, plan->maxBytes))
      if (failed(copies.emitCopy(access.registers, access.address.pointer, access.inBounds)))
        return emitUnaligned(op);
    replaceMemoryOp(rewriter, op);
    return success();
  }
};

struct AsyncLoadPattern final : TilePattern<as::AsyncLoadOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::AsyncLoadOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    std::optional<as::AsyncCopyPlan> plan =
        as::planAsyncCopy(op.getPointer().getType(), op.getDestination().getType(), op.getContiguity());
    if (!plan)
      return emitUnaligned(op);
    Emitter emit(rewriter, op);
    AsyncCopyEmitter copies(emit, *plan, adaptor.getDestination(), adaptor.getPredicate());
    for (ArrayRef<unsigned> registers : getPointerAccesses(op.getPointer().getType(), op.getContiguity())) {
      Value mask = op.getMask() ? emit.extract(adaptor.getMask(), registers.front()) : Value();
      if (failed(copies.emitCopy(registers, emit.extract(adaptor.getPointer(), registers.front()), mask)))
        return emitUnaligned(op);
    }
    replaceMemoryOp(rewriter, op);
    return success();
  }
};

struct CommitCopiesPattern final : TilePattern<as::CommitCopiesOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::CommitCopiesOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    PtxInstruction(emit).emit("cp.async.commit_group;", PtxEffect::Memory);
    rewriter.eraseOp(op);
    return success();
  }
};

struct AwaitCopiesPattern final : TilePattern<as::AwaitCopiesOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::AwaitCopiesOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    PtxInstruction ptx(emit);
    ptx.emit(ptx.fence("cp.async.wait_group " + Twine(op.getPending()) + ";"), PtxEffect::Memory);
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void populateAsyncLoadPatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<AsyncTiledLoadPattern, AsyncLoadPattern, CommitCopiesPattern, AwaitCopiesPattern>(lowering);
}

} // namespace tileiras
