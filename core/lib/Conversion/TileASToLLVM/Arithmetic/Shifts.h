//===- Shifts.h - Shifts by any amount --------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_ARITHMETIC_SHIFTS_H
#define TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_ARITHMETIC_SHIFTS_H

#include "tileiras/Lowering/LoweringContext.h"

namespace tileiras {

/// To PTX's shifts, which clamp their amount.
void populateShiftPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);

} // namespace tileiras

#endif // TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_ARITHMETIC_SHIFTS_H
