//===- ViewOps.cpp - Views of memory --------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AsmHooks.h"
#include "MemoryVerification.h"

using namespace mlir;
using namespace tileiras::cuda_tile;

#define GET_OP_CLASSES
#include "tileiras/Dialect/CudaTile/CudaTileViewOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Names of results
//===----------------------------------------------------------------------===//

void MakeTensorViewOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "tview");
}
void MakePartitionViewOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "pview");
}
void MakeStridedViewOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "sview");
}
void MakeGatherScatterViewOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getResult(), "gsview");
}

//===----------------------------------------------------------------------===//
// MakeTensorViewOp
//===----------------------------------------------------------------------===//

namespace {
/// Sizes or strides as written: numbers, and operands where the number is dynamic.
struct MixedList {
  llvm::SMLoc loc;
  SmallVector<int64_t> values;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
};
} // namespace

/// Reads `keyword = [4, %n]`.
static ParseResult parseMixedList(OpAsmParser &parser, StringRef keyword, MixedList &list) {
  auto parseMember = [&]() -> ParseResult {
    int64_t number;
    OptionalParseResult parsed = parser.parseOptionalInteger(number);
    if (parsed.has_value()) {
      list.values.push_back(number);
      return *parsed;
    }
    list.values.push_back(ShapedType::kDynamic);
    return parser.parseOperand(list.operands.emplace_back());
  };
  if (parser.parseKeyword(keyword) || parser.parseEqual())
    return failure();
  list.loc = parser.getCurrentLocation();
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, parseMember);
}

static ParseResult checkMixedList(OpAsmParser &parser, StringRef keyword, const MixedList &list,
                                  ArrayRef<int64_t> expected) {
  if (ArrayRef(list.values) == expected)
    return success();
  InFlightDiagnostic diagnostic = parser.emitError(list.loc) << keyword << " must be [";
  llvm::interleaveComma(expected, diagnostic, [&](int64_t value) {
    if (ShapedType::isDynamic(value))
      diagnostic << "an operand";
    else
      diagnostic << value;
  });
  return diagnostic << "] as in the type";
}

ParseResult MakeTensorViewOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::UnresolvedOperand base;
  MixedList shape, strides;
  Type operandType, resultType;
  if (parser.parseOperand(base) || parser.parseComma() || parseMixedList(parser, "shape", shape) ||
      parser.parseComma() || parseMixedList(parser, "strides", strides) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColon())
    return failure();
  if ((!shape.operands.empty() || !strides.operands.empty()) &&
      (parseShortType(parser, operandType) || parser.parseArrow()))
    return failure();
  llvm::SMLoc typeLoc = parser.getCurrentLocation();
  if (parseShortType(parser, resultType))
    return failure();
  auto view = dyn_cast<TensorViewType>(resultType);
  if (!view)
    return parser.emitError(typeLoc, "expected a tensor_view, got ") << resultType;
  if (checkMixedList(parser, "shape", shape, view.getShape()) ||
      checkMixedList(parser, "strides", strides, view.getStrides()))
    return failure();

  auto pointer = PointerType::get(view.getContext(), view.getElementType(), view.getPtrAttr());
  if (parser.resolveOperand(base, TileType::get({}, pointer), result.operands) ||
      parser.resolveOperands(shape.operands, operandType, result.operands) ||
      parser.resolveOperands(strides.operands, operandType, result.operands))
    return failure();
  result.getOrAddProperties<Properties>().operandSegmentSizes = {1, static_cast<int32_t>(shape.operands.size()),
                                                                 static_cast<int32_t>(strides.operands.size())};
  result.addTypes(view);
  return success();
}

static void printMixedList(OpAsmPrinter &printer, ArrayRef<int64_t> values, ValueRange operands) {
  auto operand = operands.begin();
  printer << '[';
  llvm::interleaveComma(values, printer, [&](int64_t value) {
    if (ShapedType::isDynamic(value))
      printer << *operand++;
    else
      printer << value;
  });
  printer << ']';
}

void MakeTensorViewOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getBase() << ", shape = ";
  printMixedList(printer, getType().getShape(), getDynamicShape());
  printer << ", strides = ";
  printMixedList(printer, getType().getStrides(), getDynamicStrides());
  printer.printOptionalAttrDict(llvm::to_vector((*this)->getDiscardableAttrs()));
  printer << " : ";
  if (getNumOperands() > 1) {
    printShortType(printer, getOperand(1).getType());
    printer << " -> ";
  }
  printShortType(printer, getType());
}

