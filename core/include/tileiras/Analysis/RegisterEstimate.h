//===- RegisterEstimate.h - Registers that tiles need -----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_ANALYSIS_REGISTERESTIMATE_H
#define TILEIRAS_ANALYSIS_REGISTERESTIMATE_H

#include "tileiras/Analysis/RegisterPressure.h"
#include "tileiras/Target/ContextTargets.h"
#include <memory>

namespace tileiras::as {

/// 32-bit registers that a thread needs for a program whose tiles have layouts, and where it needs most: those of the
/// tiles and numbers alive, by `measureRegisterPressure`, addresses that loops keep, sums that products make beside
/// their accumulators, and a fixed number for what instructions work with. `target` may be empty.
/// `isTight`: as an assembler arranges itself with few registers, which computes late what is used once.
RegisterPressure estimateRegisters(mlir::Region &body, const ChipTarget &target, bool isTight = false);

/// What single values take of that: nothing where the program only has another name for a value, and where it is made
/// anew for each use.
class ValueRegisters {
public:
  explicit ValueRegisters(const ChipTarget &target);
  int64_t count(mlir::Value value) const;

private:
  std::unique_ptr<PressureModel> model;
};

} // namespace tileiras::as

#endif // TILEIRAS_ANALYSIS_REGISTERESTIMATE_H
