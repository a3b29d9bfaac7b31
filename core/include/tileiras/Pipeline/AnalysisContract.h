//===- AnalysisContract.h - Analyses that passes hand on --------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pass that publishes an analysis and a later one that consumes it rely on everything in between keeping it valid: a
// silent recomputation would give the consumer another result than the one earlier remarks spoke of. What passes
// declare (PassEntry) is checked when the pipeline is built; what they do is checked while it runs.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PIPELINE_ANALYSISCONTRACT_H
#define TILEIRAS_PIPELINE_ANALYSISCONTRACT_H

#include "mlir/Pass/PassInstrumentation.h"
#include "tileiras/Pipeline/Pipeline.h"

namespace tileiras {

/// A pass of a pipeline. An analysis lives as long as the run of neighbouring groups on one anchor that its producer is
/// in: MLIR makes one group of them, and forgets the analyses of their operations at its end.
struct PlacedPass {
  const PassEntry *entry;
  Origin origin;
  std::string anchor; ///< what it runs on
  unsigned group;     ///< number of that run; 0: the pipeline itself
};

/// Checks the declarations along `passes`, in the order they run.
llvm::Error checkAnalysisContract(llvm::ArrayRef<PlacedPass> passes);

/// Checks what passes declare of their order (PassEntry::mustPrecede, mustFollow).
llvm::Error checkPassOrder(llvm::ArrayRef<PlacedPass> passes);

/// Watches a run: a pass that finds an analysis gone that another pass has published for the same operation fails.
std::unique_ptr<mlir::PassInstrumentation> createAnalysisContractInstrumentation(const Registry &registry);

} // namespace tileiras

#endif // TILEIRAS_PIPELINE_ANALYSISCONTRACT_H
