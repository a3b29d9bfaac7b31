//===- RegisterEstimate.h - What a thread of a kernel needs -----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_CONTROL_REGISTERESTIMATE_H
#define TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_CONTROL_REGISTERESTIMATE_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "tileiras/Lowering/LoweringContext.h"

namespace tileiras {

struct RegisterEstimate {
  int64_t needed = 0;              ///< 32-bit registers of a thread
  int64_t limit = 0;               ///< that it can have
  mlir::Operation *peak = nullptr; ///< where they are needed; null in an empty kernel
};

/// Registers that a thread of `kernel` has when it starts.
int64_t getRegisterLimit(const LoweringContext &lowering, mlir::LLVM::LLVMFuncOp kernel);

RegisterEstimate estimateRegisters(const LoweringContext &lowering, mlir::LLVM::LLVMFuncOp kernel);

/// How many CTAs of `kernel` a multiprocessor runs at once, by the estimate.
int64_t countResidentCtas(const LoweringContext &lowering, mlir::LLVM::LLVMFuncOp kernel,
                          const mlir::SymbolTable &symbols);

} // namespace tileiras

#endif // TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_CONTROL_REGISTERESTIMATE_H
