//===- Trace.h - What the warps of some clusters executed -------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TIMING_TRACE_H
#define PTX_EMULATOR_TIMING_TRACE_H

#include "Types.h"
#include <cstdint>
#include <span>
#include <vector>

namespace ptxemu::timing {

/// Bytes of a line of the caches, and of a sector, of which a line has four.
inline constexpr unsigned kLineBytes = 128, kSectorBytes = 32;

/// The sectors of a line of global memory that something touches.
struct LineTouch {
  uint64_t line = 0; ///< address / kLineBytes
  uint8_t sectors = 0;
};

/// What an instruction does beyond its registers.
struct Effect {
  enum Kind : uint8_t {
    Access,            ///< of a warp to memory: `space`, `passes` or `touched`
    MbarrierInit,      ///< `count` arrivals a phase
    MbarrierArrive,    ///< `count` arrivals, after announcing `bytes`
    ArriveAfterCopies, ///< `count` arrivals when the warp's cp.async are done; `waits`: the phase expects them in
                       ///< addition
    MbarrierPass,      ///< waits for `phases` complete phases
    BarrierArrive,     ///< of `count` threads at barrier `offset`, which expects `expected` (0: all); `waits`
    BulkLoad,          ///< `bytes` from `touched` to each of `targets`
    BulkStore,         ///< `bytes` to `touched`
    RemoteStore,       ///< `bytes` to the shared memory of `cta`, completing on its mbarrier
    TensorMultiply,    ///< tcgen05.mma: `product`, in `targets`, each of which reads `bytes` of shared memory
    TensorCopy,        ///< tcgen05.cp and shift: the same without a product
    TensorCommit,      ///< an arrival when what the warp has given the tensor core is done
    TensorAllocate,    ///< `count` columns of tensor memory
    TensorFree,
    LaunchCancel, ///< a response of `bytes` that completes on the mbarrier
  };
  Kind kind = Access;
  Space space = Space::Global;
  bool waits = false, reduces = false;
  bool signalsOther = false; ///< a load: the mbarrier is that of the other CTA of the pair
  bool isPair = false;       ///< an allocation: both CTAs of the pair have one
  uint16_t cta = 0;          ///< rank in the cluster of the CTA whose mbarrier it is
  uint32_t offset = 0;       ///< of the mbarrier in that CTA's shared memory; the number of a barrier
  uint32_t count = 0, expected = 0;
  uint32_t passes = 0;     ///< over the banks of shared memory
  int64_t bytes = 0;       ///< that move, or are announced
  uint64_t phases = 0;     ///< of an mbarrier, complete
  uint32_t firstTouch = 0; ///< of Trace::touches
  uint32_t touchCount = 0;
  uint32_t targets = 0; ///< mask of CTA ranks that receive a load, or work on a product
  uint32_t product = 0; ///< of Trace::products
};

/// What a tcgen05.mma multiplies.
struct TensorProduct {
  double operations = 0; ///< of all CTAs that work on it; a multiply-add is two
  uint32_t columns = 0;  ///< of tensor memory, of each CTA's part of the result
  uint32_t rowBytes = 0; ///< of A, if it is dense
  uint32_t bits = 0;     ///< of an element as it is multiplied
  bool operator==(const TensorProduct &) const = default;
};

/// One warp instruction.
struct Step {
  uint32_t place = 0; ///< in Trace::code order: see StaticCode
  uint32_t firstEffect = 0;
  uint16_t effectCount = 0;
  uint8_t lanes = 0; ///< that executed it
};

struct WarpTrace {
  std::vector<Step> steps;
};
struct CtaTrace {
  std::vector<WarpTrace> warps;
  unsigned threads = 0;
};
struct ClusterTrace {
  uint64_t number = 0; ///< in the grid, x fastest
  std::vector<CtaTrace> ctas;
};

struct Trace {
  std::vector<ClusterTrace> clusters;
  std::vector<Effect> effects;
  std::vector<LineTouch> touches;
  std::vector<TensorProduct> products;

  /// Warp instructions of all clusters.
  uint64_t stepCount() const {
    uint64_t count = 0;
    for (const ClusterTrace &cluster : clusters)
      for (const CtaTrace &cta : cluster.ctas)
        for (const WarpTrace &warp : cta.warps)
          count += warp.steps.size();
    return count;
  }
  std::span<const Effect> effectsOf(const Step &s) const { return {effects.data() + s.firstEffect, s.effectCount}; }
  std::span<const LineTouch> touchesOf(const Effect &e) const { return {touches.data() + e.firstTouch, e.touchCount}; }
};

} // namespace ptxemu::timing

#endif // PTX_EMULATOR_TIMING_TRACE_H
