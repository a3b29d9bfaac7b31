//===- CorePasses.cpp - The passes the core brings along ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Pipeline/CorePasses.h"
#include "tileiras/Conversion/CudaTileToTileAA/CudaTileToTileAA.h"
#include "tileiras/Conversion/TileAAToTileAS/Passes.h"
#include "tileiras/Conversion/TileASToLLVM/Passes.h"
#include "tileiras/Pipeline/Passes.h"
#include "tileiras/Slicing/Passes.h"

using namespace tileiras;

std::vector<PassEntry> tileiras::getCorePasses() {
  const std::vector<std::string> keepsSchedule = {"ScheduleAnalysis"};
  std::vector<PassEntry> passes;
  auto add = [&](std::unique_ptr<mlir::Pass> (*create)(), std::vector<std::string> preserved = {}) {
    passes.push_back({.argument = create()->getArgument().str(),
                      .owner = "core",
                      .create = create,
                      .preservedAnalyses = std::move(preserved)});
  };
  // One line a pass, in pipeline order.
  add([] { return createConvertCudaTileToTileAA(); });
  add(createInsertDebugScope);
  add([] { return createSliceTiles(); });
  add([] { return createConvertTileAAToTileAS(); });
  add([] { return createVerifyTileASOps(); });
  add(createConvertNvTileFuncToLLVM);
  add(createTileASAllocateMemory);
  add(createTileASPlaceBarriers);
  add(createTileASBudgetRegisters);
  add(createConvertTileASControlFlow);
  add(createConvertTileASToLLVM);
  add(createFinalizeLLVMKernel);
  add(createCanonicalize, keepsSchedule);
  add(createEliminateCommonSubexpressions, keepsSchedule);
  add(createPrintSnapshot, keepsSchedule);
  return passes;
}
