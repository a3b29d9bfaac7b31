//===- TmaMaps.cpp - The tensor maps of a function ------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TmaMaps.h"
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

Value TmaMaps::getOrCreate(const TmaAccess &access, StringRef atom) {
  auto [it, isNew] = maps.try_emplace({access.memref, describe(access, atom)}, Value());
  if (!isNew)
    return it->second;
  OpBuilder builder(access.memref.getContext());
  builder.setInsertionPointAfterValue(access.memref);
  Value memref = permuteMemRef(builder, access.memref, access.memRefDims);
  it->second = as::MakeTiledTmaDescOp::create(builder, access.memref.getLoc(), access.descriptor, memref, atom,
                                              access.oobMode.value_or(aa::PaddingValueAttr()), IntegerAttr());
  return it->second;
}

} // namespace tileiras::async
