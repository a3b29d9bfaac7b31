//===- VerifyAtoms.h - Do the atoms of operations fit them ------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CONVERSION_TILEAATOTILEAS_VERIFYATOMS_H
#define TILEIRAS_LIB_CONVERSION_TILEAATOTILEAS_VERIFYATOMS_H

#include "mlir/IR/Operation.h"
#include "tileiras/Target/ContextTargets.h"

namespace tileiras {

/// The atom `op` names, if it has such an attribute, is one that every target has, or one of the chip's that can do
/// this: of the right kind, with a lowering, for these element types and extents. `target` may be empty.
mlir::LogicalResult verifyAtom(mlir::Operation *op, const ChipTarget &target);

} // namespace tileiras

#endif // TILEIRAS_LIB_CONVERSION_TILEAATOTILEAS_VERIFYATOMS_H
