//===- Comparison.h - Memory against expected data --------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_REFERENCE_TOOL_COMPARISON_H
#define TILEIRAS_REFERENCE_TOOL_COMPARISON_H

#include "tileiras-reference/Memory.h"

namespace tileiras::reference {

struct Tolerance {
  double relative = 0, absolute = 0;
  /// Also accept what is within an element's bound, as far as a conforming implementation may be off.
  bool usesBounds = true;
};

/// What is known of the element at `address`: " (written in tile block (0, 1, 0) by cuda_tile.store_ptr_tko at
/// k.py:7)".
std::string describeWriter(const Memory &memory, uint64_t address);

/// Compares `expected` with the memory from `address` on, element by element; the type of an element is that of the
/// store that wrote it. Bits must agree, except that NaN agrees with NaN and as `tolerance` allows. False, with
/// sentences in `report`, on a difference.
bool compareContents(const Memory &memory, uint64_t address, llvm::StringRef name, llvm::ArrayRef<uint8_t> expected,
                     const Tolerance &tolerance, llvm::raw_ostream &report);

} // namespace tileiras::reference

#endif // TILEIRAS_REFERENCE_TOOL_COMPARISON_H
