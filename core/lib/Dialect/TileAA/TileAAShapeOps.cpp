//===- TileAAShapeOps.cpp - Shapes, products and reductions of nv_tileaa --- -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAA/BlockScale.h"
#include "tileiras/Dialect/TileAA/TileAA.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace tileiras::aa;

/// ` signed`, ` unsigned` or nothing.
static ParseResult parseOptionalSignedness(OpAsmParser &parser, SignednessAttr &signedness) {
  StringRef keyword;
  if (parser.parseOptionalKeyword(&keyword, {"signed", "unsigned"}))
    return success();
  signedness = SignednessAttr::get(parser.getContext(), *symbolizeSignedness(keyword));
  return success();
}

static void printOptionalSignedness(OpAsmPrinter &printer, Operation *, SignednessAttr signedness) {
  if (signedness)
    printer << ' ' << stringifySignedness(signedness.getValue());
}

#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAA/TileAAShapeOps.cpp.inc"

void TileAADialect::registerShapeOps() {
  addOperations<
#define GET_OP_LIST
#include "tileiras/Dialect/TileAA/TileAAShapeOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Verification: shapes
//===----------------------------------------------------------------------===//

LogicalResult SplatOp::verify() {
  if (getElementTypeOrSelf(getType()) != getSource().getType())
    return emitOpError("expects the scalar to have the tile's element type");
  return success();
}

LogicalResult ExtractOp::verify() {
  RankedTensorType source = getSource().getType();
  if (source.getNumElements() != 1)
    return emitOpError("expects a tile with one element, but got ") << source;
  if (source.getElementType() != getType())
    return emitOpError("expects the result to have the tile's element type");
  return success();
}

LogicalResult BroadcastOp::verify() {
  RankedTensorType source = getSource().getType(), result = getType();
  if (source.getRank() != result.getRank())
    return emitOpError("expects source and result of equal rank, but got ")
           << source.getRank() << " vs " << result.getRank();
  for (auto [axis, from, to] : llvm::enumerate(source.getShape(), result.getShape()))
    if (from != to && from != 1)
      return emitOpError("widens only axes of extent 1, but axis ") << axis << " has extent " << from;
  return success();
}

LogicalResult ExpandDimsOp::verify() {
  RankedTensorType source = getSource().getType(), result = getType();
  if (getAxis() > source.getRank())
    return emitOpError("expects an axis in 0..") << source.getRank() << ", but got " << getAxis();
  SmallVector<int64_t> expected(source.getShape());
  expected.insert(expected.begin() + getAxis(), 1);
  if (result.getShape() != ArrayRef<int64_t>(expected))
    return emitOpError("expects the result to be the source with an axis of extent 1 at ") << getAxis();
  return success();
}

LogicalResult ViewOp::verify() {
  if (getSource().getType().getNumElements() != getType().getNumElements())
    return emitOpError("keeps the number of elements, but got ")
           << getSource().getType().getNumElements() << " vs " << getType().getNumElements();
  return success();
}

LogicalResult PermuteOp::verify() {
  RankedTensorType source = getSource().getType(), result = getType();
  ArrayRef<int32_t> permutation = getPermutation();
  if (int64_t(permutation.size()) != source.getRank() || source.getRank() != result.getRank())
    return emitOpError("expects a permutation of the source's ") << source.getRank() << " axes";
  llvm::SmallBitVector seen(source.getRank());
  for (auto [axis, from] : llvm::enumerate(permutation)) {
    if (from < 0 || from >= source.getRank() || seen.test(from))
      return emitOpError("expects a permutation of the source's ") << source.getRank() << " axes";
    seen.set(from);
    if (result.getDimSize(axis) != source.getDimSize(from))
      return emitOpError("expects axis ") << axis << " of the result to have extent " << source.getDimSize(from);
  }
  return success();
}

LogicalResult CatOp::verify() {
  RankedTensorType lhs = getLhs().getType(), rhs = getRhs().getType(), result = getType();
  if (lhs.getRank() != rhs.getRank() || lhs.getRank() != result.getRank())
    return emitOpError("expects operands and result of equal rank");
  if (getAxis() >= lhs.getRank())
    return emitOpError("expects an axis below the rank, but got ") << getAxis();
  for (int64_t axis = 0; axis < lhs.getRank(); ++axis) {
    int64_t left = lhs.getDimSize(axis), right = rhs.getDimSize(axis);
    bool along = axis == getAxis();
    if ((!along && left != right) || result.getDimSize(axis) != (along ? left + right : left))
      return emitOpError("expects equal extents but along the axis, where they add up; axis ") << axis << " differs";
  }
  return success();
}

static LogicalResult verifySlice(Operation *op, RankedTensorType whole, RankedTensorType slice, size_t numIndices) {
  if (whole.getRank() != slice.getRank() || int64_t(numIndices) != whole.getRank())
    return op->emitOpError("expects an index for each of the ") << whole.getRank() << " axes of tile and slice";
  for (auto [axis, extent, part] : llvm::enumerate(whole.getShape(), slice.getShape()))
    if (part == 0 || extent % part != 0)
      return op->emitOpError("expects the slice to divide the tile, but axis ")
             << axis << " has extents " << part << " and " << extent;
  return success();
}

LogicalResult ExtractSliceOp::verify() {
  return verifySlice(*this, getSource().getType(), getType(), getIndices().size());
}

LogicalResult InsertSliceOp::verify() {
  if (getSource().getType().getElementType() != getType().getElementType())
    return emitOpError("expects tile and slice of the same element type");
  return verifySlice(*this, getType(), getSource().getType(), getIndices().size());
}

LogicalResult MakeRangeOp::verify() {
  if (getType().getRank() != 1 || !getType().getElementType().isSignlessInteger())
    return emitOpError("expects an integer tile of rank 1, but got ") << getType();
  return success();
}

/// `bytes` is the packed form of `elements`.
static LogicalResult verifyPacking(Operation *op, RankedTensorType elements, RankedTensorType bytes) {
  if (elements.getRank() != 1 || bytes.getRank() != 1)
    return op->emitOpError("expects tiles of rank 1");
  if (!bytes.getElementType().isInteger(8))
    return op->emitOpError("expects bytes to be i8, but got ") << bytes.getElementType();
  Type element = elements.getElementType();
  if (!element.isIntOrFloat() || isa<FloatTF32Type>(element))
    return op->emitOpError("expects elements whose bits are all in memory, but got ") << element;
  if (elements.getNumElements() * element.getIntOrFloatBitWidth() != bytes.getNumElements() * 8)
    return op->emitOpError("expects both tiles to have the same number of bits");
  return success();
}

LogicalResult PackOp::verify() {
  return verifyPacking(*this, getSource().getType(), getType());
}
LogicalResult UnpackOp::verify() {
  return verifyPacking(*this, getType(), getSource().getType());
}

//===----------------------------------------------------------------------===//
// Verification: products
//===----------------------------------------------------------------------===//

/// Accumulators of narrow inputs may be f16; all others have one type.
static LogicalResult verifyFloatAccumulator(Operation *op, Type input, Type accumulator) {
  if (input.isF64()) {
    if (!accumulator.isF64())
      return op->emitOpError("expects #C element type to be f64, but got ") << accumulator;
    return success();
  }
  bool narrow = isa<Float16Type, Float8E4M3FNType, Float8E5M2Type, Float4E2M1FNType>(input);
  if (narrow && !accumulator.isF32() && !accumulator.isF16())
    return op->emitOpError("expects #C element type to be either f32 or f16, but got ") << accumulator;
  if (!narrow && !accumulator.isF32())
    return op->emitOpError("expects #C element type to be f32, but got ") << accumulator;
  return success();
}

static LogicalResult verifyDotElements(Operation *op, Type a, Type b, Type c, bool signednessA, bool signednessB) {
  bool integers = a.isInteger() && b.isInteger() && c.isInteger();
  bool floats = isa<FloatType>(a) && isa<FloatType>(b) && isa<FloatType>(c);
  if (!integers && !floats)
    return op->emitOpError("expected the element types of A, B, C, and D to be either all integers or all floats.");
  if (floats)
    return verifyFloatAccumulator(op, a, c);
  if (a.getIntOrFloatBitWidth() != b.getIntOrFloatBitWidth())
    return op->emitOpError("expects #A and #B have same bit width but got ")
           << a.getIntOrFloatBitWidth() << " vs " << b.getIntOrFloatBitWidth();
  if (!signednessA)
    return op->emitOpError("expect signedness attribute for operand A");
  if (!signednessB)
    return op->emitOpError("expect signedness attribute for operand B");
  if (!c.isInteger(32))
    return op->emitOpError("expects #C element type to be i32, but got ") << c;
  return success();
}

static LogicalResult verifyDotShapes(Operation *op, RankedTensorType a, RankedTensorType b, RankedTensorType c) {
  int64_t rank = c.getRank();
  if (rank != 2 && rank != 3)
    return op->emitOpError("expects rank-2 or rank-3 tensor for result, but got (") << rank << ")";
  if (a.getRank() != rank || b.getRank() != rank || a.getDimSize(rank - 1) != b.getDimSize(rank - 2) ||
      (rank == 3 && a.getDimSize(0) != b.getDimSize(0)))
    return op->emitOpError("expects the shape of operand #A and #B to be compatible");
  if (c.getDimSize(rank - 2) != a.getDimSize(rank - 2) || c.getDimSize(rank - 1) != b.getDimSize(rank - 1) ||
      (rank == 3 && c.getDimSize(0) != a.getDimSize(0)))
    return op->emitOpError("expects the shape of operand #C is compatible with operands #A and #B");
  return success();
}

LogicalResult DotOp::verify() {
  RankedTensorType a = getA().getType(), b = getB().getType(), c = getC().getType();
  if (failed(verifyDotElements(*this, a.getElementType(), b.getElementType(), c.getElementType(),
                               bool(getSignednessA()), bool(getSignednessB()))))
    return failure();
  if (getNegate() && !isa<FloatType>(c.getElementType()))
    return emitOpError("negates integers, which no MMA does");
  return verifyDotShapes(*this, a, b, c);
}

LogicalResult MmaBlockScaleOp::verify() {
  RankedTensorType a = getA().getType(), b = getB().getType(), c = getC().getType();
  if (isPacked(*this)) {
    auto unpacked = verifyPackedOperands(*this, a, b);
    if (failed(unpacked))
      return failure();
    std::tie(a, b) = *unpacked;
  }
  if (!isa<FloatType>(a.getElementType()) || !isa<FloatType>(b.getElementType()))
    return emitOpError("expects float operands A and B");
  if (!getSfa() && !getSfb() && isa<Float4E2M1FNType>(a.getElementType()))
    return emitOpError("fp4 mma should expect scaling factors");
  if (!getSfa() || !getSfb())
    return emitOpError("expects both SFA and SFB to be present");
  RankedTensorType sfa = getSfa().getType(), sfb = getSfb().getType();
  if (sfa.getElementType() != sfb.getElementType())
    return emitOpError("expects sfa/sfb element types to be the same, but got ")
           << sfa.getElementType() << " and " << sfb.getElementType();
  if (!c.getElementType().isF32())
    return emitOpError("expects c type to be Float32, but got ") << c.getElementType();
  if (failed(verifyDotShapes(*this, a, b, c)))
    return failure();
  int64_t rank = a.getRank(), k = a.getDimSize(rank - 1);
  if (sfa.getRank() != rank || sfb.getRank() != rank)
    return emitOpError("expects the scales to have the operands' rank");
  int64_t blocks = sfa.getDimSize(rank - 1), blocksB = sfb.getDimSize(rank - 2);
  if (blocks != blocksB && blocks != 0 && blocksB != 0)
    return emitOpError("Scale factor vector size mismatch:") << k / blocks << ", " << k / blocksB;
  if (blocksB != blocks || blocks == 0 || k % blocks != 0 || sfa.getDimSize(rank - 2) != a.getDimSize(rank - 2) ||
      sfb.getDimSize(rank - 1) != b.getDimSize(rank - 1) ||
      (rank == 3 && (sfa.getDimSize(0) != a.getDimSize(0) || sfb.getDimSize(0) != b.getDimSize(0))))
    return emitOpError("expects one scale for each block of elements along K, equally long in A and B");
  return verifyScaledElements(*this, a.getElementType(), b.getElementType(), sfa.getElementType(), k / blocks);
}

//===----------------------------------------------------------------------===//
// Verification: reductions
//===----------------------------------------------------------------------===//

/// The type a reduction of `source` along `axis` has; the scalar when that is the only axis.
static Type dropAxis(RankedTensorType source, int64_t axis) {
  SmallVector<int64_t> shape(source.getShape());
  shape.erase(shape.begin() + axis);
  if (shape.empty())
    return source.getElementType();
  return RankedTensorType::get(shape, source.getElementType());
}

template <typename Op>
static LogicalResult verifyCombining(Op op, function_ref<Type(RankedTensorType)> resultOf) {
  auto operands = op->getOperands();
  if (operands.empty() || op->getNumResults() != operands.size())
    return op.emitOpError("expects as many results as operands, and at least one");
  if (op.getIdentities().size() != operands.size())
    return op.emitOpError("expects an identity for each operand");
  for (auto [operand, result, identity] : llvm::zip_equal(operands, op->getResults(), op.getIdentities())) {
    auto source = cast<RankedTensorType>(operand.getType());
    if (op.getAxis() >= source.getRank())
      return op.emitOpError("expects an axis below the rank, but got ") << op.getAxis();
    auto typed = dyn_cast<TypedAttr>(identity);
    if (!typed || typed.getType() != source.getElementType())
      return op.emitOpError("expects identities of the operands' element types");
    if (result.getType() != resultOf(source))
      return op.emitOpError("expects a result of type ") << resultOf(source) << ", but got " << result.getType();
  }
  return success();
}

template <typename Op>
static LogicalResult verifyCombiningRegion(Op op) {
  Block &body = op.getBody().front();
  if (body.getNumArguments() != 2 * op->getNumOperands())
    return op.emitOpError("expects two body arguments for each operand");
  auto yield = dyn_cast<YieldOp>(body.getTerminator());
  if (!yield || yield.getNumOperands() != op->getNumOperands())
    return op.emitOpError("expects the body to yield a value for each operand");
  for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
    Type element = getElementTypeOrSelf(operand.getType());
    if (body.getArgument(2 * index).getType() != element || body.getArgument(2 * index + 1).getType() != element ||
        yield.getOperand(index).getType() != element)
      return op.emitOpError("expects the body to combine values of type ") << element;
  }
  return success();
}

