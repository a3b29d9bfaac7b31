//===- TileASAsyncOps.cpp - Operations that go on behind them -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileVerification.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "tileiras/Dialect/TileAA/BlockScale.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::as;

#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAS/TileASAsyncOps.cpp.inc"

void TileASDialect::registerAsyncOps() {
  addOperations<
#define GET_OP_LIST
#include "tileiras/Dialect/TileAS/TileASAsyncOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

using AsyncEffects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

void AsyncDotOp::getEffects(AsyncEffects &effects) {
  // Its sums are its own until somebody has waited for them: of two equal products none stands for both.
  effects.emplace_back(MemoryEffects::Allocate::get(), cast<OpResult>(getResult()));
  for (OpOperand &operand : getOperation()->getOpOperands())
    if (isMemoryTensor(operand.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
  if (isMemoryTensor(getC().getType()))
    effects.emplace_back(MemoryEffects::Write::get(), &getCMutable());
}

//===----------------------------------------------------------------------===//
// Through views
//===----------------------------------------------------------------------===//

/// Of scalars one integer type; along the sparse dimension one index for each slice of the tile.
static LogicalResult verifyAsyncCoordinates(Operation *op, TiledViewType view, OperandRange coords) {
  if (int64_t(coords.size()) != view.getRank())
    return op->emitOpError() << "expects " << view.getRank() << " coordinates, but got " << coords.size();
  Type coordType;
  for (auto [dim, type] : llvm::enumerate(coords.getTypes())) {
    if (int32_t(dim) == view.getSparseDim()) {
      auto indices = dyn_cast<RankedTensorType>(type);
      if (!indices || !isDistributedTensor(indices) || !indices.getElementType().isSignlessInteger() ||
          indices.getShape() != view.getShape().slice(dim, 1))
        return op->emitOpError() << "expects a tile of " << view.getShape()[dim]
                                 << " integers as coordinate of sparse dimension " << dim << ", but got " << type;
      continue;
    }
    if (!type.isSignlessInteger() || (coordType && type != coordType))
      return op->emitOpError() << "expects CoordType is same as memref index type, but got " << type;
    coordType = type;
  }
  return success();
}

template <typename OpTy>
static LogicalResult verifyAsyncTiledAccess(OpTy op, RankedTensorType tile) {
  TiledViewType view = op.getView().getType();
  if (failed(verifyViewTile(op, view, tile)) || failed(verifyAsyncCoordinates(op, view, op.getCoords())))
    return failure();
  return verifyViewElements(op, view, tile, op.getInBounds().size());
}

LogicalResult AsyncTiledLoadOp::verify() {
  RankedTensorType tile = getDestination().getType();
  if (failed(verifyAsyncTiledAccess(*this, tile)))
    return failure();
  return verifyPadding(*this, tile.getElementType(), getInBounds(), getPaddingValue());
}

//===----------------------------------------------------------------------===//
// Through pointers
//===----------------------------------------------------------------------===//

static LogicalResult verifyAsyncPointers(Operation *op, RankedTensorType pointers, RankedTensorType tile, Value mask) {
  auto pointer = dyn_cast<aa::PtrType>(pointers.getElementType());
  if (!pointer)
    return op->emitOpError() << "expects pointers, but got " << pointers;
  if (pointer.getPointeeType() != tile.getElementType())
    return op->emitOpError() << "expects elements of the pointee type " << pointer.getPointeeType() << ", but got "
                             << tile;
  if (pointers.getShape() != tile.getShape())
    return op->emitOpError() << "expects a tile of the pointers' shape, but got " << tile << " for " << pointers;
  auto maskType = mask ? dyn_cast<RankedTensorType>(mask.getType()) : RankedTensorType();
  if (mask &&
      (!maskType || maskType.getShape() != pointers.getShape() || maskType.getEncoding() != pointers.getEncoding()))
    return op->emitOpError() << "expects a mask of the pointers' shape and layout, but got " << mask.getType()
                             << " for " << pointers;
  return success();
}

LogicalResult AsyncLoadOp::verify() {
  return verifyAsyncPointers(*this, getPointer().getType(), getDestination().getType(), getMask());
}

//===----------------------------------------------------------------------===//
// Slices, products
//===----------------------------------------------------------------------===//

LogicalResult AsyncExtractSliceOp::verify() {
  return verifySlice(*this, getResult().getType(), getSource().getType(), getIndices().size());
}

AsyncDotOp as::startProduct(DotOp product) {
  OpBuilder builder(product);
  auto token = builder.getType<AsyncTokenType>();
  auto open =
      AsyncDotOp::create(builder, product.getLoc(), product.getType(), token, product.getA(), product.getB(),
                         product.getC(), product.getAtomAttr(), product.getSignednessAAttr(),
                         product.getSignednessBAttr(), product.getFastAccAttr(), product.getNegateAttr(),
                         /*cta_pair=*/UnitAttr(), /*overwrites=*/Value(), product.getScaleA(), product.getScaleB(),
                         /*scale_columns=*/Value(), product.getPackedAttr(), product.getPositiveScalesAttr());
  auto wait = AsyncFutureWaitOp::create(builder, product.getLoc(), open.getToken(), ValueRange(open.getResult()));
  product.replaceAllUsesWith(wait.getResults().front());
  product.erase();
  return open;
}

LogicalResult AsyncDotOp::verify() {
  ProductTypes types = {
      getA().getType(), getB().getType(), getC().getType(), getSignednessA().has_value(), getSignednessB().has_value(),
      getCtaPair()};
  if (failed(unpackOperands(*this, types)) || failed(verifyProduct(*this, types)) ||
      failed(verifyScales(*this, types, getScaleA(), getScaleB())))
    return failure();
  if (getScaleColumns() && !isBlockScaled())
    return emitOpError() << "names columns for scales, but has none";
  if (isBlockScaled() && getNegate())
    return emitOpError() << "is negated, which no MMA with scales is";
  if (getCtaPair() && !(isSharedTensor(types.a) && isSharedTensor(types.b) && isTensorMemoryTensor(types.c)))
    return emitOpError() << "is of a pair of CTAs, whose operands are in shared memory and whose accumulators are in "
                            "tensor memory, but got "
                         << types.a << ", " << types.b << " and " << types.c;
  if (isSharedTensor(getC().getType()))
    return emitOpError() << "expects its accumulator in registers or tensor memory, but got " << getC().getType();
  if (getOverwrites() && !isTensorMemoryTensor(getC().getType()))
    return emitOpError() << "overwrites its accumulator, which is not in tensor memory; one in registers "
                            "starts as zeros instead";
  return verifyProductLayouts(
      *this, getAtomAttr(),
      {{OperandAxis::A, getA().getType()}, {OperandAxis::B, getB().getType()}, {OperandAxis::C, types.c}});
}

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

LogicalResult as::verifyPending(Operation *op, std::optional<uint32_t> pending) {
  if (pending && !op->getParentOfType<LLVM::LLVMFuncOp>())
    return op->emitOpError()
           << "says how many operations may be pending, which 'tileas-resolve-tokens' finds in kernels; "
              "elsewhere only its token says what it waits for";
  return success();
}

LogicalResult AsyncWaitOp::verify() {
  return verifyPending(*this, getPending());
}

LogicalResult AsyncFutureWaitOp::verify() {
  return verifyPending(*this, getPending());
}

LogicalResult AsyncToAsyncOp::verify() {
  Type type = getResult().getType();
  if (type != getValue().getType() && !isa<AsyncTokenType>(type))
    return emitOpError() << "expects a result of the value's type or an async token, but got " << type;
  return success();
}
