//===- AccumulatorBarriers.cpp - Who is waited for alone ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccumulatorBarriers.h"
#include "PendingProducts.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Dialect/TileAS/CarriedValues.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "tileiras/Lowering/LoweringContext.h"

using namespace mlir;

namespace tileiras {

/// The outermost loop around `op` in its scope; null if there is none.
static Operation *findOuterLoop(Operation *op) {
  Operation *loop = nullptr;
  Region *scope = getScopeRegion(op);
  for (Operation *around = op->getParentOp(); around && scope->isAncestor(around->getParentRegion());
       around = around->getParentOp())
    if (isa<LoopLikeOpInterface>(around))
      loop = around;
  return loop;
}

static bool isWritten(Value memory, Operation *loop) {
  return llvm::any_of(memory.getUsers(), [&](Operation *user) {
    if (isa<ViewLikeOpInterface>(user))
      return isWritten(user->getResult(0), loop);
    return loop->isAncestor(user) && !isa<as::AsyncDotOp>(user);
  });
}

/// A stage of a pipeline is filled again when it has been released, which comes behind the products that read it.
static bool isLeftAlone(Value operand, Operation *loop) {
  if (!as::isSharedTensor(operand.getType()))
    return true;
  operand = as::skipViews(operand);
  if (auto argument = dyn_cast<BlockArgument>(operand))
    return as::isRead(argument.getOwner()->getParentOp());
  return operand.getDefiningOp<as::AllocTensorOp>() && !isWritten(operand, loop);
}

AccumulatorBarriers::AccumulatorBarriers(const AccumulatorWebs &all, ArrayRef<as::AsyncDotOp> products,
                                         unsigned firstNumber)
    : firstNumber(firstNumber) {
  llvm::DenseSet<unsigned> others;
  for (as::AsyncDotOp product : products) {
    if (!all.contains(product.getResult()))
      continue;
    const unsigned web = all.getNumber(product.getResult());
    Operation *loop = findOuterLoop(product);
    webs[web].products.push_back(product);
    const bool isOfScope = getScopeRegion(product) == getScopeRegion(webs[web].products.front());
    const bool isAlone = !loop || (isLeftAlone(product.getA(), loop) && isLeftAlone(product.getB(), loop));
    if (product.getCtaPair() || !product.getToken() || !isOfScope || !isAlone) // Those with scales have no token.
      others.insert(web);
  }
  webs.remove_if([&](const auto &web) { return others.contains(web.first); });
  for (auto [index, web] : llvm::enumerate(webs))
    web.second.number = firstNumber + index;
}

Value createParity(OpBuilder &builder, Location location, int32_t first) {
  auto constant = [&](int32_t value) {
    return LLVM::ConstantOp::create(builder, location, builder.getI32Type(), builder.getI32IntegerAttr(value));
  };
  Value parity = LLVM::AllocaOp::create(builder, location, LLVM::LLVMPointerType::get(builder.getContext()),
                                        builder.getI32Type(), constant(1));
  LLVM::StoreOp::create(builder, location, constant(first), parity);
  return parity;
}

void AccumulatorBarriers::createPhases(OpBuilder &builder, Location location) {
  for (auto &[number, web] : webs)
    web.phase = createParity(builder, location, /*first=*/1);
}

void AccumulatorBarriers::commitProducts(Value barriers) {
  for (auto &[number, web] : webs)
    for (as::AsyncDotOp product : web.products) {
      OpBuilder builder(product->getContext());
      builder.setInsertionPointAfter(product);
      as::CommitAccumulatorOp::create(builder, product.getLoc(), barriers, web.phase, web.number);
    }
}

/// `op` uses shared memory, but by products and by handing over stages.
static bool usesMemory(Operation *op, const LoweringContext &lowering) {
  return op
      ->walk([&](Operation *inner) {
        const bool isShared = !isa<as::AsyncDotOp, ViewLikeOpInterface>(inner) &&
                              llvm::any_of(inner->getOperandTypes(), as::isSharedTensor);
        return WalkResult(failure(isShared || lowering.getScratchBytes(inner) != 0));
      })
      .wasInterrupted();
}

/// Products follow in the block of `op`, and up to the last of them nobody uses memory that products of other warps may
/// still read: who waits for that last one waits for all.
static bool leadsToProducts(Operation *op, const LoweringContext &lowering) {
  bool leads = false, isLeftAlone = true;
  for (; op; op = op->getNextNode()) {
    isLeftAlone &= !usesMemory(op, lowering);
    if (startsProducts(op)) {
      if (!isLeftAlone)
        return false;
      leads = true;
    }
  }
  return leads;
}

bool AccumulatorBarriers::emitWait(OpBuilder &builder, Location location, unsigned web, Value barriers,
                                   const LoweringContext &lowering) const {
  auto it = webs.find(web);
  Operation *next = &*builder.getInsertionPoint();
  if (it == webs.end() || (!findOuterLoop(next) && !leadsToProducts(next, lowering)))
    return false;
  as::WaitAccumulatorOp::create(builder, location, barriers, it->second.phase, it->second.number);
  return true;
}

namespace {

/// What a part of the program makes of a commit that is pending before it, or is not: whether one is after it, and
/// whether a commit may follow another one without a wait in between.
struct CommitEffect {
  bool isPending[2] = {false, true}, isAmbiguous[2] = {false, false};

