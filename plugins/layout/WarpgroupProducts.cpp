//===- WarpgroupProducts.cpp - Products computed by warpgroups ------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpgroupProducts.h"
#include "tileiras/Dialect/TileAS/MmaSelection.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tileiras::layout {

static bool isUsable(const MmaAtom &atom) {
  return as::isWarpgroupAtom(atom) && atom.hasLowering;
}

bool hasWarpgroupProducts(const ChipTarget &target) {
  return target && llvm::any_of(target.atoms().mma, isUsable);
}

/// What a program can do something about; empty if there is nothing.
static std::string findObstacle(as::DotOp product, const ChipTarget &target, int64_t numWarps) {
  const int64_t warpsOfGroup = target.machine().warpGranularity;
  const int64_t rowsOfGroup = getRowsOfWarpgroup(target); // The least.
  ArrayRef<int64_t> shape = product.getType().getShape();
  if (shape.size() != 2)
    return "it is a batch of MMAs; a loop over tiles without a batch dimension has one at a time";
  if (shape[0] < rowsOfGroup)
    return llvm::formatv("its tile has {0} rows, and warpgroups compute {1} together; a taller tile, or the MMA of "
                         "the transposed operands, has them",
                         shape[0], rowsOfGroup);
  if (numWarps % warpsOfGroup != 0)
    return llvm::formatv("it runs in {0} warps, and a warpgroup has {1}; num_worker_warps sets them", numWarps,
                         warpsOfGroup);
  return "";
}

WarpgroupProduct findWarpgroupProduct(as::DotOp product, const ChipTarget &target, int64_t numWarps, as::OperandPlace a,
                                      bool isLoadedByThreads) {
  WarpgroupProduct result;
  if (!hasWarpgroupProducts(target))
    return result;
  result.obstacle = findObstacle(product, target, numWarps);
  if (!result.obstacle.empty())
    return result;
  MmaQuery query;
  product.describe(query);
  // K-major is what every atom reads; whether it reads the other one, too, is asked when layouts are known.
  llvm::Expected<as::WarpgroupProduct> found = as::findWarpgroupProduct(product.getContext(), query, target, numWarps,
                                                                        a, as::OperandPlace::KMajor, isLoadedByThreads);
  if (!found) {
    result.obstacle = llvm::toString(found.takeError());
    return result;
  }
  result.atom = found->atom;
  result.placeA = a;
  result.a = a == as::OperandPlace::KMajor || a == as::OperandPlace::MnMajor ? Attribute() : found->layouts.a;
  result.c = found->layouts.c;
  result.scales = found->layouts;
  return result;
}

} // namespace tileiras::layout
