//===- TileASTmaOps.cpp - Copies by tensor maps ---------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PipelineVerification.h"
#include "TileVerification.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Layout/RegisterLayouts.h"
#include "tileiras/Layout/TensorCopyLimits.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::as;

#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAS/TileASTmaOps.cpp.inc"

void TileASDialect::registerTmaOps() {
  addOperations<
#define GET_OP_LIST
#include "tileiras/Dialect/TileAS/TileASTmaOps.cpp.inc"
      >();
}

/// What the ISA allows. A chip may allow less: tileir-verify-ops-analysis, which knows it, says so.
static constexpr TensorCopyLimits kTmaLimits;
/// The most CTAs of a cluster that a multicast reaches.
static constexpr int32_t kMaxMulticast = 16;
/// Multicasts of narrower boxes are not supported.
static constexpr int64_t kMinMulticastBytes = 128;

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

/// NaN and zero are all that a tensor map can fill in.
static LogicalResult verifyTmaPadding(Operation *op, std::optional<aa::PaddingValue> padding, Type element,
                                      StringRef text) {
  if (!padding || *padding == aa::PaddingValue::Zero)
    return success();
  if (!isa<FloatType>(element))
    return op->emitOpError()
           << "special padding values (nan, pos_inf, neg_inf, neg_zero) only for float-like element types";
  if (*padding != aa::PaddingValue::NaN)
    return op->emitOpError() << text;
  return success();
}

LogicalResult MakeTiledTmaDescOp::verify() {
  auto source = dyn_cast<aa::TileMemRefType>(getSource().getType());
  if (!source)
    return emitOpError() << "expects a memref, but got " << getSource().getType();
  if (!llvm::is_contained({kTmaLoad, kTmaStore, kTmaReduce}, getAtom().getName()))
    return emitOpError() << "invalid TMA atom type";
  TmaDescType desc = getResult().getType();
  if (int64_t(desc.getBox().size()) != source.getRank())
    return emitOpError() << "tmaBoxDim and atomBoxDim length mismatch: a box of " << desc.getBox().size()
                         << " dimensions for a memref of " << source.getRank();
  Type element = source.getElementType();
  if (desc.getArrayElementType() != element)
    return emitOpError() << "expects a descriptor of " << element << ", but got one of " << desc.getElementType();
  if (desc.getElementType() != element && getAtom().getName() != kTmaLoad)
    return emitOpError() << "rounds to " << desc.getElementType() << ", which loads do, but its atom is \""
                         << getAtom().getName() << '"';
  if (source.getStrides().back() != 1)
    return emitOpError() << "only support element_stride = 1 tma desc";
  for (int64_t stride : source.getStrides().drop_back())
    if (!ShapedType::isDynamic(stride) &&
        stride * element.getIntOrFloatBitWidth() % (8 * kTmaLimits.strideAlignment) != 0)
      return emitOpError() << "expects strides of multiples of " << kTmaLimits.strideAlignment
                           << " bytes, but got one of " << stride << " elements of " << element
                           << "; load this tile without TMA";
  return verifyTmaPadding(*this, getOobMode(), element, "TmaLoad only support zero padding now");
}

/// For so many maps, and a place besides.
static LogicalResult verifyStaging(Operation *op, RankedTensorType staging, int64_t count) {
  constexpr int64_t mapBytes = 128;
  const int64_t bytes = staging.getNumElements() * staging.getElementTypeBitWidth() / 8;
  if (bytes < mapBytes * (count + 1))
    return op->emitOpError() << "expects " << mapBytes * (count + 1) << " bytes of staging memory, but got " << bytes;
  return success();
}

LogicalResult ClaimTensorMapsOp::verify() {
  const size_t count = getDescs().size();
  if (getSources().size() > count || getStores().size() != count || getNanFill().size() != count ||
      getMapsPerSet() < count)
    return emitOpError() << "expects a use, a fill mode and a place in the set for each of its " << count
                         << " maps, and no more sources than maps";
  return verifyStaging(*this, getStaging().getType(), count);
}

LogicalResult UpdateTensorMapsOp::verify() {
  const size_t count = getMaps().size();
  if (count == 0 || getSources().size() != count || getStores().size() != count || getNanFill().size() != count ||
      getMaps().getTypes() != getDescs().getTypes())
    return emitOpError() << "expects a source, a use, a fill mode and a result of the same type for each of its "
                         << count << " maps";
  return verifyStaging(*this, getStaging().getType(), getFirst() + count);
}

