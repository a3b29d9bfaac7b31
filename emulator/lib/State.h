//===- State.h - Warps, CTAs and clusters in flight -------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_STATE_H
#define PTX_EMULATOR_STATE_H

#include "Memory.h"
#include "Program.h"
#include "SharedMatrix.h"
#include "TensorMemory.h"
#include "VectorClock.h"
#include "ptx-emulator/Counters.h"
#include <array>
#include <bit>
#include <deque>
#include <map>
#include <memory>
#include <stdexcept>
#include <unordered_map>

namespace ptxemu {

class Machine;
struct Cta;
struct Cluster;
struct Warp;
struct Strand;

/// A mistake of the running program; the machine adds where it happened.
struct Fault {
  std::string kind, message;
  int lane = -1;
  std::vector<std::string> notes = {};
};

/// One activation of a function: registers of up to 32 lanes. Lanes that diverged inside a function share its frame,
/// since a lane is in one place at a time.
struct Frame {
  Frame(const Function &, Frame *parent, Cta &);

  const Function *function;
  Frame *parent;
  const Lanes *constants; ///< the function's, as the CTA sees them
  uint32_t returnPc = 0;  ///< in the parent
  const Inst *call = nullptr;
  unsigned depth = 0;
  std::unique_ptr<Lanes[]> registers;
  std::vector<uint32_t> defined;    ///< lanes that hold a value, a register
  std::vector<uint32_t> predicates; ///< lane masks
  std::vector<uint32_t> predicatesDefined;
  std::vector<uint8_t> parameters;        ///< parameterBytes × 32, lane-major
  uint32_t localBase = 0;                 ///< of .local variables, in the thread's local memory
  std::vector<uint16_t> locks, readLocks; ///< a register: wgmma operations in flight that write, read it
  std::vector<uint64_t> writtenAt;        ///< a register: time of the last write (only in programs with wgmma)
  std::map<RegisterIndex, uint32_t>
      shuffled;                            ///< registers with undefined lanes: the line of the shfl that left them so
  std::array<uint32_t, 32> stackAtEntry{}; ///< what the lanes had allocated when they entered
  std::map<std::pair<const Inst *, const Function *>, std::unique_ptr<Frame>> callees;
};

enum class Wait : uint8_t {
  None,
  Convergence, ///< for the other lanes an instruction needs
  WarpBarrier, ///< bar.warp.sync
  Barrier,     ///< bar.sync, barrier.sync
  ClusterBarrier,
  Mbarrier,
  AsyncGroup,
  TensorMemory, ///< for columns to become free
  Registers,    ///< setmaxnreg.inc, for the CTA's pool to hold enough
  Warpgroup,    ///< wgmma.wait_group, for the other warps to issue the same wgmma
};

/// Lanes of a warp that stand at the same instruction.
struct Fragment {
  uint32_t mask = 0;
  uint32_t pc = 0;
  Frame *frame = nullptr;
  Wait wait = Wait::None;
  uint64_t waitKey = 0;   ///< barrier number, mbarrier address, member mask …
  uint64_t waitValue = 0; ///< phase
};

/// A cp.async that has not been waited for.
struct PendingCopy {
  Cta *cta = nullptr;
  uint32_t offset = 0, bytes = 0;
  uint64_t source = 0;
  std::array<uint8_t, 16> issued{}; ///< what was there when the copy was issued
  uint32_t sourceBytes = 0;         ///< the rest is zero-filled
  uint8_t lane = 0;
  uint32_t group = 0, line = 0;
};

/// One bulk store or reduction of a thread.
struct BulkOperation {
  uint8_t lane = 0;
  uint32_t group = 0, clock = 0;
  bool read = false, written = false; ///< its source has been read; its results are visible
  bool awaited = false;               ///< the thread has waited for at least the former
};

/// A wgmma that has not been waited for.
struct PendingWgmma {
  const Inst *inst = nullptr;
  Frame *frame = nullptr;
  SharedMatrix a, b;
  bool accumulate = false, computed = false;
  uint32_t clock = 0, group = 0;
  uint64_t number = 0; ///< of the warp's wgmma so far
};

/// One wgmma of a warpgroup, from the first warp that issues it to the last that has waited for it.
struct WarpgroupOperation {
  const Inst *inst = nullptr;
  uint8_t issued = 0, waited = 0; ///< masks of the four warps
  std::array<uint32_t, 4> clock{};
  SyncPoint point; ///< what the warps had done when they issued it
};
struct Warpgroup {
  std::deque<WarpgroupOperation> operations;
  uint64_t first = 0; ///< the number of the one in front
};

struct Warp {
  Cta *cta = nullptr;
  unsigned index = 0;    ///< in the CTA
  uint32_t allLanes = 0; ///< lanes that exist
  uint32_t live = 0;     ///< lanes that have not exited
  std::vector<Fragment> fragments;
  unsigned current = 0;
  std::unique_ptr<Frame> root;
  std::vector<uint8_t> local; ///< local memory, lane-major in strides of localStride
  uint32_t localStride = 0;
  std::vector<uint8_t> stack;          ///< what alloca gave, lane-major in strides of stackStride
  std::array<uint32_t, 32> stackTop{}; ///< bytes in use, a lane
  uint32_t stackStride = 0;
  int readyIndex = -1;      ///< place in the machine's list of runnable warps
  Strand *strand = nullptr; ///< in the race checker; null when it is off
  unsigned patience = 0;    ///< steps before another fragment is picked
  unsigned boosted = 0;
  std::vector<PendingCopy> copies;
  std::array<uint32_t, 32> copyGroup{}; ///< groups committed so far, a lane
  std::vector<std::shared_ptr<BulkOperation>> bulk;
  std::array<uint32_t, 32> bulkGroup{};
  uint32_t readEngine = ~0u, writeEngine = ~0u, bulkClock = 0; ///< strands of its bulk stores
  uint32_t productEngine = ~0u, productClock = 0;              ///< strand of what its wgmma read
  std::vector<PendingWgmma> wgmma;
  std::vector<PendingTensorLoad> tensorLoads;
  std::vector<TensorRegion> tensorStores; ///< written and not waited for
  TensorFences fences;
  std::array<uint32_t, 32> tensorIssued{};   ///< step of the tensor core that each lane last gave it
  uint32_t wgmmaGroup = 0;                   ///< groups committed
  uint64_t wgmmaIssued = 0;                  ///< operations
  uint64_t wgmmaFence = 0;                   ///< time of the last wgmma.fence; 0: none yet
  unsigned lockedOperations = 0;             ///< asynchronous operations that own registers
  uint32_t clusterArrived = 0;               ///< lanes between arrive and wait of the cluster barrier
  std::array<uint64_t, 32> clusterPhase{};   ///< in which they arrived
  unsigned registers = 0;                    ///< a thread may use, since the last setmaxnreg
  std::vector<const Inst *> registerChanges; ///< setmaxnreg executed so far

