//===- PackedOperands.h - Two numbers of four bits in a byte ----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CONVERSION_TILEAATOTILEAS_PACKEDOPERANDS_H
#define TILEIRAS_LIB_CONVERSION_TILEAATOTILEAS_PACKEDOPERANDS_H

#include "tileiras/Dialect/TileAA/TileAA.h"

namespace tileiras {

/// The tile of f4E2M1FN `tile` as one of i8 with half the elements along `dim`, the first of two neighbours in the
/// lower half of a byte. A tile that has been unpacked from such bytes is these bytes.
mlir::Value packAlong(mlir::OpBuilder &builder, mlir::Location location, mlir::Value tile, int64_t dim);

/// The inverse.
mlir::Value unpackAlong(mlir::OpBuilder &builder, mlir::Location location, mlir::Value tile, int64_t dim);

} // namespace tileiras

#endif // TILEIRAS_LIB_CONVERSION_TILEAATOTILEAS_PACKEDOPERANDS_H
