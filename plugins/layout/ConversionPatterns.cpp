//===- ConversionPatterns.cpp - Rewrites that need fewer layout conversions ===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConversionPatterns.h"
#include "CandidateScore.h"
#include "LayoutAssignment.h"
#include "LoadFacts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tileiras/Analysis/AssignedLayouts.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"

using namespace mlir;

namespace tileiras::layout {
namespace {

using ConversionPattern = OpRewritePattern<as::ConvertLayoutOp>;

//===----------------------------------------------------------------------===//
// Backwards and forwards
//===----------------------------------------------------------------------===//

/// Of a copy out of memory: it brings the tile into the layout itself. Nothing may write the memory between the copy
/// and another one right behind it.
struct RetypeCopy final : ConversionPattern {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(as::ConvertLayoutOp op, PatternRewriter &rewriter) const override {
    auto copy = op.getSource().getDefiningOp<as::CopyOp>();
    if (!copy || !as::isMemoryTensor(copy.getSource().getType()))
      return failure();
    rewriter.setInsertionPointAfter(copy);
    auto now = as::CopyOp::create(rewriter, copy.getLoc(), op.getType(), copy.getSource(), Value(), copy.getAtomAttr());
    rewriter.replaceOp(op, now.getResult());
    if (copy->use_empty())
      rewriter.eraseOp(copy);
    return success();
  }
};

/// Of a load: it brings the tile into the layout itself, where that costs no more than to load it as before and convert
/// it.
struct RetypeLoad final : ConversionPattern {
  RetypeLoad(MLIRContext *context, const TuningModel &tuning, MatrixInstructions instructions)
      : OpRewritePattern(context), tuning(tuning), instructions(instructions) {}

  LogicalResult matchAndRewrite(as::ConvertLayoutOp op, PatternRewriter &rewriter) const override {
    auto load = op.getSource().getDefiningOp<as::TiledLoadOp>();
    // Who gathers holds the indices of its elements, in their layout.
    if (!load || !op.getSource().hasOneUse() || load.getView().getType().getSparseDim() >= 0)
      return failure();
    const std::optional<as::AccessPattern> pattern = findAccessPattern(op.getSource());
    if (!pattern)
      return failure();
    const LinearLayout before = as::getLinearLayout(op.getSource().getType()),
                       after = as::getLinearLayout(op.getType());
    const unsigned bits = as::getSharedBits(op.getType().getElementType());
    const int64_t conversion = planConversion(before, after, bits, tuning.getConversionCosts(), instructions).cost;
    // What is loaded is alive until it is used, and one that is converted for that may take fewer registers until then.
    if (countRegisters(after, bits) > countRegisters(before, bits) + tuning.registersOfRows ||
        getCost(*pattern, after) > getCost(*pattern, before) + conversion)
      return failure();
    rewriter.modifyOpInPlace(load, [&] { op.getSource().setType(op.getType()); });
    rewriter.replaceOp(op, op.getSource());
    return success();
  }

private:
  /// Issue slots of a warp.
  int64_t getCost(const as::AccessPattern &pattern, const LinearLayout &layout) const {
    const AccessCount count = countAccesses(pattern, layout);
    return tuning.wavefrontCost * count.lines + tuning.accessCost * count.instructions;
  }

  const TuningModel &tuning;
  MatrixInstructions instructions;
};

/// What has no layout of its own: constants, splats.
bool isMadeAnew(Value value) {
  return as::isRematerializable(value);
}

struct SinkThroughElementwise final : RewritePattern {
  explicit SinkThroughElementwise(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!OpTrait::hasElementwiseMappableTraits(op) || op->getNumResults() != 1 || !as::isTile(op->getResult(0)))
      return failure();
    unsigned conversions = 0;
    Attribute source;
    for (Value operand : op->getOperands()) {
      if (!as::isTile(operand) || isMadeAnew(operand))
        continue;
      auto conversion = operand.getDefiningOp<as::ConvertLayoutOp>();
      if (!conversion || !conversion->hasOneUse())
        return failure();
      Attribute from = conversion.getSource().getType().getEncoding();
      if (source && source != from)
        return failure();
      source = from;
      ++conversions;
    }
    // One is left behind the operation, unless only conversions follow.
    const bool isConverted = llvm::all_of(op->getResult(0).getUsers(), llvm::IsaPred<as::ConvertLayoutOp>);
    if (!source || (conversions < 2 && !isConverted))
      return failure();
    sink(op, source, rewriter);
    return success();
  }

private:
  static RankedTensorType withLayout(Value tile, Attribute layout) {
    return cast<RankedTensorType>(tile.getType()).cloneWithEncoding(layout);
  }

