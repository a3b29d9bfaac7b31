//===- TileAAElementwiseOps.cpp - Elementwise operations of nv_tileaa ------ -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAA/TileAA.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tileiras::aa;

#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAA/TileAAElementwiseOps.cpp.inc"

void TileAADialect::registerElementwiseOps() {
  addOperations<
#define GET_OP_LIST
#include "tileiras/Dialect/TileAA/TileAAElementwiseOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

static bool isIEEE(RoundingMode mode) {
  return mode <= RoundingMode::PositiveInf;
}

static LogicalResult verifyFtz(Operation *op, bool ftz) {
  if (ftz && !getElementTypeOrSelf(op->getResult(0).getType()).isF32())
    return op->emitOpError("flushes subnormals only of f32, but got ") << op->getResult(0).getType();
  return success();
}

/// `approximations` are the non-IEEE modes the operation has besides the four IEEE ones (when `ieee` is set).
static LogicalResult verifyRounding(Operation *op, RoundingMode mode, bool ieee,
                                    ArrayRef<RoundingMode> approximations = {}) {
  if (mode == RoundingMode::NearestEven || (ieee && isIEEE(mode)))
    return success();
  if (!llvm::is_contained(approximations, mode))
    return op->emitOpError("has no rounding mode '") << stringifyRoundingMode(mode) << "'";
  if (!getElementTypeOrSelf(op->getResult(0).getType()).isF32())
    return op->emitOpError("approximates only f32, but got ") << op->getResult(0).getType();
  return success();
}

template <typename Op>
static LogicalResult verifyFloatOp(Op op, bool ieee, ArrayRef<RoundingMode> approximations = {}) {
  return success(succeeded(verifyRounding(op, op.getRounding(), ieee, approximations)) &&
                 succeeded(verifyFtz(op, op.getFtz())));
}

LogicalResult AddFOp::verify() {
  return verifyFloatOp(*this, true);
}
LogicalResult SubFOp::verify() {
  return verifyFloatOp(*this, true);
}
LogicalResult MulFOp::verify() {
  return verifyFloatOp(*this, true);
}
LogicalResult FmaOp::verify() {
  return verifyFloatOp(*this, true);
}
LogicalResult DivFOp::verify() {
  return verifyFloatOp(*this, true, {RoundingMode::Approx, RoundingMode::Full});
}
LogicalResult SqrtOp::verify() {
  return verifyFloatOp(*this, true, {RoundingMode::Approx});
}
LogicalResult RsqrtOp::verify() {
  return verifyFloatOp(*this, false, {RoundingMode::Approx});
}
LogicalResult ExpOp::verify() {
  return verifyFloatOp(*this, false, {RoundingMode::Approx});
}
LogicalResult Exp2Op::verify() {
  return verifyFloatOp(*this, false, {RoundingMode::Approx});
}
LogicalResult TanhOp::verify() {
  return verifyFloatOp(*this, false, {RoundingMode::Approx});
}
LogicalResult MaxFOp::verify() {
  return verifyFtz(*this, getFtz());
}
LogicalResult MinFOp::verify() {
  return verifyFtz(*this, getFtz());
}
LogicalResult IToFOp::verify() {
  return verifyRounding(*this, getRounding(), true);
}

LogicalResult FpToFpOp::verify() {
  auto isSupported = [](Type type) {
    return isa<Float16Type, BFloat16Type, Float32Type, Float64Type, FloatTF32Type, Float8E4M3FNType, Float8E5M2Type,
               Float8E8M0FNUType, Float4E2M1FNType>(getElementTypeOrSelf(type));
  };
  if (!isSupported(getSource().getType()))
    return emitOpError("source element type is not supported");
  if (!isSupported(getResult().getType()))
    return emitOpError("result element type is not supported");
  return getRounding() == RoundingMode::NearestAway ? success() : verifyRounding(*this, getRounding(), true);
}

LogicalResult BitcastOp::verify() {
  auto source = cast<PtrType>(getElementTypeOrSelf(getSource().getType()));
  auto result = cast<PtrType>(getElementTypeOrSelf(getResult().getType()));
  if (source.getAddressSpace() != result.getAddressSpace())
    return emitOpError("keeps the address space, but got ")
           << source.getAddressSpace() << " vs " << result.getAddressSpace();
  return success();
}

LogicalResult AssumeOp::verify() {
  return getPredicate().verifyPredicate(*this, getValue().getType());
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

std::optional<tileiras::ElementWork> MaxFOp::getElementWork() {
  return tileiras::getMinMaxWork(getType());
}
std::optional<tileiras::ElementWork> MinFOp::getElementWork() {
  return tileiras::getMinMaxWork(getType());
}

//===----------------------------------------------------------------------===//
// Folding
//===----------------------------------------------------------------------===//

OpFoldResult AddPtrOp::fold(FoldAdaptor adaptor) {
  if (adaptor.getOffset() && matchPattern(adaptor.getOffset(), m_Zero()))
    return getBase();
  return {};
}

OpFoldResult BitcastOp::fold(FoldAdaptor) {
  if (getSource().getType() == getType())
    return getSource();
  if (auto inner = getSource().getDefiningOp<BitcastOp>()) {
    getSourceMutable().assign(inner.getSource());
    return getResult();
  }
  return {};
}

namespace {
/// addptr (addptr p, a), b → addptr p, a + b. Only 64-bit offsets: the sum of narrower ones may wrap.
struct MergeAddPtr : OpRewritePattern<AddPtrOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AddPtrOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getBase().getDefiningOp<AddPtrOp>();
    if (!inner || inner.getOffset().getType() != op.getOffset().getType() ||
        !getElementTypeOrSelf(op.getOffset().getType()).isInteger(64))
      return failure();
    Value sum = arith::AddIOp::create(rewriter, op.getLoc(), inner.getOffset(), op.getOffset());
    rewriter.replaceOpWithNewOp<AddPtrOp>(op, op.getType(), inner.getBase(), sum);
    return success();
  }
};
} // namespace

void AddPtrOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<MergeAddPtr>(context);
}
