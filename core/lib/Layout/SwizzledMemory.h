//===- SwizzledMemory.h - Swizzles in units of elements -----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_LAYOUT_SWIZZLEDMEMORY_H
#define TILEIRAS_LIB_LAYOUT_SWIZZLEDMEMORY_H

#include "tileiras/Layout/MemoryAccess.h"
#include "tileiras/Layout/Swizzle.h"

namespace tileiras {

/// The swizzle of byte offsets as one of element offsets; nullopt if it moves parts of elements.
std::optional<Swizzle> scaleSwizzle(const Swizzle &swizzle, unsigned elementBits);

/// Applies a swizzle of element offsets, to which Swizzle's aliases do not apply.
int64_t applyScaledSwizzle(const Swizzle &swizzle, int64_t offset);

} // namespace tileiras

#endif // TILEIRAS_LIB_LAYOUT_SWIZZLEDMEMORY_H
