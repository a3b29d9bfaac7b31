//===- AcmeDialect.cpp - The acme dialect ----------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AcmeDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "tileiras/Dialect/TileAS/WorkCollector.h"
#include "tileiras/Lowering/DialectLowering.h"
#include "tileiras/Lowering/ScalarArithmetic.h"
#include "tileiras/Lowering/SharedStaging.h"

#include "Dialect.cpp.inc"
#define GET_OP_CLASSES
#include "Ops.cpp.inc"

using namespace mlir;

namespace {

/// One instruction an element.
template <typename OpTy>
struct InstructionPattern final : tileiras::TilePattern<OpTy, tileiras::kFamilyPattern> {
  InstructionPattern(const tileiras::LoweringContext &lowering, StringRef instruction)
      : tileiras::TilePattern<OpTy, tileiras::kFamilyPattern>(lowering), instruction(instruction) {}

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    tileiras::Emitter emit(rewriter, op);
    auto compute = [&](ValueRange scalars) {
      return tileiras::emitPtxInstruction(emit, instruction, emit.f32(), scalars);
    };
    rewriter.replaceOp(op, tileiras::mapElements(emit, this->convert(op.getType()), adaptor.getSource(), compute));
    return success();
  }

  StringRef instruction;
};

struct TwicePattern final : tileiras::TilePattern<acme::Twice, tileiras::kFamilyPattern> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(acme::Twice op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    tileiras::Emitter emit(rewriter, op);
    auto add = [&](ValueRange scalars) {
      return tileiras::emitPtxInstruction(emit, "add.rn.f32", emit.f32(), {scalars.front(), scalars.front()});
    };
    rewriter.replaceOp(op, tileiras::mapElements(emit, convert(op.getType()), adaptor.getSource(), add));
    return success();
  }
};

/// Threads write their elements to shared memory, and read one when all have.
struct FirstPattern final : tileiras::TilePattern<acme::First, tileiras::kFamilyPattern> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(acme::First op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    tileiras::Emitter emit(rewriter, op);
    Value scratch = tileiras::emitScratch(emit, op), carriers = tileiras::toCarrier(emit, adaptor.getSource());
    tileiras::emitStage(emit, carriers, tileiras::getLayout(op.getSource().getType()), scratch);
    emit.barrier();
    rewriter.replaceOp(op, emit.load(emit.f32(), scratch, sizeof(float)));
    return success();
  }
};

struct AcmeLowering final : tileiras::DialectLowering {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AcmeLowering)
  using DialectLowering::DialectLowering;

  bool hasLowering(Operation *op) const override { return !isa<acme::Trace>(op); }
  void populateLowering(const tileiras::LoweringContext &lowering, RewritePatternSet &patterns) const override {
    patterns.add<InstructionPattern<acme::Saturate>>(lowering, "cvt.sat.f32.f32");
    patterns.add<InstructionPattern<acme::Reciprocal>>(lowering, "rcp.rn.f32");
    patterns.add<TwicePattern>(lowering);
    patterns.add<FirstPattern>(lowering);
  }
};

} // namespace

/// To global memory, in which the trace is.
void acme::Trace::collectWork(tileiras::WorkCollector &works, uint64_t times) {
  works.addBytes(tileiras::WorkKind::GlobalWrite, getSource().getType(), times);
}

int64_t acme::First::getScratchBytes(const tileiras::LoweringContext &) {
  return getSource().getType().getNumElements() * sizeof(float);
}

int64_t acme::Split::getFirstWarp(unsigned region) {
  return region * int64_t(getWarps());
}
int64_t acme::Split::getNumWarps(unsigned) {
  return getWarps();
}
unsigned acme::Split::getBarrier(unsigned region) {
  return region + 1;
}

void acme::AcmeDialect::initialize() {
  addInterfaces<AcmeLowering>();
  addOperations<
#define GET_OP_LIST
#include "Ops.cpp.inc"
      >();
}
