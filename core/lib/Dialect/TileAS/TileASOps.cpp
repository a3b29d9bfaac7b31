//===- TileASOps.cpp - Computation on distributed tiles -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileVerification.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "tileiras/Dialect/TileAA/BlockScale.h"
#include "tileiras/Dialect/TileAA/Clusters.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/ScaledProducts.h"
#include "tileiras/Dialect/TileAS/TileAS.h"
#include "tileiras/Target/Target.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::as;

#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAS/TileASOps.cpp.inc"

void TileASDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "tileiras/Dialect/TileAS/TileASOps.cpp.inc"
      >();
}

LogicalResult ConvertLayoutOp::verify() {
  if (getAtomPlan() && getAtomPlan()->getSmem())
    return emitOpError() << "expects a plan without 'smem': a tile that has a layout in shared memory goes through an "
                            "'nv_tileas.alloc_tensor'";
  return success();
}

//===----------------------------------------------------------------------===//
// Shape operations
//===----------------------------------------------------------------------===//

static LogicalResult verifyShape(Operation *op, ArrayRef<int64_t> expected, RankedTensorType result) {
  if (expected == result.getShape())
    return success();
  return op->emitOpError() << "expects a result of type " << RankedTensorType::get(expected, result.getElementType())
                           << " plus a layout, but got " << result;
}

static FailureOr<LinearLayout> getMemoryLayout(Operation *op, RankedTensorType type) {
  llvm::Expected<LinearLayout> layout = getSharedLayout(type);
  if (layout)
    return *layout;
  return op->emitOpError() << "cannot access a tile of type " << type << ": " << llvm::toString(layout.takeError());
}

/// A tile in memory stays where it is: the result's layout follows from the source's.
static LogicalResult verifySameMemory(ShapeLayoutOpInterface op, RankedTensorType source, RankedTensorType result) {
  if (!isSharedTensor(source) || !isSharedTensor(result))
    return op->emitOpError() << "expects source and result both in registers or both in shared memory, but got "
                             << source << " and " << result;
  FailureOr<LinearLayout> sourceLayout = getMemoryLayout(op, source), resultLayout = getMemoryLayout(op, result);
  if (failed(sourceLayout) || failed(resultLayout))
    return failure();
  std::optional<LinearLayout> derived = op.deriveResultLayout(*sourceLayout);
  if (derived && *derived == *resultLayout)
    return success();
  return op->emitOpError() << "moves nothing in memory, but the result's layout is " << resultLayout->str()
                           << "; the source's becomes " << derived.value_or(*sourceLayout).str();
}

/// The rule of shape operations: see LayoutUtils.h.
static LogicalResult verifyThreadLocal(ShapeLayoutOpInterface op, RankedTensorType source, RankedTensorType result) {
  if (isMemoryTensor(source) || isMemoryTensor(result))
    return verifySameMemory(op, source, result);
  LinearLayout sourceLayout = getLinearLayout(source), resultLayout = getLinearLayout(result);
  if (op.mapRegisters(sourceLayout, resultLayout))
    return success();
  return op->emitOpError() << "moves no data between threads, but the result's layout " << resultLayout.str()
                           << " needs it; the source's becomes "
                           << op.deriveResultLayout(sourceLayout).value_or(sourceLayout).str();
}

