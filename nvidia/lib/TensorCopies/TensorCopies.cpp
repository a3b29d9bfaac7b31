//===- TensorCopies.cpp - Copies by tensor maps ---------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "StageBarrier.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "tileiras/Dialect/TileAA/Clusters.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Lowering/ControlFlow.h"
#include "tileiras/Lowering/Mbarrier.h"
#include "tileiras/Lowering/PtxInstruction.h"
#include "tileiras/Lowering/ThreadIndexing.h"

using namespace mlir;

namespace tileiras {
namespace {

/// One instruction's part of a tile.
struct CopyBox {
  SmallVector<int64_t> start; ///< in the tile
  int64_t offset = 0;         ///< bytes from the tile's first element
};

/// The boxes that fill `tile`, in row-major order.
FailureOr<SmallVector<CopyBox>> getBoxes(Operation *op, as::TmaDescType desc, RankedTensorType tile) {
  const LayoutDescriptor layout = cast<as::SharedAttr>(tile.getEncoding()).getDescriptor();
  const int64_t elementBytes = getMemoryBits(tile.getElementType()) / 8;
  const int64_t unit = TensorCopyLimits::getBoxAlignment(desc.getSwizzle());
  SmallVector<int64_t> counts;
  for (auto [extent, box] : llvm::zip_equal(tile.getShape(), desc.getBox()))
    counts.push_back(extent / box);
  const SmallVector<int64_t> strides = computeSuffixProduct(counts);
  SmallVector<CopyBox> boxes;
  for (int64_t number = 0, end = computeProduct(counts); number < end; ++number) {
    CopyBox box{delinearize(number, strides)};
    std::vector<IntTuple> coordinate;
    for (auto [start, extent] : llvm::zip_equal(box.start, desc.getBox()))
      coordinate.push_back(IntTuple(start *= extent));
    box.offset = layout.layout(IntTuple(std::move(coordinate))) * elementBytes;
    if (box.offset % unit != 0)
      return op->emitOpError() << "copies a box to offset " << box.offset << " of a tile, but boxes of " << desc
                               << " begin at multiples of " << unit << " bytes";
    boxes.push_back(std::move(box));
  }
  return boxes;
}

/// `{$1, $2}`: the contiguous dimension first.
std::string addCoordinates(Emitter &emit, PtxInstruction &ptx, ValueRange coordinates, const CopyBox &box) {
  SmallVector<Value> values;
  for (auto [coordinate, start] : llvm::zip_equal(coordinates, box.start))
    values.push_back(start ? emit.add(coordinate, emit.i32(start)) : coordinate);
  std::reverse(values.begin(), values.end());
  return ptx.operandFragment(values);
}

Value getBoxPointer(Emitter &emit, Value tile, const CopyBox &box) {
  return emit.gep(emit.intType(8), tile, box.offset);
}

/// The CTAs of which each copies a share must be those of a cluster, and there must be boxes for all.
LogicalResult verifyMulticast(as::AsyncTiledTmaLoadOp op, size_t numBoxes, unsigned numCtas) {
  if (!op.getMulticast())
    return success();
  const unsigned sharing = aa::getNumSharingCtas(aa::getSharedCtas(op));
  if (op.getNumMulticast().value_or(0) != sharing || sharing == 1 || aa::getSharedCtas(op) >= numCtas)
    return op.emitOpError() << "copies to " << op.getNumMulticast().value_or(0)
                            << " CTAs, which are not those that 'nv_tileaa.shared_ctas' says of a cluster of "
                            << numCtas;
  if (numBoxes % sharing != 0)
    return op.emitOpError() << "copies " << numBoxes << " boxes, of which " << sharing
                            << " CTAs cannot each do an equal share; expects a descriptor of smaller boxes";
  return success();
}

/// To the boxes that this CTA copies for all that share the tile: behind the shares of those with lower numbers. The
/// numbers of boxes, and of CTAs, are powers of two: each bit of the number moves by itself.
void moveToShare(Emitter &emit, uint32_t sharedCtas, ArrayRef<CopyBox> boxes, Value &destination,
                 MutableArrayRef<Value> coordinates) {
  Value rank = emit.ctaRank();
  size_t first = boxes.size() / aa::getNumSharingCtas(sharedCtas);
  for (unsigned bit = 0; bit < 32; ++bit) {
    if (!(sharedCtas >> bit & 1))
      continue;
    const CopyBox &box = boxes[first];
    first *= 2;
    Value isSet = emit.bitAnd(emit.lshr(rank, bit), emit.i32(1));
    destination = emit.gep(emit.intType(8), destination, emit.mul(isSet, emit.i32(box.offset)));
    for (auto [coordinate, start] : llvm::zip_equal(coordinates, box.start))
      if (start != 0)
        coordinate = emit.add(coordinate, emit.mul(isSet, emit.i32(start)));
  }
}

struct TensorLoadPattern final : TilePattern<as::AsyncTiledTmaLoadOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::AsyncTiledTmaLoadOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (failed(verifyHasBarrier(op)))
      return failure();
    FailureOr<SmallVector<CopyBox>> boxes = getBoxes(op, op.getDesc().getType(), op.getDestination().getType());
    Emitter emit(rewriter, op);
    if (failed(boxes) || failed(verifyMulticast(op, boxes->size(), emit.scope.numCtas)))
      return failure();
    const uint32_t sharedCtas = op.getMulticast() ? aa::getSharedCtas(op) : 0;
    const size_t share = boxes->size() / aa::getNumSharingCtas(sharedCtas);
    Value destination = adaptor.getDestination(), ctas;
    SmallVector<Value> coordinates(adaptor.getCoords());
    if (sharedCtas != 0) {
      moveToShare(emit, sharedCtas, *boxes, destination, coordinates);
      ctas = emitCtaMask(emit, sharedCtas);
    }
    // In clusters of chips without multicast, ptxas calls a function for copies whose destination may be another CTA's.
    const StringRef space = lowering.features().multicast ? "shared::cluster" : "shared::cta";
    Value barrier = emitCountingBarrier(emit, op, adaptor.getBarrier());
    for (const CopyBox &box : ArrayRef(*boxes).take_front(share)) {
      PtxInstruction ptx(emit);
      const std::string to = ptx.operand(getBoxPointer(emit, destination, box));
      const std::string map = ptx.operand(adaptor.getDesc());
      const std::string at = addCoordinates(emit, ptx, coordinates, box);
      const std::string counts = ptx.operand(barrier);
      const std::string mask = ctas ? ", " + ptx.operand(ctas) : "";
      ptx.emit("cp.async.bulk.tensor." + Twine(box.start.size()) + "d." + space +
                   ".global.mbarrier::complete_tx::bytes" + (ctas ? ".multicast::cluster" : "") +
                   (op.getCtaPair() ? ".cta_group::2" : "") + " [" + to + "], [" + map + ", " + at + "], [" + counts +
                   "]" + mask + ";",
               PtxEffect::Memory);
    }
    replaceMemoryOp(rewriter, op);
    return success();
  }
};

