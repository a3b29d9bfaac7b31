//===- Counters.h - What a run counted --------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_COUNTERS_H
#define PTX_EMULATOR_COUNTERS_H

#include <array>
#include <cstdint>
#include <ostream>
#include <string>

namespace ptxemu {

struct Counters {
  static constexpr unsigned kClasses = 12;
  std::array<uint64_t, kClasses> threadInstructions{}; ///< by class, in the order of `className`
  uint64_t warpInstructions = 0;
  uint64_t sharedRequests = 0;     ///< warp-wide shared-memory accesses
  uint64_t sharedTransactions = 0; ///< passes over the 32 banks they need; the excess over requests is bank conflicts
  uint64_t globalRequests = 0;     ///< warp-wide global-memory accesses
  uint64_t globalSectors = 0;      ///< 32-byte sectors they touch
  uint64_t bulkBytes = 0;          ///< moved by bulk and tensor copies
  uint64_t bulkLoadedBytes = 0;    ///< of these, fetched from global memory: once for all CTAs of a multicast
  uint64_t mmaOperations = 0;      ///< multiply-accumulates done by matrix instructions
  uint64_t barrierWaits = 0;       ///< warps that had to wait at a barrier or mbarrier

  static const char *className(unsigned);
  uint64_t totalThreadInstructions() const;
  void add(const Counters &);
  void print(std::ostream &) const;
};

/// Receives the spans of a run for a timeline. Times are warp instructions executed so far.
class TraceSink {
public:
  virtual ~TraceSink() = default;
  /// `process`: a CTA ("CTA 0,0,0") or an engine; `track`: a warp or queue within it.
  virtual void span(const std::string &process, const std::string &track, const std::string &name, uint64_t begin,
                    uint64_t end) = 0;
};

} // namespace ptxemu

#endif // PTX_EMULATOR_COUNTERS_H