  bool done() const { return fragments.empty(); }
  /// Makes room for `bytes` of alloca's memory in every lane.
  void growStack(uint32_t bytes);
};

/// One of a CTA's 16 barriers.
struct Barrier {
  unsigned arrived = 0;  ///< threads, whole warps for .aligned forms
  unsigned expected = 0; ///< 0: every thread of the CTA
  uint64_t phase = 0;
  bool active = false;
  unsigned firstLine = 0; ///< of the instruction that opened the phase
  uint32_t reduceCount = 0;
  bool reduceAnd = true, reduceOr = false;
  SyncPoint point;
};

/// An mbarrier object. Its 8 bytes of shared memory are opaque; the state lives here.
struct Mbarrier {
  uint32_t expected = 0, pending = 0; ///< arrivals a phase; those still to come
  int64_t transactions = 0;           ///< bytes expected and not yet complete
  uint64_t phase = 0;                 ///< phases completed
  ScopedPoint point, lastPoint;       ///< of the current and of the last completed phase
  Touch init;                         ///< who initialised it
  uint32_t engine = ~0u;              ///< strand of the asynchronous work that signals it
  uint32_t engineClock = 0;
  unsigned inFlight = 0; ///< asynchronous operations that are still to signal it
};

struct Cta {
  Cluster *cluster = nullptr;
  std::array<unsigned, 3> id{};
  unsigned rank = 0; ///< in the cluster
  std::vector<std::unique_ptr<Warp>> warps;
  SharedMemory shared;
  TensorMemory tensor;
  std::array<Barrier, 16> barriers;
  std::array<Warpgroup, 8> warpgroups;
  std::map<uint64_t, Mbarrier> mbarriers;                    ///< by offset
  std::unordered_map<uint64_t, ScopedPoint> strongLocations; ///< in its shared memory, by offset
  unsigned freeRegisters = 0;                                ///< that setmaxnreg.dec has given back
  unsigned liveThreads = 0;
  unsigned threads = 0;
  /// The last access of each lane, or engine, of another CTA to its shared memory; and what its threads knew that have
  /// exited. See RaceChecker::leave.
  std::map<std::pair<uint32_t, unsigned>, Touch> reached;
  VectorClock left;
  bool cancelFailed = false; ///< it has seen that no cluster is left to cancel
  std::unordered_map<const Function *, std::vector<Lanes>> rankedConstants;

