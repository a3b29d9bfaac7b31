//===- Launch.h - One kernel launch: its clusters, round by round -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_LAUNCH_H
#define PTX_EMULATOR_LAUNCH_H

#include "LoopCounts.h"
#include "Memory.h"
#include "Program.h"
#include "Random.h"
#include "ptx-emulator/Emulator.h"
#include <chrono>
#include <memory>
#include <optional>
#include <vector>

namespace ptxemu {

class Machine;
class RaceChecker;
struct SyncPoint;
class WorkerPool;

/// Runs the clusters of a grid in rounds. In a round every resident cluster runs for a while by itself, on whichever
/// host thread; between rounds those that reached a step through which CTAs see each other take it, one after the other
/// in an order drawn from the seed. So a run depends on the seed alone, not on the number of threads, unless clusters
/// race for global memory; and then the race is what it reports.
class Launch {
public:
  /// Throws InputError when the options contradict the program.
  Launch(Device &, std::shared_ptr<const Program>, const LaunchOptions &);
  /// One of several that run together: `grid` counts from 1, and they have one checker of races.
  Launch(Device &, std::shared_ptr<const Program>, const LaunchOptions &, unsigned grid, std::shared_ptr<RaceChecker>);
  ~Launch();
  /// One that may overlap with those before it, which have the same checker: `before` is what their end publishes.
  void follow(std::shared_ptr<const SyncPoint> before) { gridBefore = std::move(before); }
  LaunchResult run();
  /// One round; `alone`: no other launch is running. False when there is nothing left to do, or no use in it.
  bool advance(bool alone);
  /// It ended before all CTAs had.
  bool hasStopped() const { return isStopped; }
  /// Once, at the end.
  LaunchResult takeResult();

  GlobalMemory &global() { return device.memory(); }
  const LaunchOptions &options() const { return launchOptions; }
  const Program &program() const { return *linked; }
  const std::vector<uint8_t> &entryParameters() const { return parameters; }
  std::array<unsigned, 3> blockSize() const { return block; }
  std::array<unsigned, 3> clusterSize() const { return cluster; }
  bool explicitCluster() const { return hasCluster; }
  unsigned gridNumber() const { return grid; }
  /// What the driver gives a grid whose CTAs synchronise: its size, and a word they count in. 0: not asked for.
  uint64_t gridWorkspace() const { return workspace; }
  /// What a thread may use until setmaxnreg says otherwise.
  unsigned registersPerThread() const { return threadRegisters; }
  RaceChecker &races() { return *raceChecker; }
  const std::shared_ptr<RaceChecker> &sharedRaces() const { return raceChecker; }
  /// Null: all before it has ended.
  const SyncPoint *getGridBefore() const { return gridBefore.get(); }
  /// What a launch that waits for this one, which has ended, knows; no other has been running at the same time.
  std::shared_ptr<const SyncPoint> takeEnd();
  std::array<unsigned, 3> clusterId(uint64_t number) const; ///< x fastest
  /// Takes a cluster off those that have not started; the id of its first CTA, or nothing when the request fails, as it
  /// may at any time. For one cluster at a time.
  std::optional<std::array<unsigned, 3>> cancelCluster();

private:
  void checkBlock();
  void checkCluster();
  void checkGrid();
  void checkShared();
  void bindArguments();
  void orderClusters();
  void makeWorkspace();
  void admit();
  void runRound(bool alone);
  void orderedSteps();
  void count(const Machine &);
  void retireFinished();
  bool failed();
  void note(const Diagnostic &);
  bool stalled();
  void report(const char *kind, const std::string &message);
  void showProgress();

  Device &device;
  std::shared_ptr<const Program> linked;
  LaunchOptions launchOptions;
  std::array<unsigned, 3> block{}, cluster{1, 1, 1};
  bool hasCluster = false;
  unsigned threadRegisters = 0;
  uint64_t workspace = 0;
  std::vector<uint8_t> parameters;
  Random rng;
  unsigned grid = 0;
  std::shared_ptr<RaceChecker> raceChecker;
  std::shared_ptr<const SyncPoint> gridBefore;
  std::shared_ptr<SyncPoint> end; ///< what its CTAs that have finished knew of launches before
  uint32_t firstStrand = 0;
  std::unique_ptr<WorkerPool> workers; ///< null: this thread alone

  std::vector<uint64_t> clusterOrder; ///< in which the clusters start
  uint64_t nextCluster = 0, finishedCtas = 0, totalCtas = 0;
  bool isStopped = false;
  std::vector<std::unique_ptr<Machine>> resident;
  LaunchResult result;
  LoopCounts loops;
  uint64_t time = 0;                   ///< rounds' lengths so far, in warp instructions
  uint64_t executed = 0, progress = 0; ///< warp instructions of all clusters; when one last did something visible
  std::chrono::steady_clock::time_point shown;
};

} // namespace ptxemu

#endif // PTX_EMULATOR_LAUNCH_H
