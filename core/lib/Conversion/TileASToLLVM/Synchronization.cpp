//===- Synchronization.cpp - Where the threads of a CTA have to meet ------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A tile program is sequential; its lowered form runs in many threads. They have to meet
//  * before an exchange through the scratch area, when reads of an earlier exchange may still be going on,
//  * between accesses to global memory that tokens order and that may touch the same elements from different threads,
//  * before a release and after an acquire, which one thread performs for all.
// Control flow is the same in all threads of a CTA, so a barrier may stand anywhere. One walk over the structured
// program places them, as late as possible; what the end of a loop leaves pending is found out before.
//
//===----------------------------------------------------------------------===//

#include "Preparation.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tileiras {
namespace {

/// What an access to global memory does, as far as order matters.
struct Access {
  bool writes = false;
  Value token, resultToken;
  bool releases = false, acquires = false;
};

template <typename OpTy>
Access describe(OpTy op, bool writes) {
  auto semantic = op.getMemSemantic();
  bool both = semantic == aa::MemSemantic::AcqRel;
  return {writes, op.getToken(), op.getResultToken(), both || semantic == aa::MemSemantic::Release,
          both || semantic == aa::MemSemantic::Acquire};
}

std::optional<Access> getAccess(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<Access>>(op)
      .Case<as::TiledLoadOp, as::LoadOp>([](auto load) { return describe(load, false); })
      .Case<as::TiledStoreOp, as::StoreOp, as::TiledAtomicRMWOp, as::AtomicRMWOp, as::AtomicCASOp>(
          [](auto store) { return describe(store, true); })
      .Default([](Operation *) { return std::nullopt; });
}

/// Every thread accesses exactly the elements in `b` that it accesses in `a`: program order is enough.
bool touchesSameElements(Operation *a, Operation *b) {
  auto addresses = [](Operation *op) -> std::pair<SmallVector<Value>, Type> {
    return llvm::TypeSwitch<Operation *, std::pair<SmallVector<Value>, Type>>(op)
        .Case<as::TiledLoadOp>([](auto load) {
          SmallVector<Value> values = {load.getView()};
          llvm::append_range(values, load.getCoords());
          return std::pair(values, load.getResult().getType());
        })
        .Case<as::TiledStoreOp>([](auto store) {
          SmallVector<Value> values = {store.getView()};
          llvm::append_range(values, store.getCoords());
          return std::pair(values, store.getValue().getType());
        })
        .Case<as::LoadOp>(
            [](auto load) { return std::pair(SmallVector<Value>{load.getPointer()}, load.getPointer().getType()); })
        .Case<as::StoreOp>(
            [](auto store) { return std::pair(SmallVector<Value>{store.getPointer()}, store.getPointer().getType()); })
        .Default([](Operation *) { return std::pair(SmallVector<Value>(), Type()); });
  };
  auto [valuesA, typeA] = addresses(a);
  auto [valuesB, typeB] = addresses(b);
  if (!typeA || typeA != typeB || valuesA != valuesB || !isa<RankedTensorType>(typeA))
    return false;
  // Copies break the correspondence: all holders load, one stores.
  LinearLayout layout = getLayout(typeA);
  return layout.getReplicationMask(LayoutDim::Lane) == 0 && layout.getReplicationMask(LayoutDim::Warp) == 0;
}

/// What has happened since the last barrier, on any path.
struct Pending {
  bool scratchInUse = false;
  llvm::SmallSetVector<Operation *, 8> accesses;

  void clear() {
    scratchInUse = false;
    accesses.clear();
  }
  bool operator==(const Pending &other) const {
    return scratchInUse == other.scratchInUse && accesses.size() == other.accesses.size() &&
           llvm::all_of(accesses, [&](Operation *op) { return other.accesses.contains(op); });
  }
  /// Returns whether this adds anything.
  bool merge(const Pending &other) {
    bool grows = (other.scratchInUse && !scratchInUse) ||
                 llvm::any_of(other.accesses, [&](Operation *op) { return !accesses.contains(op); });
    scratchInUse |= other.scratchInUse;
    accesses.insert(other.accesses.begin(), other.accesses.end());
    return grows;
  }
};

class BarrierPlacement {
public:
  explicit BarrierPlacement(const LoweringContext &lowering) : lowering(lowering) {}

  void run(Region &body) {
    Pending pending;
    for (Block &block : body)
      visitBlock(block, pending, /*insert=*/true);
  }

private:
  void visitBlock(Block &block, Pending &pending, bool insert) {
    for (Operation &op : llvm::make_early_inc_range(block))
      visit(&op, pending, insert);
  }

  void visit(Operation *op, Pending &pending, bool insert) {
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return visitBranches(branch, pending, insert);
    if (isa<LoopLikeOpInterface>(op))
      return visitLoop(op, pending, insert);
    std::optional<Access> access = getAccess(op);
    bool exchanges = getScratchBytes(lowering, op) > 0;
    if (needsBarrierBefore(op, access, exchanges, pending))
      placeBarrier(op, pending, insert);
    if (access)
      pending.accesses.insert(op);
    if (exchanges) {
      // The exchange has a barrier of its own between its writes and its reads.
      pending.clear();
      pending.scratchInUse = true;
    }
    if (access && access->acquires && !exchanges)
      placeBarrier(op->getNextNode(), pending, insert);
  }

