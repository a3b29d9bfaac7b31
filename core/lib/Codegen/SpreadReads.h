//===- SpreadReads.h - Reads of fragments among MMAs ------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CODEGEN_SPREADREADS_H
#define TILEIRAS_LIB_CODEGEN_SPREADREADS_H

#include "llvm/IR/PassManager.h"

namespace tileiras {

/// `ldmatrix` that are followed by MMAs that do not need them are spread among these, so that warps that do the same at
/// the same time do not all ask shared memory at once. Each stays at least `distance` MMAs before the first that needs
/// it, and where it is with regard to everything else that reads or writes memory.
class SpreadReadsPass : public llvm::PassInfoMixin<SpreadReadsPass> {
public:
  explicit SpreadReadsPass(unsigned distance) : distance(distance) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);

private:
  unsigned distance;
};

} // namespace tileiras

#endif // TILEIRAS_LIB_CODEGEN_SPREADREADS_H
