//===- NumberConversions.cpp - From one number format to another ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Formats of 8 and 4 bits have no arithmetic. They are widened to f32 (which holds all of them exactly) and narrowed
// from f32, by hardware instructions where the chip has them and by integer arithmetic elsewhere.
//
//===----------------------------------------------------------------------===//

#include "Conversion/TileASToLLVM/Patterns.h"
#include "PackedBytes.h"
#include "RecomputeTiles.h"
#include "mlir/IR/TypeUtilities.h"
#include <cmath>

using namespace mlir;

namespace tileiras {
namespace {

bool isNarrow(Type type) {
  return isa<FloatType>(type) && type.getIntOrFloatBitWidth() <= 8;
}

//===----------------------------------------------------------------------===//
// Widening to f32
//===----------------------------------------------------------------------===//

/// What an 8-bit format with sign is made of: bits of the mantissa and bias of the exponent.
struct F8Format {
  StringRef name; ///< as PTX spells it
  unsigned mantissa;
  int64_t bias;
  int64_t largest; ///< code of the largest number

  static F8Format get(Type type) {
    if (isa<Float8E4M3FNType>(type))
      return {"e4m3", 3, 7, 0x7e};
    return {"e5m2", 2, 15, 0x7b};
  }
};

/// Through f16, which holds all values of both 8-bit formats.
Value widenF8(Emitter &emit, Value byte, StringRef format) {
  Value pair = emitPtxInstruction(emit, "cvt.rn.f16x2." + format + "x2", emit.i32(), byte);
  Value half = emit.bitcast(emit.zeroExtendOrTruncate(pair, 16), emit.builder.getF16Type());
  return emit.fpExtend(half, emit.f32());
}

/// Without the instruction: an e5m2 is the upper half of an f16. The exponent and mantissa of an e4m3, in the place of
/// an f32's, are 2^-120 times the number, subnormal ones included.
Value widenF8ByArithmetic(Emitter &emit, Value byte, Type from) {
  if (isa<Float8E5M2Type>(from)) {
    Value half = emit.bitcast(emit.shl(emit.zeroExtendOrTruncate(byte, 16), 8), emit.builder.getF16Type());
    return emit.fpExtend(half, emit.f32());
  }
  const F8Format format = F8Format::get(from);
  const unsigned shift = 23 - format.mantissa;
  Value code = emit.signExtendOrTruncate(byte, 32);
  Value placed = emit.bitAnd(emit.shl(code, shift), emit.i32(int32_t(0x80000000u | 0x7f << shift)));
  Value power = emit.constantFloat(emit.f32(), std::ldexp(1.0, 127 - format.bias));
  Value number = LLVM::FMulOp::create(emit.builder, emit.location, emit.bitcast(placed, emit.f32()), power);
  Value isNan = emit.icmp(LLVM::ICmpPredicate::eq, emit.bitAnd(code, emit.i32(0x7f)), emit.i32(0x7f));
  return emit.select(isNan, emit.constantFloat(emit.f32(), APFloat::getNaN(APFloat::IEEEsingle())), number);
}

/// An e8m0 is the exponent of a power of two: 0 is 2^-127, a subnormal f32, and 255 is NaN.
Value widenE8M0(Emitter &emit, Value byte) {
  Value exponent = emit.zeroExtendOrTruncate(byte, 32);
  Value normal = emit.shl(exponent, 23);
  Value isSmallest = emit.icmp(LLVM::ICmpPredicate::eq, exponent, emit.i32(0));
  Value isNan = emit.icmp(LLVM::ICmpPredicate::eq, exponent, emit.i32(255));
  Value bits = emit.select(isSmallest, emit.i32(0x00400000), normal);
  return emit.bitcast(emit.select(isNan, emit.i32(0x7fc00000), bits), emit.f32());
}

/// An e2m1 is sign, two bits of exponent (bias 1) and one of mantissa; 1 is 0.5, the only subnormal.
Value widenE2M1(Emitter &emit, Value byte) {
  Value code = emit.zeroExtendOrTruncate(byte, 32);
  Value magnitude = emit.bitAnd(code, emit.i32(7));
  Value sign = emit.shl(emit.bitAnd(code, emit.i32(8)), 28);
  Value normal = emit.add(emit.shl(magnitude, 22), emit.i32(126 << 23));
  Value isSubnormal = emit.icmp(LLVM::ICmpPredicate::eq, magnitude, emit.i32(1));
  Value isZero = emit.icmp(LLVM::ICmpPredicate::eq, magnitude, emit.i32(0));
  Value bits = emit.select(isSubnormal, emit.i32(126 << 23), normal);
  return emit.bitcast(emit.bitOr(sign, emit.select(isZero, emit.i32(0), bits)), emit.f32());
}

} // namespace

Value emitWidened(Emitter &emit, const LoweringContext &lowering, Value scalar, Type from) {
  if (isa<Float8E4M3FNType, Float8E5M2Type>(from))
    return lowering.features().cvtF8x2 ? widenF8(emit, scalar, F8Format::get(from).name)
                                       : widenF8ByArithmetic(emit, scalar, from);
  if (isa<Float8E8M0FNUType>(from))
    return widenE8M0(emit, scalar);
  if (isa<Float4E2M1FNType>(from))
    return widenE2M1(emit, scalar);
  return from.isF64() ? scalar : emit.fpExtend(scalar, emit.f32());
}

namespace {

//===----------------------------------------------------------------------===//
// Narrowing from f32
//===----------------------------------------------------------------------===//

/// f64 to f32 such that rounding the result once more, to any narrower format, gives what one rounding would: the last
/// bit is set when bits were lost ("round to odd").
Value narrowToOdd(Emitter &emit, Value scalar) {
  Value towardsZero = emitPtxInstruction(emit, "cvt.rz.f32.f64", emit.f32(), scalar);
  Value isExact = emit.fcmp(LLVM::FCmpPredicate::ueq, emit.fpExtend(towardsZero, scalar.getType()), scalar);
  Value bits = emit.bitcast(towardsZero, emit.i32());
  return emit.bitcast(emit.select(isExact, bits, emit.bitOr(bits, emit.i32(1))), emit.f32());
}

Value narrowToF8(Emitter &emit, Value scalar, StringRef format) {
  // The first source becomes the upper byte.
  Value pair = emitPtxInstruction(emit, "cvt.rn.satfinite." + format + "x2.f32", emit.intType(16),
                                  {emit.constantFloat(emit.f32(), 0.0), scalar});
  return emit.zeroExtendOrTruncate(pair, 8);
}

/// Without the instruction: normal numbers are rounded in their bits; of the others the sum with 2^23 times the
/// smallest one is, which leaves their code in the lowest bits. NaN has no sign.
Value narrowToF8ByArithmetic(Emitter &emit, Value scalar, Type to) {
  const F8Format format = F8Format::get(to);
  const unsigned shift = 23 - format.mantissa;
  Value bits = emit.bitcast(scalar, emit.i32());
  Value magnitude = emit.bitAnd(bits, emit.i32(0x7fffffff));
  Value isOdd = emit.bitAnd(emit.lshr(magnitude, shift), emit.i32(1));
  Value rounded = emit.add(emit.add(magnitude, emit.i32((int64_t(1) << (shift - 1)) - 1)), isOdd);
  Value normal = emit.sub(emit.lshr(rounded, shift), emit.i32((127 - format.bias) << format.mantissa));
  normal = emit.minSigned(normal, emit.i32(format.largest));

  const int smallest = 1 - int(format.bias) - int(format.mantissa); // as a power of two
  Value base = emit.constantFloat(emit.f32(), std::ldexp(1.0, 23 + smallest));
  Value sum = LLVM::FAddOp::create(emit.builder, emit.location, emit.bitcast(magnitude, emit.f32()), base);
  Value subnormal = emit.sub(emit.bitcast(sum, emit.i32()), emit.bitcast(base, emit.i32()));
  Value isSubnormal = emit.icmp(LLVM::ICmpPredicate::slt, magnitude, emit.i32((128 - format.bias) << 23));
  Value isNan = emit.icmp(LLVM::ICmpPredicate::sgt, magnitude, emit.i32(0x7f800000));
  Value sign = emit.bitAnd(emit.lshr(bits, 24), emit.i32(0x80));
  Value code = emit.bitOr(sign, emit.select(isSubnormal, subnormal, normal));
  return emit.zeroExtendOrTruncate(emit.select(isNan, emit.i32(0x7f), code), 8);
}

/// Without the instruction: rounds away the 13 bits that a tf32 lacks, ties to even.
Value narrowToTf32ByArithmetic(Emitter &emit, Value scalar) {
  Value bits = emit.bitcast(scalar, emit.i32());
  Value isOdd = emit.bitAnd(emit.lshr(bits, 13), emit.i32(1));
  Value rounded = emit.bitAnd(emit.add(emit.add(bits, emit.i32(0xfff)), isOdd), emit.i32(~int64_t(0x1fff)));
  Value isNan = emit.fcmp(LLVM::FCmpPredicate::uno, scalar, scalar);
  return emit.bitcast(emit.select(isNan, emit.i32(0x7fffffff), rounded), emit.f32());
}

/// Rounds the exponent; negative numbers and zero give the smallest value, NaN and infinity NaN.
Value narrowToE8M0(Emitter &emit, Value scalar, aa::RoundingMode rounding) {
  Value bits = emit.bitcast(scalar, emit.i32());
  int64_t increment = 0;         // Towards zero: the exponent as it is.
  int64_t firstAbove = 0x800000; // subnormal numbers from here on become 2^-126, others the smallest value, 2^-127
  if (rounding == aa::RoundingMode::PositiveInf) {
    increment = 0x7fffff;
    firstAbove = 0x400001;
  }
  if (rounding == aa::RoundingMode::NearestEven || rounding == aa::RoundingMode::NearestAway) {
    increment = 0x400000; // Halfway is 1.5 · 2^e; powers of two have no even neighbour: upwards.
    firstAbove = 0x600000;
  }
  Value isSubnormal = emit.icmp(LLVM::ICmpPredicate::ult, bits, emit.i32(0x800000));
  Value isAbove = emit.icmp(LLVM::ICmpPredicate::uge, bits, emit.i32(firstAbove));
  Value exponent = emit.select(isSubnormal, emit.zeroExtendOrTruncate(isAbove, 32),
                               emit.lshr(emit.add(bits, emit.i32(increment)), 23));
  exponent = emit.minSigned(exponent, emit.i32(254));
  Value isSmall = emit.icmp(LLVM::ICmpPredicate::sle, bits, emit.i32(0));
  Value magnitude = emit.bitAnd(bits, emit.i32(0x7fffffff));
  Value isNan = emit.icmp(LLVM::ICmpPredicate::sge, magnitude, emit.i32(0x7f800000));
  exponent = emit.select(isSmall, emit.i32(0), exponent);
  return emit.zeroExtendOrTruncate(emit.select(isNan, emit.i32(255), exponent), 8);
}

/// Counts the rounding boundaries below the magnitude. Ties go to the even code, so every other boundary is inclusive.
/// NaN becomes the largest number, as in hardware.
Value narrowToE2M1(Emitter &emit, Value scalar) {
  static constexpr double boundaries[] = {0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0};
  Value bits = emit.bitcast(scalar, emit.i32());
  Value magnitude = emit.bitcast(emit.bitAnd(bits, emit.i32(0x7fffffff)), emit.f32());
  Value code = emit.i32(0);
  for (auto [i, boundary] : llvm::enumerate(boundaries)) {
    // Unordered: true of NaN.
    auto predicate = i % 2 ? LLVM::FCmpPredicate::uge : LLVM::FCmpPredicate::ugt;
    Value above = emit.fcmp(predicate, magnitude, emit.constantFloat(emit.f32(), boundary));
    code = emit.add(code, emit.zeroExtendOrTruncate(above, 32));
  }
  Value isNan = emit.fcmp(LLVM::FCmpPredicate::uno, magnitude, magnitude);
  Value sign = emit.select(isNan, emit.i32(0), emit.bitAnd(emit.lshr(bits, 28), emit.i32(8)));
  return emit.zeroExtendOrTruncate(emit.bitOr(code, sign), 8);
}

/// Whether one instruction converts f32 (or f64, to f32 and f16) to `to` with this rounding, or what emitNarrowed has
/// in its place.
bool isInstruction(const LoweringContext &lowering, Type to, aa::RoundingMode rounding) {
  const bool isNearest = rounding == aa::RoundingMode::NearestEven;
  if (to.isF32() || to.isF16())
    return rounding != aa::RoundingMode::NearestAway;
  if (to.isBF16())
    return isNearest || (rounding == aa::RoundingMode::Zero && lowering.features().fmaBf16);
  if (isa<FloatTF32Type>(to))
    return isNearest || (rounding == aa::RoundingMode::NearestAway && lowering.features().fmaBf16) ||
           (rounding == aa::RoundingMode::Zero && lowering.features().cvtRnTf32);
  return isNearest;
}

/// The number in a register of the format as an integer, and what neighbours and the largest number are in it.
struct FloatCode {
  int64_t signBit, step, largest;

