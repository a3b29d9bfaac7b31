//===- MemorySystem.h - Caches, DRAM and the ways to them -------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TIMING_MEMORYSYSTEM_H
#define PTX_EMULATOR_TIMING_MEMORYSYSTEM_H

#include "Bandwidth.h"
#include "Cache.h"
#include "MachineModel.h"
#include "Recorder.h"
#include <span>
#include <unordered_set>

namespace ptxemu::timing {

/// An SM's share of the memory system. All times are cycles.
struct MemoryPort {
  explicit MemoryPort(double l1Bytes) : l1(l1Bytes) {}

  Bandwidth shared; ///< the banks of shared memory and L1
  Bandwidth wanted; ///< of these, what warps and tensor cores ask for
  Bandwidth l2;     ///< to L2, by the load-store unit
  Bandwidth copy;   ///< to L2, by the copy engine
  Bandwidth dram;   ///< its share of DRAM
  Cache l1;
  double copyFree = 0;                ///< when the copy engine takes its next instruction
  std::unordered_set<uint64_t> pages; ///< that its copy engine has read from DRAM
  double l2Bytes = 0, copyBytes = 0, dramReadBytes = 0, dramWriteBytes = 0;
  double l1Hits = 0, l1Bytes = 0; ///< bytes

  /// A warp's accesses take their place among all.
  double useBanks(double time, double cycles) {
    wanted.reserve(time, cycles);
    return shared.reserve(time, cycles);
  }
  /// Operands of wgmma, and by assumption those of tcgen05, do not wait for copies that arrive, which have less left
  /// later on. FV: where both go on at the same time, copies take 1.25 times as long and wgmma 1.05 times.
  double readOperands(double time, double cycles) {
    shared.reserve(time, cycles);
    return wanted.reserve(time, cycles);
  }
};

/// What SMs that run at the same time share. One SM, or one cluster's, are simulated; each has its part of the
/// bandwidths, and of a line that several CTAs read it pays its part.
class MemorySystem {
public:
  /// `activeSms`: that work at the same time; `ghz`: the SMs' clock.
  MemorySystem(const MachineModel &, const Footprint &, double activeSms, double ghz);

  /// A warp's load: when the last of the data is there. `usesBanks` is false for a copy that does not pass L1, whose
  /// writes to shared memory the caller reserves.
  double load(MemoryPort &, double now, std::span<const LineTouch>, bool bypassesL1, bool usesBanks = true);
  /// A warp's store: when L2 has it.
  double store(MemoryPort &, double now, std::span<const LineTouch>);
  /// Atomics of so many lanes: when the last old value is there.
  double atomic(MemoryPort &, double now, std::span<const LineTouch>, unsigned lanes);

  /// A copy engine's load of `bytes`: when the last of them leaves for shared memory.
  double copyLoad(MemoryPort &, double now, std::span<const LineTouch>, double bytes, bool isMulticast);
  struct Stored {
    double read, written;
  };
  Stored copyStore(MemoryPort &, double now, std::span<const LineTouch>, double bytes);
  /// Bytes a cycle at which an SM's copies arrive.
  double arrivalRate() const { return copyRate; }

private:
  /// Bytes to or from DRAM, where that is for the SM to pay; when they have passed.
  double transfer(MemoryPort &, double now, double bytes, double rate);
  /// Of a load that hits L2: longer from the half that is farther away, whose lines the nearer one keeps from then on.
  double hitLatencyOf(const LineTouch &, double nearLatency);
  /// Of the SMs that work, those that read the line.
  double sharersOf(const LineTouch &) const;
  /// Reads the sectors of a line through L2; when they are there.
  double readLine(MemoryPort &, double now, const LineTouch &, double hitLatency, double missLatency);
  void writeLine(MemoryPort &, double now, const LineTouch &);
  /// Of a line in L2: sectors that are written for the first time go to memory once, be they known from reads or not.
  void writeBack(MemoryPort &, double now, const LineTouch &);

  const MachineModel &model;
  const Footprint &footprint;
  double activeSms;
  double l2Rate, asyncRate, copyRate, readRate, writeRate; ///< bytes a cycle and SM
  double dramLatency;                                      ///< cycles
  double ghz;
  Cache l2;
  Cache nearL2; ///< what of it the SM's half of L2 has, where there are two
};

} // namespace ptxemu::timing

#endif // PTX_EMULATOR_TIMING_MEMORYSYSTEM_H
