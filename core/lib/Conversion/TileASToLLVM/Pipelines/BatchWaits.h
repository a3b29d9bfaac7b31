//===- BatchWaits.h - Waits that follow each other --------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_PIPELINES_BATCHWAITS_H
#define TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_PIPELINES_BATCHWAITS_H

#include "mlir/IR/BuiltinOps.h"

namespace tileiras {

/// Makes one operation of waits for barriers (emitMbarrierWait) that have nothing but computation between them: all are
/// asked before the first answer is looked at. An answer takes some forty cycles even where the phase is complete.
void batchMbarrierWaits(mlir::ModuleOp module);

} // namespace tileiras

#endif // TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_PIPELINES_BATCHWAITS_H
