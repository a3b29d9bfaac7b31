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
#include "mlir/Transforms/RegionUtils.h"
#include "tileiras/Analysis/FutureAccumulators.h"
#include "tileiras/Analysis/RegisterEstimate.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "tileiras/Lowering/SharedBudget.h"

using namespace mlir;

namespace tileiras::async {

ScheduledRegisters estimateScheduledRegisters(scf::ForOp loop, const LoopSchedule &schedule, const ChipTarget &chip) {
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
  result.reason = writeStages(copied, copiedSchedule, chip);
  const SmallVector<StagedOperation> order = takeStages(copied);
  if (result.reason.empty() && !order.empty())
    result.reason = checkExpansion(copied, order);
  if (!result.reason.empty())
    return result;
  IRRewriter rewriter(loop.getContext());
  if (!order.empty())
    expandSchedule(rewriter, copied, order);
  result.needed = as::estimateRegisters((*copy)->getRegion(0), chip).cost;
  return result;
}

/// Agents seldom win where stages are filled from registers.
static bool mayHaveAgents(aa::FuncOp function) {
  return !function
              ->walk([](as::CreatePipelineOp create) {
                return as::getProducerKind(create) == as::ProducerKind::Registers ? WalkResult::interrupt()
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

uint32_t countIterationRegisters(scf::ForOp loop, const ChipTarget &target, bool withAgents) {
  const std::optional<int64_t> limit = getScheduledRegisterLimit(loop, target, withAgents);
  if (!limit)
    return 0;
  llvm::SetVector<Value> kept;
  getUsedValuesDefinedAbove(loop.getRegion(), kept);
  const as::ValueRegisters registers(target);
  int64_t left = *limit - target.tuning().registersOfInstructions;
  for (Value value : kept)
    left -= registers.count(value);
  return std::max<int64_t>(left, 1);
}

namespace {

class PressureDependences {
public:
  PressureDependences(scf::ForOp loop, ScheduleProblem &problem) : loop(loop), problem(problem) {
    for (auto [index, operation] : llvm::enumerate(problem.operations))
      indices[operation.op] = index;
  }

  void run() {
    SmallVector<as::AsyncDotOp> products;
    loop.getBody()->walk([&](as::AsyncDotOp product) { products.push_back(product); });
    for (as::AsyncDotOp product : products)
      if (!as::isMemoryTensor(product.getA().getType()))
        addOperand(product, findAncestor(products.front()));
  }

  void runInTensorMemory(const AtomCatalogue *atoms) {
    SmallVector<as::AsyncDotOp> products;
    loop.getBody()->walk([&](as::AsyncDotOp product) {
      if (as::sumsInTensorMemory(atoms, product.getAtom()))
        products.push_back(product);
    });
    for (as::AsyncDotOp product : products)
      if (!as::isMemoryTensor(product.getA().getType()))
        for (Operation *user : findAncestor(products.front())->getUsers())
          if (isa<as::AsyncFutureWaitOp>(user)) {
            addEdge(user, findAncestor(products.front()));
            addMakers(product, user);
            addEdge(findAncestor(product), user); // Which moves the operand.
          }
  }

  /// Registers of an operand are read until its product is over: what writes them anew waits for that.
  void runForOperands(const AtomCatalogue *atoms) {
    SmallVector<as::AsyncDotOp> products;
    loop.getBody()->walk([&](as::AsyncDotOp product) {
      if (!as::isMemoryTensor(product.getA().getType()) && !as::sumsInTensorMemory(atoms, product.getAtom()))
        products.push_back(product);
    });
    for (as::AsyncDotOp product : products)
      for (Operation *user : findAncestor(product)->getUsers())
        if (isa<as::AsyncFutureWaitOp>(user))
          for (Operation *maker = product.getA().getDefiningOp(); maker && maker->getBlock() == loop.getBody();
               maker = maker->getOperand(0).getDefiningOp()) {
            if (isStep(maker))
              break;
            addEdge(user, maker);
            if (!isa<as::ConvertLayoutOp>(maker))
              break;
          }
  }

  bool added = false;

private:
  Operation *findAncestor(Operation *op) { return loop.getBody()->findAncestorOpInBlock(*op); }

  /// The operations that make the operand and those that need what they make come before the next `first`.
  SetVector<Operation *> addMakers(as::AsyncDotOp product, Operation *first) {
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
    return slice;
  }

  /// Those that wait for who read it before come before it is made again.
  void addOperand(as::AsyncDotOp product, Operation *first) {
    const SetVector<Operation *> slice = addMakers(product, first);
    for (Operation *user : findAncestor(product)->getUsers())
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
};

} // namespace

bool addPressureDependences(scf::ForOp loop, ScheduleProblem &problem) {
  PressureDependences dependences(loop, problem);
  dependences.run();
  return dependences.added;
}

void addOperandDependences(scf::ForOp loop, ScheduleProblem &problem, const AtomCatalogue *atoms) {
  PressureDependences dependences(loop, problem);
  dependences.runInTensorMemory(atoms);
  dependences.runForOperands(atoms);
}

} // namespace tileiras::async
