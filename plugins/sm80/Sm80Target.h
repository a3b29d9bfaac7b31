//===- Sm80Target.h - The Ampere and Ada targets ----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_SM80_SM80TARGET_H
#define TILEIRAS_PLUGINS_SM80_SM80TARGET_H

#include "tileiras/NVIDIA/NvidiaTarget.h"

namespace tileiras::sm80 {

class Sm80Target final : public NvidiaTarget {
public:
  Sm80Target();

  mlir::FailureOr<MmaCandidates>
  findMmaCandidates(const MmaQuery &query, const ChipInfo &chip,
                    llvm::function_ref<mlir::InFlightDiagnostic()> emitError) const override;
};

} // namespace tileiras::sm80

#endif // TILEIRAS_PLUGINS_SM80_SM80TARGET_H
