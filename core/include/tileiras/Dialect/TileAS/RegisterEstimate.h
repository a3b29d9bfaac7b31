//===- RegisterEstimate.h - Registers that tiles need -----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_REGISTERESTIMATE_H
#define TILEIRAS_DIALECT_TILEAS_REGISTERESTIMATE_H

#include "tileiras/Analysis/RegisterPressure.h"

namespace tileiras::as {

/// 32-bit registers that a thread needs for a program whose tiles have layouts, and where it needs most: those of the
/// tiles alive, by `measureRegisterPressure`, and a fixed number for addresses and indices.
RegisterPressure estimateRegisters(mlir::Region &body);

} // namespace tileiras::as

#endif // TILEIRAS_DIALECT_TILEAS_REGISTERESTIMATE_H
