//===- Bounds.cpp - How far a conforming result may be off ----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bounds.h"
#include "FloatFormat.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace tileiras::cuda_tile;

namespace tileiras::interpreter {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// What an operation adds
//===----------------------------------------------------------------------===//

/// The bound in ulp that the operation itself brings for one element, as the registration of the operations states it.
double getOwnUlps(Operation *op, Type type, uint64_t operand) {
  using enum cuda_tile::RoundingMode;
  const bool isHalf = getElementWidth(type) == 16, isDouble = type.isF64();
  auto ulps = [&](double single, double twice) { return isHalf ? 1.0 : isDouble ? twice : single; };
  return llvm::TypeSwitch<Operation *, double>(op)
      .Case([&](DivFOp div) { return div.getRoundingMode() == APPROX || div.getRoundingMode() == FULL ? 2.0 : 0.0; })
      .Case([&](SqrtOp sqrt) { return sqrt.getRoundingMode() == APPROX ? 1.0 : 0.0; })
      .Case([&](ExpOp exp) {
        return exp.getRoundingMode() == APPROX ? 2 + 1.16 * std::fabs(toDouble(type, operand)) : ulps(2, 1);
      })
      .Case([&](TanHOp tanh) { return tanh.getRoundingMode() == APPROX ? std::ldexp(1.0, 13) : ulps(2, 2); })
      .Case<CosOp, SinOp, CosHOp, Exp2Op, RsqrtOp>([&](auto) { return ulps(2, 2); })
      .Case<LogOp, Log2Op>([&](auto) { return ulps(1, 1); })
      .Case<Atan2Op, SinHOp>([&](auto) { return ulps(3, 2); })
      .Case<PowOp, TanOp>([&](auto) { return ulps(4, 2); })
      .Default(0.0);
}

/// Operations that compute the bounds of their results themselves.
bool hasOwnBounds(Operation *op) {
  return isa<MmaFOp, MmaFScaledOp, LoadPtrTkoOp, LoadViewTkoOp, AtomicRMWTkoOp, AtomicCASTkoOp, ReduceOp, ScanOp>(op);
}

/// `operand` is the one the bound depends on.
void addOwnBounds(Operation *op, Tile &result, const Tile &operand) {
  if (!isFloat(result.elementType))
    return;
  for (size_t i = 0; i < result.size(); ++i) {
    const size_t at = operand.size() == 1 ? 0 : i;
    // Repeated multiplication rounds once for each factor, at most.
    const double ulps =
        isa<FPowIOp>(op) ? std::abs(operand.getSigned(at)) + 1.0 : getOwnUlps(op, operand.elementType, operand[at]);
    const double value = toDouble(result.elementType, result[i]);
    if (ulps == 0 || !std::isfinite(value) || value == 0)
      continue;
    result.bounds.resize(result.size());
    result.bounds[i] += ulps * getUlp(result.elementType, value);
  }
}

//===----------------------------------------------------------------------===//
// Corners
//===----------------------------------------------------------------------===//

/// Every element moved by its bound, up or down.
Tile getCorner(const Tile &tile, bool up) {
  Tile corner = tile;
  corner.bounds.clear();
  for (size_t i = 0; i < tile.size(); ++i) {
    const double bound = tile.bound(i);
    if (bound == 0)
      continue;
    uint64_t &element = corner.elements[i];
    if (tile.elementType.isInteger(1))
      element = up;
    else if (isFloat(tile.elementType))
      element = roundTo(tile.elementType, toDouble(tile.elementType, element) + (up ? bound : -bound));
    else {
      const auto distance = static_cast<uint64_t>(std::ceil(std::min(bound, 0x1p62)));
      element = truncate(up ? element + distance : element - distance, tile.width());
    }
  }
  return corner;
}

double getDistance(Type type, uint64_t a, uint64_t b) {
  if (a == b)
    return 0;
  if (!isFloat(type)) {
    const unsigned width = getElementWidth(type);
    return std::fabs(static_cast<double>(signExtend(a, width)) - static_cast<double>(signExtend(b, width)));
  }
  const double x = toDouble(type, a), y = toDouble(type, b);
  if (std::isnan(x) && std::isnan(y))
    return 0;
  const double distance = std::fabs(x - y);
  return std::isnan(distance) ? kUnknown : distance + getUlp(type, x);
}

/// Executes `op` with other operands. False if it is undefined for them.
bool evaluateWith(Operation *op, const OperationEntry &entry, Evaluation &evaluation, Environment &values) {
  InterpreterOptions options = evaluation.options;
  options.computeBounds = false;
  options.output = &llvm::nulls();
  Evaluation corner(evaluation.tileBlock, values, evaluation.memory, options);
  ScopedDiagnosticHandler silence(op->getContext(), [](Diagnostic &) { return success(); });
  return succeeded(entry.evaluate(op, corner));
}

void addCornerBounds(Operation *op, const OperationEntry &entry, Evaluation &evaluation, ArrayRef<Value> inexact) {
  SmallVector<Tile> results;
  for (Value value : op->getResults()) {
    results.push_back(evaluation.tile(value));
    results.back().bounds.resize(results.back().size());
  }
  for (unsigned corner = 0; corner < (1u << inexact.size()); ++corner) {
    Environment values;
    for (Value operand : op->getOperands())
      values[operand] = evaluation.get(operand);
    for (auto [i, operand] : llvm::enumerate(inexact))
      values[operand] = getCorner(evaluation.tile(operand), corner >> i & 1);
    const bool isDefined = evaluateWith(op, entry, evaluation, values);
    for (auto [value, result] : llvm::zip_equal(op->getResults(), results))
      for (size_t i = 0; i < result.size(); ++i) {
        const double distance =
            isDefined ? getDistance(result.elementType, result[i], std::get<Tile>(values[value])[i]) : kUnknown;
        result.bounds[i] = std::max(result.bounds[i], distance);
      }
  }
  for (auto [value, result] : llvm::zip_equal(op->getResults(), results))
    evaluation.set(value, std::move(result));
}

/// An operation that only moves elements moves their bounds alike: it is executed on them.
void moveBounds(Operation *op, const OperationEntry &entry, Evaluation &evaluation) {
  Environment values;
  Type f64 = Float64Type::get(op->getContext());
  for (Value operand : op->getOperands()) {
    Tile bounds = evaluation.tile(operand);
    if (isa<ExtractOp, InsertOp>(op) && bounds.shape.empty() && bounds.elementType.isInteger(32)) {
      values[operand] = std::move(bounds); // an index
      continue;
    }
    for (size_t i = 0; i < bounds.size(); ++i)
      bounds.elements[i] = std::bit_cast<uint64_t>(bounds.bound(i));
    bounds.elementType = f64;
    bounds.bounds.clear();
    values[operand] = std::move(bounds);
  }
  if (!evaluateWith(op, entry, evaluation, values))
    return;
  for (Value value : op->getResults()) {
    Tile result = evaluation.tile(value);
    const Tile &bounds = std::get<Tile>(values[value]);
    result.bounds.clear();
    for (uint64_t bits : bounds.elements)
      result.bounds.push_back(std::bit_cast<double>(bits));
    evaluation.set(value, std::move(result));
  }
}

bool isInexact(const RuntimeValue &value) {
  auto *tile = std::get_if<Tile>(&value);
  return tile && llvm::any_of(tile->bounds, [](double bound) { return bound != 0; });
}

} // namespace

