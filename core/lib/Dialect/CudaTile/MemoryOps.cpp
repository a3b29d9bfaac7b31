//===- MemoryOps.cpp - Pointers and memory --------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AsmHooks.h"
#include "MemoryVerification.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace tileiras::cuda_tile;

/// Whether `pointers` is a tile of pointers to elements of `values`, of the same shape.
static bool pointsTo(Type pointers, Type values) {
  auto pointerTile = cast<TileType>(pointers), valueTile = cast<TileType>(values);
  return pointerTile.getShape() == valueTile.getShape() &&
         cast<PointerType>(pointerTile.getElementType()).getPointeeType() == valueTile.getElementType();
}

#define GET_OP_CLASSES
#include "tileiras/Dialect/CudaTile/CudaTileMemoryOps.cpp.inc"

//===----------------------------------------------------------------------===//
// What memory accesses share
//===----------------------------------------------------------------------===//

void tileiras::cuda_tile::addAccessEffects(MemoryEffectList &effects, MemoryOrderingSemantics order, bool reads,
                                           bool writes) {
  if (reads)
    effects.emplace_back(MemoryEffects::Read::get());
  if (writes || order != MemoryOrderingSemantics::WEAK)
    effects.emplace_back(MemoryEffects::Write::get());
}

static LogicalResult verifyOrder(Operation *op, MemoryOrderingSemantics order, std::optional<MemoryScope> scope,
                                 MemoryOrderingSemantics strongest) {
  using enum MemoryOrderingSemantics;
  if (order != WEAK && order != RELAXED && order != strongest)
    return op->emitOpError("must be weak, relaxed or ") << stringifyEnum(strongest) << ", not " << stringifyEnum(order);
  if (order == WEAK && scope)
    return op->emitOpError("that is weak has no memory scope");
  if (order != WEAK && !scope)
    return op->emitOpError("that is ") << stringifyEnum(order) << " needs a memory scope";
  return success();
}

LogicalResult tileiras::cuda_tile::verifyLoadOrder(Operation *op, MemoryOrderingSemantics order,
                                                   std::optional<MemoryScope> scope) {
  return verifyOrder(op, order, scope, MemoryOrderingSemantics::ACQUIRE);
}

LogicalResult tileiras::cuda_tile::verifyStoreOrder(Operation *op, MemoryOrderingSemantics order,
                                                    std::optional<MemoryScope> scope) {
  return verifyOrder(op, order, scope, MemoryOrderingSemantics::RELEASE);
}

LogicalResult tileiras::cuda_tile::verifyAtomicOrder(Operation *op, MemoryOrderingSemantics order) {
  if (order == MemoryOrderingSemantics::WEAK)
    return op->emitOpError("must be relaxed, acquire, release or acq_rel, not weak");
  return success();
}

LogicalResult tileiras::cuda_tile::verifyAtomicMode(Operation *op, AtomicRMWMode mode, Type elementType) {
  bool isFloat = isa<FloatType>(elementType);
  unsigned width = elementType.getIntOrFloatBitWidth();
  bool isWord = width == 32 || width == 64;
  switch (mode) {
  case AtomicRMWMode::ADDF:
    if (elementType.isF16() || elementType.isBF16() || elementType.isF32() || elementType.isF64())
      return success();
    return op->emitOpError("addf needs f16, bf16, f32 or f64, got ") << elementType;
  case AtomicRMWMode::XCHG:
    if (isWord)
      return success();
    return op->emitOpError("xchg needs elements of 32 or 64 bits, got ") << elementType;
  default:
    if (!isFloat && isWord)
      return success();
    return op->emitOpError() << stringifyEnum(mode) << " needs i32 or i64, got " << elementType;
  }
}

static LogicalResult verifyMask(Operation *op, Value mask, Type values) {
  if (mask && cast<TileType>(mask.getType()).getShape() != cast<TileType>(values).getShape())
    return op->emitOpError("mask ") << mask.getType() << " does not have the shape of " << values;
  return success();
}

