//===- Estimate.cpp - How long a launch would take ------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Estimate.h"
#include "Ast.h"
#include "Launch.h"
#include "Machine.h"
#include "Recorder.h"
#include "SteadyState.h"
#include "UnevenLaunch.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace ptxemu::timing {

namespace {

uint64_t product(const std::array<unsigned, 3> &d) {
  return static_cast<uint64_t>(d[0]) * d[1] * d[2];
}

/// PTX runs on its own architecture and, without a suffix, on later ones.
void checkTarget(const MachineModel &model, const std::string &target) {
  const auto [number, suffix] = architectureOf(target);
  std::string list;
  for (const std::string &t : model.targets) {
    if (t == target || (suffix.empty() && number <= architectureOf(t).first))
      return;
    list += (list.empty() ? "" : ", ") + t;
  }
  throw EstimateError("the kernel is written for " + target + ", whose instructions " + model.name +
                      " lacks: it runs " + list +
                      " and PTX for older targets without a suffix; choose another --machine, or compile for this one");
}

bool hasAny(const StaticCode &code, std::string_view opcode) {
  for (uint32_t place = 0; place < code.size(); ++place)
    if (code.astOf(place).opcode == opcode)
      return true;
  return false;
}

std::string doesNotRun(const LaunchResult &ran) {
  return "the kernel does not run, so it has no time:\n" + ran.diagnostics[0].render();
}

/// With its sign.
std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", 100 * share);
  return text;
}

/// That are simulated at least.
constexpr uint64_t kWaves = 4;

class Estimator {
public:
  Estimator(Device &device, const Module &module, const LaunchOptions &launch, const MachineModel &model,
            const EstimateOptions &options)
      : device(device), module(module), launchOptions(launch), model(model), options(options) {}

  Estimate run();

private:
  void prepare();
  void chooseRegisters(const Launch &);
  LaunchResult execute(Recorder &, std::vector<uint64_t> clusters, uint64_t atOnce, uint64_t stepLimit);
  enum class Lengths { Equal, FirstWave, Uneven };
  Lengths probeLengths();
  uint64_t wavesOf(uint64_t count) const;
  void chooseTraced();
  void traceQueue(uint64_t count);
  void record();
  bool traceMore();
  double countEqualGroups() const;
  void traceBusiest();
  Activity simulateOnce(double ghz, uint64_t atOnce, TraceSink *) const;
  void simulate();
  double cyclesOfUneven();
  bool isQueue() const { return !takesOver && !isSpread; }
  double countRequests() const;
  double restOfRequests() const;
  void extrapolate();
  void describeTensorMemory();
  void findUnits();
  void findBound();
  void findLines();
  void add(const char *unit, double busy, double capacity) {
    // Stores may still be on their way when the last warp ends.
    result.units.push_back({unit, capacity > 0 ? std::min(1.0, busy / capacity) : 0});
  }
  double pipe(IssueClass c) const { return result.activity.pipeCycles[static_cast<unsigned>(c)]; }

  Device &device;
  const Module &module;
  LaunchOptions launchOptions;
  const MachineModel &model;
  const EstimateOptions &options;
  std::shared_ptr<const Program> program;
  std::unique_ptr<StaticCode> code;
  std::unique_ptr<DataSlice> slice;
  std::array<unsigned, 3> clusterGrid{};
  uint64_t executed = 0; ///< clusters of the grid, whether they started or others took them over
  uint64_t groups = 0, wave = 0,
           queue = 0; ///< groups of SMs that take a cluster; clusters at once; of one group in all
  std::vector<uint64_t> traced;
  bool takesOver = false;                  ///< clusters that run take over some that have not started
  bool together = false;                   ///< CTAs may depend on others that run
  bool isSpread = false;                   ///< the traced ones are from everywhere in the grid
  std::unique_ptr<ClusterLengths> lengths; ///< where they were asked for
  std::unique_ptr<Recorder> recorder;
  Estimate result;
};

