//===- MatrixOperand.h - Operands in shared memory --------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_NVIDIA_MATRIXOPERAND_H
#define TILEIRAS_NVIDIA_MATRIXOPERAND_H

#include "tileiras/Lowering/Emitter.h"

namespace tileiras {

/// A tile of rank 2 in shared memory that instructions read through matrix descriptors: wgmma and tcgen05.mma. Their
/// lowest 14 bits are the address in units of 16 bytes; adding an offset to the descriptor moves it.
class MatrixOperand {
public:
  /// Dimension `mnDim` of `type` is M or N, the other one is K.
  MatrixOperand(mlir::RankedTensorType type, unsigned mnDim);

  /// Bytes from the start of the tile to an element.
  int64_t getOffset(int64_t mn, int64_t k) const;

  /// The descriptor of what starts `bytes` (an i32; null: 0) behind `address`, a pointer to the tile or to a stage;
  /// `fields` are all of its bits but the address.
  mlir::Value emitDescriptor(Emitter &emit, mlir::Value address, uint64_t fields, mlir::Value bytes = {}) const;

private:
  llvm::SmallVector<int64_t> offsets; ///< in bytes, of the bits of a row-major element number
  int64_t columns = 0;
  unsigned mnDim = 0;
};

} // namespace tileiras

#endif // TILEIRAS_NVIDIA_MATRIXOPERAND_H