  void visitBranches(scf::IfOp op, Pending &pending, bool insert) {
    Pending taken = pending, skipped = pending;
    visitBlock(*op.thenBlock(), taken, insert);
    if (op.elseBlock())
      visitBlock(*op.elseBlock(), skipped, insert);
    pending = std::move(taken);
    pending.merge(skipped);
  }

  void visitLoop(Operation *op, Pending &pending, bool insert) {
    LoopEffect effect = getLoopEffect(op, pending);
    if (insert)
      visitRegions(op, effect.entry, /*insert=*/true);
    pending = std::move(effect.exit);
  }

  /// What a loop makes of what is pending before it.
  struct LoopEffect {
    Pending before; ///< the loop
    Pending entry;  ///< into the body, from before the loop or from the end of the body
    Pending exit;   ///< behind the loop
  };

  /// A loop in loops is asked about again and again, mostly with the same pending before it: each answer is found once.
  LoopEffect getLoopEffect(Operation *op, const Pending &before) {
    for (const LoopEffect &known : loopEffects[op])
      if (known.before == before)
        return known;
    LoopEffect effect{before, before, {}};
    // What the end of the body leaves pending is pending at its beginning.
    for (bool grows = true; grows;) {
      Pending end = effect.entry;
      effect.exit = visitRegions(op, end, /*insert=*/false);
      // The body of a `for` may not run at all; a `while` leaves behind its condition.
      if (!isa<scf::WhileOp>(op)) {
        effect.exit = end;
        effect.exit.merge(before);
      }
      grows = effect.entry.merge(end);
    }
    loopEffects[op].push_back(effect);
    return effect;
  }

  /// Returns what is pending behind the first region.
  Pending visitRegions(Operation *op, Pending &pending, bool insert) {
    std::optional<Pending> first;
    for (Region &region : op->getRegions()) {
      for (Block &block : region)
        visitBlock(block, pending, insert);
      if (!first)
        first = pending;
    }
    return *first;
  }

  bool needsBarrierBefore(Operation *op, const std::optional<Access> &access, bool exchanges, const Pending &pending) {
    if (exchanges && pending.scratchInUse)
      return true;
    if (!access)
      return false;
    if (access->releases && !pending.accesses.empty())
      return true;
    return conflictsWithPending(op, *access, pending);
  }

  /// Whether a pending access that this one is ordered after, by tokens, may conflict with it.
  bool conflictsWithPending(Operation *op, const Access &access, const Pending &pending) {
    if (!access.token || pending.accesses.empty())
      return false;
    llvm::SmallSetVector<Value, 16> tokens;
    tokens.insert(access.token);
    for (unsigned i = 0; i < tokens.size(); ++i) {
      Value token = tokens[i];
      Operation *producer = token.getDefiningOp();
      std::optional<Access> earlier = producer ? getAccess(producer) : std::nullopt;
      if (!earlier) {
        collectSources(token, tokens);
        continue;
      }
      // Behind an access that is not pending there is a barrier already.
      if (!pending.accesses.contains(producer))
        continue;
      if ((access.writes || earlier->writes) && !touchesSameElements(producer, op))
        return true;
      if (earlier->token)
        tokens.insert(earlier->token);
    }
    return false;
  }

  /// The tokens `token` stands for: operands of joins, what enters and leaves control flow.
  static void collectSources(Value token, llvm::SmallSetVector<Value, 16> &tokens) {
    auto add = [&](ValueRange values) { tokens.insert(values.begin(), values.end()); };
    if (auto argument = dyn_cast<BlockArgument>(token)) {
      Operation *parent = argument.getOwner()->getParentOp();
      if (auto loop = dyn_cast<scf::ForOp>(parent)) {
        unsigned index = argument.getArgNumber() - loop.getNumInductionVars();
        add(loop.getInitArgs()[index]);
        add(loop.getYieldedValues()[index]);
      } else if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
        unsigned index = argument.getArgNumber();
        if (argument.getOwner() == loop.getBeforeBody()) {
          add(loop.getInits()[index]);
          add(loop.getYieldOp().getOperand(index));
        } else {
          add(loop.getConditionOp().getArgs()[index]);
        }
      }
      return;
    }
    Operation *op = token.getDefiningOp();
    unsigned index = cast<OpResult>(token).getResultNumber();
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      add(branch.thenYield().getOperand(index));
      if (branch.elseBlock())
        add(branch.elseYield().getOperand(index));
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      add(loop.getInitArgs()[index]);
      add(loop.getYieldedValues()[index]);
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      add(loop.getConditionOp().getArgs()[index]);
    } else {
      for (Value operand : op->getOperands())
        if (operand.getType() == token.getType())
          tokens.insert(operand);
    }
  }

  void placeBarrier(Operation *before, Pending &pending, bool insert) {
    pending.clear();
    if (!insert)
      return;
    OpBuilder builder(before);
    Emitter(builder, before->getLoc()).barrier();
  }

  const LoweringContext &lowering;
  llvm::DenseMap<Operation *, SmallVector<LoopEffect, 2>> loopEffects;
};

} // namespace

void placeBarriers(const LoweringContext &lowering, Region &body) {
  BarrierPlacement(lowering).run(body);
}

} // namespace tileiras