//===----------------------------------------------------------------------===//
// Which CTAs run where
//===----------------------------------------------------------------------===//

void Estimator::chooseRegisters(const Launch &launch) {
  const Function &entry = *program->functions[0];
  const uint64_t warps = (result.needs.threads + 31) / 32;
  const auto most =
      static_cast<unsigned>(std::min<uint64_t>(255, static_cast<uint64_t>(model.sm.registers) / (warps * 32) / 8 * 8));
  if (options.registers) {
    result.needs.registers = *options.registers;
    result.registerSource = "as asked";
  } else if (entry.ast->maximumRegisters) {
    result.needs.registers = entry.ast->maximumRegisters;
    result.registerSource = ".maxnreg";
  } else if (entry.usesWgmma && entry.ast->minimumCtas) {
    result.needs.registers = launch.registersPerThread();
    result.registerSource = ".minnctapersm";
  } else {
    constexpr unsigned kMore = 2, kLeast = 16; // what an assembler keeps besides the program's values
    result.needs.registers = std::min(most, std::max(kLeast, (liveRegisters(entry) + kMore + 7) / 8 * 8));
    result.registerSource = "estimated from the values alive; --registers takes the assembler's number";
  }
}

void Estimator::prepare() {
  checkTarget(model, module.target());
  std::string entry = launchOptions.entry;
  const auto names = module.entries();
  if (entry.empty() && names.size() == 1)
    entry = names[0];
  if (std::find(names.begin(), names.end(), entry) == names.end())
    throw InputError(0, entry.empty()
                            ? "the module has " + std::to_string(names.size()) + " entries: name the one to launch"
                            : "the module has no entry '" + entry + "'");
  launchOptions.entry = entry;
  program = device.load(module, entry);
  code = std::make_unique<StaticCode>(*program, model);
  slice = std::make_unique<DataSlice>(*code);
  takesOver = hasAny(*code, "clusterlaunchcontrol");

  const Launch probe(device, program, launchOptions);
  result.needs.threads = static_cast<unsigned>(product(probe.blockSize()));
  result.needs.shared = program->dynamicShared - kReservedShared + launchOptions.dynamicShared;
  chooseRegisters(probe);
  result.occupancy = occupancyOf(model, result.needs);
  if (!result.occupancy.ctas)
    throw EstimateError("not one CTA fits on an SM of " + model.name + ", for want of " + result.occupancy.limit +
                        ": it has " + std::to_string(result.needs.threads) + " threads of " +
                        std::to_string(result.needs.registers) + " registers and " +
                        std::to_string(result.needs.shared) + " bytes of shared memory");
  result.clusterSize = static_cast<unsigned>(product(probe.clusterSize()));
  for (unsigned d = 0; d < 3; ++d)
    clusterGrid[d] = probe.options().grid[d] / probe.clusterSize()[d];
  result.clusters = product(clusterGrid);
  groups = static_cast<uint64_t>(model.sm.multiprocessors) / result.clusterSize;
  wave = std::min(groups * result.occupancy.ctas, result.clusters);
  queue = (result.clusters + groups - 1) / groups;
  result.waves = static_cast<double>(result.clusters) / static_cast<double>(groups * result.occupancy.ctas);
  const uint64_t rest = result.clusters % (groups * result.occupancy.ctas);
  result.lastWave = rest ? std::min(1.0, static_cast<double>(rest) / static_cast<double>(groups)) : 1;
}

//===----------------------------------------------------------------------===//
// Running them
//===----------------------------------------------------------------------===//

