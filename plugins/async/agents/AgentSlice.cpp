//===- AgentSlice.cpp - The part of a function that one agent runs --------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AgentSlice.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tileiras::async {

bool isSliceable(Operation *op) {
  return isa<scf::ForOp, scf::IfOp, scf::WhileOp>(op);
}

//===----------------------------------------------------------------------===//
// What is needed
//===----------------------------------------------------------------------===//

void AgentSlice::addOperation(Operation *op) {
  if (isSliceable(op))
    return addControl(op);
  if (shared.contains(op) || !operations.insert(op))
    return;
  work.append(op->operand_begin(), op->operand_end());
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  work.append(captured.begin(), captured.end());
  if (op->getBlock() != &entry)
    addControl(op->getParentOp());
  close();
}

/// The operation runs, for what is in it: what decides how often and which way is needed.
void AgentSlice::addControl(Operation *op) {
  if (!control.insert(op).second)
    return;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](scf::ForOp loop) {
        work.append({loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
      })
      .Case([&](scf::IfOp branch) { work.push_back(branch.getCondition()); })
      .Case([&](scf::WhileOp loop) { work.push_back(loop.getConditionOp().getCondition()); });
  if (op->getBlock() != &entry)
    addControl(op->getParentOp());
  close();
}

void AgentSlice::needResult(Operation *op, unsigned number) {
  addControl(op);
  if (!kept.insert({op, number}).second)
    return;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](scf::ForOp loop) {
        work.push_back(loop.getInitArgs()[number]);
        work.push_back(loop.getYieldedValues()[number]);
      })
      .Case([&](scf::IfOp branch) {
        work.push_back(branch.thenYield().getOperand(number));
        work.push_back(branch.elseYield().getOperand(number));
      })
      .Case([&](scf::WhileOp loop) { work.push_back(loop.getConditionOp().getArgs()[number]); });
}

void AgentSlice::needCarried(Operation *op, unsigned number) {
  addControl(op);
  if (!carried.insert({op, number}).second)
    return;
  auto loop = cast<scf::WhileOp>(op);
  work.push_back(loop.getInits()[number]);
  work.push_back(loop.getYieldOp().getOperand(number));
}

void AgentSlice::need(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *op = argument.getOwner()->getParentOp();
    if (argument.getOwner() == &entry)
      return;
    if (auto loop = dyn_cast<scf::ForOp>(op); loop && argument != loop.getInductionVar())
      return needResult(op, argument.getArgNumber() - 1);
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      return argument.getOwner() == loop.getBeforeBody() ? needCarried(op, argument.getArgNumber())
                                                         : needResult(op, argument.getArgNumber());
    return addControl(op);
  }
  Operation *op = value.getDefiningOp();
  if (isSliceable(op))
    needResult(op, cast<OpResult>(value).getResultNumber());
  else
    addOperation(op);
}

