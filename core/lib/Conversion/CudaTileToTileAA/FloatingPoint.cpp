//===- FloatingPoint.cpp - Floating-point arithmetic and conversions ------ -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Upstream arith and math where they say what is meant: round to nearest even, subnormals kept, full accuracy.
// Everything else becomes the nv_tileaa operation of the same name.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::cuda_tile_to_aa;

static bool isNearestEven(cuda_tile::RoundingMode mode) {
  return mode == cuda_tile::RoundingMode::NEAREST_EVEN;
}

namespace {

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// With a rounding mode and a flush flag.
template <typename From, typename Upstream, typename To>
struct ConvertRounded : OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;

  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    ValueRange operands = adaptor.getOperands();
    if (isNearestEven(op.getRoundingMode()) && !op.getFlushToZero()) {
      rewriter.replaceOpWithNewOp<Upstream>(op, operands);
      return success();
    }
    auto replacement = To::create(rewriter, op.getLoc(), operands.front().getType(), operands);
    replacement.setRounding(convertRounding(op.getRoundingMode()));
    replacement.setFtz(op.getFlushToZero());
    rewriter.replaceOp(op, replacement);
    return success();
  }
};

Type withElement(Type type, Type element) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.clone(element);
  return element;
}

/// A number of the scalar or tensor type `type`.
Value makeConstant(OpBuilder &builder, Location loc, Type type, double number) {
  TypedAttr value = builder.getFloatAttr(getElementTypeOrSelf(type), number);
  if (auto shaped = dyn_cast<ShapedType>(type))
    value = DenseElementsAttr::get(shaped, value);
  return arith::ConstantOp::create(builder, loc, value);
}

/// Upstream folds the angle of two zeros to NaN. It is that of (±1, ±0): the second zero stands for its sign.
struct ConvertAtan2 : OpConversionPattern<cuda_tile::Atan2Op> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::Atan2Op op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value y = adaptor.getX(), x = adaptor.getY();
    Type type = x.getType();
    Type bits = withElement(type, rewriter.getIntegerType(getElementTypeOrSelf(type).getIntOrFloatBitWidth()));
    auto number = [&](double value) { return makeConstant(rewriter, loc, type, value); };
    auto isZero = [&](Value value) {
      return arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::OEQ, value, number(0.0));
    };
    Value code = arith::BitcastOp::create(rewriter, loc, bits, x);
    Value isNegative = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt, code,
                                             arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(bits)));
    Value plus = number(1.0), minus = number(-1.0);
    Value sign = arith::SelectOp::create(rewriter, loc, isNegative, minus, plus);
    Value isYZero = isZero(y), isXZero = isZero(x);
    Value areZero = arith::AndIOp::create(rewriter, loc, isXZero, isYZero);
    rewriter.replaceOpWithNewOp<math::Atan2Op>(op, y, arith::SelectOp::create(rewriter, loc, areZero, sign, x));
    return success();
  }
};

/// exp2, rsqrt: only a flush flag.
template <typename From, typename Upstream, typename To>
struct ConvertFlushed : OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;

  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!op.getFlushToZero()) {
      rewriter.replaceOpWithNewOp<Upstream>(op, adaptor.getSource());
      return success();
    }
    auto replacement = To::create(rewriter, op.getLoc(), adaptor.getSource().getType(), adaptor.getOperands());
    replacement.setFtz(true);
    rewriter.replaceOp(op, replacement);
    return success();
  }
};

/// exp, tanh: accurate or approximate.
template <typename From, typename Upstream, typename To>
struct ConvertApproximable : OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;

  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.getRoundingMode() != cuda_tile::RoundingMode::APPROX) {
      rewriter.replaceOpWithNewOp<Upstream>(op, adaptor.getSource());
      return success();
    }
    auto replacement = To::create(rewriter, op.getLoc(), adaptor.getSource().getType(), adaptor.getOperands());
    replacement.setRounding(aa::RoundingMode::Approx);
    rewriter.replaceOp(op, replacement);
    return success();
  }
};

template <typename From, typename Propagating, typename Ignoring, typename To>
struct ConvertExtremum : OpConversionPattern<From> {
  using OpConversionPattern<From>::OpConversionPattern;

  LogicalResult matchAndRewrite(From op, typename From::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value lhs = adaptor.getLhs(), rhs = adaptor.getRhs();
    if (op.getFlushToZero())
      rewriter.replaceOpWithNewOp<To>(op, lhs.getType(), lhs, rhs, op.getPropagateNan(), /*ftz=*/true);
    else if (op.getPropagateNan())
      rewriter.replaceOpWithNewOp<Propagating>(op, lhs, rhs);
    else
      rewriter.replaceOpWithNewOp<Ignoring>(op, lhs, rhs);
    return success();
  }
};

