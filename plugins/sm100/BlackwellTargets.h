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

#include "tileiras/Target/Target.h"

namespace tileiras::sm100 {

std::vector<ChipDescription> describeDataCentre(); ///< sm_100, sm_103, sm_110
std::vector<ChipDescription> describeConsumer();   ///< sm_120, sm_121

/// A target whose chips, atoms and machine are known, but whose lowering is not written yet.
class BlackwellTarget final : public DescribedTarget {
public:
  using DescribedTarget::DescribedTarget;
  std::optional<std::string> getUnsupportedReason() const override;
};

} // namespace tileiras::sm100

#endif // TILEIRAS_PLUGINS_SM100_BLACKWELLTARGETS_H
