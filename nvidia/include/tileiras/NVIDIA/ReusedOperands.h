//===- ReusedOperands.h - Operands that outlive other products ---*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_NVIDIA_REUSEDOPERANDS_H
#define TILEIRAS_NVIDIA_REUSEDOPERANDS_H

namespace mlir {
class Operation;
} // namespace mlir

namespace tileiras {
struct AtomCatalogue;

/// Makes a product of warpgroups in `scope`, whose control flow is branches, read a copy of its operand A in registers
/// (`copies_operand`) where the assembler would give these to another product while they are still in use.
void markReusedOperands(const AtomCatalogue &atoms, mlir::Operation *scope);

} // namespace tileiras

#endif // TILEIRAS_NVIDIA_REUSEDOPERANDS_H
