//===- TileBlock.h - A tile block and where it stands -----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile block keeps its own stack of the regions it is in, so that it can be left at any operation and resumed later.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_INTERPRETER_LIB_TILEBLOCK_H
#define TILEIRAS_INTERPRETER_LIB_TILEBLOCK_H

#include "Evaluation.h"

namespace tileiras::interpreter {

/// What all tile blocks of a launch share.
struct Grid {
  std::array<uint32_t, 3> extents;
  Memory &memory;
  const InterpreterOptions &options;
  llvm::StringMap<uint64_t> globals; ///< addresses
  uint64_t operations = 0;           ///< executed so far
};

class TileBlock {
public:
  TileBlock(Grid &grid, std::array<uint32_t, 3> id) : grid(grid), id(id) {}

  /// Makes the entry's first operation the next one. `arguments` are its parameters.
  void enter(cuda_tile::EntryOp entry, llvm::ArrayRef<Tile> arguments);
  bool isFinished() const { return frames.empty(); }
  /// Executes the next operation.
  llvm::LogicalResult step();
  /// Whether the operation just executed may wait for another tile block: it is atomic, or an ordered access.
  bool maySpin() const { return lastMaySpin; }
  mlir::Operation *getNextOperation() const { return &*frames.back().next; }

  /// Executes a region that yields, such as the body of a reduction, and returns what it yields.
  llvm::FailureOr<llvm::SmallVector<Tile>> runRegion(mlir::Block &block, llvm::SmallVectorImpl<Tile> &arguments);

  /// Reserves memory until the innermost allocation scope (loop iteration or kernel) ends.
  uint64_t allocate(uint64_t bytes, uint64_t alignment, llvm::StringRef name);

  Grid &grid;
  const std::array<uint32_t, 3> id;

private:
  /// A block being executed.
  struct Frame {
    mlir::Operation *owner;
    mlir::Block::iterator next;
    llvm::SmallVector<uint64_t, 0> allocations;
  };

  void push(mlir::Operation *owner, mlir::Block &block) { frames.push_back({owner, block.begin(), {}}); }
  void pop();
  void releaseAllocations(Frame &frame);

  llvm::LogicalResult evaluate(mlir::Operation *op);
  llvm::LogicalResult checkDoubts(mlir::Operation *op, mlir::ValueRange used);
  llvm::LogicalResult executeStructure(mlir::Operation *op);
  void observe(mlir::Operation *op);

  // The operations with regions, and the terminators.
  llvm::LogicalResult execute(cuda_tile::IfOp op);
  llvm::LogicalResult execute(cuda_tile::ForOp op);
  llvm::LogicalResult execute(cuda_tile::LoopOp op);
  llvm::LogicalResult execute(cuda_tile::BreakOp op);
  llvm::LogicalResult execute(cuda_tile::ContinueOp op);
  llvm::LogicalResult execute(cuda_tile::ReturnOp op);
  llvm::LogicalResult execute(cuda_tile::YieldOp op);

  llvm::SmallVector<RuntimeValue> getValues(mlir::ValueRange values) const;
  void setValues(mlir::ValueRange values, llvm::MutableArrayRef<RuntimeValue> results);
  void beginIteration(cuda_tile::ForOp op, uint64_t inductionValue, llvm::MutableArrayRef<RuntimeValue> carried);

  Environment values;
  llvm::SmallVector<Frame> frames;
  llvm::SmallVector<RuntimeValue> yielded; ///< by the region that ended last
  bool lastMaySpin = false;
};

} // namespace tileiras::interpreter

#endif // TILEIRAS_INTERPRETER_LIB_TILEBLOCK_H
