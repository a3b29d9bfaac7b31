//===- ScheduleAnalysis.cpp - The schedules of a function -------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Schedule/ScheduleAnalysis.h"
#include "OperationConstraints.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Analysis/RegisterEstimate.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Dialect/TileAS/WorkCollector.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileiras;

llvm::StringRef tileiras::stringifyStrategy(ScheduleStrategy strategy) {
  switch (strategy) {
  case ScheduleStrategy::None:
    return "NONE";
  case ScheduleStrategy::Serial:
    return "SERIAL";
  case ScheduleStrategy::CostBased:
    return "COST_BASED";
  case ScheduleStrategy::Fast:
    return "FAST";
  case ScheduleStrategy::Default:
    return "DEFAULT";
  }
  return "NONE";
}

std::string LoopSchedule::summarize() const {
  return llvm::formatv("II {0} ({1}), ResMII {2}, RecMII {3}, {4} stage{5}, {6} operations, {7}, by '{8}'",
                       schedule.initiationInterval, isProvenMinimal() ? "proven minimal" : "not proven minimal",
                       problem.getResMII(), problem.getRecMII(), schedule.getNumStages(),
                       schedule.getNumStages() == 1 ? "" : "s", problem.operations.size(), stringifyStrategy(strategy),
                       scheduler)
      .str();
}

const LoopSchedule *ScheduleAnalysis::lookup(Operation *loop) const {
  auto it = loops.find(loop);
  return it == loops.end() ? nullptr : &it->second;
}

namespace {

/// Builds the problem of one loop body. Operations nested in regions count as part of the body operation around them.
class ProblemBuilder {
public:
  ProblemBuilder(scf::ForOp loop, const ChipTarget &target) : loop(loop), target(target), registers(target) {
    for (const MachineUnit &unit : target.machine().units)
      problem.units.push_back({unit.name, unit.capacity});
  }

  FailureOr<ScheduleProblem> build() {
    for (Operation &op : loop.getBody()->without_terminator())
      if (failed(addOperation(&op)))
        return failure();
    addValueDependences();
    addCarriedDependences();
    addEffectDependences();
    addPipelineDependences();
    addWaitDependences();
    return std::move(problem);
  }

private:
  LogicalResult addOperation(Operation *op) {
    ScheduleOperation entry;
    entry.op = op;
    entry.name = llvm::formatv("{0}.{1}", op->getName().stripDialect(), problem.operations.size()).str();
    FailureOr<ScheduleConstraints> constraints = readConstraints(op);
    if (failed(constraints))
      return failure();
    entry.constraints = *constraints;
    for (Value result : op->getResults())
      entry.registers += registers.count(result);
    // Each work needs the result of the one before; copies only wait for each other's units.
    auto produce = dyn_cast<as::ProduceOneOp>(op);
    const bool isCopied = produce && !as::loadsToRegisters(produce.getBody());
    const FailureOr<SmallVector<WorkQuery>> works = getOperationWork(op);
    if (failed(works))
      return failure();
    uint32_t offset = 0;
    for (const WorkQuery &work : *works) {
      FailureOr<Footprint> footprint =
          target.target->getFootprint(work, *target.chip, [&] { return op->emitOpError(); });
      if (failed(footprint))
        return failure();
      for (const UnitUse &use : footprint->uses) {
        std::optional<unsigned> unit = problem.findUnit(use.unit);
        if (!unit)
          return refuseUnit(op, use.unit);
        entry.uses.push_back({*unit, llvm::SaturatingAdd(offset, use.offset), use.duration});
      }
      entry.latency = std::max(entry.latency, llvm::SaturatingAdd(offset, footprint->latency));
      uint32_t busy = footprint->latency;
      if (isCopied && work.kind == WorkKind::GlobalRead) {
        busy = 0;
        for (const UnitUse &use : footprint->uses)
          busy = std::max(busy, llvm::SaturatingAdd(use.offset, use.duration));
      }
      offset = llvm::SaturatingAdd(offset, busy);
    }
    if (produce && readsCoordinates(produce.getBody()))
      mergeUses(entry);
    indices[op] = problem.operations.size();
    problem.operations.push_back(std::move(entry));
    return success();
  }