/// A view that begins elsewhere stays within its allocation, as far as constants tell. Operations that it comes from
/// may not have been verified yet.
static LogicalResult verifyPlace(ViewOp op) {
  if (!isSharedTensor(op.getType()))
    return op.emitOpError() << "has a place in memory, but its tile is in registers; leave 'offset' and 'position' out";
  uint64_t elements = 0;
  Value memory = op.getResult();
  llvm::SmallPtrSet<Operation *, 4> seen;
  for (Operation *view = op; isa_and_nonnull<ViewLikeOpInterface>(view) && view->getNumOperands() != 0;
       view = memory.getDefiningOp()) {
    if (!seen.insert(view).second)
      return op.emitOpError() << "is a view of itself";
    if (auto shifted = dyn_cast<ViewOp>(view))
      elements = llvm::SaturatingAdd(elements, uint64_t(shifted.getOffset().value_or(0)));
    memory = view->getOperand(0);
  }
  auto alloc = memory.getDefiningOp<AllocTensorOp>();
  if (!alloc || !isSharedTensor(alloc.getType()))
    return op.emitOpError() << "begins elsewhere than its source, which is no 'nv_tileas.alloc_tensor' or view of one; "
                               "nobody knows what lies there";
  const uint64_t bits = getSharedBits(op.getType().getElementType()), alignment = getTileAlignment(op.getType());
  const uint64_t offset = llvm::SaturatingMultiply(elements, bits) / 8, bytes = getSharedBytes(op.getType());
  if (offset % alignment != 0)
    return op.emitOpError() << "begins at byte " << offset << " of its allocation; tiles of this layout begin at "
                            << "multiples of " << alignment;
  const uint64_t stages = alloc.getStages().value_or(1);
  const uint64_t room = stages == 1 ? getSharedBytes(alloc.getType())
                                    : llvm::SaturatingMultiply(stages, uint64_t(getStageBytes(alloc.getType())));
  if (llvm::SaturatingAdd(offset, bytes) > room)
    return op.emitOpError() << "takes " << bytes << " bytes from byte " << offset << " on, and its allocation has "
                            << room << "; give that more 'stages'";
  return success();
}

static LogicalResult verifyAxis(Operation *op, unsigned axis, int64_t rank) {
  if (axis < rank)
    return success();
  return op->emitOpError() << "axis " << axis << " is not a dimension of a tensor of rank " << rank;
}

LogicalResult ViewOp::verify() {
  RankedTensorType source = getSource().getType(), result = getResult().getType();
  if (source.getNumElements() != result.getNumElements())
    return emitOpError() << "expects a result with " << source.getNumElements() << " elements, but got "
                         << result.getNumElements();
  if (failed(verifyThreadLocal(*this, source, result)))
    return failure();
  return getOffset() || getPosition() ? verifyPlace(*this) : success();
}

LogicalResult ExpandDimsOp::verify() {
  RankedTensorType source = getSource().getType(), result = getResult().getType();
  if (failed(verifyAxis(*this, getAxis(), source.getRank() + 1)))
    return failure();
  SmallVector<int64_t> expected(source.getShape());
  expected.insert(expected.begin() + getAxis(), 1);
  if (failed(verifyShape(*this, expected, result)))
    return failure();
  return verifyThreadLocal(*this, source, result);
}

LogicalResult BroadcastOp::verify() {
  RankedTensorType source = getSource().getType(), result = getResult().getType();
  if (source.getRank() != result.getRank())
    return emitOpError() << "expects source and result of one rank, but got " << source.getRank() << " vs "
                         << result.getRank();
  for (auto [from, to] : llvm::zip(source.getShape(), result.getShape()))
    if (from != to && from != 1)
      return emitOpError() << "cannot widen an extent of " << from << " to " << to << ", only an extent of 1";
  return verifyThreadLocal(*this, source, result);
}

LogicalResult PermuteOp::verify() {
  RankedTensorType source = getSource().getType(), result = getResult().getType();
  SmallVector<int64_t> expected;
  SmallVector<bool> named(source.getRank(), false);
  for (int32_t dim : getPermutation()) {
    if (dim < 0 || dim >= source.getRank() || std::exchange(named[dim], true))
      return emitOpError() << "permutation must name every dimension of the source once";
    expected.push_back(source.getDimSize(dim));
  }
  if (int64_t(expected.size()) != source.getRank())
    return emitOpError() << "permutation must name every dimension of the source once";
  if (failed(verifyShape(*this, expected, result)))
    return failure();
  return verifyThreadLocal(*this, source, result);
}

