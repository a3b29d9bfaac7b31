//===- Elementwise.cpp - Arithmetic of nv_tileaa, element by element ------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/TileASToLLVM/Patterns.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "tileiras/Lowering/PackedArithmetic.h"
#include "tileiras/Lowering/SplitExponentials.h"

using namespace mlir;

namespace tileiras {

Value mapElements(Emitter &emit, Type result, ValueRange operands, llvm::function_ref<Value(ValueRange)> compute) {
  auto vector = dyn_cast<VectorType>(result);
  if (!vector)
    return compute(operands);
  SmallVector<Value> elements;
  for (int64_t i = 0; i < vector.getNumElements(); ++i) {
    SmallVector<Value> scalars;
    for (Value operand : operands)
      scalars.push_back(emit.extract(operand, i));
    elements.push_back(compute(scalars));
  }
  return emit.pack(elements);
}

Value emitPtxInstruction(Emitter &emit, const Twine &opcode, Type result, ValueRange arguments) {
  PtxInstruction instruction(emit);
  std::string text = (opcode + " ").str() + instruction.result(result);
  for (Value argument : arguments)
    text += ", " + instruction.operand(argument);
  return instruction.emit(text + ";").front();
}

StringRef getPtxRounding(aa::RoundingMode mode) {
  switch (mode) {
  case aa::RoundingMode::NearestEven:
    return "rn";
  case aa::RoundingMode::Zero:
    return "rz";
  case aa::RoundingMode::NegativeInf:
    return "rm";
  case aa::RoundingMode::PositiveInf:
    return "rp";
  case aa::RoundingMode::Approx:
    return "approx";
  case aa::RoundingMode::Full:
    return "full";
  case aa::RoundingMode::NearestAway:
    return "rna";
  }
  llvm_unreachable("all rounding modes are handled");
}

std::string getPtxRounded(StringRef name, aa::RoundingMode rounding, bool ftz) {
  return (name + "." + getPtxRounding(rounding) + (ftz ? ".ftz" : "")).str();
}

std::string getPtxExtremum(StringRef name, bool propagateNan, bool ftz) {
  return (name + (ftz ? ".ftz" : "") + (propagateNan ? ".NaN" : "")).str();
}

namespace {

/// "f32", "bf16", …: how PTX spells the type of a float.
std::string getPtxType(Type type) {
  if (type.isBF16())
    return "bf16";
  return ("f" + Twine(type.getIntOrFloatBitWidth())).str();
}

bool isApproximate(aa::RoundingMode mode) {
  return mode == aa::RoundingMode::Approx || mode == aa::RoundingMode::Full;
}

/// Runs `compute` in f32 for the 16-bit formats, which lack most instructions.
Value computeInF32(Emitter &emit, Value argument, llvm::function_ref<Value(Value)> compute) {
  Type type = argument.getType();
  if (type.getIntOrFloatBitWidth() > 16)
    return compute(argument);
  return emit.fpTruncate(compute(emit.fpExtend(argument, emit.f32())), type);
}

/// bf16 arithmetic where `fma` is its only instruction. Adding -0 changes no product, not even the sign of a zero.
Value emitFused(Emitter &emit, StringRef opcode, ValueRange scalars) {
  Type type = scalars.front().getType();
  auto number = [&](double value) { return emit.constantFloat(type, value); };
  SmallVector<Value> operands(scalars);
  if (opcode == "add")
    operands = {scalars[0], number(1.0), scalars[1]};
  else if (opcode == "sub")
    operands = {scalars[1], number(-1.0), scalars[0]};
  else if (opcode == "mul")
    operands = {scalars[0], scalars[1], number(-0.0)};
  return emitPtxInstruction(emit, "fma.rn.bf16", type, operands);
}

/// The same without that instruction. f32 has so many bits that rounding sums and products once more is exact. Of `fma`
/// it is where the first rounding is to odd: of the two numbers around, the one whose last bit is set.
Value emitBF16ByF32(Emitter &emit, const LoweringContext &lowering, StringRef opcode, ValueRange scalars) {
  auto wide = llvm::map_to_vector(scalars, [&](Value scalar) { return emit.fpExtend(scalar, emit.f32()); });
  auto compute = [&](StringRef rounding) {
    return emitPtxInstruction(emit, opcode + rounding + ".f32", emit.f32(), wide);
  };
  auto narrow = [&](Value number) {
    return emitNarrowed(emit, lowering, number, scalars.front().getType(), aa::RoundingMode::NearestEven);
  };
  if (opcode != "fma")
    return narrow(compute(".rn"));
  Value below = compute(".rm"), above = compute(".rp");
  Value lastBit = emit.bitAnd(emit.bitcast(below, emit.i32()), emit.i32(1));
  Value isBelow = emit.bitAnd(emit.icmp(LLVM::ICmpPredicate::ne, lastBit, emit.i32(0)),
                              emit.fcmp(LLVM::FCmpPredicate::one, below, above));
  return narrow(emit.select(isBelow, below, above));
}

/// A tile of f32 by packed instructions: null where the chip has none for the operation.
template <typename OpTy>
Value emitPacked(Emitter &emit, const LoweringContext &lowering, OpTy op, typename OpTy::Adaptor adaptor) {
  const std::optional<std::string> opcode = getPackedOpcode(lowering, op);
  auto vector = dyn_cast<VectorType>(lowering.converter.convertType(op.getType()));
  if (!opcode || !vector || vector.getNumElements() < 2)
    return {};
  auto operands = llvm::map_to_vector(adaptor.getOperands(), [&](Value operand) { return emit.unpack(operand); });
  return emit.pack(emitF32Arithmetic(emit, lowering, *opcode, operands));
}

/// MLIR's operations where packed instructions do them; all others are left to LLVM.
template <typename OpTy>
struct PackedPattern final : TilePattern<OpTy> {
  using TilePattern<OpTy>::TilePattern;

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    Value result = emitPacked(emit, this->lowering, op, adaptor);
    if (!result)
      return failure();
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// Without the instruction LLVM would round twice.
struct BF16FmaPattern final : TilePattern<math::FmaOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(math::FmaOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isBF16() || lowering.features().fmaBf16)
      return failure();
    Emitter emit(rewriter, op);
    rewriter.replaceOp(op, mapElements(emit, convert(op.getType()), adaptor.getOperands(), [&](ValueRange scalars) {
                         return emitBF16ByF32(emit, lowering, "fma", scalars);
                       }));
    return success();
  }
};

/// Operations that are one PTX instruction with a rounding modifier.
template <typename OpTy>
struct RoundedPattern final : TilePattern<OpTy> {
  RoundedPattern(const LoweringContext &lowering, StringRef opcode) : TilePattern<OpTy>(lowering), opcode(opcode) {}

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    if (Value packed = emitPacked(emit, this->lowering, op, adaptor)) {
      rewriter.replaceOp(op, packed);
      return success();
    }
    Type element = getElementTypeOrSelf(op.getType());
    std::string text = getPtxRounded(opcode, op.getRounding(), op.getFtz()) + ".";
    // 16-bit formats have no division, no square root and no directed rounding. f32 has so many bits that rounding its
    // result to nearest once more is exact; in one direction, rounding twice always is.
    bool isNearest = op.getRounding() == aa::RoundingMode::NearestEven;
    bool widen = element.getIntOrFloatBitWidth() == 16 && (opcode == "div" || opcode == "sqrt" || !isNearest);
    text += getPtxType(widen ? emit.f32() : element);
    const ChipFeatures &features = this->lowering.features();
    const bool isFused = element.isBF16() && !widen && !features.addBf16;
    Value result = mapElements(emit, this->convert(op.getType()), adaptor.getOperands(), [&](ValueRange scalars) {
      if (isFused)
        return features.fmaBf16 ? emitFused(emit, opcode, scalars)
                                : emitBF16ByF32(emit, this->lowering, opcode, scalars);
      if (!widen)
        return emitPtxInstruction(emit, text, element, scalars);
      SmallVector<Value> wide;
      for (Value scalar : scalars)
        wide.push_back(emit.fpExtend(scalar, emit.f32()));
      Value rounded = emitPtxInstruction(emit, text, emit.f32(), wide);
      return emitNarrowed(emit, this->lowering, rounded, element, op.getRounding());
    });
    rewriter.replaceOp(op, result);
    return success();
  }

