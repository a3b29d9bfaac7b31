//===- Mbarrier.h - Barriers in shared memory and proxies -------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What threads, copy engines and asynchronous products tell each other by: mbarriers and the fences between proxies.
// Addresses are pointers to shared memory, or i32.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LOWERING_MBARRIER_H
#define TILEIRAS_LOWERING_MBARRIER_H

#include "tileiras/Lowering/Emitter.h"

namespace tileiras {

/// The barriers of stage s of a pipeline are at kStageBarrierBytes · s: full, then empty.
inline constexpr int64_t kStageBarrierBytes = 16, kFullBarrier = 0, kEmptyBarrier = 8;

/// The address that stands for no barrier: whoever is to arrive there does nothing.
inline constexpr int64_t kNoBarrier = -1;

/// One barrier, `offset` bytes behind `address`.
struct Mbarrier {
  mlir::Value address;
  int64_t offset = 0;
};

/// Phases of the barrier at `offset` complete with so many arrivals, less `fewer` (an i32; null: 0).
struct MbarrierArrivals {
  int64_t offset, arrivals;
  mlir::Value fewer = {};
};

/// In one thread: makes barriers at offsets from `address`. Others, and engines, use them behind a barrier of all
/// threads.
void emitMbarrierInit(Emitter &emit, mlir::Value address, llvm::ArrayRef<MbarrierArrivals> barriers);

/// What an arrival at a barrier of another CTA tells. `Reads`: the threads have read what engines may now overwrite.
/// `All`: what they have written is seen as well, by waits of the same meaning; for these, ptxas emits MEMBAR.ALL.GPU
/// and CCTL.IVALL, which a loop of stages cannot afford (H200, bf16, 4096 a side: 518 instead of 746 TFLOP/s).
enum class ClusterMeaning { Reads, All };

/// Waits until the phase of `parity` (an i32, 0 or 1) is complete; what threads of this CTA did before their arrivals
/// is seen behind, of those of other CTAs what `meaning` says. An operation (`nv_tileas.await_mbarriers`) that
/// convert-tileas-to-llvm makes PTX of, together with waits that follow.
void emitMbarrierWait(Emitter &emit, Mbarrier barrier, mlir::Value parity,
                      ClusterMeaning meaning = ClusterMeaning::Reads);

/// The threads where `predicate` (null: all) holds arrive.
void emitMbarrierArrive(Emitter &emit, Mbarrier barrier, mlir::Value predicate);
/// The address, in shared memory of the cluster, of what is at `local` in this CTA's in that of the CTA of `rank`.
mlir::Value emitMapToCta(Emitter &emit, mlir::Value local, mlir::Value rank);
/// The threads where `predicate` holds arrive at the same barrier of the CTA of the cluster that `rank` says.
void emitMbarrierArriveAt(Emitter &emit, Mbarrier barrier, mlir::Value rank, mlir::Value predicate,
                          ClusterMeaning meaning = ClusterMeaning::Reads);
/// As emitMbarrierArrive; the phase waits for `bytes` more of copies.
void emitMbarrierArriveExpect(Emitter &emit, Mbarrier barrier, int64_t bytes, mlir::Value predicate);

/// Every thread arrives when the copies that it has started by cp.async are complete; they are seen behind waits.
void emitMbarrierArriveCopies(Emitter &emit, Mbarrier barrier);

/// The lanes of each warp meet, and see what the others have done.
void emitSyncWarp(Emitter &emit);

/// What this thread has written to shared memory, or with `ofCluster` to that of any CTA of the cluster, is seen by
/// copy engines and asynchronous products that are started by whoever is ordered behind it.
void emitSharedProxyFence(Emitter &emit, bool ofCluster = false);

} // namespace tileiras

#endif // TILEIRAS_LOWERING_MBARRIER_H
