//===- CorePasses.cpp - The passes the core brings along ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Pipeline/CorePasses.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"
#include "tileiras/Conversion/CudaTileToTileAA/CudaTileToTileAA.h"
#include "tileiras/Conversion/TileAAToTileAS/Passes.h"
#include "tileiras/Conversion/TileASToLLVM/Passes.h"
#include "tileiras/NVIDIA/Passes.h"
#include "tileiras/Pipeline/Passes.h"
#include "tileiras/Slicing/Passes.h"

using namespace tileiras;

/// What profiles, tests and experiments use of MLIR. `canonicalize` and `cse` are ours.
static void addUpstreamPasses(std::vector<PassEntry> &passes) {
  auto add = [&](const char *argument, std::function<std::unique_ptr<mlir::Pass>()> create) {
    passes.push_back({.argument = argument, .owner = "core", .create = std::move(create)});
  };
  add("arith-expand", [] { return mlir::arith::createArithExpandOpsPass(); });
  add("arith-int-range-narrowing", [] { return mlir::arith::createArithIntRangeNarrowing(); });
  add("arith-unsigned-when-equivalent", [] { return mlir::arith::createArithUnsignedWhenEquivalentPass(); });
  add("composite-fixed-point-pass", [] { return mlir::createCompositeFixedPointPass(); });
  add("control-flow-sink", mlir::createControlFlowSinkPass);
  add("inline", [] { return mlir::createInlinerPass(); });
  add("int-range-optimizations", [] { return mlir::arith::createIntRangeOptimizationsPass(); });
  add("loop-invariant-code-motion", mlir::createLoopInvariantCodeMotionPass);
  add("mem2reg", [] { return mlir::createMem2Reg(); });
  add("print-ir", [] { return mlir::createPrintIRPass(); });
  add("print-op-stats", [] { return mlir::createPrintOpStatsPass(); });
  add("remove-dead-values", mlir::createRemoveDeadValuesPass);
  add("scf-for-loop-canonicalization", mlir::createSCFForLoopCanonicalizationPass);
  add("scf-for-loop-peeling", [] { return mlir::createSCFForLoopPeeling(); });
  add("scf-for-loop-range-folding", mlir::createForLoopRangeFoldingPass);
  add("scf-for-loop-specialization", mlir::createForLoopSpecializationPass);
  add("scf-for-to-while", mlir::createForToWhileLoopPass);
  add("sccp", mlir::createSCCPPass);
  add("snapshot-op-locations", [] { return mlir::createLocationSnapshot(); });
  add("sroa", mlir::createSROA);
  add("strip-debuginfo", mlir::createStripDebugInfoPass);
  add("symbol-dce", mlir::createSymbolDCEPass);
}

std::vector<PassEntry> tileiras::getCorePasses() {
  const std::vector<std::string> keepsSchedule = {"ScheduleAnalysis"};
  std::vector<PassEntry> passes;
  auto add = [&](std::unique_ptr<mlir::Pass> (*create)(), std::vector<std::string> preserved = {},
                 std::vector<std::string> needsBefore = {}) {
    passes.push_back({.argument = create()->getArgument().str(),
                      .owner = "core",
                      .create = create,
                      .preservedAnalyses = std::move(preserved),
                      .needsBefore = std::move(needsBefore)});
  };
  // One line a pass, in pipeline order.
  add([] { return createConvertCudaTileToTileAA(); });
  add(createInsertDebugScope);
  add([] { return createSliceTiles(); });
  add([] { return createTileAAPackOperands(); });
  add([] { return createConvertTileAAToTileAS(); }, {}, {"convert-cudatile-to-tileaa"});
  add([] { return createTileASStageOperands(); });
  add([] { return createVerifyTileASOps(); });
  add(createConvertNvTileFuncToLLVM);
  add(createTileASResolveTokens);
  add(createTileASAttachTmaDescriptors);
  add(createTileASLegalizeTmemCopy);
  add(createTileASPlaceAccumulators);
  add(createTileASPlaceLaunchControl);
  add(createTileASAllocateMemory);
  add(createTileASGroupCopies);
  add(createTileASPlaceBarriers);
  add(createTileASBudgetRegisters);
  add(createTileASReportLoadsInFlight);
  add(createConvertTileASControlFlow, {}, {"convert-tileaa-to-tileas", "tileas-allocate-memory"});
  add(createConvertTileASToLLVM, {},
      {"convert-tileaa-to-tileas", "tileas-stage-operands", "tileas-legalize-tmem-copy", "convert-nv-tile-func-to-llvm",
       "tileas-resolve-tokens", "tileas-attach-tma-descriptors", "tileas-place-accumulators",
       "tileas-place-launch-control", "tileas-allocate-memory", "tileas-group-copies", "tileas-place-barriers",
       "convert-tileas-control-flow"});
  passes.back().needsAfter = {"tileir-finalize-llvm-kernel"};
  add(createFinalizeLLVMKernel, {}, {"convert-tileas-to-llvm"});
  add(createCanonicalize, keepsSchedule);
  add(createEliminateCommonSubexpressions, keepsSchedule);
  add(createPrintSnapshot, keepsSchedule);
  add([] { return createCheckPassFailures(); }, keepsSchedule);
  addUpstreamPasses(passes);
  return passes;
}
