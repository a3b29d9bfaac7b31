//===- ProductRegisters.cpp - Registers of products in flight -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A register allocator gives all values that are passed on in place one register each: the sum before and after a
// product, before and after a wait, and on both sides of a branch. It needs no copy among them where no two are alive
// at once. So three steps make sure of that for sums in flight, and the registers that they are passed on in:
//
// 1. Who uses a sum after a wait for it uses the result of the wait.
// 2. What is in flight, sums and operands, and would need two sets of registers is waited for before it is passed on.
// 3. Complete sums that pass on to, or come from, sums in flight, and would need two sets of registers together with
//    them, are copied there. What is left in flight has its registers for itself.
//
//===----------------------------------------------------------------------===//

#include "tileiras/NVIDIA/ProductRegisters.h"
#include "mlir/Analysis/Liveness.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "tileiras/Dialect/TileAA/TileAA.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/KnownSlices.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Dialect/TileAS/RegisterOps.h"
#include "tileiras/Layout/ConversionPlan.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include <memory>
#include <optional>

using namespace mlir;

namespace tileiras {
namespace {

/// A use that passes a tile on in its registers. What is used is `from`, or registers of it under another name.
struct Passage {
  OpOperand *use;
  Value from, next;

  bool isBranch() const { return isa<BlockArgument>(next); }
};

/// The tile that `use` becomes in the same registers, if no copy is made; null if it becomes none.
Value findNext(OpOperand &use) {
  if (auto product = dyn_cast<as::AsyncDotOp>(use.getOwner()))
    return &use == &product.getCMutable() ? product.getResult() : Value();
  if (auto wait = dyn_cast<as::AsyncFutureWaitOp>(use.getOwner()))
    return use.getOperandNumber() == 0 ? Value() : wait.getResults()[use.getOperandNumber() - 1];
  if (auto branch = dyn_cast<BranchOpInterface>(use.getOwner()))
    if (std::optional<BlockArgument> argument = branch.getSuccessorBlockArgument(use.getOperandNumber()))
      return *argument;
  return {};
}

bool isTileInRegisters(Value value) {
  auto tile = dyn_cast<RankedTensorType>(value.getType());
  return tile && as::isDistributedTensor(tile);
}

/// The tiles whose registers `op` gives other names, without an instruction; none if it does more.
SmallVector<Value, 2> findRenamed(Operation *op) {
  SmallVector<Value, 2> tiles;
  llvm::copy_if(op->getOperands(), std::back_inserter(tiles), isTileInRegisters);
  if (tiles.empty() || !llvm::all_of(op->getResults(), isTileInRegisters))
    return {};
  const bool isRenaming = llvm::TypeSwitch<Operation *, bool>(op)
                              .Case<ViewLikeOpInterface, as::BroadcastOp, as::CatOp, as::PackOp, as::UnpackOp,
                                    arith::BitcastOp, aa::BitcastOp>([](Operation *) { return true; })
                              .Case([](as::ConvertLayoutOp conversion) {
                                return holdsAllOf(as::getLinearLayout(conversion.getSource().getType()),
                                                  as::getLinearLayout(conversion.getType()));
                              })
                              .Case([](as::ExtractSliceOp slice) { return as::findSliceRegisters(slice).has_value(); })
                              .Default(false);
  return isRenaming ? tiles : SmallVector<Value, 2>();
}

/// What a product in flight uses: it writes sums, and reads operands.
enum class Used { Sums, Operands };

/// How the tiles of a program are passed on.
class Passages {
public:
  Passages(Operation *scope, Used used) : liveness(scope) {
    scope->walk([&](Operation *op) {
      const SmallVector<Value, 2> tiles = findRenamed(op);
      for (Value result : op->getResults())
        for (Value tile : tiles) {
          names[tile].push_back(result);
          renamed[result].push_back(tile);
        }
      if (auto select = dyn_cast<arith::SelectOp>(op); select && isTileInRegisters(select.getResult()))
        for (Value tile : {select.getTrueValue(), select.getFalseValue()})
          names[tile].push_back(select.getResult());
    });
    scope->walk([&](Operation *op) {
      if (auto product = dyn_cast<as::AsyncDotOp>(op))
        if (Value value = used == Used::Sums ? product.getResult() : product.getA(); isTileInRegisters(value))
          insertTiles(value, inFlight);
      for (OpOperand &use : op->getOpOperands())
        if (Value next = isTileInRegisters(use.get()) ? findNext(use) : Value())
          for (Value from : findTiles(use.get()))
            if (!matchPattern(from, m_Constant())) // A constant has no registers before.
              passages.push_back({&use, from, next});
    });
    for (size_t i = 0; i < inFlight.size(); ++i)
      for (const Passage &passage : passages)
        if (passage.from == inFlight[i] && passage.isBranch())
          inFlight.insert(passage.next);
  }

