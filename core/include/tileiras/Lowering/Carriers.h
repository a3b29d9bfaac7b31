//===- Carriers.h - Values as memory and shuffles carry them ----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LOWERING_CARRIERS_H
#define TILEIRAS_LOWERING_CARRIERS_H

#include "tileiras/Lowering/Emitter.h"

namespace tileiras {

/// Values in registers as integers that memory and shuffles can carry, and back: an i1 becomes a byte, a pointer an
/// i64, a float its bits. Scalars and vectors; `type` is the register type to go back to.
mlir::Value toCarrier(Emitter &emit, mlir::Value value);
mlir::Value fromCarrier(Emitter &emit, mlir::Value carrier, mlir::Type type);
/// Bytes of one element of a register type in shared memory.
unsigned getCarrierBytes(mlir::Type element);

/// Moves a scalar of any element type between lanes.
mlir::Value emitShuffle(Emitter &emit, ShuffleKind kind, mlir::Value value, mlir::Value lane);

} // namespace tileiras

#endif // TILEIRAS_LOWERING_CARRIERS_H
