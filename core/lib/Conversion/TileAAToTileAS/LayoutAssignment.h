//===- LayoutAssignment.h - Which thread holds what -------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses a register layout for every tensor of an nv_tileaa function.
//
//  1. Values tied by elementwise operations or carried around by control flow form classes: one class, one layout.
//  2. Anchors know which layout they want, in this order: accumulators of matrix products, loads (the largest first),
//     stores, then the default for whatever is left.
//  3. As soon as a class has its layout, the classes that shape operations tie to it take the layout under which the
//     operation moves nothing between threads, unless they have one already.
//
// Tiles that cost nothing to make (constants, splats, ranges) belong to no class: each user gets its own in the layout
// it needs. Everything is decided in program order: the result is the same in every run.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CONVERSION_TILEAATOTILEAS_LAYOUTASSIGNMENT_H
#define TILEIRAS_LIB_CONVERSION_TILEAATOTILEAS_LAYOUTASSIGNMENT_H

#include "AnchorLayouts.h"
#include "tileiras/Target/ContextTargets.h"
#include "llvm/ADT/IntEqClasses.h"
#include <map>

namespace tileiras {

/// How a matrix product is computed.
struct DotLayouts {
  const MmaAtom *atom = nullptr; ///< null: with ordinary arithmetic
  mlir::Attribute a, b;          ///< null without an atom: operands may have any layout
  mlir::Attribute c;             ///< of the accumulator and the result
};

class LayoutAssignment {
public:
  /// Layouts for `func`, whose tiles are distributed over `numWarps` warps. Fails, with a diagnostic, where the target
  /// refuses a matrix product, or has only instructions for it whose operands cannot be placed here. `target` may be
  /// empty.
  static mlir::FailureOr<LayoutAssignment> compute(aa::FuncOp func, const ChipTarget &target, int64_t numWarps);

  /// The layout of a tensor value; null for one that is made anew for each user.
  mlir::Attribute getLayout(mlir::Value value) const;

  /// The layout in which an access through a view or through pointers runs.
  mlir::Attribute getAccessLayout(mlir::Operation *access) const { return accessLayouts.lookup(access); }

  const DotLayouts &getDotLayouts(aa::DotOp dot) const { return dots.find(dot)->second; }

  /// A layout for a tile that nobody has a wish for.
  mlir::Attribute getDefaultLayout(mlir::RankedTensorType type) const;

  /// `layout` as an attribute: that of an assigned layout if there is an equal one.
  mlir::Attribute encode(const LinearLayout &layout);

private:
  LayoutAssignment(mlir::MLIRContext *context, int64_t numWarps) : context(context), numWarps(numWarps) {}

  /// A shape operation, or the entry of a loop, between two values of different classes.
  struct Edge {
    mlir::Operation *op; ///< null: the layouts are to be equal
    mlir::Value source, result;
  };
  struct Access {
    mlir::Operation *op;
    mlir::Value tile; ///< whose class it has a wish for: what it loads, the value a view stores, or the pointers
    AccessPattern pattern;
  };

  void collect(aa::FuncOp func);
  void collectOp(mlir::Operation *op);
  void collectControlFlow(mlir::Operation *op);
  void tie(mlir::ValueRange values);
  void addEdge(mlir::Operation *op, mlir::Value source, mlir::Value result);
  void addAccess(mlir::Operation *op, mlir::Value tile);
  unsigned getId(mlir::Value value);
  std::optional<unsigned> getClass(mlir::Value value) const;

  mlir::LogicalResult assignDots(const ChipTarget &target);
  void assignAccesses();
  void assignDefaults();
  void chooseAccessLayouts();
  /// Gives the value's class the layout, unless it has one, and spreads it along edges.
  void assign(mlir::Value value, mlir::Attribute layout);
  bool prefersRows(aa::DotOp dot) const;

  mlir::MLIRContext *context;
  int64_t numWarps;
  llvm::DenseMap<mlir::Value, unsigned> ids;
  llvm::SmallVector<mlir::Value> values; ///< by id
  llvm::IntEqClasses classes;            ///< of ids
  llvm::SmallVector<mlir::Attribute> layouts;
  llvm::SmallVector<Edge> edges;
  llvm::SmallVector<llvm::SmallVector<unsigned>> edgesOfClass;
  llvm::SmallVector<aa::DotOp> dotOps;
  llvm::SmallVector<Access> accesses;
  llvm::DenseMap<mlir::Operation *, DotLayouts> dots;
  llvm::DenseMap<mlir::Operation *, mlir::Attribute> accessLayouts;
  std::map<std::string, mlir::Attribute> knownLayouts; ///< by LinearLayout::str()
};

/// Tiles that are made anew for each user instead of being converted.
bool isRematerializable(mlir::Value value);

} // namespace tileiras

#endif // TILEIRAS_LIB_CONVERSION_TILEAATOTILEAS_LAYOUTASSIGNMENT_H
