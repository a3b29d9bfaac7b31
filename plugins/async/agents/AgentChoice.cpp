//===- AgentChoice.cpp - Whether agents win -------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AgentChoice.h"
#include "common/AgentWarps.h"
#include "common/ConsumerSteps.h"
#include "common/SchedulePressure.h"
#include "mlir/Transforms/RegionUtils.h"
#include "tileiras/Analysis/FutureAccumulators.h"
#include "tileiras/Analysis/RegisterEstimate.h"
#include "tileiras/Diagnostics/Remarks.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Dialect/TileAS/ScaledProducts.h"
#include "tileiras/Dialect/TileAS/TensorMemory.h"
#include "tileiras/Lowering/SharedBudget.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tileiras::async {

/// What a `cp.async` of a warp copies at most: 16 bytes for each lane.
static constexpr int64_t kBytesOfCopy = 512;

namespace {

/// What the decision is about: the loops in which stages are filled, and what is around them.
struct PipelinedLoops {
  int64_t toFill = 0;               ///< cycles that the producer needs for a stage
  int64_t cycles = 0;               ///< of the busiest unit in an iteration, in the loop where these are most
  int64_t stages = INT64_MAX;       ///< of the shortest pipeline
  std::optional<int64_t> trips = 0; ///< of the longest loop; none where that is known when the kernel runs
  bool isNested = false;            ///< iterations of a loop around follow each other
};

LoopLikeOpInterface getLoopAround(Operation *op) {
  return op->getParentOfType<LoopLikeOpInterface>();
}

int64_t countCyclesToFill(as::CreatePipelineOp pipeline, int64_t warps, const TuningModel &tuning) {
  const as::ProducerKind kind = as::getProducerKind(pipeline);
  if (kind == as::ProducerKind::Tma)
    return tuning.cyclesToFillStage;
  const bool areHeld = kind == as::ProducerKind::Registers;
  const int64_t bytes = areHeld ? getStageBytes(pipeline.getType().getPayload()) : countBytesOfThreads(pipeline);
  return tuning.cyclesToFillStage + (areHeld ? tuning.cyclesToLoadStage : 0) +
         llvm::divideCeil(bytes, warps * kBytesOfCopy) * tuning.cyclesToStartCopy;
}

/// `copying`: warps that fill stages.
PipelinedLoops findLoops(aa::FuncOp function, const ScheduleAnalysis &schedules, int64_t copying,
                         const TuningModel &tuning) {
  PipelinedLoops found;
  function->walk([&](as::CreatePipelineOp create) {
    found.stages = std::min<int64_t>(found.stages, create.getType().getStages());
    found.toFill = std::max(found.toFill, countCyclesToFill(create, copying, tuning));
  });
  function->walk([&](as::ProduceOneOp produce) {
    LoopLikeOpInterface loop = getLoopAround(produce);
    if (!loop)
      return;
    found.isNested |= bool(getLoopAround(loop));
    if (const LoopSchedule *schedule = schedules.lookup(loop))
      found.cycles = std::max<int64_t>(found.cycles, schedule->problem.getResMII());
    std::optional<APInt> trips = loop.getStaticTripCount();
    if (!trips)
      found.trips.reset();
    else if (found.trips)
      found.trips = std::max<int64_t>(*found.trips, trips->getLimitedValue(INT64_MAX));
  });
  return found;
}

/// Of a thread, where others fill stages.
int64_t countComputeRegisters(aa::FuncOp function, const ChipTarget &target) {
  OwningOpRef<aa::FuncOp> copy = function.clone();
  copy->walk([](as::ProduceOneOp produce) {
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(produce.getBody().front())))
      if (op.use_empty() && !op.hasTrait<OpTrait::IsTerminator>())
        op.erase();
  });
  IRRewriter rewriter(function.getContext());
  (void)runRegionDCE(rewriter, copy->getBody());
  return as::estimateRegisters(copy->getBody(), target).cost;
}

/// The same, when loops follow their schedules.
int64_t countRegisters(aa::FuncOp function, const ScheduleAnalysis &schedules, const ChipTarget &target) {
  int64_t registers = countComputeRegisters(function, target);
  for (auto &[loop, schedule] : schedules.getLoops())
    if (hasOpenConsumers(loop))
      registers = std::max(registers, estimateScheduledRegisters(cast<scf::ForOp>(loop), schedule, target).needed);
  return registers;
}

