//===- ClusterExchange.cpp - Tiles change hands between CTAs --------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every CTA lays its part of the source, row-major, into its own shared memory; then each thread takes from the memory
// of other CTAs what it needs of the result. All threads of the cluster meet in between. Before anybody uses the memory
// again, or leaves, they have to meet once more: `tileas-place-barriers` sees to that, mostly by a meeting that there
// is anyway. A tile in several rounds uses it again itself.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/IR/TypeUtilities.h"
#include "tileiras/Dialect/TileAA/Clusters.h"
#include "tileiras/Lowering/Mbarrier.h"
#include "tileiras/Lowering/PtxInstruction.h"
#include "tileiras/Lowering/SharedStaging.h"
#include "tileiras/Lowering/ThreadIndexing.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tileiras {
namespace {

/// Loads a value of `type`, an integer or a vector of up to 16 bytes of them, from shared memory of the cluster.
Value emitClusterLoad(Emitter &emit, Type type, Value address) {
  const unsigned elements = isa<VectorType>(type) ? cast<VectorType>(type).getNumElements() : 1;
  const unsigned total = elements * getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  const unsigned word = total > 64 ? 32 : total, words = total / word;
  PtxInstruction ptx(emit);
  const std::string results = ptx.results(emit.intType(word), words), from = ptx.operand(address);
  const std::string vector = words > 1 ? (".v" + Twine(words)).str() : "";
  const SmallVector<Value> loaded = ptx.emit(
      "ld.shared::cluster" + vector + ".b" + Twine(word) + " " + results + ", [" + from + "];", PtxEffect::Memory);
  if (words == 1 && elements == 1)
    return loaded.front();
  return emit.bitcast(words == 1 ? loaded.front() : emit.pack(loaded), type);
}

/// Where the elements of a result come from.
class SourceParts {
public:
  SourceParts(Emitter &emit, as::ClusterExchangeOp op)
      : emit(emit), from(op.getFrom()), to(op.getTo()), rank(emit.ctaRank()) {
    const uint32_t copies = from.getCopyMask();
    copyRank = op.getFirst() ? emit.i32(0) : emit.bitAnd(rank, emit.i32(copies));
    if (auto result = dyn_cast<RankedTensorType>(op.getType())) {
      resultShape = llvm::to_vector(result.getShape());
      sourceShape = llvm::to_vector(cast<RankedTensorType>(op.getSource().getType()).getShape());
      for (unsigned d = 0; d < resultShape.size(); ++d)
        part.push_back(emitPart(to, d));
    }
  }

  /// The rank of a CTA that has the element at `coordinates` of the result's part, which become those in the source's.
  Value emitFind(MutableArrayRef<Value> coordinates) const {
    Value owner = copyRank;
    for (auto [d, coordinate] : llvm::enumerate(coordinates)) {
      Value inTile = emit.add(coordinate, emit.mul(part[d], emit.i32(resultShape[d])));
      Value sourcePart = emit.lshr(inTile, llvm::Log2_64(sourceShape[d]));
      coordinate = emit.bitAnd(inTile, emit.i32(sourceShape[d] - 1));
      for (auto [position, bit] : llvm::enumerate(from.getBits(d)))
        owner = emit.bitOr(owner, emit.shl(emit.bitAnd(emit.lshr(sourcePart, position), emit.i32(1)), bit));
    }
    return owner;
  }
  /// Of the CTA that all copies come from; for scalars.
  Value getCopyOwner() const { return copyRank; }

private:
  /// Which part of dimension `d` this CTA has.
  Value emitPart(const aa::CtaLayout &layout, unsigned d) {
    Value number = emit.i32(0);
    for (auto [position, bit] : llvm::enumerate(layout.getBits(d)))
      number = emit.bitOr(number, emit.shl(emit.bitAnd(emit.lshr(rank, bit), emit.i32(1)), position));
    return number;
  }

