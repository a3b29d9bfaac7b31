//===- IRMutator.h - Changes of any IR, valid or not ------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ModuleMutator keeps programs of cuda_tile valid. These changes know no dialect and promise nothing: what they leave
// is text in the generic form, which verifiers must refuse or take, and passes that follow must be able to take.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_IRMUTATOR_H
#define TILEIRAS_FUZZ_IRMUTATOR_H

#include "Random.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SetVector.h"
#include <string>

namespace tileiras::fuzz {

/// What there is to choose from: everything that the inputs have.
struct IRPool {
  llvm::SetVector<mlir::Type> types;
  llvm::SetVector<mlir::Attribute> attributes;
  std::vector<std::string> operations; ///< names

  void add(mlir::ModuleOp module);
  /// Types and attributes that no input has, and with which passes have to reckon.
  void addEdges(mlir::MLIRContext *context);
};

/// The names of all kinds of changes: "operand-of-type", "region-empty", …
llvm::SmallVector<llvm::StringRef> getIRChangeNames();

/// `module` with up to `count` changes, in the generic form; the module itself is changed on the way. `changes` gets
/// the names of what was done.
std::string mutateIR(mlir::ModuleOp module, const IRPool &pool, Random &random, unsigned count,
                     llvm::SmallVectorImpl<llvm::StringRef> &changes);

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_IRMUTATOR_H