  static void sink(Operation *op, Attribute source, PatternRewriter &rewriter) {
    IRMapping mapping;
    for (Value operand : op->getOperands()) {
      if (!as::isTile(operand) || mapping.contains(operand))
        continue;
      auto conversion = operand.getDefiningOp<as::ConvertLayoutOp>();
      // Another conversion, of what is made anew: it folds.
      mapping.map(operand, conversion ? Value(conversion.getSource())
                                      : as::ConvertLayoutOp::create(rewriter, op->getLoc(), withLayout(operand, source),
                                                                    operand));
    }
    Operation *now = rewriter.clone(*op, mapping);
    now->getResult(0).setType(withLayout(op->getResult(0), source));
    rewriter.replaceOpWithNewOp<as::ConvertLayoutOp>(op, op->getResult(0).getType(), now->getResult(0));
  }
};

//===----------------------------------------------------------------------===//
// Cleanup
//===----------------------------------------------------------------------===//

struct FoldConversion final : ConversionPattern {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(as::ConvertLayoutOp op, PatternRewriter &rewriter) const override {
    Value source = op.getSource();
    if (source.getType() == op.getType()) {
      rewriter.replaceOp(op, source);
      return success();
    }
    if (auto inner = source.getDefiningOp<as::ConvertLayoutOp>()) {
      rewriter.replaceOpWithNewOp<as::ConvertLayoutOp>(op, op.getType(), inner.getSource());
      return success();
    }
    return isMadeAnew(source) ? remake(op, source.getDefiningOp(), rewriter) : failure();
  }

private:
  static LogicalResult remake(as::ConvertLayoutOp op, Operation *made, PatternRewriter &rewriter) {
    if (auto constant = dyn_cast<arith::ConstantOp>(made)) {
      auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
      if (!elements)
        return failure();
      rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, elements.reshape(op.getType()));
      return success();
    }
    if (made->getNumResults() != 1)
      return failure();
    Operation *now = rewriter.clone(*made);
    now->getResult(0).setType(op.getType());
    rewriter.replaceOp(op, now->getResults());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// The layout a yielded tile is converted from; null if it is not converted.
Attribute getFormerLayout(Value yielded) {
  auto conversion = yielded.getDefiningOp<as::ConvertLayoutOp>();
  return conversion ? conversion.getSource().getType().getEncoding() : Attribute();
}

/// Result `number` of `op`, which `terminators` yield, gets the layout it had in front of its conversions.
void moveOut(Operation *op, Value result, ArrayRef<OpOperand *> yielded, Attribute layout, PatternRewriter &rewriter) {
  auto type = cast<RankedTensorType>(result.getType());
  for (OpOperand *operand : yielded) {
    rewriter.setInsertionPoint(operand->getOwner());
    Value tile = operand->get();
    auto conversion = tile.getDefiningOp<as::ConvertLayoutOp>();
    Value now = conversion ? Value(conversion.getSource())
                           : as::ConvertLayoutOp::create(rewriter, tile.getLoc(), type.cloneWithEncoding(layout), tile);
    rewriter.modifyOpInPlace(operand->getOwner(), [&] { operand->set(now); });
  }
  rewriter.modifyOpInPlace(op, [&] { result.setType(type.cloneWithEncoding(layout)); });
  rewriter.setInsertionPointAfter(op);
  auto conversion = as::ConvertLayoutOp::create(rewriter, result.getLoc(), type, result);
  rewriter.replaceAllUsesExcept(result, conversion.getResult(), conversion);
}

/// Both arms of scf.if convert from one layout, or one does and the other makes its tile anew.
struct UnifyArms final : OpRewritePattern<scf::IfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::IfOp op, PatternRewriter &rewriter) const override {
    for (OpResult result : op.getResults()) {
      OpOperand &first = op.thenYield()->getOpOperand(result.getResultNumber());
      OpOperand &second = op.elseYield()->getOpOperand(result.getResultNumber());
      Attribute one = getFormerLayout(first.get()), other = getFormerLayout(second.get());
      const bool fits = one && other ? one == other : one ? isMadeAnew(second.get()) : other && isMadeAnew(first.get());
      if (!fits || !as::isTile(result))
        continue;
      moveOut(op, result, {&first, &second}, one ? one : other, rewriter);
      return success();
    }
    return failure();
  }
};

/// What the body converts just before it yields it is converted behind the operation.
template <typename OpTy>
struct MoveOutOfBody final : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    Operation *yield = op.getBody().front().getTerminator();
    for (auto [result, operand] : llvm::zip(op->getResults(), yield->getOpOperands()))
      if (Attribute layout = getFormerLayout(operand.get())) {
        moveOut(op, result, {&operand}, layout, rewriter);
        return success();
      }
    return failure();
  }
};

} // namespace

void populateBufferPropagation(RewritePatternSet &patterns, const TuningModel &tuning,
                               MatrixInstructions instructions) {
  patterns.add<RetypeCopy>(patterns.getContext());
  patterns.add<RetypeLoad>(patterns.getContext(), tuning, instructions);
}
void populateRegisterPropagation(RewritePatternSet &patterns) {
  patterns.add<SinkThroughElementwise>(patterns.getContext());
}
void populateConversionCleanup(RewritePatternSet &patterns) {
  patterns.add<FoldConversion>(patterns.getContext());
}
void populateRegionRewrites(RewritePatternSet &patterns) {
  patterns
      .add<UnifyArms, MoveOutOfBody<as::ConsumeOneOp>, MoveOutOfBody<as::ConsumerReadOp>, MoveOutOfBody<as::PragmaOp>>(
          patterns.getContext());
}

} // namespace tileiras::layout
