//===- StructurePatterns.cpp - Everything but access to memory ------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/IR/Matchers.h"
#include "tileiras/Dialect/TileAA/Queues.h"
#include "tileiras/Dialect/TileAS/ScaledProducts.h"

using namespace mlir;

namespace tileiras {
namespace {

/// An operation that both dialects have, with the same operands, attributes and region, and perhaps an atom.
template <typename OldOp, typename NewOp>
struct RenamePattern final : OpConversionPattern<OldOp> {
  RenamePattern(const TypeConverter &types, MLIRContext *context, StringRef atom = {})
      : OpConversionPattern<OldOp>(types, context), atom(atom) {}

  LogicalResult matchAndRewrite(OldOp op, typename OldOp::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> results;
    if (failed(this->getTypeConverter()->convertTypes(op->getResultTypes(), results)))
      return failure();
    OperationState state(op.getLoc(), NewOp::getOperationName(), adaptor.getOperands(), results, op->getAttrs());
    if (!atom.empty())
      state.addAttribute("atom", as::AtomAttr::get(rewriter.getContext(), atom));
    for (unsigned i = 0; i < op->getNumRegions(); ++i)
      state.addRegion();
    Operation *now = rewriter.create(state);
    for (auto [from, to] : llvm::zip(op->getRegions(), now->getRegions()))
      rewriter.inlineRegionBefore(from, to, to.end());
    rewriter.replaceOp(op, now);
    return success();
  }

  StringRef atom;
};

/// Elementwise operations and all that is not about tiles: only types change.
struct RetypePattern final : ConversionPattern {
  RetypePattern(const TypeConverter &types, MLIRContext *context)
      : ConversionPattern(types, MatchAnyOpTypeTag(), /*benefit=*/0, context) {}

  LogicalResult matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                                ConversionPatternRewriter &rewriter) const override {
    auto isTile = [](Type type) { return isa<RankedTensorType>(type); };
    bool hasTiles = llvm::any_of(op->getOperandTypes(), isTile) || llvm::any_of(op->getResultTypes(), isTile);
    bool keepsTiles = OpTrait::hasElementwiseMappableTraits(op) ||
                      isa<aa::AssumeOp, aa::QueueYieldOp, as::LoadSliceOp, as::StoreSliceOp>(op);
    if (op->getNumRegions() != 0 || (hasTiles && !keepsTiles))
      return failure();
    Operation *now = op->cloneWithoutRegions();
    now->setOperands(operands);
    for (OpResult result : now->getResults())
      result.setType(getTypeConverter()->convertType(result.getType()));
    rewriter.insert(now);
    rewriter.replaceOp(op, now);
    return success();
  }
};

/// Puts and gets, with what is in them.
template <typename OpTy>
struct QueuePattern final : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto now = cast<OpTy>(op->cloneWithoutRegions());
    now->setOperands(adaptor.getOperands());
    for (OpResult result : now->getResults())
      result.setType(this->getTypeConverter()->convertType(result.getType()));
    rewriter.insert(now);
    rewriter.inlineRegionBefore(op.getBody(), now.getBody(), now.getBody().end());
    if (failed(rewriter.convertRegionTypes(&now.getBody(), *this->getTypeConverter())))
      return failure();
    rewriter.replaceOp(op, now);
    return success();
  }
};

/// Constants, whose value has their type.
struct ConstantPattern final : ConversionPattern {
  ConstantPattern(const TypeConverter &types, MLIRContext *context)
      : ConversionPattern(types, MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op, ArrayRef<Value>, ConversionPatternRewriter &rewriter) const override {
    Attribute value;
    if (!matchPattern(op, m_Constant(&value)))
      return failure();
    Type type = getTypeConverter()->convertType(op->getResult(0).getType());
    if (auto elements = dyn_cast<DenseElementsAttr>(value))
      value = elements.reshape(cast<ShapedType>(type));
    Operation *now = op->getDialect()->materializeConstant(rewriter, value, type, op->getLoc());
    return now ? replaceKeepingNotes(rewriter, op, now) : failure();
  }
};