LogicalResult CatOp::verify() {
  RankedTensorType operand = getLhs().getType(), result = getResult().getType();
  if (failed(verifyAxis(*this, getAxis(), operand.getRank())))
    return failure();
  SmallVector<int64_t> expected(operand.getShape());
  expected[getAxis()] *= 2;
  if (failed(verifyShape(*this, expected, result)))
    return failure();
  return verifyThreadLocal(*this, operand, result);
}

//===----------------------------------------------------------------------===//
// Tiles from nothing, parts of tiles
//===----------------------------------------------------------------------===//

LogicalResult MakeRangeOp::verify() {
  RankedTensorType type = getResult().getType();
  if (type.getRank() != 1 || !type.getElementType().isSignlessInteger())
    return emitOpError() << "expects a result of rank 1 with integer elements, but got " << type;
  return success();
}

LogicalResult ExtractOp::verify() {
  if (getSource().getType().getNumElements() != 1)
    return emitOpError() << "expects a tile with one element, but got " << getSource().getType();
  return success();
}

LogicalResult as::verifySlice(Operation *op, RankedTensorType slice, RankedTensorType whole, size_t numIndices) {
  if (slice.getElementType() != whole.getElementType() || slice.getRank() != whole.getRank())
    return op->emitOpError() << "expects a slice of the tile's element type and rank, but got " << slice << " of "
                             << whole;
  for (auto [part, extent] : llvm::zip(slice.getShape(), whole.getShape()))
    if (part == 0 || extent % part != 0)
      return op->emitOpError() << "slice extent " << part << " does not divide the tile's " << extent;
  if (int64_t(numIndices) != whole.getRank())
    return op->emitOpError() << "expects " << whole.getRank() << " indices, but got " << numIndices;
  return success();
}

LogicalResult ClusterExchangeOp::verify() {
  return aa::verifyClusterExchange(*this, aa::CtaLayout(getFrom()), aa::CtaLayout(getTo()));
}

LogicalResult ExtractSliceOp::verify() {
  return verifySlice(*this, getResult().getType(), getSource().getType(), getIndices().size());
}

/// Two indices that are the same in every run.
static bool areEqualIndices(Value lhs, Value rhs) {
  if (lhs == rhs)
    return true;
  std::optional<int64_t> constant = getConstantIntValue(lhs);
  return constant && constant == getConstantIntValue(rhs);
}

OpFoldResult ExtractSliceOp::fold(FoldAdaptor) {
  auto insert = getSource().getDefiningOp<InsertSliceOp>();
  if (insert && insert.getSource().getType() == getType() &&
      llvm::equal(insert.getIndices(), getIndices(), areEqualIndices))
    return insert.getSource();
  return {};
}

LogicalResult InsertSliceOp::verify() {
  return verifySlice(*this, getSource().getType(), getDestination().getType(), getIndices().size());
}

/// `bytes` is the packed side. Layouts are checked in the direction of the operation.
static LogicalResult verifyPacking(ShapeLayoutOpInterface op, RankedTensorType elements, RankedTensorType bytes,
                                   RankedTensorType source, RankedTensorType result) {
  if (elements.getRank() != 1 || bytes.getRank() != 1)
    return op->emitOpError() << "expects tiles of rank 1";
  if (!bytes.getElementType().isInteger(8))
    return op->emitOpError() << "expects bytes of type i8, but got " << bytes.getElementType();
  if (!elements.getElementType().isIntOrFloat() || !llvm::isPowerOf2_32(elements.getElementTypeBitWidth()) ||
      elements.getNumElements() * elements.getElementTypeBitWidth() != bytes.getNumElements() * 8)
    return op->emitOpError() << "expects tiles with the same bits, but got " << elements << " and " << bytes;
  if (!op.deriveResultLayout(getLinearLayout(source)))
    return op->emitOpError() << "combines elements of several threads: the source's layout is "
                             << getLinearLayout(source).str();
  return verifyThreadLocal(op, source, result);
}

LogicalResult PackOp::verify() {
  RankedTensorType source = getSource().getType(), result = getResult().getType();
  return verifyPacking(*this, source, result, source, result);
}