  static FloatCode get(Type type) {
    if (isa<Float8E4M3FNType>(type))
      return {0x80, 1, 0x7e};
    if (isa<Float8E5M2Type>(type))
      return {0x80, 1, 0x7b};
    if (isa<Float4E2M1FNType>(type))
      return {0x8, 1, 0x7};
    if (isa<FloatTF32Type>(type)) // the upper bits of an f32
      return {int64_t(1) << 31, 0x2000, 0x7f800000};
    unsigned bits = type.getIntOrFloatBitWidth();
    return {int64_t(1) << (bits - 1), 1, (int64_t(1) << (bits - 1)) - 1}; // Beyond the largest there is infinity.
  }
};

/// What no instruction does: the nearest number, and from there to its neighbour where that is on the wrong side.
/// Codes of neighbours differ by one step, across powers of two and up to infinity.
Value narrowByCorrection(Emitter &emit, const LoweringContext &lowering, Value wide, Type to,
                         aa::RoundingMode rounding) {
  Value nearest = emitNarrowed(emit, lowering, wide, to, aa::RoundingMode::NearestEven);
  Type type = nearest.getType(), wideType = wide.getType();
  Value code = toCarrier(emit, nearest);
  const FloatCode format = FloatCode::get(to);
  auto widen = [&](Value narrow) { return emit.fpExtend(emitWidened(emit, lowering, narrow, to), wideType); };
  auto moved = [&](int64_t step) {
    return fromCarrier(emit, emit.add(code, emit.constant(code.getType(), step)), type);
  };
  auto magnitudeOf = [&](Value number) { return emit.intrinsic("llvm.fabs", wideType, number); };
  Value magnitude = magnitudeOf(wide), reached = magnitudeOf(widen(nearest));
  Value isShort = emit.fcmp(LLVM::FCmpPredicate::olt, reached, magnitude);
  Value unsignedCode = emit.bitAnd(code, emit.constant(code.getType(), format.signBit - 1));
  Value canGrow = emit.icmp(LLVM::ICmpPredicate::ult, unsignedCode, emit.constant(code.getType(), format.largest));
  isShort = emit.bitAnd(isShort, canGrow);
  Value outer = moved(format.step);
  if (rounding == aa::RoundingMode::NearestAway) {
    Value below = LLVM::FSubOp::create(emit.builder, emit.location, magnitude, reached);
    Value above = LLVM::FSubOp::create(emit.builder, emit.location, magnitudeOf(widen(outer)), magnitude);
    Value isHalfway = emit.fcmp(LLVM::FCmpPredicate::oeq, below, above);
    return emit.select(emit.bitAnd(isShort, isHalfway), outer, nearest);
  }
  Value isLong = emit.fcmp(LLVM::FCmpPredicate::ogt, reached, magnitude);
  Value inward = emit.select(isLong, moved(-format.step), nearest);
  if (rounding == aa::RoundingMode::Zero)
    return inward;
  auto predicate = rounding == aa::RoundingMode::PositiveInf ? LLVM::FCmpPredicate::ogt : LLVM::FCmpPredicate::olt;
  Value isOutward = emit.fcmp(predicate, wide, emit.constantFloat(wideType, 0.0));
  return emit.select(isOutward, emit.select(isShort, outer, nearest), inward);
}

} // namespace

Value emitNarrowed(Emitter &emit, const LoweringContext &lowering, Value wide, Type to, aa::RoundingMode rounding) {
  StringRef mode = getPtxRounding(rounding);
  const bool fromDouble = wide.getType().isF64(), isHalf = to.isF16() && isInstruction(lowering, to, rounding);
  if (to.isF64())
    return emit.fpExtend(wide, to);
  if (to.isF32() && !fromDouble)
    return wide;
  if (fromDouble && !to.isF32() && !isHalf)
    wide = rounding == aa::RoundingMode::Zero ? emitPtxInstruction(emit, "cvt.rz.f32.f64", emit.f32(), wide)
                                              : narrowToOdd(emit, wide);
  if (isa<Float8E8M0FNUType>(to))
    return narrowToE8M0(emit, wide, rounding);
  if (!isInstruction(lowering, to, rounding))
    return narrowByCorrection(emit, lowering, wide, to, rounding);
  if (to.isF32())
    return emitPtxInstruction(emit, "cvt." + mode + ".f32.f64", to, wide);
  if (to.isF16())
    return emitPtxInstruction(emit, "cvt." + mode + ".f16." + (fromDouble ? "f64" : "f32"), to, wide);
  if (to.isBF16())
    return lowering.features().fmaBf16 ? emitPtxInstruction(emit, "cvt." + mode + ".bf16.f32", to, wide)
                                       : emit.fpTruncate(wide, to); // The back end rounds the bits of an integer.
  if (isa<FloatTF32Type>(to)) {
    if (rounding == aa::RoundingMode::NearestEven && !lowering.features().cvtRnTf32)
      return narrowToTf32ByArithmetic(emit, wide);
    Value bits = emitPtxInstruction(emit, "cvt." + mode + ".tf32.f32", emit.i32(), wide);
    return emit.bitcast(bits, emit.f32());
  }
  if (isa<Float8E4M3FNType, Float8E5M2Type>(to))
    return lowering.features().cvtF8x2 ? narrowToF8(emit, wide, F8Format::get(to).name)
                                       : narrowToF8ByArithmetic(emit, wide, to);
  return narrowToE2M1(emit, wide);
}

namespace {

struct FpToFpPattern final : TilePattern<aa::FpToFpOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(aa::FpToFpOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    Type from = getElementTypeOrSelf(op.getSource().getType()), to = getElementTypeOrSelf(op.getType());
    bool isWider = getMemoryBits(from) < getMemoryBits(to) && !isNarrow(from) && !isa<FloatTF32Type>(to);
    if (isWider) {
      rewriter.replaceOp(op, emit.fpExtend(adaptor.getSource(), convert(op.getType())));
      return success();
    }
    if (Value packed = convertBytes(emit, adaptor.getSource(), from, to, op.getRounding())) {
      rewriter.replaceOp(op, packed);
      return success();
    }
    Value result = mapElements(emit, convert(op.getType()), adaptor.getSource(), [&](ValueRange scalars) {
      return emitNarrowed(emit, lowering, emitWidened(emit, lowering, scalars[0], from), to, op.getRounding());
    });
    rewriter.replaceOp(op, result);
    return success();
  }