  /// Tiles of the stage come by copies of engines, whose coordinates are loaded.
  static bool readsCoordinates(Region &producer) {
    return as::loadsToRegisters(producer) &&
           llvm::none_of(producer.getOps<as::CopyOp>(), [](as::CopyOp copy) { return bool(copy.getDestination()); });
  }

  /// Each unit in one go, from the start on. Producers run ahead: while one waits for its coordinates, copies of others
  /// go on, which fixed distances between its uses would keep apart.
  static void mergeUses(ScheduleOperation &entry) {
    llvm::MapVector<unsigned, uint32_t> durations;
    for (const ResourceUse &use : entry.uses)
      durations[use.unit] = llvm::SaturatingAdd(durations[use.unit], use.duration);
    entry.uses.clear();
    for (auto [unit, duration] : durations)
      entry.uses.push_back({unit, /*offset=*/0, duration});
  }

  LogicalResult refuseUnit(Operation *op, StringRef unit) {
    auto names = llvm::map_range(problem.units, [](const ExecutionUnit &known) { return known.name; });
    return op->emitOpError() << "target '" << target.target->getName() << "' gives it a footprint on unit '" << unit
                             << "', which the machine model of " << target.chip->name
                             << " does not have; there is: " << llvm::join(names, ", ");
  }

  std::optional<unsigned> findIndex(Operation *op) {
    Operation *ancestor = op ? loop.getBody()->findAncestorOpInBlock(*op) : nullptr;
    auto it = indices.find(ancestor);
    return it == indices.end() ? std::nullopt : std::optional<unsigned>(it->second);
  }

  void addEdge(unsigned source, unsigned target, uint32_t distance) {
    problem.dependences.push_back({source, target, problem.operations[source].latency, distance});
  }

  /// An iterator has moved on when what moves it on has started.
  void addValueEdge(Value value, unsigned source, Operation *user, uint32_t distance) {
    std::optional<unsigned> target = findIndex(user);
    if (!target)
      return;
    addEdge(source, *target, distance);
    if (isa<as::IteratorType>(value.getType()))
      problem.dependences.back().latency = std::min(problem.dependences.back().latency, 1u);
  }

  void addValueDependences() {
    for (Operation &op : loop.getBody()->without_terminator())
      for (Value result : op.getResults())
        for (Operation *user : result.getUsers())
          addValueEdge(result, indices[&op], user, 0);
  }

  void addCarriedDependences() {
    for (auto [argument, yielded] : llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues())) {
      std::optional<unsigned> source = findIndex(yielded.getDefiningOp());
      if (!source)
        continue;
      for (Operation *user : argument.getUsers())
        addValueEdge(argument, *source, user, 1);
    }
  }

