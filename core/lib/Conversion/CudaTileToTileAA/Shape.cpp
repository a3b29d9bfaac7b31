//===- Shape.cpp - Constants, shapes, products and reductions ------------- -===//
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
// Sources of tiles
//===----------------------------------------------------------------------===//

struct ConvertConstant : OpConversionPattern<cuda_tile::ConstantOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::ConstantOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getType());
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, convertElements(op.getValue(), type));
    return success();
  }
};

struct ConvertIota : OpConversionPattern<cuda_tile::IotaOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::IotaOp op, OpAdaptor, ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<aa::MakeRangeOp>(op, getTypeConverter()->convertType(op.getType()));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// The axis whose insertion with extent 1 makes `to` of `from`; none when that is not the difference.
std::optional<int32_t> insertedAxis(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  if (to.size() != from.size() + 1)
    return std::nullopt;
  size_t axis = 0;
  while (axis < from.size() && from[axis] == to[axis])
    ++axis;
  if (to[axis] != 1 || from.drop_front(axis) != to.drop_front(axis + 1))
    return std::nullopt;
  return axis;
}

struct ConvertReshape : OpConversionPattern<cuda_tile::ReshapeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::ReshapeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value source = adaptor.getSource();
    Type type = getTypeConverter()->convertType(op.getType());
    auto from = dyn_cast<RankedTensorType>(source.getType());
    auto to = dyn_cast<RankedTensorType>(type);
    if (source.getType() == type)
      rewriter.replaceOp(op, source);
    else if (!from)
      rewriter.replaceOpWithNewOp<aa::SplatOp>(op, type, source);
    else if (!to)
      rewriter.replaceOpWithNewOp<aa::ExtractOp>(op, type, source);
    else if (std::optional<int32_t> axis = insertedAxis(from.getShape(), to.getShape()))
      rewriter.replaceOpWithNewOp<aa::ExpandDimsOp>(op, type, source, *axis);
    else
      rewriter.replaceOpWithNewOp<aa::ViewOp>(op, type, source);
    return success();
  }
};

struct ConvertBroadcast : OpConversionPattern<cuda_tile::BroadcastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::BroadcastOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value source = adaptor.getSource();
    Type type = getTypeConverter()->convertType(op.getType());
    if (source.getType() == type)
      rewriter.replaceOp(op, source);
    else if (auto splat = source.getDefiningOp<aa::SplatOp>())
      rewriter.replaceOpWithNewOp<aa::SplatOp>(op, type, splat.getSource());
    else
      rewriter.replaceOpWithNewOp<aa::BroadcastOp>(op, type, source);
    return success();
  }
};

struct ConvertPermute : OpConversionPattern<cuda_tile::PermuteOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::PermuteOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getType());
    if (isa<RankedTensorType>(type))
      rewriter.replaceOpWithNewOp<aa::PermuteOp>(op, type, adaptor.getSource(), op.getPermutation());
    else
      rewriter.replaceOp(op, adaptor.getSource());
    return success();
  }
};

struct ConvertCat : OpConversionPattern<cuda_tile::CatOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::CatOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<aa::CatOp>(op, getTypeConverter()->convertType(op.getType()), adaptor.getLhs(),
                                           adaptor.getRhs(), int32_t(op.getDim()));
    return success();
  }
};

struct ConvertExtract : OpConversionPattern<cuda_tile::ExtractOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::ExtractOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getType());
    if (adaptor.getSource().getType() == type) // the only slice
      rewriter.replaceOp(op, adaptor.getSource());
    else
      rewriter.replaceOpWithNewOp<aa::ExtractSliceOp>(op, type, adaptor.getSource(), adaptor.getIndices());
    return success();
  }
};

struct ConvertInsert : OpConversionPattern<cuda_tile::InsertOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::InsertOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getType());
    if (adaptor.getSource().getType() == type)
      rewriter.replaceOp(op, adaptor.getSource());
    else
      rewriter.replaceOpWithNewOp<aa::InsertSliceOp>(op, type, adaptor.getSource(), adaptor.getDestination(),
                                                     adaptor.getIndices());
    return success();
  }
};

