//===- InsertOCGKnobs.cpp - tileas-insert-OCG-knobs ------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "tileiras/Dialect/TileAA/ModuleTarget.h"
#include "tileiras/Dialect/TileAA/TileAA.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/LaunchControlOps.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Dialect/TileAS/TileAS.h"
#include "tileiras/Lowering/PtxInstruction.h"

using namespace mlir;

namespace tileiras::cluster {
#define GEN_PASS_DEF_TILEASINSERTOCGKNOBS
#include "Passes.h.inc"

namespace {

constexpr llvm::StringLiteral kBusyKnob = ".pragma \"global knob SchedResBusyXU64=1\";\n";

bool isMmaFamily(Operation *op) {
  return isa<as::ProductOpInterface, as::AsyncDotOp>(op);
}

/// Fences, barriers, and arrivals at and waits for them.
bool isFence(Operation *op) {
  return isa<as::BarrierOp, as::ClusterExchangeOp, as::ProxyFenceOp, as::AsyncWaitOp, as::AsyncFutureWaitOp,
             as::AsyncStoreWaitOp, as::ProduceOneOp, as::ConsumeOneOp, as::ProducerAcquireOp, as::ProducerCommitOp,
             as::ConsumerWaitOp, as::ConsumerReleaseOp, as::CommitProductsOp, as::WaitProductsOp,
             as::OpenLaunchControlOp, as::RequestProgramIdOp, as::AwaitProgramIdOp, aa::FenceAliasOp>(op);
}

/// Those that are one instruction already.
bool isFinalFence(Operation *op) {
  return isa<NVVM::BarrierOp, NVVM::Barrier0Op, NVVM::BarrierArriveOp, NVVM::ClusterArriveOp,
             NVVM::ClusterArriveRelaxedOp, NVVM::ClusterWaitOp>(op);
}

LLVM::InlineAsmOp insertPragma(OpBuilder builder, Location location, StringRef pragma) {
  return LLVM::InlineAsmOp::create(builder, location, /*res=*/TypeRange(), /*operands=*/ValueRange(), pragma,
                                   /*constraints=*/"", /*has_side_effects=*/true, /*is_align_stack=*/false,
                                   LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
}

struct TileASInsertOCGKnobs : impl::TileASInsertOCGKnobsBase<TileASInsertOCGKnobs> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileASInsertOCGKnobs)

  void runOnOperation() override {
    getOperation()->walk<WalkOrder::PreOrder>([&](FunctionOpInterface function) {
      if (!function.isExternal())
        insertKnobs(function);
    });
  }

  static void insertKnobs(FunctionOpInterface function) {
    bool hasProduct = false;
    function->walk([&](Operation *op) {
      hasProduct |= isMmaFamily(op);
      // What becomes several instructions has its pragma in front of the fence among them when these are made.
      if (isFence(op))
        insertPragma(OpBuilder(op), op->getLoc(), kFencePragma)
            ->setAttr(as::TileASDialect::FenceCodeAttrHelper::getNameStr(), UnitAttr::get(op->getContext()));
      else if (isFinalFence(op))
        insertPragma(OpBuilder(op), op->getLoc(), kFencePragma);
    });
    if (hasProduct && hasBusyUnit(function))
      insertPragma(OpBuilder::atBlockBegin(&function.getFunctionBody().front()), function.getLoc(), kBusyKnob);
  }

  /// The pragma of kernels with matrix products is written where these leave the other units to the threads.
  static bool hasBusyUnit(FunctionOpInterface function) {
    const ChipTarget target = findModuleTarget(function, /*fallbackChip=*/"");
    return target && target.chip->features.tcgen05;
  }
};

} // namespace
} // namespace tileiras::cluster
