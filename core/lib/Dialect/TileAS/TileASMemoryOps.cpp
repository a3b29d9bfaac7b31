//===- TileASMemoryOps.cpp - Memory access and output ---------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileVerification.h"
#include "mlir/IR/Builders.h"
#include "tileiras/Dialect/PrintFormat.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/TileAS.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::as;
using aa::MemSemantic;
using aa::PaddingValue;
using aa::RmwMode;

/// (`:` type)?, a memory token when unsaid.
static ParseResult parseNoneTokenType(OpAsmParser &parser, Type &type) {
  type = MemTokenType::get(parser.getContext());
  return succeeded(parser.parseOptionalColon()) ? parser.parseType(type) : success();
}

static void printNoneTokenType(OpAsmPrinter &printer, Operation *, Type type) {
  if (!isa<MemTokenType>(type))
    printer << ": " << type;
}

#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAS/TileASMemoryOps.cpp.inc"

void TileASDialect::registerMemoryOps() {
  addOperations<
#define GET_OP_LIST
#include "tileiras/Dialect/TileAS/TileASMemoryOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

static void addRead(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
}

static void addWrite(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get());
}

/// A load that orders other accesses must stay where it is, as if it wrote.
static void addLoadEffects(MemSemantic semantic, Effects &effects) {
  addRead(effects);
  if (semantic != MemSemantic::Weak)
    addWrite(effects);
}

void TiledLoadOp::getEffects(Effects &effects) {
  addLoadEffects(getMemSemantic(), effects);
}

void LoadOp::getEffects(Effects &effects) {
  addLoadEffects(getMemSemantic(), effects);
}

void TiledStoreOp::getEffects(Effects &effects) {
  addWrite(effects);
}

void StoreOp::getEffects(Effects &effects) {
  addWrite(effects);
}

void TiledAtomicRMWOp::getEffects(Effects &effects) {
  addRead(effects);
  addWrite(effects);
}

void AtomicRMWOp::getEffects(Effects &effects) {
  addRead(effects);
  addWrite(effects);
}

void AtomicCASOp::getEffects(Effects &effects) {
  addRead(effects);
  addWrite(effects);
}

void PrintOp::getEffects(Effects &effects) {
  addWrite(effects);
}

void CopyOp::getEffects(Effects &effects) {
  if (isMemoryTensor(getSource().getType()))
    effects.emplace_back(MemoryEffects::Read::get(), &getSourceMutable());
  if (getDestination())
    effects.emplace_back(MemoryEffects::Write::get(), &*getDestinationMutable().begin());
}

//===----------------------------------------------------------------------===//
// Memory order
//===----------------------------------------------------------------------===//

enum class AccessKind { Load, Store, Atomic };

static LogicalResult verifyToken(Operation *op, Value token, Value resultToken) {
  if (!token != !resultToken)
    return op->emitOpError() << "expects a token result exactly when there is a token operand";
  return success();
}

template <typename OpTy>
static LogicalResult verifyOrder(OpTy op, AccessKind kind) {
  MemSemantic semantic = op.getMemSemantic();
  bool weak = semantic == MemSemantic::Weak, atomic = kind == AccessKind::Atomic;
  if (weak && op.getMemScope())
    return op.emitOpError() << (atomic ? "memScope not supported when memSemantic is weak"
                                       : "mem_scope not supported when mem_semantic is weak");
  if (!weak && !op.getMemScope())
    return op.emitOpError() << (atomic ? "memScope required when memSemantic is not weak"
                                       : "mem_scope required when mem_semantic is not weak");
  bool supported = true;
  if (kind == AccessKind::Load)
    supported = semantic != MemSemantic::Release && semantic != MemSemantic::AcqRel;
  else if (kind == AccessKind::Store)
    supported = semantic != MemSemantic::Acquire && semantic != MemSemantic::AcqRel;
  if (!supported)
    return op.emitOpError() << "unsupported mem_semantic: " << aa::stringifyMemSemantic(semantic);
  return verifyToken(op, op.getToken(), op.getResultToken());
}

//===----------------------------------------------------------------------===//
// Access through views
//===----------------------------------------------------------------------===//

