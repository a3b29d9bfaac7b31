//===- TopBitShifts.cpp - Shifts of the lowest bit to the top -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TopBitShifts.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm::PatternMatch;

namespace tileiras {

llvm::PreservedAnalyses TopBitShiftsPass::run(llvm::Function &function, llvm::FunctionAnalysisManager &) {
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (match(&instruction, m_Shl(m_Value(), m_SpecificInt(instruction.getType()->getScalarSizeInBits() - 1))))
      instruction.setHasNoSignedWrap(false);
  return llvm::PreservedAnalyses::all();
}

} // namespace tileiras
