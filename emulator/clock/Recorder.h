//===- Recorder.h - Writes down what clusters execute -----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TIMING_RECORDER_H
#define PTX_EMULATOR_TIMING_RECORDER_H

#include "DataSlice.h"
#include "ExecutionObserver.h"
#include "StaticCode.h"
#include "Trace.h"
#include <array>
#include <unordered_map>
#include <vector>

namespace ptxemu::timing {

/// How many SMs read a line of global memory: who shares it fetches it from DRAM once.
class Footprint {
public:
  /// One of the first clusters reads the line, by the instruction at that place of the code.
  void touch(uint64_t line, uint64_t sm, uint32_t place);
  /// A cluster whose trace is kept reads the line. `isLater`: it starts after the first ones.
  void keep(uint64_t line, uint32_t place, bool isLater) {
    Kept &k = kept.try_emplace(line, Kept{place, false}).first->second;
    k.isLater |= isLater;
  }
  /// SMs that read the line. Of a line that none of the first clusters was seen to read: as many as the same
  /// instruction reads others by, or where it reads none, all do. Lines that clusters come back to later do not count.
  double sharersOf(uint64_t line) const;

private:
  struct Line {
    uint64_t lastSm = 0;
    uint32_t sharers = 0;
  };
  struct Kept {
    uint32_t place = 0;
    bool isLater = false;
  };
  struct Count {
    uint64_t reads = 0; ///< a line counts once for each SM
    uint64_t lines = 0; ///< that were new
  };
  /// What was read until now, and until each time when that was a power of two.
  struct Reads {
    Count now;
    std::vector<Count> before;
    void add(bool isNew);
    double sharers() const;
  };

  std::unordered_map<uint64_t, Line> lines;
  std::unordered_map<uint64_t, Kept> kept;
  std::unordered_map<uint32_t, Reads> places;
  Reads all;
};

/// Keeps the trace of some clusters, and of all the lines they read.
class Recorder : public ExecutionObserver {
public:
  /// Clusters of the first `wave` numbers run at the same time on `groups` groups of SMs; what they read is noted.
  Recorder(const StaticCode &code, const DataSlice &slice, std::array<unsigned, 3> clusterGrid, uint64_t wave,
           uint64_t groups)
      : code(code), slice(slice), clusterGrid(clusterGrid), wave(wave), groups(groups) {}

  /// Numbers of clusters whose traces to keep, in the order in which they are to start, after those named before.
  void keep(const std::vector<uint64_t> &numbers);
  /// What the runs that follow are for: keeping traces, noting what is read, or both.
  void setPurpose(bool keepsTraces, bool notesReads) {
    this->keepsTraces = keepsTraces;
    this->notesReads = notesReads;
  }
  /// From now on, what each cluster's warps execute is counted.
  void countSteps() { countsSteps = true; }
  uint64_t stepsOf(uint64_t cluster) const {
    auto found = steps.find(cluster);
    return found == steps.end() ? 0 : found->second;
  }
  bool needsResults(const Function &f, size_t place) const override {
    return !slice.isSkippable(code.placeOf(f, place));
  }
  void executed(const Warp &, const Function &, size_t place, uint32_t lanes) override;
  void accessed(const Exec &, Space, const std::function<uint64_t(unsigned)> &address, unsigned bytes) override;
  void mbarrierInitialized(const Exec &, const Cta &, uint64_t offset, unsigned arrivals) override;
  void mbarrierArrived(const Exec &, const Cta &, uint64_t offset, unsigned count, int64_t expectedBytes) override;
  void mbarrierArrivesAfterCopies(const Exec &, const Cta &, uint64_t offset, bool adds) override;
  void storedAsync(const Exec &, const Cta &to, uint64_t barrier, unsigned bytes) override;
  void mbarrierPassed(const Exec &, uint64_t offset, uint64_t phases) override;
  void barrierReached(const Exec &, unsigned id, unsigned threads, unsigned expected, bool waits) override;
  void bulkLoaded(const Exec &, const Copy &, const std::vector<LoadTarget> &, uint64_t barrier) override;
  void bulkStored(const Exec &, const Copy &, bool reduces) override;
  void tensorMultiplied(const Exec &, const TensorMultiplication &) override;
  void tensorCopied(const Exec &, const std::vector<Cta *> &, unsigned bytes) override;
  void tensorCommitted(const Exec &, const Cta &, uint64_t offset) override;
  void tensorAllocated(const Exec &, unsigned columns, bool pair) override;
  void tensorFreed(const Exec &, unsigned columns, bool pair) override;
  void launchCancelled(const Exec &, const Cta &, uint64_t barrier, unsigned bytes) override;

  const Trace &trace() const { return kept; }
  /// Puts what was executed in the order of the code's places, part by part. Once more after more was executed.
  void putInOrder();
  /// Forgets clusters that others have taken over before they started.
  void dropEmpty();
  const Footprint &footprint() const { return readLines; }

private:
  uint64_t clusterNumber(const Cluster &) const;
  bool keeps(uint64_t cluster) const { return keepsTraces && tracedClusters.count(cluster); }
  void noteSectors(uint64_t address, uint64_t bytes);
  /// `place`: of the instruction.
  void takeTouches(Effect &, const Cta &, uint32_t place, bool reads);
  void addChunks(Effect &, const Exec &, const Copy &, bool reads);

  const StaticCode &code;
  const DataSlice &slice;
  std::array<unsigned, 3> clusterGrid;
  uint64_t wave, groups;
  bool keepsTraces = true, notesReads = true, countsSteps = false;
  std::unordered_map<uint64_t, size_t> tracedClusters; ///< number to index in the trace
  std::unordered_map<uint64_t, uint64_t> steps;        ///< warp instructions by cluster
  Trace kept;
  Footprint readLines;
  std::vector<Effect> pending; ///< of the instruction that is being executed
  std::vector<LineTouch> touched;
};

} // namespace ptxemu::timing

#endif // PTX_EMULATOR_TIMING_RECORDER_H