LaunchResult Estimator::execute(Recorder &by, std::vector<uint64_t> clusters, uint64_t atOnce, uint64_t stepLimit) {
  LaunchOptions run = launchOptions;
  run.seed = 0; // the natural order, and waits that do not give up
  run.checkRaces = run.checkUninitialized = run.countMemory = run.profileLoops = false;
  run.trace = nullptr;
  run.observer = &by;
  run.threads = 1;
  run.mostReports = 1;
  run.multiprocessors = static_cast<unsigned>(model.sm.multiprocessors);
  run.onlyClusters = std::move(clusters);
  run.residentClusters = static_cast<unsigned>(atOnce);
  run.stepLimit = stepLimit;
  device.memory().resetShadow();
  return Launch(device, program, run).run();
}

/// Whether some clusters have much more to do than others, as where a row sees only what is before it, or all others
/// find nothing left, as where the first wave goes over the whole grid.
Estimator::Lengths Estimator::probeLengths() {
  constexpr uint64_t kProbes = 6;
  constexpr double kMuch = 1.15, kNothing = 0.05;
  lengths = std::make_unique<ClusterLengths>(clusterGrid, [this](uint64_t number) -> uint64_t {
    Recorder nothing(*code, *slice, clusterGrid, wave, groups);
    nothing.setPurpose(/*keepsTraces=*/false, /*notesReads=*/false);
    const LaunchResult ran = execute(nothing, {number}, /*atOnce=*/1, launchOptions.stepLimit);
    return ran.ok() ? ran.counters.warpInstructions : 0;
  });
  uint64_t least = UINT64_MAX, most = 0, mostLater = 0;
  for (uint64_t i = 0; i < kProbes; ++i) {
    const uint64_t probe = i + 1 == kProbes ? result.clusters - 1 : spreadPoint(i, result.clusters);
    const uint64_t length = lengths->measured(probe);
    if (!length)
      return Lengths::Equal; // record() says what is wrong
    least = std::min(least, length);
    most = std::max(most, length);
    if (probe >= wave)
      mostLater = std::max(mostLater, length);
  }
  if (static_cast<double>(mostLater) < kNothing * static_cast<double>(most))
    return Lengths::FirstWave;
  return static_cast<double>(most) > kMuch * static_cast<double>(least) ? Lengths::Uneven : Lengths::Equal;
}

/// So many clusters of a queue, in whole waves; all of it where that leaves less than a wave.
uint64_t Estimator::wavesOf(uint64_t count) const {
  const uint64_t places = result.occupancy.ctas, whole = std::max<uint64_t>(kWaves, count / places) * places;
  return queue <= whole + places ? queue : whole;
}

void Estimator::chooseTraced() {
  const Lengths kind = takesOver ? Lengths::FirstWave : queue > result.occupancy.ctas ? probeLengths() : Lengths::Equal;
  isSpread = kind == Lengths::Uneven;
  if (isSpread) {
    // Whichever SM is free takes the next: each has its share of long ones and short ones.
    constexpr uint64_t kLeast = 24;
    lengths->findPeriod();
    traced = lengths->sample(std::max<uint64_t>(kLeast, kWaves * result.occupancy.ctas));
  } else {
    const uint64_t count = kind == Lengths::FirstWave ? queue : wavesOf(0);
    for (uint64_t i = 0; i < count; ++i)
      traced.push_back(i * groups);
  }
}

/// Traces the first SM's queue as far as this cluster, after what is traced already.
void Estimator::traceQueue(uint64_t count) {
  std::vector<uint64_t> more;
  for (uint64_t i = traced.size(); i < count; ++i)
    more.push_back(i * groups);
  recorder->keep(more);
  recorder->setPurpose(/*keepsTraces=*/true, /*notesReads=*/false);
  const LaunchResult ran = execute(*recorder, more, together ? more.size() : 1, launchOptions.stepLimit);
  if (!ran.ok())
    throw EstimateError(doesNotRun(ran));
  recorder->putInOrder();
  traced.insert(traced.end(), more.begin(), more.end());
}