LogicalResult ReduceOp::verify() {
  return verifyCombining(*this, [&](RankedTensorType source) { return dropAxis(source, getAxis()); });
}
LogicalResult ReduceOp::verifyRegions() {
  return verifyCombiningRegion(*this);
}

LogicalResult ScanOp::verify() {
  return verifyCombining(*this, [](RankedTensorType source) -> Type { return source; });
}
LogicalResult ScanOp::verifyRegions() {
  return verifyCombiningRegion(*this);
}

//===----------------------------------------------------------------------===//
// Folding
//===----------------------------------------------------------------------===//

OpFoldResult SplatOp::fold(FoldAdaptor adaptor) {
  if (isa_and_nonnull<IntegerAttr, FloatAttr>(adaptor.getSource()))
    return DenseElementsAttr::get(getType(), adaptor.getSource());
  return {};
}

OpFoldResult ExtractOp::fold(FoldAdaptor adaptor) {
  if (auto splat = getSource().getDefiningOp<SplatOp>())
    return splat.getSource();
  if (auto constant = dyn_cast_or_null<DenseElementsAttr>(adaptor.getSource()))
    return constant.getSplatValue<Attribute>();
  return {};
}

static OpFoldResult reshapeSplat(Attribute constant, RankedTensorType type) {
  if (auto splat = dyn_cast_or_null<SplatElementsAttr>(constant))
    return splat.resizeSplat(type);
  return {};
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getType())
    return getSource();
  return reshapeSplat(adaptor.getSource(), getType());
}

