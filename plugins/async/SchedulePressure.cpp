//===- SchedulePressure.cpp - Registers of scheduled loops ----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SchedulePressure.h"
#include "AgentWarps.h"
#include "StageAttributes.h"
#include "mlir/IR/IRMapping.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Dialect/TileAS/RegisterEstimate.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "tileiras/Lowering/SharedBudget.h"

using namespace mlir;

namespace tileiras::async {

ScheduledRegisters estimateScheduledRegisters(scf::ForOp loop, const LoopSchedule &schedule) {
  auto function = loop->getParentOfType<aa::FuncOp>();
  if (!function)
    return {};
  IRMapping mapping;
  OwningOpRef<Operation *> copy = function->clone(mapping);
  auto copied = cast<scf::ForOp>(mapping.lookup(loop.getOperation()));
  LoopSchedule copiedSchedule = schedule;
  for (ScheduleOperation &operation : copiedSchedule.problem.operations)
    operation.op = mapping.lookup(operation.op);
  ScheduledRegisters result;
  result.reason = writeStages(copied, copiedSchedule);
  const SmallVector<StagedOperation> order = takeStages(copied);
  if (result.reason.empty() && !order.empty())
    result.reason = checkExpansion(copied, order);
  if (!result.reason.empty())
    return result;
  IRRewriter rewriter(loop.getContext());
  if (!order.empty())
    expandSchedule(rewriter, copied, order);
  result.needed = as::estimateRegisters((*copy)->getRegion(0)).cost;
  return result;
}

/// Agents seldom win where stages are filled from registers.
static bool mayHaveAgents(aa::FuncOp function) {
  return !function
              ->walk([](as::CreatePipelineOp create) {
                return as::getProducerKind(create) == as::kProducerRegisters ? WalkResult::interrupt()
                                                                             : WalkResult::advance();
              })
              .wasInterrupted();
}

std::optional<int64_t> getScheduledRegisterLimit(scf::ForOp loop, const ChipTarget &target, bool withAgents) {
  auto function = loop->getParentOfType<aa::FuncOp>();
  if (!function)
    return std::nullopt;
  if (function.getKernelSpecAttr() && withAgents && mayHaveAgents(function))
    return planAgentWarps(function, target).compute;
  return target.machine().getRegistersPerThread(getExecutionScope(function).getNumThreads(), getWantedCTAs(function));
}

namespace {

class PressureDependences {
public:
  PressureDependences(scf::ForOp loop, ScheduleProblem &problem) : loop(loop), problem(problem) {
    for (auto [index, operation] : llvm::enumerate(problem.operations))
      indices[operation.op] = index;
  }

  bool run() {
    Operation *first = nullptr;
    SmallVector<as::AsyncDotOp> products;
    loop.getBody()->walk([&](as::AsyncDotOp product) {
      products.push_back(product);
      if (!first)
        first = loop.getBody()->findAncestorOpInBlock(*product);
    });
    for (as::AsyncDotOp product : products)
      if (!as::isMemoryTensor(product.getA().getType()))
        addOperand(product, first);
    return added;
  }

private:
  /// The operations that make the operand and those that need what they make come before the next `first`.
  void addOperand(as::AsyncDotOp product, Operation *first) {
    SetVector<Operation *> slice;
    collect(product.getA(), slice);
    for (unsigned i = 0; i < slice.size(); ++i) {
      for (Value operand : slice[i]->getOperands())
        collect(operand, slice);
      addEdge(slice[i], first);
      for (Operation *user : slice[i]->getUsers())
        if (Operation *ancestor = loop.getBody()->findAncestorOpInBlock(*user); ancestor && !isStep(ancestor))
          addEdge(ancestor, first);
    }
    for (Operation *user : loop.getBody()->findAncestorOpInBlock(*product)->getUsers())
      if (isa<as::AsyncFutureWaitOp>(user) && !slice.empty())
        addEdge(user, slice.front());
  }

  /// Of the same iteration, up to what waits for other products.
  void collect(Value value, SetVector<Operation *> &slice) {
    Operation *op = value.getDefiningOp();
    if (op && op->getBlock() == loop.getBody() && !isStep(op))
      slice.insert(op);
  }

  static bool isStep(Operation *op) {
    return isa<as::PipelineRegionOpInterface, as::AsyncDotOp, as::AsyncFutureWaitOp, scf::YieldOp>(op);
  }

  void addEdge(Operation *source, Operation *target) {
    auto from = indices.find(source), to = indices.find(target);
    if (from == indices.end() || to == indices.end())
      return;
    problem.dependences.push_back({from->second, to->second, 0, 1});
    added = true;
  }

  scf::ForOp loop;
  ScheduleProblem &problem;
  llvm::DenseMap<Operation *, unsigned> indices;
  bool added = false;
};

} // namespace

bool addPressureDependences(scf::ForOp loop, ScheduleProblem &problem) {
  return PressureDependences(loop, problem).run();
}

} // namespace tileiras::async
