//===- ExpandAsyncStages.h - Stages whose tokens say when -------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_PIPELINES_EXPANDASYNCSTAGES_H
#define TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_PIPELINES_EXPANDASYNCSTAGES_H

#include "mlir/IR/Operation.h"

namespace tileiras {

/// `produce_one_async`, and acquired stages whose completion is a value (`token_to_async`), become producers whose
/// waits wait for the stages to be full; `consume_one_async` becomes the wait for the stage, its read, and a release
/// after each wait for its token. Loops may carry the tokens of producers beside their iterators, those of consumers
/// by themselves. Errors are reported.
mlir::LogicalResult expandAsyncStages(mlir::Operation *function);

} // namespace tileiras

#endif // TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_PIPELINES_EXPANDASYNCSTAGES_H