template <typename From, typename To>
struct ConvertPacking : OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;

  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<To>(op, this->getTypeConverter()->convertType(op.getType()), adaptor.getSource());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

struct ConvertMmaF : OpConversionPattern<cuda_tile::MmaFOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::MmaFOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<aa::DotOp>(op, adaptor.getAcc().getType(), adaptor.getLhs(), adaptor.getRhs(),
                                           adaptor.getAcc(), aa::SignednessAttr(), aa::SignednessAttr(),
                                           op.getFastAcc() ? rewriter.getUnitAttr() : UnitAttr());
    return success();
  }
};

struct ConvertMmaI : OpConversionPattern<cuda_tile::MmaIOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::MmaIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto read = [&](cuda_tile::Signedness signedness) {
      return aa::SignednessAttr::get(op.getContext(), convertSignedness(signedness));
    };
    rewriter.replaceOpWithNewOp<aa::DotOp>(op, adaptor.getAcc().getType(), adaptor.getLhs(), adaptor.getRhs(),
                                           adaptor.getAcc(), read(op.getSignednessLhs()), read(op.getSignednessRhs()),
                                           UnitAttr());
    return success();
  }
};

struct ConvertMmaFScaled : OpConversionPattern<cuda_tile::MmaFScaledOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::MmaFScaledOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<aa::MmaBlockScaleOp>(op, adaptor.getAcc().getType(), adaptor.getLhs(), adaptor.getRhs(),
                                                     adaptor.getAcc(), adaptor.getLhsScale(), adaptor.getRhsScale(),
                                                     UnitAttr());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Moves the body and gives it scalar arguments.
template <typename From, typename To>
LogicalResult takeBody(From op, To replacement, const TypeConverter *converter, ConversionPatternRewriter &rewriter) {
  Region &body = replacement.getBody();
  rewriter.inlineRegionBefore(op.getBody(), body, body.end());
  return rewriter.convertRegionTypes(&body, *converter);
}

struct ConvertReduce : OpConversionPattern<cuda_tile::ReduceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::ReduceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertTypes(op.getResultTypes(), types)))
      return failure();
    auto replacement =
        aa::ReduceOp::create(rewriter, op.getLoc(), types, adaptor.getOperands(), op.getDim(), op.getIdentities());
    if (failed(takeBody(op, replacement, getTypeConverter(), rewriter)))
      return failure();
    rewriter.replaceOp(op, replacement);
    return success();
  }
};

struct ConvertScan : OpConversionPattern<cuda_tile::ScanOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::ScanOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertTypes(op.getResultTypes(), types)))
      return failure();
    auto replacement = aa::ScanOp::create(rewriter, op.getLoc(), types, adaptor.getOperands(), op.getDim(),
                                          op.getReverse(), op.getIdentities());
    if (failed(takeBody(op, replacement, getTypeConverter(), rewriter)))
      return failure();
    rewriter.replaceOp(op, replacement);
    return success();
  }
};

struct ConvertYield : OpConversionPattern<cuda_tile::YieldOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::YieldOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<aa::YieldOp>(op, adaptor.getOperands());
    return success();
  }
};

} // namespace

void cuda_tile_to_aa::populateShapePatterns(const TileTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ConvertConstant, ConvertIota, ConvertReshape, ConvertBroadcast, ConvertPermute, ConvertCat,
               ConvertExtract, ConvertInsert, ConvertPacking<cuda_tile::PackOp, aa::PackOp>,
               ConvertPacking<cuda_tile::UnpackOp, aa::UnpackOp>, ConvertMmaF, ConvertMmaI, ConvertMmaFScaled,
               ConvertReduce, ConvertScan, ConvertYield>(converter, patterns.getContext());
}
