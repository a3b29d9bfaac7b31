//===- LayoutAssignment.h - Which thread holds what -------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses a register layout for every tile of a function.
//
//  1. Tiles tied by elementwise operations or carried around by control flow form classes: one class, one layout.
//  2. Anchors know which layout they want, in this order: accumulators of matrix products, copies out of memory for
//     operands of products, other operations that are good in one layout only, loads (the largest first), stores, then
//     the default for whatever is left.
//  3. As soon as a class has its layout, the classes that shape operations tie to it take the layout under which the
//     operation moves nothing between threads, unless they have one already.
//
// Tiles that cost nothing to make (constants, splats, ranges) belong to no class: each user gets its own in the layout
// it needs. Everything is decided in program order: the result is the same in every run.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_LAYOUT_LAYOUTASSIGNMENT_H
#define TILEIRAS_PLUGINS_LAYOUT_LAYOUTASSIGNMENT_H

#include "tileiras/Analysis/AssignedLayouts.h"
#include "tileiras/Dialect/TileAS/AnchorLayouts.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/IntEqClasses.h"

namespace tileiras::layout {

class LayoutAssignment final : public as::LayoutChoice, private as::LayoutRelations {
public:
  explicit LayoutAssignment(mlir::MLIRContext *context) : LayoutChoice(context) {}

  /// Products that read memory were chosen together with what lies there: they keep their atoms and the layouts of what
  /// they hold in registers. To be called first, while the types around them are whole.
  void keepMemoryProducts(mlir::Operation *func);

  /// Decides on all layouts of `func`, and on the atoms of its products. Fails, with a diagnostic, where the target
  /// refuses a product. `target` may be empty.
  mlir::LogicalResult decide(mlir::Operation *func, const ChipTarget &target);

  mlir::Attribute getLayout(mlir::Value tile) override;
  void choose(mlir::Operation *op, as::OpLayouts &layouts) override;

private:
  /// Two values of different classes.
  struct Edge {
    as::ShapeLayoutOpInterface op; ///< null: the layouts are to be equal
    mlir::Value source, result;
  };

  void tie(mlir::ValueRange tiles) override;
  void prefer(mlir::Value from, mlir::Value to) override { addEdge(nullptr, from, to); }
  void derive(as::ShapeLayoutOpInterface op, mlir::Value source, mlir::Value result) override {
    addEdge(op, source, result);
  }
  void addAccess(const as::TileAccess &access) override { accesses.push_back(access); }
  void addProduct(as::ProductOpInterface product) override { products.push_back(product); }
  void want(mlir::Value tile, mlir::Attribute layout) override { wishes.emplace_back(tile, layout); }

  void addEdge(as::ShapeLayoutOpInterface op, mlir::Value source, mlir::Value result);
  unsigned getId(mlir::Value value);
  std::optional<unsigned> getClass(mlir::Value value) const;
  /// Null for values of no class, and for classes that have none yet.
  mlir::Attribute getAssigned(mlir::Value value) const;
  void closeClasses();

  mlir::LogicalResult assignProducts(const ChipTarget &target);
  void assignCopies();
  void assignAccesses();
  void assignDefaults();
  void chooseAccessLayouts();
  /// Gives the value's class the layout, unless it has one, and spreads it along edges.
  void assign(mlir::Value value, mlir::Attribute layout);
  void findRows();
  bool prefersRows(as::ProductOpInterface product) const;

  llvm::DenseMap<mlir::Value, unsigned> ids;
  llvm::SmallVector<mlir::Value> values; ///< by id
  llvm::IntEqClasses classes;            ///< of ids
  llvm::BitVector rowsOfResult, rowsOfA; ///< classes whose products should not spread rows over warps
  llvm::SmallVector<mlir::Attribute> layouts;
  llvm::SmallVector<Edge> edges;
  llvm::SmallVector<llvm::SmallVector<unsigned>> edgesOfClass;
  llvm::SmallVector<as::ProductOpInterface> products;
  llvm::SmallVector<as::TileAccess> accesses;
  llvm::SmallVector<std::pair<mlir::Value, mlir::Attribute>> wishes;
  llvm::DenseMap<mlir::Operation *, as::ProductLayouts> productLayouts;
  llvm::DenseMap<mlir::Operation *, std::pair<mlir::Value, mlir::Attribute>> accessLayouts;
};

/// `layout` serves the access about as well as `preferred` does: it is not worth moving the tile for it.
bool isGoodForAccess(const as::AccessPattern &pattern, const LinearLayout &layout, const LinearLayout &preferred);

/// How a warp accesses its part of a tile.
struct AccessCount {
  int64_t instructions = 0;
  int64_t lines = 0; ///< of the cache that it touches, counted for each instruction
};
AccessCount countAccesses(const as::AccessPattern &pattern, const LinearLayout &layout);

} // namespace tileiras::layout

#endif // TILEIRAS_PLUGINS_LAYOUT_LAYOUTASSIGNMENT_H
