//===- LaunchControlOps.h - Taking over tile blocks -------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operations of TileASLaunchControlOps.td: what `tileas-place-launch-control` makes, and its lowering knows.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_LAUNCHCONTROLOPS_H
#define TILEIRAS_DIALECT_TILEAS_LAUNCHCONTROLOPS_H

#include "tileiras/Dialect/TileAS/TileAS.h"

#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAS/TileASLaunchControlOps.h.inc"

#endif // TILEIRAS_DIALECT_TILEAS_LAUNCHCONTROLOPS_H