  /// Several at once where one side is made of bytes; or null.
  Value convertBytes(Emitter &emit, Value source, Type from, Type to, aa::RoundingMode rounding) const {
    if (isNarrow(from) && !isNarrow(to))
      return emitWidenedBytes(emit, lowering, source, from, to);
    if (!isNarrow(to) || isNarrow(from) || rounding != aa::RoundingMode::NearestEven)
      return {};
    if (from.isBF16())
      source = emit.fpExtend(source, Emitter::likeShape(emit.f32(), source));
    return emitNarrowedBytes(emit, lowering, source, to);
  }
};

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

struct FToIPattern final : TilePattern<aa::FToIOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(aa::FToIOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    Type from = getElementTypeOrSelf(op.getSource().getType());
    Value source = adaptor.getSource();
    if (isNarrow(from))
      source = mapElements(emit, Emitter::likeShape(emit.f32(), source), source,
                           [&](ValueRange scalars) { return emitWidened(emit, lowering, scalars[0], from); });
    else if (from.getIntOrFloatBitWidth() == 16)
      source = emit.fpExtend(source, Emitter::likeShape(emit.f32(), source));
    bool isSigned = op.getSignedness() == aa::Signedness::Signed;
    bool isBit = getElementTypeOrSelf(op.getType()).isInteger(1);
    // A bit by way of an i32: the back end gets the direct conversion wrong. Saturated, the bit is set for everything
    // from 1 on (unsigned) or up to -1 (signed).
    Type type = isBit ? Emitter::likeShape(emit.i32(), source) : convert(op.getType());
    Value result = emit.intrinsic(isSigned ? "llvm.fptosi.sat" : "llvm.fptoui.sat", type, source);
    if (isBit)
      result = emit.icmp(isSigned ? LLVM::ICmpPredicate::slt : LLVM::ICmpPredicate::ne, result, emit.constant(type, 0));
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct IToFPattern final : TilePattern<aa::IToFOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(aa::IToFOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    Type to = getElementTypeOrSelf(op.getType());
    bool isSigned = op.getSignedness() == aa::Signedness::Signed;
    // Where integers have no conversion to bf16, the back end would round twice, by way of f32.
    bool isDirect = !isNarrow(to) && !isa<FloatTF32Type>(to) && (!to.isBF16() || lowering.features().addBf16);
    if (getElementTypeOrSelf(op.getSource().getType()).isInteger(8))
      if (Value packed = emitFloatsOfBytes(emit, lowering, adaptor.getSource(), to, isSigned)) {
        rewriter.replaceOp(op, packed);
        return success();
      }
    if (op.getRounding() == aa::RoundingMode::NearestEven && isDirect) {
      Type type = convert(op.getType());
      Value result = isSigned ? Value(LLVM::SIToFPOp::create(rewriter, op.getLoc(), type, adaptor.getSource()))
                              : LLVM::UIToFPOp::create(rewriter, op.getLoc(), type, adaptor.getSource());
      rewriter.replaceOp(op, result);
      return success();
    }
    Value result = mapElements(emit, convert(op.getType()), adaptor.getSource(), [&](ValueRange scalars) {
      return convertRounded(emit, scalars[0], to, isSigned, op.getRounding());
    });
    rewriter.replaceOp(op, result);
    return success();
  }

  /// f32 and f64 have instructions for every mode. Narrower formats go through f32, rounded to odd: with at least two
  /// digits more, nothing is lost that matters.
  Value convertRounded(Emitter &emit, Value integer, Type to, bool isSigned, aa::RoundingMode rounding) const {
    unsigned bits = std::max(32u, integer.getType().getIntOrFloatBitWidth());
    integer = isSigned ? emit.signExtendOrTruncate(integer, bits) : emit.zeroExtendOrTruncate(integer, bits);
    const std::string from = ((isSigned ? "s" : "u") + Twine(bits)).str();
    if (to.isF32() || to.isF64())
      return emitPtxInstruction(emit, "cvt." + getPtxRounding(rounding) + (to.isF64() ? ".f64." : ".f32.") + from, to,
                                integer);
    Value towardsZero = emitPtxInstruction(emit, "cvt.rz.f32." + from, emit.f32(), integer);
    Value back = emitPtxInstruction(emit, "cvt.rzi." + from + ".f32", integer.getType(), towardsZero);
    Value isInexact = emit.icmp(LLVM::ICmpPredicate::ne, back, integer);
    Value odd = emit.bitOr(emit.bitcast(towardsZero, emit.i32()), emit.zeroExtendOrTruncate(isInexact, 32));
    Value wide = emit.bitcast(odd, emit.f32());
    Value narrowed = emitNarrowed(emit, lowering, wide, to, rounding);
    return isa<Float8E4M3FNType, Float8E5M2Type>(to) ? overflow(emit, wide, narrowed, to) : narrowed;
  }

  /// The conversion instructions saturate; an integer that is too large becomes infinity, or NaN where there is none.
  /// The limit lies half way between the largest value and what would follow it: 464 is rounded to the even 448, 61440
  /// to the even 65536, which is too much.
  Value overflow(Emitter &emit, Value wide, Value narrowed, Type to) const {
    bool hasInfinity = isa<Float8E5M2Type>(to);
    Value magnitude = emit.intrinsic("llvm.fabs", wide.getType(), wide);
    Value isTooLarge = emit.fcmp(hasInfinity ? LLVM::FCmpPredicate::oge : LLVM::FCmpPredicate::ogt, magnitude,
                                 emit.constantFloat(wide.getType(), hasInfinity ? 61440.0 : 464.0));
    Value sign = emit.bitAnd(narrowed, emit.constant(narrowed.getType(), 0x80));
    Value special = hasInfinity ? emit.bitOr(sign, emit.constant(narrowed.getType(), 0x7c))
                                : emit.constant(narrowed.getType(), 0x7f);
    return emit.select(isTooLarge, special, narrowed);
  }
};

/// Compilers would see that the elements have been extended before, and keep those. They do not know that no lane is
/// one of those before it, which makes a zero that changes no bit.
struct RecomputedExtensionPattern final : TilePattern<arith::ExtFOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!op->hasAttr(kRecomputedAttr))
      return failure();
    Emitter emit(rewriter, op);
    PtxInstruction masks(emit);
    const std::string result = masks.result(emit.i32());
    Value zero =
        masks.emit("{ .reg .b32 own, before; mov.u32 own, %lanemask_eq; mov.u32 before, %lanemask_lt; and.b32 " +
                       result + ", own, before; }",
                   PtxEffect::Convergent)[0];
    Value pairs = adaptor.getIn();
    const unsigned words = Emitter::getVectorSize(pairs) / 2;
    pairs = emit.bitXor(emit.bitcast(pairs, Emitter::vectorType(words, emit.i32())), emit.splat(zero, words));
    rewriter.replaceOp(op, emit.fpExtend(emit.bitcast(pairs, adaptor.getIn().getType()), convert(op.getType())));
    return success();
  }
};

/// Formats without arithmetic are integers in registers, those of less than a byte in a byte: reinterpreting them is a
/// change of the integer's width at most.
template <typename OpTy>
struct BitcastPattern final : TilePattern<OpTy> {
  using TilePattern<OpTy>::TilePattern;

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    Value source = adaptor.getOperands()[0];
    Type to = getElementTypeOrSelf(this->convert(op.getType())), from = getElementTypeOrSelf(source.getType());
    if (to.isInteger() && from.isInteger())
      source = emit.zeroExtendOrTruncate(source, to.getIntOrFloatBitWidth());
    rewriter.replaceOp(op, emit.bitcast(source, this->convert(op.getType())));
    return success();
  }
};

} // namespace

void populateNumberConversionPatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<FpToFpPattern, FToIPattern, IToFPattern, RecomputedExtensionPattern, BitcastPattern<arith::BitcastOp>>(
      lowering);
}

} // namespace tileiras
