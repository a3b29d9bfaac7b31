//===- Simulation.h - Runs traces on modelled SMs ---------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TIMING_SIMULATION_H
#define PTX_EMULATOR_TIMING_SIMULATION_H

#include "MachineModel.h"
#include "MemorySystem.h"
#include "StaticCode.h"
#include "Trace.h"
#include "ptx-emulator/Counters.h"
#include <array>
#include <map>
#include <memory>
#include <queue>
#include <string>
#include <unordered_map>
#include <vector>

namespace ptxemu::timing {

/// Why a warp does not issue.
enum class Stall : uint8_t {
  Dependency,   ///< on the result of arithmetic
  Memory,       ///< on what a load brings
  Barrier,      ///< of the CTA or the cluster
  Mbarrier,     ///< a phase that is not complete
  TensorGroup,  ///< wgmma.wait_group
  CopyGroup,    ///< of cp.async or of bulk stores
  TensorMemory, ///< loads from it, stores to it, or columns that others hold
  Throttle,     ///< its unit takes nothing more
  NotSelected,  ///< the scheduler issues another warp
  Count
};
inline constexpr unsigned kStalls = static_cast<unsigned>(Stall::Count);
std::string_view stallName(Stall);

/// What warps of one kind did, cycles summed over them.
struct RoleActivity {
  unsigned warps = 0; ///< of a CTA
  double issuing = 0;
  std::array<double, kStalls> stalled{};
};

/// What the simulated SMs did; sums over them.
struct Activity {
  double cycles = 0; ///< from the start of the first CTA to the end of the last
  unsigned sms = 1;
  std::vector<double> clusterEnds; ///< cycles, in the order in which they end
  double issueSlots = 0;
  double registerReads = 0;                       ///< operands that came from the register file
  std::array<double, kIssueClasses> pipeCycles{}; ///< of all schedulers' pipes, by class
  double sharedCycles = 0, tensorCycles = 0, warpTensorCycles = 0;
  double l1Bytes = 0, l1HitBytes = 0, l2Bytes = 0, copyBytes = 0, dramReadBytes = 0, dramWriteBytes = 0;
  double l2BusyCycles = 0, copyBusyCycles = 0, dramBusyCycles = 0;
  std::map<unsigned, double> operations;     ///< of matrix instructions, by bits of an element
  double halfOperations = 0;                 ///< of 16-bit elements that would take as long as those
  double otherOperations = 0;                ///< of f32 and f16 arithmetic
  double tensorMemoryCycles = 0;             ///< that a quarter of tensor memory's lanes is read or written, on average
  double columnCycles = 0;                   ///< columns of an SM's tensor memory that are held, times cycles
  double mostColumns = 0;                    ///< that a CTA held
  std::vector<std::vector<double>> requests; ///< when each cluster asked for others to take over
  bool waitsForColumns = false;              ///< CTAs waited for columns that others held
  std::map<std::string, RoleActivity> roles;
  std::vector<double> placeCycles; ///< that warps spent at each instruction of the program
  std::vector<uint64_t> placeIssues;
};

/// Runs the clusters of a trace on the SMs of one cluster, so many CTAs an SM at a time.
class Simulation {
public:
  /// `l1Bytes`: of an SM; `startInterval`: cycles from the start of a cluster to that of the next here, at least.
  Simulation(const MachineModel &, const StaticCode &, const Trace &, MemorySystem &, unsigned residentCtas,
             double l1Bytes, double startInterval, double ghz);
  ~Simulation();
  /// Receives spans, in picoseconds.
  void setTrace(TraceSink *sink) { sink_ = sink; }
  /// Throws std::logic_error when warps wait for what never happens.
  Activity run();

private:
  struct Warp;
  struct Cta;
  struct Sm;
  struct ClusterState;
  struct Mbarrier;
  struct CtaBarrier;
  struct Warpgroup;
  struct Event {
    enum Kind : uint8_t { Issue, Transaction, StartCluster };
    double time;
    uint64_t order;
    Kind kind;
    Warp *warp = nullptr;
    Cta *cta = nullptr;
    /// Of a transaction; the index, among those resident, of a cluster that starts; the number of a warp's event.
    uint32_t offset = 0, arrivals = 0;
    int64_t bytes = 0;
    bool operator>(const Event &o) const { return time != o.time ? time > o.time : order > o.order; }
  };

