//===- ShapeLayouts.h - Layouts through shape operations --------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an nv_tileaa operation that changes a tile's shape makes of its layout.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CONVERSION_TILEAATOTILEAS_SHAPELAYOUTS_H
#define TILEIRAS_LIB_CONVERSION_TILEAATOTILEAS_SHAPELAYOUTS_H

#include "tileiras/Dialect/TileAS/LayoutUtils.h"

namespace tileiras {

/// The layout the result has if every thread keeps its elements. Nothing if the operation (or this layout) leaves no
/// such layout; for `broadcast` always nothing, as there are many.
std::optional<LinearLayout> deriveResultLayout(mlir::Operation *op, const LinearLayout &source);

/// The layout the source must have for every thread to find there all elements it holds of the result.
std::optional<LinearLayout> deriveSourceLayout(mlir::Operation *op, const LinearLayout &result);

/// `source` does for `op`, whose result is to have layout `result`: nothing moves between threads.
bool isThreadLocal(mlir::Operation *op, const LinearLayout &source, const LinearLayout &result);

} // namespace tileiras

#endif // TILEIRAS_LIB_CONVERSION_TILEAATOTILEAS_SHAPELAYOUTS_H
