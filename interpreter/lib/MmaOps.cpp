//===- MmaOps.cpp - Matrix products ---------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products are exact in double (long double for f64) and summed there; the result is rounded once. Hardware sums in an
// order and with an accuracy of its own, so a conforming result lies within a bound of ours that follows from the sum
// of the absolute values of all terms (Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., §4.2):
//
//   |error| <= (K + 1) u (|c| + sum |a| |b|)
//
// where u is the unit roundoff of the accumulator, doubled because tensor cores truncate instead of rounding (Fasi,
// Higham, Mikaitis, Pranesh, "Numerical behavior of NVIDIA tensor cores", PeerJ CS 2021). With fast_acc, f8 products
// are summed with 13 bits after the point (DeepSeek-V3 technical report, 2024, §3.3.2): u is 2^-13. Without it that is
// so for the 32 products of one instruction at a time (measured, H200, 2026-11-26): the bound has (min(K, 32) + 1)
// 2^-13 more.
//
//===----------------------------------------------------------------------===//

#include "Evaluation.h"
#include "FloatFormat.h"
#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace tileiras::cuda_tile;

namespace tileiras::interpreter {
namespace {

constexpr int64_t kNarrowStep = 32; ///< products of f8 that are summed at once

/// [batch] M x K times [batch] K x N.
struct ProductShape {
  int64_t batch = 1, m, n, k;

