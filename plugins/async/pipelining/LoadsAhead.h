//===- LoadsAhead.h - How far ahead loads without products run --*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop that feeds no matrix product, a reduction or a norm, waits for memory. Its loads run ahead where that brings
// more bytes on their way to the multiprocessor and there are too few otherwise: into registers, which takes few
// instructions but perhaps the room of other blocks, or through queues, a way through shared memory with barriers.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_PIPELINING_LOADSAHEAD_H
#define TILEIRAS_PLUGINS_ASYNC_PIPELINING_LOADSAHEAD_H

#include "common/QueueLoads.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tileiras/Dialect/TileAA/ModuleTarget.h"

namespace tileiras::async {

/// How the loads of a loop run ahead.
struct AheadChoice {
  int32_t iterations = 0; ///< whose tiles are under way beside those of the first; 0: none
  int64_t inFlight = 0;   ///< bytes of all blocks of a multiprocessor
  int64_t registers = 0;  ///< of a thread, in the whole function
};

/// Of a function in nv_tileaa. Registers are estimated from tiles that are alive together, each thread having its
/// share.
class LoadsAhead {
public:
  LoadsAhead(mlir::FunctionOpInterface function, const ChipTarget &target);

  /// What is in flight when `loop` stays as it is. `queuedBytes`: of shared memory, that queues of the function take.
  int64_t countNow(mlir::scf::ForOp loop, int64_t queuedBytes) const;

  /// How the tiles of several iterations are loaded at once, to registers: of a power of two of them, or of all that
  /// there are. The fewest that bring TuningModel::bytesInFlight on their way, or the most that help, up to `stages`,
  /// and up to TuningModel::narrowLoadFactor times that where a thread has little of a tile.
  AheadChoice chooseRegisters(mlir::scf::ForOp loop, llvm::ArrayRef<QueueLoad> loads, int32_t stages,
                              int64_t queuedBytes) const;
  /// How tiles are loaded up to `most` iterations ahead to queues, which hold an iteration more.
  AheadChoice chooseQueue(mlir::scf::ForOp loop, llvm::ArrayRef<QueueLoad> loads, int32_t most,
                          int64_t queuedBytes) const;
  /// What has been chosen is done: the loops that follow have no more blocks.
  void use(const AheadChoice &choice) { registers = std::max(registers, choice.registers); }

private:
  int32_t getMostAtOnce(mlir::scf::ForOp loop, llvm::ArrayRef<QueueLoad> loads, int32_t stages) const;
  int64_t countBlocks(int64_t registers, int64_t sharedBytes) const;
  int64_t countRegisters(mlir::RankedTensorType tile) const;

  const ChipTarget &target;
  int64_t numWarps = 0, registers = 0;
};

/// Bytes of shared memory that a queue of so many entries takes.
int64_t getQueueBytes(llvm::ArrayRef<QueueLoad> loads, int32_t entries);

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_PIPELINING_LOADSAHEAD_H