LogicalResult UnpackOp::verify() {
  RankedTensorType source = getSource().getType(), result = getResult().getType();
  return verifyPacking(*this, result, source, source, result);
}

//===----------------------------------------------------------------------===//
// Matrix product
//===----------------------------------------------------------------------===//

/// Element types: the phases and texts of nv_tileaa.dot.
static LogicalResult verifyProductElements(Operation *op, const ProductTypes &types) {
  Type a = types.a.getElementType(), b = types.b.getElementType(), c = types.c.getElementType();
  bool integers = isa<IntegerType>(a) && isa<IntegerType>(b) && isa<IntegerType>(c);
  bool floats = isa<FloatType>(a) && isa<FloatType>(b) && isa<FloatType>(c);
  if (!integers && !floats)
    return op->emitOpError() << "expected the element types of A, B, C, and D to be either all integers or all floats.";
  unsigned widthA = a.getIntOrFloatBitWidth(), widthB = b.getIntOrFloatBitWidth();
  if (widthA != widthB)
    return op->emitOpError() << "expects #A and #B have same bit width but got " << widthA << " vs " << widthB;
  if (integers) {
    if (!types.hasSignA)
      return op->emitOpError() << "expect signedness attribute for operand A";
    if (!types.hasSignB)
      return op->emitOpError() << "expect signedness attribute for operand B";
    return success();
  }
  // Products are accumulated in f32, those of f64 in f64, those of f16 and narrower also in f16.
  if (a.isF64() ? c.isF64() : c.isF32() || (c.isF16() && (a.isF16() || widthA < 16)))
    return success();
  return op->emitOpError() << "expects #C element type to be f32, but got " << c;
}

LogicalResult as::verifyProduct(Operation *op, const ProductTypes &types) {
  if (failed(verifyProductElements(op, types)))
    return failure();
  ArrayRef<int64_t> a = types.a.getShape(), b = types.b.getShape(), c = types.c.getShape();
  size_t rank = c.size();
  if (rank != 2 && rank != 3)
    return op->emitOpError() << "expects rank-2 or rank-3 tensor for result, but got (" << rank << ")";
  if (a.size() != rank || b.size() != rank || a.drop_back(2) != b.drop_back(2) || a[rank - 1] != b[rank - 2])
    return op->emitOpError() << "expects the shape of operand #A and #B to be compatible";
  const int64_t columns = b[rank - 1] * (types.isOfPair ? 2 : 1);
  if (c.drop_back(2) != a.drop_back(2) || c[rank - 2] != a[rank - 2] || c[rank - 1] != columns)
    return op->emitOpError() << "expects the shape of operand #C is compatible with operands #A and #B";
  return success();
}

