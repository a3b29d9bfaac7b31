//===- Heap.h - Memory that is fast to get ----------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TOOLS_TILEIRAS_HEAP_H
#define TILEIRAS_TOOLS_TILEIRAS_HEAP_H

namespace tileiras {

/// Lets the C library's heap grow in few steps, in large pages where the system has them. A compilation touches
/// thousands of small ones otherwise, and what the system does at each takes longer than what the compiler does with
/// it. To be called first; does nothing with other C libraries and with sanitizers.
void useLargePages();

} // namespace tileiras

#endif // TILEIRAS_TOOLS_TILEIRAS_HEAP_H
