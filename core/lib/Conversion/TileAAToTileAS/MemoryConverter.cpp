//===- MemoryConverter.cpp - Memory access and output in nv_tileas --------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "tileiras/Dialect/TileAA/Contiguity.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"

using namespace mlir;
using namespace tileiras;

static StringAttr getUniversalCopy(OpBuilder &builder) {
  return builder.getStringAttr(as::kUniversalCopy);
}

//===----------------------------------------------------------------------===//
// Through views
//===----------------------------------------------------------------------===//

SmallVector<Value> FunctionConverter::getCoordinates(OperandRange coordinates, Value tile, Attribute layout) {
  // Scalars are brought to one type, the widest.
  unsigned bits = 0;
  for (Type type : coordinates.getTypes())
    if (type.isInteger())
      bits = std::max(bits, type.getIntOrFloatBitWidth());
  SmallVector<Value> result;
  for (auto [dim, coordinate] : llvm::enumerate(coordinates)) {
    if (isa<RankedTensorType>(coordinate.getType())) {
      LinearLayout sliced = as::getSlicedLayout(toLinear(layout, tile), dim);
      result.push_back(values.get(builder, coordinate, layouts.encode(sliced)));
      continue;
    }
    Value scalar = values.get(builder, coordinate);
    if (scalar.getType().getIntOrFloatBitWidth() < bits)
      scalar = arith::ExtSIOp::create(builder, scalar.getLoc(), builder.getIntegerType(bits), scalar);
    result.push_back(scalar);
  }
  return result;
}

/// One flag for each dimension of the memref; unsaid means no.
template <typename OpTy>
static SmallVector<bool> getInBounds(OpTy op) {
  if (std::optional<ArrayRef<bool>> flags = op.getInBounds())
    return SmallVector<bool>(*flags);
  return SmallVector<bool>(op.getView().getType().getRank(), false);
}

LogicalResult FunctionConverter::convertTiledLoad(aa::TiledLoadOp op) {
  Attribute layout = layouts.getAccessLayout(op);
  SmallVector<bool> inBounds = getInBounds(op);
  aa::PaddingValueAttr padding;
  if (llvm::is_contained(inBounds, false))
    padding = aa::PaddingValueAttr::get(op.getContext(), op.getView().getType().getPaddingOrZero());
  return replace(op, as::TiledLoadOp::create(
                         builder, op.getLoc(), TileValues::convertType(op.getValue().getType(), layout),
                         getTokenType(op.getResultToken()), values.get(builder, op.getView()),
                         getCoordinates(op.getCoordinates(), op.getValue(), layout), getToken(op.getToken()),
                         op.getMemSemanticAttr(), op.getMemScopeAttr(), builder.getDenseBoolArrayAttr(inBounds),
                         padding, op.getCacheAttr(), op.getEvictAttr(), getUniversalCopy(builder)));
}

LogicalResult FunctionConverter::convertTiledStore(aa::TiledStoreOp op) {
  Attribute layout = layouts.getAccessLayout(op);
  return replace(op, as::TiledStoreOp::create(
                         builder, op.getLoc(), getTokenType(op.getResultToken()), values.get(builder, op.getView()),
                         values.get(builder, op.getValue(), layout),
                         getCoordinates(op.getCoordinates(), op.getValue(), layout), getToken(op.getToken()),
                         op.getMemSemanticAttr(), op.getMemScopeAttr(), builder.getDenseBoolArrayAttr(getInBounds(op)),
                         op.getCacheAttr(), op.getEvictAttr(), getUniversalCopy(builder)));
}

LogicalResult FunctionConverter::convertTiledAtomic(aa::TiledAtomicRMWOp op) {
  Attribute layout = layouts.getAccessLayout(op);
  // Here `add` adds what the element type says.
  aa::RmwMode mode = op.getMode() == aa::RmwMode::AddF ? aa::RmwMode::Add : op.getMode();
  Operation *now = as::TiledAtomicRMWOp::create(
      builder, op.getLoc(), /*result=*/Type(), getTokenType(op.getResultToken()), values.get(builder, op.getView()),
      values.get(builder, op.getValue(), layout), getCoordinates(op.getCoordinates(), op.getValue(), layout),
      getToken(op.getToken()), aa::RmwModeAttr::get(op.getContext(), mode), op.getMemSemanticAttr(),
      op.getMemScopeAttr(), builder.getDenseBoolArrayAttr(getInBounds(op)), getUniversalCopy(builder));
  return replace(op, now);
}

