//===- Sm75Target.h - The Turing target ----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_SM75_SM75TARGET_H
#define TILEIRAS_PLUGINS_SM75_SM75TARGET_H

#include "tileiras/NVIDIA/NvidiaTarget.h"

namespace tileiras::sm75 {

class Sm75Target final : public NvidiaTarget {
public:
  Sm75Target();

  mlir::FailureOr<MmaCandidates>
  findMmaCandidates(const MmaQuery &query, const ChipInfo &chip,
                    llvm::function_ref<mlir::InFlightDiagnostic()> emitError) const override;
};

} // namespace tileiras::sm75

#endif // TILEIRAS_PLUGINS_SM75_SM75TARGET_H
