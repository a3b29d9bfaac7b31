//===- NvidiaTarget.cpp - What NVIDIA's GPUs have in common ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/NVIDIA/NvidiaTarget.h"
#include "Patterns.h"
#include "tileiras/Lowering/LoweringContext.h"
#include "tileiras/NVIDIA/ProductRegisters.h"
#include "tileiras/NVIDIA/ReusedOperands.h"

using namespace mlir;

namespace tileiras {

void NvidiaTarget::populateLowering(const LoweringContext &lowering, RewritePatternSet &patterns) const {
  populateClusterExchangePatterns(lowering, patterns);
  if (lowering.features().clusterlaunchcontrol)
    populateLaunchControlPatterns(lowering, patterns);
  if (!lowering.features().tma)
    return;
  populateRowCopyPatterns(lowering, patterns);
  populateTensorCopyPatterns(lowering, patterns);
  populateTensorMapPatterns(lowering, patterns);
}

void NvidiaTarget::prepareLowering(const LoweringContext &lowering, ModuleOp module) const {
  separateProducts(module);
  markReusedOperands(lowering.atoms(), module);
}

} // namespace tileiras
