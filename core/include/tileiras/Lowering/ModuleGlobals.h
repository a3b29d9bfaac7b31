//===- ModuleGlobals.h - What the lowering adds to a module -----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declarations of functions come first in a module, then constants, the last one in front. So that what is looked for
// is found there, and not among all symbols of a module with thousands.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LOWERING_MODULEGLOBALS_H
#define TILEIRAS_LOWERING_MODULEGLOBALS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace tileiras {

/// The function `name` of the module, which is declared if there is none.
mlir::LLVM::LLVMFuncOp getDeclaration(mlir::OpBuilder &builder, mlir::ModuleOp module, llvm::StringRef name,
                                      mlir::LLVM::LLVMFunctionType type);

/// `text` and a zero byte in global memory: one constant for those of the last texts that are equal.
mlir::LLVM::GlobalOp getString(mlir::OpBuilder &builder, mlir::Location location, mlir::ModuleOp module,
                               llvm::StringRef text);

/// The values in global memory, aligned for vectors of 16 bytes.
mlir::LLVM::GlobalOp addTable(mlir::OpBuilder &builder, mlir::Location location, mlir::ModuleOp module,
                              mlir::DenseElementsAttr values);

} // namespace tileiras

#endif // TILEIRAS_LOWERING_MODULEGLOBALS_H
