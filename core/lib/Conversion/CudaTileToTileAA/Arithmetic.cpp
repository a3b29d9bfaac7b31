//===- Arithmetic.cpp - Integers, comparisons and conversions ------------- -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "tileiras/Dialect/TileAA/KnownMaximum.h"
#include "tileiras/Dialect/TileAA/Shifts.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::cuda_tile_to_aa;

static bool isSigned(cuda_tile::Signedness signedness) {
  return signedness == cuda_tile::Signedness::Signed;
}

/// The promise of a sum that may be kept. Upstream merges constants of operations with promises into one that has them
/// too, though it may wrap where those did not: (x + 100) + 100 becomes x - 56 in 8 bits. No program has enough of them
/// for sums of these constants to wrap; other promises are dropped.
static arith::IntegerOverflowFlags keepOverflow(cuda_tile::IntegerOverflow overflow, ValueRange operands) {
  constexpr unsigned log2MostOperations = 24;
  const bool isSigned = overflow == cuda_tile::IntegerOverflow::NSW || overflow == cuda_tile::IntegerOverflow::NW;
  const bool isSmall = llvm::any_of(operands, [](Value operand) {
    APInt constant;
    return matchPattern(operand, m_ConstantInt(&constant)) &&
           constant.getSignificantBits() + log2MostOperations <= constant.getBitWidth();
  });
  return isSigned && isSmall ? arith::IntegerOverflowFlags::nsw : arith::IntegerOverflowFlags::none;
}

static Value makeInteger(OpBuilder &builder, Location loc, Type type, uint64_t number) {
  TypedAttr value = builder.getIntegerAttr(getElementTypeOrSelf(type), number);
  if (auto tile = dyn_cast<ShapedType>(type))
    value = DenseElementsAttr::get(tile, value);
  return arith::ConstantOp::create(builder, loc, value);
}

namespace {

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

struct ConvertAddI : OpConversionPattern<cuda_tile::AddIOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::AddIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<arith::AddIOp>(op, adaptor.getLhs(), adaptor.getRhs(),
                                               keepOverflow(op.getOverflow(), adaptor.getOperands()));
    return success();
  }
};

/// maxi, mini: one upstream operation for each reading.
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

/// By `arith` where the amount is known to be below the width.
template <typename Near, typename Far, typename From>
void replaceShift(From op, Value value, Value amount, ConversionPatternRewriter &rewriter) {
  const unsigned width = getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
  if (aa::getKnownMaximum(amount) < width) {
    rewriter.replaceOpWithNewOp<Near>(op, value, amount);
    return;
  }
  // Instructions take amounts of 32 bits. Where all are said to fit, the upper half need not be looked at.
  if (width == 64 && llvm::isUInt<32>(aa::getKnownMaximum(amount, /*believesAssumptions=*/true))) {
    Type i32 = rewriter.getI32Type(), narrow = i32;
    if (auto tile = dyn_cast<RankedTensorType>(amount.getType()))
      narrow = tile.clone(i32);
    Value low = arith::TruncIOp::create(rewriter, op.getLoc(), narrow, amount);
    amount = arith::ExtUIOp::create(rewriter, op.getLoc(), amount.getType(), low);
  }
  rewriter.replaceOpWithNewOp<Far>(op, value.getType(), value, amount);
}

struct ConvertShLI : OpConversionPattern<cuda_tile::ShLIOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::ShLIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    replaceShift<arith::ShLIOp, aa::ShLIOp>(op, adaptor.getLhs(), adaptor.getRhs(), rewriter);
    return success();
  }
};

struct ConvertShRI : OpConversionPattern<cuda_tile::ShRIOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::ShRIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (isSigned(op.getSignedness()))
      replaceShift<arith::ShRSIOp, aa::ShRSIOp>(op, adaptor.getLhs(), adaptor.getRhs(), rewriter);
    else
      replaceShift<arith::ShRUIOp, aa::ShRUIOp>(op, adaptor.getLhs(), adaptor.getRhs(), rewriter);
    return success();
  }
};

/// The remainder of the smallest number by -1 is 0, and undefined in LLVM as the quotient is. That by 1 is 0, too.
struct ConvertRemI : OpConversionPattern<cuda_tile::RemIOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::RemIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value lhs = adaptor.getLhs(), rhs = adaptor.getRhs();
    if (!isSigned(op.getSignedness())) {
      rewriter.replaceOpWithNewOp<arith::RemUIOp>(op, lhs, rhs);
      return success();
    }
    const unsigned width = getElementTypeOrSelf(rhs.getType()).getIntOrFloatBitWidth();
    auto constant = [&](uint64_t number) { return makeInteger(rewriter, op.getLoc(), rhs.getType(), number); };
    if (width == 1) { // There is no other divisor than -1.
      rewriter.replaceOp(op, constant(0));
      return success();
    }
    APInt divisor;
    const bool isOther = matchPattern(rhs, m_ConstantInt(&divisor)) && !divisor.isAllOnes();
    if (!isOther && aa::getKnownMaximum(rhs) == llvm::maskTrailingOnes<uint64_t>(width)) {
      Value isMinusOne =
          arith::CmpIOp::create(rewriter, op.getLoc(), arith::CmpIPredicate::eq, rhs, constant(~uint64_t(0)));
      rhs = arith::SelectOp::create(rewriter, op.getLoc(), isMinusOne, constant(1), rhs);
    }
    rewriter.replaceOpWithNewOp<arith::RemSIOp>(op, lhs, rhs);
    return success();
  }
};

struct ConvertNegI : OpConversionPattern<cuda_tile::NegIOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(cuda_tile::NegIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value source = adaptor.getSource();
    Value zero = makeInteger(rewriter, op.getLoc(), source.getType(), 0);
    rewriter.replaceOpWithNewOp<arith::SubIOp>(op, zero, source);
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
    rewriter.replaceOpWithNewOp<arith::TruncIOp>(op, getTypeConverter()->convertType(op.getType()), adaptor.getFrom());
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
               ConvertPlain<cuda_tile::SubIOp, arith::SubIOp>, ConvertPlain<cuda_tile::MulIOp, arith::MulIOp>,
               ConvertSigned<cuda_tile::MaxIOp, arith::MaxSIOp, arith::MaxUIOp>,
               ConvertSigned<cuda_tile::MinIOp, arith::MinSIOp, arith::MinUIOp>, ConvertAddI, ConvertShLI, ConvertShRI,
               ConvertRemI, ConvertDivI, ConvertNegI, ConvertMulhiI, ConvertCmpI, ConvertSelect, ConvertExtI,
               ConvertTruncI, ConvertBitcast>(converter, patterns.getContext());
}