  Emitter &emit;
  const aa::CtaLayout from, to;
  Value rank, copyRank;
  SmallVector<Value> part;
  SmallVector<int64_t> resultShape, sourceShape;
};

unsigned getElementBytes(const LoweringContext &lowering, as::ClusterExchangeOp op) {
  return getCarrierBytes(lowering.converter.convertElement(getElementTypeOrSelf(op.getType())));
}

ExchangeRounds getRounds(const LoweringContext &lowering, as::ClusterExchangeOp op) {
  return ExchangeRounds(lowering.getScratchLimit(op), cast<RankedTensorType>(op.getSource().getType()).getShape(),
                        getElementBytes(lowering, op));
}

struct ClusterExchangePattern final : TilePattern<as::ClusterExchangeOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::ClusterExchangeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    if (!emit.scope.isCta())
      return op.emitOpError() << "stands in an agent, where the threads of a cluster cannot meet";
    if (emit.scope.numCtas != 1u << op.getFrom().size())
      return op.emitOpError() << "is for a cluster of " << (1u << op.getFrom().size()) << " CTAs, but this one has "
                              << emit.scope.numCtas;
    Value carrier = toCarrier(emit, adaptor.getSource()), scratch = emitScratch(emit, op);
    Value result = isa<RankedTensorType>(op.getType()) ? exchangeTile(emit, op, carrier, scratch)
                                                       : exchangeScalar(emit, op, carrier, scratch);
    rewriter.replaceOp(op, fromCarrier(emit, result, convert(op.getType())));
    return success();
  }

  Value exchangeScalar(Emitter &emit, as::ClusterExchangeOp op, Value carrier, Value scratch) const {
    emitSharedStore(emit, carrier, scratch, emitIsFirstThread(emit));
    emit.clusterBarrier();
    Value address = emitMapToCta(emit, scratch, SourceParts(emit, op).getCopyOwner());
    return emitClusterLoad(emit, carrier.getType(), address);
  }

  Value exchangeTile(Emitter &emit, as::ClusterExchangeOp op, Value carrier, Value scratch) const {
    const LinearLayout source = getLayout(op.getSource().getType()), result = getLayout(op.getType());
    const SourceParts parts(emit, op);
    SmallVector<Value> registers(result.getInSize(LayoutDim::Register), Value());
    for (auto [round, box] : llvm::enumerate(getRounds(lowering, op).emitBoxes(emit))) {
      if (round != 0)
        emit.clusterBarrier();
      emitStageSlice(emit, carrier, source, box, scratch);
      emit.clusterBarrier();
      takeBox(emit, parts, result, box, scratch, getElementTypeOrSelf(carrier.getType()), registers);
    }
    return emit.pack(registers);
  }

  /// Those of `registers` that are in `box` of the part of some CTA get their element.
  static void takeBox(Emitter &emit, const SourceParts &parts, const LinearLayout &layout, const TileSlice &box,
                      Value scratch, Type word, MutableArrayRef<Value> registers) {
    const SmallVector<Value> thread = emitThreadCoordinates(emit, layout);
    TileSlice run = box;
    for (auto [extent, size] : llvm::zip_equal(run.extents, layout.getOutSizes()))
      extent = std::min(extent, size);
    const unsigned length = getRunLength(layout, run, word), bytes = word.getIntOrFloatBitWidth() / 8;
    const Type type = length == 1 ? word : Emitter::vectorType(length, word);
    for (unsigned first = 0; first < registers.size(); first += length) {
      SmallVector<Value> at = emitCoordinates(emit, thread, layout, first);
      Value owner = parts.emitFind(at);
      Value inside = box.emitEnter(emit, at); // Coordinates outside become some inside: the load is safe.
      Value offset = emit.mul(emitFlatIndex(emit, at, box.extents), emit.i32(bytes));
      Value loaded = emitClusterLoad(emit, type, emit.add(emitMapToCta(emit, scratch, owner), offset));
      for (unsigned i = 0; i < length; ++i) {
        Value element = length == 1 ? loaded : emit.extract(loaded, i), &value = registers[first + i];
        value = value && inside ? emit.select(inside, element, value) : element;
      }
    }
  }
};

} // namespace

int64_t as::ClusterExchangeOp::getScratchBytes(const LoweringContext &lowering) {
  const int64_t bytes = getElementBytes(lowering, *this);
  return isa<RankedTensorType>(getType()) ? getRounds(lowering, *this).getBoxElements() * bytes : bytes;
}

void populateClusterExchangePatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<ClusterExchangePattern>(lowering);
}

} // namespace tileiras
