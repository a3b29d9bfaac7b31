//===- AggregateOps.cpp - Reductions and scans ----------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The specification leaves the order to the implementation. Reductions combine neighbours, then pairs of neighbours,
// and so on; scans go from one end to the other. The first argument of the body is the element at hand, in reductions
// the later one, the second is what came before it. Identities, being neutral, are not combined with anything.
//
// Lines along the dimension are independent. A body of elementwise operations is executed for all of them at once.
//
//===----------------------------------------------------------------------===//

#include "Bounds.h"
#include "Evaluation.h"
#include "TileBlock.h"

using namespace mlir;
using namespace tileiras::cuda_tile;

namespace tileiras::interpreter {
namespace {

/// A tile seen as lines along a dimension: element (outer, i, inner).
struct Lines {
  size_t outer = 1, extent, inner = 1;

  Lines(ArrayRef<int64_t> shape, size_t dim) : extent(shape[dim]) {
    for (int64_t size : shape.take_front(dim))
      outer *= size;
    for (int64_t size : shape.drop_front(dim + 1))
      inner *= size;
  }
  size_t count() const { return outer * inner; }
};

/// The i-th elements of all lines.
Tile getSlice(const Tile &tile, const Lines &lines, size_t i) {
  Tile slice(tile.elementType, {static_cast<int64_t>(lines.count())});
  if (!tile.bounds.empty())
    slice.bounds.resize(lines.count());
  for (size_t o = 0; o < lines.outer; ++o)
    for (size_t n = 0; n < lines.inner; ++n) {
      const size_t from = (o * lines.extent + i) * lines.inner + n, to = o * lines.inner + n;
      slice.elements[to] = tile.elements[from];
      if (!slice.bounds.empty())
        slice.bounds[to] = tile.bound(from);
    }
  return slice;
}

void setSlice(Tile &tile, const Lines &lines, size_t i, const Tile &slice) {
  if (!slice.bounds.empty())
    tile.bounds.resize(tile.size());
  for (size_t o = 0; o < lines.outer; ++o)
    for (size_t n = 0; n < lines.inner; ++n) {
      const size_t to = (o * lines.extent + i) * lines.inner + n, from = o * lines.inner + n;
      tile.elements[to] = slice.elements[from];
      if (!slice.bounds.empty())
        tile.bounds[to] = slice.bound(from);
    }
}

/// One tile for each operand of the reduction.
using Tuple = SmallVector<Tile>;

/// Executes the body of a reduction or scan.
class Combiner {
public:
  Combiner(Block &body, Evaluation &evaluation) : body(body), evaluation(evaluation) {
    const OperationTable &table = OperationTable::get();
    runsAtOnce = llvm::all_of(body.without_terminator(), [&](Operation &op) {
      const OperationEntry *entry = table.find(op.getName().getTypeID());
      return entry && entry->isElementwise;
    });
  }

  /// Combines two tuples of rows, element by element.
  FailureOr<Tuple> combine(const Tuple &earlier, const Tuple &later) {
    if (runsAtOnce)
      return combineRows(earlier, later);
    Tuple results = earlier;
    for (size_t i = 0, n = earlier.front().size(); i < n; ++i) {
      FailureOr<Tuple> scalars = combineRows(getScalars(earlier, i), getScalars(later, i));
      if (failed(scalars))
        return failure();
      for (auto [result, scalar] : llvm::zip_equal(results, *scalars)) {
        result.elements[i] = scalar.elements[0];
        if (!scalar.bounds.empty()) {
          result.bounds.resize(n);
          result.bounds[i] = scalar.bound(0);
        }
      }
    }
    return results;
  }

private:
  static Tuple getScalars(const Tuple &rows, size_t i) {
    return llvm::map_to_vector(rows, [&](const Tile &row) {
      Tile scalar = Tile::scalar(row.elementType, row.elements[i]);
      if (row.bound(i) != 0)
        scalar.bounds = {row.bound(i)};
      return scalar;
    });
  }

