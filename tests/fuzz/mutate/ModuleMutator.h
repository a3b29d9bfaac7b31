//===- ModuleMutator.h - Another module that verifies -----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_MODULEMUTATOR_H
#define TILEIRAS_FUZZ_MODULEMUTATOR_H

#include "Random.h"
#include "mlir/IR/OwningOpRef.h"
#include "tileiras/Dialect/CudaTile/CudaTile.h"
#include <functional>

namespace tileiras::fuzz {

/// The names of all kinds of changes: "operand-edge", "wrap-in-for", …
llvm::SmallVector<llvm::StringRef> getChangeNames();

struct MutationOptions {
  unsigned maxChanges = 3;
  /// Whether a module that verifies may be the result; null: any.
  std::function<bool(cuda_tile::ModuleOp)> isWanted;
};

/// A copy of `module` with a few changes: operands, constants, attributes, types, operations and control flow that
/// come, go and move, names, parts of `donor` (of the same context; may be null). What verifies, verifies afterwards.
/// `changes` gets the names of what was done. Null if no change was found.
mlir::OwningOpRef<cuda_tile::ModuleOp> mutateModule(cuda_tile::ModuleOp module, cuda_tile::ModuleOp donor,
                                                    Random &random, const MutationOptions &options = {},
                                                    llvm::SmallVectorImpl<llvm::StringRef> *changes = nullptr);

/// A copy of `module` with parts of `donor`; null if none fits.
mlir::OwningOpRef<cuda_tile::ModuleOp> crossModules(cuda_tile::ModuleOp module, cuda_tile::ModuleOp donor,
                                                    Random &random);

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_MODULEMUTATOR_H
