//===- Queues.h - Queues between agents -------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operations of TileAAQueueOps.td. They are not a part of TileAA.h because most of the compiler has no use for
// them.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_QUEUES_H
#define TILEIRAS_DIALECT_TILEAA_QUEUES_H

#include "tileiras/Dialect/TileAA/Agents.h"
#include "tileiras/Dialect/TileAA/TileAA.h"

namespace tileiras::aa {

namespace detail {
mlir::LogicalResult verifyNonAliasingQueue(mlir::Operation *op);
} // namespace detail

/// The first operand is the result of a `create_queue`.
template <typename ConcreteType>
class FirstOperandIsNonAliasingQueue : public mlir::OpTrait::TraitBase<ConcreteType, FirstOperandIsNonAliasingQueue> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) { return detail::verifyNonAliasingQueue(op); }
};

} // namespace tileiras::aa

#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAA/TileAAQueueOps.h.inc"

#endif // TILEIRAS_DIALECT_TILEAA_QUEUES_H