/// Fences and dependent launches keep their place in the program without tokens; what is ordered after them is ordered
/// after what they were.
template <typename OpTy>
struct OrderingPattern final : OpConversionPattern<OpTy> {
  using OpConversionPattern<OpTy>::OpConversionPattern;

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.create(OperationState(op.getLoc(), op->getName()));
    ValueRange before = adaptor.getOperands();
    SmallVector<Value> after;
    for (unsigned i = 0; i < op->getNumResults(); ++i)
      after.push_back(before.empty() ? Value(as::CreateNoneOp::create(rewriter, op.getLoc()))
                                     : Value(as::JoinMemTokenOp::create(rewriter, op.getLoc(), before)));
    rewriter.replaceOp(op, after);
    return success();
  }
};

struct DotPattern final : OpConversionPattern<aa::DotOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aa::DotOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    auto now = as::DotOp::create(rewriter, op.getLoc(), getTypeConverter()->convertType(op.getType()), adaptor.getA(),
                                 adaptor.getB(), adaptor.getC(), Value(), Value(),
                                 as::AtomAttr::getAnyMma(rewriter.getContext()), op.getSignednessAAttr(),
                                 op.getSignednessBAttr(), op.getFastAccAttr(), op.getNegateAttr());
    return replaceKeepingNotes(rewriter, op, now);
  }
};

/// Of those that an instruction computes; it is named later.
struct BlockScaledDotPattern final : OpConversionPattern<aa::MmaBlockScaleOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(aa::MmaBlockScaleOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto now = as::DotOp::create(rewriter, op.getLoc(), getTypeConverter()->convertType(op.getType()), adaptor.getA(),
                                 adaptor.getB(), adaptor.getC(), adaptor.getSfa(), adaptor.getSfb(),
                                 as::AtomAttr::getUnplaced(rewriter.getContext()), aa::SignednessAttr(),
                                 aa::SignednessAttr(), op.getFastAccAttr(), /*negate=*/UnitAttr(), op.getPackedAttr());
    return replaceKeepingNotes(rewriter, op, now);
  }
};

} // namespace

void populateStructurePatterns(const TileASTypeConverter &types, RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<RetypePattern, ConstantPattern, OrderingPattern<aa::FenceAliasOp>, OrderingPattern<aa::GdcWaitOp>,
               OrderingPattern<aa::GdcLaunchDependentsOp>, QueuePattern<aa::QueuePutOp>, QueuePattern<aa::QueueGetOp>>(
      types, context);
  patterns
      .add<RenamePattern<aa::SplatOp, as::SplatOp>, RenamePattern<aa::MakeRangeOp, as::MakeRangeOp>,
           RenamePattern<aa::ViewOp, as::ViewOp>, RenamePattern<aa::ExpandDimsOp, as::ExpandDimsOp>,
           RenamePattern<aa::PermuteOp, as::PermuteOp>, RenamePattern<aa::BroadcastOp, as::BroadcastOp>,
           RenamePattern<aa::PackOp, as::PackOp>, RenamePattern<aa::UnpackOp, as::UnpackOp>,
           RenamePattern<aa::CatOp, as::CatOp>, RenamePattern<aa::ExtractOp, as::ExtractOp>,
           RenamePattern<aa::ClusterExchangeOp, as::ClusterExchangeOp>,
           RenamePattern<aa::ExtractSliceOp, as::ExtractSliceOp>, RenamePattern<aa::InsertSliceOp, as::InsertSliceOp>,
           RenamePattern<aa::YieldOp, as::YieldOp>, RenamePattern<aa::PrintOp, as::PrintOp>,
           RenamePattern<aa::AssertOp, as::AssertOp>, RenamePattern<aa::CreateMemTokenOp, as::CreateNoneOp>,
           RenamePattern<aa::JoinMemTokenOp, as::JoinMemTokenOp>, RenamePattern<aa::BlockTileOp, as::MakeTiledViewOp>,
           RenamePattern<aa::CancelNextProgramIdOp, as::CancelNextProgramIdOp>>(types, context);
  patterns.add<DotPattern, BlockScaledDotPattern>(types, context);
  patterns.add<RenamePattern<aa::ReduceOp, as::ReduceOp>, RenamePattern<aa::ScanOp, as::ScanOp>>(
      types, context, as::AtomAttr::kAnyReduction);
}

} // namespace tileiras