LogicalResult MakeTensorViewOp::verify() {
  TensorViewType view = getType();
  auto pointer = cast<PointerType>(getBase().getType().getElementType());
  if (pointer.getPointeeType() != view.getElementType())
    return emitOpError("base points to ")
           << pointer.getPointeeType() << ", the view has elements of " << view.getElementType();
  if (static_cast<int64_t>(getDynamicShape().size()) != view.getNumDynamicSizes())
    return emitOpError("needs ") << view.getNumDynamicSizes() << " sizes, got " << getDynamicShape().size();
  if (static_cast<int64_t>(getDynamicStrides().size()) != view.getNumDynamicStrides())
    return emitOpError("needs ") << view.getNumDynamicStrides() << " strides, got " << getDynamicStrides().size();
  if (!llvm::all_equal(llvm::drop_begin(getOperandTypes())))
    return emitOpError("needs sizes and strides of one type, got ") << TypeRange(getOperandTypes()).drop_front();
  return success();
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

static LogicalResult verifySizes(Operation *op, size_t rank) {
  if (op->getNumResults() != rank)
    return op->emitOpError("has ") << op->getNumResults() << " results for " << rank << " dimensions";
  if (!llvm::all_equal(op->getResultTypes()))
    return op->emitOpError("needs results of one type, got ") << op->getResultTypes();
  return success();
}

LogicalResult GetTensorShapeOp::verify() {
  return verifySizes(*this, getSrc().getType().getRank());
}
LogicalResult GetIndexSpaceShapeOp::verify() {
  return verifySizes(*this, getSrc().getType().getViewIndexRank());
}

//===----------------------------------------------------------------------===//
// Access through views
//===----------------------------------------------------------------------===//

/// The tile must be the view's, and there must be an index of the right shape for each dimension.
static LogicalResult verifyAccess(Operation *op, TileViewInterface view, TileType tile, OperandRange indices) {
  if (tile != view.getViewTileType())
    return op->emitOpError("transfers ") << tile << ", but the view has tiles of type " << view.getViewTileType();
  if (indices.size() != view.getViewIndexRank())
    return op->emitOpError("has ") << indices.size() << " indices, but the view takes " << view.getViewIndexRank();
  Type elementType = cast<TileType>(indices.front().getType()).getElementType();
  for (auto [dim, index] : llvm::enumerate(indices)) {
    auto expected = TileType::get(view.getIndexShape(dim), elementType);
    if (index.getType() != expected)
      return op->emitOpError("index ") << dim << " must be " << expected << ", got " << index.getType();
  }
  return success();
}

/// There is a promise for every index, or none.
static LogicalResult verifyInbounds(Operation *op, ArrayRef<bool> inbounds, size_t numIndices) {
  if (!inbounds.empty() && inbounds.size() != numIndices)
    return op->emitOpError("has ") << inbounds.size() << " inbounds flags for " << numIndices << " indices";
  return success();
}

void LoadViewTkoOp::getEffects(MemoryEffectList &effects) {
  addAccessEffects(effects, getMemoryOrderingSemantics(), /*reads=*/true, /*writes=*/false);
}

LogicalResult LoadViewTkoOp::verify() {
  if (failed(verifyAccess(*this, getView().getType(), getTile().getType(), getIndex())) ||
      failed(verifyInbounds(*this, getInbounds(), getIndex().size())))
    return failure();
  return verifyLoadOrder(*this, getMemoryOrderingSemantics(), getMemoryScope());
}

void StoreViewTkoOp::getEffects(MemoryEffectList &effects) {
  addAccessEffects(effects, getMemoryOrderingSemantics(), /*reads=*/false, /*writes=*/true);
}

LogicalResult StoreViewTkoOp::verify() {
  if (failed(verifyAccess(*this, getView().getType(), getTile().getType(), getIndex())) ||
      failed(verifyInbounds(*this, getInbounds(), getIndex().size())))
    return failure();
  return verifyStoreOrder(*this, getMemoryOrderingSemantics(), getMemoryScope());
}

void AtomicRedViewTkoOp::getEffects(MemoryEffectList &effects) {
  addAccessEffects(effects, getMemoryOrderingSemantics(), /*reads=*/true, /*writes=*/true);
}

LogicalResult AtomicRedViewTkoOp::verify() {
  if (getMode() == AtomicRMWMode::XCHG)
    return emitOpError("cannot use xchg operation: it has no result for what was there");
  if (failed(verifyAccess(*this, getView().getType(), getValue().getType(), getIndex())) ||
      failed(verifyAtomicMode(*this, getMode(), getValue().getType().getElementType())))
    return failure();
  return verifyAtomicOrder(*this, getMemoryOrderingSemantics());
}
