//===- Shifts.h - Shifts by any amount --------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_SHIFTS_H
#define TILEIRAS_DIALECT_TILEAA_SHIFTS_H

#include "tileiras/Dialect/TileAA/TileAA.h"

#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAA/TileAAShiftOps.h.inc"

#endif // TILEIRAS_DIALECT_TILEAA_SHIFTS_H