  /// The constants of a function; addresses of shared variables carry the CTA's rank.
  const Lanes *constantsOf(const Function &);
};

struct Cluster {
  std::array<unsigned, 3> id{};
  unsigned grid = 0; ///< of the launches that run together, from 1; 0: there is one
  std::vector<std::unique_ptr<Cta>> ctas;
  unsigned liveCtas = 0;
  unsigned arrived = 0; ///< threads at the cluster barrier
  uint64_t phase = 0;
  SyncPoint point;     ///< of the phase that is being arrived at
  SyncPoint lastPoint; ///< of the one before
  uint32_t firstStrand = 0, engines = 0;
};

/// What a handler works on: the lanes of a fragment whose guard holds.
struct Exec {
  Machine &machine;
  Cta &cta;
  Warp &warp;
  Fragment *fragment;
  Frame *frame;
  Lanes *registers;
  const Lanes *constants;
  uint32_t mask = 0; ///< lanes that execute
  const Inst *inst = nullptr;
  bool repeat = false; ///< set by a handler that must wait: the instruction is executed again on wake-up

  /// Of the instruction, in the function's code.
  size_t place() const { return static_cast<size_t>(inst - frame->function->code.data()); }
  const Lanes &source(RegisterIndex s) const { return s >= 0 ? registers[s] : constants[~s]; }
  const Lanes &s(unsigned i) const { return source(inst->s[i]); }
  /// The destination's lanes; results for "_" go to a scratch register.
  Lanes &destination(RegisterIndex s) { return s == kSink ? scratch : registers[s]; }
  Lanes &d(unsigned i = 0) { return destination(inst->d[i]); }
  void define(RegisterIndex s, uint32_t lanes) {
    if (s >= 0)
      frame->defined[s] |= lanes;
  }

  /// Lanes where the predicate operand holds.
  uint32_t predicate(PredicateIndex p) const {
    if (p < 0)
      return p == kAlwaysTrue ? ~0u : 0;
    uint32_t value = frame->predicates[p >> 1];
    return p & 1 ? ~value : value;
  }
  void setPredicate(PredicateIndex p, uint32_t value) {
    if (p < 0)
      return;
    uint32_t &reg = frame->predicates[p >> 1];
    reg = (reg & ~mask) | (value & mask);
    frame->predicatesDefined[p >> 1] |= mask;
  }

  template <class F>
  void forLanes(F &&f) const {
    for (uint32_t m = mask; m; m &= m - 1)
      f(static_cast<unsigned>(std::countr_zero(m)));
  }

  Lanes scratch;
};

} // namespace ptxemu

#endif // PTX_EMULATOR_STATE_H
