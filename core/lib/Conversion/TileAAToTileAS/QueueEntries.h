//===- QueueEntries.h - What entries of queues are kept as ------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CONVERSION_TILEAATOTILEAS_QUEUEENTRIES_H
#define TILEIRAS_LIB_CONVERSION_TILEAATOTILEAS_QUEUEENTRIES_H

#include "tileiras/Dialect/TileAA/TileAA.h"

namespace tileiras {

/// Entries of queues become tiles of numbers, which have a place in shared memory: a scalar is a tile of one element, a
/// pointer its address, a truth value a byte.
void storeQueueEntriesAsTiles(aa::FuncOp func);

} // namespace tileiras

#endif // TILEIRAS_LIB_CONVERSION_TILEAATOTILEAS_QUEUEENTRIES_H
