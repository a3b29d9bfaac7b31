//===- KernelProducts.h - MMAs in tensor memory -----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_NVIDIA_TENSORMEMORY_KERNELPRODUCTS_H
#define TILEIRAS_LIB_NVIDIA_TENSORMEMORY_KERNELPRODUCTS_H

#include "ScaleColumns.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "llvm/ADT/SetVector.h"

namespace tileiras {
class LoweringContext;

/// The products of a kernel whose accumulators are in tensor memory.
struct KernelProducts {
  mlir::LLVM::LLVMFuncOp kernel;
  llvm::SmallVector<as::AsyncDotOp> all;  ///< in the order of the program
  llvm::SetVector<mlir::Region *> scopes; ///< the execution scopes that have some
};

/// Finds the products of `kernel` in tensor memory. Those that end with their operation become one that only starts
/// them, and a wait. `scales` gets those that have scales.
KernelProducts openProducts(mlir::LLVM::LLVMFuncOp kernel, const LoweringContext &lowering, ScaleColumns &scales);

} // namespace tileiras

#endif // TILEIRAS_LIB_NVIDIA_TENSORMEMORY_KERNELPRODUCTS_H