  StringRef opcode;
};

/// Functions that are an approximate instruction when asked for, else a function of libdevice.
template <typename OpTy>
struct FunctionPattern : TilePattern<OpTy> {
  using Approximation = Value (*)(Emitter &, Value, StringRef ftz);
  FunctionPattern(const LoweringContext &lowering, StringRef function, Approximation approximation)
      : TilePattern<OpTy>(lowering), function(function), approximation(approximation) {}

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    // The exact functions have no flushing variant: with ftz the instruction, which flushes, is what is meant.
    bool approximate = isApproximate(op.getRounding()) || op.getFtz();
    Value result = mapElements(emit, this->convert(op.getType()), adaptor.getOperands(), [&](ValueRange scalars) {
      return computeInF32(emit, scalars[0], [&](Value x) {
        if (approximate && !x.getType().isF64())
          return approximation(emit, x, op.getFtz() ? ".ftz" : "");
        return emitLibdeviceFunction(emit, function, x.getType(), x);
      });
    });
    rewriter.replaceOp(op, result);
    return success();
  }

  StringRef function;
  Approximation approximation;
};

/// Those that have kSplitExponentialsAttr are computed by two units.
struct Exp2Pattern final : FunctionPattern<aa::Exp2Op> {
  using FunctionPattern::FunctionPattern;

  LogicalResult matchAndRewrite(aa::Exp2Op op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Value exponents = adaptor.getOperands()[0];
    auto vector = dyn_cast<VectorType>(exponents.getType());
    if (!op->hasAttr(kSplitExponentialsAttr) || !vector || !vector.getElementType().isF32())
      return FunctionPattern::matchAndRewrite(op, adaptor, rewriter);
    Emitter emit(rewriter, op);
    rewriter.replaceOp(op, emit.pack(emitSplitExp2(emit, lowering, emit.unpack(exponents))));
    return success();
  }
};

