//===- ConversionOps.cpp - Conversions ------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AsmHooks.h"

using namespace mlir;
using namespace tileiras::cuda_tile;

#define GET_OP_CLASSES
#include "tileiras/Dialect/CudaTile/CudaTileConversionOps.cpp.inc"

static unsigned getElementWidth(TileType tile) {
  return tile.getElementType().getIntOrFloatBitWidth();
}

LogicalResult BitcastOp::verify() {
  unsigned from = getElementWidth(getSource().getType()), to = getElementWidth(getType());
  if (from != to)
    return emitOpError("keeps the bits, but ") << from << "-bit elements would become " << to << "-bit ones";
  return success();
}

LogicalResult ExtIOp::verify() {
  if (getElementWidth(getTo().getType()) <= getElementWidth(getFrom().getType()))
    return emitOpError("must give a wider integer, but ")
           << getFrom().getType().getElementType() << " would become " << getTo().getType().getElementType();
  return success();
}

LogicalResult TruncIOp::verify() {
  if (getElementWidth(getTo().getType()) >= getElementWidth(getFrom().getType()))
    return emitOpError("must give a narrower integer, but ")
           << getFrom().getType().getElementType() << " would become " << getTo().getType().getElementType();
  return success();
}

/// Conversions from and to integers know one rounding mode each.
static LogicalResult verifyOnlyRounding(Operation *op, RoundingMode mode, RoundingMode allowed) {
  if (mode == allowed)
    return success();
  return op->emitOpError("rounds to ") << stringifyEnum(allowed) << " only, not to " << stringifyEnum(mode);
}

LogicalResult FToFOp::verify() {
  if (getFrom().getType() == getTo().getType())
    return emitOpError("must change the type, which is ") << getFrom().getType() << " on both sides";
  // All but nearest_even are for some pairs of types only, most since 13.4: what a target lacks it refuses itself.
  switch (getRoundingMode()) {
  case RoundingMode::NEAREST_EVEN:
  case RoundingMode::NEAREST_AWAY:
  case RoundingMode::ZERO:
  case RoundingMode::NEGATIVE_INF:
  case RoundingMode::POSITIVE_INF:
    return success();
  case RoundingMode::APPROX:
  case RoundingMode::FULL:
  case RoundingMode::NEAREST_INT_TO_ZERO:
    break;
  }
  return emitOpError("cannot round by ") << stringifyEnum(getRoundingMode());
}

LogicalResult IToFOp::verify() {
  return verifyOnlyRounding(*this, getRoundingMode(), RoundingMode::NEAREST_EVEN);
}

LogicalResult FToIOp::verify() {
  return verifyOnlyRounding(*this, getRoundingMode(), RoundingMode::NEAREST_INT_TO_ZERO);
}

/// Both sides of pack and unpack are rows of the same number of bits.
static LogicalResult verifyPacking(Operation *op, TileType source, TileType result) {
  if (source.getRank() != 1 || result.getRank() != 1)
    return op->emitOpError("needs tiles of rank 1");
  int64_t sourceBits = source.getNumElements() * getElementWidth(source);
  int64_t resultBits = result.getNumElements() * getElementWidth(result);
  if (sourceBits != resultBits)
    return op->emitOpError("keeps the bits, but the source has ") << sourceBits << " and the result has " << resultBits;
  return success();
}

LogicalResult PackOp::verify() {
  return verifyPacking(*this, getSource().getType(), getType());
}
LogicalResult UnpackOp::verify() {
  return verifyPacking(*this, getSource().getType(), getType());
}