/// All elements of `tile` are known to be `number`.
bool isEverywhere(Value tile, double number) {
  if (auto splat = tile.getDefiningOp<aa::SplatOp>())
    tile = splat.getOperand();
  APFloat value(0.0);
  return matchPattern(tile, m_ConstantFloat(&value)) && value.isExactlyValue(number);
}

/// Front ends write squares as powers. Only those that one operation rounds as the power should be; a square root has
/// another sign of zero and another result for minus infinity.
struct ConvertPow : OpConversionPattern<cuda_tile::PowOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::PowOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value source = adaptor.getSource(), exponent = adaptor.getExponent();
    if (isEverywhere(exponent, 2))
      rewriter.replaceOpWithNewOp<arith::MulFOp>(op, source, source);
    else if (isEverywhere(exponent, -1))
      rewriter.replaceOpWithNewOp<arith::DivFOp>(op, makeConstant(rewriter, op.getLoc(), source.getType(), 1.0),
                                                 source);
    else
      rewriter.replaceOpWithNewOp<math::PowFOp>(op, source, exponent);
    return success();
  }
};

struct ConvertFPowI : OpConversionPattern<cuda_tile::FPowIOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::FPowIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value exponent = adaptor.getExponent();
    Type i32 = rewriter.getI32Type();
    if (getElementTypeOrSelf(exponent.getType()) != i32) {
      auto tensor = dyn_cast<RankedTensorType>(exponent.getType());
      exponent = arith::ExtSIOp::create(rewriter, op.getLoc(), tensor ? Type(tensor.clone(i32)) : i32, exponent);
    }
    rewriter.replaceOpWithNewOp<math::FPowIOp>(op, adaptor.getSource(), exponent);
    return success();
  }
};

struct ConvertCmpF : OpConversionPattern<cuda_tile::CmpFOp> {
  using OpConversionPattern::OpConversionPattern;

  static arith::CmpFPredicate predicate(cuda_tile::ComparisonPredicate predicate, bool ordered) {
    using P = arith::CmpFPredicate;
    switch (predicate) {
    case cuda_tile::ComparisonPredicate::EQUAL:
      return ordered ? P::OEQ : P::UEQ;
    case cuda_tile::ComparisonPredicate::NOT_EQUAL:
      return ordered ? P::ONE : P::UNE;
    case cuda_tile::ComparisonPredicate::LESS_THAN:
      return ordered ? P::OLT : P::ULT;
    case cuda_tile::ComparisonPredicate::LESS_THAN_OR_EQUAL:
      return ordered ? P::OLE : P::ULE;
    case cuda_tile::ComparisonPredicate::GREATER_THAN:
      return ordered ? P::OGT : P::UGT;
    case cuda_tile::ComparisonPredicate::GREATER_THAN_OR_EQUAL:
      return ordered ? P::OGE : P::UGE;
    }
    return P::OEQ;
  }

  LogicalResult matchAndRewrite(cuda_tile::CmpFOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    bool ordered = op.getComparisonOrdering() == cuda_tile::ComparisonOrdering::ORDERED;
    rewriter.replaceOpWithNewOp<arith::CmpFOp>(op, predicate(op.getComparisonPredicate(), ordered), adaptor.getLhs(),
                                               adaptor.getRhs());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// The formats that arith computes with.
bool hasArithmetic(Type type) {
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(getElementTypeOrSelf(type));
}

struct ConvertFToF : OpConversionPattern<cuda_tile::FToFOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::FToFOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value from = adaptor.getFrom();
    Type to = getTypeConverter()->convertType(op.getType());
    if (!isNearestEven(op.getRoundingMode()) || !hasArithmetic(from.getType()) || !hasArithmetic(to)) {
      rewriter.replaceOpWithNewOp<aa::FpToFpOp>(op, to, from, convertRounding(op.getRoundingMode()));
      return success();
    }
    unsigned fromWidth = getElementTypeOrSelf(from.getType()).getIntOrFloatBitWidth();
    unsigned toWidth = getElementTypeOrSelf(to).getIntOrFloatBitWidth();
    if (fromWidth == toWidth) { // f16 and bf16, both exact in f32
      from = arith::ExtFOp::create(rewriter, op.getLoc(), withElement(to, rewriter.getF32Type()), from);
      fromWidth = 32;
    }
    if (fromWidth < toWidth)
      rewriter.replaceOpWithNewOp<arith::ExtFOp>(op, to, from);
    else
      rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, to, from);
    return success();
  }
};

struct ConvertIToF : OpConversionPattern<cuda_tile::IToFOp> {
  using OpConversionPattern::OpConversionPattern;

