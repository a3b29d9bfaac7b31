//===- SharedBudget.h - Who gets shared memory ------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes want shared memory one after the other, and buffer assignment comes last: queues, operands of products,
// results on their way out, conversions. Each asks here, where everything before it keeps its place and every pipeline
// a stage, and does without where there is no room. So buffer assignment always finds a place for what is left; beyond
// that, stages get what nobody else has taken.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LOWERING_SHAREDBUDGET_H
#define TILEIRAS_LOWERING_SHAREDBUDGET_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tileiras/Lowering/SharedArena.h"
#include "tileiras/Target/ContextTargets.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tileiras {
namespace as {
class AllocTensorOp;
}

/// The CTAs of a kernel that are wanted on a multiprocessor at once: its hint, at least 1.
int64_t getWantedCTAs(mlir::FunctionOpInterface function);

/// Bytes of shared memory that all stages of a tile take, or the tile itself if it has none.
int64_t getTileBytes(as::AllocTensorOp tile);

/// Bytes of one stage, its barriers included.
int64_t getStageBytes(llvm::ArrayRef<mlir::Type> payload);

/// Bytes that so many stages take together.
int64_t getRingBytes(llvm::ArrayRef<mlir::Type> payload, int64_t stages);

/// The most that an operation of the function but `except` exchanges between threads, bytes;
/// TuningModel::exchangeBytes, as far as `target` has it, for tiles without layouts.
int64_t countExchangedBytes(mlir::FunctionOpInterface function, const ChipTarget &target,
                            mlir::Operation *except = nullptr);

/// The shared memory of a function, laid out as `tileas-allocate-memory` will do it.
class SharedBudget {
public:
  /// Stages that a pipeline, not given memory yet, is to have; without such a function, one.
  using StageCount = llvm::function_ref<int64_t(as::CreatePipelineOp)>;

  /// Of each of `ctas` CTAs on a multiprocessor of `target`, which is not empty. What the function has in shared memory
  /// takes its place: tiles, stages of pipelines, one of each queue, and some memory for what its threads exchange, but
  /// by operations that are `vanishing`.
  SharedBudget(mlir::FunctionOpInterface function, const ChipTarget &target, int64_t ctas,
               StageCount countStages = nullptr, llvm::ArrayRef<mlir::Operation *> vanishing = {});
  /// The same with other stages; what else has been taken is free again.
  void layOut(StageCount countStages);

  /// Bytes for tiles: exchanges between threads, which work in rounds where that is little, have theirs beside them.
  int64_t getLimit() const { return limit; }
  int64_t getTaken() const { return arena.getBytes(); }
  bool fits() const { return getTaken() <= limit; }
  /// Nothing more is given where the launch would have to provide shared memory only because of that.
  void keepStatic();

  /// The most that one tile could take during `lifetime` behind everything else, bytes.
  int64_t getFree(Lifetime lifetime) const;
  /// Takes memory for a tile if there is room.
  bool take(int64_t bytes, Lifetime lifetime);

  const ProgramOrder &getOrder() const { return order; }

private:
  /// What is in shared memory.
  struct Tenant {
    mlir::Operation *op;
    Lifetime lifetime;
  };
  void placeStages(llvm::ArrayRef<mlir::Type> payload, int64_t stages, Lifetime lifetime);

  ProgramOrder order;
  llvm::SmallVector<Tenant> tenants; ///< in program order
  SharedArena arena;
  int64_t limit, staticLimit; ///< staticLimit: of tiles that leave exchanges static memory, too
  bool hasBarriers;           ///< stages that groups of copies fill have none
};

} // namespace tileiras

#endif // TILEIRAS_LOWERING_SHAREDBUDGET_H