  ArrayRef<Passage> get() const { return passages; }
  bool isInFlight(Value value) const { return inFlight.contains(value); }
  bool leavesInFlight(const Passage &passage) const { return isInFlight(passage.from); }
  /// From a complete sum to one in flight, or back.
  bool isBoundary(const Passage &passage) const { return leavesInFlight(passage) != isInFlight(passage.next); }
  /// Under each of its names.
  bool isDeadAfter(Value tile, Operation *op) const {
    return liveness.isDeadAfter(tile, op) &&
           llvm::all_of(lookup(names, tile), [&](Value name) { return isDeadAfter(name, op); });
  }

  /// Values that have the same registers where all passages for which `holds` make no copy, by class.
  std::vector<SmallVector<Value>> classify(llvm::function_ref<bool(const Passage &)> holds) const {
    llvm::EquivalenceClasses<const void *> classes;
    for (const Passage &passage : passages)
      if (holds(passage))
        classes.unionSets(passage.from.getAsOpaquePointer(), passage.next.getAsOpaquePointer());
    llvm::MapVector<const void *, llvm::SmallSetVector<Value, 8>> members;
    auto add = [&](Value value) {
      auto leader = classes.findLeader(value.getAsOpaquePointer());
      members[leader == classes.member_end() ? value.getAsOpaquePointer() : *leader].insert(value);
    };
    for (const Passage &passage : passages) {
      add(passage.from);
      add(passage.next);
    }
    for (Value value : inFlight)
      add(value);
    std::vector<SmallVector<Value>> result;
    for (auto &[leader, values] : members)
      result.push_back(values.takeVector());
    return result;
  }

  /// Two of them are alive at once.
  bool interfere(ArrayRef<Value> values) const {
    return llvm::any_of(values, [&](Value made) {
      return llvm::any_of(values, [&](Value other) { return other != made && isAliveWhenMade(other, made); });
    });
  }

private:
  using Names = llvm::DenseMap<Value, SmallVector<Value>>;

  /// Without a copy.
  static ArrayRef<Value> lookup(const Names &map, Value value) {
    auto found = map.find(value);
    return found == map.end() ? ArrayRef<Value>() : ArrayRef<Value>(found->second);
  }

  /// The tiles that are renamed to `value`, itself if it is none that was renamed.
  void insertTiles(Value value, llvm::SetVector<Value> &tiles) const {
    const ArrayRef<Value> before = lookup(renamed, value);
    if (before.empty())
      tiles.insert(value);
    for (Value tile : before)
      insertTiles(tile, tiles);
  }

  llvm::SetVector<Value> findTiles(Value value) const {
    llvm::SetVector<Value> tiles;
    insertTiles(value, tiles);
    return tiles;
  }

  bool isAliveWhenMade(Value tile, Value made) const {
    return isNameAliveWhenMade(tile, made) ||
           llvm::any_of(lookup(names, tile), [&](Value name) { return isAliveWhenMade(name, made); });
  }

  bool isNameAliveWhenMade(Value value, Value made) const {
    Block *block = made.getParentBlock();
    const LivenessBlockInfo *info = liveness.getLiveness(block);
    if (isa<BlockArgument>(made)) {
      auto isUsedHere = [&](Value argument) { return argument.getParentBlock() == block && !argument.use_empty(); };
      return !made.use_empty() && (info->isLiveIn(value) || (isa<BlockArgument>(value) && isUsedHere(value)));
    }
    Operation *maker = made.getDefiningOp();
    const bool isThere =
        info->isLiveIn(value) || (value.getParentBlock() == block &&
                                  (isa<BlockArgument>(value) || !maker->isBeforeInBlock(value.getDefiningOp())));
    return isThere && !liveness.isDeadAfter(value, maker);
  }

