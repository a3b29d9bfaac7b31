//===- CarriedTiles.cpp - What goes round a loop --------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CarriedTiles.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"

using namespace mlir;

namespace tileiras {
namespace {

/// A carried tile and what is computed from it: once each, whoever does it.
struct CarriedTile {
  unsigned number;
  SmallVector<Operation *> computed; ///< in the loop
};

/// Bits that a thread has of a distributed tile.
std::optional<int64_t> getSize(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  if (!tile || !as::isDistributedTensor(tile))
    return std::nullopt;
  return as::getNumRegisters(tile) * tile.getElementTypeBitWidth();
}

/// Threads compute a tile that is not larger from `tile`, and from nothing else, on their own.
bool isComputedAlone(Operation *op, Value tile, const LoweringContext &lowering) {
  if (op->getNumOperands() != 1 || op->getNumResults() != 1 || !isMemoryEffectFree(op) ||
      lowering.getScratchBytes(op) != 0)
    return false;
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  const std::optional<int64_t> before = getSize(tile.getType()), after = getSize(op->getResult(0).getType());
  return captured.empty() && before && after && *after <= *before;
}

/// The one of `computed` that does what `op` does; its end if there is none.
ArrayRef<Operation *>::iterator findSame(ArrayRef<Operation *> computed, Operation *op) {
  return llvm::find_if(computed, [&](Operation *other) {
    return OperationEquivalence::isEquivalentTo(other, op, OperationEquivalence::ignoreValueEquivalence,
                                                /*markEquivalent=*/nullptr,
                                                OperationEquivalence::Flags::IgnoreLocations);
  });
}

std::optional<CarriedTile> findTile(scf::ForOp loop, const LoweringContext &lowering) {
  for (auto [number, tile] : llvm::enumerate(loop.getRegionIterArgs())) {
    CarriedTile carried{unsigned(number), {}};
    Operation *maker = loop.getYieldedValues()[number].getDefiningOp();
    if (!maker || !loop->isAncestor(maker))
      continue;
    auto isComputed = [&, tile = tile](Operation *user) { return isComputedAlone(user, tile, lowering); };
    int64_t size = 0;
    for (Operation *user : tile.getUsers())
      if (isComputed(user) && findSame(carried.computed, user) == carried.computed.end()) {
        carried.computed.push_back(user);
        size += *getSize(user->getResult(0).getType());
      }
    const bool isUsedOtherwise =
        !llvm::all_of(tile.getUsers(), isComputed) ||
        !llvm::all_of(loop.getResult(number).getUsers(), [&](Operation *user) {
          return isComputed(user) && findSame(carried.computed, user) != carried.computed.end();
        });
    if (!carried.computed.empty() && !isUsedOtherwise && size < *getSize(tile.getType()))
      return carried;
  }
  return std::nullopt;
}

/// The results of `computed`, from `tile`.
SmallVector<Value> compute(OpBuilder &builder, ArrayRef<Operation *> computed, Value tile) {
  return llvm::map_to_vector(computed, [&](Operation *op) -> Value {
    IRMapping map;
    map.map(op->getOperand(0), tile);
    return builder.clone(*op, map)->getResult(0);
  });
}

void replaceComputed(IRRewriter &rewriter, ArrayRef<Operation *> computed, Value tile, ValueRange results) {
  for (Operation *user : llvm::make_early_inc_range(tile.getUsers()))
    if (auto same = findSame(computed, user); same != computed.end())
      rewriter.replaceAllUsesWith(user->getResult(0), results[same - computed.begin()]);
}

} // namespace

void carryComputedTiles(scf::ForOp loop, const LoweringContext &lowering) {
  IRRewriter rewriter(loop.getContext());
  while (std::optional<CarriedTile> carried = findTile(loop, lowering)) {
    const unsigned number = carried->number, numBefore = loop.getNumResults();
    rewriter.setInsertionPoint(loop);
    const SmallVector<Value> inits = compute(rewriter, carried->computed, loop.getInitArgs()[number]);
    Value yielded = loop.getYieldedValues()[number];
    loop =
        cast<scf::ForOp>(*loop.replaceWithAdditionalYields(rewriter, inits, /*replaceInitOperandUsesInLoop=*/false,
                                                           [&](OpBuilder &builder, Location, ArrayRef<BlockArgument>) {
                                                             return compute(builder, carried->computed, yielded);
                                                           }));
    replaceComputed(rewriter, carried->computed, loop.getRegionIterArg(number),
                    loop.getRegionIterArgs().drop_front(numBefore));
    replaceComputed(rewriter, carried->computed, loop.getResult(number), loop.getResults().drop_front(numBefore));
    for (Value tile : {Value(loop.getRegionIterArg(number)), Value(loop.getResult(number))})
      for (Operation *user : llvm::make_early_inc_range(tile.getUsers()))
        rewriter.eraseOp(user);
  }
}

} // namespace tileiras
