//===- CombiningBody.cpp - The bodies of reductions and scans -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/CombiningBody.h"
#include "mlir/IR/OpDefinition.h"

using namespace mlir;

Operation *tileiras::findCommutativeOperation(Region &region, unsigned index) {
  Block &body = region.front();
  Operation *op = body.getTerminator()->getOperand(index).getDefiningOp();
  if (!op || op->getNumOperands() != 2 || !op->hasTrait<OpTrait::IsCommutative>())
    return nullptr;
  Value element = body.getArgument(2 * index), accumulated = body.getArgument(2 * index + 1);
  const bool combines = (op->getOperand(0) == element && op->getOperand(1) == accumulated) ||
                        (op->getOperand(1) == element && op->getOperand(0) == accumulated);
  return combines ? op : nullptr;
}

bool tileiras::isCommutative(Region &region) {
  return llvm::all_of(llvm::seq(region.front().getTerminator()->getNumOperands()),
                      [&](unsigned index) { return findCommutativeOperation(region, index); });
}