LogicalResult AsyncStoreWaitOp::verify() {
  if (getRead() && getResultToken())
    return emitOpError()
           << "has a token for stores of which it only knows that they have read their tiles: drop 'read' "
              "or the token";
  if (getPending().value_or(0) > 0 && getResultToken())
    return emitOpError() << "has a token for stores of which it leaves " << *getPending()
                         << " pending: drop 'pending' or the token";
  return verifyPending(*this, getPending());
}

//===----------------------------------------------------------------------===//
// Tiles in shared memory
//===----------------------------------------------------------------------===//

/// Elements of a box lie one after the other, the last dimension fastest, swizzled as the descriptor says.
static bool isTmaCompatible(TmaDescType desc, RankedTensorType tile) {
  auto shared = dyn_cast<SharedAttr>(tile.getEncoding());
  if (!shared)
    return false;
  const LayoutDescriptor layout = shared.getDescriptor();
  std::optional<SwizzleMode> mode = layout.swizzle ? layout.swizzle->getMode() : SwizzleMode::None;
  if (!mode || (*mode == SwizzleMode::None ? 0 : getSwizzleRowBytes(*mode)) != desc.getSwizzle())
    return false;
  const unsigned rank = desc.getBox().size();
  if (layout.layout.getRank() != rank)
    return false;
  int64_t expected = 1;
  for (unsigned dim = rank; dim-- > 0;) {
    for (int64_t step = 1; step < desc.getBox()[dim]; step *= 2) {
      std::vector<IntTuple> coordinate(rank, IntTuple(0));
      coordinate[dim] = step;
      if (layout.layout(IntTuple(std::move(coordinate))) != step * expected)
        return false;
    }
    expected *= desc.getBox()[dim];
  }
  return true;
}

/// What holds for loads and stores, tiles and rows.
static LogicalResult verifyTmaTile(Operation *op, TmaDescType desc, RankedTensorType tile) {
  if (desc.getElementType() != tile.getElementType())
    return op->emitOpError() << "view elementType not equal with tensor element type: " << desc.getElementType()
                             << " != " << tile.getElementType();
  if (int64_t(desc.getBox().size()) != tile.getRank())
    return op->emitOpError() << "tmaBoxDim and atomBoxDim length mismatch: a box of " << desc.getBox().size()
                             << " dimensions for a tile of " << tile.getRank();
  for (auto [box, extent] : llvm::zip_equal(desc.getBox(), tile.getShape()))
    if (extent % box != 0)
      return op->emitOpError() << "tmaBoxDim and atomBoxDim mismatch: boxes of " << box << " do not fill " << extent;
  if (!isTmaCompatible(desc, tile))
    return op->emitOpError() << "smem layout is not TMA compatible: " << tile.getEncoding() << " for " << desc;
  return success();
}

static LogicalResult verifyTmaCoordinates(Operation *op, TmaDescType desc, size_t count) {
  if (count == desc.getBox().size())
    return success();
  return op->emitOpError() << "expects " << desc.getBox().size() << " coordinates, but got " << count;
}

/// Where the descriptor's definition can be seen, it is for this use.
static LogicalResult verifyDescriptorAtom(Operation *op, Value desc, AtomAttr atom) {
  auto make = desc.getDefiningOp<MakeTiledTmaDescOp>();
  if (!make || make.getAtom() == atom)
    return success();
  InFlightDiagnostic diagnostic = op->emitOpError() << "expect a " << atom.getName() << " atom type";
  diagnostic.attachNote(make.getLoc()) << "the descriptor is made for \"" << make.getAtom().getName() << '"';
  return diagnostic;
}

/// The operation's own atom, and its descriptor's.
static LogicalResult verifyTmaAtom(Operation *op, Value desc, AtomAttr atom, StringRef expected) {
  if (atom.getName() != expected)
    return op->emitOpError() << "expect a " << expected << " atom type";
  return verifyDescriptorAtom(op, desc, atom);
}

//===----------------------------------------------------------------------===//
// Loads and stores of tiles
//===----------------------------------------------------------------------===//

static LogicalResult verifyMulticast(AsyncTiledTmaLoadOp op, TmaDescType desc) {
  std::optional<int32_t> count;
  if (IntegerAttr attr = op.getNumMulticastAttr())
    count = attr.getInt();
  if (!op.getMulticast())
    return count ? op.emitOpError() << "expects num_multicast along with multicast only" : success();
  if (!count || *count < 2 || *count > kMaxMulticast)
    return op.emitOpError() << "missing or invalid num_multicast for a multicast TMA load; expects 2 to "
                            << kMaxMulticast;
  const int64_t bits = llvm::product_of(desc.getBox()) * getSharedBits(desc.getElementType());
  if (bits < 8 * kMinMulticastBytes)
    return op.emitOpError() << "mcast is not supported for TMA load with less than 128bytes per atom";
  return success();
}

