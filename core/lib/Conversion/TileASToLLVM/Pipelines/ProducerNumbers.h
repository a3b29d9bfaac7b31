//===- ProducerNumbers.h - What producers load of coordinates ---*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_PIPELINES_PRODUCERNUMBERS_H
#define TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_PIPELINES_PRODUCERNUMBERS_H

#include "mlir/IR/Operation.h"

namespace tileiras {

/// Where one thread or warp starts the tensor copies of a stage, what their coordinates are loaded and computed from
/// moves in front of the producer: all threads do that, who may have to exchange it, before anybody waits for the
/// stage.
void hoistProducerNumbers(mlir::Operation *function);

} // namespace tileiras

#endif // TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_PIPELINES_PRODUCERNUMBERS_H
