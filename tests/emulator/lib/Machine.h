//===- Machine.h - Runs a launch: scheduling, faults, asynchronous events -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_MACHINE_H
#define PTX_EMULATOR_MACHINE_H

#include "RaceChecker.h"
#include "State.h"
#include "ptx-emulator/Emulator.h"
#include <functional>
#include <optional>
#include <queue>
#include <random>

namespace ptxemu {

/// Small fast generator; every random decision of a run comes from the one of its machine.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed * 0x9e3779b97f4a7c15ull + 0x2545f4914f6cdd1dull) {}
  uint32_t next() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return static_cast<uint32_t>(state >> 32);
  }
  uint32_t below(uint32_t n) { return n ? static_cast<uint32_t>(static_cast<uint64_t>(next()) * n >> 32) : 0; }

private:
  uint64_t state;
};

/// Strands a cluster has for its asynchronous engines (one an mbarrier or bulk group queue, shared beyond that).
inline constexpr uint32_t kEngineStrands = 128;

class Machine {
public:
  Machine(Device &, std::shared_ptr<const Program>, const Module &, const LaunchOptions &);
  LaunchResult run();

  // What handlers use.
  GlobalMemory &global() { return device.memory(); }
  const LaunchOptions &launchOptions() const { return options; }
  const std::vector<uint8_t> &entryParameters() const { return parameters; }
  const Program &linkedProgram() const { return *program; }
  const ast::Module &moduleAst() const { return *program->module; }
  std::array<unsigned, 3> blockSize() const { return block; }
  std::array<unsigned, 3> gridSize() const { return options.grid; }
  std::array<unsigned, 3> clusterSize() const { return clusterDims; }
  bool explicitCluster() const { return hasCluster; }
  Random &random() { return rng; }
  RaceChecker &races() { return raceChecker; }
  Counters &counters() { return result.counters; }
  uint64_t now() const { return result.counters.warpInstructions; }
  void print(std::string_view text);
  /// Adds a span to the trace, when there is one: `track` is an engine of the CTA.
  void traceEngine(const Cta &, const char *track, const char *what, uint64_t begin);

  /// Something another warp could observe has changed: the program is not merely spinning.
  void progressMade() { lastProgress = now(); }
  /// Makes the warp's fragment runnable again.
  void wake(Warp &, Fragment &);
  /// Wakes every fragment of the CTA that waits for this.
  void wakeWaiting(Cta &, Wait, uint64_t key);
  /// Runs `action` at a random time within `spread` warp instructions from now; events of one `queue` keep their order
  /// (queue 0 has none).
  void later(std::function<void()> action, unsigned spread);
  bool hasPendingEvents() const { return !events.empty(); }

  /// Takes a cluster off those that have not started; the id of its first CTA, or nothing when the request fails, as
  /// it may at any time.
  std::optional<std::array<unsigned, 3>> cancelCluster();

  // Control flow.
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
    bool operator>(const Event &o) const { return due != o.due ? due > o.due : order > o.order; }
  };

  std::array<unsigned, 3> clusterId(uint64_t linear) const;
  void admitCluster();
  void retire(Cluster &);
  void makeReady(Warp &);
  void removeReady(Warp &);
  void runWarp(Warp &, unsigned quantum);
  void step(Warp &);
  bool selectFragment(Warp &);
  void mergeFragments(Warp &);
  bool lanesPresent(Warp &, Exec &, const Inst &);
  void checkDefined(const Exec &, const Inst &);
  void checkLocks(const Exec &, const Inst &);
  [[noreturn]] void undefinedRead(const Exec &, const Inst &, Slot, PredicateSlot, uint32_t lanes);
  void deliverEvents(bool force);
  void tick();
  void traceWarp(Warp &, const std::function<void()> &run);
  [[noreturn]] void deadlock(const char *kind, const std::string &headline);
  std::string describe(const Warp &, const Fragment &) const;
  void record(const Fault &, Warp *);
  std::string instructionText(const Function &, const Inst &) const;

  Device &device;
  std::shared_ptr<const Program> program;
  const Module &module;
  LaunchOptions options;
  std::array<unsigned, 3> block{}, clusterDims{1, 1, 1};
  bool hasCluster = false;
  std::vector<uint8_t> parameters;
  Random rng;
  RaceChecker raceChecker;
  LaunchResult result;

  std::vector<uint64_t> clusterOrder; ///< in which the clusters start
  uint64_t nextCluster = 0, finishedCtas = 0, totalCtas = 0;
  std::vector<std::unique_ptr<Cluster>> resident;
  std::vector<Warp *> ready;
  std::vector<std::unique_ptr<Cluster>> retired;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events;
  uint64_t eventOrder = 0;
  uint64_t lastProgress = 0, lastTick = 0;
  Warp *running = nullptr;
  const Inst *runningInst = nullptr;
  const Function *runningFunction = nullptr;
};

} // namespace ptxemu

#endif // PTX_EMULATOR_MACHINE_H
