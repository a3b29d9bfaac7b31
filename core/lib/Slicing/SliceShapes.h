//===- SliceShapes.h - How tiles are cut into slices ------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every axis of every tile has one extent for all slices, and axes that operations tie together (those of an
// elementwise operation's tiles, K of both operands of a product) have the same one. So slice number i of a result
// needs slices of the operands whose numbers follow from i alone.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_SLICING_SLICESHAPES_H
#define TILEIRAS_LIB_SLICING_SLICESHAPES_H

#include "mlir/IR/BuiltinTypes.h"
#include "tileiras/Dialect/TileAA/TileAA.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/SetVector.h"

namespace tileiras::slicing {

/// Axes of the source and of the result of a `view` that hold the same elements in row-major order.
struct ViewSegment {
  llvm::SmallVector<unsigned> source, result;
};
llvm::SmallVector<ViewSegment> getViewSegments(llvm::ArrayRef<int64_t> source, llvm::ArrayRef<int64_t> result);

class SliceShapes {
public:
  using TilePredicate = llvm::function_ref<bool(mlir::RankedTensorType)>;
  /// Slices that are not too large themselves.
  static constexpr int64_t kFitting = 0;
  /// What `isTooLarge` has to be cut, into slices of at most `sliceElements` where the operations allow it.
  SliceShapes(mlir::Operation *func, TilePredicate isTooLarge, int64_t sliceElements);

  /// Some tile is cut.
  bool any() const { return !slicedTiles.empty(); }
  bool isSliced(mlir::Value tile) const { return slicedTiles.contains(tile); }
  /// One of the tiles around the operation is cut.
  bool isSliced(mlir::Operation *op) const;
  /// The operation cannot be done slice by slice: it takes and gives uncut tiles.
  bool isWhole(mlir::Operation *op) const { return wholeOps.contains(op); }
  /// Slices along each axis.
  llvm::SmallVector<int64_t> getGrid(mlir::Value tile) const;
  mlir::RankedTensorType getSliceType(mlir::Value tile) const;
  /// `copy` is cut as `tile` is.
  void addCopy(mlir::Value tile, mlir::Value copy);
  /// Has to be told before `tile` is erased: its address may become that of another value.
  void forget(mlir::Value tile);

private:
  using AxisList = llvm::SmallVector<unsigned, 4>;
  /// Axes whose slices have extents of a constant ratio.
  struct Scaling {
    unsigned first, second;
  };
  /// Slices hold elements that follow each other in both orders of axes, outermost first.
  struct Segment {
    llvm::SmallVector<unsigned> sides[2];
  };

  void addTile(mlir::Value value);
  void join(mlir::Value a, unsigned axisOfA, mlir::Value b, unsigned axisOfB);
  void joinEqualAxes(mlir::ValueRange tiles);
  void joinAllAxes(mlir::ValueRange tiles);
  void relate(mlir::Operation *op);
  void relateControlFlow(mlir::Operation *op);
  void relateView(aa::ViewOp op);
  void relateProduct(mlir::Value a, mlir::Value b, mlir::Value c, mlir::Value scaleA, mlir::Value scaleB);
  void relateCombination(mlir::Operation *op, int64_t axis);

  bool chooseExtents(TilePredicate isTooLarge);
  void indexTies();
  void relateParts(mlir::Operation *func, TilePredicate isTooLarge);
  void relateParts(llvm::ArrayRef<mlir::Operation *> parts, TilePredicate isTooLarge);
  int64_t getExtent(unsigned axis) const;
  bool collectHalved(unsigned leader, llvm::SmallSetVector<unsigned, 8> &halved) const;
  bool halve(unsigned leader);
  bool halve(mlir::Value tile);
  int64_t getExtent(mlir::Value tile, unsigned axis) const;
  int64_t getSliceElements(mlir::Value tile) const;

  int64_t sliceElements;
  llvm::SmallVector<mlir::Value> tiles; ///< in program order
  llvm::DenseMap<mlir::Value, AxisList> axes;
  llvm::SmallVector<int64_t> sizes; ///< of axes
  llvm::IntEqClasses classes;
  llvm::SmallVector<int64_t> extents; ///< of the leaders of classes; shorter axes are not cut
  llvm::SmallVector<Scaling> scalings;
  llvm::SmallVector<Segment> segments;
  /// What has an axis of a class, by its leader.
  struct Ties {
    llvm::SmallVector<unsigned, 2> scalings, segments;
  };
  llvm::DenseMap<unsigned, Ties> ties;
  unsigned numHalved = 0;                        ///< classes, so far
  llvm::DenseMap<unsigned, unsigned> obstructed; ///< leaders that could not be halved when so many had been
  llvm::DenseSet<unsigned> whole;                ///< axes that cannot be cut
  llvm::DenseSet<mlir::Value> slicedTiles;
  llvm::DenseSet<mlir::Operation *> wholeOps;
};

/// Slice i of each result needs slice i of each operand that is a tile, and nothing else of it: elementwise operations,
/// and those of other dialects that say that they can be cut (SliceOpInterface) and whose tiles have one shape.
bool keepsSlices(mlir::Operation *op);

/// Every operation of the body works on tiles as it does on their elements.
bool isElementwiseBody(mlir::Region &body);

} // namespace tileiras::slicing

#endif // TILEIRAS_LIB_SLICING_SLICESHAPES_H
