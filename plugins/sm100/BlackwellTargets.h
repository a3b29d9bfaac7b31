//===- BlackwellTargets.h - The Blackwell targets --------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two architectures share a generation: the data-centre chips have tcgen05 and tensor memory, the others have neither.
// Both have warp-level MMA.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_SM100_BLACKWELLTARGETS_H
#define TILEIRAS_PLUGINS_SM100_BLACKWELLTARGETS_H

#include "tileiras/NVIDIA/NvidiaTarget.h"

namespace tileiras::sm100 {

std::vector<ChipInfo> listDataCentre(); ///< sm_100, sm_103, sm_110
ChipDescription describeDataCentre(const ChipInfo &chip);
std::vector<ChipInfo> listConsumer(); ///< sm_120, sm_121
ChipDescription describeConsumer(const ChipInfo &chip);

class BlackwellTarget final : public NvidiaTarget {
public:
  using NvidiaTarget::NvidiaTarget;

  /// Block-scaled products are legal on every chip: what no instruction takes is ordinary arithmetic.
  mlir::FailureOr<MmaCandidates>
  findMmaCandidates(const MmaQuery &query, const ChipInfo &chip,
                    llvm::function_ref<mlir::InFlightDiagnostic()> emitError) const override;
  void populateLowering(const LoweringContext &lowering, mlir::RewritePatternSet &patterns) const override;
};

} // namespace tileiras::sm100

#endif // TILEIRAS_PLUGINS_SM100_BLACKWELLTARGETS_H
