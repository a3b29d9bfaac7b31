//===- Machine.h - Runs one cluster: scheduling, faults, asynchronous events -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_MACHINE_H
#define PTX_EMULATOR_MACHINE_H

#include "Launch.h"
#include "LoopCounts.h"
#include "RaceChecker.h"
#include "Random.h"
#include "State.h"
#include <functional>
#include <optional>
#include <queue>
#include <set>
#include <tuple>

namespace ptxemu {

/// Strands a cluster has for its asynchronous engines (one an mbarrier or bulk group queue, shared beyond that).
inline constexpr uint32_t kEngineStrands = 128;

/// One cluster in flight, with a scheduler, a clock and random decisions of its own: what it does until CTAs of another
/// cluster could see it does not depend on what those do meanwhile, so clusters run on several host threads. What
/// orders clusters among each other (strong accesses to global memory, reductions by copy engines, the allocator) it
/// leaves to `runOrdered`, which the launch calls for one cluster at a time.
class Machine {
public:
  /// The cluster of this number, x fastest. `time`: when it starts, on the launch's clock.
  Machine(Launch &, uint64_t number, uint64_t time);

  enum class Status : uint8_t {
    Running,
    Ordered, ///< the next step is one that the device orders
    Stuck,   ///< no warp can run, and nothing is in flight that could change that
    Finished,
    Failed
  };
  /// Runs a random number of warp instructions at most. `alone`: no other cluster is in flight.
  Status run(bool alone);
  /// Executes the step that `run` stopped before.
  Status runOrdered();
  Status status() const { return state; }

  const std::optional<Diagnostic> &failure() const { return diagnostic; }
  /// What has been reported since the last call, by mistakes that did not end the run.
  std::vector<Diagnostic> takeReports() { return std::exchange(reports, {}); }
  /// Where everything stands, a line each.
  std::vector<std::string> situation() const;
  /// A report that names no instruction.
  Diagnostic report(const std::string &kind, const std::string &message, std::vector<std::string> notes) const;
  std::string takeOutput() { return std::exchange(output, {}); }
  Cluster &clusterState() { return cluster; }
  uint64_t lastProgress() const { return progress; }
  void setTime(uint64_t t) { epoch = t - now(); } ///< of the launch's clock, for the trace

  // What handlers use.
  GlobalMemory &global() { return launch.global(); }
  ExecutionObserver *observer() const { return launch.options().observer; }
  bool watchesMemory() const { return launch.options().countMemory || observer(); }
  const LaunchOptions &launchOptions() const { return launch.options(); }
  const std::vector<uint8_t> &entryParameters() const { return launch.entryParameters(); }
  const Program &linkedProgram() const { return launch.program(); }
  const ast::Module &moduleAst() const { return *launch.program().module; }
  std::array<unsigned, 3> blockSize() const { return launch.blockSize(); }
  std::array<unsigned, 3> gridSize() const { return launch.options().grid; }
  std::array<unsigned, 3> clusterSize() const { return launch.clusterSize(); }
  bool explicitCluster() const { return launch.explicitCluster(); }
  uint64_t gridWorkspace() const { return launch.gridWorkspace(); }
  Random &random() { return rng; }
  RaceChecker &races() { return launch.races(); }
  const SyncPoint *gridBefore() const { return launch.getGridBefore(); }
  Counters &counters() { return counted; }
  const Counters &counters() const { return counted; }
  const LoopCounts &loopCounts() const { return loops; }
  uint64_t now() const { return steps; }
  void print(std::string_view text) { output += text; }
  /// "file:line:column" of the instruction at a line of the PTX, or "".
  std::string sourceOfLine(unsigned line) const;
  /// Adds a span to the trace, when there is one: `track` is an engine of the CTA.
  void traceEngine(const Cta &, const char *track, const char *what, uint64_t begin);

