//===- ElementwiseChains.cpp - Tiles that never exist as a whole ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Analysis/ElementwiseChains.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tileiras {

static bool isElementwise(Operation *op) {
  return OpTrait::hasElementwiseMappableTraits(op) && isMemoryEffectFree(op);
}

bool ElementwiseChains::isInPassing(Value value) const {
  Operation *op = value.getDefiningOp();
  return op && isElementwise(op) && !value.use_empty() && llvm::all_of(value.getUsers(), [&](Operation *user) {
           return isElementwise(user) && user->getBlock() == op->getBlock() && getStretch(user) == getStretch(op);
         });
}

unsigned ElementwiseChains::getStretch(Operation *op) const {
  if (auto known = stretches.find(op); known != stretches.end())
    return known->second;
  unsigned current = 0;
  for (Operation &each : *op->getBlock())
    stretches[&each] = isElementwise(&each) || isTransparent(&each) ? current : ++current;
  return stretches.lookup(op);
}

} // namespace tileiras