/// Twice as many of a queue as so far; not more than are affordable. Whether there are any.
bool Estimator::traceMore() {
  const uint64_t steps = recorder->trace().stepCount() / traced.size(), // of a cluster
      count = wavesOf(std::min<uint64_t>(2 * traced.size(), options.mostSteps / std::max<uint64_t>(1, steps)));
  if (count <= traced.size())
    return false;
  traceQueue(count);
  return true;
}

/// Of groups whose clusters take over others, all that there are, the one with most to do.
void Estimator::traceBusiest() {
  Recorder counter(*code, *slice, clusterGrid, wave, groups);
  counter.setPurpose(/*keepsTraces=*/false, /*notesReads=*/false);
  counter.countSteps();
  std::vector<uint64_t> all(result.clusters);
  std::iota(all.begin(), all.end(), 0);
  const LaunchResult ran = execute(counter, all, wave, launchOptions.stepLimit);
  if (!ran.ok())
    throw EstimateError(doesNotRun(ran));
  uint64_t busiest = 0, most = 0;
  for (uint64_t group = 0; group < std::min(groups, wave); ++group) {
    uint64_t steps = 0;
    for (uint64_t number = group; number < wave; number += groups)
      steps += counter.stepsOf(number);
    if (steps > most) {
      most = steps;
      busiest = group;
    }
  }
  for (uint64_t &number : traced)
    number += busiest;
  std::erase_if(traced, [&](uint64_t number) { return number >= result.clusters; });
}

void Estimator::record() {
  chooseTraced();
  constexpr uint64_t kClustersEach = 5;
  if (takesOver && result.clusters <= kClustersEach * wave)
    traceBusiest();
  recorder = std::make_unique<Recorder>(*code, *slice, clusterGrid, wave, groups);
  recorder->keep(traced);
  // CTAs may take work from each other: those of a wave must run together.
  together = takesOver || hasAny(*code, "atom");
  // Of those that take over others, each some: the rest of the grid is extrapolated.
  executed = takesOver ? std::min(result.clusters, kClustersEach * wave) : result.clusters;
  std::vector<uint64_t> first(takesOver ? executed : wave);
  std::iota(first.begin(), first.end(), 0);
  LaunchResult ran;
  if (takesOver) {
    ran = execute(*recorder, first, wave, launchOptions.stepLimit);
    recorder->dropEmpty();
    result.notes.push_back("CTAs take over others that have not started: " + std::to_string(executed) + " of " +
                           std::to_string(result.clusters) +
                           " were executed, and each SM's share of them is one that hardware may choose differently");
  } else if (together) {
    std::vector<uint64_t> all = first;
    for (uint64_t number : traced)
      if (number >= wave)
        all.push_back(number);
    ran = execute(*recorder, all, all.size(), launchOptions.stepLimit);
    result.notes.push_back("CTAs claim work with atomics: all of the first wave were executed together, in an order "
                           "that hardware may choose differently");
  } else {
    recorder->setPurpose(/*keepsTraces=*/true, /*notesReads=*/false);
    ran = execute(*recorder, traced, 1, launchOptions.stepLimit);
  }
  if (!ran.ok())
    throw EstimateError(doesNotRun(ran));
  recorder->putInOrder();
  // Many short ones cost nothing.
  if (const uint64_t steps = recorder->trace().stepCount() / traced.size(); isQueue() && steps)
    if (const uint64_t count = wavesOf(options.leastSteps / steps); count > traced.size())
      traceQueue(count);
  if (together || wave == 1)
    return;
  // All of them a part of the way, rather than some to the end: it is neighbours at the same place that share.
  recorder->setPurpose(/*keepsTraces=*/false, /*notesReads=*/true);
  const LaunchResult shared = execute(*recorder, first, first.size(), options.footprintSteps);
  if (!shared.ok() && shared.diagnostics[0].kind != "interrupted")
    throw EstimateError(doesNotRun(shared));
  if (!shared.ok())
    result.notes.push_back("what CTAs share in L2 was counted for the first part of their way only");
}

