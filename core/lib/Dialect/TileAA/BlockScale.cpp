//===- BlockScale.cpp - Products with scaled blocks -----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAA/BlockScale.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

namespace tileiras::aa {

bool mayBeNegative(Operation *product, Type scale) {
  return isa<Float8E4M3FNType>(scale) && !product->hasAttr("positive_scales");
}

RankedTensorType getUnpackedType(RankedTensorType type, int64_t dim) {
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] *= 2;
  return RankedTensorType::get(shape, Float4E2M1FNType::get(type.getContext()));
}

FailureOr<std::pair<RankedTensorType, RankedTensorType>> verifyPackedOperands(Operation *op, RankedTensorType a,
                                                                              RankedTensorType b) {
  auto isOfBytes = [](RankedTensorType type) { return type.getElementType().isInteger(8) && type.getRank() >= 2; };
  if (!isOfBytes(a) || !isOfBytes(b))
    return op->emitOpError("expects tiles of i8 as packed operands, but got ") << a << " and " << b;
  return std::pair(getUnpackedType(a, a.getRank() - 1), getUnpackedType(b, b.getRank() - 2));
}

/// Depth of an instruction and elements for a scale: (32, 32) for f8, (64, 16) and (64, 32) for f4.
LogicalResult verifyScaledElements(Operation *op, Type a, Type b, Type scale, int64_t block) {
  auto isF4 = [](Type type) { return isa<Float4E2M1FNType>(type); };
  auto isF8 = [](Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); };
  const bool areF4 = isF4(a) && isF4(b), isE8M0 = isa<Float8E8M0FNUType>(scale);
  if (block == 16 && !areF4)
    return op->emitOpError("expects A and B element types are valid 4bit types, such asFloat4E2M1FNType or "
                           "FloatNV4E0M3FType , when (atom_K=64 && vecSize=16), but got ")
           << a << " and " << b;
  if (block == 16 && !isE8M0 && !isa<Float8E4M3FNType>(scale))
    return op->emitOpError("expects sfa/sfb element types to be Float8E8M0FNUType or Float8E4M3FNType when "
                           "(atom_K=64 && vecSize=16), but got ")
           << scale;
  if (block == 32 && (isF4(a) || isF4(b)) && !isE8M0)
    return op->emitOpError("expects A/B element types to be Float4E2M1FNType and sfa/sfb element types to be "
                           "Float8E8M0FNUType when (atom_K=64 && vecSize=32), but got ")
           << a << ", " << b << " and " << scale;
  if (block != 16 && block != 32)
    return op->emitOpError("Invalid (atom_K, vecSize) combination for block-scaled MMA: (")
           << (areF4 ? 64 : 32) << ", " << block << ")";
  if (!(isF8(a) || isF4(a)) || !(isF8(b) || isF4(b)) || (block == 32 && !isE8M0))
    return op->emitOpError("unsupported block-scaled mma configuration: ")
           << a << " by " << b << " with a scale of type " << scale << " for " << block << " elements";
  return success();
}

} // namespace tileiras::aa
