//===- SpreadReads.cpp - Reads of fragments among MMAs --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpreadReads.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

namespace tileiras {
namespace {

bool isRead(const llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  switch (call ? call->getIntrinsicID() : llvm::Intrinsic::not_intrinsic) {
  case llvm::Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x1_b16:
  case llvm::Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x1_trans_b16:
  case llvm::Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x2_b16:
  case llvm::Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x2_trans_b16:
  case llvm::Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x4_b16:
  case llvm::Intrinsic::nvvm_ldmatrix_sync_aligned_m8n8_x4_trans_b16:
    return true;
  default:
    return false;
  }
}

/// What stays where it is without having to do with memory is what a warp does together in registers: MMAs, which take
/// longer than all else of this kind.
bool isMma(const llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  auto *assembly = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
  return assembly && assembly->hasSideEffects() && call->isConvergent() &&
         llvm::none_of(assembly->ParseConstraints(), [](const llvm::InlineAsm::ConstraintInfo &constraint) {
           return constraint.Type == llvm::InlineAsm::isClobber;
         });
}

/// Part of a block in which only fragments are read.
class Segment {
public:
  Segment(llvm::BasicBlock::iterator begin, llvm::BasicBlock::iterator end) {
    for (llvm::Instruction &instruction : llvm::make_range(begin, end)) {
      mmasBefore[&instruction] = mmas.size();
      if (isMma(instruction))
        mmas.push_back(&instruction);
      if (isRead(instruction))
        reads.push_back(&instruction);
    }
  }

  /// Reads that no MMA is between are one group.
  bool spread(unsigned distance) {
    bool hasChanged = false;
    for (auto group = reads.begin(); group != reads.end();) {
      auto isLater = [&](llvm::Instruction *read) { return mmasBefore.at(read) != mmasBefore.at(*group); };
      auto end = std::find_if(group, reads.end(), isLater);
      hasChanged |= spreadGroup(llvm::ArrayRef(&*group, end - group), distance);
      group = end;
    }
    return hasChanged;
  }

private:
  /// How many MMAs there are before something needs what `read` gives, which nothing does in this part: all of them.
  unsigned findFirstUse(llvm::Instruction *read) const {
    unsigned first = mmas.size();
    for (llvm::User *user : read->users()) {
      auto *instruction = llvm::cast<llvm::Instruction>(user);
      if (auto known = mmasBefore.find(instruction); known != mmasBefore.end())
        first = std::min(first, llvm::isa<llvm::ExtractValueInst>(user) ? findFirstUse(instruction) : known->second);
    }
    return first;
  }

  bool spreadGroup(llvm::ArrayRef<llvm::Instruction *> group, unsigned distance) {
    const unsigned begin = mmasBefore.at(group.front());
    llvm::SmallVector<llvm::Instruction *> late;
    unsigned last = mmas.size();
    for (llvm::Instruction *read : group) {
      const unsigned use = findFirstUse(read);
      if (use <= begin + distance)
        continue;
      late.push_back(read);
      last = std::min(last, use - (use == mmas.size() ? 0 : distance));
    }
    for (auto [number, read] : llvm::enumerate(late))
      move(read, begin + (number + 1) * (last - begin) / (late.size() + 1));
    return !late.empty();
  }

  /// To before MMA number `place`, with what takes its result apart.
  void move(llvm::Instruction *read, unsigned place) {
    if (place <= mmasBefore.at(read) || place >= mmas.size())
      return;
    read->moveBefore(mmas[place]->getIterator());
    llvm::Instruction *after = read;
    for (llvm::User *user : read->users()) {
      auto *part = llvm::dyn_cast<llvm::ExtractValueInst>(user);
      auto known = part ? mmasBefore.find(part) : mmasBefore.end();
      if (known == mmasBefore.end() || known->second > place)
        continue;
      part->moveAfter(after);
      after = part;
    }
  }

  llvm::SmallVector<llvm::Instruction *> mmas, reads;
  llvm::DenseMap<llvm::Instruction *, unsigned> mmasBefore;
};

} // namespace

llvm::PreservedAnalyses SpreadReadsPass::run(llvm::Function &function, llvm::FunctionAnalysisManager &) {
  bool hasChanged = false;
  for (llvm::BasicBlock &block : function) {
    auto begin = block.getFirstNonPHIIt();
    for (auto end = begin;; ++end) {
      const bool isOver = end == block.end() || end->isTerminator();
      if (!isOver && (isRead(*end) || isMma(*end) || !end->mayReadOrWriteMemory()))
        continue;
      hasChanged |= Segment(begin, end).spread(distance);
      if (isOver)
        break;
      begin = std::next(end);
    }
  }
  return hasChanged ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace tileiras
