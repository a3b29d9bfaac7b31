//===- TileAAAttributes.cpp - Attributes of nv_tileaa ---------------------- -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAA/TileAA.h"

#include "mlir/IR/DialectImplementation.h"
#include "tileiras/Dialect/TileAA/Agents.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileiras::aa;

#include "tileiras/Dialect/TileAA/TileAAAttrInterfaces.cpp.inc"
#include "tileiras/Dialect/TileAA/TileAAEnums.cpp.inc"

/// An inclusive bound, or `?` for none.
static ParseResult parseBound(AsmParser &parser, std::optional<int64_t> &bound) {
  if (succeeded(parser.parseOptionalQuestion()))
    return success();
  int64_t value;
  if (parser.parseInteger(value))
    return failure();
  bound = value;
  return success();
}

static void printBound(AsmPrinter &printer, std::optional<int64_t> bound) {
  if (bound)
    printer << *bound;
  else
    printer << '?';
}

#define GET_ATTRDEF_CLASSES
#include "tileiras/Dialect/TileAA/TileAAAttributes.cpp.inc"

void TileAADialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tileiras/Dialect/TileAA/TileAAAttributes.cpp.inc"
      >();
}

LogicalResult KernelSpecAttr::verify(function_ref<InFlightDiagnostic()> emitError, unsigned numWarps, unsigned numCtas,
                                     unsigned occupancy, unsigned totalWarps) {
  if (!llvm::isPowerOf2_32(numWarps) || numWarps > 16)
    return emitError() << "expects num_warps to be a power of two in 1..16, but got " << numWarps;
  if (!llvm::isPowerOf2_32(numCtas) || numCtas > 16)
    return emitError() << "expects num_ctas to be a power of two in 1..16, but got " << numCtas;
  if (occupancy > 32)
    return emitError() << "expects occupancy to be at most 32, but got " << occupancy;
  if (totalWarps != 0 && (totalWarps < numWarps || totalWarps > kMaxWarpsPerCTA))
    return emitError() << "expects total_warps of at least num_warps and at most " << kMaxWarpsPerCTA << ", but got "
                       << totalWarps;
  return success();
}

//===----------------------------------------------------------------------===//
// Assumptions
//===----------------------------------------------------------------------===//

static ArrayRef<int64_t> shapeOf(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.getShape();
  return {};
}

LogicalResult DivByAttr::verifyPredicate(Operation *op, Type type) const {
  if (!getElementTypeOrSelf(type).isSignlessInteger() && !isa<PtrType>(getElementTypeOrSelf(type)) &&
      !isa<tileiras::aa::TileMemRefType>(type))
    return op->emitOpError("div_by requires an integer-, pointer-, or memref-like value");
  if (!llvm::isPowerOf2_64(getDivisor()))
    return op->emitOpError("div_by divisor must be a positive power of two");
  if (getEvery().has_value() != getAlong().has_value())
    return op->emitOpError("div_by every and along must appear together");
  if (getEvery() && *getEvery() <= 0)
    return op->emitOpError("div_by every must be positive");
  if (getAlong() && (*getAlong() < 0 || *getAlong() >= int64_t(shapeOf(type).size())))
    return op->emitOpError("div_by along must reference a valid axis");
  return success();
}

LogicalResult BoundedAttr::verifyPredicate(Operation *op, Type type) const {
  auto element = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
  if (!element || element.getWidth() > 64)
    return op->emitOpError("bounded requires an integer-like element type");
  unsigned width = element.getWidth();
  if (getLower() && !llvm::isIntN(width, *getLower()))
    return op->emitOpError("bounded lower exceeds the element's representable range");
  if (getUpper() && !llvm::isIntN(width, *getUpper()))
    return op->emitOpError("bounded upper exceeds the element's representable range");
  if (getLower() && getUpper() && *getLower() > *getUpper())
    return op->emitOpError("bounded lower must not exceed upper");
  return success();
}

LogicalResult SameElementsAttr::verifyPredicate(Operation *op, Type type) const {
  ArrayRef<int64_t> shape = shapeOf(type);
  if (getValues().size() != shape.size())
    return op->emitOpError("same_elements length must match the constrained value's rank");
  for (auto [value, extent] : llvm::zip_equal(getValues(), shape))
    if (value < 0 || value > extent)
      return op->emitOpError("same_elements axis bound is out of range");
  return success();
}
