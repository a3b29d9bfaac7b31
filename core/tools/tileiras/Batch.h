//===- Batch.h - Many compilations in one process ---------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TOOLS_TILEIRAS_BATCH_H
#define TILEIRAS_TOOLS_TILEIRAS_BATCH_H

#include "CommandLine.h"

namespace tileiras {

/// --batch: compiles all lines of the list, several at once, whatever becomes of the others. Each says what it would
/// say alone, behind "LIST:LINE: exit code …". The code is that of the first line in the list that has failed.
ExitCode runBatch(const CommandLine &batch, Watchdog &watchdog);

} // namespace tileiras

#endif // TILEIRAS_TOOLS_TILEIRAS_BATCH_H
