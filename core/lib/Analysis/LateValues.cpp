//===- LateValues.cpp - What is computed where it is used -----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LateValues.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Analysis/AssignedLayouts.h"
#include "tileiras/Dialect/TileAS/KnownSlices.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"

using namespace mlir;

namespace tileiras::as {

int64_t getCopies(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isDistributedTensor(tensor) ? getNumRegisters(tensor) : 1;
}

int64_t countTileRegisters(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  return tile && isDistributedTensor(tile)
             ? llvm::divideCeil(getNumRegisters(tile) * std::max(8u, getRegisterBits(tile.getElementType())), 32)
             : 0;
}

bool repeatsOperand(Operation *op) {
  if (!isa<ShapeLayoutOpInterface>(op) || op->getNumOperands() != 1)
    return false;
  Type source = op->getOperand(0).getType(), result = op->getResult(0).getType();
  return getElementTypeOrSelf(source) == getElementTypeOrSelf(result) && getCopies(result) >= getCopies(source);
}

bool isTransparent(Operation *op) {
  if (op->getNumRegions() != 0 || !isMemoryEffectFree(op))
    return false;
  auto slice = dyn_cast<ExtractSliceOp>(op);
  return repeatsOperand(op) || (slice && findSliceRegisters(slice)) || llvm::all_of(op->getResults(), [](Value result) {
           return !isa<RankedTensorType>(result.getType()) || isRematerializable(result);
         });
}

static bool isUsedByOne(Operation *op) {
  return OpTrait::hasElementwiseMappableTraits(op) && isMemoryEffectFree(op) && op->hasOneUse();
}

/// Threads may wait at it, or it moves what others have.
static bool waits(Operation *op) {
  return !OpTrait::hasElementwiseMappableTraits(op) && !isTransparent(op) && !isa<TiledLoadOp, LoadOp>(op);
}

static constexpr unsigned kAlways = std::numeric_limits<unsigned>::max();

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// A link between what a chain starts from and what it ends with.
static bool isOfChain(Value value, Block *block) {
  Operation *definition = value.getDefiningOp();
  return definition && definition->getBlock() == block && (repeatsOperand(definition) || isUsedByOne(definition));
}

/// Up to where registers hold an operation's result anyway; the facts of its operands are known. What is repeated for
/// many elements takes few.
static unsigned getUntil(Value value, const DenseMap<Value, LateValues::Uses> &uses) {
  Operation *op = value.getDefiningOp();
  const unsigned last = uses.lookup(value).last;
  if (isRematerializable(value))
    return kAlways;
  if (!isOfChain(value, op->getBlock()))
    return last;
  if (repeatsOperand(op) && getCopies(op->getOperand(0).getType()) < getCopies(value.getType()))
    return kAlways;
  unsigned ofOperands = kAlways;
  for (Value operand : op->getOperands())
    ofOperands = std::min(ofOperands, uses.lookup(operand).until);
  return std::max(last, ofOperands);
}

void LateValues::countUses(Block &block, BlockFacts &facts) const {
  unsigned position = 0, numWaits = 0;
  for (Operation &op : block) {
    places[&op] = {++position, numWaits};
    numWaits += waits(&op);
    for (Value operand : op.getOperands()) {
      Uses &uses = facts.uses[operand];
      uses.last = position;
      uses.until = isRematerializable(operand) ? kAlways : position;
    }
  }
}

const LateValues::BlockFacts &LateValues::getFacts(Block *block) const {
  std::unique_ptr<BlockFacts> &known = blocks[block];
  if (known)
    return *known;
  known = std::make_unique<BlockFacts>();
  BlockFacts &facts = *known;
  countUses(*block, facts);
  for (Operation &op : *block)
    for (Value result : op.getResults()) {
      facts.uses[result].until = getUntil(result, facts.uses);
      if (isOfChain(result, block))
        facts.sources[result] = findSources(op.getOperands(), places.lookup(&op).position, facts);
    }
  return facts;
}

//===----------------------------------------------------------------------===//
// Chains
//===----------------------------------------------------------------------===//

/// What `values`, used at `position`, are computed from by chains; without what everybody has.
LateValues::Sources LateValues::findSources(ValueRange values, unsigned position, const BlockFacts &facts) {
  constexpr unsigned kMostSources = 32, kMostSteps = 64;
  Sources found;
  llvm::SmallSetVector<Value, 8> followed(values.begin(), values.end());
  for (unsigned i = 0; i < followed.size() && !found.areMany; ++i) {
    const Value value = followed[i];
    if (isRematerializable(value))
      continue;
    // Who needs it later may come before whoever asks then.
    const bool isOpen = facts.uses.lookup(value).last > position;
    const auto chain = facts.sources.find(value);
    if (chain != facts.sources.end() && !isOpen) {
      followed.insert(chain->second.values.begin(), chain->second.values.end());
      found.areMany = chain->second.areMany;
    } else if (chain != facts.sources.end() || countTileRegisters(value.getType()) != 0) {
      found.values.insert(value);
    }
    found.areMany |= found.values.size() > kMostSources || i > kMostSteps;
  }
  if (found.areMany)
    found.values.clear();
  return found;
}

/// Threads wait for nobody between the operation and its user.
bool LateValues::isSmallerBefore(Operation *op, Operation *user, const BlockFacts &facts) const {
  const Place &end = places.find(user)->second;
  if (!isa<RankedTensorType>(op->getResult(0).getType()) || places.find(op)->second.waits != end.waits)
    return false;
  const Sources sources = findSources(op->getOperands(), end.position, facts);
  int64_t registers = 0;
  for (Value source : sources.values)
    if (facts.uses.lookup(source).last <= end.position) // Others are there anyway.
      registers += countTileRegisters(source.getType());
  return !sources.areMany && registers < countTileRegisters(op->getResult(0).getType());
}

bool LateValues::isLate(Operation *op) const {
  if (!isUsedByOne(op))
    return false;
  Operation *user = *op->user_begin();
  if (user->getBlock() != op->getBlock())
    return false;
  const BlockFacts &facts = getFacts(op->getBlock());
  const unsigned end = places.find(user)->second.position;
  const bool isThereAnyway =
      llvm::all_of(op->getOperands(), [&](Value operand) { return facts.uses.lookup(operand).until > end; });
  return isThereAnyway || isSmallerBefore(op, user, facts);
}

} // namespace tileiras::as
