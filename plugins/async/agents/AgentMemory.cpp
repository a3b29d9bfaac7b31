//===- AgentMemory.cpp - Tiles of an agent in shared memory ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AgentMemory.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Lowering/SharedArena.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tileiras::async {

namespace {

struct Tile {
  as::AllocTensorOp op;
  as::MemoryRangeAttr range;
  Lifetime lifetime;
};

bool areInConflict(const Tile &a, const Tile &b, Lifetime whole) {
  if (!a.range.overlaps(b.range) || !a.lifetime.overlaps(b.lifetime))
    return false;
  // A loop that carries memory has it of its prologue's allocation first and of its own then, one after the other.
  auto isCarried = [&](const Tile &tile) { return tile.lifetime.end == whole.end && tile.lifetime.begin == 0; };
  return !(a.range == b.range && isCarried(a) && isCarried(b));
}

} // namespace

int64_t separateTiles(Region &agent) {
  const ProgramOrder order(agent);
  SharedArena arena;
  SmallVector<Tile> kept, moved;
  agent.getParentOfType<FunctionOpInterface>()->walk([&](as::AllocTensorOp op) {
    const as::MemoryRangeAttr range = op.getRangeAttr();
    if (!range)
      return;
    if (agent.isAncestor(op->getParentRegion())) {
      const Tile tile{op, range, order.getLifetime(op.getResult())};
      if (llvm::any_of(kept, [&](const Tile &other) { return areInConflict(tile, other, order.getWhole()); }))
        return moved.push_back(tile);
      kept.push_back(tile);
    }
    arena.take(range.getOffset(), range.getBytes(), order.getWhole());
  });
  for (Tile &tile : moved) {
    const int64_t bytes = tile.range.getBytes();
    const int64_t offset = arena.allocate(bytes, as::getTileAlignment(tile.op.getType()), tile.lifetime);
    tile.op.setRangeAttr(as::MemoryRangeAttr::get(agent.getContext(), offset, bytes));
  }
  return arena.getBytes();
}

} // namespace tileiras::async