LogicalResult as::verifyViewTile(Operation *op, TiledViewType view, RankedTensorType tile) {
  if (view.getRank() != tile.getRank())
    return op->emitOpError() << "requires the same size for tileSize and tensor";
  if (view.getShape() != tile.getShape())
    return op->emitOpError() << "requires the same shape for tileSize and tensor value";
  return success();
}

/// Indices along the sparse dimension: each thread holds those of its elements of the tile.
static LogicalResult verifySparseCoordinate(Operation *op, Type type, RankedTensorType tile, unsigned dim) {
  auto indices = dyn_cast<RankedTensorType>(type);
  if (!indices || !isDistributedTensor(indices) || !indices.getElementType().isSignlessInteger() ||
      indices.getRank() != 1 || indices.getDimSize(0) != tile.getDimSize(dim))
    return op->emitOpError() << "expects a tile of " << tile.getDimSize(dim)
                             << " integers as coordinate of sparse dimension " << dim << ", but got " << type;
  if (!getRegisterMap(getLinearLayout(indices), getSlicedLayout(getLinearLayout(tile), dim)))
    return op->emitOpError() << "expects the indices of sparse dimension " << dim
                             << " in the threads that access their elements";
  return success();
}

static LogicalResult verifyCoordinates(Operation *op, TiledViewType view, RankedTensorType tile, OperandRange coords) {
  if (int64_t(coords.size()) != view.getRank())
    return op->emitOpError() << "expects " << view.getRank() << " coordinates, but got " << coords.size();
  Type coordType;
  for (auto [dim, type] : llvm::enumerate(coords.getTypes())) {
    if (int32_t(dim) == view.getSparseDim()) {
      if (failed(verifySparseCoordinate(op, type, tile, dim)))
        return failure();
      continue;
    }
    if (!type.isSignlessInteger() || (coordType && type != coordType))
      return op->emitOpError() << "expects CoordType is same as memref index type, but got " << type;
    coordType = type;
  }
  return success();
}

static LogicalResult verifyViewElementType(Operation *op, TiledViewType view, RankedTensorType tile) {
  if (view.getElementType() == tile.getElementType())
    return success();
  return op->emitOpError() << "view elementType not equal with tensor element type: " << view.getElementType()
                           << " != " << tile.getElementType();
}

static LogicalResult verifyInBounds(Operation *op, TiledViewType view, size_t numInBounds) {
  if (int64_t(numInBounds) == view.getRank())
    return success();
  return op->emitOpError() << "incorrect number of in_bounds elements: expected " << view.getRank() << ", but found "
                           << numInBounds;
}

LogicalResult as::verifyViewElements(Operation *op, TiledViewType view, RankedTensorType tile, size_t numInBounds) {
  if (failed(verifyViewElementType(op, view, tile)))
    return failure();
  return verifyInBounds(op, view, numInBounds);
}

template <typename OpTy>
static LogicalResult verifyTiledAccess(OpTy op, RankedTensorType tile, AccessKind kind) {
  TiledViewType view = op.getView().getType();
  if (failed(verifyViewTile(op, view, tile)) || failed(verifyCoordinates(op, view, tile, op.getCoords())) ||
      failed(verifyViewElementType(op, view, tile)) || failed(verifyOrder(op, kind)))
    return failure();
  return verifyInBounds(op, view, op.getInBounds().size());
}

LogicalResult as::verifyPadding(Operation *op, Type element, ArrayRef<bool> inBounds,
                                std::optional<PaddingValue> padding) {
  bool allInBounds = llvm::all_of(inBounds, [](bool value) { return value; });
  if (!allInBounds && !padding)
    return op->emitOpError() << "inbounds must be true when paddingValue is not set";
  if (allInBounds && padding)
    return op->emitOpError() << "inbounds must be false when paddingValue is set";
  if (padding && *padding != PaddingValue::Zero && !isa<FloatType>(element))
    return op->emitOpError()
           << "special padding values (nan, pos_inf, neg_inf, neg_zero) only for float-like element types";
  return success();
}

LogicalResult TiledLoadOp::verify() {
  RankedTensorType tile = getResult().getType();
  if (failed(verifyTiledAccess(*this, tile, AccessKind::Load)))
    return failure();
  return verifyPadding(*this, tile.getElementType(), getInBounds(), getPaddingValue());
}

