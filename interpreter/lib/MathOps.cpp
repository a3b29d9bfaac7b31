//===- MathOps.cpp - Elementary functions ---------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computed with the host's library in a wider format (double; long double for f64) and rounded once. What an
// implementation may be off by is a bound in ulp of the result; the bounds are those of the CUDA C++ Programming Guide
// (Mathematical Functions) for f32 and f64, and of the PTX ISA for the approximate forms. f16 and bf16 are emulated in
// f32, as the specification says: at most one ulp of their own.
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"
#include "Evaluation.h"
#include "FloatFormat.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace tileiras::cuda_tile;

namespace tileiras::interpreter {
namespace {

/// `function` is a generic lambda, called with the widest host type that is worth it.
template <typename Function>
uint64_t applyWide(Type type, uint64_t x, Function function) {
  if (type.isF64())
    return bitsOf(static_cast<double>(function(static_cast<long double>(asDouble(x)))));
  return roundTo(type, function(toDouble(type, x)));
}

template <typename OpTy, typename Function>
LogicalResult evaluateFunction(OpTy op, Evaluation &evaluation, Function function) {
  const Tile &a = evaluation.tile(op.getSource());
  evaluation.set(op, mapElements(a.elementType, a, [&](uint64_t x) { return applyWide(a.elementType, x, function); }));
  return success();
}

/// With flush_to_zero.
template <typename OpTy, typename Function>
LogicalResult evaluateFlushable(OpTy op, Evaluation &evaluation, Function function) {
  const Tile &a = evaluation.tile(op.getSource());
  Type type = a.elementType;
  if (!op.getFlushToZero())
    return evaluateFunction(op, evaluation, function);
  evaluation.set(op, mapElements(type, a, [&](uint64_t x) {
                   return flushToZero(type, applyWide(type, flushToZero(type, x), function));
                 }));
  return success();
}

/// x^y where `isOdd` says whether y is an odd integer. What C defines exactly (Annex F.10.4.4) is not left to the
/// host's library, which has it wrong in places (glibc: powl(-inf, -2^63) is inf).
template <typename Float>
Float power(Float x, Float y, bool isOdd) {
  constexpr Float infinity = std::numeric_limits<Float>::infinity();
  const Float size = std::fabs(x), sign = isOdd ? std::copysign(Float(1), x) : Float(1);
  if (y == 0 || x == 1 || (x == -1 && std::isinf(y)))
    return 1;
  if (std::isnan(x) || std::isnan(y))
    return std::numeric_limits<Float>::quiet_NaN();
  if (std::isinf(y))
    return (size > 1) == (y > 0) ? infinity : 0;
  if (size == 0 || std::isinf(size))
    return std::copysign((size == 0) == (y < 0) ? infinity : 0, sign);
  if (x < 0 && y != std::trunc(y))
    return std::numeric_limits<Float>::quiet_NaN();
  return sign * std::pow(size, y);
}

template <typename Float>
bool isOdd(Float y) {
  return std::isfinite(y) && std::fabs(std::fmod(y, Float(2))) == 1;
}

template <typename Function>
Tile applyPairwise(const Tile &a, const Tile &b, Function function) {
  Type type = a.elementType;
  return mapElements(type, a, b, [&](uint64_t x, uint64_t y) {
    if (type.isF64())
      return bitsOf(
          static_cast<double>(function(static_cast<long double>(asDouble(x)), static_cast<long double>(asDouble(y)))));
    return roundTo(type, static_cast<double>(function(toDouble(type, x), toDouble(type, y))));
  });
}

} // namespace

static LogicalResult evaluate(Atan2Op op, Evaluation &evaluation) {
  evaluation.set(op, applyPairwise(evaluation.tile(op.getX()), evaluation.tile(op.getY()),
                                   [](auto x, auto y) { return std::atan2(x, y); }));
  return success();
}

static LogicalResult evaluate(CosOp op, Evaluation &evaluation) {
  return evaluateFunction(op, evaluation, [](auto x) { return std::cos(x); });
}

static LogicalResult evaluate(CosHOp op, Evaluation &evaluation) {
  return evaluateFunction(op, evaluation, [](auto x) { return std::cosh(x); });
}

static LogicalResult evaluate(ExpOp op, Evaluation &evaluation) {
  return evaluateFunction(op, evaluation, [](auto x) { return std::exp(x); });
}

static LogicalResult evaluate(Exp2Op op, Evaluation &evaluation) {
  return evaluateFlushable(op, evaluation, [](auto x) { return std::exp2(x); });
}

static LogicalResult evaluate(FPowIOp op, Evaluation &evaluation) {
  const Tile &a = evaluation.tile(op.getSource()), &b = evaluation.tile(op.getExponent());
  Type type = a.elementType;
  const unsigned width = b.width();
  evaluation.set(op, mapElements(type, a, b, [&](uint64_t x, uint64_t n) {
                   const int64_t exponent = signExtend(n, width);
                   return applyWide(
                       type, x, [&](auto base) { return power(base, decltype(base)(exponent), exponent % 2 != 0); });
                 }));
  return success();
}

static LogicalResult evaluate(LogOp op, Evaluation &evaluation) {
  return evaluateFunction(op, evaluation, [](auto x) { return std::log(x); });
}

static LogicalResult evaluate(Log2Op op, Evaluation &evaluation) {
  return evaluateFunction(op, evaluation, [](auto x) { return std::log2(x); });
}

static LogicalResult evaluate(PowOp op, Evaluation &evaluation) {
  evaluation.set(op, applyPairwise(evaluation.tile(op.getSource()), evaluation.tile(op.getExponent()),
                                   [](auto x, auto y) { return power(x, y, isOdd(y)); }));
  return success();
}

static LogicalResult evaluate(RsqrtOp op, Evaluation &evaluation) {
  return evaluateFlushable(op, evaluation, [](auto x) { return decltype(x)(1) / std::sqrt(x); });
}

static LogicalResult evaluate(SinOp op, Evaluation &evaluation) {
  return evaluateFunction(op, evaluation, [](auto x) { return std::sin(x); });
}

static LogicalResult evaluate(SinHOp op, Evaluation &evaluation) {
  return evaluateFunction(op, evaluation, [](auto x) { return std::sinh(x); });
}

static LogicalResult evaluate(TanOp op, Evaluation &evaluation) {
  return evaluateFunction(op, evaluation, [](auto x) { return std::tan(x); });
}

static LogicalResult evaluate(TanHOp op, Evaluation &evaluation) {
  return evaluateFunction(op, evaluation, [](auto x) { return std::tanh(x); });
}

void registerMathOps(OperationTable &table) {
  table.addElementwise<Atan2Op>("3 ulp in f32, 2 in f64 (CUDA C++ Programming Guide)");
  table.addElementwise<CosOp, SinOp>("2 ulp (CUDA C++ Programming Guide)");
  table.addElementwise<CosHOp>("2 ulp (CUDA C++ Programming Guide)");
  table.addElementwise<ExpOp>("2 ulp, `approx`: 2 + |1.16 x| ulp (CUDA C++ Programming Guide, __expf)");
  table.addElementwise<Exp2Op>("2 ulp (CUDA C++ Programming Guide; PTX ISA, ex2.approx.f32)");
  table.addElementwise<FPowIOp>("|exponent| + 1 ulp (repeated multiplication)");
  table.addElementwise<LogOp, Log2Op>("1 ulp in f32 and f64, and 2^-22 absolute near 1 in f32 (CUDA C++ Programming "
                                      "Guide; PTX ISA, lg2.approx.f32)");
  table.addElementwise<PowOp>("4 ulp in f32, 2 in f64 (CUDA C++ Programming Guide)");
  table.addElementwise<RsqrtOp>("2 ulp (CUDA C++ Programming Guide)");
  table.addElementwise<SinHOp>("3 ulp in f32, 2 in f64 (CUDA C++ Programming Guide)");
  table.addElementwise<TanOp>("4 ulp in f32, 2 in f64 (CUDA C++ Programming Guide)");
  table.addElementwise<TanHOp>("2 ulp, `approx`: 2^-11 relative (PTX ISA, tanh.approx.f32)");
}

} // namespace tileiras::interpreter
