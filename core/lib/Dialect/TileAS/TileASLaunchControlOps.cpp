//===- TileASLaunchControlOps.cpp - Taking over tile blocks ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "tileiras/Dialect/TileAS/LaunchControlOps.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::as;

#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAS/TileASLaunchControlOps.cpp.inc"

LogicalResult OpenLaunchControlOp::verify() {
  if (!llvm::isPowerOf2_32(getResponses()))
    return emitOpError() << "has entries for " << getResponses() << " responses; expects a power of two";
  const int64_t bytes = getSharedBytes(getMailbox().getType()), needed = getMailboxBytes(getResponses());
  if (!isSharedTensor(getMailbox().getType()) || bytes < needed)
    return emitOpError() << "expects a mailbox of at least " << needed << " bytes in shared memory, but got "
                         << getMailbox().getType();
  return success();
}
