//===- TileAAMemoryOps.cpp - Views and accesses of nv_tileaa --------------- -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAA/TileAA.h"

#include "TileAAAssembly.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tileiras::aa;

//===----------------------------------------------------------------------===//
// Spelling
//===----------------------------------------------------------------------===//

using OptionalOperand = std::optional<OpAsmParser::UnresolvedOperand>;

/// semantic scope?, with `cta` accepted for `tl_blk`.
static ParseResult parseMemoryOrder(OpAsmParser &parser, MemSemanticAttr &semantic, MemScopeAttr &scope) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<MemSemantic> parsed = symbolizeMemSemantic(keyword);
  if (!parsed)
    return parser.emitError(loc) << "expected weak, relaxed, acquire, release or acq_rel";
  semantic = MemSemanticAttr::get(parser.getContext(), *parsed);
  if (succeeded(parser.parseOptionalKeyword(&keyword, {"tl_blk", "cta", "cluster", "gpu", "sys"})))
    scope = MemScopeAttr::get(parser.getContext(), symbolizeMemScope(keyword).value_or(MemScope::TileBlock));
  return success();
}

static void printMemoryOrder(OpAsmPrinter &printer, Operation *, MemSemanticAttr semantic, MemScopeAttr scope) {
  printer << stringifyMemSemantic(semantic.getValue());
  if (scope)
    printer << ' ' << stringifyMemScope(scope.getValue());
}

/// The type with the shape and encoding of `type` and elements of `element`.
static Type withElementType(Type type, Type element) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.clone(element);
  return element;
}

static Type maskTypeFor(Type type) {
  return withElementType(type, IntegerType::get(type.getContext(), 1));
}

static ParseResult parseMaskType(OpAsmParser &, Type value, Type &mask, const OptionalOperand &maskOperand) {
  if (maskOperand)
    mask = maskTypeFor(value);
  return success();
}
static void printMaskType(OpAsmPrinter &, Operation *, Type, Type, Value) {}

static ParseResult parseAccessTypes(OpAsmParser &parser, Type value, Type &mask, Type &other,
                                    const OptionalOperand &maskOperand, const OptionalOperand &otherOperand) {
  if (otherOperand)
    other = value;
  return parseMaskType(parser, value, mask, maskOperand);
}
static void printAccessTypes(OpAsmPrinter &, Operation *, Type, Type, Type, Value, Value) {}

static ParseResult parseRmwTypes(OpAsmParser &parser, Type result, Type &value, Type &mask,
                                 const OptionalOperand &maskOperand) {
  value = result;
  return parseMaskType(parser, result, mask, maskOperand);
}
static void printRmwTypes(OpAsmPrinter &, Operation *, Type, Type, Type, Value) {}

static ParseResult parseAtomicTypes(OpAsmParser &parser, Type result, Type &cmp, Type &value, Type &mask,
                                    const OptionalOperand &maskOperand) {
  cmp = result;
  return parseRmwTypes(parser, result, value, mask, maskOperand);
}
static void printAtomicTypes(OpAsmPrinter &, Operation *, Type, Type, Type, Type, Value) {}

/// `(` types `)`: those of the dynamic sizes, then those of the dynamic strides.
static ParseResult parseIntegerTypes(OpAsmParser &parser, SmallVectorImpl<Type> &sizeTypes,
                                     SmallVectorImpl<Type> &strideTypes, ArrayRef<OpAsmParser::UnresolvedOperand> sizes,
                                     ArrayRef<OpAsmParser::UnresolvedOperand> strides) {
  SmallVector<Type> types;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLParen())
    return failure();
  if (failed(parser.parseOptionalRParen()))
    if (parser.parseTypeList(types) || parser.parseRParen())
      return failure();
  if (types.size() != sizes.size() + strides.size())
    return parser.emitError(loc) << "expected a type for each size and stride";
  sizeTypes.assign(types.begin(), types.begin() + sizes.size());
  strideTypes.assign(types.begin() + sizes.size(), types.end());
  return success();
}

static void printIntegerTypes(OpAsmPrinter &printer, Operation *, TypeRange sizeTypes, TypeRange strideTypes,
                              OperandRange, OperandRange) {
  SmallVector<Type> types(sizeTypes);
  llvm::append_range(types, strideTypes);
  printer << '(' << types << ')';
}

#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAA/TileAAMemoryOps.cpp.inc"