/// How many SMs would have as many clusters each as the first one, where all of the launch run at the same time: those
/// that have fewer ask for less, and leave more of what SMs share to it.
double Estimator::countEqualGroups() const {
  const uint64_t most = (result.clusters + groups - 1) / groups;
  return most <= result.occupancy.ctas ? static_cast<double>(result.clusters) / static_cast<double>(most)
                                       : static_cast<double>(groups);
}

Activity Estimator::simulateOnce(double ghz, uint64_t atOnce, TraceSink *sink) const {
  const double started = static_cast<double>(std::min(groups, result.clusters)) * result.clusterSize;
  MemorySystem memory(model, recorder->footprint(), countEqualGroups() * result.clusterSize, ghz);
  Simulation simulation(model, *code, recorder->trace(), memory, static_cast<unsigned>(atOnce),
                        l1Bytes(model, result.needs, result.occupancy.ctas), model.launch.dispatchNs * ghz * started,
                        ghz);
  simulation.setTrace(sink);
  return simulation.run();
}

void Estimator::simulate() {
  const auto once = [&](double ghz, TraceSink *sink) { return simulateOnce(ghz, result.occupancy.ctas, sink); };
  result.gigahertz = model.gigahertz(0);
  result.activity = once(result.gigahertz, nullptr);
  while (isQueue() && traced.size() < queue &&
         !steadyState(result.activity.clusterEnds, result.occupancy.ctas).isReached() && traceMore())
    result.activity = once(result.gigahertz, nullptr);
  result.simulatedClusters = recorder->trace().clusters.size();
  result.isExact = takesOver ? executed == result.clusters : !isSpread && traced.size() == queue;
  const Activity &a = result.activity;
  // What draws the power is operations, of which mma.sync may reach a part only.
  const double tensorCycles =
      a.tensorCycles + a.warpTensorCycles * std::min(1.0, model.tensor.warpOperations / model.tensor.operations);
  const double tensorShare = tensorCycles / std::max(1.0, a.cycles * a.sms);
  // Busy tensor cores lower the clock, which leaves more of DRAM to a cycle.
  if (const double ghz = model.gigahertz(tensorShare); tensorShare > 0.02 || options.trace) {
    result.gigahertz = ghz;
    result.activity = once(ghz, options.trace);
  }
}

/// All clusters in their order, each group of SMs taking the next when it has a place free: at the end those that have
/// long ones run on alone. How fast a group is with fewer clusters is simulated for one, and in between between.
double Estimator::cyclesOfUneven() {
  std::vector<double> traced;
  double sum = 0;
  for (const ClusterTrace &cluster : recorder->trace().clusters) {
    uint64_t length = 0;
    for (const CtaTrace &cta : cluster.ctas)
      for (const WarpTrace &warp : cta.warps)
        length += warp.steps.size();
    lengths->know(cluster.number, length);
    traced.push_back(static_cast<double>(length));
    sum += traced.back();
  }
  const double full = sum / result.activity.cycles;
  const double alone =
      result.occupancy.ctas > 1 ? std::min(full, sum / simulateOnce(result.gigahertz, 1, nullptr).cycles) : full;
  QueueModel one;
  for (unsigned k = 0; k < result.occupancy.ctas; ++k)
    one.rates.push_back(alone + (full - alone) * k / std::max(1u, result.occupancy.ctas - 1));
  // The simulated SM had an end as well, so that it was faster before.
  QueueModel every = one;
  every.groups = groups;
  return result.activity.cycles / cyclesOfQueue(one, traced) * cyclesOfQueue(every, lengths->all());
}

double Estimator::countRequests() const {
  double count = 0;
  for (const std::vector<double> &requests : result.activity.requests)
    count += static_cast<double>(requests.size());
  return count;
}