  Liveness liveness;
  /// Of a tile, those that one operation gives it, or may: LLVM uses a tile itself where it knows that it is selected.
  Names names;
  Names renamed; ///< the other way: the tiles that an operation has given this name
  std::vector<Passage> passages;
  llvm::SetVector<Value> inFlight; ///< tiles that were not renamed
};

/// The values, complete, at the builder's place.
ResultRange emitWait(OpBuilder &builder, Location location, ValueRange values) {
  Value token = as::CreateNoneOp::create(builder, location, builder.getType<as::AsyncTokenType>());
  return as::AsyncFutureWaitOp::create(builder, location, token, values).getResults();
}

void completeAtOnce(Value value) {
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  Value complete = emitWait(builder, value.getLoc(), value).front();
  value.replaceAllUsesExcept(complete, complete.getDefiningOp());
}

void completeBefore(Operation *branch, ArrayRef<OpOperand *> operands) {
  llvm::SmallSetVector<Value, 4> values;
  for (OpOperand *operand : operands)
    values.insert(operand->get());
  OpBuilder builder(branch);
  for (auto [value, complete] : llvm::zip_equal(values, emitWait(builder, branch->getLoc(), values.getArrayRef())))
    for (OpOperand *operand : operands)
      if (operand->get() == value)
        operand->set(complete);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

void useResultsOfWaits(Operation *scope) {
  DominanceInfo dominance;
  scope->walk([&](as::AsyncFutureWaitOp wait) {
    for (auto [value, result] : llvm::zip_equal(wait.getValues(), wait.getResults()))
      if (isTileInRegisters(value))
        value.replaceUsesWithIf(result, [&](OpOperand &use) {
          return use.getOwner() != wait && dominance.properlyDominates(wait.getOperation(), use.getOwner());
        });
  });
}

/// False where that has changed nothing.
bool completeClass(const Passages &passages, Used used, ArrayRef<Value> inFlight) {
  llvm::SmallDenseSet<Value> members(inFlight.begin(), inFlight.end());
  llvm::MapVector<Operation *, SmallVector<OpOperand *>> branches;
  bool isUsedAfterWait = false;
  for (const Passage &passage : passages.get()) {
    if (!members.contains(passage.from))
      continue;
    if (passage.isBranch() && passages.isInFlight(passage.next))
      branches[passage.use->getOwner()].push_back(passage.use);
    isUsedAfterWait |= isa<as::AsyncFutureWaitOp>(passage.use->getOwner()) &&
                       !passages.isDeadAfter(passage.from, passage.use->getOwner());
  }
  if (!isUsedAfterWait && !passages.interfere(inFlight))
    return false;
  for (auto &[branch, operands] : branches)
    completeBefore(branch, operands);
  if (!branches.empty())
    return true;
  if (used == Used::Operands) // Nobody writes there before they are waited for.
    return false;
  llvm::for_each(inFlight, completeAtOnce);
  return true;
}

/// Returns how tiles are passed on then.
std::unique_ptr<Passages> completeConflicts(Operation *scope, Used used) {
  while (true) {
    auto passages = std::make_unique<Passages>(scope, used);
    bool changed = false;
    for (ArrayRef<Value> values : passages->classify([&](const Passage &passage) {
           return passages->leavesInFlight(passage) && passages->isInFlight(passage.next);
         }))
      changed |= passages->isInFlight(values.front()) && completeClass(*passages, used, values);
    if (!changed)
      return passages;
  }
}

void copy(const Passage &passage, const Passages &passages) {
  OpBuilder builder(passage.use->getOwner());
  if (!passages.leavesInFlight(passage))
    return passage.use->set(
        as::CopyRegistersOp::create(builder, passage.use->getOwner()->getLoc(), passage.use->get()));
  builder.setInsertionPointAfterValue(passage.next);
  auto own = as::CopyRegistersOp::create(builder, passage.next.getLoc(), passage.next);
  Value next = passage.next;
  next.replaceAllUsesExcept(own.getResult(), own);
}

/// Passages between complete sums and sums in flight that would share registers and cannot.
llvm::SmallPtrSet<OpOperand *, 4> findConflicts(const Passages &passages) {
  llvm::SmallPtrSet<OpOperand *, 4> found;
  // First, complete sums that are themselves in the way of what is in flight.
  const std::vector<SmallVector<Value>> classes =
      passages.classify([&](const Passage &passage) { return !passages.isBoundary(passage); });
  llvm::DenseMap<Value, size_t> numbers;
  for (auto [number, values] : llvm::enumerate(classes))
    for (Value value : values)
      numbers[value] = number;
  for (const Passage &passage : passages.get())
    if (passages.isBoundary(passage)) {
      SmallVector<Value> both = classes[numbers.lookup(passage.from)];
      both.append(classes[numbers.lookup(passage.next)]);
      if (passages.interfere(both))
        found.insert(passage.use);
    }
  // A sum that is copied after one wait is copied after all, and shares no registers with any product.
  llvm::SmallDenseSet<size_t> copied;
  auto leaves = [&](const Passage &passage) {
    return passages.isBoundary(passage) && passages.leavesInFlight(passage);
  };
  for (const Passage &passage : passages.get())
    if (leaves(passage) && found.contains(passage.use))
      copied.insert(numbers.lookup(passage.next));
  for (const Passage &passage : passages.get())
    if (leaves(passage) && copied.contains(numbers.lookup(passage.next)))
      found.insert(passage.use);
  // Then, those of one sum in flight that are in the way of another.
  for (ArrayRef<Value> values :
       passages.classify([&](const Passage &passage) { return !found.contains(passage.use); })) {
    if (!passages.interfere(values))
      continue;
    llvm::SmallDenseSet<Value> members(values.begin(), values.end());
    for (const Passage &passage : passages.get())
      if (passages.isBoundary(passage) && members.contains(passage.next))
        found.insert(passage.use);
  }
  return found;
}

void copyCompleteSums(const Passages &passages) {
  llvm::SmallPtrSet<OpOperand *, 4> conflicts = findConflicts(passages);
  for (const Passage &passage : passages.get())
    if (conflicts.erase(passage.use)) // Several tiles may be passed on by one use.
      copy(passage, passages);
}

} // namespace

void separateProducts(Operation *scope) {
  const bool hasProducts =
      scope->walk([](as::AsyncDotOp product) { return WalkResult(failure(isTileInRegisters(product.getResult()))); })
          .wasInterrupted();
  if (!hasProducts)
    return;
  useResultsOfWaits(scope);
  completeConflicts(scope, Used::Operands);
  copyCompleteSums(*completeConflicts(scope, Used::Sums));
}

} // namespace tileiras
