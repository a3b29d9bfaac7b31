//===- StageAddress.h - Where a stage of a ring begins ----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LOWERING_STAGEADDRESS_H
#define TILEIRAS_LOWERING_STAGEADDRESS_H

#include "tileiras/Lowering/Emitter.h"

namespace tileiras {

/// base + stage · stageBytes, in shared memory: `base` and `stage` are i32.
struct StageAddress {
  mlir::Value base, stage;
  int64_t stageBytes = 0;

  /// As an i32. Engines and barriers take 32 bits: pointers would be computed with 64.
  mlir::Value emit(Emitter &emit) const;
  /// As a pointer, from which matchStageAddress finds the parts again.
  mlir::Value emitPointer(Emitter &emit) const;
};

/// The stage of the ring at `ring`, a pointer.
StageAddress getStageAddress(Emitter &emit, mlir::Value ring, mlir::Value stage, int64_t stageBytes);

/// The parts of a pointer that emitPointer has made; who computes with addresses in another unit, or with more bits,
/// puts them together in his own way.
std::optional<StageAddress> matchStageAddress(mlir::Value pointer);

} // namespace tileiras

#endif // TILEIRAS_LOWERING_STAGEADDRESS_H