LogicalResult TiledStoreOp::verify() {
  return verifyTiledAccess(*this, getValue().getType(), AccessKind::Store);
}

LogicalResult as::verifyTiledRmw(Operation *op, Type element, RmwMode mode) {
  unsigned bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  if (bits == 8)
    return op->emitOpError() << "tiled_atomic_rmw not supported for 8-bit types";
  if (bits == 16 && isa<IntegerType>(element))
    return op->emitOpError() << "tiled_atomic_rmw not supported for 16-bit integer";
  if (mode == RmwMode::AddF)
    return op->emitOpError()
           << "tiled_atomic_rmw op cannot use fadd operation, please use add instead for both int and float types";
  if (mode == RmwMode::Xchg)
    return op->emitOpError() << "tiled_atomic_rmw op cannot use xchg operation";
  if (bits == 16 && !llvm::is_contained({RmwMode::Add, RmwMode::Max, RmwMode::Min}, mode))
    return op->emitOpError() << "tiled_atomic_rmw for 16-bit float only supports add, max, min operations";
  return success();
}

LogicalResult TiledAtomicRMWOp::verify() {
  RankedTensorType tile = getValue().getType();
  if (failed(verifyTiledAccess(*this, tile, AccessKind::Atomic)) ||
      failed(verifyTiledRmw(*this, tile.getElementType(), getRmwMode())))
    return failure();
  if (getResult() && getResult().getType() != tile)
    return emitOpError() << "expects a result of the value's type";
  return success();
}

//===----------------------------------------------------------------------===//
// Access through pointers
//===----------------------------------------------------------------------===//

/// Both scalars, or tensors of one shape and layout.
static bool haveSameDistribution(Type lhs, Type rhs) {
  auto lhsTensor = dyn_cast<RankedTensorType>(lhs), rhsTensor = dyn_cast<RankedTensorType>(rhs);
  if (!lhsTensor || !rhsTensor)
    return !lhsTensor && !rhsTensor;
  return lhsTensor.getShape() == rhsTensor.getShape() && lhsTensor.getEncoding() == rhsTensor.getEncoding();
}

/// `values` have the pointee type and, like the mask, the pointers' shape and layout. Absent values are null.
static LogicalResult verifyPointerAccess(Operation *op, Type pointers, ArrayRef<Value> values, Value mask) {
  auto pointer = dyn_cast<aa::PtrType>(getElementTypeOrSelf(pointers));
  if (!pointer)
    return op->emitOpError() << "expects pointers, but got " << pointers;
  for (Value value : values) {
    if (!value)
      continue;
    if (getElementTypeOrSelf(value) != pointer.getPointeeType())
      return op->emitOpError() << "expects elements of the pointee type " << pointer.getPointeeType() << ", but got "
                               << value.getType();
    if (!haveSameDistribution(pointers, value.getType()))
      return op->emitOpError() << "expects values of the pointers' shape and layout, but got " << value.getType()
                               << " for " << pointers;
  }
  if (mask && !haveSameDistribution(pointers, mask.getType()))
    return op->emitOpError() << "expects a mask of the pointers' shape and layout, but got " << mask.getType()
                             << " for " << pointers;
  return success();
}

/// Promises are powers of two, one for each dimension, along one dimension at a time.
template <typename OpTy>
static LogicalResult verifyContiguity(OpTy op) {
  std::optional<ArrayRef<int64_t>> contiguity = op.getContiguity();
  if (!contiguity)
    return success();
  auto tile = dyn_cast<RankedTensorType>(op.getPointer().getType());
  if (!tile || tile.getRank() != int64_t(contiguity->size()))
    return op.emitOpError() << "expects a contiguity for each dimension of the pointers";
  for (auto [run, extent] : llvm::zip_equal(*contiguity, tile.getShape()))
    if (run < 1 || run > extent || !llvm::isPowerOf2_64(run))
      return op.emitOpError() << "expects a contiguity that is a power of two in 1.." << extent << ", but got " << run;
  if (llvm::count_if(*contiguity, [](int64_t run) { return run != 1; }) > 1)
    return op.emitOpError() << "expects a contiguity above 1 along one dimension only";
  return success();
}