LogicalResult as::verifyScales(Operation *op, const ProductTypes &types, Value scalesOfA, Value scalesOfB) {
  if (!scalesOfA && !scalesOfB) {
    if (isa<Float4E2M1FNType>(types.a.getElementType()) || isa<Float4E2M1FNType>(types.b.getElementType()))
      return op->emitOpError() << "fp4 mma should expect scaling factors";
    return success();
  }
  if (!scalesOfA || !scalesOfB)
    return op->emitOpError() << "expects scales for both A and B, or for neither";
  auto scaleA = cast<RankedTensorType>(scalesOfA.getType()), scaleB = cast<RankedTensorType>(scalesOfB.getType());
  if (scaleA.getElementType() != scaleB.getElementType())
    return op->emitOpError() << "expects sfa/sfb element types to be the same, but got " << scaleA.getElementType()
                             << " and " << scaleB.getElementType();
  if (!isa<FloatType>(scaleA.getElementType()))
    return op->emitOpError() << "expects scales of a float type, but got " << scaleA.getElementType();
  if (!types.c.getElementType().isF32())
    return op->emitOpError() << "expects c type to be Float32, but got " << types.c.getElementType();
  const size_t rank = types.a.getRank();
  if (scaleA.getRank() != types.a.getRank() || scaleB.getRank() != types.a.getRank() || rank < 2)
    return op->emitOpError() << "expects the scales to have the operands' rank";
  const int64_t k = types.a.getShape().back();
  const int64_t blocks = scaleA.getShape().back(), blocksB = scaleB.getDimSize(rank - 2);
  if (blocks != blocksB && blocks != 0 && blocksB != 0)
    return op->emitOpError() << "Scale factor vector size mismatch:" << k / blocks << ", " << k / blocksB;
  SmallVector<int64_t> shapeA(types.a.getShape()), shapeB(types.b.getShape());
  shapeA[rank - 1] = shapeB[rank - 2] = blocks;
  if (types.isOfPair)
    shapeB[rank - 1] *= 2; // Each CTA has the scales of all columns.
  if (blocks == 0 || types.a.getShape().back() % blocks != 0 || scaleA.getShape() != ArrayRef(shapeA) ||
      scaleB.getShape() != ArrayRef(shapeB))
    return op->emitOpError() << "expects one scale for each block of elements along K, equally long in A and B";
  if (isMemoryTensor(scaleA) != isMemoryTensor(scaleB))
    return op->emitOpError() << "expects the scales of both A and B in memory, or of neither, but got " << scaleA
                             << " and " << scaleB;
  for (auto [scales, dim] : {std::pair(scaleA, 0u), std::pair(scaleB, 1u)})
    if (isMemoryTensor(scales) && !areScaleBlocks(scales, dim))
      return op->emitOpError() << "expects scales in memory in blocks of 128 rows or columns and four along K, as they "
                                  "are copied to tensor memory, but got "
                               << scales;
  return aa::verifyScaledElements(op, types.a.getElementType(), types.b.getElementType(), scaleA.getElementType(),
                                  types.a.getShape().back() / blocks);
}

LogicalResult as::unpackOperands(Operation *op, ProductTypes &types) {
  if (!aa::isPacked(op))
    return success();
  auto unpacked = aa::verifyPackedOperands(op, types.a, types.b);
  if (failed(unpacked))
    return failure();
  std::tie(types.a, types.b) = *unpacked;
  return success();
}

LogicalResult as::verifyProductLayouts(Operation *op, AtomAttr atom, ArrayRef<ProductOperand> operands) {
  std::optional<ArrayRef<int64_t>> warps;
  const bool readsMemory = llvm::any_of(operands, [](const ProductOperand &operand) {
    return operand.first != OperandAxis::C && isMemoryTensor(operand.second);
  });
  for (auto [axis, type] : operands) {
    if (isMemoryTensor(type))
      continue;
    auto layout = dyn_cast_if_present<DotOperandAttr>(type.getEncoding());
    // On its way to tensor memory. Who knows the atom checks that it takes this (getWarpgroupTiling).
    if (axis == OperandAxis::A && readsMemory && isDistributedTensor(type) && (!layout || layout.getAxis() != axis))
      continue;
    if (!layout || layout.getAxis() != axis || layout.getAtom() != atom)
      return op->emitOpError() << "expects operand " << stringifyOperandAxis(axis) << " in the layout of atom \""
                               << atom.getName() << '"' << ", but got " << type.getEncoding();
    if (warps && *warps != layout.getWarpsPerCTA())
      return op->emitOpError() << "expects all operands to be distributed over the same grid of warps";
    warps = layout.getWarpsPerCTA();
  }
  return success();
}

