//===- AgentMemory.h - Tiles of an agent in shared memory -------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_AGENTS_AGENTMEMORY_H
#define TILEIRAS_PLUGINS_ASYNC_AGENTS_AGENTMEMORY_H

#include "tileiras/Dialect/TileAS/Pipelines.h"

namespace tileiras::async {

/// Tiles that `agent` allocates have had places since before its loops were put in the order of their schedules. Of two
/// that lie in one place and are in use at the same time by now, one gets another place, beside everything else.
/// Returns the end of shared memory then, in bytes: whether there is as much is for the caller to see.
int64_t separateTiles(mlir::Region &agent);

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_AGENTS_AGENTMEMORY_H
