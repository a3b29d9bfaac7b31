//===- ReusedOperands.h - Operands that outlive other products ---*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_NVIDIA_REUSEDOPERANDS_H
#define TILEIRAS_NVIDIA_REUSEDOPERANDS_H

#include "llvm/ADT/StringRef.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace tileiras {
struct AtomCatalogue;

/// Unit attribute of a product of warpgroups that reads a copy of its operand A in registers, made each time in a way
/// that the assembler cannot move: it would give the operand to another product while it is still in use.
inline constexpr llvm::StringLiteral kCopiesOperandAttr = "nv_tileas.copies_operand";

/// Sets it where that is so in `scope`, whose control flow is branches.
void markReusedOperands(const AtomCatalogue &atoms, mlir::Operation *scope);

} // namespace tileiras

#endif // TILEIRAS_NVIDIA_REUSEDOPERANDS_H