int64_t countRingBytes(aa::FuncOp function) {
  int64_t bytes = 0;
  function->walk([&](as::AllocTensorOp tile) {
    if (tile.getStages())
      bytes += getTileBytes(tile);
  });
  return bytes;
}

/// Blocks of the function on a multiprocessor, as far as columns of tensor memory go, when every product's sums and
/// operands there have their own.
int64_t countBlocksInTensorMemory(aa::FuncOp function, const ChipTarget &target) {
  const AtomCatalogue &atoms = target.atoms();
  int64_t columns = 0;
  function->walk([&](as::AsyncDotOp product) {
    if (!as::sumsInTensorMemory(&atoms, product.getAtom()))
      return;
    columns += as::countTensorMemoryColumns(product.getC().getType()) +
               as::countScaleColumns(product) * as::countScaleSets(product);
    if (as::takesOperandInTensorMemory(&atoms, product))
      columns += as::countTensorMemoryColumns(product.getA().getType());
  });
  if (columns == 0)
    return INT64_MAX;
  const int64_t taken = llvm::PowerOf2Ceil(std::max(columns, IsaLimits::kLeastTensorMemoryColumns));
  return std::max<int64_t>(target.machine().tensorMemoryColumns / taken, 1);
}

} // namespace

void relaxOccupancy(aa::FuncOp function, const ScheduleAnalysis &schedules, const ChipTarget &target) {
  const aa::KernelSpecAttr spec = function.getKernelSpecAttr();
  if (spec.getOccupancy() <= 1)
    return;
  const int64_t needed = countRegisters(function, schedules, target), left = planAgentWarps(function, target).compute;
  unsigned blocks = spec.getOccupancy();
  while (blocks > 1 && planAgentWarps(function, target).compute < needed)
    function.setKernelSpecAttr(
        aa::KernelSpecAttr::get(function.getContext(), spec.getNumWarps(), spec.getNumCtas(), --blocks));
  if (blocks == spec.getOccupancy())
    return;
  remarkOn(function, tileiras::Missed::IgnoredHint)
      << llvm::formatv("hint 'occupancy' = {0} leaves a thread that computes {1} registers beside a producer's warps, "
                       "and its tiles need about {2}: {3} block(s) are resident on a multiprocessor; smaller tiles "
                       "need fewer",
                       spec.getOccupancy(), left, needed, blocks)
             .str();
}

AgentChoice chooseAgents(aa::FuncOp function, const ScheduleAnalysis &schedules, const ChipTarget &target) {
  const MachineModel &machine = target.machine();
  const aa::KernelSpecAttr spec = function.getKernelSpecAttr();
  const AgentWarps agents = planAgentWarps(function, target);
  const PipelinedLoops loops = findLoops(function, schedules, agents.copying, target.tuning());
  const int64_t registers = countRegisters(function, schedules, target), bytes = countRingBytes(function);
  const int64_t inTensorMemory = countBlocksInTensorMemory(function, target);
  auto countCTAs = [&](int64_t warps, int64_t perThread) {
    return std::min<int64_t>(
        inTensorMemory,
        machine.countResidentCTAs(warps, std::min<int64_t>(perThread, machine.maxRegistersPerThread), bytes));
  };
  const int64_t together = countCTAs(spec.getNumWarps(), registers);
  const int64_t apart = countCTAs(agents.total, agents.isTransferred ? agents.atLaunch : registers);

  auto refuse = [](auto &&...text) { return AgentChoice{false, llvm::formatv(text...).str()}; };
  if (loops.stages < 2)
    return refuse("a pipeline has one stage");
  if (!loops.isNested && loops.trips && *loops.trips <= loops.stages)
    return refuse("all of the {0} iterations fit in {1} stages", *loops.trips, loops.stages);
  if (!loops.isNested && spec.getNumWarps() < 2 * machine.warpGranularity)
    return refuse("{0} warps compute, which wait for nobody but themselves", spec.getNumWarps());
  if (loops.cycles < loops.toFill)
    return refuse("an iteration has {0} cycles of work, a producer needs {1} for a stage", loops.cycles, loops.toFill);
  if (registers > agents.compute)
    return refuse("tiles need {0} registers a thread, compute warps have {1}", registers, agents.compute);
  if (apart < together)
    return refuse("{0} blocks run on a multiprocessor at once, {1} with a producer's warps", together, apart);
  return {true,
          llvm::formatv("an iteration has {0} cycles of work, {1} stages run ahead, tiles need {2} registers of {3}",
                        loops.cycles, loops.stages, registers, agents.compute)};
}

} // namespace tileiras::async
