//===- Math.cpp - Elementary functions ------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Math/IR/Math.h"
#include "Conversion/TileASToLLVM/Patterns.h"
#include "mlir/IR/TypeUtilities.h"
#include "tileiras/Lowering/ModuleGlobals.h"

using namespace mlir;

namespace tileiras {

Value emitLibdeviceFunction(Emitter &emit, StringRef function, Type type, ValueRange arguments) {
  const std::string name = ("__nv_" + function + (type.isF64() ? "" : "f")).str();
  Operation *at = emit.builder.getInsertionBlock()->getParentOp();
  auto signature = LLVM::LLVMFunctionType::get(type, llvm::to_vector(arguments.getTypes()));
  return emit.call(getDeclaration(emit.builder, at->getParentOfType<ModuleOp>(), name, signature), arguments);
}

/// Computes a result of `type`, of elements `element`, in f64 if that is what these are, else in f32: `compute` gets
/// one scalar of each operand, floats in the type `wide`.
static Value mapWideElements(Emitter &emit, Type element, Type type, ValueRange operands,
                             llvm::function_ref<Value(Type wide, ValueRange scalars)> compute) {
  Type wide = element.isF64() ? element : emit.f32();
  return mapElements(emit, type, operands, [&](ValueRange scalars) {
    SmallVector<Value> arguments;
    for (Value scalar : scalars)
      arguments.push_back(isa<FloatType>(scalar.getType()) ? emit.fpExtend(scalar, wide) : scalar);
    return emit.fpTruncate(compute(wide, arguments), element);
  });
}

namespace {

/// A function of libdevice.
template <typename OpTy>
struct LibdevicePattern final : TilePattern<OpTy> {
  LibdevicePattern(const LoweringContext &lowering, StringRef function)
      : TilePattern<OpTy>(lowering), function(function) {}

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    Type element = getElementTypeOrSelf(op.getType());
    auto call = [&](Type wide, ValueRange scalars) { return emitLibdeviceFunction(emit, function, wide, scalars); };
    rewriter.replaceOp(op, mapWideElements(emit, element, this->convert(op.getType()), adaptor.getOperands(), call));
    return success();
  }

  StringRef function;
};

/// libdevice takes the reciprocal of a power, which is out of range before a subnormal result is. Half the exponent
/// stays in range, and so does its product with the other half.
struct PowerPattern final : TilePattern<math::FPowIOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(math::FPowIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    Type element = getElementTypeOrSelf(op.getType());
    auto raise = [&](Type wide, ValueRange scalars) -> Value {
      Value base = scalars[0], exponent = scalars[1];
      Value half = LLVM::AShrOp::create(rewriter, op.getLoc(), exponent, emit.constant(exponent.getType(), 1));
      Value lower = emitLibdeviceFunction(emit, "powi", wide, {base, half});
      Value upper = emitLibdeviceFunction(emit, "powi", wide, {base, emit.sub(exponent, half)});
      return LLVM::FMulOp::create(rewriter, op.getLoc(), lower, upper);
    };
    rewriter.replaceOp(op, mapWideElements(emit, element, convert(op.getType()), adaptor.getOperands(), raise));
    return success();
  }
};

} // namespace

void populateMathPatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<LibdevicePattern<math::AcosOp>>(lowering, "acos");
  patterns.add<LibdevicePattern<math::AcoshOp>>(lowering, "acosh");
  patterns.add<LibdevicePattern<math::AsinOp>>(lowering, "asin");
  patterns.add<LibdevicePattern<math::AsinhOp>>(lowering, "asinh");
  patterns.add<LibdevicePattern<math::AtanOp>>(lowering, "atan");
  patterns.add<LibdevicePattern<math::Atan2Op>>(lowering, "atan2");
  patterns.add<LibdevicePattern<math::AtanhOp>>(lowering, "atanh");
  patterns.add<LibdevicePattern<math::CbrtOp>>(lowering, "cbrt");
  patterns.add<LibdevicePattern<math::CosOp>>(lowering, "cos");
  patterns.add<LibdevicePattern<math::CoshOp>>(lowering, "cosh");
  patterns.add<LibdevicePattern<math::ErfOp>>(lowering, "erf");
  patterns.add<LibdevicePattern<math::ErfcOp>>(lowering, "erfc");
  patterns.add<LibdevicePattern<math::ExpOp>>(lowering, "exp");
  patterns.add<LibdevicePattern<math::Exp2Op>>(lowering, "exp2");
  patterns.add<LibdevicePattern<math::ExpM1Op>>(lowering, "expm1");
  patterns.add<PowerPattern>(lowering);
  // The back end's own expansion of a remainder loses bits.
  patterns.add<LibdevicePattern<arith::RemFOp>>(lowering, "fmod");
  patterns.add<LibdevicePattern<math::LogOp>>(lowering, "log");
  patterns.add<LibdevicePattern<math::Log10Op>>(lowering, "log10");
  patterns.add<LibdevicePattern<math::Log1pOp>>(lowering, "log1p");
  patterns.add<LibdevicePattern<math::Log2Op>>(lowering, "log2");
  patterns.add<LibdevicePattern<math::PowFOp>>(lowering, "pow");
  patterns.add<LibdevicePattern<math::RsqrtOp>>(lowering, "rsqrt");
  patterns.add<LibdevicePattern<math::SinOp>>(lowering, "sin");
  patterns.add<LibdevicePattern<math::SinhOp>>(lowering, "sinh");
  patterns.add<LibdevicePattern<math::TanOp>>(lowering, "tan");
  patterns.add<LibdevicePattern<math::TanhOp>>(lowering, "tanh");
}

} // namespace tileiras
