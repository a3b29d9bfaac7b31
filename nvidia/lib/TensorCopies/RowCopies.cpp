//===- RowCopies.cpp - Rows of matrices by tensor maps --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One instruction copies a box's width of four rows, which lie anywhere in the array and one after the other in shared
// memory (PTX ISA, "tile::scatter4 and tile::gather4 modes"). Each lane of a warp starts those of the rows that it
// holds the indices of.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "StageBarrier.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Lowering/ControlFlow.h"
#include "tileiras/Lowering/Mbarrier.h"
#include "tileiras/Lowering/PtxInstruction.h"
#include "tileiras/Lowering/ThreadIndexing.h"

using namespace mlir;

namespace tileiras {
namespace {

/// What one instruction copies.
struct RowBox {
  std::string at; ///< `{column, row, row, row, row}`
  Value tile;     ///< the first of the rows in shared memory
};

/// Emits one instruction for each of the boxes of a lane; `write` writes it.
template <typename OpTy>
LogicalResult emitRowBoxes(Emitter &emit, OpTy op, Value rows, Value column, Value tile, RankedTensorType type,
                           function_ref<void(PtxInstruction &ptx, const RowBox &box)> write) {
  const LinearLayout held = getLayout(op.getRows().getType());
  const int64_t count = type.getDimSize(0), width = op.getDesc().getType().getBox().back();
  if (held != as::getRowLayout(count, held.getInSize(LayoutDim::Warp)))
    return op.emitOpError() << "expects the indices of rows as the lanes copy them, four neighbours in each, but got "
                            << op.getRows().getType();
  const LayoutDescriptor layout = cast<as::SharedAttr>(type.getEncoding()).getDescriptor();
  const int64_t elementBytes = getMemoryBits(type.getElementType()) / 8, rowBytes = width * elementBytes;
  const SmallVector<Value> indices = emit.unpack(rows);
  const int64_t lanes = std::min(kLanesPerWarp, count / as::kRowsOfCopy);
  Value first = emit.gep(emit.intType(8), tile, emit.mul(emit.laneId(), emit.i32(as::kRowsOfCopy * rowBytes)));
  auto emitAll = [&] {
    for (size_t group = 0; group < indices.size() / as::kRowsOfCopy; ++group)
      for (int64_t start = 0; start < type.getDimSize(1); start += width) {
        const int64_t offset = layout.layout(IntTuple({0, start})) * elementBytes;
        SmallVector<Value> at = {start ? emit.add(column, emit.i32(start)) : column};
        llvm::append_range(at, ArrayRef(indices).slice(group * as::kRowsOfCopy, as::kRowsOfCopy));
        PtxInstruction ptx(emit);
        Value place = emit.gep(emit.intType(8), first, offset + int64_t(group) * lanes * as::kRowsOfCopy * rowBytes);
        write(ptx, {ptx.operandFragment(at), place});
      }
  };
  if (lanes == kLanesPerWarp)
    emitAll();
  else
    emitIf(emit, emit.icmp(LLVM::ICmpPredicate::ult, emit.laneId(), emit.i32(lanes)), emitAll);
  return success();
}

struct GatherPattern final : TilePattern<as::AsyncGatherTmaLoadOp> {
  using TilePattern::TilePattern;

  /// The lanes of one warp are here.
  LogicalResult matchAndRewrite(as::AsyncGatherTmaLoadOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (failed(verifyHasBarrier(op)))
      return failure();
    if (!lowering.features().gather4)
      return op.emitOpError() << "gathers rows, for which the GPU has no instruction (tile::gather4)";
    Emitter emit(rewriter, op);
    Value barrier = emitCountingBarrier(emit, op, adaptor.getBarrier());
    const std::string instruction =
        "cp.async.bulk.tensor.2d." + std::string(op.getCtaPair() ? "shared::cluster" : "shared::cta") +
        ".global.tile::gather4.mbarrier::complete_tx::bytes" + (op.getCtaPair() ? ".cta_group::2" : "");
    auto write = [&](PtxInstruction &ptx, const RowBox &box) {
      const std::string to = ptx.operand(box.tile);
      const std::string map = ptx.operand(adaptor.getDesc());
      const std::string counts = ptx.operand(barrier);
      ptx.emit(instruction + " [" + to + "], [" + map + ", " + box.at + "], [" + counts + "];", PtxEffect::Memory);
    };
    if (failed(emitRowBoxes(emit, op, adaptor.getRows(), adaptor.getColumn(), adaptor.getDestination(),
                            op.getDestination().getType(), write)))
      return failure();
    replaceMemoryOp(rewriter, op);
    return success();
  }
};

struct ScatterPattern final : TilePattern<as::AsyncScatterTmaStoreOp> {
  using TilePattern::TilePattern;

  /// What threads have written to the tile has passed a proxy fence and a barrier. The lanes of the first warp store
  /// and commit; each waits for its own.
  LogicalResult matchAndRewrite(as::AsyncScatterTmaStoreOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!lowering.features().scatter4)
      return op.emitOpError() << "scatters rows, for which the GPU has no instruction (tile::scatter4)";
    Emitter emit(rewriter, op);
    auto write = [&](PtxInstruction &ptx, const RowBox &box) {
      const std::string map = ptx.operand(adaptor.getDesc());
      const std::string from = ptx.operand(box.tile);
      ptx.emit("cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group [" + map + ", " + box.at + "], [" +
                   from + "];",
               PtxEffect::Memory);
    };
    LogicalResult done = success();
    emitIf(emit, emitIsFirstWarp(emit), [&] {
      done = emitRowBoxes(emit, op, adaptor.getRows(), adaptor.getColumn(), adaptor.getSource(),
                          op.getSource().getType(), write);
      PtxInstruction(emit).emit("cp.async.bulk.commit_group;", PtxEffect::Memory);
    });
    if (failed(done))
      return failure();
    replaceMemoryOp(rewriter, op);
    return success();
  }
};

} // namespace

void populateRowCopyPatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<GatherPattern, ScatterPattern>(lowering);
}

} // namespace tileiras
