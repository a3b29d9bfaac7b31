//===- ProgramForm.cpp - What all programs keep to --------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAA/ProgramForm.h"
#include "tileiras/Dialect/TileAA/TileAA.h"

using namespace mlir;

namespace tileiras::aa {

bool isNumberType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.isSignless() && llvm::is_contained({1u, 4u, 8u, 16u, 32u, 64u, 128u}, integer.getWidth());
  return isa<Float16Type, BFloat16Type, Float32Type, FloatTF32Type, Float64Type, Float8E4M3FNType, Float8E5M2Type,
             Float8E8M0FNUType, Float4E2M1FNType>(type);
}

bool isElementType(Type type) {
  return isNumberType(type) || isa<PtrType>(type);
}

/// A type within `type` of which no value can be; null if there is none.
static Type findStrange(Type type) {
  Type strange;
  type.walk([&](Type part) {
    auto tensor = dyn_cast<RankedTensorType>(part);
    const bool isStrange = tensor ? !isElementType(tensor.getElementType())
                                  : isa<IntegerType, FloatType, ComplexType>(part) && !isNumberType(part);
    if (isStrange)
      strange = tensor ? tensor.getElementType() : part;
    return isStrange ? WalkResult::interrupt() : WalkResult::advance();
  });
  return strange;
}

static LogicalResult verifyTypes(Operation *op, TypeRange types) {
  for (Type type : types)
    if (Type strange = findStrange(type))
      return op->emitOpError() << "has a value of type " << type << ", but no instruction knows " << strange
                               << "; use i1, i4, i8, i16, i32, i64, f16, bf16, f32, tf32, f64, f8E4M3FN, f8E5M2, "
                                  "f8E8M0FNU, f4E2M1FN or a pointer";
  return success();
}

LogicalResult verifyElementTypes(Operation *root) {
  WalkResult walk = root->walk([](Operation *op) -> WalkResult {
    if (failed(verifyTypes(op, op->getResultTypes())))
      return WalkResult::interrupt();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (failed(verifyTypes(op, block.getArgumentTypes())))
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

LogicalResult verifyInFunctions(Operation *module) {
  for (Region &region : module->getRegions())
    for (Operation &op : region.getOps())
      if (isa_and_nonnull<TileAADialect>(op.getDialect()) && !isa<SymbolOpInterface>(op))
        return op.emitOpError() << "stands outside of a function, where nothing runs; move it into one";
  return success();
}

} // namespace tileiras::aa
