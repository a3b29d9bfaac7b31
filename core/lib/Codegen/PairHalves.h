//===- PairHalves.h - Two halves in a register ------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CODEGEN_PAIRHALVES_H
#define TILEIRAS_LIB_CODEGEN_PAIRHALVES_H

#include "llvm/IR/PassManager.h"

namespace tileiras {

/// Tiles of f16 and bf16 go from block to block as 32-bit integers of two elements each. As single elements each would
/// take a register there, and what makes or reads two of them at once (`cvt.rn.f16x2.f32`, operands of products) would
/// be kept from it by the block's end. So do tiles of bytes that are used as words only.
struct PairHalvesPass : llvm::PassInfoMixin<PairHalvesPass> {
  /// `roundsPairs`: an instruction rounds two numbers.
  explicit PairHalvesPass(bool roundsPairs) : roundsPairs(roundsPairs) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);

private:
  bool roundsPairs;
};

} // namespace tileiras

#endif // TILEIRAS_LIB_CODEGEN_PAIRHALVES_H
