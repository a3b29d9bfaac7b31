//===- SimulationState.h - SMs, CTAs and warps of a simulation --*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TIMING_SIMULATIONSTATE_H
#define PTX_EMULATOR_TIMING_SIMULATIONSTATE_H

#include "Pipes.h"
#include "Simulation.h"
#include <deque>

namespace ptxemu::timing {

struct Simulation::Sm {
  Sm(unsigned number, unsigned schedulers, double l1Bytes)
      : number(number), port(l1Bytes), issueFree(schedulers), pipes(schedulers), tensorFree(schedulers),
        readsFree(schedulers), last(schedulers) {}

  unsigned number; ///< rank in the cluster
  MemoryPort port;
  std::vector<double> issueFree;  ///< of each scheduler: when it issues next
  std::vector<Pipes> pipes;       ///< of each scheduler
  std::vector<double> tensorFree; ///< of each scheduler's tensor core
  std::vector<double> readsFree;  ///< of each scheduler's register file: when its read ports have done
  std::vector<const Warp *> last; ///< of each scheduler: whose instruction it issued last
  double wgmmaFree = 0;           ///< when the tensor cores have done all wgmma that they were given
  double memoryFree = 0;          ///< when the load-store unit has done what it was given
  double storesFree = 0;          ///< when the stores that it was given have left for L2
  // Tensor memory: each warp of four reaches a quarter of the lanes.
  std::array<Bandwidth, 4> tensorLoads, tensorStores;
  double columnsHeld = 0, columnsSince = 0, columnCycles = 0;
  std::deque<std::pair<Warp *, double>> waitingForColumns;
};

struct Simulation::Warp {
  const WarpTrace *trace = nullptr;
  Cta *cta = nullptr;
  unsigned index = 0, scheduler = 0;
  size_t next = 0;          ///< step
  uint32_t latestEvent = 0; ///< number of its event that counts
  double ready = 0;         ///< since when nothing but registers and pipes holds it up
  double counted = 0;       ///< until when its time has been accounted for
  bool isSuspended = false, isDone = false;
  Stall reason = Stall::Dependency; ///< why it is suspended
  std::vector<double> registers;    ///< when each can be read
  std::vector<Stall> registerStall; ///< what reading it too early waits for
  // Asynchronous work.
  double copiesDone = 0;         ///< cp.async that are not committed
  std::deque<double> copyGroups; ///< when each committed group is done
  double copiesEver = 0;         ///< when all so far are
  MemorySystem::Stored bulk{0, 0};
  std::deque<MemorySystem::Stored> bulkGroups;
  uint64_t wgmmaIssued = 0;
  std::deque<uint64_t> wgmmaGroups;         ///< operations issued when each was committed
  double tensorDone = 0;                    ///< when all is that it gave the tensor core
  double tensorLoads = 0, tensorStores = 0; ///< when all of its loads and stores of tensor memory are done
  double issuing = 0;
  std::array<double, kStalls> stalled{};
};

struct Simulation::Mbarrier {
  uint32_t expected = 0, pending = 0;
  int64_t transactions = 0;
  uint64_t phases = 0;
  std::vector<std::pair<Warp *, uint64_t>> waiting; ///< and the phases they need
};

struct Simulation::CtaBarrier {
  unsigned arrived = 0, expected = 0;
  bool isActive = false;
  std::vector<Warp *> waiting;
};

/// The wgmma of four warps.
struct Simulation::Warpgroup {
  struct Operation {
    unsigned issued = 0;
    double done = -1; ///< on the tensor cores; negative: some warp has not issued it
    bool aInRegisters = false;
    std::vector<Warp *> waiting;
  };
  std::vector<Operation> operations;
};

struct Simulation::Cta {
  const CtaTrace *trace = nullptr;
  ClusterState *cluster = nullptr;
  Sm *sm = nullptr;
  unsigned rank = 0, residentIndex = 0, liveThreads = 0;
  double columns = 0; ///< of tensor memory, that it holds
  std::vector<std::unique_ptr<Warp>> warps;
  std::unordered_map<uint32_t, Mbarrier> mbarriers;
  std::array<CtaBarrier, 16> barriers;
  std::vector<Warpgroup> warpgroups;

  unsigned threadsOf(const Warp &w) const { return std::min(32u, trace->threads - w.index * 32); }
};

struct Simulation::ClusterState {
  const ClusterTrace *trace = nullptr;
  std::vector<std::unique_ptr<Cta>> ctas;
  unsigned liveWarps = 0, liveThreads = 0, residentIndex = 0;
  unsigned arrived = 0; ///< threads at the cluster's barrier
  uint64_t phase = 0;
  double passable = 0; ///< when who arrived in the phase before goes on
  std::unordered_map<const Warp *, uint64_t> arrivedIn;
  std::vector<Warp *> waiting;
  std::vector<double> requests; ///< when it asked for others to take over
};

} // namespace ptxemu::timing

#endif // PTX_EMULATOR_TIMING_SIMULATIONSTATE_H
