//===- CoreLowering.cpp - How the core's dialects take part in the lowering -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/TileASToLLVM/Arithmetic/Shifts.h"
#include "Conversion/TileASToLLVM/Pipelines/AsyncLoads.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "tileiras/Dialect/TileAA/Queues.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Lowering/DialectLowering.h"

using namespace mlir;

namespace tileiras {

DialectLowering::~DialectLowering() = default;

namespace {

struct TileASLowering final : DialectLowering {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileASLowering)
  using DialectLowering::DialectLowering;

  /// What is asynchronous has to be replaced by somebody who knows the target, but for pipelines and copies to shared
  /// memory.
  bool hasLowering(Operation *op) const override {
    if (isa<as::CreatePipelineOp, as::CreateIteratorOp, as::IncIterOp, as::SlotOp, as::StageNumberOp, as::ProduceOneOp,
            as::ProduceOneAsyncOp, as::ConsumeOneOp, as::ConsumeOneAsyncOp, as::ProducerAcquireOp, as::ProducerDrainOp,
            as::ProducerWriteOp, as::ProducerCommitOp, as::ConsumerWaitOp, as::ConsumerReadOp, as::ConsumerReleaseOp,
            as::PipelineYieldOp, as::MakeTiledTmaDescOp, as::AsyncTiledTmaLoadOp, as::AsyncTiledTmaStoreOp,
            as::AsyncGatherTmaLoadOp, as::AsyncScatterTmaStoreOp, as::AsyncStoreWaitOp, as::AsyncTiledLoadOp,
            as::AsyncLoadOp, as::AsyncDotOp, as::AsyncWaitOp, as::AsyncFutureWaitOp, as::AsyncToAsyncOp,
            as::AsyncTokenToAsyncOp, as::AsyncExtractSliceOp, as::CreateNoneOp, as::EnterExclusiveOp,
            as::LeaveExclusiveOp>(op))
      return true;
    return !op->getName().stripDialect().starts_with("async.") &&
           !llvm::any_of(op->getResultTypes(), llvm::IsaPred<as::AsyncTokenType>);
  }
  void populateLowering(const LoweringContext &lowering, RewritePatternSet &patterns) const override {
    populatePointerAccessPatterns(lowering, patterns);
    populateViewAccessPatterns(lowering, patterns);
    populateShapePatterns(lowering, patterns);
    populateGeneratePatterns(lowering, patterns);
    populatePragmaPatterns(lowering, patterns);
    populateConvertLayoutPatterns(lowering, patterns);
    populateAtomicPatterns(lowering, patterns);
    populateSlicePatterns(lowering, patterns);
    populateReducePatterns(lowering, patterns);
    populateScanPatterns(lowering, patterns);
    populatePrintPatterns(lowering, patterns);
    populateAssertPatterns(lowering, patterns);
    populateDotPatterns(lowering, patterns);
    populateSharedTensorPatterns(lowering, patterns);
    populateSliceMemoryPatterns(lowering, patterns);
    populatePipelinePatterns(lowering, patterns);
    if (lowering.features().copiesAsynchronously())
      populateAsyncLoadPatterns(lowering, patterns);
    populateExclusiveSectionPatterns(lowering, patterns);
  }
};

/// Of nv_tileaa, what stays when tiles have layouts: see TileAS.h.
struct TileAALowering final : DialectLowering {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileAALowering)
  using DialectLowering::DialectLowering;

  bool hasLowering(Operation *op) const override {
    return (OpTrait::hasElementwiseMappableTraits(op) && !isa<aa::MarkForReuseOp>(op)) ||
           op->hasTrait<aa::StaysInTileAS>();
  }
  void populateLowering(const LoweringContext &lowering, RewritePatternSet &patterns) const override {
    populateElementwisePatterns(lowering, patterns);
    populateShiftPatterns(lowering, patterns);
    populateNumberConversionPatterns(lowering, patterns);
    populateHalfPairPatterns(lowering, patterns);
    populatePackedBytePatterns(lowering, patterns);
    populatePointerPatterns(lowering, patterns);
    populateAllocaPatterns(lowering, patterns);
    populateProgramPatterns(lowering, patterns);
    populatePersistentProgramPatterns(lowering, patterns);
  }
};

/// What upstream says, on the vectors that tiles become; our own patterns come first.
struct ArithLowering final : DialectLowering {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ArithLowering)
  using DialectLowering::DialectLowering;

  void populateLowering(const LoweringContext &lowering, RewritePatternSet &patterns) const override {
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    arith::populateArithToLLVMConversionPatterns(lowering.converter, patterns);
  }
};

struct MathLowering final : DialectLowering {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MathLowering)
  using DialectLowering::DialectLowering;

  void populateLowering(const LoweringContext &lowering, RewritePatternSet &patterns) const override {
    populateMathPatterns(lowering, patterns);
    populateMathToLLVMConversionPatterns(lowering.converter, patterns, /*approximateLog1p=*/false);
  }
};

struct BranchLowering final : DialectLowering {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(BranchLowering)
  using DialectLowering::DialectLowering;

  /// Barriers are placed in structured control flow: branches come later.
  bool hasLowering(Operation *op) const override { return false; }
  void populateLowering(const LoweringContext &lowering, RewritePatternSet &patterns) const override {
    cf::populateControlFlowToLLVMConversionPatterns(lowering.converter, patterns);
  }
};

struct PoisonLowering final : DialectLowering {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PoisonLowering)
  using DialectLowering::DialectLowering;
};

struct ControlFlowLowering final : DialectLowering {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ControlFlowLowering)
  using DialectLowering::DialectLowering;

  /// Those that run one thing after the other; `convert-tileas-control-flow` lowers them.
  bool hasLowering(Operation *op) const override {
    return !isa<scf::ParallelOp, scf::ForallOp, scf::InParallelOp, scf::ReduceOp, scf::ReduceReturnOp>(op);
  }
};

} // namespace

template <typename DialectTy, typename LoweringTy>
static void attach(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, DialectTy *dialect) { dialect->template addInterfaces<LoweringTy>(); });
}

void registerCoreLowering(DialectRegistry &registry) {
  attach<as::TileASDialect, TileASLowering>(registry);
  attach<aa::TileAADialect, TileAALowering>(registry);
  attach<arith::ArithDialect, ArithLowering>(registry);
  attach<math::MathDialect, MathLowering>(registry);
  attach<cf::ControlFlowDialect, BranchLowering>(registry);
  attach<ub::UBDialect, PoisonLowering>(registry);
  attach<scf::SCFDialect, ControlFlowLowering>(registry);
}

} // namespace tileiras