LogicalResult AsyncTiledTmaLoadOp::verify() {
  TmaDescType desc = getDesc().getType();
  if (failed(verifyTmaAtom(*this, getDesc(), getAtom(), kTmaLoad)) ||
      failed(verifyTmaCoordinates(*this, desc, getCoords().size())) ||
      failed(verifyTmaTile(*this, desc, getDestination().getType())) ||
      failed(
          verifyTmaPadding(*this, getPaddingValue(), desc.getElementType(), "TmaLoad only support zero padding now")) ||
      (!getCtaPair() && failed(verifyBarrier(*this, getDestination(), getBarrier()))))
    return failure();
  return verifyMulticast(*this, desc);
}

LogicalResult AsyncTiledTmaStoreOp::verify() {
  TmaDescType desc = getDesc().getType();
  const StringRef expected = getRmwMode() ? kTmaReduce : kTmaStore;
  if (failed(verifyTmaAtom(*this, getDesc(), getAtom(), expected)) ||
      failed(verifyTmaCoordinates(*this, desc, getCoords().size())) ||
      failed(verifyTmaTile(*this, desc, getSource().getType())))
    return failure();
  return getRmwMode() ? verifyTiledRmw(*this, desc.getElementType(), *getRmwMode()) : success();
}

//===----------------------------------------------------------------------===//
// Loads and stores of rows
//===----------------------------------------------------------------------===//

static LogicalResult verifyTmaRows(Operation *op, TmaDescType desc, RankedTensorType rows, RankedTensorType tile) {
  if (desc.getBox().size() != 2 || desc.getBox().front() != 1)
    return op->emitOpError() << "expects a box of one row, but got " << desc;
  if (failed(verifyTmaTile(op, desc, tile)))
    return failure();
  if (rows.getRank() != 1 || !rows.getElementType().isInteger(32) || rows.getDimSize(0) != tile.getDimSize(0))
    return op->emitOpError() << "expects an index of type i32 for each of the " << tile.getDimSize(0)
                             << " rows, but got " << rows;
  const LayoutDescriptor layout = cast<SharedAttr>(tile.getEncoding()).getDescriptor();
  bool isOfBoxes = tile.getDimSize(0) % kRowsOfCopy == 0;
  for (int64_t row = 1; row < tile.getDimSize(0); row *= 2)
    isOfBoxes &= layout.layout(IntTuple({row, 0})) == row * desc.getBox().back();
  if (!isOfBoxes)
    return op->emitOpError() << "tma box-dim and copy atom box-dim mismatch: " << kRowsOfCopy
                             << " rows of a box's width go in one instruction, one after the other in shared memory, "
                                "and the tile is "
                             << tile;
  return success();
}

LinearLayout as::getRowLayout(int64_t count, int64_t numWarps) {
  LinearLayout layout(ArrayRef<int64_t>{count});
  int64_t row = 1;
  auto add = [&](LayoutDim dim, bool isCopy) {
    layout.addBasis(dim, {isCopy ? 0 : int32_t(row)});
    row *= isCopy ? 1 : 2;
  };
  while (row < kRowsOfCopy)
    add(LayoutDim::Register, false);
  for (int64_t lanes = 1; lanes < kLanesPerWarp; lanes *= 2)
    add(LayoutDim::Lane, row >= count);
  while (row < count)
    add(LayoutDim::Register, false);
  for (int64_t warps = 1; warps < numWarps; warps *= 2)
    add(LayoutDim::Warp, true);
  return layout;
}

LogicalResult AsyncGatherTmaLoadOp::verify() {
  TmaDescType desc = getDesc().getType();
  if (failed(verifyTmaAtom(*this, getDesc(), getAtom(), kTmaLoad)) ||
      failed(verifyTmaRows(*this, desc, getRows().getType(), getDestination().getType())) ||
      failed(verifyBarrier(*this, getDestination(), getBarrier())))
    return failure();
  if (getPaddingValue().value_or(aa::PaddingValue::Zero) != aa::PaddingValue::Zero)
    return emitOpError() << "GatherTmaLoad only support zero padding now";
  return success();
}

LogicalResult AsyncScatterTmaStoreOp::verify() {
  if (getAtom().getName() == kTmaReduce)
    return emitOpError() << "TmaReduceOp do not support SCATTER4 mode";
  if (failed(verifyTmaAtom(*this, getDesc(), getAtom(), kTmaStore)))
    return failure();
  return verifyTmaRows(*this, getDesc().getType(), getRows().getType(), getSource().getType());
}
