//===- IteratorPropagation.cpp - Iterators through control flow -----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IteratorPropagation.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tileiras/Dialect/TileAA/Queues.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tileiras::async {

bool carriesIterators(Operation *op) {
  return isa<scf::ForOp, scf::IfOp, scf::WhileOp, aa::QueueGetOp, aa::ExecuteOp, as::ConsumeOneOp, as::AgentSwitchOp>(
      op);
}

void IteratorPropagation::addStage(Operation *stage, Value begin) {
  stages[stage] = begin;
  for (Operation *op = stage->getParentOp(); op; op = op->getParentOp()) {
    llvm::SetVector<Value> &through = carried[op];
    if (!op->isAncestor(begin.getDefiningOp()))
      through.insert(begin);
  }
}

void IteratorPropagation::run(Region &region) {
  for (Block &block : region)
    for (Operation &op : llvm::make_early_inc_range(block))
      visit(&op);
}

SmallVector<Value> IteratorPropagation::getCurrent(ArrayRef<Value> begins) const {
  return llvm::map_to_vector(begins, [&](Value begin) {
    auto it = current.find(begin);
    return it == current.end() ? begin : it->second;
  });
}

void IteratorPropagation::enterBlock(Block &block, ArrayRef<Value> begins) {
  for (Value begin : begins)
    current[begin] = block.addArgument(begin.getType(), begin.getLoc());
}

void IteratorPropagation::setCurrent(ArrayRef<Value> begins, ValueRange values) {
  for (auto [begin, value] : llvm::zip_equal(begins, values))
    current[begin] = value;
}

/// Puts in place of `op` one with `operands` behind its own and with `results` more from number `index` on, which takes
/// its regions over.
static Operation *extend(Operation *op, ValueRange operands, TypeRange results, unsigned index) {
  SmallVector<Value> allOperands(op->getOperands());
  llvm::append_range(allOperands, operands);
  SmallVector<Type> types(op->getResultTypes());
  types.insert(types.begin() + index, results.begin(), results.end());
  OperationState state(op->getLoc(), op->getName().getStringRef(), allOperands, types, op->getAttrs());
  for (unsigned i = 0; i < op->getNumRegions(); ++i)
    state.addRegion();
  Operation *now = OpBuilder(op).create(state);
  for (auto [from, to] : llvm::zip_equal(op->getRegions(), now->getRegions()))
    to.takeBody(from);
  for (auto [i, result] : llvm::enumerate(op->getResults()))
    result.replaceAllUsesWith(now->getResult(i < index ? i : i + results.size()));
  op->erase();
  return now;
}

static void appendOperands(Operation *op, ValueRange values) {
  op->insertOperands(op->getNumOperands(), values);
}

void IteratorPropagation::visit(Operation *op) {
  const Value begin = stages.lookup(op);
  for (OpOperand &operand : op->getOpOperands())
    if (begin && operand.get() == begin)
      operand.set(getCurrent(begin).front());
  if (auto around = carried.find(op); around != carried.end()) {
    const SmallVector<Value> begins = around->second.takeVector();
    if (begins.empty())
      llvm::for_each(op->getRegions(), [&](Region &region) { run(region); });
    else
      op = carry(op, begins);
  }
  if (begin && op->getNumResults() != 0 && op->getResults().back().getType() == begin.getType())
    current[begin] = op->getResults().back();
}

Operation *IteratorPropagation::carry(Operation *op, ArrayRef<Value> begins) {
  const SmallVector<Value> before = getCurrent(begins);
  const TypeRange types{ValueRange(before)};
  const unsigned numResults = op->getNumResults();
  return llvm::TypeSwitch<Operation *, Operation *>(op)
      .Case<scf::ForOp>([&](Operation *) {
        auto loop = cast<scf::ForOp>(extend(op, before, types, numResults));
        enterBlock(*loop.getBody(), begins);
        run(loop.getRegion());
        appendOperands(loop.getBody()->getTerminator(), getCurrent(begins));
        setCurrent(begins, loop.getResults().drop_front(numResults));
        return loop;
      })
      .Case<scf::WhileOp>([&](Operation *) {
        auto loop = cast<scf::WhileOp>(extend(op, before, types, numResults));
        for (Region *region : loop.getRegions()) {
          enterBlock(region->front(), begins);
          run(*region);
          appendOperands(region->front().getTerminator(), getCurrent(begins));
        }
        setCurrent(begins, loop.getResults().drop_front(numResults));
        return loop;
      })
      .Case<scf::IfOp>([&](Operation *) {
        auto branch = cast<scf::IfOp>(extend(op, {}, types, numResults));
        if (branch.getElseRegion().empty()) {
          OpBuilder builder(branch.getContext());
          builder.createBlock(&branch.getElseRegion());
          scf::YieldOp::create(builder, branch.getLoc());
        }
        for (Region *region : branch.getRegions()) {
          setCurrent(begins, before);
          run(*region);
          appendOperands(region->front().getTerminator(), getCurrent(begins));
        }
        setCurrent(begins, branch.getResults().drop_front(numResults));
        return branch;
      })
      .Case<as::AgentSwitchOp>([&](Operation *) {
        auto agents = cast<as::AgentSwitchOp>(extend(op, before, types, numResults));
        for (Region &agent : agents.getAgents()) {
          setCurrent(begins, before);
          run(agent);
          appendOperands(agent.front().getTerminator(), getCurrent(begins));
        }
        setCurrent(begins, agents.getEnds().take_back(begins.size()));
        return agents;
      })
      .Case<as::ConsumeOneOp>([&](Operation *) {
        auto stage = cast<as::ConsumeOneOp>(extend(op, {}, types, numResults - 1));
        run(stage.getBody());
        appendOperands(stage.getBody().front().getTerminator(), getCurrent(begins));
        setCurrent(begins, stage.getValues().take_back(begins.size()));
        return stage;
      });
}

} // namespace tileiras::async