void AgentSlice::close() {
  while (!work.empty())
    need(work.pop_back_val());
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

void AgentSlice::emit(OpBuilder &builder) {
  IRMapping mapping;
  emitBlock(entry, builder, mapping);
}

void AgentSlice::emitBlock(Block &block, OpBuilder &builder, IRMapping &mapping) {
  for (Operation &op : block.without_terminator()) {
    if (control.contains(&op))
      emitControl(&op, builder, mapping);
    else if (operations.contains(&op))
      builder.clone(op, mapping);
  }
}

/// The numbers below `count` that `values` has of `op`.
static SmallVector<unsigned> getNumbers(const llvm::DenseSet<std::pair<Operation *, unsigned>> &values, Operation *op,
                                        unsigned count) {
  return llvm::filter_to_vector(llvm::seq<unsigned>(0, count), [&](unsigned number) {
    return values.contains({op, number});
  });
}

static SmallVector<Value> mapAll(ValueRange values, ArrayRef<unsigned> numbers, IRMapping &mapping) {
  return llvm::map_to_vector(numbers, [&](unsigned number) { return mapping.lookupOrDefault(values[number]); });
}

void AgentSlice::emitControl(Operation *op, OpBuilder &builder, IRMapping &mapping) {
  OpBuilder::InsertionGuard guard(builder);
  const SmallVector<unsigned> numbers = getNumbers(kept, op, op->getNumResults());
  const Location location = op->getLoc();
  // Fills a region of the new operation with the slice of an old one, which ends with `values`.
  auto fill = [&](Block &from, Block *to, Operation *yield, ValueRange values, ArrayRef<unsigned> which) {
    if (!to->empty()) // Builders end blocks that give nothing.
      to->back().erase();
    builder.setInsertionPointToStart(to);
    emitBlock(from, builder, mapping);
    scf::YieldOp::create(builder, yield->getLoc(), mapAll(values, which, mapping));
  };
  Operation *clone =
      llvm::TypeSwitch<Operation *, Operation *>(op)
          .Case([&](scf::ForOp loop) {
            auto result = scf::ForOp::create(
                builder, location, mapping.lookupOrDefault(loop.getLowerBound()),
                mapping.lookupOrDefault(loop.getUpperBound()), mapping.lookupOrDefault(loop.getStep()),
                mapAll(loop.getInitArgs(), numbers, mapping), nullptr, loop.getUnsignedCmp());
            mapping.map(loop.getInductionVar(), result.getInductionVar());
            for (auto [number, argument] : llvm::zip_equal(numbers, result.getRegionIterArgs()))
              mapping.map(loop.getRegionIterArg(number), argument);
            Operation *yield = loop.getBody()->getTerminator();
            fill(*loop.getBody(), result.getBody(), yield, yield->getOperands(), numbers);
            return result;
          })
          .Case([&](scf::IfOp branch) {
            SmallVector<Type> types =
                llvm::map_to_vector(numbers, [&](unsigned number) { return branch.getResult(number).getType(); });
            auto result = scf::IfOp::create(builder, location, types, mapping.lookupOrDefault(branch.getCondition()),
                                            /*addThenBlock=*/true, /*addElseBlock=*/branch.elseBlock() != nullptr);
            fill(*branch.thenBlock(), result.thenBlock(), branch.thenYield(), branch.thenYield().getOperands(),
                 numbers);
            if (branch.elseBlock())
              fill(*branch.elseBlock(), result.elseBlock(), branch.elseYield(), branch.elseYield().getOperands(),
                   numbers);
            return result;
          })
          .Case([&](scf::WhileOp loop) {
            const SmallVector<unsigned> round = getNumbers(carried, op, loop.getInits().size());
            SmallVector<Type> types =
                llvm::map_to_vector(numbers, [&](unsigned number) { return loop.getResult(number).getType(); });
            auto result = scf::WhileOp::create(builder, location, types, mapAll(loop.getInits(), round, mapping));
            auto addBlock = [&](Region &region, Block &from, ArrayRef<unsigned> which) {
              Block *to = builder.createBlock(&region);
              for (unsigned number : which) {
                BlockArgument argument = from.getArgument(number);
                mapping.map(argument, to->addArgument(argument.getType(), argument.getLoc()));
              }
              emitBlock(from, builder, mapping);
            };
            addBlock(result.getBefore(), *loop.getBeforeBody(), round);
            scf::ConditionOp condition = loop.getConditionOp();
            scf::ConditionOp::create(builder, condition.getLoc(), mapping.lookupOrDefault(condition.getCondition()),
                                     mapAll(condition.getArgs(), numbers, mapping));
            addBlock(result.getAfter(), *loop.getAfterBody(), numbers);
            scf::YieldOp::create(builder, loop.getYieldOp().getLoc(),
                                 mapAll(loop.getYieldOp().getOperands(), round, mapping));
            return result;
          });
  clone->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  for (auto [number, result] : llvm::zip_equal(numbers, clone->getResults()))
    mapping.map(op->getResult(number), result);
}

} // namespace tileiras::async
