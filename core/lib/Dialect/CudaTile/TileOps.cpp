//===- TileOps.cpp - Tiles as a whole: constants, shapes, matrices, reductions ===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AsmHooks.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tileiras::cuda_tile;

#define GET_OP_CLASSES
#include "tileiras/Dialect/CudaTile/CudaTileTileOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Sources of tiles
//===----------------------------------------------------------------------===//

OpFoldResult ConstantOp::fold(FoldAdaptor) {
  return getValue();
}

/// Writes `_<value>` if the element is a NaN or a whole number that is not negative; nothing otherwise.
static void printFloatInName(raw_ostream &name, const APFloat &value) {
  if (value.isNaN()) {
    name << "_NaN";
    return;
  }
  bool isExact = false;
  APSInt whole(64, /*isUnsigned=*/true);
  value.convertToInteger(whole, APFloat::rmTowardZero, &isExact);
  if (isExact)
    name << '_' << whole;
}

void ConstantOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  DenseIntOrFPElementsAttr elements = getValue();
  Type elementType = getType().getElementType();
  if (elementType.isInteger(1)) {
    bool isSplat = elements.isSplat();
    return setName(getResult(), !isSplat ? "cst_i1" : elements.getSplatValue<bool>() ? "true" : "false");
  }
  SmallString<32> buffer;
  llvm::raw_svector_ostream name(buffer);
  name << "cst";
  if (elements.isSplat()) {
    if (isa<FloatType>(elementType))
      printFloatInName(name, elements.getSplatValue<APFloat>());
    else
      name << '_' << elements.getSplatValue<APInt>();
  }
  name << '_' << elementType;
  setName(getResult(), name.str());
}

LogicalResult IotaOp::verify() {
  if (getType().getRank() != 1)
    return emitOpError("needs a tile of rank 1, got ") << getType();
  unsigned width = getType().getElementType().getIntOrFloatBitWidth();
  if (width < 64 && (getType().getNumElements() - 1) >> width != 0)
    return emitOpError("counts to ") << getType().getNumElements() - 1 << ", which does not fit in "
                                     << getType().getElementType();
  return success();
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

void BroadcastOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "bcast");
}
void ReshapeOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "reshape");
}

LogicalResult BroadcastOp::verify() {
  for (auto [from, to] : llvm::zip_equal(getSource().getType().getShape(), getType().getShape()))
    if (from != to && from != 1)
      return emitOpError("cannot repeat [") << getSource().getType().getShape() << "] to [" << getType().getShape()
                                            << "]: only dimensions of size 1 are repeated";
  return success();
}

LogicalResult ReshapeOp::verify() {
  int64_t from = getSource().getType().getNumElements(), to = getType().getNumElements();
  if (from != to)
    return emitOpError("keeps the elements, but the source has ") << from << " and the result has " << to;
  return success();
}

LogicalResult PermuteOp::verify() {
  ArrayRef<int64_t> sourceShape = getSource().getType().getShape(), shape = getType().getShape();
  ArrayRef<int32_t> permutation = getPermutation();
  llvm::SmallBitVector seen(shape.size());
  for (int32_t dim : permutation)
    if (dim >= 0 && static_cast<size_t>(dim) < shape.size())
      seen.set(dim);
  if (permutation.size() != shape.size() || !seen.all())
    return emitOpError("[") << permutation << "] is no permutation of " << shape.size() << " dimensions";
  for (auto [dim, sourceDim] : llvm::enumerate(permutation))
    if (shape[dim] != sourceShape[sourceDim])
      return emitOpError("result dimension ")
             << dim << " must have size " << sourceShape[sourceDim] << ", got " << shape[dim];
  return success();
}

/// `part` divides `whole` evenly in every dimension, and there is an index for each.
static LogicalResult verifyPart(Operation *op, TileType part, TileType whole, size_t numIndices) {
  for (auto [dim, sizes] : llvm::enumerate(llvm::zip_equal(part.getShape(), whole.getShape())))
    if (std::get<1>(sizes) % std::get<0>(sizes) != 0)
      return op->emitOpError("part of size ")
             << std::get<0>(sizes) << " does not divide size " << std::get<1>(sizes) << " of dimension " << dim;
  if (static_cast<int64_t>(numIndices) != whole.getRank())
    return op->emitOpError("has ") << numIndices << " indices for " << whole.getRank() << " dimensions";
  return success();
}

LogicalResult ExtractOp::verify() {
  return verifyPart(*this, getType(), getSource().getType(), getIndices().size());
}

