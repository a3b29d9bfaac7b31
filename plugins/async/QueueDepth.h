//===- QueueDepth.h - How far ahead loads without products run --*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop that feeds no matrix product, a reduction or a norm, waits for memory. Its loads are queued where that brings
// more bytes on their way to the multiprocessor and there are too few otherwise: a queue is a way through shared
// memory, with barriers, and takes room that other blocks could have.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_QUEUEDEPTH_H
#define TILEIRAS_PLUGINS_ASYNC_QUEUEDEPTH_H

#include "QueueLoads.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tileiras/Target/ModuleTarget.h"

namespace tileiras::async {

/// Of a function in nv_tileaa. Registers are estimated from tiles that are alive together, each thread having its
/// share.
class QueueDepth {
public:
  QueueDepth(mlir::FunctionOpInterface function, const ChipTarget &target);

  /// Iterations that a queue of these loads of `loop` should hold, no more than `most`, when queues of the function
  /// take `takenBytes` of shared memory already: as few as bring kWantedBytesInFlight on their way, or as many as help.
  /// 0 where none helps: then `reason` says why, as the end of a sentence whose subject is a load.
  int32_t choose(mlir::scf::ForOp loop, llvm::ArrayRef<QueueLoad> loads, int32_t most, int64_t takenBytes,
                 std::string &reason) const;

private:
  int64_t countBlocks(int64_t sharedBytes) const;

  const ChipTarget &target;
  int64_t numWarps = 0, registers = 0;
};

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_QUEUEDEPTH_H
