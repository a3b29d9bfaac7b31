//===- Raster.h - The order in which tile blocks are visited ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_CLUSTER_RASTER_H
#define TILEIRAS_PLUGINS_CLUSTER_RASTER_H

#include "mlir/IR/Builders.h"

namespace tileiras::cluster {

/// Neighbours in this order share rows and columns of operands, which are then in the cache.
struct Raster {
  enum Kind {
    Row,    ///< x first, then y
    Group,  ///< `height` positions of x first, then all of y, then the next ones of x
    Hilbert ///< along a Hilbert curve through squares of 8 by 8; what no square holds comes last
  } kind = Row;
  unsigned height = 8;

  /// Of `row`, `hilbert` and `group-m:N`; nothing for another text.
  static std::optional<Raster> parse(llvm::StringRef text);

  /// Where the tile block at (x, y) of a grid of `width` by `depth` goes: a permutation of the grid. All are i32.
  std::pair<mlir::Value, mlir::Value> emitVisit(mlir::OpBuilder &builder, mlir::Location location, mlir::Value x,
                                                mlir::Value y, mlir::Value width, mlir::Value depth) const;
};

} // namespace tileiras::cluster

#endif // TILEIRAS_PLUGINS_CLUSTER_RASTER_H
