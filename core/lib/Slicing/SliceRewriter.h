//===- SliceRewriter.h - Operations on tiles as loops over slices -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_SLICING_SLICEREWRITER_H
#define TILEIRAS_LIB_SLICING_SLICEREWRITER_H

#include "SliceDemand.h"
#include "SliceShapes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "tileiras/Dialect/TileAS/TileAS.h"

namespace tileiras::slicing {

/// Numbers of slices, one index (i32) for each axis. Equal constants are one value.
using Indices = llvm::ArrayRef<mlir::Value>;
using IndexList = llvm::SmallVector<mlir::Value, 4>;

class SliceRewriter {
public:
  SliceRewriter(aa::FuncOp func, SliceShapes &shapes, const SliceDemand &demand);

  mlir::LogicalResult rewrite();

private:
  // Program (SliceRewriter.cpp).
  mlir::LogicalResult rewriteBlock(mlir::Block &block);
  mlir::LogicalResult rewriteOp(mlir::Operation *op);
  void rewriteLoop(mlir::Operation *op);
  void rewriteScan(aa::ScanOp op);
  void rewriteWhole(mlir::Operation *op);
  void replaceUncut(mlir::Operation *op);
  mlir::LogicalResult eraseReplaced();

  // Control flow (SliceControlFlow.cpp). Cut tiles are passed in memory.
  mlir::LogicalResult rewriteRegions(mlir::Operation *op);
  mlir::LogicalResult rewriteFor(mlir::scf::ForOp op);
  mlir::LogicalResult rewriteIf(mlir::scf::IfOp op);
  mlir::LogicalResult rewriteWhile(mlir::scf::WhileOp op);
  llvm::SmallVector<mlir::Value> keepAll(mlir::ValueRange tiles);
  void dropArguments(mlir::Block &block, unsigned first, llvm::ArrayRef<mlir::Value> memory);
  void replaceResults(mlir::Operation *op, mlir::Operation *now, llvm::ArrayRef<mlir::Value> memory);
  void passOn(mlir::Operation *terminator, unsigned first, llvm::ArrayRef<mlir::Value> memory);
  /// The slice of the only cut result of a loop that runs for it.
  mlir::Value runLoop(mlir::scf::ForOp op, Indices indices);
  void copyShapes(mlir::Operation *op, const mlir::IRMapping &copies);
  void eraseCut(mlir::Block &block);
  mlir::Value makePlaceholder(mlir::Value tile, mlir::Value memory);
  void replacePassed(mlir::Value tile, mlir::Value memory);

  // Memory.
  mlir::Value allocate(mlir::Value tile);
  void store(mlir::Value slice, mlir::Value memory, Indices indices);
  void copy(mlir::Value tile, mlir::Value memory);

  // Loops.
  using LoopBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(Indices indices, mlir::ValueRange carried)>;
  /// One loop for each axis of `grid` with more than one slice; `body` gives what is carried on. Returns the last of
  /// it.
  llvm::SmallVector<mlir::Value> makeLoops(llvm::ArrayRef<int64_t> grid, mlir::ValueRange carried, LoopBody body);

  // Slices (SliceOps.cpp), where the builder stands.
  mlir::Value getSlice(mlir::Value tile, Indices indices);
  mlir::Value getWhole(mlir::Value tile);
  /// One after the other, not in a loop.
  void forEachSlice(mlir::Value tile, llvm::function_ref<void(Indices)> visit);
  llvm::SmallVector<mlir::Value> makeSlices(mlir::Operation *op, Indices indices);
  llvm::SmallVector<mlir::Value> cloneOnSlices(mlir::Operation *op, Indices indices);
  mlir::Value sliceConstant(mlir::Operation *op);
  mlir::Value sliceRange(aa::MakeRangeOp op, Indices indices);
  mlir::Value sliceView(aa::ViewOp op, Indices indices);
  mlir::Value sliceCat(aa::CatOp op, Indices indices);
  mlir::Value sliceExtracted(aa::ExtractSliceOp op, Indices indices);
  mlir::Value sliceInserted(aa::InsertSliceOp op, Indices indices);
  mlir::Value sliceProduct(mlir::Operation *op, Indices indices);
  llvm::SmallVector<mlir::Value> sliceReduction(aa::ReduceOp op, Indices indices);
  llvm::SmallVector<mlir::Value> sliceViewAccess(mlir::Operation *op, Indices indices);
  mlir::Value select(mlir::Value condition, mlir::RankedTensorType type, llvm::function_ref<mlir::Value()> ifTrue,
                     llvm::function_ref<mlir::Value()> ifFalse);
  /// The body of a reduction or scan on whole slices.
  llvm::SmallVector<mlir::Value> combine(mlir::Region &body, mlir::ValueRange elements, mlir::ValueRange accumulated);
  llvm::SmallVector<mlir::Value> makeIdentities(mlir::ArrayAttr identities, llvm::ArrayRef<mlir::Type> types);
  llvm::SmallVector<mlir::Value> reduceSlices(aa::ReduceOp op, mlir::ValueRange slices);

  // Arithmetic on indices; constants are folded.
  mlir::Value constant(int64_t value);
  std::optional<int64_t> getConstant(mlir::Value index) const;
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, int64_t b);
  mlir::Value div(mlir::Value a, int64_t b);
  mlir::Value rem(mlir::Value a, int64_t b);
  template <typename OpTy>
  mlir::Value makeIndex(mlir::Value a, mlir::Value b);

  aa::FuncOp func;
  SliceShapes &shapes;
  const SliceDemand &demand;
  mlir::OpBuilder builder;
  mlir::Location location;
  llvm::DenseMap<mlir::Value, mlir::Value> memories;                 ///< of kept tiles
  llvm::DenseMap<mlir::BlockArgument, mlir::Value> argumentMemories; ///< of those that were passed
  llvm::SmallVector<mlir::Operation *> replaced; ///< operations, in program order, that slices stand for

  struct KnownSlice {
    IndexList indices;
    mlir::Value slice;
  };
  /// Of the loops that are being made: nothing that has been read is written before they end.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<KnownSlice>> known;
  llvm::DenseMap<int64_t, mlir::Value> constants;
  llvm::DenseMap<mlir::Value, int64_t> constantValues;
};

} // namespace tileiras::slicing

#endif // TILEIRAS_LIB_SLICING_SLICEREWRITER_H