  CommitEffect then(const CommitEffect &next) const {
    CommitEffect both;
    for (bool before : {false, true}) {
      both.isPending[before] = next.isPending[isPending[before]];
      both.isAmbiguous[before] = isAmbiguous[before] || next.isAmbiguous[isPending[before]];
    }
    return both;
  }
  CommitEffect orElse(const CommitEffect &other) const {
    CommitEffect either;
    for (bool before : {false, true}) {
      either.isPending[before] = isPending[before] || other.isPending[before];
      either.isAmbiguous[before] = isAmbiguous[before] || other.isAmbiguous[before];
    }
    return either;
  }
};

/// Finds the effects of all barriers in one walk.
class CommitWalk {
public:
  /// By number; nothing for those that are not used.
  using Effects = llvm::SmallDenseMap<uint32_t, CommitEffect, 4>;

  llvm::DenseSet<uint32_t> waitedFor;

  Effects visit(Region &region) {
    Effects effects;
    for (Operation &op : region.getOps())
      append(effects, visit(&op));
    return effects;
  }

private:
  static void append(Effects &effects, const Effects &next) {
    for (const auto &[number, effect] : next)
      effects[number] = effects[number].then(effect);
  }

  Effects visit(Operation *op) {
    if (auto commit = dyn_cast<as::CommitAccumulatorOp>(op))
      return {{commit.getScope(), CommitEffect{{true, true}, {false, true}}}};
    if (auto wait = dyn_cast<as::WaitAccumulatorOp>(op)) {
      waitedFor.insert(wait.getScope());
      return {{wait.getScope(), CommitEffect{{false, false}, {false, false}}}};
    }
    if (op->getNumRegions() == 0)
      return Effects();
    if (isa<scf::IfOp>(op))
      return visitBranches(op);
    Effects all;
    for (Region &region : op->getRegions())
      append(all, visit(region));
    // A loop may run again, or not at all.
    if (isa<LoopLikeOpInterface>(op))
      for (auto &[number, effect] : all)
        effect = effect.orElse(effect.then(effect)).orElse(CommitEffect());
    return all;
  }

  Effects visitBranches(Operation *op) {
    const Effects branches[] = {visit(op->getRegion(0)), visit(op->getRegion(1))};
    Effects either;
    for (const Effects &branch : branches)
      for (uint32_t number : llvm::make_first_range(branch))
        either[number] = branches[0].lookup(number).orElse(branches[1].lookup(number));
    return either;
  }
};

} // namespace

unsigned AccumulatorBarriers::dropAmbiguous(Operation *function,
                                            llvm::function_ref<void(OpBuilder &, Operation *)> emitWait) {
  CommitWalk walk;
  CommitWalk::Effects effects;
  for (Region &region : function->getRegions())
    for (const auto &[number, effect] : walk.visit(region))
      effects[number] = effects[number].then(effect);
  uint32_t next = firstNumber;
  llvm::DenseMap<uint32_t, std::optional<uint32_t>> numbers; ///< as they become; nothing for those that are dropped
  for (auto &[index, web] : webs) {
    const bool isKept = walk.waitedFor.contains(web.number) && !effects.lookup(web.number).isAmbiguous[false];
    numbers[web.number] = isKept ? std::optional(next) : std::nullopt;
    web.number = next;
    next += isKept;
  }
  function->walk([&](Operation *op) {
    auto commit = dyn_cast<as::CommitAccumulatorOp>(op);
    auto wait = dyn_cast<as::WaitAccumulatorOp>(op);
    const auto number = commit || wait ? numbers.find(commit ? commit.getScope() : wait.getScope()) : numbers.end();
    if (number == numbers.end())
      return;
    if (number->second)
      return op->setAttr("scope", OpBuilder(op).getI32IntegerAttr(*number->second));
    OpBuilder builder(op);
    if (wait)
      emitWait(builder, op);
    op->erase();
  });
  return next - firstNumber;
}

std::optional<unsigned> AccumulatorBarriers::findWeb(as::AsyncDotOp product) const {
  for (const auto &[number, web] : webs)
    if (llvm::is_contained(web.products, product))
      return number;
  return std::nullopt;
}

} // namespace tileiras
