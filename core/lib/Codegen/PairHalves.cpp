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

namespace tileiras {

/// The vector of pairs for a vector of halves; null for other types.
static llvm::FixedVectorType *getPairs(llvm::Type *type) {
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  if (!vector || vector->getNumElements() % 2 != 0 || !vector->getElementType()->is16bitFPTy())
    return nullptr;
  return llvm::FixedVectorType::get(llvm::Type::getInt32Ty(type->getContext()), vector->getNumElements() / 2);
}

/// Whether `phi`, and those that it comes to, are used as `words` only.
static bool isForWords(llvm::PHINode &phi, llvm::Type *words, llvm::SmallPtrSetImpl<llvm::PHINode *> &seen) {
  return !seen.insert(&phi).second || llvm::all_of(phi.users(), [&](llvm::User *user) {
    auto *other = llvm::dyn_cast<llvm::PHINode>(user);
    return other ? isForWords(*other, words, seen) : llvm::isa<llvm::BitCastInst>(user) && user->getType() == words;
  });
}

/// The words that a vector of bytes is for: a fragment. Null for other vectors, and those whose bytes are used.
static llvm::FixedVectorType *getWords(llvm::PHINode &phi) {
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(phi.getType());
  if (!vector || vector->getNumElements() % 4 != 0 || !vector->getElementType()->isIntegerTy(8))
    return nullptr;
  auto *words = llvm::FixedVectorType::get(llvm::Type::getInt32Ty(phi.getContext()), vector->getNumElements() / 4);
  llvm::SmallPtrSet<llvm::PHINode *, 4> seen;
  return isForWords(phi, words, seen) ? words : nullptr;
}

static void pair(llvm::PHINode &phi, llvm::FixedVectorType *type) {
  auto *pairs = llvm::PHINode::Create(type, phi.getNumIncomingValues(), phi.getName(), phi.getIterator());
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    llvm::BasicBlock *block = phi.getIncomingBlock(i);
    // A block that comes twice brings the same value twice.
    llvm::Value *value = i > 0 && pairs->getBasicBlockIndex(block) >= 0
                             ? pairs->getIncomingValueForBlock(block)
                             : llvm::IRBuilder<>(block->getTerminator()).CreateBitCast(phi.getIncomingValue(i), type);
    pairs->addIncoming(value, block);
  }
  llvm::BasicBlock *block = phi.getParent();
  llvm::IRBuilder<> builder(block, block->getFirstInsertionPt());
  phi.replaceAllUsesWith(builder.CreateBitCast(pairs, phi.getType()));
  phi.eraseFromParent();
}

/// Rounds two elements at once. Scalars would be rounded apart where one of the vectors that come together is constant.
static void roundPairs(llvm::FPTruncInst &round, unsigned count) {
  llvm::IRBuilder<> builder(&round);
  const llvm::Intrinsic::ID id = round.getType()->getScalarType()->isHalfTy() ? llvm::Intrinsic::nvvm_ff2f16x2_rn
                                                                              : llvm::Intrinsic::nvvm_ff2bf16x2_rn;
  llvm::SmallVector<llvm::Value *> pairs;
  for (unsigned i = 0; i < count; ++i) {
    llvm::Value *low = builder.CreateExtractElement(round.getOperand(0), uint64_t(2 * i));
    llvm::Value *high = builder.CreateExtractElement(round.getOperand(0), uint64_t(2 * i + 1));
    pairs.push_back(builder.CreateIntrinsic(id, {high, low}));
  }
  round.replaceAllUsesWith(llvm::concatenateVectors(builder, pairs));
  round.eraseFromParent();
}

llvm::PreservedAnalyses PairHalvesPass::run(llvm::Function &function, llvm::FunctionAnalysisManager &) {
  llvm::SmallVector<std::pair<llvm::PHINode *, llvm::FixedVectorType *>> paired;
  for (llvm::BasicBlock &block : function)
    for (llvm::PHINode &phi : block.phis())
      if (llvm::FixedVectorType *type = getPairs(phi.getType()); type || (type = getWords(phi)))
        paired.emplace_back(&phi, type);
  for (auto [phi, type] : paired)
    pair(*phi, type);
  for (llvm::Instruction &op : llvm::make_early_inc_range(llvm::instructions(function)))
    if (auto *round = llvm::dyn_cast<llvm::FPTruncInst>(&op);
        roundsPairs && round && round->getSrcTy()->getScalarType()->isFloatTy())
      if (llvm::FixedVectorType *type = getPairs(round->getType()))
        roundPairs(*round, type->getNumElements());
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

} // namespace tileiras
