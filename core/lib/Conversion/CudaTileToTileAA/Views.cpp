//===- Views.cpp - Tensor views, tiled views and access through them ------ -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::cuda_tile_to_aa;

namespace {

//===----------------------------------------------------------------------===//
// Making views
//===----------------------------------------------------------------------===//

struct ConvertMakeTensorView : OpConversionPattern<cuda_tile::MakeTensorViewOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::MakeTensorViewOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<aa::MakeMemRefOp>(op, getTypeConverter()->convertType(op.getType()), adaptor.getBase(),
                                                  adaptor.getDynamicShape(), adaptor.getDynamicStrides(),
                                                  IntegerAttr());
    return success();
  }
};

template <typename From>
struct ConvertMakeView : OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;

  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<aa::BlockTileOp>(op, this->getTypeConverter()->convertType(op.getType()),
                                                 adaptor.getTensorView());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

struct ConvertGetTensorShape : OpConversionPattern<cuda_tile::GetTensorShapeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::GetTensorShapeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> sizes;
    for (auto [axis, type] : llvm::enumerate(op.getResultTypes()))
      sizes.push_back(aa::GetDimSizeOp::create(rewriter, op.getLoc(), getTypeConverter()->convertType(type),
                                               adaptor.getSrc(), axis));
    rewriter.replaceOp(op, sizes);
    return success();
  }
};

/// The memref behind a view; a view never crosses control flow, so its maker is in sight.
Value memrefOf(Value view) {
  while (auto assume = view.getDefiningOp<aa::AssumeOp>())
    view = assume.getValue();
  auto maker = view.getDefiningOp<aa::BlockTileOp>();
  return maker ? maker.getSource() : Value();
}

/// A view has as many tiles along an axis as begin inside of the memref.
struct ConvertGetIndexSpaceShape : OpConversionPattern<cuda_tile::GetIndexSpaceShapeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::GetIndexSpaceShapeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value memref = memrefOf(adaptor.getSrc());
    if (!memref)
      return rewriter.notifyMatchFailure(op, "the view is not made in this kernel");
    auto view = cast<aa::TiledViewType>(adaptor.getSrc().getType());
    SmallVector<Value> extents;
    for (auto [axis, resultType] : llvm::enumerate(op.getResultTypes())) {
      Type type = getTypeConverter()->convertType(resultType);
      Value size = aa::GetDimSizeOp::create(rewriter, loc, type, memref, view.getDimMap()[axis]);
      if (int64_t step = view.getStep(axis); step != 1) {
        Value divisor = arith::ConstantOp::create(rewriter, loc, rewriter.getIntegerAttr(type, step));
        size = arith::CeilDivUIOp::create(rewriter, loc, size, divisor);
      }
      extents.push_back(size);
    }
    rewriter.replaceOp(op, extents);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Access through views
//===----------------------------------------------------------------------===//

/// The flags are of indices; those of nv_tileaa are of the dimensions of the memref.
template <typename Op>
DenseBoolArrayAttr inBoundsOf(Op op, Value view) {
  ArrayRef<bool> flags = op.getInbounds();
  if (flags.empty())
    return {};
  ArrayRef<int32_t> dimMap = cast<aa::TiledViewType>(view.getType()).getDimMap();
  SmallVector<bool> inBounds(flags);
  for (auto [index, dim] : llvm::enumerate(dimMap))
    inBounds[dim] = flags[index];
  return DenseBoolArrayAttr::get(op.getContext(), inBounds);
}

struct ConvertLoadView : OpConversionPattern<cuda_tile::LoadViewTkoOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::LoadViewTkoOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getTile().getType());
    Value token = tokenOperand(rewriter, op.getLoc(), adaptor.getToken(), op.getResultToken());
    auto load = aa::TiledLoadOp::create(rewriter, op.getLoc(), type, tokenType(token), adaptor.getView(),
                                        adaptor.getIndex(), token, semanticOf(op), scopeOf(op),
                                        /*cache=*/nullptr, /*evict=*/nullptr, inBoundsOf(op, adaptor.getView()));
    load->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    replaceAccess(rewriter, op, load.getValue(), load.getResultToken());
    return success();
  }
};

struct ConvertStoreView : OpConversionPattern<cuda_tile::StoreViewTkoOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::StoreViewTkoOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value token = tokenOperand(rewriter, op.getLoc(), adaptor.getToken(), op.getResultToken());
    auto store = aa::TiledStoreOp::create(rewriter, op.getLoc(), tokenType(token), adaptor.getView(), adaptor.getTile(),
                                          adaptor.getIndex(), token, semanticOf(op), scopeOf(op), /*cache=*/nullptr,
                                          /*evict=*/nullptr, inBoundsOf(op, adaptor.getView()));
    store->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    replaceAccess(rewriter, op, {}, store.getResultToken());
    return success();
  }
};

struct ConvertAtomicRedView : OpConversionPattern<cuda_tile::AtomicRedViewTkoOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::AtomicRedViewTkoOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value token = tokenOperand(rewriter, op.getLoc(), adaptor.getToken(), op.getResultToken());
    auto mode = aa::RmwModeAttr::get(op.getContext(), convertRmwMode(op.getMode()));
    auto atomic = aa::TiledAtomicRMWOp::create(rewriter, op.getLoc(), tokenType(token), mode, adaptor.getView(),
                                               adaptor.getValue(), adaptor.getIndex(), token, semanticOf(op),
                                               scopeOf(op), DenseBoolArrayAttr());
    replaceAccess(rewriter, op, {}, atomic.getResultToken());
    return success();
  }
};

} // namespace

void cuda_tile_to_aa::populateViewPatterns(const TileTypeConverter &converter, RewritePatternSet &patterns) {
  patterns
      .add<ConvertMakeTensorView, ConvertMakeView<cuda_tile::MakePartitionViewOp>,
           ConvertMakeView<cuda_tile::MakeStridedViewOp>, ConvertMakeView<cuda_tile::MakeGatherScatterViewOp>,
           ConvertGetTensorShape, ConvertGetIndexSpaceShape, ConvertLoadView, ConvertStoreView, ConvertAtomicRedView>(
          converter, patterns.getContext());
}
