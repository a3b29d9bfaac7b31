//===- Launch.cpp - One kernel launch: its clusters, round by round ------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launch.h"
#include "Machine.h"
#include "WorkerPool.h"
#include <algorithm>
#include <numeric>

namespace ptxemu {

namespace {

uint64_t product(const std::array<unsigned, 3> &d) {
  return static_cast<uint64_t>(d[0]) * d[1] * d[2];
}

/// Registers of an SM, the most a thread can have, and the unit in which setmaxnreg counts.
constexpr unsigned kRegisters = 65536, kMostRegisters = 256, kRegisterUnit = 8;

/// Warp instructions of all clusters without progress after which another one is admitted: those that run may wait for
/// what it will write.
constexpr uint64_t kPatience = 400'000;

/// Clusters of a grid. The order of more would not fit into memory, and running them would take days.
constexpr uint64_t kMostClusters = 1 << 28;

std::string show(const std::array<unsigned, 3> &d) {
  return "(" + std::to_string(d[0]) + ", " + std::to_string(d[1]) + ", " + std::to_string(d[2]) + ")";
}

/// Most bytes of static arrays, as ptxas 13.0 has it: of code for one GPU alone (`a`), what a CTA has there; else what
/// it has on every GPU.
uint32_t getMostStaticShared(std::string_view target) {
  constexpr uint32_t everywhere = 48 << 10, consumer = 99 << 10;
  if (target.empty() || target.back() != 'a')
    return everywhere;
  return target.substr(0, 5) == "sm_12" ? consumer : kMostShared;
}

bool exceeds(const std::array<unsigned, 3> &d, const std::array<unsigned, 3> &most) {
  return d[0] > most[0] || d[1] > most[1] || d[2] > most[2];
}

} // namespace

//===----------------------------------------------------------------------===//
// Set-up
//===----------------------------------------------------------------------===//

Launch::Launch(Device &device, std::shared_ptr<const Program> program, const LaunchOptions &options)
    : Launch(device, std::move(program), options, 0, std::make_shared<RaceChecker>(options.checkRaces)) {}

Launch::Launch(Device &device, std::shared_ptr<const Program> program, const LaunchOptions &options, unsigned grid,
               std::shared_ptr<RaceChecker> races)
    : device(device), linked(std::move(program)), launchOptions(options), rng(options.seed + grid), grid(grid),
      raceChecker(std::move(races)), end(std::make_shared<SyncPoint>()), firstStrand(raceChecker->countStrands()) {
  shown = std::chrono::steady_clock::now();
  checkBlock();
  checkCluster();
  checkGrid();
  checkShared();
  bindArguments();
  orderClusters();
  makeWorkspace();
  const ast::Function &entry = *linked->functions[0]->ast;
  uint64_t warps = (product(block) + 31) / 32;
  uint64_t fit = kRegisters / (warps * 32 * std::max(1u, entry.minimumCtas)) / kRegisterUnit * kRegisterUnit;
  threadRegisters =
      entry.maximumRegisters ? entry.maximumRegisters : static_cast<unsigned>(std::min<uint64_t>(fit, kMostRegisters));
  // A trace has one time line.
  unsigned threads = options.trace || options.observer ? 1 : std::min(options.threads, options.residentClusters);
  if (threads > 1)
    workers = std::make_unique<WorkerPool>(threads);
}

Launch::~Launch() {
  if (workspace)
    device.free(workspace);
}

/// The CTAs of a grid that synchronises run at once.
void Launch::makeWorkspace() {
  if (!linked->usesGridWorkspace)
    return;
  constexpr uint32_t kBytes = 8;
  workspace = device.allocate(kBytes, "the grid's workspace");
  device.write(workspace, &kBytes, sizeof kBytes);
  launchOptions.residentClusters = std::max(launchOptions.residentClusters, static_cast<unsigned>(clusterOrder.size()));
}

void Launch::checkBlock() {
  const Function &entry = *linked->functions[0];
  const ast::Function &ast = *entry.ast;
  block = launchOptions.block;
  if (ast.blocksAreClusters) {
    if (!ast.requiredThreads[0] || !ast.requiredCluster[0])
      throw InputError(ast.line,
                       "'" + entry.name + "' has .blocksareclusters, which takes .reqntid and .reqnctapercluster");
    if (product(block) > 1)
      throw InputError(ast.line, "the launch passes blocks of " + show(block) + " to '" + entry.name +
                                     "', which has .blocksareclusters: undefined for all but (1, 1, 1); leave the "
                                     "block size out");
    block = {0, 0, 0};
  }
  if (ast.requiredThreads[0]) {
    if (product(block) == 0)
      block = ast.requiredThreads;
    if (block != ast.requiredThreads)
      throw InputError(ast.line, "the launch's block size contradicts .reqntid of '" + entry.name + "'");
  }
  if (product(block) == 0)
    throw InputError(ast.line, "'" + entry.name + "' has no .reqntid: the launch must give a block size");
  if (product(block) > 1024 || exceeds(block, kMostBlock))
    throw InputError(ast.line,
                     "a block has at most 1024 threads, at most " + show(kMostBlock) + ", not " + show(block));
  if (ast.maximumThreads[0] && product(block) > product(ast.maximumThreads))
    throw InputError(ast.line, "the launch's block exceeds .maxntid of '" + entry.name + "'");
}

void Launch::checkCluster() {
  const Function &entry = *linked->functions[0];
  const ast::Function &ast = *entry.ast;
  cluster = launchOptions.cluster;
  hasCluster = ast.explicitCluster || ast.requiredCluster[0] || product(cluster) != 0;
  if (ast.requiredCluster[0]) {
    if (product(cluster) == 0)
      cluster = ast.requiredCluster;
    if (cluster != ast.requiredCluster)
      throw InputError(ast.line, "the launch's cluster size contradicts .reqnctapercluster of '" + entry.name + "'");
  }
  if (product(cluster) == 0)
    cluster = {1, 1, 1};
  if (product(cluster) > kMostCluster || (ast.maximumClusterRank && product(cluster) > ast.maximumClusterRank))
    throw InputError(ast.line, "the cluster has too many CTAs");
}

void Launch::checkGrid() {
  const ast::Function &ast = *linked->functions[0]->ast;
  const unsigned line = ast.line;
  std::array<unsigned, 3> &grid = launchOptions.grid;
  if (ast.blocksAreClusters)
    for (unsigned d = 0; d < 3; ++d) // What is too much stays too much.
      grid[d] = static_cast<unsigned>(
          std::min<uint64_t>(uint64_t(grid[d]) * cluster[d], UINT32_MAX / cluster[d] * cluster[d]));
  for (unsigned d = 0; d < 3; ++d)
    if (grid[d] == 0 || grid[d] % cluster[d])
      throw InputError(line, "the grid must be a positive multiple of the cluster in every dimension");
  if (exceeds(grid, kMostGrid))
    throw InputError(line, "a grid has at most " + show(kMostGrid) + " CTAs, not " + show(grid));
  // No overflow: the grid is within its limits.
  if (product(grid) / product(cluster) > kMostClusters)
    throw InputError(line, "the emulator runs at most " + std::to_string(kMostClusters) + " clusters, not a grid of " +
                               show(grid));
}

void Launch::checkShared() {
  const std::string &target = linked->module->target;
  const uint32_t arrays = linked->staticShared - kReservedShared, most = getMostStaticShared(target);
  if (arrays > most)
    throw InputError(linked->functions[0]->ast->line, "code for " + target + " has at most " + std::to_string(most) +
                                                          " bytes of static shared memory; here they are " +
                                                          std::to_string(arrays) + "; more has to be dynamic");
  // Where dynamic shared memory starts counts what is reserved, too.
  const uint64_t fixed = linked->dynamicShared - kReservedShared, dynamic = launchOptions.dynamicShared;
  if (fixed + dynamic > kMostShared)
    throw InputError(linked->functions[0]->ast->line,
                     "a CTA has at most " + std::to_string(kMostShared) + " bytes of shared memory; here it is " +
                         std::to_string(fixed) + " static and " + std::to_string(dynamic) + " dynamic bytes");
}

void Launch::bindArguments() {
  const Function &entry = *linked->functions[0];
  unsigned line = entry.ast->line;
  if (launchOptions.arguments.size() != entry.parameters.size())
    throw InputError(line, "'" + entry.name + "' has " + std::to_string(entry.parameters.size()) +
                               " parameters, the launch gives " + std::to_string(launchOptions.arguments.size()));
  parameters.resize(linked->entryParameterBytes + 16);
  for (size_t i = 0; i < entry.parameters.size(); ++i) {
    const ParameterPlace &p = entry.parameters[i];
    const std::vector<uint8_t> &a = launchOptions.arguments[i];
    if (a.size() != p.size)
      throw InputError(line, "parameter " + std::to_string(i) + " (" + p.name + ") has " + std::to_string(p.size) +
                                 " bytes, the launch gives " + std::to_string(a.size()));
    std::copy(a.begin(), a.end(), parameters.begin() + p.offset);
  }
}

/// Any order is allowed. Seed 0 keeps the natural one; half of the others shuffle neighbourhoods, half everything.
void Launch::orderClusters() {
  totalCtas = product(launchOptions.grid);
  if (!launchOptions.onlyClusters.empty()) {
    clusterOrder = launchOptions.onlyClusters;
    totalCtas = clusterOrder.size() * product(cluster);
    return;
  }
  clusterOrder.resize(totalCtas / product(cluster));
  std::iota(clusterOrder.begin(), clusterOrder.end(), 0);
  if (!launchOptions.seed)
    return;
  for (size_t i = clusterOrder.size(); i > 1; --i) {
    size_t reach = launchOptions.seed & 1 ? std::min<size_t>(i, 16) : i;
    std::swap(clusterOrder[i - 1], clusterOrder[i - 1 - rng.below(static_cast<uint32_t>(reach))]);
  }
}

//===----------------------------------------------------------------------===//
// Rounds
//===----------------------------------------------------------------------===//

LaunchResult Launch::run() {
  while (advance(/*alone=*/true)) {
  }
  return takeResult();
}

bool Launch::advance(bool alone) {
  if (isStopped || finishedCtas == totalCtas)
    return false;
  while (nextCluster < clusterOrder.size() && resident.size() < launchOptions.residentClusters)
    admit();
  runRound(alone);
  isStopped = failed();
  if (isStopped)
    return false;
  orderedSteps();
  isStopped = failed() || stalled();
  if (isStopped)
    return false;
  retireFinished();
  showProgress();
  return finishedCtas < totalCtas;
}

LaunchResult Launch::takeResult() {
  for (auto &m : resident)
    count(*m);
  result.loops = loops.summarize();
  return std::move(result);
}

void Launch::admit() {
  resident.push_back(std::make_unique<Machine>(*this, clusterOrder[nextCluster++], time));
  progress = executed;
}

std::shared_ptr<const SyncPoint> Launch::takeEnd() {
  end->clocks.addEnded({firstStrand, races().countStrands()});
  return std::move(end);
}

std::array<unsigned, 3> Launch::clusterId(uint64_t number) const {
  std::array<unsigned, 3> counts;
  for (unsigned d = 0; d < 3; ++d)
    counts[d] = launchOptions.grid[d] / cluster[d];
  return {static_cast<unsigned>(number % counts[0]), static_cast<unsigned>(number / counts[0] % counts[1]),
          static_cast<unsigned>(number / counts[0] / counts[1])};
}

std::optional<std::array<unsigned, 3>> Launch::cancelCluster() {
  if (nextCluster >= clusterOrder.size() || (launchOptions.seed && rng.below(8) == 0))
    return std::nullopt;
  std::array<unsigned, 3> first = clusterId(clusterOrder[nextCluster++]);
  for (unsigned d = 0; d < 3; ++d)
    first[d] *= cluster[d];
  finishedCtas += product(cluster);
  return first;
}

void Launch::runRound(bool alone) {
  alone &= resident.size() == 1;
  std::vector<uint64_t> before;
  for (auto &m : resident) {
    m->setTime(time);
    before.push_back(m->now());
  }
  auto work = [&](size_t i) { resident[i]->run(alone); };
  if (workers)
    workers->run(resident.size(), work);
  else
    for (size_t i = 0; i < resident.size(); ++i)
      work(i);
  uint64_t longest = 0;
  for (size_t i = 0; i < resident.size(); ++i) {
    Machine &m = *resident[i];
    uint64_t ran = m.now() - before[i];
    longest = std::max(longest, ran);
    executed += ran;
    if (m.lastProgress() >= before[i] || m.status() == Machine::Status::Finished)
      progress = executed;
    if (std::string text = m.takeOutput(); !text.empty() && launchOptions.print)
      launchOptions.print(text);
    else
      result.output += text;
  }
  time += longest;
}

void Launch::orderedSteps() {
  std::vector<Machine *> waiting;
  for (auto &m : resident)
    if (m->status() == Machine::Status::Ordered)
      waiting.push_back(m.get());
  if (launchOptions.seed)
    for (size_t i = waiting.size(); i > 1; --i)
      std::swap(waiting[i - 1], waiting[rng.below(static_cast<uint32_t>(i))]);
  for (Machine *m : waiting) {
    m->setTime(time);
    uint64_t before = m->now();
    m->runOrdered();
    executed += m->now() - before;
    time += m->now() - before;
    if (m->lastProgress() >= m->now() && m->now() > before)
      progress = executed;
  }
}

void Launch::count(const Machine &machine) {
  result.counters.add(machine.counters());
  loops.add(machine.loopCounts());
}

void Launch::retireFinished() {
  std::erase_if(resident, [&](const auto &m) {
    if (m->status() != Machine::Status::Finished)
      return false;
    count(*m);
    races().addKnown(m->clusterState(), firstStrand, *end);
    races().removeCluster(m->clusterState());
    finishedCtas += m->clusterState().ctas.size();
    return true;
  });
}

//===----------------------------------------------------------------------===//
// What ends a launch early
//===----------------------------------------------------------------------===//

/// Adds a report, unless another cluster has made the same one.
void Launch::note(const Diagnostic &d) {
  constexpr size_t kMostWarnings = 100;
  std::vector<Diagnostic> &list = d.isWarning ? result.warnings : result.diagnostics;
  bool isKnown = std::any_of(list.begin(), list.end(), [&](const Diagnostic &o) {
    return o.kind == d.kind && o.line == d.line && (d.line || o.message == d.message);
  });
  if (!isKnown && (!d.isWarning || list.size() < kMostWarnings))
    list.push_back(d);
}

bool Launch::failed() {
  for (auto &m : resident) {
    for (const Diagnostic &d : m->takeReports())
      note(d);
    if (m->failure()) {
      note(*m->failure());
      return true;
    }
  }
  return result.diagnostics.size() >= launchOptions.mostReports;
}

bool Launch::stalled() {
  if (launchOptions.interrupt && *launchOptions.interrupt) {
    report("interrupted", "the run was interrupted");
    return true;
  }
  if (launchOptions.stepLimit && executed > launchOptions.stepLimit) {
    report("interrupted",
           "the run has executed " + std::to_string(executed) + " warp instructions, more than its limit");
    return true;
  }
  for (auto &m : resident)
    if (m->status() == Machine::Status::Stuck) {
      // Nothing outside the cluster wakes a warp of it.
      result.diagnostics.push_back(m->report(
          "deadlock", "no warp can continue: every one waits for something that will not happen", m->situation()));
      return true;
    }
  uint64_t idle = executed - progress;
  if (idle > kPatience && nextCluster < clusterOrder.size()) {
    admit();
  } else if (idle > launchOptions.livelockSteps) {
    report("livelock", "warps keep running, but nothing they do can be seen by another: they spin on a condition "
                       "that does not change");
    return true;
  }
  return false;
}

void Launch::report(const char *kind, const std::string &message) {
  constexpr size_t kMost = 60;
  std::vector<std::string> notes{
      std::to_string(finishedCtas) + " of " + std::to_string(totalCtas) + " CTAs have finished, " +
      std::to_string(totalCtas / clusterOrder.size() * (clusterOrder.size() - nextCluster)) + " have not started"};
  for (auto &m : resident)
    for (std::string &line : m->situation())
      notes.push_back(std::move(line));
  if (notes.size() > kMost) {
    size_t rest = notes.size() - kMost;
    notes.resize(kMost);
    notes.push_back("… and " + std::to_string(rest) + " more");
  }
  result.diagnostics.push_back(resident[0]->report(kind, message, std::move(notes)));
}

void Launch::showProgress() {
  if (!launchOptions.progress)
    return;
  auto clock = std::chrono::steady_clock::now();
  if (clock - shown < std::chrono::seconds(1))
    return;
  shown = clock;
  launchOptions.progress(finishedCtas, totalCtas, executed);
}

} // namespace ptxemu
