//===- TmaMaps.cpp - The tensor maps of a function ------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TmaMaps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
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

/// At the first of these, what copies may use is there.
static bool mayCopy(Operation &op) {
  return op.getNumRegions() != 0 || op.hasTrait<OpTrait::IsTerminator>() ||
         isa<as::TiledStoreOp, as::AsyncTiledTmaStoreOp, as::AsyncScatterTmaStoreOp>(op);
}

static bool mayCopyOrLoad(Operation &op) {
  return mayCopy(op) || isa<as::MemoryAccessOpInterface>(op);
}

/// Where the kernel starts, with what the array is made of; else where the last of the arrays of a loop or branch is
/// known, so that their maps are built together.
static Value createMap(const TmaAccess &access, StringRef atom) {
  Value memref = access.memref;
  Block *block = memref.getParentBlock();
  IRRewriter rewriter(memref.getContext());
  if (isa<FunctionOpInterface>(block->getParentOp()) &&
      succeeded(moveValueDefinitions(rewriter, memref, &*llvm::find_if(*block, mayCopyOrLoad)))) {
    rewriter.setInsertionPointAfterValue(memref);
  } else {
    auto behind = llvm::make_range(std::next(memref.getDefiningOp()->getIterator()), block->end());
    rewriter.setInsertionPoint(&*llvm::find_if(behind, mayCopy));
  }
  memref = permuteMemRef(rewriter, memref, access.memRefDims);
  return as::MakeTiledTmaDescOp::create(rewriter, memref.getLoc(), access.descriptor, memref,
                                        as::AtomAttr::get(rewriter.getContext(), atom),
                                        access.oobMode.value_or(aa::PaddingValueAttr()), IntegerAttr());
}

Value TmaMaps::getOrCreate(const TmaAccess &access, StringRef atom) {
  auto [it, isNew] = maps.try_emplace({access.memref, describe(access, atom)}, Value());
  if (isNew)
    it->second = createMap(access, atom);
  return it->second;
}

} // namespace tileiras::async