/// Cycles that a group of SMs with as many clusters as any needs for those that its traced ones did not get, by the
/// time from one request to the next; less than nothing if they got more.
double Estimator::restOfRequests() const {
  double cycles = 0, intervals = 0;
  for (const std::vector<double> &requests : result.activity.requests) {
    const size_t last = requests.size() - 1, middle = last / 2; // the first may come all at once
    cycles += requests[last] - requests[middle];
    intervals += static_cast<double>(last - middle);
  }
  const double left = static_cast<double>(queue) - countRequests();
  return intervals > 0 ? cycles / intervals * left / static_cast<double>(result.activity.requests.size()) : 0;
}

void Estimator::extrapolate() {
  const Activity &a = result.activity;
  const std::vector<double> &ends = a.clusterEnds;
  result.cycles = a.cycles;
  if (takesOver) {
    result.cycles += restOfRequests();
  } else if (isSpread) {
    result.cycles = cyclesOfUneven();
    result.notes.push_back("CTAs differ in length: " + std::to_string(ends.size()) + " of " +
                           std::to_string(result.clusters) + ", from everywhere in the grid, were simulated on one SM");
  } else if (!result.isExact) {
    const SteadyState steady = steadyState(ends, result.occupancy.ctas);
    result.cycles += static_cast<double>(queue - ends.size()) * steady.cyclesEach;
    result.notes.push_back("an SM's first " + std::to_string(ends.size()) + " of " + std::to_string(queue) +
                           " CTAs were simulated, the rest extrapolated");
    if (!steady.isReached())
      result.notes.push_back("their time was not steady yet: those of the last waves took " + percent(steady.change) +
                             " more than those before");
  }
  const double ctas = static_cast<double>(result.clusters) * result.clusterSize;
  result.launchNs = model.launch.baseNs + model.launch.perCtaNs * std::min(ctas, model.launch.mostCtas);
  result.nanoseconds = result.launchNs + result.cycles / result.gigahertz;

  // Clusters that take over others do their work: one each time they ask.
  double count = static_cast<double>(result.simulatedClusters);
  if (takesOver && !a.requests.empty())
    count = countRequests();
  const double scale = static_cast<double>(result.clusters) / count;
  const double weighted = a.halfOperations * scale;
  double matrix = 0;
  for (const auto &[bits, operations] : a.operations) {
    result.operations[bits] = operations * scale;
    matrix += operations * scale;
  }
  result.otherOperations = a.otherOperations * scale;
  const double sms = model.sm.multiprocessors;
  if (matrix > 0) {
    result.tflops = matrix / result.nanoseconds / 1e3;
    result.possibleTflops = model.tensor.operations * sms * result.gigahertz / 1e3 * matrix / weighted;
  } else {
    result.tflops = result.otherOperations / result.nanoseconds / 1e3;
    result.possibleTflops = 2 * model.classes[static_cast<unsigned>(IssueClass::Fma)].lanes * model.sm.schedulers *
                            sms * result.gigahertz / 1e3;
  }
  result.dramBytes = (a.dramReadBytes + a.dramWriteBytes) * scale;
  result.gbs = result.dramBytes / result.nanoseconds;
  result.possibleGbs = model.dram.peakGBs;
}

void Estimator::describeTensorMemory() {
  const Activity &a = result.activity;
  result.tensorColumns = static_cast<unsigned>(a.mostColumns);
  result.possibleColumns = static_cast<unsigned>(model.tensorMemory.columns);
  if (a.mostColumns > 0)
    result.heldColumns = a.columnCycles / a.cycles / model.tensorMemory.columns;
  if (a.waitsForColumns)
    result.notes.push_back("CTAs waited for columns of tensor memory that others on their SM held");
}

//===----------------------------------------------------------------------===//
// What bounds it
//===----------------------------------------------------------------------===//

