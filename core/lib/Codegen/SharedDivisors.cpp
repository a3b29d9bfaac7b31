//===- SharedDivisors.cpp - Many quotients of one divisor -----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedDivisors.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <cmath>

namespace tileiras {
namespace {

/// Exponents between which dividends and divisors lie, or dividends are zero. Remainders are exact then: their last
/// bit is 47 binary places below the dividend, and 2^-149 is the least that there is. Quotients and the reciprocal are
/// normal numbers.
constexpr int kLeastDividend = -100, kMostDividend = 100, kLeastDivisor = -24, kMostDivisor = 24;

/// Divisions by one divisor in a block, all of which can wait for the last.
using Group = llvm::SmallVector<llvm::BinaryOperator *>;

bool isDivision(const llvm::Instruction &op) {
  return op.getOpcode() == llvm::Instruction::FDiv && op.getType()->isFloatTy() && !op.hasAllowReciprocal();
}

/// Of at least and at most so many divisions.
llvm::SmallVector<Group> findGroups(llvm::BasicBlock &block, int64_t least, int64_t most) {
  llvm::SmallVector<Group> groups;
  llvm::MapVector<llvm::Value *, Group> open;
  auto close = [&](Group &group) {
    if (int64_t(group.size()) >= least)
      groups.push_back(std::move(group));
    group.clear();
  };
  for (llvm::Instruction &op : block) {
    for (llvm::Value *operand : op.operands())
      if (auto *used = llvm::dyn_cast<llvm::BinaryOperator>(operand); used && isDivision(*used))
        if (auto *found = open.find(used->getOperand(1));
            found != open.end() && llvm::is_contained(found->second, used))
          close(found->second);
    if (!isDivision(op))
      continue;
    Group &group = open[op.getOperand(1)];
    group.push_back(llvm::cast<llvm::BinaryOperator>(&op));
    if (int64_t(group.size()) == most)
      close(group);
  }
  for (auto &[divisor, group] : open)
    close(group);
  return groups;
}

class Rewriter {
public:
  explicit Rewriter(Group &group)
      : group(group), divisor(group.front()->getOperand(1)), builder(group.back()), f32(builder.getFloatTy()) {}

  void run() {
    llvm::Value *isDividendInRange = areDividendsInRange();
    llvm::Value *isInRange = builder.CreateAnd(isDivisorInRange(), isDividendInRange);
    llvm::Instruction *quickEnd, *exactEnd;
    llvm::SplitBlockAndInsertIfThenElse(isInRange, group.back()->getIterator(), &quickEnd, &exactEnd,
                                        llvm::MDBuilder(builder.getContext()).createLikelyBranchWeights());
    llvm::BasicBlock *behind = group.back()->getParent();
    builder.SetInsertPoint(quickEnd);
    llvm::Value *reciprocal = builder.CreateFDiv(llvm::ConstantFP::get(f32, 1), divisor);
    for (llvm::BinaryOperator *division : group) {
      llvm::Value *quotient = divideQuickly(division->getOperand(0), reciprocal);
      auto *either = llvm::PHINode::Create(f32, 2, "", behind->begin());
      division->replaceAllUsesWith(either);
      division->moveBefore(exactEnd->getIterator());
      either->addIncoming(quotient, quickEnd->getParent());
      either->addIncoming(division, exactEnd->getParent());
    }
  }

private:
  /// 2^exponent.
  llvm::Value *getPower(int exponent) { return llvm::ConstantFP::get(f32, std::ldexp(1.0, exponent)); }

  /// Of a positive divisor. By a negative one, the product below would be of the other sign where the dividend is zero.
  llvm::Value *isDivisorInRange() {
    llvm::Value *isBelow = builder.CreateFCmpOLE(divisor, getPower(kMostDivisor));
    return builder.CreateAnd(builder.CreateFCmpOGE(divisor, getPower(kLeastDivisor)), isBelow);
  }

  /// Of zeros, too. With m half the least that may be, and rounding towards zero, |m - |x|| is m where x is zero, less
  /// for what is between, and m or more for the others. NaN is in no extremum, and comes out as NaN.
  llvm::Value *areDividendsInRange() {
    auto magnitude = [&](llvm::Value *value) { return builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value); };
    auto distance = [&](llvm::Value *value) {
      llvm::Value *difference = builder.CreateIntrinsic(
          llvm::Intrinsic::nvvm_add_rz_f, {getPower(kLeastDividend - 1), builder.CreateFNeg(magnitude(value))});
      return magnitude(difference);
    };
    llvm::Value *least = combine(llvm::Intrinsic::minnum, group, distance);
    llvm::Value *greatest = combine(llvm::Intrinsic::maxnum, group, magnitude);
    llvm::Value *areBelow = builder.CreateFCmpULE(greatest, getPower(kMostDividend));
    return builder.CreateAnd(builder.CreateFCmpUGE(least, getPower(kLeastDividend - 1)), areBelow);
  }

  /// What `map` makes of dividends, combined as a tree: none waits for many others, and few are alive.
  llvm::Value *combine(llvm::Intrinsic::ID operation, llvm::ArrayRef<llvm::BinaryOperator *> divisions,
                       llvm::function_ref<llvm::Value *(llvm::Value *)> map) {
    if (divisions.size() == 1)
      return map(divisions.front()->getOperand(0));
    const size_t half = divisions.size() / 2;
    llvm::Value *first = combine(operation, divisions.take_front(half), map);
    return builder.CreateBinaryIntrinsic(operation, first, combine(operation, divisions.drop_front(half), map));
  }

  /// The remainder is that of the product less the dividend, so that it has the sign that makes a zero the dividend's.
  llvm::Value *divideQuickly(llvm::Value *dividend, llvm::Value *reciprocal) {
    auto multiplyAdd = [&](llvm::Value *a, llvm::Value *b, llvm::Value *c) {
      return builder.CreateIntrinsic(llvm::Intrinsic::fma, {f32}, {a, b, c});
    };
    llvm::Value *product = builder.CreateFMul(dividend, reciprocal);
    llvm::Value *remainder = multiplyAdd(divisor, product, builder.CreateFNeg(dividend));
    return multiplyAdd(builder.CreateFNeg(remainder), reciprocal, product);
  }

  Group &group;
  llvm::Value *divisor;
  llvm::IRBuilder<> builder;
  llvm::Type *f32;
};

} // namespace

llvm::PreservedAnalyses SharedDivisorsPass::run(llvm::Function &function, llvm::FunctionAnalysisManager &) {
  llvm::SmallVector<Group> groups;
  for (llvm::BasicBlock &block : function)
    llvm::append_range(groups, findGroups(block, leastSharedQuotients, mostSharedQuotients));
  for (Group &group : groups)
    Rewriter(group).run();
  return groups.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

} // namespace tileiras
