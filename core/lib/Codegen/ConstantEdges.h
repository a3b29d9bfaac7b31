//===- ConstantEdges.h - Moves on the way that needs them -------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CODEGEN_CONSTANTEDGES_H
#define TILEIRAS_LIB_CODEGEN_CONSTANTEDGES_H

#include "llvm/IR/PassManager.h"

namespace tileiras {

/// Behind a loop over K an accumulator is what the loop left, or zero if it had no trip. The back end moves constants
/// into the registers of phis before the branch, where all come by: 128 instructions that hardly anybody needs. Where
/// an edge brings several it gets a block of its own, which the back end does not take away.
struct ConstantEdgesPass : llvm::PassInfoMixin<ConstantEdgesPass> {
  explicit ConstantEdgesPass(int64_t leastConstantsOfEdge) : leastConstantsOfEdge(leastConstantsOfEdge) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

  int64_t leastConstantsOfEdge; ///< of TuningModel
};

} // namespace tileiras

#endif // TILEIRAS_LIB_CODEGEN_CONSTANTEDGES_H