OpFoldResult ViewOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getType())
    return getSource();
  if (auto inner = getSource().getDefiningOp<ViewOp>()) {
    getSourceMutable().assign(inner.getSource());
    return getResult();
  }
  if (auto constant = dyn_cast_or_null<DenseElementsAttr>(adaptor.getSource()))
    return constant.reshape(getType());
  return {};
}

OpFoldResult PermuteOp::fold(FoldAdaptor adaptor) {
  bool identity = llvm::all_of(llvm::enumerate(getPermutation()),
                               [](auto entry) { return entry.value() == int32_t(entry.index()); });
  if (identity && getSource().getType() == getType())
    return getSource();
  return reshapeSplat(adaptor.getSource(), getType());
}

/// A zero operand leaves the accumulator, but only for integers: a float zero may meet a NaN or an infinity.
OpFoldResult DotOp::fold(FoldAdaptor adaptor) {
  if (!getType().getElementType().isInteger())
    return {};
  for (Attribute factor : {adaptor.getA(), adaptor.getB()})
    if (factor && matchPattern(factor, m_Zero()))
      return getC();
  return {};
}

namespace {
/// view/broadcast/expand_dims (splat x) → splat x.
template <typename Op>
struct ReshapeOfSplat : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    auto splat = op.getSource().template getDefiningOp<SplatOp>();
    if (!splat)
      return failure();
    rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), splat.getSource());
    return success();
  }
};
} // namespace

void BroadcastOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<ReshapeOfSplat<BroadcastOp>>(context);
}
void ExpandDimsOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<ReshapeOfSplat<ExpandDimsOp>>(context);
}
void ViewOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<ReshapeOfSplat<ViewOp>>(context);
}