void TileAADialect::registerMemoryOps() {
  addOperations<
#define GET_OP_LIST
#include "tileiras/Dialect/TileAA/TileAAMemoryOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

using Effects = SmallVectorImpl<MemoryEffects::EffectInstance>;

/// A load stronger than weak takes part in synchronisation: nothing may move, merge or drop it.
static void addLoadEffects(MemSemantic semantic, Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
  if (semantic != MemSemantic::Weak)
    effects.emplace_back(MemoryEffects::Write::get());
}
static void addReadWriteEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

void LoadOp::getEffects(Effects &effects) {
  addLoadEffects(getMemSemantic(), effects);
}
void TiledLoadOp::getEffects(Effects &effects) {
  addLoadEffects(getMemSemantic(), effects);
}
void StoreOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get());
}
void TiledStoreOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get());
}
void AtomicCASOp::getEffects(Effects &effects) {
  addReadWriteEffects(effects);
}
void AtomicRMWOp::getEffects(Effects &effects) {
  addReadWriteEffects(effects);
}
void TiledAtomicRMWOp::getEffects(Effects &effects) {
  addReadWriteEffects(effects);
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

template <typename Op>
static SliceKind getKindByView(Op op, SliceKind kind) {
  return op.getView().template getDefiningOp<BlockTileOp>() ? kind : SliceKind::Whole;
}

SliceKind TiledLoadOp::getSliceKind() {
  return getKindByView(*this, SliceKind::Once);
}
SliceKind TiledStoreOp::getSliceKind() {
  return getKindByView(*this, SliceKind::Effect);
}
SliceKind TiledAtomicRMWOp::getSliceKind() {
  return getKindByView(*this, SliceKind::Effect);
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// What holds for every access: the semantic is one of `allowed`, a scope goes with all but weak, and a token comes
/// out where one goes in.
template <typename Op>
static LogicalResult verifyOrder(Op op, ArrayRef<MemSemantic> allowed) {
  MemSemantic semantic = op.getMemSemantic();
  if (!llvm::is_contained(allowed, semantic))
    return op.emitOpError("cannot have memory semantic '") << stringifyMemSemantic(semantic) << "'";
  if (semantic == MemSemantic::Weak && op.getMemScope())
    return op.emitOpError("weak memory ordering must not carry a scope");
  if (semantic != MemSemantic::Weak && !op.getMemScope())
    return op.emitOpError("non-weak memory ordering requires explicit scope");
  if (bool(op.getToken()) != bool(op.getResultToken()))
    return op.emitOpError("gives a token exactly when it takes one");
  return success();
}

constexpr MemSemantic loadSemantics[] = {MemSemantic::Weak, MemSemantic::Relaxed, MemSemantic::Acquire};
constexpr MemSemantic storeSemantics[] = {MemSemantic::Weak, MemSemantic::Relaxed, MemSemantic::Release};
constexpr MemSemantic atomicSemantics[] = {MemSemantic::Relaxed, MemSemantic::Acquire, MemSemantic::Release,
                                           MemSemantic::AcqRel};

static LogicalResult verifyPointers(Operation *op, Type base, Type value, Value mask) {
  auto pointer = cast<PtrType>(getElementTypeOrSelf(base));
  if (withElementType(base, pointer.getPointeeType()) != value)
    return op->emitOpError("expects pointers to ") << value << ", but got " << base;
  if (mask && mask.getType() != maskTypeFor(value))
    return op->emitOpError("expects the mask to have the shape of the value, but got ") << mask.getType();
  return success();
}

LogicalResult LoadOp::verify() {
  if (failed(verifyOrder(*this, loadSemantics)) ||
      failed(verifyPointers(*this, getBase().getType(), getValue().getType(), getMask())))
    return failure();
  if (getOther() && !getMask())
    return emitOpError("expects 'other' only beside a mask");
  if (getOther() && getOther().getType() != getValue().getType())
    return emitOpError("expects 'other' to have the type of the value, but got ") << getOther().getType();
  return success();
}

LogicalResult StoreOp::verify() {
  if (failed(verifyOrder(*this, storeSemantics)))
    return failure();
  return verifyPointers(*this, getBase().getType(), getValue().getType(), getMask());
}

static LogicalResult verifyRmw(Operation *op, RmwMode mode, Type type) {
  Type element = getElementTypeOrSelf(type);
  bool ok = mode == RmwMode::AddF   ? isa<FloatType>(element)
            : mode == RmwMode::Xchg ? element.isIntOrFloat()
                                    : element.isSignlessInteger();
  if (!ok)
    return op->emitOpError("cannot apply '") << stringifyRmwMode(mode) << "' to " << element;
  return success();
}

LogicalResult AtomicCASOp::verify() {
  if (getCmp().getType() != getType(0) || getValue().getType() != getType(0))
    return emitOpError("expects both values to have the type of the result");
  if (failed(verifyOrder(*this, atomicSemantics)))
    return failure();
  return verifyPointers(*this, getBase().getType(), getResult().getType(), getMask());
}

LogicalResult AtomicRMWOp::verify() {
  if (getValue().getType() != getResult().getType())
    return emitOpError("expects the value to have the type of the result");
  if (failed(verifyOrder(*this, atomicSemantics)) ||
      failed(verifyPointers(*this, getBase().getType(), getResult().getType(), getMask())))
    return failure();
  return verifyRmw(*this, getMode(), getResult().getType());
}

/// Coordinates, tile type and bounds flags agree with the view.
template <typename Op>
static LogicalResult verifyTiled(Op op) {
  TiledViewType view = op.getView().getType();
  RankedTensorType tile = op.getValue().getType();
  if (tile.getShape() != view.getTileShape() || tile.getElementType() != view.getElementType())
    return op.emitOpError("expects a tile of type ") << view.getTileType() << ", but got " << tile;
  if (int64_t(op.getCoordinates().size()) != view.getRank())
    return op.emitOpError("expects ") << view.getRank() << " coordinates, but got " << op.getCoordinates().size();
  for (auto [axis, coordinate] : llvm::enumerate(op.getCoordinates())) {
    auto tensor = dyn_cast<RankedTensorType>(coordinate.getType());
    if (!view.isSparseAxis(axis) && tensor)
      return op.emitOpError("expects coordinate ") << axis << " to be a scalar, but got " << tensor;
    if (view.isSparseAxis(axis) &&
        (!tensor || tensor.getRank() != 1 || tensor.getDimSize(0) != view.getTileShape()[axis]))
      return op.emitOpError("expects coordinate ") << axis << " to be a tile of " << view.getTileShape()[axis]
                                                   << " indices, but got " << coordinate.getType();
  }
  if (op.getInBounds() && int64_t(op.getInBounds()->size()) != view.getRank())
    return op.emitOpError("expects an in_bounds flag for each coordinate");
  return success();
}

LogicalResult TiledLoadOp::verify() {
  return failed(verifyOrder(*this, loadSemantics)) ? failure() : verifyTiled(*this);
}

LogicalResult TiledStoreOp::verify() {
  return failed(verifyOrder(*this, storeSemantics)) ? failure() : verifyTiled(*this);
}

LogicalResult TiledAtomicRMWOp::verify() {
  if (failed(verifyOrder(*this, atomicSemantics)) || failed(verifyTiled(*this)))
    return failure();
  return verifyRmw(*this, getMode(), getValue().getType());
}

LogicalResult MakeMemRefOp::verify() {
  TileMemRefType type = getType();
  if (getBase().getType() != type.getPointerType())
    return emitOpError("expects a base of type ") << type.getPointerType() << ", but got " << getBase().getType();
  if (getSizes().size() != type.getNumDynamicSizes())
    return emitOpError("expects ") << type.getNumDynamicSizes() << " sizes, but got " << getSizes().size();
  if (getStrides().size() != type.getNumDynamicStrides())
    return emitOpError("expects ") << type.getNumDynamicStrides() << " strides, but got " << getStrides().size();
  return success();
}

LogicalResult GetDimSizeOp::verify() {
  if (getAxis() >= getSource().getType().getRank())
    return emitOpError("expects an axis below the rank, but got ") << getAxis();
  return success();
}

//===----------------------------------------------------------------------===//
// Folding
//===----------------------------------------------------------------------===//

OpFoldResult GetDimSizeOp::fold(FoldAdaptor) {
  TileMemRefType type = getSource().getType();
  auto resultType = cast<IntegerType>(getType());
  if (!type.isDynamicDim(getAxis())) {
    int64_t extent = type.getShape()[getAxis()];
    if (!llvm::isUIntN(resultType.getWidth(), extent))
      return {};
    return IntegerAttr::get(resultType, APInt(resultType.getWidth(), extent));
  }
  auto source = getSource().getDefiningOp<MakeMemRefOp>();
  if (!source)
    return {};
  Value size = source.getSizes()[llvm::count(type.getShape().take_front(getAxis()), ShapedType::kDynamic)];
  return size.getType() == resultType ? size : Value();
}

LogicalResult JoinMemTokenOp::verify() {
  if (getTokens().empty())
    return emitOpError("expects a token or more; use 'nv_tileaa.create_mem_token' for one that nothing comes before");
  return success();
}

OpFoldResult JoinMemTokenOp::fold(FoldAdaptor) {
  if (getTokens().size() == 1)
    return getTokens().front();
  return {};
}

namespace {
/// Drops operands that add nothing: repetitions and tokens that nothing comes before.
struct SimplifyJoin : OpRewritePattern<JoinMemTokenOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(JoinMemTokenOp op, PatternRewriter &rewriter) const override {
    llvm::SetVector<Value> tokens;
    for (Value token : op.getTokens())
      if (!token.getDefiningOp<CreateMemTokenOp>())
        tokens.insert(token);
    if (tokens.empty()) {
      rewriter.replaceOpWithNewOp<CreateMemTokenOp>(op);
      return success();
    }
    if (tokens.size() == op.getTokens().size())
      return failure();
    rewriter.replaceOpWithNewOp<JoinMemTokenOp>(op, tokens.takeVector());
    return success();
  }
};
} // namespace

void JoinMemTokenOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<SimplifyJoin>(context);
}
