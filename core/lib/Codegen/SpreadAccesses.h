//===- SpreadAccesses.h - Reads and copies among MMAs -----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CODEGEN_SPREADACCESSES_H
#define TILEIRAS_LIB_CODEGEN_SPREADACCESSES_H

#include "llvm/IR/PassManager.h"
#include "llvm/Support/ModRef.h"

namespace tileiras {

/// What starts a copy and returns before it is over: it reads memory, and what it writes nobody sees before a wait,
/// which is an effect on memory of its own.
inline llvm::MemoryEffects getCopyEffects() {
  return llvm::MemoryEffects::argMemOnly(llvm::ModRefInfo::Ref) | llvm::MemoryEffects::inaccessibleMemOnly();
}

/// Distances in MMAs of one warp.
struct AccessDistances {
  unsigned afterRead;     ///< from a read to the first that needs the fragment, at the least
  unsigned betweenCopies; ///< from a copy to the next one, at the most
};

/// `ldmatrix` and copies (`cp.async`) that are followed by MMAs that do not need them are spread among these: warps
/// that do the same at the same time would all ask shared memory at once, and all compute addresses while no MMA runs.
/// Reads and copies may pass each other, for what a copy writes is read after a wait; each stays where it is with
/// regard to everything else that reads or writes memory.
class SpreadAccessesPass : public llvm::PassInfoMixin<SpreadAccessesPass> {
public:
  explicit SpreadAccessesPass(AccessDistances distances) : distances(distances) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);

private:
  AccessDistances distances;
};

} // namespace tileiras

#endif // TILEIRAS_LIB_CODEGEN_SPREADACCESSES_H
