//===- ControlFlow.h - Branches within a lowered operation ------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LOWERING_CONTROLFLOW_H
#define TILEIRAS_LOWERING_CONTROLFLOW_H

#include "tileiras/Lowering/Emitter.h"

namespace tileiras {

// Both leave the insertion point behind what they emit; the builder is that of a conversion pattern.

/// Runs `body` in the threads where `condition` holds.
void emitIf(Emitter &emit, mlir::Value condition, llvm::function_ref<void()> body);

/// for i (an i32) in [0, count), count > 0: value = body(i, value). `initial` and the result may be null.
mlir::Value emitLoop(Emitter &emit, int64_t count, mlir::Value initial,
                     llvm::function_ref<mlir::Value(mlir::Value i, mlir::Value value)> body);

} // namespace tileiras

#endif // TILEIRAS_LOWERING_CONTROLFLOW_H
