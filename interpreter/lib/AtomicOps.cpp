//===- AtomicOps.cpp - Atomic access through pointers ---------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One transaction for each element, in the order of the elements.
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Bounds.h"
#include "FloatFormat.h"

using namespace mlir;
using namespace tileiras::cuda_tile;

namespace tileiras::interpreter {

uint64_t combineAtomically(AtomicRMWMode mode, Type elementType, uint64_t old, uint64_t argument) {
  const unsigned width = getElementWidth(elementType);
  const bool isLess = signExtend(argument, width) < signExtend(old, width);
  switch (mode) {
  case AtomicRMWMode::AND:
    return old & argument;
  case AtomicRMWMode::OR:
    return old | argument;
  case AtomicRMWMode::XOR:
    return old ^ argument;
  case AtomicRMWMode::ADD:
    return truncate(old + argument, width);
  case AtomicRMWMode::ADDF: {
    llvm::APFloat sum = decode(elementType, old);
    sum.add(decode(elementType, argument), llvm::RoundingMode::NearestTiesToEven);
    return encode(sum);
  }
  case AtomicRMWMode::MAX:
    return isLess ? old : argument;
  case AtomicRMWMode::MIN:
    return isLess ? argument : old;
  case AtomicRMWMode::UMAX:
    return std::max(old, argument);
  case AtomicRMWMode::UMIN:
    return std::min(old, argument);
  case AtomicRMWMode::XCHG:
    return argument;
  }
  llvm_unreachable("all modes are handled");
}

double getAtomicBound(AtomicRMWMode mode, Type elementType, uint64_t result, double oldBound, double argumentBound) {
  if (mode == AtomicRMWMode::XCHG)
    return argumentBound;
  // Additions from different tile blocks and elements come in any order: each may round differently.
  if (mode == AtomicRMWMode::ADDF)
    return oldBound + argumentBound + getUlp(elementType, toDouble(elementType, result));
  return oldBound + argumentBound;
}

static LogicalResult evaluate(AtomicCASTkoOp op, Evaluation &evaluation) {
  const Tile &pointers = evaluation.tile(op.getPointers());
  const Tile &expected = evaluation.tile(op.getCmp()), &desired = evaluation.tile(op.getVal());
  const Tile *mask = op.getMask() ? &evaluation.tile(op.getMask()) : nullptr;
  Tile result = expected;
  ElementAccess access(op, evaluation, result.elementType);
  access.beginWrites();
  for (size_t i = 0; i < result.size(); ++i) {
    if (mask && !(*mask)[i])
      continue;
    const Place place{pointers[i]};
    FailureOr<uint64_t> old = access.load(place, result.shape, i);
    if (failed(old))
      return failure();
    result.elements[i] = *old;
    // Bits are compared, also those of floating-point numbers.
    if (*old == expected[i] && failed(access.store(place, desired[i], desired.bound(i), result.shape, i)))
      return failure();
  }
  evaluation.set(op.getResult(), std::move(result));
  evaluation.set(op.getResultToken(), Token());
  return success();
}

static LogicalResult evaluate(AtomicRMWTkoOp op, Evaluation &evaluation) {
  const Tile &pointers = evaluation.tile(op.getPointers()), &arguments = evaluation.tile(op.getArg());
  const Tile *mask = op.getMask() ? &evaluation.tile(op.getMask()) : nullptr;
  Tile result(op.getResult().getType());
  Type type = result.elementType;
  ElementAccess access(op, evaluation, type);
  access.beginWrites();
  for (size_t i = 0; i < result.size(); ++i) {
    if (mask && !(*mask)[i])
      continue;
    const Place place{pointers[i]};
    FailureOr<uint64_t> old = access.load(place, result.shape, i);
    if (failed(old))
      return failure();
    result.elements[i] = *old;
    const uint64_t combined = combineAtomically(op.getMode(), type, *old, arguments[i]);
    double bound = 0;
    if (evaluation.options.computeBounds)
      bound = getAtomicBound(op.getMode(), type, combined, access.getBound(place), arguments.bound(i));
    if (failed(access.store(place, combined, bound, result.shape, i)))
      return failure();
  }
  evaluation.set(op.getResult(), std::move(result));
  evaluation.set(op.getResultToken(), Token());
  return success();
}

void registerAtomicOps(OperationTable &table) {
  table.add<AtomicCASTkoOp>(OperationTable::kExact);
  table.add<AtomicRMWTkoOp>("bit-exact; addf: 1 ulp of each intermediate sum, whose order is not specified");
}

} // namespace tileiras::interpreter
