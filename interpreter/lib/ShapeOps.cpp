//===- ShapeOps.cpp - Constants and shapes --------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// These operations move elements and never look at them.
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"
#include "Evaluation.h"
#include "FloatFormat.h"

using namespace mlir;
using namespace tileiras::cuda_tile;

namespace tileiras::interpreter {

static size_t linearize(ArrayRef<int64_t> shape, ArrayRef<int64_t> index) {
  size_t position = 0;
  for (auto [extent, coordinate] : llvm::zip_equal(shape, index))
    position = position * extent + coordinate;
  return position;
}

/// A tile of `shape` whose element at an index is the source's at `sourceIndex(index)`.
template <typename Function>
static Tile gather(const Tile &source, ArrayRef<int64_t> shape, Function sourceIndex) {
  Tile result(source.elementType, shape);
  SmallVector<int64_t, 4> index(source.shape.size());
  IndexIterator at(shape);
  for (uint64_t &element : result.elements) {
    sourceIndex(*at, index);
    element = source.elements[linearize(source.shape, index)];
    ++at;
  }
  return result;
}

static LogicalResult evaluate(BroadcastOp op, Evaluation &evaluation) {
  const Tile &source = evaluation.tile(op.getSource());
  evaluation.set(op, gather(source, op.getType().getShape(), [&](ArrayRef<int64_t> at, MutableArrayRef<int64_t> from) {
                   for (size_t d = 0; d < at.size(); ++d)
                     from[d] = source.shape[d] == 1 ? 0 : at[d];
                 }));
  return success();
}

static LogicalResult evaluate(CatOp op, Evaluation &evaluation) {
  const Tile &lhs = evaluation.tile(op.getLhs()), &rhs = evaluation.tile(op.getRhs());
  const size_t dim = op.getDim();
  Tile result(lhs.elementType, op.getType().getShape());
  SmallVector<int64_t, 4> index(lhs.shape.size());
  IndexIterator at(result.shape);
  for (uint64_t &element : result.elements) {
    index.assign((*at).begin(), (*at).end());
    const bool isRight = index[dim] >= lhs.shape[dim];
    if (isRight)
      index[dim] -= lhs.shape[dim];
    const Tile &source = isRight ? rhs : lhs;
    element = source.elements[linearize(source.shape, index)];
    ++at;
  }
  evaluation.set(op, std::move(result));
  return success();
}

static LogicalResult evaluate(ConstantOp op, Evaluation &evaluation) {
  DenseIntOrFPElementsAttr value = op.getValue();
  Tile result(op.getType());
  if (isFloat(result.elementType))
    for (auto [element, number] : llvm::zip_equal(result.elements, value.getValues<APFloat>()))
      element = number.bitcastToAPInt().getZExtValue(); // A NaN keeps the payload it is written with.
  else
    for (auto [element, number] : llvm::zip_equal(result.elements, value.getValues<APInt>()))
      element = number.getZExtValue();
  evaluation.set(op, std::move(result));
  return success();
}

/// The first element of the part that the indices name; nothing, after a diagnostic, if it does not exist.
template <typename OpTy>
static FailureOr<SmallVector<int64_t, 4>> getPart(OpTy op, Evaluation &evaluation, ArrayRef<int64_t> part,
                                                  ArrayRef<int64_t> whole) {
  SmallVector<int64_t, 4> begin;
  for (auto [dim, index] : llvm::enumerate(op.getIndices())) {
    const int64_t number = evaluation.signedScalar(index), count = whole[dim] / part[dim];
    if (number < 0 || number >= count) {
      evaluation.undefined(op) << "index " << number << " along dimension " << dim << " is not one of the " << count
                               << " parts";
      return failure();
    }
    begin.push_back(number * part[dim]);
  }
  return begin;
}

static LogicalResult evaluate(ExtractOp op, Evaluation &evaluation) {
  const Tile &source = evaluation.tile(op.getSource());
  ArrayRef<int64_t> shape = op.getType().getShape();
  auto begin = getPart(op, evaluation, shape, source.shape);
  if (failed(begin))
    return failure();
  evaluation.set(op, gather(source, shape, [&](ArrayRef<int64_t> at, MutableArrayRef<int64_t> from) {
                   for (size_t d = 0; d < at.size(); ++d)
                     from[d] = (*begin)[d] + at[d];
                 }));
  return success();
}

static LogicalResult evaluate(InsertOp op, Evaluation &evaluation) {
  const Tile &source = evaluation.tile(op.getSource());
  Tile result = evaluation.tile(op.getDestination());
  auto begin = getPart(op, evaluation, source.shape, result.shape);
  if (failed(begin))
    return failure();
  IndexIterator at(source.shape);
  for (uint64_t element : source.elements) {
    SmallVector<int64_t, 4> to(*begin);
    for (size_t d = 0; d < to.size(); ++d)
      to[d] += (*at)[d];
    result.elements[linearize(result.shape, to)] = element;
    ++at;
  }
  evaluation.set(op, std::move(result));
  return success();
}

static LogicalResult evaluate(IotaOp op, Evaluation &evaluation) {
  Tile result(op.getType());
  for (size_t i = 0; i < result.size(); ++i)
    result.elements[i] = i;
  evaluation.set(op, std::move(result));
  return success();
}

static LogicalResult evaluate(PermuteOp op, Evaluation &evaluation) {
  const Tile &source = evaluation.tile(op.getSource());
  ArrayRef<int32_t> permutation = op.getPermutation();
  evaluation.set(op, gather(source, op.getType().getShape(), [&](ArrayRef<int64_t> at, MutableArrayRef<int64_t> from) {
                   for (size_t d = 0; d < at.size(); ++d)
                     from[permutation[d]] = at[d];
                 }));
  return success();
}

static LogicalResult evaluate(ReshapeOp op, Evaluation &evaluation) {
  Tile result = evaluation.tile(op.getSource());
  result.shape = SmallVector<int64_t, 4>(op.getType().getShape());
  evaluation.set(op, std::move(result));
  return success();
}

static LogicalResult evaluate(SelectOp op, Evaluation &evaluation) {
  const Tile &yes = evaluation.tile(op.getValIfTrue());
  evaluation.set(op,
                 mapElements(yes.elementType, evaluation.tile(op.getCond()), yes, evaluation.tile(op.getValIfFalse()),
                             [](uint64_t condition, uint64_t x, uint64_t y) { return condition ? x : y; }));
  return success();
}

void registerShapeOps(OperationTable &table) {
  table.addElementwise<ConstantOp, SelectOp>(OperationTable::kExact);
  table.add<BroadcastOp, CatOp, ExtractOp, InsertOp, IotaOp, PermuteOp, ReshapeOp>(OperationTable::kExact);
}

} // namespace tileiras::interpreter
