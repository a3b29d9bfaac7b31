//===- CombiningBody.h - The bodies of reductions and scans -----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_COMBININGBODY_H
#define TILEIRAS_DIALECT_COMBININGBODY_H

#include "mlir/IR/Region.h"

namespace tileiras {

/// The operation that does all that the body does with operand `index`: it combines the operand's two elements, and
/// their order does not matter. Null if the body is not of that kind.
mlir::Operation *findCommutativeOperation(mlir::Region &body, unsigned index);

/// Whether combining in any order is known to be as good: one commutative operation for each operand.
bool isCommutative(mlir::Region &body);

} // namespace tileiras

#endif // TILEIRAS_DIALECT_COMBININGBODY_H
