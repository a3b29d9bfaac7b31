//===- PipelineAliases.cpp - Pipelines under several names ----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PipelineAliases.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"

using namespace mlir;

namespace tileiras::async {

static LogicalResult refuse(Operation *op, const Twine &reason) {
  InFlightDiagnostic diagnostic = op->emitError("Alias is not expected here.");
  diagnostic.attachNote() << reason;
  return failure();
}

static bool givesPipeline(Operation *op) {
  auto isPipeline = [](Type type) { return isa<as::PipelineType>(type); };
  return (!isa<as::CreatePipelineOp>(op) && llvm::any_of(op->getResultTypes(), isPipeline)) ||
         llvm::any_of(op->getRegions(),
                      [&](Region &region) { return llvm::any_of(region.getArgumentTypes(), isPipeline); });
}

LogicalResult verifyNoPipelineAliases(Operation *function) {
  llvm::DenseMap<Value, as::CreatePipelineOp> owners;
  for (Region &region : function->getRegions()) {
    WalkResult walk = region.walk([&](Operation *op) {
      if (givesPipeline(op))
        return WalkResult(refuse(op, "a pipeline gets a second name here; use the one of 'create_pipeline', and hand "
                                     "iterators round instead"));
      if (auto create = dyn_cast<as::CreatePipelineOp>(op))
        for (Value buffer : create.getBuffers())
          if (auto [owner, isNew] = owners.try_emplace(buffer, create); !isNew)
            return WalkResult(refuse(create, "another pipeline has stages in the same memory; give each its own, as "
                                             "tileas-assign-buffers does"));
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return failure();
  }
  return success();
}

} // namespace tileiras::async
