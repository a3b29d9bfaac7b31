//===- BarrierOps.h - Where threads wait ------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operations of TileASBarrierOps.td: what patterns of the lowering make, and `convert-tileas-to-llvm` makes PTX of.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_BARRIEROPS_H
#define TILEIRAS_DIALECT_TILEAS_BARRIEROPS_H

#include "tileiras/Dialect/TileAS/TileAS.h"

namespace tileiras::as {

/// Patterns leave the operation: the last step of `convert-tileas-to-llvm` makes PTX of it.
template <typename ConcreteType>
class EmittedLast : public mlir::OpTrait::TraitBase<ConcreteType, EmittedLast> {};

} // namespace tileiras::as

#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAS/TileASBarrierOps.h.inc"

#endif // TILEIRAS_DIALECT_TILEAS_BARRIEROPS_H
