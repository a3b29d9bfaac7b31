//===- Coordinates.cpp - Numbers of tiles in views ------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAA/Coordinates.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tileiras;

Value aa::widenCoordinate(OpBuilder &builder, Location location, Value coordinate, int64_t step) {
  // Steps are below 2^31: products with narrower coordinates fit.
  if (coordinate.getType().getIntOrFloatBitWidth() < 64)
    return arith::ExtUIOp::create(builder, location, builder.getI64Type(), coordinate);
  constexpr int64_t beyondArrays = int64_t(1) << 61;
  Value farthest = arith::ConstantIntOp::create(builder, location, builder.getI64Type(), beyondArrays / step);
  return arith::MinUIOp::create(builder, location, coordinate, farthest);
}