void propagateBounds(Operation *op, const OperationEntry &entry, Evaluation &evaluation) {
  if (hasOwnBounds(op) || op->getNumResults() == 0 || op->getNumOperands() == 0)
    return;
  SmallVector<Value> inexact;
  for (Value operand : op->getOperands())
    if (isInexact(evaluation.get(operand)) && !llvm::is_contained(inexact, operand))
      inexact.push_back(operand);
  if (!inexact.empty()) {
    if (isa<BroadcastOp, CatOp, ExtractOp, InsertOp, PermuteOp, ReshapeOp>(op))
      moveBounds(op, entry, evaluation);
    else if (entry.isElementwise)
      addCornerBounds(op, entry, evaluation, inexact);
    else if (isa<AssumeOp>(op))
      return; // copied with the value
    else
      for (Value value : op->getResults())
        if (auto *tile = std::get_if<Tile>(&evaluation.values[value]))
          tile->bounds.assign(tile->size(), kUnknown);
  }
  if (entry.isElementwise)
    if (auto *operand = std::get_if<Tile>(&evaluation.values[op->getOperand(isa<FPowIOp>(op) ? 1 : 0)]))
      addOwnBounds(op, std::get<Tile>(evaluation.values[op->getResult(0)]), *operand);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// A sum of n numbers in any order is within (n - 1) u sum |x| of the exact one; two of them within twice that. A
/// product is within 2 (n - 1) u of another, relatively. For other bodies that round, the same is an estimate.
static double getReorderBound(Block &body, Type type, size_t count, double magnitude, double result) {
  const bool adds = llvm::any_of(body, [](Operation &op) { return isa<AddFOp, SubFOp, FmaOp>(op); });
  const bool multiplies = llvm::any_of(body, [](Operation &op) { return isa<MulFOp, DivFOp>(op); });
  if (!isFloat(type) || (!adds && !multiplies) || count < 2)
    return 0;
  const double scale = adds ? std::max(magnitude, std::fabs(result)) : std::fabs(result);
  return std::isfinite(scale) ? 2 * (count - 1) * getUnitRoundoff(type) * scale : 0;
}

void addReductionBounds(Block &body, const Tile &operand, size_t extent, size_t inner, Tile &result) {
  if (!isFloat(operand.elementType))
    return;
  const std::vector<double> numbers = toDoubles(operand);
  for (size_t line = 0; line < result.size(); ++line) {
    double magnitude = 0;
    for (size_t i = 0; i < extent; ++i)
      magnitude += std::fabs(numbers[(line / inner * extent + i) * inner + line % inner]);
    const double number = toDouble(result.elementType, result[line]);
    if (double bound = getReorderBound(body, operand.elementType, extent, magnitude, number)) {
      result.bounds.resize(result.size());
      result.bounds[line] += bound;
    }
  }
}

void addScanBounds(Block &body, const Tile &operand, size_t extent, size_t inner, bool reverse, Tile &result) {
  if (!isFloat(operand.elementType))
    return;
  const std::vector<double> numbers = toDoubles(operand);
  for (size_t line = 0; line < result.size() / extent; ++line) {
    double magnitude = 0;
    for (size_t step = 0; step < extent; ++step) {
      const size_t i = (line / inner * extent + (reverse ? extent - 1 - step : step)) * inner + line % inner;
      magnitude += std::fabs(numbers[i]);
      const double number = toDouble(result.elementType, result[i]);
      if (double bound = getReorderBound(body, operand.elementType, step + 1, magnitude, number)) {
        result.bounds.resize(result.size());
        result.bounds[i] += bound;
      }
    }
  }
}

} // namespace tileiras::interpreter
