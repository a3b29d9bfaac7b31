//===- Sm90Target.h - The Hopper target -------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_SM90_SM90TARGET_H
#define TILEIRAS_PLUGINS_SM90_SM90TARGET_H

#include "tileiras/NVIDIA/NvidiaTarget.h"

namespace tileiras::sm90 {

/// The atoms of compute capability 9.0.
AtomCatalogue makeAtoms(const ChipFeatures &features);

class Sm90Target final : public NvidiaTarget {
public:
  Sm90Target();

  mlir::FailureOr<MmaCandidates>
  findMmaCandidates(const MmaQuery &query, const ChipInfo &chip,
                    llvm::function_ref<mlir::InFlightDiagnostic()> emitError) const override;
  void populateLowering(const LoweringContext &lowering, mlir::RewritePatternSet &patterns) const override;
};

} // namespace tileiras::sm90

#endif // TILEIRAS_PLUGINS_SM90_SM90TARGET_H
