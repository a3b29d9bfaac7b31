//===- TensorMemory.h - Tensor memory of sm_100 -----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TENSORMEMORY_H
#define PTX_EMULATOR_TENSORMEMORY_H

#include "Program.h"
#include "Shadow.h"
#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

namespace ptxemu {

struct Frame;
struct Warp;

/// The 128 lanes × 512 columns of 32 bits of one CTA, and the queue of the tensor core that works on them.
struct TensorMemory {
  static constexpr unsigned kLanes = 128, kColumns = 512;

  /// Made on the first allocation.
  void create() {
    if (cells.empty()) {
      cells.assign(kLanes * kColumns, 0);
      written.assign(kLanes * kColumns, 0);
    }
  }
  uint32_t &cell(unsigned lane, unsigned column) { return cells[lane * kColumns + column]; }

  std::vector<uint32_t> cells;
  std::vector<uint8_t> written;                ///< a cell each
  std::array<uint32_t, kColumns> allocation{}; ///< 0: free, else the number of the allocation
  std::array<uint16_t, kColumns> inFlight{};   ///< operations of the tensor core that are still to write the column
  uint32_t allocations = 0;
  bool relinquished = false;
  ShadowMemory shadow;                     ///< a word a column and window of 32 lanes
  std::deque<std::function<void()>> queue; ///< in the order of issue
  uint32_t engine = ~0u, clock = 0;        ///< the tensor core's strand
};

/// A tcgen05.ld that has not been waited for.
struct PendingTensorLoad {
  Frame *frame = nullptr;
  std::vector<Slot> registers;
  std::vector<Lanes> values;
};

} // namespace ptxemu

#endif // PTX_EMULATOR_TENSORMEMORY_H