LogicalResult InsertOp::verify() {
  return verifyPart(*this, getSource().getType(), getDestination().getType(), getIndices().size());
}

LogicalResult CatOp::verify() {
  ArrayRef<int64_t> lhs = getLhs().getType().getShape(), rhs = getRhs().getType().getShape();
  int64_t rank = lhs.size(), dim = getDim();
  if (dim < 0 || dim >= rank)
    return emitOpError("dimension ") << dim << " is not one of the " << rank << " of the tiles";
  for (int64_t i = 0; i < rank; ++i) {
    int64_t expected = i == dim ? lhs[i] + rhs[i] : lhs[i];
    if ((i != dim && rhs[i] != lhs[i]) || getType().getDimSize(i) != expected)
      return emitOpError("of [") << lhs << "] and [" << rhs << "] along dimension " << dim << " is not ["
                                 << getType().getShape() << "]";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

/// Checks that operand `name` has the shape [batch] rows x columns.
static LogicalResult verifyMatrix(Operation *op, StringRef name, TileType matrix, ArrayRef<int64_t> batch, int64_t rows,
                                  int64_t columns) {
  SmallVector<int64_t> expected(batch);
  expected.append({rows, columns});
  if (matrix.getShape() == ArrayRef(expected))
    return success();
  return op->emitOpError() << name << " must have the shape [" << ArrayRef(expected) << "], got [" << matrix.getShape()
                           << "]";
}

/// lhs is M x K, rhs K x N and acc M x N, all with the same batch if there is one.
static LogicalResult verifyMatrices(Operation *op, TileType lhs, TileType rhs, TileType acc) {
  if (lhs.getRank() != 2 && lhs.getRank() != 3)
    return op->emitOpError("needs tiles of rank 2 or 3, got rank ") << lhs.getRank();
  ArrayRef<int64_t> batch = lhs.getShape().drop_back(2);
  int64_t m = lhs.getShape()[batch.size()], k = lhs.getShape().back(), n = rhs.getShape().back();
  return success(succeeded(verifyMatrix(op, "rhs", rhs, batch, k, n)) &&
                 succeeded(verifyMatrix(op, "acc", acc, batch, m, n)));
}

LogicalResult MmaFOp::verify() {
  Type input = getLhs().getType().getElementType(), sum = getAcc().getType().getElementType();
  bool isF8 = isa<Float8E4M3FNType, Float8E5M2Type>(input);
  bool isSupported = input.isF64()                                       ? sum.isF64()
                     : isF8 || input.isF16()                             ? sum.isF16() || sum.isF32()
                     : input.isBF16() || input.isTF32() || input.isF32() ? sum.isF32()
                                                                         : false;
  if (!isSupported)
    return emitOpError("takes no operands of ") << input << " with an accumulator of " << sum;
  if (getFastAcc() && !isF8)
    return emitOpError("fast_acc is for f8 only, got ") << input;
  return verifyMatrices(*this, getLhs().getType(), getRhs().getType(), getAcc().getType());
}

LogicalResult MmaIOp::verify() {
  return verifyMatrices(*this, getLhs().getType(), getRhs().getType(), getAcc().getType());
}

LogicalResult MmaFScaledOp::verify() {
  TileType lhs = getLhs().getType(), rhs = getRhs().getType();
  TileType lhsScale = getLhsScale().getType(), rhsScale = getRhsScale().getType();
  if (failed(verifyMatrices(*this, lhs, rhs, getAcc().getType())))
    return failure();
  bool isF4 = isa<Float4E2M1FNType>(lhs.getElementType());
  Type scale = lhsScale.getElementType();
  if (scale != rhsScale.getElementType())
    return emitOpError("needs scales of one type, got ") << scale << " and " << rhsScale.getElementType();
  if (!isF4 && !isa<Float8E8M0FNUType>(scale))
    return emitOpError("cannot scale ") << lhs.getElementType() << " by " << scale;

  ArrayRef<int64_t> batch = lhs.getShape().drop_back(2);
  int64_t k = lhs.getShape().back(), blocks = lhsScale.getRank() ? lhsScale.getShape().back() : 0;
  int64_t block = blocks ? k / blocks : 0;
  bool isBlockSupported =
      block * blocks == k && ((block == 32 && isa<Float8E8M0FNUType>(scale)) || (block == 16 && isF4));
  if (!isBlockSupported)
    return emitOpError("has ") << blocks << " scales for " << k
                               << " elements along K; a scale is for 32 elements, or 16 of f4E2M1FN";
  return success(succeeded(verifyMatrix(*this, "lhs_scale", lhsScale, batch, lhs.getShape()[batch.size()], blocks)) &&
                 succeeded(verifyMatrix(*this, "rhs_scale", rhsScale, batch, blocks, rhs.getShape().back())));
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

StringRef ReduceOp::getDefaultDialect() {
  return CudaTileDialect::getDialectNamespace();
}
StringRef ScanOp::getDefaultDialect() {
  return CudaTileDialect::getDialectNamespace();
}

void ReduceOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  if (getNumResults() != 0)
    setName(getResult(0), "reduce");
}

void ReduceOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments()) {
    unsigned number = argument.getArgNumber();
    std::string name = number % 2 == 0 ? "reduce_lhs" : "reduce_rhs";
    if (region.getNumArguments() > 2)
      name += std::to_string(number / 2);
    setName(argument, name);
  }
}

