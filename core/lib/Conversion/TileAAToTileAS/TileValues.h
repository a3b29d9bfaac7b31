//===- TileValues.h - Values in the layout a user needs ---------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CONVERSION_TILEAATOTILEAS_TILEVALUES_H
#define TILEIRAS_LIB_CONVERSION_TILEAATOTILEAS_TILEVALUES_H

#include "LayoutAssignment.h"

namespace tileiras {

/// The values of the function being made that stand for those of the original one. A tile is handed out in the layout
/// its user asks for; conversions are made once for each layout, right behind the tile's definition.
class TileValues {
public:
  explicit TileValues(LayoutAssignment &layouts) : layouts(layouts) {}

  /// `now`, in the layout its type says, stands for `original`.
  void set(mlir::Value original, mlir::Value now) { current[original] = now; }

  /// What stands for `original`; a tile in the layout of its class (or the default one). `builder` is at the user.
  mlir::Value get(mlir::OpBuilder &builder, mlir::Value original);
  /// What stands for a tile, in a given layout.
  mlir::Value get(mlir::OpBuilder &builder, mlir::Value original, mlir::Attribute layout);
  /// What stands for a tile, in whatever layout is at hand.
  mlir::Value getAny(mlir::OpBuilder &builder, mlir::Value original);

  /// The type that stands for `type`, a tile being in `layout`.
  static mlir::Type convertType(mlir::Type type, mlir::Attribute layout);
  /// The type of what stands for `original`.
  mlir::Type convertType(mlir::Value original) const { return convertType(original.getType(), getLayout(original)); }
  /// The layout of the value's class, or the default one.
  mlir::Attribute getLayout(mlir::Value original) const;

private:
  mlir::Value rematerialize(mlir::OpBuilder &builder, mlir::Value original, mlir::Attribute layout);

  LayoutAssignment &layouts;
  llvm::DenseMap<mlir::Value, mlir::Value> current;
  llvm::DenseMap<std::pair<mlir::Value, mlir::Attribute>, mlir::Value> converted;
  /// Remade tiles serve the block they are in.
  using BlockKey = std::pair<std::pair<mlir::Value, mlir::Attribute>, mlir::Block *>;
  llvm::DenseMap<BlockKey, mlir::Value> remade;
};

} // namespace tileiras

#endif // TILEIRAS_LIB_CONVERSION_TILEAATOTILEAS_TILEVALUES_H
