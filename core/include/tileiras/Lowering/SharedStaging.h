//===- SharedStaging.h - Tiles on their way through shared memory --*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operation that exchanges data between threads says how much shared memory that takes (ExchangeOpInterface), and
// finds it here when it is lowered.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LOWERING_SHAREDSTAGING_H
#define TILEIRAS_LOWERING_SHAREDSTAGING_H

#include "tileiras/Lowering/Carriers.h"
#include "tileiras/Lowering/LoweringContext.h"
#include "tileiras/Lowering/ThreadIndexing.h"

namespace tileiras {

/// What SharedBudget leaves exchanges, whatever else there is: TuningModel::exchangeBytes is no less. No operation has
/// to do with less.
inline constexpr int64_t kLeastScratch = 4096;

/// The symbol of the array that is all shared memory of `function`.
std::string getArenaName(mlir::LLVM::LLVMFuncOp function);

/// The address in shared memory of what allocation has put `offset` bytes into the arena of the kernel around `op`.
mlir::Value emitArenaAddress(Emitter &emit, mlir::Operation *op, int64_t offset);

/// The scratch area of an operation that exchanges data through shared memory: a pointer in the shared space, aligned
/// to 128 bytes. The operation may use LoweringContext::getScratchBytes(op) from there; it must put a barrier between
/// its writes and its reads, and may assume that nobody else is using the area when it starts.
mlir::Value emitScratch(Emitter &emit, mlir::Operation *op);

/// Stores carriers (a scalar, or a vector of up to 16 bytes) to shared memory where `predicate` (null: always) is true.
/// Copies would write the same value to the same place: harmless, but a race.
void emitSharedStore(Emitter &emit, mlir::Value value, mlir::Value pointer, mlir::Value predicate);

/// Stores a tile of carriers row-major from `base` on; of several holders of an element one stores it.
void emitStage(Emitter &emit, mlir::Value carriers, const LinearLayout &layout, mlir::Value base);

/// One of the equal boxes a tile is cut into: `extents` (powers of two) and, along each dimension, the index (i32) of
/// the box; null where the box is as long as the tile.
struct TileSlice {
  llvm::SmallVector<int64_t> extents;
  llvm::SmallVector<mlir::Value> indices;

  /// Whether coordinates in the tile (replaced by those in the box) are in the box; null for always.
  mlir::Value emitEnter(Emitter &emit, llvm::MutableArrayRef<mlir::Value> coordinates) const;
  /// Whether no thread's register `reg` is in the box, as far as constant indices tell.
  bool isElsewhere(const LinearLayout &layout, unsigned reg) const;
};

/// Consecutive registers that hold neighbours along the last dimension in every thread, the first at a multiple of
/// their number: what one access of at most 16 bytes takes. They are in one box of the extents of `slice`.
unsigned getRunLength(const LinearLayout &layout, const TileSlice &slice, mlir::Type word);

/// The same of the elements in `slice` only, as a tile of its own.
void emitStageSlice(Emitter &emit, mlir::Value carriers, const LinearLayout &layout, const TileSlice &slice,
                    mlir::Value base);
/// Loads what emitStageSlice has stored before a barrier: those of `registers`, distributed by `layout`, that are in
/// `slice` get their element of type `word`. The others keep their value; where they have none yet, it is some element.
void emitLoadSlice(Emitter &emit, const LinearLayout &layout, const TileSlice &slice, mlir::Value base, mlir::Type word,
                   llvm::MutableArrayRef<mlir::Value> registers);

/// A tile that goes through the scratch area box after box, each of at most `limit` bytes.
class ExchangeRounds {
public:
  ExchangeRounds(int64_t limit, llvm::ArrayRef<int64_t> shape, unsigned elementBytes);

  int64_t getBoxElements() const;
  /// All boxes, in the order of the rounds.
  llvm::SmallVector<TileSlice> emitBoxes(Emitter &emit) const;
  /// Emits the rounds, with a barrier between any two.
  void emit(Emitter &emit, llvm::function_ref<void(const TileSlice &box)> round) const;

private:
  llvm::SmallVector<int64_t> shape, extents;
};

/// Stores a tile of carriers, distributed by `layout`, to the tile of layout `shared` (input Offset, in elements) that
/// begins at `base`; of several holders of an element one stores it. Matrix instructions do so where they suit and
/// `mayBeMatrices`.
void emitSharedTileStore(Emitter &emit, const LoweringContext &lowering, mlir::Value carriers,
                         const LinearLayout &layout, const LinearLayout &shared, mlir::Value base,
                         bool mayBeMatrices = true);
/// Loads it: a vector of the registers of `layout`, of integers of type `carrier`. `origin`: the coordinates at which a
/// smaller `layout` begins, multiples of its extents; empty for the first ones.
mlir::Value emitSharedTileLoad(Emitter &emit, const LoweringContext &lowering, mlir::Type carrier,
                               const LinearLayout &layout, const LinearLayout &shared, mlir::Value base,
                               bool mayBeMatrices = true, llvm::ArrayRef<int64_t> origin = {});

/// The registers of `destination`, given those of `source`, by the cheapest plan. `op` lends its scratch area.
mlir::Value emitConversion(Emitter &emit, const LoweringContext &lowering, mlir::Value value,
                           const LinearLayout &source, const LinearLayout &destination, mlir::Operation *op);
/// The same by `plan`.
mlir::Value emitPlannedConversion(Emitter &emit, const LoweringContext &lowering, mlir::Value value,
                                  const ConversionPlan &plan, const LinearLayout &destination, mlir::Operation *op);
/// The scratch bytes emitConversion takes for registers of type `element`.
int64_t getConversionScratchBytes(const LoweringContext &lowering, mlir::Type element, const LinearLayout &source,
                                  const LinearLayout &destination, mlir::Operation *op);
/// Likewise of one plan.
int64_t getConversionScratchBytes(const LoweringContext &lowering, const ConversionPlan &plan, mlir::Operation *op);

/// Values of `vector` (registers of `layout`) as their first holders have them, in every thread that holds a copy.
/// Takes getHolderBroadcastBytes of the scratch area of `op`; does nothing if no thread holds a copy. A scalar counts
/// as held by all threads.
mlir::Value emitHolderBroadcast(Emitter &emit, const LoweringContext &lowering, mlir::Value value, mlir::Type type,
                                mlir::Operation *op);
int64_t getHolderBroadcastBytes(const LoweringContext &lowering, mlir::Type type, mlir::Operation *op);

} // namespace tileiras

#endif // TILEIRAS_LOWERING_SHAREDSTAGING_H
