//===- IntegerOps.cpp - Integer arithmetic and bits -----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integers of 1 to 64 bits that wrap. All results are exact.
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"
#include "Evaluation.h"

using namespace mlir;
using namespace tileiras::cuda_tile;

namespace tileiras::interpreter {

/// Wide enough for the product of two elements.
using Wide = __int128;

namespace {

/// The first element for which `isUndefined(a, b)` holds.
template <typename Predicate>
std::optional<size_t> findElement(const Tile &a, const Tile &b, Predicate isUndefined) {
  const size_t stepA = stepOf(a), stepB = stepOf(b);
  for (size_t i = 0, n = std::max(a.size(), b.size()); i < n; ++i)
    if (isUndefined(i * stepA, i * stepB))
      return i;
  return std::nullopt;
}

/// Checks that `exact`, a function of two numbers, gives what fits where the flags promise it.
template <typename OpTy, typename Exact>
LogicalResult checkOverflow(OpTy op, Evaluation &evaluation, const Tile &a, const Tile &b, Exact exact) {
  const unsigned width = a.width();
  auto check = [&](bool isSigned) -> LogicalResult {
    const Wide low = isSigned ? -(Wide(1) << (width - 1)) : 0, high = (Wide(1) << (width - isSigned)) - 1;
    auto number = [&](const Tile &tile, size_t i) { return isSigned ? Wide(tile.getSigned(i)) : Wide(tile[i]); };
    std::optional<size_t> found = findElement(a, b, [&](size_t i, size_t j) {
      Wide result = exact(number(a, i), number(b, j));
      return result < low || result > high;
    });
    if (!found)
      return success();
    return evaluation.undefined(op) << "the result of element " << formatIndex(a.shape, *found) << " wraps as "
                                    << (isSigned ? "a signed" : "an unsigned") << " number, of "
                                    << formatElement(a.elementType, a[*found * stepOf(a)]) << " and "
                                    << formatElement(b.elementType, b[*found * stepOf(b)]);
  };
  const auto flags = static_cast<unsigned>(op.getOverflow());
  if ((flags & static_cast<unsigned>(IntegerOverflow::NSW)) && failed(check(true)))
    return failure();
  if ((flags & static_cast<unsigned>(IntegerOverflow::NUW)) && failed(check(false)))
    return failure();
  return success();
}

/// An operation that wraps, given as a function of exact numbers.
template <typename OpTy, typename Exact>
LogicalResult evaluateWrapping(OpTy op, Evaluation &evaluation, Exact exact) {
  const Tile &a = evaluation.tile(op.getLhs()), &b = evaluation.tile(op.getRhs());
  if (failed(checkOverflow(op, evaluation, a, b, exact)))
    return failure();
  const unsigned width = a.width();
  evaluation.set(op, mapElements(a.elementType, a, b, [&](uint64_t x, uint64_t y) {
                   return truncate(static_cast<uint64_t>(exact(Wide(x), Wide(y))), width);
                 }));
  return success();
}

template <typename OpTy, typename Function>
LogicalResult evaluateBitwise(OpTy op, Evaluation &evaluation, Function function) {
  const Tile &a = evaluation.tile(op.getLhs());
  evaluation.set(op, mapElements(a.elementType, a, evaluation.tile(op.getRhs()), function));
  return success();
}

/// An operation that reads its integers as its signedness says; `function` takes two numbers.
template <typename OpTy, typename Function>
Tile mapNumbers(OpTy op, Type resultType, const Tile &a, const Tile &b, Function function) {
  const unsigned width = a.width(), resultWidth = getElementWidth(resultType);
  if (op.getSignedness() == Signedness::Unsigned)
    return mapElements(resultType, a, b, [&](uint64_t x, uint64_t y) {
      return truncate(static_cast<uint64_t>(function(Wide(x), Wide(y))), resultWidth);
    });
  return mapElements(resultType, a, b, [&](uint64_t x, uint64_t y) {
    return truncate(static_cast<uint64_t>(function(Wide(signExtend(x, width)), Wide(signExtend(y, width)))),
                    resultWidth);
  });
}

template <typename OpTy, typename Function>
LogicalResult evaluateSigned(OpTy op, Evaluation &evaluation, Function function) {
  const Tile &a = evaluation.tile(op.getLhs()), &b = evaluation.tile(op.getRhs());
  evaluation.set(op, mapNumbers(op, a.elementType, a, b, function));
  return success();
}

/// Division by zero, and of the smallest signed number by -1, are undefined.
template <typename OpTy>
LogicalResult checkDivision(OpTy op, Evaluation &evaluation, const Tile &a, const Tile &b, bool overflowIsUndefined) {
  if (auto i = findElement(a, b, [&](size_t, size_t j) { return b[j] == 0; }))
    return evaluation.undefined(op) << "division by zero in element " << formatIndex(a.shape, *i);
  if (!overflowIsUndefined || op.getSignedness() == Signedness::Unsigned)
    return success();
  const uint64_t smallest = uint64_t(1) << (a.width() - 1);
  if (auto i = findElement(a, b, [&](size_t i, size_t j) { return a[i] == smallest && b.getSigned(j) == -1; }))
    return evaluation.undefined(op) << "division of the smallest signed number by -1 in element "
                                    << formatIndex(a.shape, *i);
  return success();
}

} // namespace

static LogicalResult evaluate(AbsIOp op, Evaluation &evaluation) {
  const Tile &a = evaluation.tile(op.getSource());
  const unsigned width = a.width();
  evaluation.set(op, mapElements(a.elementType, a,
                                 [&](uint64_t x) { return signExtend(x, width) < 0 ? truncate(-x, width) : x; }));
  return success();
}

static LogicalResult evaluate(AddIOp op, Evaluation &evaluation) {
  return evaluateWrapping(op, evaluation, [](Wide x, Wide y) { return x + y; });
}

static LogicalResult evaluate(AndIOp op, Evaluation &evaluation) {
  return evaluateBitwise(op, evaluation, [](uint64_t x, uint64_t y) { return x & y; });
}

static LogicalResult evaluate(CmpIOp op, Evaluation &evaluation) {
  const Tile &a = evaluation.tile(op.getLhs()), &b = evaluation.tile(op.getRhs());
  const ComparisonPredicate predicate = op.getComparisonPredicate();
  evaluation.set(op, mapNumbers(op, op.getType().getElementType(), a, b, [&](Wide x, Wide y) {
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
                 }));
  return success();
}

static LogicalResult evaluate(DivIOp op, Evaluation &evaluation) {
  const Tile &a = evaluation.tile(op.getLhs()), &b = evaluation.tile(op.getRhs());
  if (failed(checkDivision(op, evaluation, a, b, /*overflowIsUndefined=*/true)))
    return failure();
  const RoundingMode rounding = op.getRounding();
  return evaluateSigned(op, evaluation, [&](Wide x, Wide y) {
    Wide quotient = x / y; // to zero
    const bool isInexact = quotient * y != x, isNegative = (x < 0) != (y < 0);
    if (isInexact && rounding == RoundingMode::POSITIVE_INF && !isNegative)
      ++quotient;
    if (isInexact && rounding == RoundingMode::NEGATIVE_INF && isNegative)
      --quotient;
    return quotient;
  });
}

static LogicalResult evaluate(MaxIOp op, Evaluation &evaluation) {
  return evaluateSigned(op, evaluation, [](Wide x, Wide y) { return std::max(x, y); });
}

static LogicalResult evaluate(MinIOp op, Evaluation &evaluation) {
  return evaluateSigned(op, evaluation, [](Wide x, Wide y) { return std::min(x, y); });
}

static LogicalResult evaluate(MulIOp op, Evaluation &evaluation) {
  // Two unsigned 64-bit numbers can overflow the wide type, in the sign bit only: the low half stays right, but the
  // product must be seen as too large.
  const Tile &a = evaluation.tile(op.getLhs()), &b = evaluation.tile(op.getRhs());
  auto exact = [](Wide x, Wide y) {
    Wide product;
    return __builtin_mul_overflow(x, y, &product) ? Wide(1) << 126 : product;
  };
  if (failed(checkOverflow(op, evaluation, a, b, exact)))
    return failure();
  const unsigned width = a.width();
  evaluation.set(op, mapElements(a.elementType, a, b, [&](uint64_t x, uint64_t y) { return truncate(x * y, width); }));
  return success();
}

static LogicalResult evaluate(MulhiIOp op, Evaluation &evaluation) {
  const Tile &a = evaluation.tile(op.getX());
  const unsigned width = a.width();
  evaluation.set(op, mapElements(a.elementType, a, evaluation.tile(op.getY()), [&](uint64_t x, uint64_t y) {
                   auto product = static_cast<unsigned __int128>(x) * y;
                   return static_cast<uint64_t>(product >> width);
                 }));
  return success();
}

static LogicalResult evaluate(NegIOp op, Evaluation &evaluation) {
  const Tile &a = evaluation.tile(op.getSource());
  const Tile zero = Tile::scalar(a.elementType, 0);
  if (failed(checkOverflow(op, evaluation, zero, a, [](Wide x, Wide y) { return x - y; })))
    return failure();
  const unsigned width = a.width();
  evaluation.set(op, mapElements(a.elementType, a, [&](uint64_t x) { return truncate(-x, width); }));
  return success();
}

static LogicalResult evaluate(OrIOp op, Evaluation &evaluation) {
  return evaluateBitwise(op, evaluation, [](uint64_t x, uint64_t y) { return x | y; });
}

static LogicalResult evaluate(RemIOp op, Evaluation &evaluation) {
  const Tile &a = evaluation.tile(op.getLhs()), &b = evaluation.tile(op.getRhs());
  if (failed(checkDivision(op, evaluation, a, b, /*overflowIsUndefined=*/false)))
    return failure();
  return evaluateSigned(op, evaluation, [](Wide x, Wide y) { return x % y; });
}

// The amount of a shift is unsigned. What is shifted by its width or more is gone; the specification's native
// instructions (PTX shl, shr) clamp the amount.

static LogicalResult evaluate(ShLIOp op, Evaluation &evaluation) {
  const Tile &a = evaluation.tile(op.getLhs()), &b = evaluation.tile(op.getRhs());
  const unsigned width = a.width();
  // As a number, the amount may read negative: only its bits count.
  auto exact = [&](Wide x, Wide amount) {
    const uint64_t bits = truncate(static_cast<uint64_t>(amount), width);
    if (x == 0)
      return Wide(0);
    return bits >= width ? Wide(1) << 126 : x * (Wide(1) << bits);
  };
  if (failed(checkOverflow(op, evaluation, a, b, exact)))
    return failure();
  evaluation.set(op, mapElements(a.elementType, a, b, [&](uint64_t x, uint64_t amount) {
                   return amount >= width ? 0 : truncate(x << amount, width);
                 }));
  return success();
}

static LogicalResult evaluate(ShRIOp op, Evaluation &evaluation) {
  const Tile &a = evaluation.tile(op.getLhs());
  const unsigned width = a.width();
  const bool isSigned = op.getSignedness() == Signedness::Signed;
  evaluation.set(op, mapElements(a.elementType, a, evaluation.tile(op.getRhs()), [&](uint64_t x, uint64_t amount) {
                   if (isSigned)
                     return truncate(signExtend(x, width) >> std::min<uint64_t>(amount, 63), width);
                   return amount >= width ? 0 : x >> amount;
                 }));
  return success();
}

static LogicalResult evaluate(SubIOp op, Evaluation &evaluation) {
  return evaluateWrapping(op, evaluation, [](Wide x, Wide y) { return x - y; });
}

static LogicalResult evaluate(XOrIOp op, Evaluation &evaluation) {
  return evaluateBitwise(op, evaluation, [](uint64_t x, uint64_t y) { return x ^ y; });
}

void registerIntegerOps(OperationTable &table) {
  table.addElementwise<AbsIOp, AddIOp, AndIOp, CmpIOp, DivIOp, MaxIOp, MinIOp, MulIOp, MulhiIOp, NegIOp, OrIOp, RemIOp,
                       ShLIOp, ShRIOp, SubIOp, XOrIOp>(OperationTable::kExact);
}

} // namespace tileiras::interpreter
