//===- BlackwellTargets.cpp - The Blackwell targets -----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlackwellTargets.h"
#include "Tcgen05.h"
#include "tileiras/Lowering/LoweringContext.h"

using namespace tileiras;
using namespace tileiras::sm100;

mlir::FailureOr<MmaCandidates>
BlackwellTarget::findMmaCandidates(const MmaQuery &query, const ChipInfo &chip,
                                   llvm::function_ref<mlir::InFlightDiagnostic()> emitError) const {
  if (!query.isBlockScaled())
    return DescribedTarget::findMmaCandidates(query, chip, emitError);
  MmaCandidates candidates;
  for (const MmaAtom &atom : atoms(chip).mma)
    if (fits(atom, query))
      candidates.push_back({&atom, getMmaCost(atom, query)});
  candidates.emplace_back();
  return candidates;
}

void BlackwellTarget::populateLowering(const LoweringContext &lowering, mlir::RewritePatternSet &patterns) const {
  NvidiaTarget::populateLowering(lowering, patterns);
  if (lowering.features().tcgen05)
    populateTensorMemoryPatterns(lowering, patterns);
}