Value approximateExp2(Emitter &emit, Value x, StringRef ftz) {
  return emitPtxInstruction(emit, "ex2.approx" + ftz + ".f32", x.getType(), x);
}

Value approximateExp(Emitter &emit, Value x, StringRef ftz) {
  constexpr double log2e = 1.4426950408889634;
  Value scaled = LLVM::FMulOp::create(emit.builder, emit.location, x, emit.constantFloat(x.getType(), log2e));
  return approximateExp2(emit, scaled, ftz);
}

Value approximateTanh(Emitter &emit, Value x, StringRef) {
  return emitPtxInstruction(emit, "tanh.approx.f32", x.getType(), x);
}

Value approximateRsqrt(Emitter &emit, Value x, StringRef ftz) {
  return emitPtxInstruction(emit, "rsqrt.approx" + ftz + ".f32", x.getType(), x);
}

/// max and min: PTX orders zeros by sign and, except for f64, can let NaN win.
template <typename OpTy>
struct MinMaxPattern final : TilePattern<OpTy> {
  MinMaxPattern(const LoweringContext &lowering, StringRef opcode) : TilePattern<OpTy>(lowering), opcode(opcode) {}

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    Type element = getElementTypeOrSelf(op.getType());
    const bool nanWins = op.getPropagateNan(), isSimple = !element.isF64() && this->lowering.features().fmaBf16;
    const bool widen = !isSimple && element.getIntOrFloatBitWidth() == 16;
    Type type = widen ? emit.f32() : element;
    const std::string text = getPtxExtremum(opcode, nanWins && isSimple, op.getFtz()) + "." + getPtxType(type);
    Value result = mapElements(emit, this->convert(op.getType()), adaptor.getOperands(), [&](ValueRange scalars) {
      if (isSimple)
        return emitPtxInstruction(emit, text, element, scalars);
      auto wide = llvm::map_to_vector(scalars, [&](Value scalar) { return emit.fpExtend(scalar, type); });
      Value extremum = emitPtxInstruction(emit, text, type, wide);
      if (nanWins)
        extremum = emitNanOf(emit, wide, extremum);
      return emit.fpTruncate(extremum, element);
    });
    rewriter.replaceOp(op, result);
    return success();
  }

  /// NaN where one of `scalars` is, else `number`.
  static Value emitNanOf(Emitter &emit, ArrayRef<Value> scalars, Value number) {
    auto type = cast<FloatType>(number.getType());
    Value isNan = emit.fcmp(LLVM::FCmpPredicate::uno, scalars[0], scalars[1]);
    return emit.select(isNan, emit.constantFloat(type, APFloat::getNaN(type.getFloatSemantics())), number);
  }

  StringRef opcode;
};

struct MulhiPattern final : TilePattern<aa::MulhiUIOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(aa::MulhiUIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    unsigned bits = getElementTypeOrSelf(op.getType()).getIntOrFloatBitWidth();
    Value rhs = emit.zeroExtendOrTruncate(adaptor.getRhs(), 2 * bits);
    Value product = emit.mul(emit.zeroExtendOrTruncate(adaptor.getLhs(), 2 * bits), rhs);
    rewriter.replaceOp(op, emit.zeroExtendOrTruncate(emit.lshr(product, bits), bits));
    return success();
  }
};

struct AssumePattern final : TilePattern<aa::AssumeOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(aa::AssumeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getValue());
    return success();
  }
};

} // namespace

void populateElementwisePatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<PackedPattern<arith::AddFOp>, PackedPattern<arith::SubFOp>, PackedPattern<arith::MulFOp>,
               PackedPattern<math::FmaOp>, BF16FmaPattern>(lowering);
  patterns.add<RoundedPattern<aa::AddFOp>>(lowering, "add");
  patterns.add<RoundedPattern<aa::SubFOp>>(lowering, "sub");
  patterns.add<RoundedPattern<aa::MulFOp>>(lowering, "mul");
  patterns.add<RoundedPattern<aa::DivFOp>>(lowering, "div");
  patterns.add<RoundedPattern<aa::FmaOp>>(lowering, "fma");
  patterns.add<RoundedPattern<aa::SqrtOp>>(lowering, "sqrt");
  patterns.add<FunctionPattern<aa::RsqrtOp>>(lowering, "rsqrt", approximateRsqrt);
  patterns.add<FunctionPattern<aa::ExpOp>>(lowering, "exp", approximateExp);
  patterns.add<Exp2Pattern>(lowering, "exp2", approximateExp2);
  patterns.add<FunctionPattern<aa::TanhOp>>(lowering, "tanh", approximateTanh);
  patterns.add<MinMaxPattern<aa::MaxFOp>>(lowering, "max");
  patterns.add<MinMaxPattern<aa::MinFOp>>(lowering, "min");
  patterns.add<MulhiPattern, AssumePattern>(lowering);
}

} // namespace tileiras
