//===- HostMemory.h - Page-locked and managed memory ------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_EMULATED_HOSTMEMORY_H
#define TILEIRAS_EMULATED_HOSTMEMORY_H

#include "State.h"

namespace emudriver {

/// Zeroed memory of the host that kernels reach.
void *allocateHostMemory(uint64_t bytes, MemoryKind, unsigned flags);
void freeHostMemory(uint64_t address);

} // namespace emudriver

#endif // TILEIRAS_EMULATED_HOSTMEMORY_H
