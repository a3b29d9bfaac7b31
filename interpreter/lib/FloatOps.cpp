//===- FloatOps.cpp - Floating-point arithmetic ---------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// IEEE 754 operations: computed exactly and rounded once, in the format of the operands. An implementation that rounds
// through f32 gives the same bits for f16 and bf16, because f32 has more than twice their precision (Figueroa, "When is
// double rounding innocuous?", SIGNUM 1995).
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"
#include "Evaluation.h"
#include "FloatFormat.h"
#include <cmath>

using namespace mlir;
using namespace tileiras::cuda_tile;
using llvm::APFloat;

namespace tileiras::interpreter {
namespace {

uint64_t signBit(Type type) {
  return uint64_t(1) << (type.getIntOrFloatBitWidth() - 1);
}

/// Flushes subnormal operands if the operation asks for it.
template <typename OpTy>
Tile getOperand(OpTy op, Evaluation &evaluation, Value value) {
  const Tile &tile = evaluation.tile(value);
  if (!op.getFlushToZero())
    return tile;
  return mapElements(tile.elementType, tile, [&](uint64_t x) { return flushToZero(tile.elementType, x); });
}

template <typename OpTy>
void setFlushed(OpTy op, Evaluation &evaluation, Tile result) {
  if (op.getFlushToZero())
    result = mapElements(result.elementType, result, [&](uint64_t x) { return flushToZero(result.elementType, x); });
  evaluation.set(op, std::move(result));
}

/// `native(x, y)` on the host's floats, `exact(APFloat &x, APFloat y, rounding)` for whatever the host does not have.
template <typename OpTy, typename Native, typename Exact>
LogicalResult evaluateBinary(OpTy op, Evaluation &evaluation, Native native, Exact exact) {
  Tile a = getOperand(op, evaluation, op.getLhs()), b = getOperand(op, evaluation, op.getRhs());
  Type type = a.elementType;
  const llvm::RoundingMode rounding = getRounding(op.getRoundingMode());
  const bool isNearest = rounding == llvm::RoundingMode::NearestTiesToEven;
  Tile result;
  if (isNearest && type.isF32())
    result =
        mapElements(type, a, b, [&](uint64_t x, uint64_t y) { return bitsOf(float(native(asFloat(x), asFloat(y)))); });
  else if (isNearest && type.isF64())
    result = mapElements(type, a, b,
                         [&](uint64_t x, uint64_t y) { return bitsOf(double(native(asDouble(x), asDouble(y)))); });
  else
    result = mapElements(type, a, b, [&](uint64_t x, uint64_t y) {
      APFloat value = decode(type, x);
      exact(value, decode(type, y), rounding);
      return encode(value);
    });
  setFlushed(op, evaluation, std::move(result));
  return success();
}

/// A function of APFloats to integers, which are exact.
template <typename OpTy>
LogicalResult evaluateToIntegral(OpTy op, Evaluation &evaluation, llvm::RoundingMode rounding) {
  const Tile &a = evaluation.tile(op.getSource());
  evaluation.set(op, mapElements(a.elementType, a, [&](uint64_t x) {
                   APFloat value = decode(a.elementType, x);
                   value.roundToIntegral(rounding);
                   return encode(value);
                 }));
  return success();
}

/// Maximum (`preferGreater`) or minimum. Zeros are ordered: -0 is below +0.
template <typename OpTy>
LogicalResult evaluateExtremum(OpTy op, Evaluation &evaluation, bool preferGreater) {
  Tile a = getOperand(op, evaluation, op.getLhs()), b = getOperand(op, evaluation, op.getRhs());
  Type type = a.elementType;
  const uint64_t sign = signBit(type), nan = getCanonicalNaN(type);
  const bool propagates = op.getPropagateNan();
  // Numbers in the order of the line, as integers: negative ones count backwards.
  auto position = [&](uint64_t x) { return x & sign ? -static_cast<int64_t>(x & ~sign) - 1 : static_cast<int64_t>(x); };
  setFlushed(op, evaluation, mapElements(type, a, b, [&](uint64_t x, uint64_t y) {
               const bool xIsNaN = isNaN(type, x), yIsNaN = isNaN(type, y);
               if (xIsNaN || yIsNaN)
                 return propagates || (xIsNaN && yIsNaN) ? nan : xIsNaN ? y : x;
               return (position(x) < position(y)) == preferGreater ? y : x;
             }));
  return success();
}

} // namespace

static LogicalResult evaluate(AbsFOp op, Evaluation &evaluation) {
  const Tile &a = evaluation.tile(op.getSource());
  evaluation.set(op, mapElements(a.elementType, a, [&](uint64_t x) { return x & ~signBit(a.elementType); }));
  return success();
}

static LogicalResult evaluate(AddFOp op, Evaluation &evaluation) {
  return evaluateBinary(
      op, evaluation, [](auto x, auto y) { return x + y; },
      [](APFloat &x, const APFloat &y, llvm::RoundingMode rounding) { x.add(y, rounding); });
}

static LogicalResult evaluate(CeilOp op, Evaluation &evaluation) {
  return evaluateToIntegral(op, evaluation, llvm::RoundingMode::TowardPositive);
}

static LogicalResult evaluate(CmpFOp op, Evaluation &evaluation) {
  const Tile &a = evaluation.tile(op.getLhs()), &b = evaluation.tile(op.getRhs());
  const std::vector<double> x = toDoubles(a), y = toDoubles(b);
  const bool unordered = op.getComparisonOrdering() == ComparisonOrdering::UNORDERED;
  const ComparisonPredicate predicate = op.getComparisonPredicate();
  auto compare = [&](double x, double y) {
    if (std::isnan(x) || std::isnan(y))
      return unordered;
    switch (predicate) {
    case ComparisonPredicate::EQUAL:
      return x == y;
    case ComparisonPredicate::NOT_EQUAL:
      return x != y;
    case ComparisonPredicate::LESS_THAN:
      return x < y;
    case ComparisonPredicate::LESS_THAN_OR_EQUAL:
      return x <= y;
    case ComparisonPredicate::GREATER_THAN:
      return x > y;
    case ComparisonPredicate::GREATER_THAN_OR_EQUAL:
      return x >= y;
    }
    llvm_unreachable("all predicates are handled");
  };
  Tile result = makeResult(op.getType().getElementType(), a, b);
  for (size_t i = 0; i < result.size(); ++i)
    result.elements[i] = compare(x[i * stepOf(a)], y[i * stepOf(b)]);
  evaluation.set(op, std::move(result));
  return success();
}

/// The specification's exception for `approx`: the reciprocal of a number above 2^126 is flushed to zero.
static uint64_t divideByReciprocal(float x, float y) {
  if (std::isnan(x) || std::isnan(y) || std::isinf(y) || std::fabs(y) <= 0x1p126f)
    return bitsOf(x / y);
  if (std::isinf(x))
    return bitsOf(std::nanf(""));
  return bitsOf(std::signbit(x) == std::signbit(y) ? 0.0f : -0.0f);
}

static LogicalResult evaluate(DivFOp op, Evaluation &evaluation) {
  if (op.getRoundingMode() == RoundingMode::APPROX) {
    Tile a = getOperand(op, evaluation, op.getLhs()), b = getOperand(op, evaluation, op.getRhs());
    setFlushed(op, evaluation, mapElements(a.elementType, a, b, [](uint64_t x, uint64_t y) {
                 return divideByReciprocal(asFloat(x), asFloat(y));
               }));
    return success();
  }
  return evaluateBinary(
      op, evaluation, [](auto x, auto y) { return x / y; },
      [](APFloat &x, const APFloat &y, llvm::RoundingMode rounding) { x.divide(y, rounding); });
}

static LogicalResult evaluate(FloorOp op, Evaluation &evaluation) {
  return evaluateToIntegral(op, evaluation, llvm::RoundingMode::TowardNegative);
}

static LogicalResult evaluate(FmaOp op, Evaluation &evaluation) {
  Tile a = getOperand(op, evaluation, op.getLhs()), b = getOperand(op, evaluation, op.getRhs());
  Tile c = getOperand(op, evaluation, op.getAcc());
  Type type = a.elementType;
  const llvm::RoundingMode rounding = getRounding(op.getRoundingMode());
  const bool isNearest = rounding == llvm::RoundingMode::NearestTiesToEven;
  Tile result;
  if (isNearest && type.isF32())
    result = mapElements(type, a, b, c, [](uint64_t x, uint64_t y, uint64_t z) {
      return bitsOf(std::fma(asFloat(x), asFloat(y), asFloat(z)));
    });
  else if (isNearest && type.isF64())
    result = mapElements(type, a, b, c, [](uint64_t x, uint64_t y, uint64_t z) {
      return bitsOf(std::fma(asDouble(x), asDouble(y), asDouble(z)));
    });
  else
    result = mapElements(type, a, b, c, [&](uint64_t x, uint64_t y, uint64_t z) {
      APFloat value = decode(type, x);
      value.fusedMultiplyAdd(decode(type, y), decode(type, z), rounding);
      return encode(value);
    });
  setFlushed(op, evaluation, std::move(result));
  return success();
}

static LogicalResult evaluate(MaxFOp op, Evaluation &evaluation) {
  return evaluateExtremum(op, evaluation, /*preferGreater=*/true);
}

static LogicalResult evaluate(MinFOp op, Evaluation &evaluation) {
  return evaluateExtremum(op, evaluation, /*preferGreater=*/false);
}

static LogicalResult evaluate(MulFOp op, Evaluation &evaluation) {
  return evaluateBinary(
      op, evaluation, [](auto x, auto y) { return x * y; },
      [](APFloat &x, const APFloat &y, llvm::RoundingMode rounding) { x.multiply(y, rounding); });
}

static LogicalResult evaluate(NegFOp op, Evaluation &evaluation) {
  const Tile &a = evaluation.tile(op.getSource());
  evaluation.set(op, mapElements(a.elementType, a, [&](uint64_t x) { return x ^ signBit(a.elementType); }));
  return success();
}

static LogicalResult evaluate(RemFOp op, Evaluation &evaluation) {
  const Tile &a = evaluation.tile(op.getLhs());
  Type type = a.elementType;
  evaluation.set(op, mapElements(type, a, evaluation.tile(op.getRhs()), [&](uint64_t x, uint64_t y) {
                   // Exact: the remainder has no more digits than its operands.
                   return roundTo(type, std::fmod(toDouble(type, x), toDouble(type, y)));
                 }));
  return success();
}

static LogicalResult evaluate(SqrtOp op, Evaluation &evaluation) {
  Tile a = getOperand(op, evaluation, op.getSource());
  Type type = a.elementType;
  const llvm::RoundingMode rounding = getRounding(op.getRoundingMode());
  Tile result = mapElements(type, a, [&](uint64_t x) {
    double value = toDouble(type, x);
    if (rounding == llvm::RoundingMode::NearestTiesToEven || !(value > 0) || std::isinf(value))
      return roundTo(type, std::sqrt(value)); // Twice is innocuous: double has twice the digits, or is the type.
    // The host's root is within half a step; its square, computed exactly, tells on which side of the root it lies.
    // Scaling keeps the residue from underflowing.
    const bool isTiny = value < 0x1p-700;
    value *= isTiny ? 0x1p256 : 1;
    const double root = std::sqrt(value), residue = std::fma(-root, root, value);
    APFloat exact(isTiny ? root * 0x1p-128 : root);
    const bool roundsUp = rounding == llvm::RoundingMode::TowardPositive;
    if (residue < 0 && !roundsUp)
      exact.next(/*nextDown=*/true);
    if (residue > 0 && roundsUp)
      exact.next(/*nextDown=*/false);
    return roundTo(type, exact, rounding);
  });
  setFlushed(op, evaluation, std::move(result));
  return success();
}

static LogicalResult evaluate(SubFOp op, Evaluation &evaluation) {
  return evaluateBinary(
      op, evaluation, [](auto x, auto y) { return x - y; },
      [](APFloat &x, const APFloat &y, llvm::RoundingMode rounding) { x.subtract(y, rounding); });
}

void registerFloatOps(OperationTable &table) {
  table.addElementwise<AbsFOp, AddFOp, CeilOp, CmpFOp, FloorOp, FmaOp, MaxFOp, MinFOp, MulFOp, NegFOp, RemFOp, SubFOp>(
      OperationTable::kExact);
  table.addElementwise<DivFOp>("bit-exact; `approx` and `full`: 2 ulp (specification of divf)");
  table.addElementwise<SqrtOp>("bit-exact; `approx`: 1 ulp (PTX ISA, sqrt.approx.f32)");
}

} // namespace tileiras::interpreter