  ProductShape(const Tile &lhs, const Tile &rhs) {
    const size_t rank = lhs.shape.size();
    if (rank == 3)
      batch = lhs.shape[0];
    m = lhs.shape[rank - 2];
    k = lhs.shape[rank - 1];
    n = rhs.shape[rank - 1];
  }
};

/// sums[b][i][j] += lhs[b][i][x] * rhs[b][x][j]
template <typename Sum, typename Element>
void addProduct(const ProductShape &shape, const std::vector<Element> &lhs, const std::vector<Element> &rhs,
                std::vector<Sum> &sums) {
  for (int64_t b = 0; b < shape.batch; ++b)
    for (int64_t i = 0; i < shape.m; ++i) {
      Sum *row = &sums[(b * shape.m + i) * shape.n];
      for (int64_t x = 0; x < shape.k; ++x) {
        const Sum a = lhs[(b * shape.m + i) * shape.k + x];
        const Element *column = &rhs[(b * shape.k + x) * shape.n];
        for (int64_t j = 0; j < shape.n; ++j)
          row[j] += a * static_cast<Sum>(column[j]);
      }
    }
}

template <typename Sum>
Tile roundSums(Type type, ArrayRef<int64_t> shape, const std::vector<Sum> &sums) {
  Tile result(type, shape);
  for (auto [element, sum] : llvm::zip_equal(result.elements, sums))
    element = roundTo(type, static_cast<double>(sum));
  return result;
}

/// The bound of the file's comment; what the operands are off by goes through the product.
void computeProductBounds(const ProductShape &shape, std::vector<double> lhs, std::vector<double> rhs, const Tile &a,
                          const Tile &b, const Tile &acc, double roundoff, Tile &result) {
  std::vector<double> sums(result.size()), propagated(result.size());
  auto makeAbsolute = [](std::vector<double> &numbers) {
    for (double &number : numbers)
      number = std::fabs(number);
  };
  makeAbsolute(lhs);
  makeAbsolute(rhs);
  addProduct(shape, lhs, rhs, sums);
  if (!a.bounds.empty() || !b.bounds.empty()) {
    // (|a| + ea)(|b| + eb) - |a||b|
    std::vector<double> left = lhs, right = rhs;
    for (size_t i = 0; i < left.size(); ++i)
      left[i] += a.bound(i);
    for (size_t i = 0; i < right.size(); ++i)
      right[i] += b.bound(i);
    addProduct(shape, left, right, propagated);
    for (auto [with, without] : llvm::zip_equal(propagated, sums))
      with -= without;
  }
  const std::vector<double> initial = toDoubles(acc);
  result.bounds.resize(result.size());
  for (size_t i = 0; i < result.size(); ++i) {
    const double magnitude = std::fabs(initial[i]) + sums[i] + propagated[i];
    result.bounds[i] = (shape.k + 1) * roundoff * magnitude + propagated[i] + acc.bound(i) +
                       getUlp(result.elementType, std::fabs(initial[i]) + sums[i]);
  }
}

/// lhs * rhs + acc for floating-point operands given as doubles.
template <typename OpTy>
void evaluateProduct(OpTy op, Evaluation &evaluation, const ProductShape &shape, const std::vector<double> &lhs,
                     const std::vector<double> &rhs, double roundoff) {
  const Tile &acc = evaluation.tile(op.getAcc());
  const std::vector<double> initial = toDoubles(acc);
  Tile result;
  if (acc.elementType.isF64()) {
    std::vector<long double> sums(initial.begin(), initial.end());
    addProduct(shape, lhs, rhs, sums);
    result = roundSums(acc.elementType, acc.shape, sums);
  } else {
    std::vector<double> sums = initial;
    addProduct(shape, lhs, rhs, sums);
    result = roundSums(acc.elementType, acc.shape, sums);
  }
  if (evaluation.options.computeBounds)
    computeProductBounds(shape, lhs, rhs, evaluation.tile(op.getLhs()), evaluation.tile(op.getRhs()), acc, roundoff,
                         result);
  evaluation.set(op, std::move(result));
}

/// The integers of a tile of bytes.
std::vector<int32_t> toIntegers(const Tile &tile, Signedness signedness) {
  std::vector<int32_t> integers(tile.size());
  for (auto [i, integer] : llvm::enumerate(integers))
    integer = signedness == Signedness::Signed ? tile.getSigned(i) : tile[i];
  return integers;
}

} // namespace

/// The u of the file's comment.
static double getProductRoundoff(MmaFOp op, int64_t k) {
  const double narrow = std::ldexp(1.0, -13), exact = 2 * getUnitRoundoff(op.getType().getElementType());
  if (op.getFastAcc())
    return narrow;
  if (op.getLhs().getType().getElementType().getIntOrFloatBitWidth() != 8)
    return exact;
  return exact + narrow * static_cast<double>(std::min(k, kNarrowStep) + 1) / static_cast<double>(k + 1);
}

static LogicalResult evaluate(MmaFOp op, Evaluation &evaluation) {
  const Tile &lhs = evaluation.tile(op.getLhs()), &rhs = evaluation.tile(op.getRhs());
  const ProductShape shape(lhs, rhs);
  evaluateProduct(op, evaluation, shape, toDoubles(lhs), toDoubles(rhs), getProductRoundoff(op, shape.k));
  return success();
}

static LogicalResult evaluate(MmaFScaledOp op, Evaluation &evaluation) {
  const Tile &lhs = evaluation.tile(op.getLhs()), &rhs = evaluation.tile(op.getRhs());
  const ProductShape shape(lhs, rhs);
  const std::vector<double> lhsScale = toDoubles(evaluation.tile(op.getLhsScale()));
  const std::vector<double> rhsScale = toDoubles(evaluation.tile(op.getRhsScale()));
  std::vector<double> left = toDoubles(lhs), right = toDoubles(rhs);
  const int64_t blocks = evaluation.tile(op.getLhsScale()).shape.back(), block = shape.k / blocks;
  for (size_t i = 0; i < left.size(); ++i) // [batch, m, k]: a scale for each block of k
    left[i] *= lhsScale[i / block];
  for (size_t i = 0; i < right.size(); ++i) { // [batch, k, n]
    const int64_t j = i % shape.n, x = i / shape.n % shape.k, b = i / shape.n / shape.k;
    right[i] *= rhsScale[(b * blocks + x / block) * shape.n + j];
  }
  evaluateProduct(op, evaluation, shape, left, right, 2 * getUnitRoundoff(op.getType().getElementType()));
  return success();
}

static LogicalResult evaluate(MmaIOp op, Evaluation &evaluation) {
  const Tile &lhs = evaluation.tile(op.getLhs()), &rhs = evaluation.tile(op.getRhs());
  const Tile &acc = evaluation.tile(op.getAcc());
  std::vector<uint32_t> sums(acc.elements.begin(), acc.elements.end()); // wraps
  addProduct(ProductShape(lhs, rhs), toIntegers(lhs, op.getSignednessLhs()), toIntegers(rhs, op.getSignednessRhs()),
             sums);
  Tile result(acc.elementType, acc.shape);
  llvm::copy(sums, result.elements.begin());
  evaluation.set(op, std::move(result));
  return success();
}

void registerMmaOps(OperationTable &table) {
  table.add<MmaFOp, MmaFScaledOp>("(K + 1) u (|c| + sum |a b|), u twice the accumulator's unit roundoff; fast_acc: "
                                  "2^-13; f8: (min(K, 32) + 1) 2^-13 more (see MmaOps.cpp)");
  table.add<MmaIOp>(OperationTable::kExact);
}

} // namespace tileiras::interpreter
