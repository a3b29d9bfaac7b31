//===- ExecutionObserver.h - Sees what a run executes -----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_EXECUTIONOBSERVER_H
#define PTX_EMULATOR_EXECUTIONOBSERVER_H

#include "BulkCopy.h"
#include "State.h"
#include <functional>

namespace ptxemu {

struct TensorMultiplication;

/// Is told of every warp instruction that a run completes, in the order of the run, and before that of what the
/// instruction does to memory and barriers.
class ExecutionObserver {
public:
  virtual ~ExecutionObserver() = default;

  /// Whether the results of the floating-point instruction or matrix product are wanted; otherwise they are not
  /// computed, and registers that it writes hold anything.
  virtual bool needsResults(const Function &, size_t place) const = 0;

  /// The warp has executed the instruction at `place` for these lanes; none where the guard holds for no lane.
  virtual void executed(const Warp &, const Function &, size_t place, uint32_t lanes) = 0;

  /// Lanes of x.mask read or write `bytes` bytes each, from the lane's address on.
  virtual void accessed(const Exec &x, Space, const std::function<uint64_t(unsigned lane)> &address,
                        unsigned bytes) = 0;

  virtual void mbarrierInitialized(const Exec &, const Cta &, uint64_t offset, unsigned arrivals) = 0;
  /// A lane arrives so many times at the mbarrier of the CTA, having announced bytes of transactions.
  virtual void mbarrierArrived(const Exec &, const Cta &, uint64_t offset, unsigned count, int64_t expectedBytes) = 0;
  /// A lane arrives when its cp.async so far have finished; `adds`: the phase expects that arrival in addition.
  virtual void mbarrierArrivesAfterCopies(const Exec &, const Cta &, uint64_t offset, bool adds) = 0;
  /// Bytes stored to another CTA's shared memory by an instruction that completes on an mbarrier there.
  virtual void storedAsync(const Exec &, const Cta &to, uint64_t barrier, unsigned bytes) = 0;
  /// A wait has succeeded when so many phases of the mbarrier were complete.
  virtual void mbarrierPassed(const Exec &, uint64_t offset, uint64_t phases) = 0;

  /// Threads arrive at one of the CTA's 16 barriers; `expected` 0: all threads of the CTA.
  virtual void barrierReached(const Exec &, unsigned id, unsigned threads, unsigned expected, bool waits) = 0;

  virtual void bulkLoaded(const Exec &, const Copy &, const std::vector<LoadTarget> &, uint64_t barrier) = 0;
  virtual void bulkStored(const Exec &, const Copy &, bool reduces) = 0;

  /// The tensor core is given a multiplication, or a copy of so many bytes of each CTA's shared memory.
  virtual void tensorMultiplied(const Exec &, const TensorMultiplication &) = 0;
  virtual void tensorCopied(const Exec &, const std::vector<Cta *> &, unsigned bytes) = 0;
  /// An mbarrier of the CTA is arrived at when all is done that the thread has given the tensor core.
  virtual void tensorCommitted(const Exec &, const Cta &, uint64_t offset) = 0;
  /// The CTA has got columns of tensor memory, or given them back; `pair`: together with the other one of the pair.
  virtual void tensorAllocated(const Exec &, unsigned columns, bool pair) = 0;
  virtual void tensorFreed(const Exec &, unsigned columns, bool pair) = 0;
  /// A response of clusterlaunchcontrol.try_cancel is to complete so many bytes on an mbarrier of the CTA.
  virtual void launchCancelled(const Exec &, const Cta &, uint64_t barrier, unsigned bytes) = 0;
};

/// Whether the instruction is to be computed, though there may be an observer.
inline bool wantsResults(const ExecutionObserver *observer, const Function &f, size_t place) {
  return !observer || observer->needsResults(f, place);
}

} // namespace ptxemu

#endif // PTX_EMULATOR_EXECUTIONOBSERVER_H
