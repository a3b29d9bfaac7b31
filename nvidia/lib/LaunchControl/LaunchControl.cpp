//===- LaunchControl.cpp - Taking over tile blocks by an instruction ------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A request is one `clusterlaunchcontrol.try_cancel`. The copy engine writes its response into an entry, in every CTA
// of the cluster, and completes 16 bytes at the barrier beside it; a thread of each CTA says that these are expected.
// All warps read the response; when they have, each arrives at the other barrier of the entry, that of the CTA which
// asks.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "tileiras/Dialect/TileAS/LaunchControlOps.h"
#include "tileiras/Lowering/ControlFlow.h"
#include "tileiras/Lowering/Mbarrier.h"
#include "tileiras/Lowering/PtxInstruction.h"
#include "tileiras/Lowering/ThreadIndexing.h"
#include "tileiras/Lowering/TilePattern.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tileiras {
namespace {

using as::OpenLaunchControlOp;

/// The entry of a round, and the parity of the phases that its barriers are in.
struct ResponseEntry {
  Value address, parity;

  ResponseEntry(Emitter &emit, Value entries, Value round, unsigned responses) {
    const unsigned bits = llvm::Log2_32(responses);
    parity = emit.lshr(round, bits);
    Value number = emit.bitAnd(round, emit.i32(responses - 1));
    address = emit.add(entries, emit.mul(number, emit.i32(OpenLaunchControlOp::kEntryBytes)));
  }
  Mbarrier full() const { return {address, OpenLaunchControlOp::kFullOffset}; }
  Mbarrier empty() const { return {address, OpenLaunchControlOp::kEmptyOffset}; }
};

struct OpenLaunchControlPattern final : TilePattern<OpenLaunchControlOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(OpenLaunchControlOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    SmallVector<MbarrierArrivals> barriers;
    for (unsigned entry = 0; entry < op.getResponses(); ++entry) {
      const int64_t offset = entry * op.kEntryBytes;
      barriers.push_back({offset + op.kFullOffset, 1});
      barriers.push_back({offset + op.kEmptyOffset, int64_t(op.getReaders() * emit.scope.numCtas)});
    }
    emitIf(emit, emitIsFirstThread(emit), [&] { emitMbarrierInit(emit, adaptor.getMailbox(), barriers); });
    if (emit.scope.numCtas > 1)
      emit.clusterBarrier(); // The first CTA writes to the entries of the others.
    else
      emit.barrier();
    rewriter.replaceOp(op, LLVM::PtrToIntOp::create(rewriter, op.getLoc(), emit.i32(), adaptor.getMailbox()));
    return success();
  }
};

void emitTryCancel(Emitter &emit, const ResponseEntry &entry) {
  PtxInstruction request(emit);
  const std::string address = request.operand(entry.address);
  request.emit("clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes" +
                   Twine(emit.scope.numCtas > 1 ? ".multicast::cluster::all" : "") + ".b128 [" + address + "], [" +
                   address + "+" + Twine(OpenLaunchControlOp::kFullOffset) + "];",
               PtxEffect::Memory);
}

struct RequestProgramIdPattern final : TilePattern<as::RequestProgramIdOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::RequestProgramIdOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    const bool isCluster = emit.scope.numCtas > 1;
    const ResponseEntry entry(emit, adaptor.getEntries(), adaptor.getRound(), op.getResponses());
    emitIf(emit, emitIsFirstThread(emit), [&] {
      emitMbarrierArriveExpect(emit, entry.full(), OpenLaunchControlOp::kResponseBytes, /*predicate=*/{});
      auto ask = [&] {
        // All entries are empty at the beginning: what is waited for is the phase before.
        emitMbarrierWait(emit, entry.empty(), emit.bitXor(entry.parity, emit.i32(1)),
                         isCluster ? ClusterMeaning::All : ClusterMeaning::Reads);
        emitTryCancel(emit, entry);
      };
      if (isCluster)
        emitIf(emit, emit.icmp(LLVM::ICmpPredicate::eq, emit.ctaRank(), emit.i32(0)), ask);
      else
        ask();
    });
    rewriter.eraseOp(op);
    return success();
  }
};

/// x, y and z of the first CTA of the tile block, or -1, and whether there is one.
SmallVector<Value> emitReadResponse(Emitter &emit, Value address) {
  PtxInstruction query(emit);
  const std::string x = query.result(emit.i32()), y = query.result(emit.i32()), z = query.result(emit.i32()),
                    found = query.result(emit.i32()), at = query.operand(address);
  return query.emit("{\n"
                    ".reg .b128 response;\n"
                    ".reg .pred some;\n"
                    ".reg .b32 none;\n"
                    "ld.shared::cta.b128 response, [" +
                        at +
                        "];\n"
                        "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 some, response;\n"
                        "selp.b32 " +
                        found + ", 1, 0, some;\n" + "mov.b32 " + x + ", -1;\nmov.b32 " + y + ", -1;\nmov.b32 " + z +
                        ", -1;\n"
                        "@some clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {" +
                        x + ", " + y + ", " + z +
                        ", none}, response;\n"
                        "}",
                    PtxEffect::Memory);
}

struct AwaitProgramIdPattern final : TilePattern<as::AwaitProgramIdOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::AwaitProgramIdOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    const ResponseEntry entry(emit, adaptor.getEntries(), adaptor.getRound(), op.getResponses());
    emitMbarrierWait(emit, entry.full(), entry.parity);
    SmallVector<Value> results = emitReadResponse(emit, entry.address);
    Value found = emit.icmp(LLVM::ICmpPredicate::ne, results.back(), emit.i32(0));
    giveBack(emit, entry, found);
    // The CTAs of a tile block are neighbours along x.
    if (emit.scope.numCtas > 1)
      results.front() =
          emit.select(found, LLVM::UDivOp::create(rewriter, op.getLoc(), results.front(), emit.i32(emit.scope.numCtas)),
                      results.front());
    results.back() = found;
    rewriter.replaceOp(op, results);
    return success();
  }

private:
  /// Of what threads have read, the engine is told by a fence between their proxies.
  static void giveBack(Emitter &emit, const ResponseEntry &entry, Value found) {
    emitSharedProxyFence(emit);
    emitSyncWarp(emit);
    Value arrives = emit.bitAnd(found, emit.icmp(LLVM::ICmpPredicate::eq, emit.laneId(), emit.i32(0)));
    if (emit.scope.numCtas > 1)
      emitMbarrierArriveAt(emit, entry.empty(), /*rank=*/emit.i32(0), arrives, ClusterMeaning::All);
    else
      emitMbarrierArrive(emit, entry.empty(), arrives);
  }
};

struct CloseLaunchControlPattern final : TilePattern<as::CloseLaunchControlOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::CloseLaunchControlOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    if (emit.scope.numCtas > 1)
      emit.clusterBarrier();
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void populateLaunchControlPatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<OpenLaunchControlPattern, RequestProgramIdPattern, AwaitProgramIdPattern, CloseLaunchControlPattern>(
      lowering);
}

} // namespace tileiras