//===----------------------------------------------------------------------===//
// Through pointers
//===----------------------------------------------------------------------===//

Value FunctionConverter::getBeside(Value operand, Attribute layout) {
  if (!operand)
    return {};
  return isa<RankedTensorType>(operand.getType()) ? values.get(builder, operand, layout) : values.get(builder, operand);
}

/// Null where nothing is known, or where every element is an access of its own.
template <typename OpTy>
static DenseI64ArrayAttr getContiguity(OpTy op) {
  aa::PointerRun run = aa::getPointerRun(op.getBase(), op.getMask());
  if (run.elements == 1 || op.getMemSemantic() != aa::MemSemantic::Weak)
    return {};
  SmallVector<int64_t> contiguity(cast<RankedTensorType>(op.getBase().getType()).getRank(), 1);
  contiguity[run.dim] = run.elements;
  return DenseI64ArrayAttr::get(op.getContext(), contiguity);
}

LogicalResult FunctionConverter::convertLoad(aa::LoadOp op) {
  Attribute layout = layouts.getAccessLayout(op);
  return replace(op, as::LoadOp::create(builder, op.getLoc(), TileValues::convertType(op.getValue().getType(), layout),
                                        getTokenType(op.getResultToken()), getBeside(op.getBase(), layout),
                                        getBeside(op.getMask(), layout), getBeside(op.getOther(), layout),
                                        getToken(op.getToken()), op.getMemSemanticAttr(), op.getMemScopeAttr(),
                                        op.getCacheAttr(), op.getEvictAttr(), getContiguity(op),
                                        getUniversalCopy(builder)));
}

LogicalResult FunctionConverter::convertStore(aa::StoreOp op) {
  Attribute layout = layouts.getAccessLayout(op);
  return replace(op, as::StoreOp::create(builder, op.getLoc(), getTokenType(op.getResultToken()),
                                         getBeside(op.getBase(), layout), getBeside(op.getValue(), layout),
                                         getBeside(op.getMask(), layout), getToken(op.getToken()),
                                         op.getMemSemanticAttr(), op.getMemScopeAttr(), op.getCacheAttr(),
                                         op.getEvictAttr(), getContiguity(op), getUniversalCopy(builder)));
}

LogicalResult FunctionConverter::convertAtomicRMW(aa::AtomicRMWOp op) {
  Attribute layout = layouts.getAccessLayout(op);
  return replace(op, as::AtomicRMWOp::create(
                         builder, op.getLoc(), TileValues::convertType(op.getResult().getType(), layout),
                         getTokenType(op.getResultToken()), getBeside(op.getBase(), layout),
                         getBeside(op.getValue(), layout), getBeside(op.getMask(), layout), getToken(op.getToken()),
                         op.getModeAttr(), op.getMemSemanticAttr(), op.getMemScopeAttr()));
}

LogicalResult FunctionConverter::convertAtomicCAS(aa::AtomicCASOp op) {
  Attribute layout = layouts.getAccessLayout(op);
  return replace(op, as::AtomicCASOp::create(builder, op.getLoc(),
                                             TileValues::convertType(op.getResult().getType(), layout),
                                             getTokenType(op.getResultToken()), getBeside(op.getBase(), layout),
                                             getBeside(op.getCmp(), layout), getBeside(op.getValue(), layout),
                                             getBeside(op.getMask(), layout), getToken(op.getToken()),
                                             op.getMemSemanticAttr(), op.getMemScopeAttr()));
}

//===----------------------------------------------------------------------===//
// Order and output
//===----------------------------------------------------------------------===//

/// Fences and dependent launches keep their place in the program without tokens; what is ordered after them is ordered
/// after what they were.
LogicalResult FunctionConverter::convertOrdering(Operation *op) {
  OperationState state(op->getLoc(), op->getName());
  builder.create(state);
  SmallVector<Value> before;
  for (Value token : op->getOperands())
    before.push_back(getToken(token));
  for (Value token : op->getResults())
    values.set(token, before.empty() ? Value(as::CreateNoneOp::create(builder, op->getLoc()))
                                     : Value(as::JoinMemTokenOp::create(builder, op->getLoc(), before)));
  return success();
}

LogicalResult FunctionConverter::convertPrint(aa::PrintOp op) {
  SmallVector<Value> args;
  for (Value arg : op.getArgs())
    args.push_back(values.getAny(builder, arg));
  return replace(op, as::PrintOp::create(builder, op.getLoc(), getTokenType(op.getResultToken()), op.getFormatAttr(),
                                         args, getToken(op.getToken())));
}
