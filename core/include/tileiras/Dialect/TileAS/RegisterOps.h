//===- RegisterOps.h - Which registers hold what --------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_REGISTEROPS_H
#define TILEIRAS_DIALECT_TILEAS_REGISTEROPS_H

#include "tileiras/Dialect/TileAS/TileAS.h"

#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAS/TileASRegisterOps.h.inc"

#endif // TILEIRAS_DIALECT_TILEAS_REGISTEROPS_H