void Estimator::findUnits() {
  const Activity &a = result.activity;
  const double cycles = a.cycles * a.sms, schedulers = cycles * model.sm.schedulers;
  add("issue slots", a.issueSlots, schedulers);
  add("register reads", a.registerReads, schedulers * model.sm.registerReads);
  add("ALU", pipe(IssueClass::Alu) + pipe(IssueClass::Pack), schedulers);
  add("FMA", pipe(IssueClass::Fma) + pipe(IssueClass::Imad) / 2, schedulers);
  add("MUFU and conversions", pipe(IssueClass::Mufu) + pipe(IssueClass::Convert), schedulers);
  add("f64", pipe(IssueClass::Double), schedulers);
  add("load-store queue", pipe(IssueClass::Memory) + pipe(IssueClass::Shuffle), schedulers);
  add("tensor cores", a.tensorCycles + a.warpTensorCycles, cycles);
  add("shared memory and L1", a.sharedCycles, cycles);
  add("L2", std::max(a.l2BusyCycles, 0.0), cycles);
  add("TMA", a.copyBusyCycles, cycles);
  add("DRAM", a.dramBusyCycles, cycles);
  if (model.tensorMemory.columns > 0)
    add("tensor memory", a.tensorMemoryCycles, cycles);
  std::stable_sort(result.units.begin(), result.units.end(),
                   [](const UnitUse &x, const UnitUse &y) { return x.share > y.share; });
}

void Estimator::findBound() {
  constexpr double kBusy = 0.6;
  const UnitUse &busiest = result.units.front();
  if (result.launchNs > result.nanoseconds / 2) {
    result.bound = "the launch itself";
    return;
  }
  if (busiest.share >= kBusy) {
    result.bound = busiest.name;
    return;
  }
  // No unit: latency, of what the warps that do the work wait for. Those that feed a tensor core issue little.
  const RoleActivity *chosen = nullptr;
  std::string name;
  for (const auto &[role, activity] : result.activity.roles)
    if (!chosen || (result.activity.mostColumns > 0 && role == "multiply") ||
        (activity.issuing > chosen->issuing && !(result.activity.mostColumns > 0 && name == "multiply"))) {
      chosen = &activity;
      name = role;
    }
  const auto worst = std::max_element(chosen->stalled.begin(), chosen->stalled.end());
  result.bound = "latency: warps that " + name + " wait most for " +
                 std::string(stallName(static_cast<Stall>(worst - chosen->stalled.begin()))) + " (busiest is " +
                 busiest.name + ")";
}

void Estimator::findLines() {
  std::map<std::string, LineCost> lines;
  std::map<std::string, double> dearest;
  for (uint32_t place = 0; place < code->size(); ++place) {
    const double cycles = result.activity.placeCycles[place];
    if (cycles <= 0)
      continue;
    const ast::Instruction &i = code->astOf(place);
    std::string where = "PTX line " + std::to_string(i.line);
    if (i.source.file) {
      const auto file = module.ast().files.find(i.source.file);
      where = (file == module.ast().files.end() ? "?" : file->second) + ":" + std::to_string(i.source.line);
    }
    LineCost &cost = lines[where];
    cost.place = where;
    cost.cycles += cycles;
    cost.issues += result.activity.placeIssues[place];
    if (cycles > dearest[where]) {
      dearest[where] = cycles;
      cost.text = i.mnemonic();
    }
  }
  for (auto &[where, cost] : lines)
    result.lines.push_back(std::move(cost));
  std::stable_sort(result.lines.begin(), result.lines.end(),
                   [](const LineCost &a, const LineCost &b) { return a.cycles > b.cycles; });
}

Estimate Estimator::run() {
  result.machine = model.name;
  result.isTentative = model.isTentative;
  prepare();
  record();
  simulate();
  extrapolate();
  describeTensorMemory();
  findUnits();
  findBound();
  findLines();
  return std::move(result);
}

} // namespace

Estimate estimate(Device &device, const Module &module, const LaunchOptions &launch, const MachineModel &model,
                  const EstimateOptions &options) {
  return Estimator(device, module, launch, model, options).run();
}

} // namespace ptxemu::timing