//===----------------------------------------------------------------------===//
// Tokens and pointers
//===----------------------------------------------------------------------===//

LogicalResult JoinTokensOp::verify() {
  if (getTokens().size() < 2)
    return emitOpError("joins two tokens or more, got ") << getTokens().size();
  return success();
}

LogicalResult GetGlobalOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto global = symbols.lookupNearestSymbolFrom<GlobalOp>(*this, getNameAttr());
  if (!global)
    return emitOpError("refers to '") << getName() << "', which is no global";
  Type element = cast<ShapedType>(global.getValue().getType()).getElementType();
  Type pointee = cast<PointerType>(getType().getElementType()).getPointeeType();
  if (element != pointee)
    return emitOpError("points to ") << pointee << ", but global '" << getName() << "' has elements of " << element;
  return success();
}

LogicalResult AllocaOp::verify() {
  Type pointee = cast<PointerType>(getType().getElementType()).getPointeeType();
  int64_t size = llvm::divideCeil(pointee.getIntOrFloatBitWidth(), 8);
  if (getAlignment() <= 0 || !llvm::isPowerOf2_64(getAlignment()))
    return emitOpError("alignment must be a power of two, got ") << static_cast<int64_t>(getAlignment());
  if (static_cast<int64_t>(getAlignment()) < size)
    return emitOpError("alignment ") << getAlignment() << " is below the " << size << " bytes of " << pointee;
  return success();
}

LogicalResult AssumeOp::verify() {
  return getPredicate().verifyAssumption(getType(), [this] { return emitOpError(); });
}

void AssumeOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  // An assumption is named after what it is about: assume_<name>, or assume_assume_… for assumptions about it.
  std::string name = "assume";
  Value about = getValue();
  constexpr unsigned kMaxDepth = 32;
  for (unsigned depth = 0; depth < kMaxDepth; ++depth) {
    auto inner = about.getDefiningOp<AssumeOp>();
    if (!inner)
      break;
    name += "_assume";
    about = inner.getValue();
  }
  if (auto producer = dyn_cast_or_null<OpAsmOpInterface>(about.getDefiningOp())) {
    name += '_';
    producer.getAsmResultNames([&](Value value, StringRef valueName) {
      if (value == about)
        name += valueName;
    });
  }
  setName(getResult(), name);
}

//===----------------------------------------------------------------------===//
// Access through pointers
//===----------------------------------------------------------------------===//

void LoadPtrTkoOp::getEffects(MemoryEffectList &effects) {
  addAccessEffects(effects, getMemoryOrderingSemantics(), /*reads=*/true, /*writes=*/false);
}

ParseResult LoadPtrTkoOp::parse(OpAsmParser &parser, OperationState &result) {
  Properties &properties = result.getOrAddProperties<Properties>();
  OpAsmParser::UnresolvedOperand source, token;
  SmallVector<OpAsmParser::UnresolvedOperand, 2> extras;
  if (parseMemoryOrder(parser, properties.memory_ordering_semantics, properties.memory_scope) ||
      parser.parseOperand(source))
    return failure();
  while (extras.size() < 2 && succeeded(parser.parseOptionalComma()))
    if (parser.parseOperand(extras.emplace_back()))
      return failure();
  bool hasToken = succeeded(parser.parseOptionalKeyword("token"));
  if (hasToken && (parser.parseEqual() || parser.parseOperand(token)))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("optimization_hints"))) {
    if (parser.parseEqual() || !(properties.optimization_hints =
                                     cast_or_null<OptimizationHintsAttr>(OptimizationHintsAttr::parse(parser, {}))))
      return failure();
  }

  Type sourceType;
  SmallVector<Type, 2> extraTypes(extras.size()), resultTypes(2);
  if (parser.parseOptionalAttrDict(result.attributes) || parser.parseColon() || parseShortType(parser, sourceType))
    return failure();
  for (Type &type : extraTypes)
    if (parser.parseComma() || parseShortType(parser, type))
      return failure();
  if (parser.parseArrow() || parseShortType(parser, resultTypes[0]) || parser.parseComma() ||
      parseShortType(parser, resultTypes[1]) || parser.resolveOperand(source, sourceType, result.operands) ||
      parser.resolveOperands(extras, extraTypes, parser.getNameLoc(), result.operands) ||
      (hasToken && parser.resolveOperand(token, TokenType::get(parser.getContext()), result.operands)))
    return failure();

  auto first = extraTypes.empty() ? TileType() : dyn_cast<TileType>(extraTypes.front());
  bool hasMask = extras.size() == 2 || (first && first.getElementType().isInteger(1));
  properties.operandSegmentSizes = {1, hasMask, static_cast<int>(extras.size()) - hasMask, hasToken};
  result.addTypes(resultTypes);
  return success();
}

void LoadPtrTkoOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printMemoryOrder(printer, *this, getMemoryOrderingSemanticsAttr(), getMemoryScopeAttr());
  printer << ' ' << getSource();
  for (Value extra : {getMask(), getPaddingValue()})
    if (extra)
      printer << ", " << extra;
  if (getToken())
    printer << " token=" << getToken();
  if (OptimizationHintsAttr hints = getOptimizationHintsAttr()) {
    printer << " optimization_hints = ";
    hints.print(printer);
  }
  printer.printOptionalAttrDict(llvm::to_vector((*this)->getDiscardableAttrs()));
  printer << " : ";
  printShortType(printer, getSource().getType());
  for (Value extra : {getMask(), getPaddingValue()}) {
    if (!extra)
      continue;
    printer << ", ";
    printShortType(printer, extra.getType());
  }
  printer << " -> ";
  printShortType(printer, getResultTypes());
}

LogicalResult LoadPtrTkoOp::verify() {
  if (getPaddingValue() && getPaddingValue().getType() != getResult().getType())
    return emitOpError("padding value of type ")
           << getPaddingValue().getType() << " does not match the result " << getResult().getType();
  if (failed(verifyMask(*this, getMask(), getResult().getType())))
    return failure();
  return verifyLoadOrder(*this, getMemoryOrderingSemantics(), getMemoryScope());
}

void StorePtrTkoOp::getEffects(MemoryEffectList &effects) {
  addAccessEffects(effects, getMemoryOrderingSemantics(), /*reads=*/false, /*writes=*/true);
}

LogicalResult StorePtrTkoOp::verify() {
  if (failed(verifyMask(*this, getMask(), getValue().getType())))
    return failure();
  return verifyStoreOrder(*this, getMemoryOrderingSemantics(), getMemoryScope());
}

void AtomicCASTkoOp::getEffects(MemoryEffectList &effects) {
  addAccessEffects(effects, getMemoryOrderingSemantics(), /*reads=*/true, /*writes=*/true);
}

LogicalResult AtomicCASTkoOp::verify() {
  Type element = getVal().getType().getElementType();
  if (unsigned width = element.getIntOrFloatBitWidth(); width != 32 && width != 64)
    return emitOpError("needs elements of 32 or 64 bits, got ") << element;
  if (failed(verifyMask(*this, getMask(), getVal().getType())))
    return failure();
  return verifyAtomicOrder(*this, getMemoryOrderingSemantics());
}

void AtomicRMWTkoOp::getEffects(MemoryEffectList &effects) {
  addAccessEffects(effects, getMemoryOrderingSemantics(), /*reads=*/true, /*writes=*/true);
}

LogicalResult AtomicRMWTkoOp::verify() {
  if (failed(verifyAtomicMode(*this, getMode(), getArg().getType().getElementType())) ||
      failed(verifyMask(*this, getMask(), getArg().getType())))
    return failure();
  return verifyAtomicOrder(*this, getMemoryOrderingSemantics());
}