/// The instruction's name of what a reduction does, for the element types that a map of this kind has.
std::optional<StringRef> getReduction(aa::RmwMode mode) {
  switch (mode) {
  case aa::RmwMode::Add:
  case aa::RmwMode::AddF:
    return "add";
  case aa::RmwMode::And:
    return "and";
  case aa::RmwMode::Or:
    return "or";
  case aa::RmwMode::Xor:
    return "xor";
  case aa::RmwMode::UMin:
    return "min";
  case aa::RmwMode::UMax:
    return "max";
  default: // Maps are of unsigned integers.
    return std::nullopt;
  }
}

struct TensorStorePattern final : TilePattern<as::AsyncTiledTmaStoreOp> {
  using TilePattern::TilePattern;

  /// What threads have written to the tile has passed a proxy fence and a barrier.
  LogicalResult matchAndRewrite(as::AsyncTiledTmaStoreOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    std::string instruction = "cp.async.bulk.tensor.", mode;
    if (op.getRmwMode()) {
      std::optional<StringRef> reduction = getReduction(*op.getRmwMode());
      if (!reduction)
        return op.emitOpError() << "combines as TMA cannot: " << aa::stringifyRmwMode(*op.getRmwMode());
      instruction = "cp.reduce.async.bulk.tensor.";
      mode = ("." + *reduction).str();
    }
    FailureOr<SmallVector<CopyBox>> boxes = getBoxes(op, op.getDesc().getType(), op.getSource().getType());
    if (failed(boxes))
      return failure();
    Emitter emit(rewriter, op);
    emitIf(emit, emitIsFirstThread(emit), [&] {
      for (const CopyBox &box : *boxes) {
        PtxInstruction ptx(emit);
        const std::string map = ptx.operand(adaptor.getDesc());
        const std::string at = addCoordinates(emit, ptx, adaptor.getCoords(), box);
        const std::string from = ptx.operand(getBoxPointer(emit, adaptor.getSource(), box));
        ptx.emit(instruction + Twine(box.start.size()) + "d.global.shared::cta" + mode + ".tile.bulk_group [" + map +
                     ", " + at + "], [" + from + "];",
                 PtxEffect::Memory);
      }
      PtxInstruction(emit).emit("cp.async.bulk.commit_group;", PtxEffect::Memory);
    });
    replaceMemoryOp(rewriter, op);
    return success();
  }
};

struct ProxyFencePattern final : TilePattern<as::ProxyFenceOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::ProxyFenceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    PtxInstruction ptx(emit);
    ptx.emit(ptx.fence("fence.proxy.async.global;"), PtxEffect::Memory);
    rewriter.eraseOp(op);
    return success();
  }
};

/// Tensor stores are waited for by the thread that has started them; the others have no groups to wait for. Tokens that
/// come round a loop are taken for those of stores where the target has not taken them for something else.
struct TensorWaitPattern final : TilePattern<as::AsyncWaitOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::AsyncWaitOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto isStore = [](Value token) {
      Operation *definition = token.getDefiningOp();
      return !definition || isa<as::AsyncTiledTmaStoreOp, as::AsyncScatterTmaStoreOp>(definition);
    };
    if (op.getTokens().empty() || !llvm::all_of(op.getTokens(), isStore))
      return failure();
    Emitter emit(rewriter, op);
    PtxInstruction ptx(emit);
    ptx.emit(ptx.fence("cp.async.bulk.wait_group " + Twine(op.getPending().value_or(0)) + ";"), PtxEffect::Memory);
    rewriter.eraseOp(op);
    return success();
  }
};

struct TensorStoreWaitPattern final : TilePattern<as::AsyncStoreWaitOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::AsyncStoreWaitOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    const std::string instruction = op.getRead() ? "cp.async.bulk.wait_group.read " : "cp.async.bulk.wait_group ";
    PtxInstruction ptx(emit);
    ptx.emit(ptx.fence(instruction + Twine(op.getPending().value_or(0)) + ";"), PtxEffect::Memory);
    replaceMemoryOp(rewriter, op);
    return success();
  }
};

} // namespace

void populateTensorCopyPatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<TensorLoadPattern, TensorStorePattern, ProxyFencePattern, TensorWaitPattern, TensorStoreWaitPattern>(
      lowering);
}

} // namespace tileiras
