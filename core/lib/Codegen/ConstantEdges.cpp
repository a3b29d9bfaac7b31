//===- ConstantEdges.cpp - Moves on the way that needs them ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConstantEdges.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace tileiras {

static int64_t countConstants(const llvm::BasicBlock &from, const llvm::BasicBlock &to) {
  return llvm::count_if(to.phis(), [&](const llvm::PHINode &phi) {
    const llvm::Value *value = phi.getIncomingValueForBlock(&from);
    return llvm::isa<llvm::ConstantData>(value) && !llvm::isa<llvm::UndefValue>(value);
  });
}

llvm::PreservedAnalyses ConstantEdgesPass::run(llvm::Function &function, llvm::FunctionAnalysisManager &) {
  llvm::SmallVector<std::pair<llvm::Instruction *, unsigned>> edges;
  for (llvm::BasicBlock &block : function) {
    llvm::Instruction *branch = block.getTerminator();
    for (unsigned i = 0; i < branch->getNumSuccessors(); ++i)
      if (llvm::isCriticalEdge(branch, i) && countConstants(block, *branch->getSuccessor(i)) >= leastConstantsOfEdge)
        edges.emplace_back(branch, i);
  }
  for (auto [branch, successor] : edges)
    if (llvm::BasicBlock *block = llvm::SplitCriticalEdge(branch, successor))
      // No instruction, but without it the block would be empty.
      llvm::IRBuilder<>(block->getTerminator()).CreateIntrinsic(llvm::Intrinsic::sideeffect, {});
  return edges.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

} // namespace tileiras
