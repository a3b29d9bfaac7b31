//===- WarpgroupProducts.cpp - Products that warpgroups compute together --===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpgroupProducts.h"
#include "tileiras/Dialect/TileAS/AnchorLayouts.h"

using namespace mlir;

namespace tileiras::layout {

bool hasWarpgroupProducts(const ChipTarget &target) {
  return target && llvm::any_of(target.atoms().mma,
                                [](const MmaAtom &atom) { return as::isWarpgroupAtom(atom) && atom.hasLowering; });
}

FailureOr<WarpgroupProduct> findWarpgroupProduct(as::DotOp product, const ChipTarget &target, int64_t numWarps,
                                                 bool registerA) {
  WarpgroupProduct result;
  if (!hasWarpgroupProducts(target))
    return result;
  MmaQuery query;
  product.describe(query);
  if (failed(target.target->findMmaCandidates(query, *target.chip, [&] { return product.emitOpError(); })))
    return failure();
  if (query.isBlockScaled()) {
    result.obstacle = "its operands have scales";
    return result;
  }
  // Contiguous along K: what all of them can read. Who chooses the memory asks for the rest.
  llvm::Expected<as::WarpgroupProduct> found = as::findWarpgroupProduct(
      product.getContext(), query, target, numWarps,
      registerA ? as::OperandPlace::Registers : as::OperandPlace::KMajor, as::OperandPlace::KMajor);
  if (!found) {
    result.obstacle = llvm::toString(found.takeError());
    return result;
  }
  result.atom = found->atom;
  result.a = found->layouts.a;
  result.c = found->layouts.c;
  return result;
}

} // namespace tileiras::layout
