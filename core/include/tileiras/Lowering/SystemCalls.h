//===- SystemCalls.h - What the driver provides to device code --*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LOWERING_SYSTEMCALLS_H
#define TILEIRAS_LOWERING_SYSTEMCALLS_H

#include "tileiras/Lowering/Emitter.h"

namespace tileiras {

/// A generic pointer to a C string in constant memory, shared by all of the module of `op` who use it.
mlir::Value emitString(Emitter &emit, mlir::Operation *op, llvm::StringRef text);

/// A function the driver provides to device code, declared in the module of `op`.
mlir::LLVM::LLVMFuncOp getSystemFunction(Emitter &emit, mlir::Operation *op, llvm::StringRef name, mlir::Type result,
                                         llvm::ArrayRef<mlir::Type> arguments);

/// printf of this thread. Arguments are of 32 or 64 bits, as variadic functions take them: at most 32.
void emitPrintf(Emitter &emit, mlir::Operation *op, llvm::StringRef format, mlir::ValueRange arguments);

} // namespace tileiras

#endif // TILEIRAS_LOWERING_SYSTEMCALLS_H
