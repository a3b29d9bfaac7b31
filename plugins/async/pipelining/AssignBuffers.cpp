//===- AssignBuffers.cpp - Memory for the stages of pipelines -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "Remarks.h"
#include "common/HandOff.h"
#include "mlir/IR/Builders.h"
#include "tileiras/Dialect/TileAA/ModuleTarget.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "tileiras/Lowering/SharedBudget.h"
#include "tileiras/Schedule/ScheduleAnalysis.h"
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
    target = findModuleTarget(getOperation(), gpuName);
    pipelines.clear();
    WalkResult walk = getOperation()->walk([&](as::CreatePipelineOp pipeline) {
      if (!pipeline.getBuffers().empty())
        return WalkResult::advance();
      if (!llvm::all_of(pipeline.getType().getPayload(), as::isSharedTensor)) {
        pipeline.emitOpError() << "holds what has no place in shared memory yet; run tileas-assign-load-store-layouts "
                                  "before";
        return WalkResult::interrupt();
      }
      if (failed(verifyLifetime(pipeline)))
        return WalkResult::interrupt();
      pipelines.push_back(pipeline);
      return WalkResult::advance();
    });
    if (walk.wasInterrupted() || failed(shrinkStages()))
      return signalPassFailure();
    for (as::CreatePipelineOp pipeline : pipelines)
      allocate(pipeline, /*hasBarriers=*/!target || !target.chip->features.fillsByGroups());
  }

  /// Where a pipeline begins and ends is to be seen: once in each run of the function.
  LogicalResult verifyLifetime(as::CreatePipelineOp pipeline) {
    if (pipeline->getParentOp() != getOperation())
      return pipeline.emitOpError() << "fails to resolve lifetime: in '" << pipeline->getParentOp()->getName()
                                    << "' it may begin more than once; make it in the entry block of the function";
    for (Operation *user : pipeline->getUsers())
      if (isa<CallOpInterface>(user) || user->hasTrait<OpTrait::ReturnLike>())
        return (pipeline.emitOpError() << "fails to resolve lifetime: others have the pipeline, too")
                   .attachNote(user->getLoc())
               << "it is given away here";
    return success();
  }

  /// As many stages as are of use, or as fit: the pipeline that takes most gives up one after the other.
  bool fitStages(SharedBudget &budget) {
    for (as::CreatePipelineOp pipeline : pipelines)
      stages[pipeline] = getUsefulStages(pipeline);
    auto getBytes = [&](as::CreatePipelineOp pipeline) {
      return stages[pipeline] * getStageBytes(pipeline.getType().getPayload());
    };
    while (true) {
      budget.layOut([&](as::CreatePipelineOp pipeline) { return stages[pipeline]; });
      if (budget.fits())
        return true;
      as::CreatePipelineOp largest;
      for (as::CreatePipelineOp pipeline : pipelines)
        if (stages[pipeline] > 1 && (!largest || getBytes(pipeline) > getBytes(largest)))
          largest = pipeline;
      if (!largest)
        return false;
      --stages[largest];
    }
  }

  /// Threads have the tile of the next iteration in registers while they read a stage, and store it in the other one:
  /// more of them hold nothing.
  bool isFilledFromRegisters(as::CreatePipelineOp pipeline) const {
    auto isStored = [](Operation *producer) {
      auto produce = dyn_cast<as::ProduceOneOp>(producer);
      return produce && !as::startsCopies(produce.getBody());
    };
    auto producers =
        llvm::make_filter_range(pipeline->getUsers(), llvm::IsaPred<as::ProduceOneOp, as::ProduceOneAsyncOp>);
    return target && target.chip->features.fillsByGroups() && !producers.empty() && llvm::all_of(producers, isStored);
  }
  int64_t getUsefulStages(as::CreatePipelineOp pipeline) const {
    const int64_t wanted = pipeline.getType().getStages();
    return isFilledFromRegisters(pipeline) ? std::min<int64_t>(wanted, 2) : wanted;
  }

  /// Threads that all meet for each stage wait together: other CTAs of the multiprocessor multiply meanwhile, which
  /// brings more than stages do, as long as there are two, or another pipeline whose stage is worked on meanwhile, and
  /// registers are no reason why there is no other CTA.
  bool fitsBesideOthers() {
    auto kernel = dyn_cast<aa::FuncOp>(getOperation().getOperation());
    aa::KernelSpecAttr spec = kernel ? kernel.getKernelSpecAttr() : aa::KernelSpecAttr();
    const int64_t ctas = target.tuning().ctasOfGroups;
    const MachineModel &machine = target.machine();
    if (!target.chip->features.fillsByGroups() || !spec || spec.getOccupancy() != 0 ||
        machine.getRegistersPerThread(getExecutionScope(kernel).getNumThreads(), ctas) <
            machine.getRegistersPerThread(kLanesPerWarp, /*ctas=*/1))
      return false;
    SharedBudget budget(getOperation(), target, ctas);
    return fitStages(budget) && llvm::all_of(pipelines, [&](as::CreatePipelineOp pipeline) {
             return stages[pipeline] >= std::min<int64_t>(pipeline.getType().getStages(), 2) || hasNeighbour(pipeline);
           });
  }

  /// Another pipeline is filled in the same loop.
  bool hasNeighbour(as::CreatePipelineOp pipeline) {
    llvm::SmallPtrSet<Operation *, 4> loops;
    for (Operation *user : pipeline->getUsers())
      if (auto produce = dyn_cast<as::ProduceOneOp>(user); produce && isa<LoopLikeOpInterface>(produce->getParentOp()))
        loops.insert(produce->getParentOp());
    return llvm::any_of(pipelines, [&](as::CreatePipelineOp other) {
      return other != pipeline && llvm::any_of(other->getUsers(), [&](Operation *user) {
               return isa<as::ProduceOneOp>(user) && loops.contains(user->getParentOp());
             });
    });
  }

  /// No more stages than fit beside what the function has in shared memory.
  LogicalResult shrinkStages() {
    if (!target || pipelines.empty())
      return success();
    int64_t ctas = fitsBesideOthers() ? target.tuning().ctasOfGroups : getWantedCTAs(getOperation());
    for (;; ctas = 1) {
      SharedBudget budget(getOperation(), target, ctas);
      if (fitStages(budget))
        break;
      if (ctas == 1)
        return getOperation()->emitError() << "fails to assign smem buffer: one stage of each of its pipelines, and "
                                              "its tiles in shared memory, need "
                                           << budget.getTaken() << " bytes of the " << budget.getLimit()
                                           << " that there are; use smaller tiles, or --set pipeline-strategy=none";
      remarkOn(getOperation(), tileiras::Missed::IgnoredHint)
          << llvm::formatv("hint 'occupancy' ignored: tiles in shared memory leave no room for {0} blocks", ctas).str();
    }
    deepen();
    for (as::CreatePipelineOp pipeline : pipelines)
      setStages(pipeline, stages[pipeline], ctas);
    return success();
  }

  /// One stage more for the pipeline with the fewest of those that may have more, again and again: as long as as many
  /// CTAs find room on a multiprocessor, and what threads exchange finds room at once.
  void deepen() {
    const MachineModel &machine = target.machine();
    SharedBudget budget(getOperation(), target, /*ctas=*/1);
    const int64_t whole = machine.sharedMemoryBytes, others = whole - budget.getLimit();
    const int64_t exchanged = countExchangedBytes(getOperation(), target);
    auto countCtas = [&]() -> int64_t {
      budget.layOut([&](as::CreatePipelineOp pipeline) { return stages[pipeline]; });
      const int64_t bytes = budget.getTaken();
      return budget.fits() && bytes + exchanged <= whole ? machine.countResidentCTAs(0, 0, bytes + others) : 0;
    };
    auto isGrowing = [&](as::CreatePipelineOp pipeline) {
      const aa::StageCountsAttr counts = pipeline.getStageCountsAttr();
      return counts && stages[pipeline] < counts.getMost() && !isFilledFromRegisters(pipeline);
    };
    const int64_t ctas = countCtas();
    budget.keepStatic();
    while (ctas != 0) {
      as::CreatePipelineOp next;
      for (as::CreatePipelineOp pipeline : pipelines)
        if (isGrowing(pipeline) && (!next || stages[pipeline] < stages[next]))
          next = pipeline;
      if (!next)
        return;
      ++stages[next];
      if (countCtas() < ctas) {
        --stages[next];
        next.removeStageCountsAttr();
      }
    }
  }

  /// `ctas`: tile blocks that share a multiprocessor.
  void setStages(as::CreatePipelineOp pipeline, int64_t count, int64_t ctas) {
    as::PipelineType type = pipeline.getType();
    pipeline.removeStageCountsAttr();
    if (count < getUsefulStages(pipeline)) {
      remarkOn(pipeline, Missed::PipelineStages)
          << llvm::formatv("{0} of {1} stages fit in shared memory{2}; smaller tiles need less of it", count,
                           type.getStages(),
                           ctas > 1 ? llvm::formatv(" for each of {0} tile blocks", ctas).str() : std::string())
                 .str();
      pipeline.setStageCountsAttr(aa::StageCountsAttr::get(&getContext(), /*wanted=*/type.getStages(), /*most=*/0));
    }
    if (count != type.getStages())
      as::setPipelineType(pipeline, as::PipelineType::get(type.getContext(), count, type.getPayload()));
    remarkOn(pipeline, Analysis::PipelineStages)
        << llvm::formatv("{0} stages of {1} bytes{2}", count, getStageBytes(type.getPayload()),
                         ctas > 1 ? llvm::formatv(", in each of {0} tile blocks", ctas).str() : std::string())
               .str();
  }

  static void allocate(as::CreatePipelineOp pipeline, bool hasBarriers) {
    OpBuilder builder(pipeline);
    Location location = pipeline.getLoc();
    const IntegerAttr stages = builder.getI64IntegerAttr(pipeline.getType().getStages());
    for (Type payload : pipeline.getType().getPayload())
      pipeline.getBuffersMutable().append(
          as::AllocTensorOp::create(builder, location, payload, as::MemoryRangeAttr(), stages).getResult());
    if (hasBarriers)
      pipeline.getBarriersMutable().assign(as::AllocTensorOp::create(builder, location,
                                                                     as::getStageBarriersType(builder.getContext()),
                                                                     as::MemoryRangeAttr(), stages)
                                               .getResult());
  }

  ChipTarget target;
  SmallVector<as::CreatePipelineOp> pipelines;
  llvm::DenseMap<Operation *, int64_t> stages; ///< that they are given
};

} // namespace
} // namespace tileiras::async
