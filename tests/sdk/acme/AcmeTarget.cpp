//===- AcmeTarget.cpp - A toy target ---------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A GPU without tensor cores, whose code runs on an NVIDIA GPU. It takes absolute values its own way; the rest is
// lowered by the core.
//
//===----------------------------------------------------------------------===//

#include "Acme.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "tileiras/Lowering/ScalarArithmetic.h"
#include "tileiras/Lowering/TilePattern.h"
#include "tileiras/NVIDIA/CommonAtoms.h"
#include "tileiras/NVIDIA/NvidiaTarget.h"

using namespace mlir;

namespace {

/// By clearing the sign; numbers that are not f32 are left to the core.
struct AbsPattern final : tileiras::TargetPattern<math::AbsFOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(math::AbsFOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF32())
      return failure();
    tileiras::Emitter emit(rewriter, op);
    auto clearSign = [&](ValueRange scalars) {
      Value bits = emit.bitcast(scalars.front(), emit.i32());
      Value cleared = tileiras::emitPtxInstruction(emit, "and.b32", emit.i32(), {bits, emit.i32(0x7fffffff)});
      return emit.bitcast(cleared, emit.f32());
    };
    rewriter.replaceOp(op, tileiras::mapElements(emit, convert(op.getType()), adaptor.getOperand(), clearSign));
    return success();
  }
};

class ToyTarget final : public tileiras::NvidiaTarget {
public:
  using NvidiaTarget::NvidiaTarget;

  void populateLowering(const tileiras::LoweringContext &lowering, RewritePatternSet &patterns) const override {
    NvidiaTarget::populateLowering(lowering, patterns);
    patterns.add<AbsPattern>(lowering);
  }
};

tileiras::ChipDescription describeToy() {
  tileiras::ChipDescription toy;
  toy.info = {"acme_1", "sm_86", "sm_86", /*ptxVersion=*/80, /*computeCapability=*/86};
  toy.info.features.ldmatrix = true;
  tileiras::addCommonAtoms(toy.atoms, toy.info.features);
  using enum tileiras::WorkKind;
  toy.machine.units = {
      {"alu", 1, 4, {{Integer, 64, 4}, {Float, 64, 4}, {Double, 2, 8}, {Special, 16, 18}, {Conversion, 16, 18}}},
      {"lsu",
       1,
       1,
       {{SharedRead, 128, 30},
        {SharedWrite, 128, 8},
        {GlobalRead, 32, 400},
        {GlobalWrite, 32, 8},
        {Atomic, 8, 400},
        {Shuffle, 32, 24},
        {Barrier, 1, 25}}},
  };
  toy.machine.sharedMemoryBytes = 101376;
  toy.machine.staticSharedMemoryBytes = 49152;
  toy.machine.registersPerSM = 65536;
  toy.machine.maxRegistersPerThread = 255;
  toy.machine.maxWarpsPerCTA = 32;
  return toy;
}

} // namespace

std::shared_ptr<const tileiras::Target> acme::createToyTarget() {
  return std::make_shared<ToyTarget>("acme-toy", std::vector{describeToy()});
}
