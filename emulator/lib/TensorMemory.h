//===- TensorMemory.h - Tensor memory of sm_100 -----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TENSORMEMORY_H
#define PTX_EMULATOR_TENSORMEMORY_H

#include "Program.h"
#include "TensorOrder.h"
#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

namespace ptxemu {

struct Frame;

/// What a warp waits for at an allocation or deallocation by a pair of CTAs.
struct PairRequest {
  enum Kind : uint8_t { None, Allocate, Granted, Free, Freed } kind = None;
  const Warp *warp = nullptr;
  uint32_t columns = 0, column = 0;
};

/// The 128 lanes × 512 columns of 32 bits of one CTA, and the queue of the tensor core that works on them.
struct TensorMemory {
  static constexpr unsigned kLanes = 128, kColumns = 512, kWindows = kLanes / TensorRegion::kWindowLanes;

  /// Made on the first allocation.
  void create() {
    if (cells.empty()) {
      cells.assign(kLanes * kColumns, 0);
      written.assign(kLanes * kColumns, 0);
      inFlight.assign(kWindows * kColumns, 0);
    }
  }
  uint32_t &cell(unsigned lane, unsigned column) { return cells[lane * kColumns + column]; }
  bool isWritten(unsigned lane, unsigned column) const { return written[lane * kColumns + column]; }
  void write(unsigned lane, unsigned column, uint32_t value) {
    cells[lane * kColumns + column] = value;
    written[lane * kColumns + column] = 1;
  }

  template <class F>
  void eachInFlight(const TensorRegion &r, F &&f) {
    for (unsigned w = 0; w < kWindows; ++w)
      if (r.windows >> w & 1)
        for (unsigned c = r.column; c < r.column + r.columns; ++c)
          f(inFlight[w * kColumns + c], c);
  }
  void begin(const TensorRegion &r) {
    eachInFlight(r, [](uint16_t &n, unsigned) { ++n; });
  }
  void finish(const TensorRegion &r) {
    eachInFlight(r, [](uint16_t &n, unsigned) { --n; });
  }

  std::vector<uint32_t> cells;
  std::vector<uint8_t> written;                ///< a cell each
  std::vector<uint16_t> inFlight;              ///< operations still to write a column of a window
  std::array<uint32_t, kColumns> allocation{}; ///< 0: free, else the number of the allocation
  uint32_t allocations = 0, lastColumns = kColumns;
  unsigned group = 0; ///< CTAs that its tcgen05 instructions name; 0: none so far
  bool relinquished = false;
  PairRequest request;
  TensorOrder order;
  std::deque<std::function<void()>> queue; ///< in the order of issue
  uint32_t engine = ~0u, clock = 0;        ///< the tensor core's strand
  std::array<bool, 5> collected{};         ///< collector buffers that hold a matrix: A's, then B's 0 to 3
};

/// A tcgen05.ld that has not been waited for.
struct PendingTensorLoad {
  Frame *frame = nullptr;
  std::vector<RegisterIndex> registers;
  std::vector<Lanes> values;
  uint32_t line = 0; ///< of the PTX
};

} // namespace ptxemu

#endif // PTX_EMULATOR_TENSORMEMORY_H
