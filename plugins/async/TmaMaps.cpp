//===- TmaMaps.cpp - The tensor maps of a function ------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TmaMaps.h"
#include "mlir/Transforms/RegionUtils.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"

using namespace mlir;

namespace tileiras::async {

static ArrayAttr describe(const TmaAccess &access, StringRef atom) {
  Builder builder(access.memref.getContext());
  SmallVector<Attribute> parts = {builder.getStringAttr(atom), TypeAttr::get(access.descriptor),
                                  builder.getDenseI32ArrayAttr(access.memRefDims)};
  if (access.oobMode)
    parts.push_back(*access.oobMode);
  return builder.getArrayAttr(parts);
}

/// Where the kernel starts: no copy begins before all maps are there. What the array is made of moves there, too.
static Value createMap(const TmaAccess &access, StringRef atom) {
  Value memref = access.memref;
  Block *entry = memref.getParentBlock();
  auto isStart = [](Operation &op) {
    return op.getNumRegions() != 0 || op.hasTrait<OpTrait::IsTerminator>() ||
           isa<as::MemoryAccessOpInterface, as::AsyncTiledTmaStoreOp>(op);
  };
  Operation *start = &*llvm::find_if(*entry, isStart);
  IRRewriter rewriter(memref.getContext());
  (void)moveValueDefinitions(rewriter, memref, start); // Nothing else is eligible.
  rewriter.setInsertionPointAfterValue(memref);
  memref = permuteMemRef(rewriter, memref, access.memRefDims);
  return as::MakeTiledTmaDescOp::create(rewriter, memref.getLoc(), access.descriptor, memref, atom,
                                        access.oobMode.value_or(aa::PaddingValueAttr()), IntegerAttr());
}

Value TmaMaps::getOrCreate(const TmaAccess &access, StringRef atom) {
  auto [it, isNew] = maps.try_emplace({access.memref, describe(access, atom)}, Value());
  if (isNew)
    it->second = createMap(access, atom);
  return it->second;
}

} // namespace tileiras::async
