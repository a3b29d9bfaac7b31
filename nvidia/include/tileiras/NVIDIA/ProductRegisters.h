//===- ProductRegisters.h - Registers of products in flight -----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_NVIDIA_PRODUCTREGISTERS_H
#define TILEIRAS_NVIDIA_PRODUCTREGISTERS_H

namespace mlir {
class Operation;
} // namespace mlir

namespace tileiras {

/// From `async.dot` to the wait, hardware writes the registers of a sum: nothing may read them there (PTX ISA,
/// "wgmma.mma_async"; undefined otherwise). Changes `scope`, whose control flow is branches, such that a register
/// allocator needs no copy of a sum there: it waits before a sum would need a second set of registers, and copies
/// complete sums (`copy_registers`) where they would share registers with a product in flight and with others at once.
/// Sums in tensor memory are left alone.
void separateProducts(mlir::Operation *scope);

} // namespace tileiras

#endif // TILEIRAS_NVIDIA_PRODUCTREGISTERS_H
