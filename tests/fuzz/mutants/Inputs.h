//===- Inputs.h - The programs that are mutated -----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_INPUTS_H
#define TILEIRAS_FUZZ_INPUTS_H

#include "LaunchCase.h"
#include "mlir/IR/OwningOpRef.h"
#include "mutate/ProgramSize.h"

namespace tileiras::fuzz {

/// A program that verifies.
struct Input {
  std::string name; ///< of the file, with "#2" for the second program in it
  mlir::OwningOpRef<cuda_tile::ModuleOp> module;
  LaunchCase launch; ///< without entry: none is known
  ProgramSize size;
};

/// Programs below the folder, or the file itself.
llvm::Expected<std::vector<std::string>> listFiles(llvm::StringRef root);

/// The programs of a file, or of all files below a folder, in the order of their names: text, whose parts `// -----`
/// separates, and bytecode that has no text beside it. A file NAME.json beside a NAME.mlir is its launch, if it is one.
/// What is no program, or has more than `maxElements` to compute, is left out.
llvm::Error loadInputs(llvm::StringRef path, mlir::MLIRContext *context, int64_t maxElements,
                       std::vector<Input> &inputs);

/// Adds a program of text; false if it is none.
bool addInput(std::string name, llvm::StringRef text, LaunchCase launch, mlir::MLIRContext *context,
              std::vector<Input> &inputs);

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_INPUTS_H
