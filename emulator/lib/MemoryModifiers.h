//===- MemoryModifiers.h - Modifiers that memory instructions share -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_MEMORYMODIFIERS_H
#define PTX_EMULATOR_MEMORYMODIFIERS_H

#include "Access.h"
#include "Decoder.h"
#include <functional>

namespace ptxemu {

/// .relaxed.gpu and the like, of atomic operations.
void readMemoryOrder(OpReader &, Order *, Scope *);
Scope readScope(OpReader &);
/// Cache operators and eviction priorities, which change nothing a program can see; true when a cache-policy operand
/// follows.
bool readCacheHints(OpReader &);

/// Counts what a warp-wide access costs: passes over the shared-memory banks, or 32-byte sectors.
void countAccess(Exec &, Space, const std::function<uint64_t(unsigned lane)> &address, unsigned bytes);

} // namespace ptxemu

#endif // PTX_EMULATOR_MEMORYMODIFIERS_H
