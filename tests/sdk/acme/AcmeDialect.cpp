//===- AcmeDialect.cpp - The acme dialect ----------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AcmeDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "tileiras/Lowering/DialectLowering.h"
#include "tileiras/Lowering/ScalarArithmetic.h"

#include "Dialect.cpp.inc"
#define GET_OP_CLASSES
#include "Ops.cpp.inc"

using namespace mlir;

namespace {

/// One instruction an element.
struct SaturatePattern final : tileiras::TilePattern<acme::Saturate, tileiras::kFamilyPattern> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(acme::Saturate op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    tileiras::Emitter emit(rewriter, op);
    auto saturate = [&](ValueRange scalars) {
      return tileiras::emitPtxInstruction(emit, "cvt.sat.f32.f32", emit.f32(), scalars);
    };
    rewriter.replaceOp(op, tileiras::mapElements(emit, convert(op.getType()), adaptor.getSource(), saturate));
    return success();
  }
};

struct AcmeLowering final : tileiras::DialectLowering {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AcmeLowering)
  using DialectLowering::DialectLowering;

  void populateLowering(const tileiras::LoweringContext &lowering, RewritePatternSet &patterns) const override {
    patterns.add<SaturatePattern>(lowering);
  }
};

} // namespace

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
