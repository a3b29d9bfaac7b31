//===- Sm90Target.h - The Hopper target -------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_SM90_SM90TARGET_H
#define TILEIRAS_PLUGINS_SM90_SM90TARGET_H

#include "tileiras/Target/Target.h"

namespace tileiras::sm90 {

/// The atoms of compute capability 9.0 whose lowering exists.
AtomCatalogue makeAtoms();

class Sm90Target final : public Target {
public:
  Sm90Target();

  llvm::StringRef getName() const override { return "sm90"; }
  llvm::ArrayRef<ChipInfo> chips() const override { return chip; }
  const AtomCatalogue &atoms() const override { return catalogue; }
  const MachineModel &machine() const override { return model; }
  mlir::FailureOr<const MmaAtom *> verifyMma(const MmaQuery &query,
                                             llvm::function_ref<mlir::InFlightDiagnostic()> emitError) const override;

private:
  ChipInfo chip;
  AtomCatalogue catalogue;
  MachineModel model;
};

} // namespace tileiras::sm90

#endif // TILEIRAS_PLUGINS_SM90_SM90TARGET_H