  /// Operations with side effects keep their program order, also from one iteration to the next: without an alias
  /// analysis any two may touch the same memory. Two reads need no order.
  void addEffectDependences() {
    std::optional<unsigned> lastWrite, firstWrite;
    SmallVector<unsigned> readsBeforeFirstWrite, readsSinceLastWrite;
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (isMemoryEffectFree(&op) || isHandshake(&op))
        continue;
      unsigned index = indices[&op];
      if (lastWrite)
        addEdge(*lastWrite, index, 0);
      if (isReadOnly(&op)) {
        (firstWrite ? readsSinceLastWrite : readsBeforeFirstWrite).push_back(index);
        continue;
      }
      for (unsigned read : firstWrite ? readsSinceLastWrite : readsBeforeFirstWrite)
        addEdge(read, index, 0);
      readsSinceLastWrite.clear();
      lastWrite = index;
      firstWrite = firstWrite.value_or(index);
    }
    if (!lastWrite)
      return;
    addEdge(*lastWrite, *firstWrite, 1);
    for (unsigned read : readsBeforeFirstWrite)
      addEdge(*lastWrite, read, 1);
    for (unsigned read : readsSinceLastWrite)
      addEdge(read, *firstWrite, 1);
  }

  /// Beside other accesses to memory, pipelines and tokens alone say what it has to wait for.
  static bool isHandshake(Operation *op) {
    if (isa<as::ConsumerWaitOp, as::ConsumerReleaseOp, as::AsyncFutureWaitOp, as::ProduceOneOp>(op))
      return true;
    auto stage = dyn_cast<as::PipelineRegionOpInterface>(op);
    return stage && llvm::all_of(stage.getPipelineBody().getOps(), [](Operation &nested) {
             return isPure(&nested) || isa<as::AsyncDotOp, as::DotOp, as::AsyncFutureWaitOp, as::CopyOp>(nested);
           });
  }

  /// What is consumed has been produced; what is produced takes the place of what has been released as many iterations
  /// before as the pipeline has stages.
  void addPipelineDependences() {
    for (auto produce : loop.getBody()->getOps<as::ProduceOneOp>())
      for (Operation *user : produce.getPipeline().getUsers()) {
        if (user->getBlock() != loop.getBody() || !isa<as::ConsumeOneOp, as::ConsumerWaitOp>(user))
          continue;
        addEdge(indices[produce], indices[user], 0);
        if (Operation *release = findRelease(user))
          addEdge(indices[release], indices[produce], produce.getPipeline().getType().getStages());
      }
  }

  /// Where the body of the loop gives back the stage that `consumer` has got; null if it does not.
  Operation *findRelease(Operation *consumer) {
    auto wait = dyn_cast<as::ConsumerWaitOp>(consumer);
    if (!wait)
      return consumer;
    Value token = wait.getToken();
    for (bool found = true; found;) {
      found = false;
      for (Operation *user : token.getUsers()) {
        if (isa<as::ConsumerReleaseOp>(user))
          return user->getBlock() == loop.getBody() ? user : nullptr;
        if (auto read = dyn_cast<as::ConsumerReadOp>(user)) {
          token = read.getDone();
          found = true;
        }
      }
    }
    return nullptr;
  }

  /// A stage that asynchronous operations read is released behind the waits for them. Nothing is under way for longer
  /// than it takes to begin the iteration after the next: then there is a point where nothing is.
  void addWaitDependences() {
    std::optional<unsigned> firstStart;
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (!firstStart && llvm::any_of(op.getResultTypes(), llvm::IsaPred<as::AsyncTokenType>))
        firstStart = indices[&op];
      auto wait = dyn_cast<as::AsyncFutureWaitOp>(op);
      if (!wait)
        continue;
      if (auto read = wait.getToken().getDefiningOp<as::ConsumerReadOp>())
        for (Operation *user : read.getDone().getUsers())
          if (isa<as::ConsumerReleaseOp>(user) && user->getBlock() == loop.getBody())
            addEdge(indices[wait], indices[user], 0);
      if (firstStart)
        addEdge(indices[wait], *firstStart, 2);
    }
  }

  static bool isReadOnly(Operation *op) {
    auto effects = getEffectsRecursively(op);
    return effects && llvm::all_of(*effects, [](const MemoryEffects::EffectInstance &effect) {
             return isa<MemoryEffects::Read>(effect.getEffect());
           });
  }

  scf::ForOp loop;
  const ChipTarget &target;
  const as::ValueRegisters registers;
  ScheduleProblem problem;
  DenseMap<Operation *, unsigned> indices;
};

} // namespace

FailureOr<ScheduleProblem> tileiras::buildScheduleProblem(scf::ForOp loop, const ChipTarget &target) {
  return ProblemBuilder(loop, target).build();
}
