//===- PersistentPrograms.cpp - Tile blocks that run several programs -----===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the hardware hands out no tile blocks that have not started, those that run take the next one by a stride over
// the grid. As many begin as a GPU runs at once; the programs of the others are run by these.
//
//===----------------------------------------------------------------------===//

#include "Conversion/TileASToLLVM/Patterns.h"
#include "RegisterEstimate.h"
#include "tileiras/Conversion/TileASToLLVM/Passes.h"
#include "tileiras/Lowering/PtxInstruction.h"

using namespace mlir;

namespace tileiras {
namespace {

constexpr unsigned kAxes = 3;

struct IsValidProgramIdPattern final : TilePattern<aa::IsValidProgramIdOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(aa::IsValidProgramIdOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    Value all;
    for (auto [axis, id] : llvm::enumerate(adaptor.getOperands()))
      all = emit.conjunction(all, emit.icmp(LLVM::ICmpPredicate::ult, id, emit.numPrograms(axis)));
    rewriter.replaceOp(op, all);
    return success();
  }
};

Value widen(Emitter &emit, Value value) {
  return emit.zeroExtendOrTruncate(value, 64);
}

SmallVector<Value> emitExtents(Emitter &emit) {
  SmallVector<Value> extents;
  for (unsigned axis = 0; axis < kAxes; ++axis)
    extents.push_back(emit.numPrograms(axis));
  return extents;
}

/// In the grid, in 64 bits: it may have more than 2^32 tile blocks.
Value emitNumber(Emitter &emit, ValueRange ids, ArrayRef<Value> extents) {
  Value y = widen(emit, ids[1]), rows = widen(emit, extents[1]);
  Value row = emit.add(emit.mul(widen(emit, ids[2]), rows), y);
  Value x = widen(emit, ids[0]), columns = widen(emit, extents[0]);
  return emit.add(emit.mul(row, columns), x);
}

Value emitNumResidentPrograms(Emitter &emit, LLVM::LLVMFuncOp kernel) {
  auto resident = kernel->getAttrOfType<IntegerAttr>(kResidentCtasAttr);
  PtxInstruction ptx(emit);
  const std::string result = ptx.result(emit.i32());
  Value processors = ptx.emit("mov.u32 " + result + ", %nsmid;").front();
  Value ctas = emit.mul(processors, emit.i32(resident ? resident.getInt() : 1));
  Value programs = LLVM::UDivOp::create(emit.builder, emit.location, ctas, emit.i32(emit.scope.numCtas));
  return LLVM::UMaxOp::create(emit.builder, emit.location, programs, emit.i32(1));
}

struct GetNumResidentProgramsPattern final : TilePattern<aa::GetNumResidentProgramsOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(aa::GetNumResidentProgramsOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    rewriter.replaceOp(op, emitNumResidentPrograms(emit, op->getParentOfType<LLVM::LLVMFuncOp>()));
    return success();
  }
};

struct CancelNextProgramIdPattern final : TilePattern<as::CancelNextProgramIdOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::CancelNextProgramIdOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (lowering.features().clusterlaunchcontrol)
      return op.emitOpError(
          "is not in the form for clusterlaunchcontrol: tileas-place-launch-control has to run before "
          "convert-tileas-to-llvm");
    Emitter emit(rewriter, op);
    const SmallVector<Value> extents = emitExtents(emit);
    // The stride as a number of the grid's axes, which no iteration of the loop changes, and an addition with carries.
    Value rest = emitNumResidentPrograms(emit, op->getParentOfType<LLVM::LLVMFuncOp>()), carry;
    SmallVector<Value> next;
    for (auto [axis, id] : llvm::enumerate(adaptor.getOperands())) {
      const bool isLast = axis + 1 == kAxes;
      Value step = isLast ? rest : LLVM::URemOp::create(emit.builder, emit.location, rest, extents[axis]).getResult();
      rest = isLast ? rest : LLVM::UDivOp::create(emit.builder, emit.location, rest, extents[axis]).getResult();
      Value sum = emit.add(id, step);
      if (carry)
        sum = emit.add(sum, emit.zeroExtendOrTruncate(carry, 32));
      carry = emit.icmp(LLVM::ICmpPredicate::uge, sum, extents[axis]);
      next.push_back(isLast ? sum : emit.select(carry, emit.sub(sum, extents[axis]), sum));
    }
    Value found = emit.icmp(LLVM::ICmpPredicate::ult, next.back(), extents.back());
    SmallVector<Value> results;
    for (Value id : next)
      results.push_back(emit.select(found, id, emit.i32(-1)));
    results.push_back(found);
    rewriter.replaceOp(op, results);
    return success();
  }
};

} // namespace

void emitLeaveBeyondResident(Emitter &emit, LLVM::LLVMFuncOp kernel) {
  SmallVector<Value> ids;
  for (unsigned axis = 0; axis < kAxes; ++axis)
    ids.push_back(emit.programId(axis));
  Value number = emitNumber(emit, ids, emitExtents(emit));
  Value isBeyond = emit.icmp(LLVM::ICmpPredicate::uge, number, widen(emit, emitNumResidentPrograms(emit, kernel)));
  PtxInstruction ptx(emit);
  const std::string guard = ptx.guard(isBeyond);
  ptx.emit(guard + "exit;", PtxEffect::Memory);
}

void populatePersistentProgramPatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<IsValidProgramIdPattern, GetNumResidentProgramsPattern, CancelNextProgramIdPattern>(lowering);
}

} // namespace tileiras
