//===- TensorOrder.h - What orders accesses to tensor memory ----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TENSORORDER_H
#define PTX_EMULATOR_TENSORORDER_H

#include "VectorClock.h"
#include <cstdint>
#include <string>
#include <vector>

namespace ptxemu {

struct Exec;
struct Warp;

/// Columns of some windows of 16 lanes.
struct TensorRegion {
  static constexpr unsigned kWindowLanes = 16;
  uint8_t windows = 0; ///< a bit each
  unsigned column = 0, columns = 0;

  /// `lanes` lanes from `lane` on; every second window only when `half`.
  TensorRegion(unsigned lane, unsigned lanes, unsigned column, unsigned columns, bool half = false)
      : column(column), columns(columns) {
    for (unsigned w = lane / kWindowLanes; w <= (lane + lanes - 1) / kWindowLanes; w += half ? 2 : 1)
      windows = static_cast<uint8_t>(windows | 1u << w);
  }
};

/// What a warp has done to order its tcgen05 instructions, which are asynchronous: neither program order nor a barrier
/// orders them by itself. A thread publishes what it issued with fence::before_thread_sync (or tcgen05.commit), and is
/// behind what it waited for only after fence::after_thread_sync.
struct TensorFences {
  VectorClock behind;             ///< what the warp's tcgen05 instructions come after: as of the last after-fence
  std::vector<uint32_t> before;   ///< the warp's clock at each of its before-fences
  std::vector<uint32_t> waits[2]; ///< before-fences executed when each wait::ld, wait::st completed
};

enum class TensorAccess : uint8_t { Load, Store, Core, Free };

/// What the tensor core does with a region. Most pairs of instructions that share data are not executed in the order
/// of issue, some are: the ISA's pipelines.
struct TensorPart {
  enum Role : uint8_t { Operand, Accumulator, Copied, CopiedRows, Shifted } role = Operand;
  uint64_t shape = 0; ///< Accumulator: equal for multiplications of one kind and shape that start at one address
};

/// One past access to a cell.
struct TensorTouch {
  const Warp *warp = nullptr; ///< that issued it; null: none
  TensorAccess access = TensorAccess::Load;
  uint32_t clock = 0;                   ///< of the warp
  uint32_t epoch = 0;                   ///< Load, Store: waits of that kind before it. Core: before-fences before it
  uint32_t engine = 0, engineClock = 0; ///< Core: its step
  TensorPart part;                      ///< Core
  uint32_t line = 0;
};

/// The history of a CTA's tensor memory, a cell for each column of a window of lanes.
class TensorOrder {
public:
  /// Checks an access against the history and records it; complains when nothing orders it after what conflicts.
  void access(Exec &, const TensorRegion &, bool writes, TensorTouch now);
  /// The columns are free: whatever comes next has no history.
  void forget(unsigned column, unsigned columns);

private:
  struct Cell {
    TensorTouch write;
    std::vector<TensorTouch> reads; ///< since that write, one a warp and kind
  };
  void visit(Exec &, const VectorClock &known, Cell &, const TensorTouch &now, bool writes, unsigned column);
  void check(Exec &, const VectorClock &known, const TensorTouch &before, bool beforeWrites, const TensorTouch &now,
             bool writes, unsigned column);

  std::vector<Cell> cells;
};

/// tcgen05.fence, tcgen05.wait.
void tensorFenceBefore(Warp &);
void tensorFenceAfter(Warp &);
void tensorWait(Warp &, bool stores);

} // namespace ptxemu

#endif // PTX_EMULATOR_TENSORORDER_H