LogicalResult LoadOp::verify() {
  if (getOther() && !getMask())
    return emitOpError() << "expects a mask along with 'other'";
  if (failed(verifyContiguity(*this)) ||
      failed(verifyPointerAccess(*this, getPointer().getType(), {getResult(), getOther()}, getMask())))
    return failure();
  return verifyOrder(*this, AccessKind::Load);
}

LogicalResult StoreOp::verify() {
  if (failed(verifyContiguity(*this)) ||
      failed(verifyPointerAccess(*this, getPointer().getType(), {getValue()}, getMask())))
    return failure();
  return verifyOrder(*this, AccessKind::Store);
}

LogicalResult AtomicRMWOp::verify() {
  if (failed(verifyPointerAccess(*this, getPointer().getType(), {getValue(), getResult()}, getMask())))
    return failure();
  return verifyOrder(*this, AccessKind::Atomic);
}

LogicalResult AtomicCASOp::verify() {
  if (failed(verifyPointerAccess(*this, getPointer().getType(), {getCompare(), getValue(), getResult()}, getMask())))
    return failure();
  return verifyOrder(*this, AccessKind::Atomic);
}

//===----------------------------------------------------------------------===//
// Tokens and output
//===----------------------------------------------------------------------===//

LogicalResult JoinMemTokenOp::verify() {
  if (getTokens().empty())
    return emitOpError("expects a token or more; use 'nv_tileas.create_none' for one that nothing comes before");
  return success();
}

OpFoldResult JoinMemTokenOp::fold(FoldAdaptor) {
  return getTokens().size() == 1 ? OpFoldResult(getTokens().front()) : OpFoldResult();
}

LogicalResult PrintOp::verify() {
  if (failed(verifyPrintFormat(*this, getFormat(), getArgs(),
                               [](Type type) { return isa<aa::PtrType>(getElementTypeOrSelf(type)); })))
    return failure();
  return verifyToken(*this, getToken(), getResultToken());
}

//===----------------------------------------------------------------------===//
// Shared and tensor memory
//===----------------------------------------------------------------------===//

/// What `copy` reads begins at `origin` of a tile in memory.
static LogicalResult verifyPart(CopyOp copy, ArrayRef<int64_t> origin) {
  if (copy.getDestination() || copy.getAtomPlan() || !isSharedTensor(copy.getSource().getType()))
    return copy.emitOpError()
           << "expects a tile in shared memory and a result, without a plan, where 'at' names a part";
  RankedTensorType whole = copy.getSource().getType(), part = copy.getResult().getType();
  auto isInside = [](auto all) {
    auto [first, extent, size] = all;
    return first >= 0 && first % extent == 0 && first + extent <= size;
  };
  if (whole.getElementType() != part.getElementType() || whole.getRank() != part.getRank() ||
      int64_t(origin.size()) != whole.getRank() ||
      !llvm::all_of(llvm::zip_equal(origin, part.getShape(), whole.getShape()), isInside))
    return copy.emitOpError() << "expects 'at' a multiple of the result's extents for each dimension, inside of the "
                                 "tile, but got ["
                              << origin << "] for " << part << " of " << whole;
  return success();
}

LogicalResult CopyOp::verify() {
  if (!getDestination() == !getResult())
    return emitOpError() << "expects either a destination or a result";
  RankedTensorType source = getSource().getType();
  RankedTensorType target = getDestination() ? getDestination().getType() : getResult().getType();
  if (!isDistributedTensor(source) && !isMemoryTensor(source))
    return emitOpError() << "expects a source in registers or memory, but got " << source;
  if (getResult() && !isMemoryTensor(source))
    return emitOpError() << "from registers to registers is 'nv_tileas.convert_layout'";
  if (getOrigin())
    return verifyPart(*this, *getOrigin());
  if (source.getShape() != target.getShape() || source.getElementType() != target.getElementType())
    return emitOpError() << "expects one shape and element type, but got " << source << " and " << target;
  if (getAtomPlan() && (getDestination() || getAtomPlan()->getTag() != 1))
    return emitOpError()
           << "expects a plan only where it reads a tile back, with tag 1: from registers to registers is "
              "'nv_tileas.convert_layout'";
  if (getAtomPlan() && getAtomPlan()->getSmem() != source.getEncoding())
    return emitOpError() << "expects a plan for the layout of its source, but got " << *getAtomPlan() << " for "
                         << source;
  return success();
}
