//===- Simulation.cpp - Runs traces on modelled SMs -----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulation.h"
#include "Ast.h"
#include "SimulationState.h"
#include <cmath>
#include <stdexcept>

namespace ptxemu::timing {

std::string_view stallName(Stall s) {
  constexpr std::string_view names[] = {"dependency", "memory",        "barrier",  "mbarrier",    "tensor group",
                                        "copy group", "tensor memory", "throttle", "not selected"};
  return names[static_cast<unsigned>(s)];
}

Simulation::Simulation(const MachineModel &model, const StaticCode &code, const Trace &trace, MemorySystem &memory,
                       unsigned residentCtas, double l1Bytes, double startInterval, double ghz)
    : model(model), code(code), trace(trace), memory(memory), resident(residentCtas), l1Bytes(l1Bytes),
      startInterval(startInterval), ghz(ghz) {
  activity.placeCycles.resize(code.size());
  activity.placeIssues.resize(code.size());
  activity.sms = trace.clusters.empty() ? 1 : static_cast<unsigned>(trace.clusters[0].ctas.size());
}

Simulation::~Simulation() = default;

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

void Simulation::push(Event e) {
  e.order = order++;
  events.push(e);
}

void Simulation::tryLater(Warp &w, double time) {
  Event e{time, 0, Event::Issue};
  e.warp = &w;
  e.offset = ++w.latestEvent; // earlier events of the warp have no meaning any more
  push(e);
}

Activity Simulation::run() {
  constexpr double kLeastL1 = 16384;
  for (unsigned i = 0; i < activity.sms; ++i)
    sms.push_back(std::make_unique<Sm>(i, static_cast<unsigned>(model.sm.schedulers), std::max(l1Bytes, kLeastL1)));
  running.resize(resident);
  for (unsigned residentIndex = 0; residentIndex < resident && residentIndex < trace.clusters.size(); ++residentIndex)
    awaitStart(0, residentIndex);
  while (!events.empty()) {
    const Event e = events.top();
    events.pop();
    if (e.kind == Event::Issue && e.offset == e.warp->latestEvent)
      tryIssue(*e.warp, e.time);
    else if (e.kind == Event::Issue)
      continue;
    else if (e.kind == Event::Transaction)
      transact(*e.cta, e.offset, e.arrivals, e.bytes, e.time);
    else
      startCluster(e.time, e.offset);
  }
  if (finished < trace.clusters.size())
    stuck();
  for (const WarpTrace &w : trace.clusters.at(0).ctas.at(0).warps)
    ++activity.roles[roleOf(w)].warps;
  for (const auto &sm : sms) {
    const MemoryPort &p = sm->port;
    activity.sharedCycles += p.shared.busy();
    activity.l1Bytes += p.l1Bytes;
    activity.l1HitBytes += p.l1Hits;
    activity.l2Bytes += p.l2Bytes;
    activity.copyBytes += p.copyBytes;
    activity.dramReadBytes += p.dramReadBytes;
    activity.dramWriteBytes += p.dramWriteBytes;
    activity.l2BusyCycles += p.l2.busy();
    activity.copyBusyCycles += p.copy.busy();
    activity.dramBusyCycles += p.dram.busy();
    for (unsigned quarter = 0; quarter < 4; ++quarter)
      activity.tensorMemoryCycles += (sm->tensorLoads[quarter].busy() + sm->tensorStores[quarter].busy()) / 4;
    activity.columnCycles = std::max(activity.columnCycles, sm->columnCycles); // of pairs the first counts
  }
  return std::move(activity);
}

void Simulation::stuck() const {
  std::string where;
  for (const auto &cluster : running)
    if (cluster)
      for (const auto &cta : cluster->ctas)
        for (const auto &w : cta->warps)
          if (!w->isDone)
            where += "\n  cluster " + std::to_string(cluster->trace->number) + ", CTA " + std::to_string(cta->rank) +
                     ", warp " + std::to_string(w->index) + " waits (" + std::string(stallName(w->reason)) +
                     ") at PTX line " + std::to_string(code[w->trace->steps[w->next].place].line);
  throw std::logic_error("the timing model waits for what the run did not wait for:" + where);
}

void Simulation::awaitStart(double earliest, unsigned residentIndex) {
  Event e{std::max(earliest, startsFree), 0, Event::StartCluster};
  e.offset = residentIndex;
  startsFree = e.time + startInterval;
  push(e);
}

void Simulation::startCluster(double now, unsigned residentIndex) {
  if (nextCluster == trace.clusters.size())
    return; // Another one took the last one's place meanwhile.
  auto state = std::make_unique<ClusterState>();
  state->trace = &trace.clusters[nextCluster++];
  state->residentIndex = residentIndex;
  for (const CtaTrace &ctaTrace : state->trace->ctas) {
    auto cta = std::make_unique<Cta>();
    cta->trace = &ctaTrace;
    cta->cluster = state.get();
    cta->rank = static_cast<unsigned>(state->ctas.size());
    cta->residentIndex = residentIndex;
    cta->sm = sms[cta->rank].get();
    cta->liveThreads = ctaTrace.threads;
    cta->warpgroups.resize((ctaTrace.warps.size() + 3) / 4);
    state->liveThreads += ctaTrace.threads;
    for (const WarpTrace &warpTrace : ctaTrace.warps) {
      auto warp = std::make_unique<Warp>();
      warp->trace = &warpTrace;
      warp->cta = cta.get();
      warp->index = static_cast<unsigned>(cta->warps.size());
      warp->scheduler =
          static_cast<unsigned>((residentIndex * ctaTrace.warps.size() + warp->index) % sms[0]->issueFree.size());
      warp->ready = warp->counted = now;
      warp->registers.assign(code.registerCount(), now);
      warp->registerStall.assign(code.registerCount(), Stall::Dependency);
      ++state->liveWarps;
      tryLater(*warp, now);
      cta->warps.push_back(std::move(warp));
    }
    state->ctas.push_back(std::move(cta));
  }
  if (running[residentIndex])
    past.push_back(std::move(running[residentIndex])); // events may still refer to it
  running[residentIndex] = std::move(state);
}

void Simulation::finishWarp(Warp &w, double now) {
  if (const Warp *&last = w.cta->sm->last[w.scheduler]; last == &w)
    last = nullptr;
  w.isDone = true;
  summarize(w);
  w.registers = {};
  w.registerStall = {};
  Cta &cta = *w.cta;
  ClusterState &cluster = *cta.cluster;
  cta.liveThreads -= cta.threadsOf(w);
  cluster.liveThreads -= cta.threadsOf(w);
  recheckBarriers(cta, now);
  recheckClusterBarrier(cluster, now);
  if (--cluster.liveWarps)
    return;
  if (!cluster.requests.empty())
    activity.requests.push_back(std::move(cluster.requests));
  for (const auto &each : cluster.ctas)
    if (each->columns > 0)
      holdColumns(*each, -each->columns, now);
  ++finished;
  activity.clusterEnds.push_back(now);
  activity.cycles = now;
  if (nextCluster < trace.clusters.size())
    awaitStart(now + model.launch.ctaCycles, cluster.residentIndex);
}

//===----------------------------------------------------------------------===//
// Issue
//===----------------------------------------------------------------------===//

double Simulation::registersReady(const Warp &w, const StaticInstruction &s, Stall *reason) const {
  double time = w.ready;
  const auto look = [&](uint32_t r) {
    if (w.registers[r] > time) {
      time = w.registers[r];
      *reason = w.registerStall[r];
    }
  };
  for (uint32_t r : s.reads)
    look(r);
  if (s.action != Action::Wgmma)
    for (uint32_t r : s.writes)
      look(r);
  return time;
}

double Simulation::pipeReady(const Warp &w, const StaticInstruction &s, double now) const {
  const Sm &sm = *w.cta->sm;
  double time = sm.pipes[w.scheduler].firstFree(s, now);
  if (s.registerReads)
    time = std::max(time, sm.readsFree[w.scheduler] - 1); // operands may come in while the next one issues
  if (s.issues[static_cast<unsigned>(IssueClass::Memory)])
    time = std::max(time, sm.memoryFree - model.shared.queue);
  if (s.storesToMemory())
    time = std::max(time, sm.storesFree - model.shared.queue);
  if (s.action == Action::Mma)
    time = std::max(time, sm.tensorFree[w.scheduler]);
  return time;
}

/// Copies and casts that an assembler folds into their users.
bool Simulation::skipFolded(Warp &w) {
  const Step &step = w.trace->steps[w.next];
  const StaticInstruction &s = code[step.place];
  if (!s.isFree)
    return false;
  double time = w.ready;
  Stall reason = Stall::Dependency;
  if (step.lanes) {
    for (uint32_t r : s.reads)
      if (w.registers[r] > time) {
        time = w.registers[r];
        reason = w.registerStall[r];
      }
    setResult(w, s, time, reason);
  }
  ++w.next;
  return true;
}

void Simulation::tryIssue(Warp &w, double now) {
  if (w.isSuspended || w.isDone)
    return;
  while (w.next < w.trace->steps.size() && skipFolded(w)) {
  }
  if (w.next >= w.trace->steps.size()) {
    finishWarp(w, now);
    return;
  }
  const StaticInstruction &s = code[w.trace->steps[w.next].place];
  Stall reason = Stall::Dependency;
  const double operands = registersReady(w, s, &reason);
  if (operands > now)
    return tryLater(w, operands);
  const double pipes = pipeReady(w, s, now);
  if (pipes > now)
    return tryLater(w, pipes);
  const double scheduler = w.cta->sm->issueFree[w.scheduler];
  if (scheduler > now)
    return tryLater(w, scheduler);

  // What held it up, one cause after another.
  const auto account = [&](Stall cause, double until) {
    if (until > w.counted) {
      w.stalled[static_cast<unsigned>(cause)] += until - w.counted;
      activity.placeCycles[w.trace->steps[w.next].place] += until - w.counted;
      w.counted = until;
    }
  };
  account(reason, operands);
  const double queue = std::max(w.cta->sm->memoryFree, s.storesToMemory() ? w.cta->sm->storesFree : 0.0);
  account(Stall::Throttle, std::min(now, std::max(operands, queue - model.shared.queue)));
  account(Stall::NotSelected, now);
  issue(w, now);
}

void Simulation::issue(Warp &w, double now) {
  const Step &step = w.trace->steps[w.next];
  const StaticInstruction &s = code[step.place];
  Sm &sm = *w.cta->sm;
  const bool isActive = step.lanes != 0;
  const double issueSlots = isActive ? s.issueCount : 1;
  sm.issueFree[w.scheduler] = now + issueSlots + (sm.wgmmaFree > now ? issueSlots * model.tensor.issueBeside : 0);
  if (isActive) {
    const double reads = s.registerReads - (sm.last[w.scheduler] == &w ? s.reusedReads : 0);
    double &readsFree = sm.readsFree[w.scheduler];
    readsFree = std::max(readsFree, now) + reads / model.sm.registerReads;
    sm.last[w.scheduler] = &w;
    activity.registerReads += reads;
  }
  activity.issueSlots += issueSlots;
  activity.placeCycles[step.place] += issueSlots;
  ++activity.placeIssues[step.place];
  w.issuing += issueSlots;
  w.ready = w.counted = now + issueSlots;
  occupyPipes(w, s, now, isActive);
  const size_t place = w.next;
  if (isActive || s.action == Action::WgmmaWait || s.action == Action::WgmmaCommit)
    act(w, step, s, now);
  ++w.next;
  if (sink_)
    span(w, code[w.trace->steps[place].place], now, std::max(w.ready, now + issueSlots));
  if (!w.isSuspended)
    tryLater(w, w.ready);
}

void Simulation::occupyPipes(Warp &w, const StaticInstruction &s, double now, bool isActive) {
  if (!isActive)
    return;
  w.cta->sm->pipes[w.scheduler].occupy(s, now, model);
  for (unsigned c = 0; c < kIssueClasses; ++c)
    if (s.issues[c])
      activity.pipeCycles[c] += Pipes::cyclesOf(s, static_cast<IssueClass>(c), model);
}

void Simulation::setResult(Warp &w, const StaticInstruction &s, double time, Stall reason) {
  for (uint32_t r : s.writes) {
    w.registers[r] = time;
    w.registerStall[r] = reason;
  }
}

void Simulation::act(Warp &w, const Step &step, const StaticInstruction &s, double now) {
  switch (s.action) {
  case Action::Plain:
  case Action::Exit: {
    const MachineModel::Class &last = model.classes[static_cast<unsigned>(s.last)];
    const double chain = s.chained * model.classes[static_cast<unsigned>(IssueClass::Alu)].latency;
    setResult(w, s, now + chain + last.latency, Stall::Dependency);
    if (s.last == IssueClass::Branch && w.next + 1 < w.trace->steps.size() &&
        w.trace->steps[w.next + 1].place != step.place + 1)
      w.ready = now + last.latency; // a taken branch
    const MachineModel::Class &fma = model.classes[static_cast<unsigned>(IssueClass::Fma)];
    if (s.last == IssueClass::Fma && fma.lanes > 0)
      activity.otherOperations += 2.0 * step.lanes;
    return;
  }
  case Action::Access:
    return access(w, step, s, now);
  case Action::CopyAsync:
    return copyAsync(w, step, s, now);
  case Action::CopyCommit:
    w.copyGroups.push_back(std::exchange(w.copiesDone, 0));
    return;
  case Action::CopyWait: {
    double until = s.groups < 0 ? w.copiesDone : 0;
    for (size_t i = 0; i + static_cast<size_t>(std::max(s.groups, 0)) < w.copyGroups.size(); ++i)
      until = std::max(until, w.copyGroups[i]);
    while (w.copyGroups.size() > static_cast<size_t>(std::max(s.groups, 0)))
      w.copyGroups.pop_front();
    return sleep(w, Stall::CopyGroup, now, until);
  }
  case Action::BulkCopy:
    return bulkCopy(w, step, now);
  case Action::BulkCommit:
    w.bulkGroups.push_back(std::exchange(w.bulk, {0, 0}));
    return;
  case Action::BulkWait: {
    double until = 0;
    for (size_t i = 0; i + static_cast<size_t>(s.groups) < w.bulkGroups.size(); ++i)
      until = std::max(until, s.isRead ? w.bulkGroups[i].read : w.bulkGroups[i].written);
    return sleep(w, Stall::CopyGroup, now, until);
  }
  case Action::Mbarrier:
    return useMbarriers(w, step, s, now);
  case Action::MbarrierWait:
    return waitMbarrier(w, step, s, now);
  case Action::Barrier:
    return reachBarrier(w, step, now);
  case Action::ClusterArrive:
  case Action::ClusterWait:
    return reachClusterBarrier(w, s, now);
  case Action::Mma:
    return multiply(w, s, now);
  case Action::Wgmma:
    return issueWgmma(w, s, now);
  case Action::WgmmaFence:
    return;
  case Action::WgmmaCommit:
    w.wgmmaGroups.push_back(w.wgmmaIssued);
    return;
  case Action::WgmmaWait:
    return waitWgmma(w, s, now);
  case Action::TensorMultiply:
  case Action::TensorCopy:
    return useTensorCore(w, step, s, now);
  case Action::TensorCommit:
    return commitTensorCore(w, step, now);
  case Action::TensorLoad:
  case Action::TensorStore:
    return moveTensorMemory(w, s, now);
  case Action::TensorWait:
    return sleep(w, Stall::TensorMemory, now, s.isStore ? w.tensorStores : w.tensorLoads);
  case Action::TensorAllocate:
  case Action::TensorFree:
    return allocateTensorMemory(w, step, s, now);
  case Action::LaunchCancel:
    return cancelLaunch(w, step, now);
  }
}

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

void Simulation::suspend(Warp &w, Stall reason, double now) {
  w.isSuspended = true;
  w.reason = reason;
  w.counted = std::max(w.counted, now);
}

void Simulation::resume(Warp &w, double time) {
  if (time > w.counted) {
    w.stalled[static_cast<unsigned>(w.reason)] += time - w.counted;
    activity.placeCycles[w.trace->steps[w.next ? w.next - 1 : 0].place] += time - w.counted;
    w.counted = time;
  }
  w.ready = std::max(w.ready, time);
  w.isSuspended = false;
  tryLater(w, w.ready);
}

void Simulation::sleep(Warp &w, Stall reason, double now, double until) {
  if (until <= w.ready)
    return;
  w.counted = std::max(w.counted, now);
  w.stalled[static_cast<unsigned>(reason)] += until - w.counted;
  activity.placeCycles[w.trace->steps[w.next].place] += until - w.counted;
  w.counted = w.ready = until;
}

//===----------------------------------------------------------------------===//
// What is told afterwards
//===----------------------------------------------------------------------===//

/// By what its warps do: a kernel may have some that load and some that multiply.
std::string Simulation::roleOf(const WarpTrace &warp) const {
  bool multiplies = false, copies = false, computes = false;
  for (const Step &s : warp.steps) {
    const Action action = code[s.place].action;
    multiplies |= action == Action::Wgmma || action == Action::Mma || (action == Action::TensorMultiply && s.lanes);
    copies |=
        (action == Action::BulkCopy && !trace.effectsOf(s).empty() && trace.effectsOf(s)[0].kind == Effect::BulkLoad) ||
        action == Action::CopyAsync;
    computes |= action == Action::Access || action == Action::TensorLoad;
  }
  return multiplies ? (copies ? "load and multiply" : "multiply") : copies ? "load" : computes ? "compute" : "idle";
}

void Simulation::summarize(Warp &w) {
  RoleActivity &role = activity.roles[roleOf(*w.trace)];
  role.issuing += w.issuing;
  for (unsigned i = 0; i < kStalls; ++i)
    role.stalled[i] += w.stalled[i];
}

static uint64_t picoseconds(double cycles, double ghz) {
  return static_cast<uint64_t>(std::llround(cycles / ghz * 1e3));
}

void Simulation::span(const Warp &w, const StaticInstruction &s, double begin, double end) {
  const ast::Instruction &instruction = s.function->ast->body[s.function->code[s.index].origin];
  std::string name = instruction.mnemonic() + " (line " + std::to_string(s.line) + ")";
  if (instruction.source.file)
    name += " source line " + std::to_string(instruction.source.line);
  sink_->span("SM " + std::to_string(w.cta->sm->number) + ", resident CTA " + std::to_string(w.cta->residentIndex),
              "warp " + std::to_string(w.index), name, picoseconds(begin, ghz), picoseconds(end, ghz));
}

void Simulation::unitSpan(const Sm &sm, const char *unit, const std::string &what, double begin, double end) {
  if (sink_)
    sink_->span("SM " + std::to_string(sm.number) + ", units", unit, what, picoseconds(begin, ghz),
                picoseconds(end, ghz));
}

} // namespace ptxemu::timing
