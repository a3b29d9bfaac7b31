//===- Arithmetic.cpp - Integers, comparisons and conversions ------------- -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::cuda_tile_to_aa;

static bool isSigned(cuda_tile::Signedness signedness) {
  return signedness == cuda_tile::Signedness::Signed;
}

static arith::IntegerOverflowFlags convertOverflow(cuda_tile::IntegerOverflow overflow) {
  switch (overflow) {
  case cuda_tile::IntegerOverflow::NONE:
    return arith::IntegerOverflowFlags::none;
  case cuda_tile::IntegerOverflow::NSW:
    return arith::IntegerOverflowFlags::nsw;
  case cuda_tile::IntegerOverflow::NUW:
    return arith::IntegerOverflowFlags::nuw;
  case cuda_tile::IntegerOverflow::NW:
    return arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw;
  }
  return arith::IntegerOverflowFlags::none;
}

namespace {

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// addi, subi, muli, shli: overflow flags are kept.
template <typename From, typename To>
struct ConvertWrapping : OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;

  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<To>(op, adaptor.getLhs(), adaptor.getRhs(), convertOverflow(op.getOverflow()));
    return success();
  }
};

/// maxi, mini, remi, shri: one upstream operation for each reading.
template <typename From, typename Signed, typename Unsigned>
struct ConvertSigned : OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;

  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (isSigned(op.getSignedness()))
      rewriter.replaceOpWithNewOp<Signed>(op, adaptor.getLhs(), adaptor.getRhs());
    else
      rewriter.replaceOpWithNewOp<Unsigned>(op, adaptor.getLhs(), adaptor.getRhs());
    return success();
  }
};

struct ConvertDivI : OpConversionPattern<cuda_tile::DivIOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::DivIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value lhs = adaptor.getLhs(), rhs = adaptor.getRhs();
    bool isSignedDivision = isSigned(op.getSignedness());
    switch (op.getRounding()) {
    case cuda_tile::RoundingMode::POSITIVE_INF:
      if (isSignedDivision)
        rewriter.replaceOpWithNewOp<arith::CeilDivSIOp>(op, lhs, rhs);
      else
        rewriter.replaceOpWithNewOp<arith::CeilDivUIOp>(op, lhs, rhs);
      return success();
    case cuda_tile::RoundingMode::NEGATIVE_INF:
      if (isSignedDivision) {
        rewriter.replaceOpWithNewOp<arith::FloorDivSIOp>(op, lhs, rhs);
        return success();
      }
      [[fallthrough]]; // Down is towards zero for unsigned numbers.
    default:
      if (isSignedDivision)
        rewriter.replaceOpWithNewOp<arith::DivSIOp>(op, lhs, rhs);
      else
        rewriter.replaceOpWithNewOp<arith::DivUIOp>(op, lhs, rhs);
      return success();
    }
  }
};

struct ConvertNegI : OpConversionPattern<cuda_tile::NegIOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::NegIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value source = adaptor.getSource();
    Value zero = arith::ConstantOp::create(rewriter, op.getLoc(), rewriter.getZeroAttr(source.getType()));
    // Negation reads signed numbers: only the signed promise carries over to 0 - x.
    auto flags = convertOverflow(op.getOverflow()) & arith::IntegerOverflowFlags::nsw;
    rewriter.replaceOpWithNewOp<arith::SubIOp>(op, zero, source, flags);
    return success();
  }
};

struct ConvertMulhiI : OpConversionPattern<cuda_tile::MulhiIOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::MulhiIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<aa::MulhiUIOp>(op, adaptor.getX().getType(), adaptor.getX(), adaptor.getY());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Comparison, selection
//===----------------------------------------------------------------------===//

struct ConvertCmpI : OpConversionPattern<cuda_tile::CmpIOp> {
  using OpConversionPattern::OpConversionPattern;

  static arith::CmpIPredicate predicate(cuda_tile::ComparisonPredicate predicate, bool isSigned) {
    using P = arith::CmpIPredicate;
    switch (predicate) {
    case cuda_tile::ComparisonPredicate::EQUAL:
      return P::eq;
    case cuda_tile::ComparisonPredicate::NOT_EQUAL:
      return P::ne;
    case cuda_tile::ComparisonPredicate::LESS_THAN:
      return isSigned ? P::slt : P::ult;
    case cuda_tile::ComparisonPredicate::LESS_THAN_OR_EQUAL:
      return isSigned ? P::sle : P::ule;
    case cuda_tile::ComparisonPredicate::GREATER_THAN:
      return isSigned ? P::sgt : P::ugt;
    case cuda_tile::ComparisonPredicate::GREATER_THAN_OR_EQUAL:
      return isSigned ? P::sge : P::uge;
    }
    return P::eq;
  }

  LogicalResult matchAndRewrite(cuda_tile::CmpIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<arith::CmpIOp>(op, predicate(op.getComparisonPredicate(), isSigned(op.getSignedness())),
                                               adaptor.getLhs(), adaptor.getRhs());
    return success();
  }
};

struct ConvertSelect : OpConversionPattern<cuda_tile::SelectOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::SelectOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, adaptor.getCond(), adaptor.getValIfTrue(),
                                                 adaptor.getValIfFalse());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

struct ConvertExtI : OpConversionPattern<cuda_tile::ExtIOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::ExtIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getType());
    if (isSigned(op.getSignedness()))
      rewriter.replaceOpWithNewOp<arith::ExtSIOp>(op, type, adaptor.getFrom());
    else
      rewriter.replaceOpWithNewOp<arith::ExtUIOp>(op, type, adaptor.getFrom());
    return success();
  }
};

struct ConvertTruncI : OpConversionPattern<cuda_tile::TruncIOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::TruncIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<arith::TruncIOp>(op, getTypeConverter()->convertType(op.getType()), adaptor.getFrom(),
                                                 convertOverflow(op.getOverflow()));
    return success();
  }
};

struct ConvertBitcast : OpConversionPattern<cuda_tile::BitcastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::BitcastOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, getTypeConverter()->convertType(op.getType()),
                                                  adaptor.getSource());
    return success();
  }
};

} // namespace

void cuda_tile_to_aa::populateArithmeticPatterns(const TileTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ConvertPlain<cuda_tile::AndIOp, arith::AndIOp>, ConvertPlain<cuda_tile::OrIOp, arith::OrIOp>,
               ConvertPlain<cuda_tile::XOrIOp, arith::XOrIOp>, ConvertPlain<cuda_tile::AbsIOp, math::AbsIOp>,
               ConvertWrapping<cuda_tile::AddIOp, arith::AddIOp>, ConvertWrapping<cuda_tile::SubIOp, arith::SubIOp>,
               ConvertWrapping<cuda_tile::MulIOp, arith::MulIOp>, ConvertWrapping<cuda_tile::ShLIOp, arith::ShLIOp>,
               ConvertSigned<cuda_tile::MaxIOp, arith::MaxSIOp, arith::MaxUIOp>,
               ConvertSigned<cuda_tile::MinIOp, arith::MinSIOp, arith::MinUIOp>,
               ConvertSigned<cuda_tile::RemIOp, arith::RemSIOp, arith::RemUIOp>,
               ConvertSigned<cuda_tile::ShRIOp, arith::ShRSIOp, arith::ShRUIOp>, ConvertDivI, ConvertNegI,
               ConvertMulhiI, ConvertCmpI, ConvertSelect, ConvertExtI, ConvertTruncI, ConvertBitcast>(
      converter, patterns.getContext());
}
