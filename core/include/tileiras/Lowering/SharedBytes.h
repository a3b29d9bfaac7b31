//===- SharedBytes.h - Shared memory for other things than tiles -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LOWERING_SHAREDBYTES_H
#define TILEIRAS_LOWERING_SHAREDBYTES_H

#include "tileiras/Dialect/TileAS/TileAS.h"

namespace tileiras {

/// `bytes`, a power of two, of shared memory; `tileas-allocate-memory` gives them a place.
inline as::AllocTensorOp createSharedBytes(mlir::OpBuilder &builder, mlir::Location location, int64_t bytes) {
  auto layout = as::SharedAttr::get(builder.getContext(), std::to_string(bytes) + ",1");
  auto type = mlir::RankedTensorType::get({bytes}, builder.getI8Type(), layout);
  return as::AllocTensorOp::create(builder, location, type, as::MemoryRangeAttr(), mlir::IntegerAttr());
}

} // namespace tileiras

#endif // TILEIRAS_LOWERING_SHAREDBYTES_H
