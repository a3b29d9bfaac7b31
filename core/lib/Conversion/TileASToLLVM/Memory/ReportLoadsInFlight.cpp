//===- ReportLoadsInFlight.cpp - How much is on its way from memory -------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/TileASToLLVM/Control/RegisterEstimate.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tileiras/Analysis/LoadsInFlight.h"
#include "tileiras/Conversion/TileASToLLVM/Passes.h"
#include "tileiras/Diagnostics/Remarks.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "tileiras/Lowering/SharedStaging.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

namespace tileiras {
#define GEN_PASS_DEF_TILEASREPORTLOADSINFLIGHT
#include "tileiras/Conversion/TileASToLLVM/Passes.h.inc"
} // namespace tileiras

using namespace mlir;

namespace tileiras {

/// What threads load to their registers.
static int64_t getLoadedBytes(Operation *op) {
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case<as::TiledLoadOp, as::LoadOp>([](auto load) { return getBytesInMemory(load->getResult(0).getType()); })
      .Default(int64_t(0));
}

static bool givesOtherName(Operation *op) {
  return isa<ViewLikeOpInterface, as::BroadcastOp>(op);
}

namespace {

/// What runs together: the body of a loop, without that of loops in it, or what is in no loop.
using Pieces = llvm::MapVector<Operation *, LoadsInFlight>;

class KernelLoads {
public:
  explicit KernelLoads(LLVM::LLVMFuncOp kernel) : kernel(kernel) {
    measure(kernel, kernel.getBody());
    kernel.walk([&](LoopLikeOpInterface loop) {
      for (Region *region : loop.getLoopRegions())
        measure(loop, *region);
    });
    kernel.walk([&](as::CreatePipelineOp pipeline) { addPipeline(pipeline); });
    for (auto &[piece, loads] : pieces)
      if (piece != kernel)
        addTrips(cast<LoopLikeOpInterface>(piece), loads);
  }

  /// What loads something and has no loop inside that does.
  Pieces getPieces() {
    llvm::SmallPtrSet<Operation *, 8> around;
    for (auto &[piece, loads] : pieces)
      if (loads.total != 0)
        for (Operation *op = piece; op != kernel; op = op->getParentOp())
          around.insert(op->getParentOp());
    Pieces innermost = pieces;
    innermost.remove_if([&](auto &piece) { return piece.second.total == 0 || around.contains(piece.first); });
    return innermost;
  }

private:
  void measure(Operation *piece, Region &body) {
    for (Block &block : body) {
      LoadsInFlight loads = measureLoadsInFlight(block, getLoadedBytes, givesOtherName);
      pieces[piece].most = std::max(pieces[piece].most, loads.most);
      pieces[piece].total += loads.total;
    }
  }

  /// A loop that empties stages waits for one, while those are under way that were filled before the loop. Agents that
  /// only fill stages fill all of them ahead. What threads load before they fill a stage has been counted.
  void addPipeline(as::CreatePipelineOp pipeline) {
    if (as::getProducerKind(pipeline) == as::ProducerKind::Registers)
      return;
    int64_t bytes = 0;
    for (Type payload : pipeline.getType().getPayload())
      bytes += getBytesInMemory(payload);
    llvm::SetVector<Operation *> loops;
    SmallVector<Operation *> producers;
    for (as::PipelineRegionOpInterface body : as::getStageBodies(pipeline))
      if (body.isProducer())
        producers.push_back(body);
      else if (auto loop = body->getParentOfType<LoopLikeOpInterface>())
        loops.insert(loop);
    for (Operation *loop : loops) {
      const size_t inside = llvm::count_if(producers, [&](Operation *op) { return loop->isProperAncestor(op); });
      const int64_t ahead = inside == 0 ? pipeline.getType().getStages() : producers.size() - inside;
      pieces[loop].most += std::max<int64_t>(ahead, 1) * bytes;
      pieces[loop].total += bytes;
    }
  }

  static void addTrips(LoopLikeOpInterface loop, LoadsInFlight &loads) {
    constexpr int64_t unbounded = std::numeric_limits<int64_t>::max();
    std::optional<APInt> trips;
    if (auto counted = dyn_cast<scf::ForOp>(loop.getOperation()))
      trips = counted.getStaticTripCount();
    loads.total = trips ? llvm::SaturatingMultiply<uint64_t>(loads.total, trips->getLimitedValue(unbounded))
                  : loads.total == 0 ? 0
                                     : unbounded;
    loads.most = std::min(loads.most, loads.total);
  }

  LLVM::LLVMFuncOp kernel;
  Pieces pieces;
};

class ReportLoadsInFlightPass final : public impl::TileASReportLoadsInFlightBase<ReportLoadsInFlightPass> {
  void runOnOperation() override {
    markAllAnalysesPreserved();
    const LoweringContext *lowering = getAnalysis<LoweringAnalysis>().get();
    if (!lowering)
      return signalPassFailure();
    if (!getContext().getRemarkEngine())
      return;
    const SymbolTable symbols(getOperation());
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (function->hasAttr("nvvm.kernel"))
        report(*lowering, function, symbols);
  }

  void report(const LoweringContext &lowering, LLVM::LLVMFuncOp kernel, const SymbolTable &symbols) {
    const int64_t blocks = countResidentCtas(lowering, kernel, symbols);
    for (auto &[piece, loads] : KernelLoads(kernel).getPieces())
      remarkOn(piece, Analysis::LoadsInFlight)
          << llvm::formatv("keeps {0} of loads in flight per SM ({1} a block, {2} blocks){3}",
                           formatBytes(loads.most * blocks), formatBytes(loads.most), blocks,
                           loads.most < loads.total ? "" : ": all it loads")
                 .str();
  }
};

} // namespace
} // namespace tileiras
