//===- BlackwellTargets.h - The Blackwell targets --------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two architectures share a generation: the data-centre chips have tcgen05 and tensor memory, the others have neither
// and keep warp-level MMA.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_SM100_BLACKWELLTARGETS_H
#define TILEIRAS_PLUGINS_SM100_BLACKWELLTARGETS_H

#include "tileiras/Target/Target.h"

namespace tileiras::sm100 {

/// Facts that differ between the two.
struct BlackwellDescription {
  std::string name;
  std::vector<ChipInfo> chips;
  AtomCatalogue atoms;
  MachineModel machine;
};

BlackwellDescription describeDataCentre(); ///< sm_100, sm_103, sm_110
BlackwellDescription describeConsumer();   ///< sm_120, sm_121

/// A target whose chips, atoms and machine are known, but whose lowering is not written yet.
class BlackwellTarget : public Target {
public:
  explicit BlackwellTarget(BlackwellDescription description) : description(std::move(description)) {}

  llvm::StringRef getName() const override { return description.name; }
  llvm::ArrayRef<ChipInfo> chips() const override { return description.chips; }
  const AtomCatalogue &atoms() const override { return description.atoms; }
  const MachineModel &machine() const override { return description.machine; }
  mlir::FailureOr<const MmaAtom *> verifyMma(const MmaQuery &query,
                                             llvm::function_ref<mlir::InFlightDiagnostic()> emitError) const override;
  std::optional<std::string> getUnsupportedReason() const override;

private:
  BlackwellDescription description;
};

} // namespace tileiras::sm100

#endif // TILEIRAS_PLUGINS_SM100_BLACKWELLTARGETS_H
