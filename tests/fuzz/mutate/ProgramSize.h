//===- ProgramSize.h - How much code comes of a program ----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything is unrolled, so that large tiles take long to compile by nature: who compiles what chance has made looks
// at its size first.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_PROGRAMSIZE_H
#define TILEIRAS_FUZZ_PROGRAMSIZE_H

#include "tileiras/Dialect/CudaTile/CudaTile.h"

namespace tileiras::fuzz {

struct ProgramSize {
  int64_t operations = 0;
  int64_t elements = 0; ///< computed by all threads together; of matrix products, multiplications
  int64_t largest = 0;  ///< the same of one operation
};

inline ProgramSize measure(cuda_tile::ModuleOp module) {
  constexpr int64_t kMost = int64_t(1) << 40; // sums of which do not overflow
  ProgramSize size;
  module.walk([&](mlir::Operation *op) {
    int64_t elements = 0, depth = 1;
    auto add = [&](mlir::TypeRange types) {
      for (mlir::Type type : types)
        if (auto tile = mlir::dyn_cast<cuda_tile::TileType>(type))
          elements += tile.getNumElements();
    };
    add(op->getResultTypes());
    add(op->getOperandTypes());
    if (mlir::isa<cuda_tile::MmaFOp, cuda_tile::MmaIOp, cuda_tile::MmaFScaledOp>(op))
      depth = mlir::cast<cuda_tile::TileType>(op->getOperand(0).getType()).getShape().back();
    ++size.operations;
    size.elements = std::min(size.elements + elements * depth, kMost);
    size.largest = std::max(size.largest, elements * depth);
  });
  return size;
}

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_PROGRAMSIZE_H
