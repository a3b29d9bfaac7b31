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

namespace tileiras::fuzz {

/// A copy of `module` with a few changes: operands, attributes, types, operations that come, go and move, parts of
/// `donor` (of the same context; may be null). What verifies, verifies afterwards. Null if no change was found.
mlir::OwningOpRef<cuda_tile::ModuleOp> mutateModule(cuda_tile::ModuleOp module, cuda_tile::ModuleOp donor,
                                                    Random &random);

/// A copy of `module` with parts of `donor`; null if none fits.
mlir::OwningOpRef<cuda_tile::ModuleOp> crossModules(cuda_tile::ModuleOp module, cuda_tile::ModuleOp donor,
                                                    Random &random);

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_MODULEMUTATOR_H