  void push(Event);
  void tryLater(Warp &, double time);
  void awaitStart(double earliest, unsigned residentIndex);
  void startCluster(double now, unsigned residentIndex);
  void finishWarp(Warp &, double now);

  void tryIssue(Warp &, double now);
  bool skipFolded(Warp &);
  double registersReady(const Warp &, const StaticInstruction &, Stall *) const;
  double pipeReady(const Warp &, const StaticInstruction &, double now) const;
  void issue(Warp &, double now);
  void occupyPipes(Warp &, const StaticInstruction &, double now, bool isActive);
  void setResult(Warp &, const StaticInstruction &, double time, Stall);
  void act(Warp &, const Step &, const StaticInstruction &, double now);

  void access(Warp &, const Step &, const StaticInstruction &, double now);
  double accessShared(Warp &, const Effect &, const StaticInstruction &, double now);
  void copyAsync(Warp &, const Step &, const StaticInstruction &, double now);
  void bulkCopy(Warp &, const Step &, double now);
  double writeArriving(Sm &, double now, double there, double bytes);
  void useMbarriers(Warp &, const Step &, const StaticInstruction &, double now);
  void waitMbarrier(Warp &, const Step &, const StaticInstruction &, double now);
  void transact(Cta &, uint32_t offset, uint32_t arrivals, int64_t bytes, double now);
  void reachBarrier(Warp &, const Step &, double now);
  void completeBarrier(Cta &, CtaBarrier &, double now);
  void recheckBarriers(Cta &, double now);
  void reachClusterBarrier(Warp &, const StaticInstruction &, double now);
  void recheckClusterBarrier(ClusterState &, double now);
  void multiply(Warp &, const StaticInstruction &, double now);
  void giveTensorCore(Warp &, const Effect &, double cycles, const std::string &what, double now);
  void useTensorCore(Warp &, const Step &, const StaticInstruction &, double now);
  void commitTensorCore(Warp &, const Step &, double now);
  void moveTensorMemory(Warp &, const StaticInstruction &, double now);
  void holdColumns(Cta &, double columns, double now);
  static Cta &columnsOwner(Cta &, const Effect &);
  void allocateTensorMemory(Warp &, const Step &, const StaticInstruction &, double now);
  void cancelLaunch(Warp &, const Step &, double now);
  void issueWgmma(Warp &, const StaticInstruction &, double now);
  void waitWgmma(Warp &, const StaticInstruction &, double now);

  /// The warp stands still until somebody resumes it.
  void suspend(Warp &, Stall, double now);
  void resume(Warp &, double time);
  /// The warp goes on at a time that is known.
  void sleep(Warp &, Stall, double now, double until);
  void span(const Warp &, const StaticInstruction &, double begin, double end);
  void unitSpan(const Sm &, const char *unit, const std::string &what, double begin, double end);
  std::string roleOf(const WarpTrace &) const;
  void summarize(Warp &);
  [[noreturn]] void stuck() const;

  const MachineModel &model;
  const StaticCode &code;
  const Trace &trace;
  MemorySystem &memory;
  unsigned resident;
  double l1Bytes, startInterval, ghz;
  double startsFree = 0; ///< when the next cluster may start
  TraceSink *sink_ = nullptr;

  std::vector<std::unique_ptr<Sm>> sms;
  std::vector<std::unique_ptr<ClusterState>> running; ///< by residentIndex
  std::vector<std::unique_ptr<ClusterState>> past;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events;
  uint64_t order = 0;
  size_t nextCluster = 0, finished = 0;
  Activity activity;
};

} // namespace ptxemu::timing

#endif // PTX_EMULATOR_TIMING_SIMULATION_H
