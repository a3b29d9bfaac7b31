//===- Mbarrier.cpp - Barriers in shared memory and proxies ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Lowering/Mbarrier.h"
#include "tileiras/Dialect/TileAS/BarrierOps.h"
#include "tileiras/Lowering/PtxInstruction.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tileiras {

static std::string printAddress(PtxInstruction &ptx, Mbarrier barrier) {
  return "[" + ptx.operand(barrier.address) + (barrier.offset ? "+" + std::to_string(barrier.offset) : "") + "]";
}

void emitMbarrierInit(Emitter &emit, Value address, ArrayRef<MbarrierArrivals> barriers) {
  PtxInstruction ptx(emit);
  const std::string base = ptx.operand(address);
  std::string text;
  for (auto [offset, arrivals, fewer] : barriers) {
    const std::string count = fewer ? ptx.operand(emit.sub(emit.i32(arrivals), fewer)) : std::to_string(arrivals);
    text += llvm::formatv("mbarrier.init.shared::cta.b64 [{0}{1}], {2};\n", base,
                          offset ? "+" + std::to_string(offset) : "", count);
  }
  ptx.emit(text + ptx.fence("fence.mbarrier_init.release.cluster;"), PtxEffect::Memory);
}

void emitMbarrierWait(Emitter &emit, Mbarrier barrier, Value parity, ClusterMeaning meaning) {
  Value address = barrier.address;
  if (isa<LLVM::LLVMPointerType>(address.getType()))
    address = LLVM::PtrToIntOp::create(emit.builder, emit.location, emit.i32(), address);
  as::AwaitMbarriersOp::create(emit.builder, emit.location, address, parity, barrier.offset,
                               /*of_cluster=*/meaning == ClusterMeaning::All);
}

void emitMbarrierArrive(Emitter &emit, Mbarrier barrier, Value predicate) {
  PtxInstruction ptx(emit);
  std::string guard = ptx.guard(predicate);
  ptx.emit(ptx.fence(guard + "mbarrier.arrive.shared::cta.b64 _, " + printAddress(ptx, barrier) + ";"),
           PtxEffect::Memory);
}

Value emitMapToCta(Emitter &emit, Value local, Value rank) {
  PtxInstruction ptx(emit);
  const std::string address = ptx.result(emit.i32()), from = ptx.operand(local), cta = ptx.operand(rank);
  return ptx.emit("mapa.shared::cluster.u32 " + address + ", " + from + ", " + cta + ";").front();
}

void emitMbarrierArriveAt(Emitter &emit, Mbarrier barrier, Value rank, Value predicate, ClusterMeaning meaning) {
  PtxInstruction ptx(emit);
  const std::string guard = ptx.guard(predicate), address = ptx.operand(barrier.address), cta = ptx.operand(rank);
  const StringRef order = meaning == ClusterMeaning::All ? ".release.cluster" : "";
  ptx.emit("{\n"
           ".reg .b32 remote;\n"
           "mapa.shared::cluster.u32 remote, " +
               address + ", " + cta + ";\n" +
               ptx.fence(guard + "mbarrier.arrive" + order + ".shared::cluster.b64 _, [remote+" +
                         Twine(barrier.offset) + "];") +
               "\n}",
           PtxEffect::Memory);
}

void emitMbarrierArriveExpect(Emitter &emit, Mbarrier barrier, int64_t bytes, Value predicate) {
  PtxInstruction ptx(emit);
  std::string guard = ptx.guard(predicate);
  ptx.emit(ptx.fence(guard + "mbarrier.arrive.expect_tx.shared::cta.b64 _, " + printAddress(ptx, barrier) + ", " +
                     Twine(bytes) + ";"),
           PtxEffect::Memory);
}

void emitMbarrierArriveCopies(Emitter &emit, Mbarrier barrier) {
  PtxInstruction ptx(emit);
  ptx.emit(ptx.fence("cp.async.mbarrier.arrive.noinc.shared::cta.b64 " + printAddress(ptx, barrier) + ";"),
           PtxEffect::Memory);
}

void emitSyncWarp(Emitter &emit) {
  PtxInstruction(emit).emit("bar.warp.sync -1;", PtxEffect::Memory);
}

void emitSharedProxyFence(Emitter &emit, bool ofCluster) {
  PtxInstruction ptx(emit);
  ptx.emit(ptx.fence(ofCluster ? "fence.proxy.async.shared::cluster;" : "fence.proxy.async.shared::cta;"),
           PtxEffect::Memory);
}

} // namespace tileiras