LogicalResult ReduceOp::inferReturnTypes(MLIRContext *, std::optional<Location> location, Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  for (Value operand : adaptor.getOperands()) {
    auto tile = cast<TileType>(operand.getType());
    SmallVector<int64_t> shape(tile.getShape());
    if (adaptor.getDim() >= shape.size())
      return emitOptionalError(location, "dimension ", adaptor.getDim(), " is not one of the ", shape.size(),
                               " of the tile");
    shape.erase(shape.begin() + adaptor.getDim());
    types.push_back(TileType::get(shape, tile.getElementType()));
  }
  return success();
}

LogicalResult ScanOp::inferReturnTypes(MLIRContext *, std::optional<Location>, Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  llvm::append_range(types, adaptor.getOperands().getTypes());
  return success();
}

/// Operands, dimension and identities.
static LogicalResult verifyAggregate(Operation *op, int64_t dim, ArrayAttr identities) {
  auto first = cast<TileType>(op->getOperand(0).getType());
  if (dim >= first.getRank())
    return op->emitOpError("dimension ") << dim << " is not one of the " << first.getRank() << " of the tile";
  if (identities.size() != op->getNumOperands())
    return op->emitOpError("has ") << identities.size() << " identities for " << op->getNumOperands() << " operands";
  for (auto [i, identity] : llvm::enumerate(identities)) {
    Type element = cast<TileType>(op->getOperand(i).getType()).getElementType();
    auto typed = dyn_cast<TypedAttr>(identity);
    // Bytecode before 13.3 does not tell the two 16-bit floats apart.
    bool isHalf =
        (element.isF16() || element.isBF16()) && typed && (typed.getType().isF16() || typed.getType().isBF16());
    if (!isHalf && (!isa<IntegerAttr, FloatAttr>(identity) || typed.getType() != element))
      return op->emitOpError("identity ") << i << " must be a number of type " << element << ", got " << identity;
  }
  return success();
}

/// The body combines two scalars of each operand into one, without side effects.
static LogicalResult verifyCombiner(Operation *op, Region &body) {
  Block &block = body.front();
  size_t numOperands = op->getNumOperands();
  if (block.getNumArguments() != 2 * numOperands)
    return op->emitOpError("body needs two arguments for each operand, got ") << block.getNumArguments();
  auto yield = cast<YieldOp>(block.getTerminator());
  if (yield.getNumOperands() != numOperands)
    return op->emitOpError("body yields ") << yield.getNumOperands() << " values for " << numOperands << " operands";
  for (size_t i = 0; i < numOperands; ++i) {
    auto scalar = TileType::get({}, cast<TileType>(op->getOperand(i).getType()).getElementType());
    for (Value value : {Value(block.getArgument(2 * i)), Value(block.getArgument(2 * i + 1)), yield.getOperand(i)})
      if (value.getType() != scalar)
        return op->emitOpError("body combines operand ") << i << " in " << value.getType() << ", expected " << scalar;
  }
  WalkResult result = body.walk([&](Operation *nested) {
    if (isMemoryEffectFree(nested))
      return WalkResult::advance();
    InFlightDiagnostic diagnostic = op->emitOpError("body must have no side effects");
    diagnostic.attachNote(nested->getLoc()) << nested->getName() << " has";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

LogicalResult ReduceOp::verify() {
  return verifyAggregate(*this, getDim(), getIdentities());
}
LogicalResult ReduceOp::verifyRegions() {
  return verifyCombiner(*this, getBody());
}
LogicalResult ScanOp::verify() {
  return verifyAggregate(*this, getDim(), getIdentities());
}
LogicalResult ScanOp::verifyRegions() {
  return verifyCombiner(*this, getBody());
}
