//===- AgentWarps.cpp - Warps and registers of agents ---------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AgentWarps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tileiras::async {

/// The most that `setmaxnreg` gives a thread (PTX ISA).
static constexpr int64_t kMostRegisters = 240;

/// How many registers each thread of the producer needs because threads fill stages; 0 where none are.
static int64_t getFillingRegisters(aa::FuncOp kernel, const TuningModel &tuning) {
  int64_t registers = 0;
  kernel.walk([&](as::CreatePipelineOp pipeline) {
    const as::ProducerKind kind = as::getProducerKind(pipeline);
    if (kind != as::ProducerKind::Tma)
      registers =
          std::max(registers, kind == as::ProducerKind::AsyncCopy ? tuning.copierRegisters : tuning.loaderRegisters);
  });
  return registers;
}

static int64_t getEngineRegisters(aa::FuncOp kernel, const TuningModel &tuning) {
  const bool plans = kernel
                         .walk([](Operation *op) {
                           const bool makesMaps =
                               isa<as::MakeTiledTmaDescOp>(op) && op->getParentOfType<LoopLikeOpInterface>();
                           return WalkResult(failure(makesMaps || isa<as::CancelNextProgramIdOp>(op)));
                         })
                         .wasInterrupted();
  return plans ? tuning.plannerRegisters : tuning.producerRegisters;
}

int64_t countBytesOfThreads(as::CreatePipelineOp pipeline) {
  int64_t bytes = 0;
  for (as::PipelineRegionOpInterface stage : as::getStageBodies(pipeline))
    stage.getPipelineBody().walk([&](Operation *op) {
      llvm::TypeSwitch<Operation *>(op).Case<as::AsyncTiledLoadOp, as::AsyncLoadOp>(
          [&](auto load) { bytes += as::getStageBytes(load.getDestination().getType()); });
    });
  return bytes;
}

static bool startsTensorCopies(as::CreatePipelineOp pipeline) {
  return llvm::any_of(as::getStageBodies(pipeline), [](as::PipelineRegionOpInterface stage) {
    return stage.getPipelineBody()
        .walk([](Operation *op) {
          return WalkResult(failure(isa<as::AsyncTiledTmaLoadOp, as::AsyncGatherTmaLoadOp>(op)));
        })
        .wasInterrupted();
  });
}

bool isFilledByOneWarp(as::CreatePipelineOp pipeline, const TuningModel &tuning) {
  const as::ProducerKind kind = as::getProducerKind(pipeline);
  return kind == as::ProducerKind::Tma || (kind == as::ProducerKind::AsyncCopy && startsTensorCopies(pipeline) &&
                                           countBytesOfThreads(pipeline) <= tuning.mostBytesOfCopyingWarp);
}

static bool isFilledByOneWarp(aa::FuncOp kernel, const TuningModel &tuning) {
  auto isFilled = [&](as::CreatePipelineOp pipeline) {
    return WalkResult(success(isFilledByOneWarp(pipeline, tuning)));
  };
  return !kernel.walk(isFilled).wasInterrupted();
}

AgentWarps planAgentWarps(aa::FuncOp kernel, const ChipTarget &target, int32_t products, int64_t least) {
  const aa::KernelSpecAttr spec = kernel.getKernelSpecAttr();
  const MachineModel &machine = target.machine();
  const TuningModel &tuning = target.tuning();
  const int32_t warps = spec.getNumWarps(), group = machine.warpGranularity;
  const bool isWhole = warps % group == 0;
  AgentWarps agents;
  const int64_t filling = getFillingRegisters(kernel, tuning);
  agents.copying = isFilledByOneWarp(kernel, tuning) ? 1 : std::min(warps, group);
  const int32_t others = agents.copying + products, behind = isWhole ? llvm::alignTo(others, group) : others;
  agents.total = warps + behind;
  agents.atLaunch = machine.getRegistersPerThread(agents.total * kLanesPerWarp, std::max(spec.getOccupancy(), 1u));
  agents.producer = agents.compute = agents.atLaunch;
  const int64_t producer =
      llvm::alignTo(std::max({filling, getEngineRegisters(kernel, tuning), least}), machine.registerAllocationUnit);
  if (isWhole && target.chip->features.setmaxnreg && agents.atLaunch > producer && agents.atLaunch < kMostRegisters) {
    const int64_t left = (agents.atLaunch * agents.total - producer * behind) / warps;
    agents.producer = producer;
    agents.compute = std::min<int64_t>(llvm::alignDown(left, machine.registerAllocationUnit), kMostRegisters);
    agents.isTransferred = true;
  }
  return agents;
}

} // namespace tileiras::async
