//===- Bounds.h - How far a conforming result may be off --------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations whose results the specification does not fix to the bit give each element a bound (Tile::bounds). Bounds
// then go through the program: an elementwise operation is executed again at the corners of what its operands may be,
// which is exact for functions that are monotone in each operand and of first order for others. Decisions are covered:
// a comparison that can go either way gives an uncertain i1, a select by it an element as uncertain as its choices
// differ. Branches and addresses are not: they are taken as computed.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_INTERPRETER_LIB_BOUNDS_H
#define TILEIRAS_INTERPRETER_LIB_BOUNDS_H

#include "Evaluation.h"

namespace tileiras::interpreter {

/// Gives the results of `op`, which has just been executed, their bounds.
void propagateBounds(mlir::Operation *op, const OperationEntry &entry, Evaluation &evaluation);

/// Adds what another order of a reduction of `extent` elements (`inner` apart) can change.
void addReductionBounds(mlir::Block &body, const Tile &operand, size_t extent, size_t inner, Tile &result);
/// The same for the prefixes of a scan.
void addScanBounds(mlir::Block &body, const Tile &operand, size_t extent, size_t inner, bool reverse, Tile &result);

} // namespace tileiras::interpreter

#endif // TILEIRAS_INTERPRETER_LIB_BOUNDS_H
