//===- IntegerOps.cpp - Integer arithmetic and bits -----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AsmHooks.h"

using namespace mlir;
using namespace tileiras::cuda_tile;

#define GET_OP_CLASSES
#include "tileiras/Dialect/CudaTile/CudaTileIntegerOps.cpp.inc"

LogicalResult DivIOp::verify() {
  switch (getRounding()) {
  case RoundingMode::ZERO:
  case RoundingMode::NEGATIVE_INF:
  case RoundingMode::POSITIVE_INF:
    return success();
  default:
    return emitOpError("rounds to zero, negative_inf or positive_inf, not ") << stringifyEnum(getRounding());
  }
}
