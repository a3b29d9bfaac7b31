//===- SpreadAccesses.cpp - Reads and copies among MMAs -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpreadAccesses.h"
#include "llvm/Analysis/ValueTracking.h"
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

bool isCopy(const llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call && call->isInlineAsm() && call->getMemoryEffects() == getCopyEffects();
}

using AccessGroup = llvm::ArrayRef<llvm::Instruction *>;

/// Part of a block in which fragments are read and copies start, and no other access to memory is.
class Segment {
public:
  Segment(llvm::BasicBlock::iterator begin, llvm::BasicBlock::iterator end) {
    for (llvm::Instruction &instruction : llvm::make_range(begin, end)) {
      mmasBefore[&instruction] = mmas.size();
      if (isMma(instruction))
        mmas.push_back(&instruction);
      if (isRead(instruction))
        reads.push_back(&instruction);
      if (isCopy(instruction))
        copies.push_back(&instruction);
    }
  }

  bool spread(AccessDistances distances) {
    bool hasChanged = false;
    forEachGroup(reads, [&](AccessGroup group) { hasChanged |= spreadReads(group, distances.afterRead); });
    forEachGroup(copies, [&](AccessGroup group) { hasChanged |= spreadCopies(group, distances.betweenCopies); });
    return hasChanged;
  }

private:
  /// Accesses that no MMA is between are one group.
  void forEachGroup(AccessGroup accesses, llvm::function_ref<void(AccessGroup)> visit) const {
    while (!accesses.empty()) {
      auto isLater = [&](llvm::Instruction *other) { return mmasBefore.at(other) != mmasBefore.at(accesses.front()); };
      const size_t size = llvm::find_if(accesses, isLater) - accesses.begin();
      visit(accesses.take_front(size));
      accesses = accesses.drop_front(size);
    }
  }

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

  /// A read, and the number of MMAs after which it has to stand at the latest.
  struct LateRead {
    llvm::Instruction *read;
    unsigned deadline;
  };

  bool spreadReads(AccessGroup group, unsigned distance) {
    unsigned place = mmasBefore.at(group.front());
    llvm::SmallVector<LateRead> late;
    for (llvm::Instruction *read : group)
      if (const unsigned use = findFirstUse(read); use > place + distance)
        late.push_back({read, use - (use == mmas.size() ? 0 : distance)});
    if (late.empty())
      return false;
    llvm::stable_sort(late, [](const LateRead &a, const LateRead &b) { return a.deadline < b.deadline; });
    for (llvm::ArrayRef<LateRead> rest = late; !rest.empty();) {
      const size_t size = findTightest(rest, place);
      const unsigned room = rest[size - 1].deadline - place;
      for (auto [number, next] : llvm::enumerate(rest.take_front(size)))
        move(next.read, place + (number + 1) * room / (size + 1));
      place += room;
      rest = rest.drop_front(size);
    }
    return true;
  }

  /// How many of the first of `reads` have the least room for each from `begin` on, up to the deadline of the last.
  static size_t findTightest(llvm::ArrayRef<LateRead> reads, unsigned begin) {
    size_t tightest = 1;
    for (size_t size = 2; size <= reads.size(); ++size)
      if ((reads[size - 1].deadline - begin) * tightest <= (reads[tightest - 1].deadline - begin) * size)
        tightest = size;
    return tightest;
  }

  /// The first stays; what only the others need follows them.
  bool spreadCopies(AccessGroup group, unsigned distance) {
    const unsigned begin = mmasBefore.at(group.front());
    const unsigned between = std::min<unsigned>(distance, (mmas.size() - begin) / group.size());
    if (between == 0 || group.size() == 1)
      return false;
    for (auto [number, copy] : llvm::enumerate(group.drop_front()))
      copy->moveBefore(mmas[begin + (number + 1) * between]->getIterator());
    // From the last to the first: what computes an address follows what needs it.
    for (llvm::Instruction *copy : llvm::reverse(group.drop_front()))
      sinkOperands(copy, mmas[begin]);
    return true;
  }

  /// What `user` alone needs after `first`, and was computed in registers before it.
  static void sinkOperands(llvm::Instruction *user, llvm::Instruction *first) {
    for (llvm::Value *operand : user->operands()) {
      auto *computed = llvm::dyn_cast<llvm::Instruction>(operand);
      if (!computed || computed->getParent() != first->getParent() || !computed->comesBefore(first) ||
          llvm::isa<llvm::PHINode>(computed) || !llvm::isSafeToSpeculativelyExecute(computed))
        continue;
      auto isBeforeUser = [&](llvm::User *other) {
        auto *instruction = llvm::cast<llvm::Instruction>(other);
        return instruction->getParent() == user->getParent() && !llvm::isa<llvm::PHINode>(instruction) &&
               instruction->comesBefore(user);
      };
      if (llvm::any_of(computed->users(), isBeforeUser))
        continue;
      computed->moveBefore(user->getIterator());
      sinkOperands(computed, first);
    }
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

  llvm::SmallVector<llvm::Instruction *> mmas, reads, copies;
  llvm::DenseMap<llvm::Instruction *, unsigned> mmasBefore;
};

} // namespace

llvm::PreservedAnalyses SpreadAccessesPass::run(llvm::Function &function, llvm::FunctionAnalysisManager &) {
  bool hasChanged = false;
  for (llvm::BasicBlock &block : function) {
    auto begin = block.getFirstNonPHIIt();
    for (auto end = begin;; ++end) {
      const bool isOver = end == block.end() || end->isTerminator();
      if (!isOver && (isRead(*end) || isCopy(*end) || isMma(*end) || !end->mayReadOrWriteMemory()))
        continue;
      hasChanged |= Segment(begin, end).spread(distances);
      if (isOver)
        break;
      begin = std::next(end);
    }
  }
  return hasChanged ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace tileiras
