//===- AssignBuffers.cpp - Memory for the stages of pipelines -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "SharedBudget.h"
#include "mlir/IR/Builders.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Lowering/SharedArena.h"
#include "tileiras/Pipeline/Remarks.h"
#include "tileiras/Schedule/ScheduleAnalysis.h"
#include "tileiras/Target/ModuleTarget.h"
#include "llvm/Support/FormatVariadic.h"

namespace tileiras::async {
#define GEN_PASS_DEF_TILEASASSIGNBUFFERS
#include "Passes.h.inc"

using namespace mlir;

namespace {

struct TileASAssignBuffers : impl::TileASAssignBuffersBase<TileASAssignBuffers> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileASAssignBuffers)
  using TileASAssignBuffersBase::TileASAssignBuffersBase;

  void runOnOperation() override {
    markAnalysesPreserved<ScheduleAnalysis>();
    pipelines.clear();
    WalkResult walk = getOperation()->walk([&](as::CreatePipelineOp pipeline) {
      if (!pipeline.getBuffers().empty())
        return WalkResult::advance();
      if (!llvm::all_of(pipeline.getType().getPayload(), as::isSharedTensor)) {
        pipeline.emitOpError() << "holds what has no place in shared memory yet; run tileas-assign-load-store-layouts "
                                  "before";
        return WalkResult::interrupt();
      }
      pipelines.push_back(pipeline);
      return WalkResult::advance();
    });
    if (walk.wasInterrupted() || failed(shrinkStages()))
      return signalPassFailure();
    for (as::CreatePipelineOp pipeline : pipelines)
      allocate(pipeline);
  }

  /// Of each of so many resident blocks, beside tiles that are in use together with the pipelines.
  int64_t getBudget(const MachineModel &machine, int64_t blocks) {
    int64_t budget = getSharedBudget(machine, blocks);
    const ProgramOrder order(getOperation().getFunctionBody());
    getOperation()->walk([&](as::AllocTensorOp tile) {
      const Lifetime lifetime = order.getLifetime(tile.getResult());
      auto meets = [&](as::CreatePipelineOp pipeline) {
        return order.getLifetime(pipeline.getResult()).overlaps(lifetime);
      };
      if (as::isSharedTensor(tile.getType()) && llvm::any_of(pipelines, meets))
        budget -= as::getStageBytes(tile.getType()) * tile.getStages().value_or(1);
    });
    return budget;
  }

  /// As many stages as there are, or as fit: the pipeline that takes most gives up one after the other.
  LogicalResult fitStages(int64_t budget, SmallVectorImpl<int64_t> &stages) {
    stages.clear();
    for (as::CreatePipelineOp pipeline : pipelines)
      stages.push_back(pipeline.getType().getStages());
    auto getBytes = [&](size_t i) { return stages[i] * getPipelineStageBytes(pipelines[i].getType()); };
    auto getTotal = [&] {
      int64_t total = 0;
      for (size_t i = 0; i < pipelines.size(); ++i)
        total += getBytes(i);
      return total;
    };
    while (getTotal() > budget) {
      std::optional<size_t> largest;
      for (size_t i = 0; i < pipelines.size(); ++i)
        if (stages[i] > 1 && (!largest || getBytes(i) > getBytes(*largest)))
          largest = i;
      if (!largest)
        return failure();
      --stages[*largest];
    }
    return success();
  }

  /// No more stages than fit beside what the function has in shared memory.
  LogicalResult shrinkStages() {
    ChipTarget target = findModuleTarget(getOperation(), gpuName);
    if (!target || pipelines.empty())
      return success();
    SmallVector<int64_t> stages;
    int64_t blocks = getWantedBlocks(getOperation());
    while (failed(fitStages(getBudget(target.machine(), blocks), stages))) {
      if (blocks == 1)
        return getOperation()->emitError()
               << "the stages of its pipelines need more than the " << getBudget(target.machine(), 1)
               << " bytes of shared memory that there are; use smaller tiles, or --set pipeline-strategy=none";
      remarkMissed(getOperation(), "IgnoredHint", "hints")
          << llvm::formatv("hint 'occupancy' ignored: tiles in shared memory leave no room for {0} blocks", blocks)
                 .str();
      blocks = 1;
    }
    for (auto [pipeline, count] : llvm::zip_equal(pipelines, stages))
      setStages(pipeline, count);
    return success();
  }

  void setStages(as::CreatePipelineOp pipeline, int64_t count) {
    as::PipelineType type = pipeline.getType();
    if (count < type.getStages()) {
      remarkMissed(pipeline, "PipelineStages", "pipeline")
          << llvm::formatv("{0} of {1} stages fit in shared memory; smaller tiles need less of it", count,
                           type.getStages())
                 .str();
      as::setPipelineType(pipeline, as::PipelineType::get(type.getContext(), count, type.getPayload()));
    }
    remarkAnalysis(pipeline, "PipelineStages", "pipeline")
        << llvm::formatv("{0} stages of {1} bytes", count, getPipelineStageBytes(type)).str();
  }

  void allocate(as::CreatePipelineOp pipeline) {
    OpBuilder builder(pipeline);
    Location location = pipeline.getLoc();
    const IntegerAttr stages = builder.getI64IntegerAttr(pipeline.getType().getStages());
    for (Type payload : pipeline.getType().getPayload())
      pipeline.getBuffersMutable().append(
          as::AllocTensorOp::create(builder, location, payload, as::SlotAttr(), stages).getResult());
    pipeline.getBarriersMutable().assign(
        as::AllocTensorOp::create(builder, location, as::getStageBarriersType(&getContext()), as::SlotAttr(), stages)
            .getResult());
  }

  SmallVector<as::CreatePipelineOp> pipelines;
};

} // namespace
} // namespace tileiras::async