  /// A bit as a signed number: LLVM's back end would take it for an unsigned one in 16-bit formats.
  static Value selectSigned(OpBuilder &builder, Location loc, Value bit, Type to) {
    return arith::SelectOp::create(builder, loc, bit, makeConstant(builder, loc, to, -1.0),
                                   makeConstant(builder, loc, to, 0.0));
  }

  LogicalResult matchAndRewrite(cuda_tile::IToFOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value from = adaptor.getFrom();
    Type to = getTypeConverter()->convertType(op.getType());
    aa::RoundingMode rounding = convertRounding(op.getRoundingMode());
    bool isSigned = op.getSignedness() == cuda_tile::Signedness::Signed;
    const unsigned fromWidth = getElementTypeOrSelf(from.getType()).getIntOrFloatBitWidth();
    // What a chip cannot convert to bf16, LLVM's back end rounds twice.
    const bool isRoundedTwice = getElementTypeOrSelf(to).isBF16() && fromWidth > 16;
    Value result;
    if (rounding != aa::RoundingMode::NearestEven || !hasArithmetic(to) || isRoundedTwice)
      result = aa::IToFOp::create(rewriter, op.getLoc(), to, from, convertSignedness(op.getSignedness()), rounding);
    else if (isSigned && fromWidth == 1)
      result = selectSigned(rewriter, op.getLoc(), from, to);
    else if (isSigned)
      result = arith::SIToFPOp::create(rewriter, op.getLoc(), to, from);
    else
      result = arith::UIToFPOp::create(rewriter, op.getLoc(), to, from);
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct ConvertFToI : OpConversionPattern<cuda_tile::FToIOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::FToIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value from = adaptor.getFrom();
    if (!hasArithmetic(from.getType())) // exact
      from = aa::FpToFpOp::create(rewriter, op.getLoc(), withElement(from.getType(), rewriter.getF32Type()), from,
                                  aa::RoundingMode::NearestEven);
    rewriter.replaceOpWithNewOp<aa::FToIOp>(op, getTypeConverter()->convertType(op.getType()), from,
                                            convertSignedness(op.getSignedness()));
    return success();
  }
};

} // namespace

void cuda_tile_to_aa::populateFloatingPointPatterns(const TileTypeConverter &converter, RewritePatternSet &patterns) {
  patterns
      .add<ConvertPlain<cuda_tile::AbsFOp, math::AbsFOp>, ConvertPlain<cuda_tile::NegFOp, arith::NegFOp>,
           ConvertPlain<cuda_tile::CeilOp, math::CeilOp>, ConvertPlain<cuda_tile::FloorOp, math::FloorOp>,
           ConvertPlain<cuda_tile::LogOp, math::LogOp>, ConvertPlain<cuda_tile::Log2Op, math::Log2Op>,
           ConvertPlain<cuda_tile::SinOp, math::SinOp>, ConvertPlain<cuda_tile::CosOp, math::CosOp>,
           ConvertPlain<cuda_tile::TanOp, math::TanOp>, ConvertPlain<cuda_tile::SinHOp, math::SinhOp>,
           ConvertPlain<cuda_tile::CosHOp, math::CoshOp>, ConvertAtan2, ConvertPow,
           ConvertPlain<cuda_tile::RemFOp, arith::RemFOp>, ConvertRounded<cuda_tile::AddFOp, arith::AddFOp, aa::AddFOp>,
           ConvertRounded<cuda_tile::SubFOp, arith::SubFOp, aa::SubFOp>,
           ConvertRounded<cuda_tile::MulFOp, arith::MulFOp, aa::MulFOp>,
           ConvertRounded<cuda_tile::DivFOp, arith::DivFOp, aa::DivFOp>,
           ConvertRounded<cuda_tile::FmaOp, math::FmaOp, aa::FmaOp>,
           ConvertRounded<cuda_tile::SqrtOp, math::SqrtOp, aa::SqrtOp>,
           ConvertFlushed<cuda_tile::Exp2Op, math::Exp2Op, aa::Exp2Op>,
           ConvertFlushed<cuda_tile::RsqrtOp, math::RsqrtOp, aa::RsqrtOp>,
           ConvertApproximable<cuda_tile::ExpOp, math::ExpOp, aa::ExpOp>,
           ConvertApproximable<cuda_tile::TanHOp, math::TanhOp, aa::TanhOp>,
           ConvertExtremum<cuda_tile::MaxFOp, arith::MaximumFOp, arith::MaxNumFOp, aa::MaxFOp>,
           ConvertExtremum<cuda_tile::MinFOp, arith::MinimumFOp, arith::MinNumFOp, aa::MinFOp>, ConvertFPowI,
           ConvertCmpF, ConvertFToF, ConvertIToF, ConvertFToI>(converter, patterns.getContext());
}