  /// Of the two arguments for an operand, the first is the element at hand, the second what came before it.
  FailureOr<Tuple> combineRows(const Tuple &earlier, const Tuple &later) {
    SmallVector<Tile> arguments;
    for (auto [accumulated, current] : llvm::zip_equal(earlier, later))
      arguments.append({current, accumulated});
    FailureOr<Tuple> results = evaluation.tileBlock.runRegion(body, arguments);
    if (failed(results))
      return failure();
    // A result that does not depend on the arguments is one scalar for all.
    for (auto [result, row] : llvm::zip_equal(*results, earlier)) {
      if (result.size() != row.size()) {
        result.elements.assign(row.size(), result.elements[0]);
        if (!result.bounds.empty())
          result.bounds.assign(row.size(), result.bounds[0]);
      }
      result.shape = row.shape;
    }
    return results;
  }

  Block &body;
  Evaluation &evaluation;
  bool runsAtOnce;
};

Tuple getOperands(OperandRange operands, Evaluation &evaluation) {
  return llvm::map_to_vector(operands, [&](Value operand) { return evaluation.tile(operand); });
}

} // namespace

static LogicalResult evaluate(ReduceOp op, Evaluation &evaluation) {
  const Tuple operands = getOperands(op.getOperands(), evaluation);
  const Lines lines(operands.front().shape, op.getDim());
  SmallVector<Tuple> rows;
  for (size_t i = 0; i < lines.extent; ++i)
    rows.push_back(llvm::map_to_vector(operands, [&](const Tile &tile) { return getSlice(tile, lines, i); }));

  Combiner combiner(op.getBody().front(), evaluation);
  while (rows.size() > 1) {
    for (size_t i = 0; i < rows.size() / 2; ++i) {
      FailureOr<Tuple> combined = combiner.combine(rows[2 * i], rows[2 * i + 1]);
      if (failed(combined))
        return failure();
      rows[i] = std::move(*combined);
    }
    rows.resize(rows.size() / 2); // Extents are powers of two.
  }
  for (auto [number, result] : llvm::enumerate(op.getResults())) {
    Tile tile = std::move(rows.front()[number]);
    tile.shape = SmallVector<int64_t, 4>(cast<TileType>(result.getType()).getShape());
    if (evaluation.options.computeBounds)
      addReductionBounds(op.getBody().front(), operands[number], lines.extent, lines.inner, tile);
    evaluation.set(result, std::move(tile));
  }
  return success();
}

static LogicalResult evaluate(ScanOp op, Evaluation &evaluation) {
  const Tuple operands = getOperands(op.getOperands(), evaluation);
  const Lines lines(operands.front().shape, op.getDim());
  auto getRow = [&](size_t i) {
    return llvm::map_to_vector(operands, [&](const Tile &tile) { return getSlice(tile, lines, i); });
  };
  Combiner combiner(op.getBody().front(), evaluation);
  Tuple results = operands, carry;
  for (size_t step = 0; step < lines.extent; ++step) {
    const size_t i = op.getReverse() ? lines.extent - 1 - step : step;
    FailureOr<Tuple> combined = step == 0 ? getRow(i) : combiner.combine(carry, getRow(i));
    if (failed(combined))
      return failure();
    carry = std::move(*combined);
    for (auto [result, row] : llvm::zip_equal(results, carry))
      setSlice(result, lines, i, row);
  }
  for (auto [number, value] : llvm::enumerate(op.getResults())) {
    Tile &result = results[number];
    if (evaluation.options.computeBounds)
      addScanBounds(op.getBody().front(), operands[number], lines.extent, lines.inner, op.getReverse(), result);
    evaluation.set(value, std::move(result));
  }
  return success();
}

void registerAggregateOps(OperationTable &table) {
  table.add<ReduceOp, ScanOp>(
      "bit-exact for exact bodies; sums: 2 (n - 1) u sum |x|, u the unit roundoff (Higham §4.2)");
}

} // namespace tileiras::interpreter
