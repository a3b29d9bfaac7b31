//===- FloatOps.cpp - Floating-point arithmetic ---------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AsmHooks.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace tileiras::cuda_tile;

#define GET_OP_CLASSES
#include "tileiras/Dialect/CudaTile/CudaTileFloatOps.cpp.inc"

/// Modes that only f32 has: the modifier must be absent for other types.
static LogicalResult verifyF32Only(Operation *op, StringRef modifier, bool isPresent) {
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  if (!isPresent || element.isF32())
    return success();
  return op->emitOpError() << modifier << " is for f32 only, got " << element;
}

/// The rounding mode must be an IEEE one or one of `others`, which are for f32 only.
static LogicalResult verifyRounding(Operation *op, RoundingMode mode, ArrayRef<RoundingMode> others) {
  static constexpr RoundingMode ieeeModes[] = {RoundingMode::NEAREST_EVEN, RoundingMode::ZERO,
                                               RoundingMode::NEGATIVE_INF, RoundingMode::POSITIVE_INF};
  if (llvm::is_contained(ieeeModes, mode))
    return success();
  if (llvm::is_contained(others, mode))
    return verifyF32Only(op, ("rounding<" + stringifyEnum(mode) + ">").str(), true);
  InFlightDiagnostic diagnostic = op->emitOpError("cannot round by ") << stringifyEnum(mode) << "; it can by ";
  llvm::interleaveComma(llvm::concat<const RoundingMode>(ieeeModes, others), diagnostic,
                        [&](RoundingMode allowed) { diagnostic << stringifyEnum(allowed); });
  return diagnostic;
}

template <typename OpTy>
static LogicalResult verifyRoundedOp(OpTy op, ArrayRef<RoundingMode> others = {}) {
  return success(succeeded(verifyRounding(op, op.getRoundingMode(), others)) &&
                 succeeded(verifyF32Only(op, "flush_to_zero", op.getFlushToZero())));
}

LogicalResult AddFOp::verify() {
  return verifyRoundedOp(*this);
}
LogicalResult SubFOp::verify() {
  return verifyRoundedOp(*this);
}
LogicalResult MulFOp::verify() {
  return verifyRoundedOp(*this);
}
LogicalResult DivFOp::verify() {
  return verifyRoundedOp(*this, {RoundingMode::APPROX, RoundingMode::FULL});
}
LogicalResult FmaOp::verify() {
  return verifyRoundedOp(*this);
}
LogicalResult SqrtOp::verify() {
  return verifyRoundedOp(*this, {RoundingMode::APPROX});
}

LogicalResult Exp2Op::verify() {
  return verifyF32Only(*this, "flush_to_zero", getFlushToZero());
}
LogicalResult RsqrtOp::verify() {
  return verifyF32Only(*this, "flush_to_zero", getFlushToZero());
}
LogicalResult MaxFOp::verify() {
  return verifyF32Only(*this, "flush_to_zero", getFlushToZero());
}
LogicalResult MinFOp::verify() {
  return verifyF32Only(*this, "flush_to_zero", getFlushToZero());
}

/// Functions that are computed in full or, for f32, approximated.
static LogicalResult verifyFullOrApprox(Operation *op, RoundingMode mode) {
  if (mode == RoundingMode::FULL)
    return success();
  if (mode == RoundingMode::APPROX)
    return verifyF32Only(op, "rounding<approx>", true);
  return op->emitOpError("cannot round by ") << stringifyEnum(mode) << "; it can by full, approx";
}

LogicalResult ExpOp::verify() {
  return verifyFullOrApprox(*this, getRoundingMode());
}
LogicalResult TanHOp::verify() {
  return verifyFullOrApprox(*this, getRoundingMode());
}
