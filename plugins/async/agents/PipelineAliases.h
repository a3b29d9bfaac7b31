//===- PipelineAliases.h - Pipelines under several names --------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_AGENTS_PIPELINEALIASES_H
#define TILEIRAS_PLUGINS_ASYNC_AGENTS_PIPELINEALIASES_H

#include "mlir/IR/Operation.h"

namespace tileiras::async {

/// Schedules are materialised where each pipeline has one name, and each ring of stages one pipeline: else nobody could
/// say who fills a stage and who empties it. Fails, with a diagnostic, where `function` has a pipeline that another
/// operation than `create_pipeline` gives, that goes round a loop, or whose memory another pipeline has, too.
mlir::LogicalResult verifyNoPipelineAliases(mlir::Operation *function);

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_AGENTS_PIPELINEALIASES_H