LogicalResult DotOp::verify() {
  ProductTypes types = {getA().getType(), getB().getType(), getC().getType(), getSignednessA().has_value(),
                        getSignednessB().has_value()};
  if (failed(unpackOperands(*this, types)) || failed(verifyProduct(*this, types)))
    return failure();
  if (isBlockScaled() && isUniversalFma())
    return emitOpError() << "expects an atom for block-scaled MMAs: ordinary arithmetic takes no scales";
  if (failed(verifyScales(*this, types, getScaleA(), getScaleB())))
    return failure();
  if (getNegate() && (isBlockScaled() || !isa<FloatType>(types.c.getElementType())))
    return emitOpError() << "negates an MMA of integers, or one with scales, which no instruction does";
  const bool isUnplaced = isBlockScaled() && getAtom().isUnplaced();
  if ((readsMemory() || hasScalesInMemory()) && (isUniversalFma() || isUnplaced))
    return emitOpError() << "expects operands in registers: only atoms of warpgroups read memory";
  if (hasScalesInMemory() && !readsMemory())
    return emitOpError() << "expects its operands in memory, too, where its scales are";
  if (isUniversalFma() || isUnplaced)
    return success();
  SmallVector<ProductOperand> operands = {
      {OperandAxis::A, getA().getType()}, {OperandAxis::B, getB().getType()}, {OperandAxis::C, types.c}};
  // Those that go on to tensor memory have a layout of their own.
  if (isBlockScaled() && !readsMemory()) {
    operands.emplace_back(OperandAxis::A, getScaleA().getType());
    operands.emplace_back(OperandAxis::B, getScaleB().getType());
  }
  return verifyProductLayouts(*this, getAtomAttr(), operands);
}

bool DotOp::readsMemory() {
  return isMemoryTensor(getA().getType()) || isMemoryTensor(getB().getType());
}

bool DotOp::hasScalesInMemory() {
  return isBlockScaled() && isMemoryTensor(getScaleA().getType());
}

void DotOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  for (OpOperand &operand : getOperation()->getOpOperands())
    if (isMemoryTensor(operand.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
}

Speculation::Speculatability DotOp::getSpeculatability() {
  return readsMemory() ? Speculation::NotSpeculatable : Speculation::Speculatable;
}

//===----------------------------------------------------------------------===//
// Reductions and scans
//===----------------------------------------------------------------------===//

static LogicalResult verifyCombiningInputs(Operation *op, OperandRange inputs, unsigned axis, ArrayAttr identities) {
  if (inputs.empty())
    return op->emitOpError() << "expects at least one input";
  auto first = cast<RankedTensorType>(inputs.front().getType());
  for (Type type : inputs.getTypes()) {
    auto tensor = cast<RankedTensorType>(type);
    if (tensor.getShape() != first.getShape() || tensor.getEncoding() != first.getEncoding())
      return op->emitOpError() << "expects inputs of one shape and layout, but got " << first << " and " << tensor;
  }
  if (identities.size() != inputs.size())
    return op->emitOpError() << "expects an identity for each of the " << inputs.size() << " inputs, but got "
                             << identities.size();
  for (auto [identity, type] : llvm::zip(identities, inputs.getTypes())) {
    auto typed = dyn_cast<TypedAttr>(identity);
    if (!typed || typed.getType() != getElementTypeOrSelf(type))
      return op->emitOpError() << "expects an identity of type " << getElementTypeOrSelf(type) << ", but got "
                               << identity;
  }
  return verifyAxis(op, axis, first.getRank());
}

static LogicalResult verifyCombiningBody(Operation *op, Region &body, OperandRange inputs) {
  SmallVector<Type> elements, arguments;
  for (Type type : inputs.getTypes()) {
    elements.push_back(getElementTypeOrSelf(type));
    arguments.append(2, elements.back());
  }
  if (!llvm::equal(body.getArgumentTypes(), arguments))
    return op->emitOpError() << "expects a body that takes two elements of each input";
  auto yield = dyn_cast<YieldOp>(body.front().back());
  if (!yield)
    return op->emitOpError() << "expects regions to end with 'nv_tileas.yield'";
  if (!llvm::equal(yield.getValues().getTypes(), elements))
    return op->emitOpError() << "expects a body that yields one element for each input";
  return success();
}

LogicalResult ReduceOp::verify() {
  if (failed(verifyCombiningInputs(*this, getInputs(), getAxis(), getIdentities())))
    return failure();
  if (getResults().size() != getInputs().size())
    return emitOpError() << "expects a result for each of the " << getInputs().size() << " inputs, but got "
                         << getResults().size();
  auto source = cast<RankedTensorType>(getInputs().front().getType());
  SmallVector<int64_t> expected(source.getShape());
  expected.erase(expected.begin() + getAxis());
  for (auto [input, result] : llvm::zip(getInputs().getTypes(), getResults().getTypes())) {
    if (getElementTypeOrSelf(input) != getElementTypeOrSelf(result))
      return emitOpError() << "expects results with the inputs' element types";
    auto tensor = dyn_cast<RankedTensorType>(result);
    if (expected.empty() != !tensor)
      return emitOpError() << "expects a scalar exactly when the only axis is reduced, but got " << result;
    if (!tensor)
      continue;
    if (failed(verifyShape(*this, expected, tensor)) || failed(verifyThreadLocal(*this, source, tensor)))
      return failure();
  }
  return success();
}

LogicalResult ReduceOp::verifyRegions() {
  return verifyCombiningBody(*this, getBody(), getInputs());
}

LogicalResult ScanOp::verify() {
  if (failed(verifyCombiningInputs(*this, getInputs(), getAxis(), getIdentities())))
    return failure();
  if (!llvm::equal(getInputs().getTypes(), getResults().getTypes()))
    return emitOpError() << "expects results of the inputs' types";
  return success();
}

LogicalResult ScanOp::verifyRegions() {
  return verifyCombiningBody(*this, getBody(), getInputs());
}

//===----------------------------------------------------------------------===//
// Shuffles, generated tiles, directives
//===----------------------------------------------------------------------===//

LogicalResult ShuffleOp::verify() {
  RankedTensorType lanes = getLanes().getType();
  if (lanes.getRank() != 1 || lanes.getDimSize(0) != 32 || !lanes.getElementType().isSignlessInteger())
    return emitOpError() << "expects 32 integers as lanes, but got " << lanes;
  return success();
}

void ShuffleOp::collectLayoutRelations(LayoutRelations &relations) {
  relations.tie({getSource(), getResult()});
}

void ShuffleOp::adaptLayouts(OpLayouts &layouts) {
  LinearLayout oneToALane = LinearLayout::identity(LayoutDim::Lane, kLanesPerWarp, {kLanesPerWarp}, 0);
  for (unsigned bit = 0, end = layouts.getResultLayout(0).getNumBits(LayoutDim::Warp); bit < end; ++bit)
    oneToALane.addZeroBasis(LayoutDim::Warp);
  layouts.operands[getSourceMutable().getOperandNumber()] = layouts.results.front();
  layouts.operands[getLanesMutable().getOperandNumber()] = layouts.encode(oneToALane);
}

LogicalResult GenerateOp::verifyRegions() {
  RankedTensorType type = getResult().getType();
  const bool coordinates = llvm::all_of(getBody().getArgumentTypes(), [](Type arg) { return arg.isInteger(32); });
  if (getBody().getNumArguments() != type.getRank() || !coordinates)
    return emitOpError() << "expects a body that takes " << type.getRank() << " coordinates of type i32";
  auto yield = dyn_cast<YieldOp>(getBody().front().back());
  if (!yield)
    return emitOpError() << "expects regions to end with 'nv_tileas.yield'";
  if (yield.getNumOperands() != 1 || yield.getOperand(0).getType() != type.getElementType())
    return emitOpError() << "expects a body that yields one " << type.getElementType();
  return success();
}

void PragmaOp::getSuccessorRegions(RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &successors) {
  if (point.isParent())
    successors.emplace_back(&getBody());
  else
    successors.emplace_back(getOperation(), getOperation()->getResults());
}

LogicalResult PragmaOp::verifyRegions() {
  if (getBody().getNumArguments() != 0)
    return emitOpError() << "expects a body without arguments";
  if (!isa<YieldOp>(getBody().front().back()))
    return emitOpError() << "expects regions to end with 'nv_tileas.yield'";
  return success();
}