  /// Reports a mistake of a continuable kind, once for its line, and returns so that the program goes on as it can.
  /// Throws when the launch wants no further report.
  void complain(const Fault &);
  /// Something another warp could observe has changed: the program is not merely spinning.
  void progressMade() { progress = now(); }
  /// Makes the warp's fragment runnable again.
  void wake(Warp &, Fragment &);
  /// Wakes every fragment of the CTA that waits for this.
  void wakeWaiting(Cta &, Wait, uint64_t key);
  /// Runs `action` at a random time within `spread` warp instructions from now. `ordered`: clusters may see each other
  /// through it.
  void later(std::function<void()> action, unsigned spread, bool ordered = false);

  /// Takes a cluster off those that have not started; the id of its first CTA, or nothing when the request fails, as
  /// it may at any time.
  std::optional<std::array<unsigned, 3>> cancelCluster();

  // Control flow.
  /// Makes some lanes of the current fragment one of their own, at the same place, which is returned.
  Fragment *splitOff(Warp &, Exec &, uint32_t lanes);
  void exitLanes(Exec &, uint32_t lanes);
  void branch(Exec &, uint32_t taken, uint32_t target);
  void call(Exec &, const Inst &, const Function &callee, uint32_t lanes);
  void returnFrom(Exec &, uint32_t lanes);

  /// A CTA's own number of resident threads changed: barriers may be complete.
  void recheckBarriers(Cta &);
  void recheckClusterBarrier(Cluster &);

private:
  struct Event {
    uint64_t due, order;
    std::function<void()> action;
    bool ordered;
    bool operator>(const Event &o) const { return due != o.due ? due > o.due : order > o.order; }
  };

  void build(uint64_t number);
  void makeReady(Warp &);
  void removeReady(Warp &);
  Status advance(uint64_t until);
  template <class F>
  Status guarded(F &&);
  /// Delivers what is due (or, with `force`, what comes next); false when that is for the device to order.
  bool deliverEvents(bool force);
  bool runWarp(Warp &, unsigned quantum);
  bool step(Warp &);
  bool mustBeOrdered(const Exec &, const Inst &) const;
  bool selectFragment(Warp &);
  void mergeFragments(Warp &);
  bool lanesPresent(Warp &, Exec &);
  bool membersPresent(Warp &, Exec &, const Inst &);
  void executeGroups(Exec &, const Inst &);
  void checkDefined(const Exec &, const Inst &);
  void checkLocks(const Exec &, const Inst &);
  void lockedRegister(const Exec &, const Inst &, RegisterIndex, bool written);
  void checkExit(Warp &);
  void undefinedRead(const Exec &, const Inst &, RegisterIndex, PredicateIndex, uint32_t lanes);
  void traceWarp(Warp &, const std::function<void()> &run);
  std::string describe(const Warp &, const Fragment &) const;
  Diagnostic diagnose(const Fault &, const Warp *) const;
  std::string operandName(const Exec &, const Inst &, RegisterIndex) const; ///< "register %r3", or "a register"
  std::string instructionText(const Function &, const Inst &) const;
  std::string sourceText(const Function &, const Inst &) const; ///< "file:line:column", or ""

  Launch &launch;
  Cluster cluster;
  Random rng;
  Counters counted;
  uint64_t steps = 0; ///< the machine's time: warp instructions, those that are not counted, too
  LoopCounts loops;
  std::string output; ///< of vprintf, not yet taken
  std::optional<Diagnostic> diagnostic;
  std::vector<Diagnostic> reports;
  std::set<std::tuple<std::string, unsigned, std::string>> noticed; ///< kind and line; the message where there is none
  unsigned errors = 0;                                              ///< among those, not counting warnings
  Status state = Status::Running;

  std::vector<Warp *> ready;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events;
  uint64_t eventOrder = 0;
  uint64_t progress = 0, epoch = 0;
  bool alone = true;     ///< nobody to be ordered with
  bool ordering = false; ///< in runOrdered
  Warp *running = nullptr;
  const Inst *runningInst = nullptr;
  const Function *runningFunction = nullptr;
};

} // namespace ptxemu

#endif // PTX_EMULATOR_MACHINE_H
