//===- Coordinates.h - Numbers of tiles in views ----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_COORDINATES_H
#define TILEIRAS_DIALECT_TILEAA_COORDINATES_H

#include "mlir/IR/Builders.h"

namespace tileiras::aa {

/// A coordinate, which is unsigned in its type, as an i64 whose product with `step` does not wrap: what is outside of
/// every array stays there.
mlir::Value widenCoordinate(mlir::OpBuilder &builder, mlir::Location location, mlir::Value coordinate, int64_t step);

} // namespace tileiras::aa

#endif // TILEIRAS_DIALECT_TILEAA_COORDINATES_H
