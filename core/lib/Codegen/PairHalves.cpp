//===- PairHalves.cpp - Two halves in a register --------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PairHalves.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace tileiras {

/// The vector of pairs for a vector of halves; null for other types.
static FixedVectorType *getPairs(Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  if (!vector || vector->getNumElements() % 2 != 0 || !vector->getElementType()->is16bitFPTy())
    return nullptr;
  return FixedVectorType::get(Type::getInt32Ty(type->getContext()), vector->getNumElements() / 2);
}

static void pair(PHINode &phi, FixedVectorType *type) {
  auto *pairs = PHINode::Create(type, phi.getNumIncomingValues(), phi.getName(), phi.getIterator());
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    BasicBlock *block = phi.getIncomingBlock(i);
    // A block that comes twice brings the same value twice.
    Value *value = i > 0 && pairs->getBasicBlockIndex(block) >= 0
                       ? pairs->getIncomingValueForBlock(block)
                       : IRBuilder<>(block->getTerminator()).CreateBitCast(phi.getIncomingValue(i), type);
    pairs->addIncoming(value, block);
  }
  BasicBlock *block = phi.getParent();
  IRBuilder<> builder(block, block->getFirstInsertionPt());
  phi.replaceAllUsesWith(builder.CreateBitCast(pairs, phi.getType()));
  phi.eraseFromParent();
}

/// Rounds two elements at once. Scalars would be rounded apart where one of the vectors that come together is constant.
static void roundPairs(FPTruncInst &round, unsigned count) {
  IRBuilder<> builder(&round);
  const Intrinsic::ID id =
      round.getType()->getScalarType()->isHalfTy() ? Intrinsic::nvvm_ff2f16x2_rn : Intrinsic::nvvm_ff2bf16x2_rn;
  SmallVector<Value *> pairs;
  for (unsigned i = 0; i < count; ++i) {
    Value *low = builder.CreateExtractElement(round.getOperand(0), uint64_t(2 * i));
    Value *high = builder.CreateExtractElement(round.getOperand(0), uint64_t(2 * i + 1));
    pairs.push_back(builder.CreateIntrinsic(id, {high, low}));
  }
  round.replaceAllUsesWith(concatenateVectors(builder, pairs));
  round.eraseFromParent();
}

PreservedAnalyses PairHalvesPass::run(Function &function, FunctionAnalysisManager &) {
  for (BasicBlock &block : function)
    for (PHINode &phi : make_early_inc_range(block.phis()))
      if (FixedVectorType *type = getPairs(phi.getType()))
        pair(phi, type);
  for (Instruction &op : make_early_inc_range(instructions(function)))
    if (auto *round = dyn_cast<FPTruncInst>(&op); round && round->getSrcTy()->getScalarType()->isFloatTy())
      if (FixedVectorType *type = getPairs(round->getType()))
        roundPairs(*round, type->getNumElements());
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace tileiras
