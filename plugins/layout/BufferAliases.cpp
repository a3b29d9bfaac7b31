//===- BufferAliases.cpp - Which memory a value is ------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferAliases.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"

using namespace mlir;

namespace tileiras::layout {

static LogicalResult emitNoBase(Operation *op) {
  InFlightDiagnostic diagnostic = op->emitError("Cannot find last written SSA.");
  diagnostic.attachNote()
      << "a tile in memory has to be one place of one allocation, or one stage of a pipeline, on every "
         "path; 'arith.select' may choose between places of one allocation";
  return diagnostic;
}

Value BufferAlias::createPosition(OpBuilder &builder, Location location) const {
  Value sum = arith::ConstantIntOp::create(builder, location, offset, 32);
  for (Value position : positions)
    sum = builder.createOrFold<arith::AddIOp>(location, position, sum);
  return sum;
}

Value BufferAlias::rebuild(OpBuilder &builder) const {
  Value value = base;
  for (Operation *view : views) {
    auto shifted = dyn_cast<as::ViewOp>(view);
    if (shifted && view->getResult(0).getType() == value.getType())
      continue;
    if (shifted) {
      value = as::ViewOp::create(builder, view->getLoc(), shifted.getType(), value);
      continue;
    }
    Operation *now = builder.clone(*view);
    now->setOperand(0, value);
    value = now->getResult(0);
  }
  if (offset == 0 && positions.empty())
    return value;
  const Location location = value.getLoc();
  const bool isConstant = positions.empty();
  Value position = isConstant ? Value() : createPosition(builder, location);
  return as::ViewOp::create(builder, location, value.getType(), value, position,
                            isConstant ? builder.getI64IntegerAttr(offset) : IntegerAttr());
}

FailureOr<BufferAlias> selectPlace(OpBuilder &builder, arith::SelectOp select) {
  FailureOr<BufferAlias> first = BufferTracer().trace(select.getTrueValue()),
                         second = BufferTracer().trace(select.getFalseValue());
  if (failed(first) || failed(second))
    return failure();
  if (first->base != second->base || !select.getCondition().getType().isInteger(1))
    return emitNoBase(select);
  if (first->isSamePlace(*second))
    return first;
  const Location location = select.getLoc();
  Value one = first->createPosition(builder, location), other = second->createPosition(builder, location);
  first->positions = {arith::SelectOp::create(builder, location, select.getCondition(), one, other)};
  first->offset = 0;
  return first;
}

FailureOr<BufferAlias> BufferTracer::trace(Value value) {
  underway.clear();
  return follow(value);
}

/// The sides of a merge, as far as they do not come round from itself, have one base.
FailureOr<BufferAlias> BufferTracer::followMerge(Operation *merge, ValueRange sides) {
  std::optional<BufferAlias> common;
  for (Value side : sides) {
    if (underway.contains(side))
      continue;
    FailureOr<BufferAlias> alias = follow(side);
    if (failed(alias))
      return failure();
    // What comes round has no base of its own; shifted, it is somewhere else each time.
    if (!alias->base && alias->isSamePlace(BufferAlias()))
      continue;
    if (common && !common->isSamePlace(*alias))
      return emitNoBase(merge);
    if (!common)
      common = std::move(*alias);
  }
  return common.value_or(BufferAlias());
}

/// An argument or a result of `op`.
FailureOr<BufferAlias> BufferTracer::followRegion(Operation *op, Value value) {
  if (isa_and_nonnull<as::PipelineRegionOpInterface>(op))
    return BufferAlias{value, {}};
  auto result = dyn_cast<OpResult>(value);
  if (auto branch = dyn_cast_or_null<scf::IfOp>(op); branch && result)
    return followMerge(op, {branch.thenYield().getOperand(result.getResultNumber()),
                            branch.elseYield().getOperand(result.getResultNumber())});
  if (auto loop = dyn_cast_or_null<scf::ForOp>(op)) {
    OpOperand *init = result ? loop.getTiedLoopInit(result) : loop.getTiedLoopInit(cast<BlockArgument>(value));
    underway.insert(loop.getTiedLoopRegionIterArg(init));
    return followMerge(op, {init->get(), loop.getTiedLoopYieldedValue(loop.getTiedLoopRegionIterArg(init))->get()});
  }
  if (isa_and_nonnull<scf::WhileOp>(op))
    return op->emitError("Yielded alias not implemented yet").attachNote()
           << "scf.for carries tiles in memory, scf.while does not";
  if (isa_and_nonnull<RegionBranchOpInterface>(op))
    return op->emitError("RemoveBufferAlias: not supported operation type");
  return emitNoBase(op);
}

FailureOr<BufferAlias> BufferTracer::follow(Value value) {
  if (!underway.insert(value).second)
    return BufferAlias();
  Operation *op = value.getDefiningOp();
  if (!op)
    return followRegion(value.getParentBlock()->getParentOp(), value);
  if (isa<as::AllocTensorOp>(op))
    return BufferAlias{value, {}};
  if (isa<ViewLikeOpInterface>(op)) {
    FailureOr<BufferAlias> alias = follow(op->getOperand(0));
    if (failed(alias))
      return failure();
    alias->views.push_back(op);
    if (auto view = dyn_cast<as::ViewOp>(op)) {
      alias->offset += view.getOffset().value_or(0);
      if (view.getPosition())
        alias->positions.push_back(view.getPosition());
    }
    return alias;
  }
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return followMerge(op, {select.getTrueValue(), select.getFalseValue()});
  return followRegion(op, value);
}

} // namespace tileiras::layout
