//===- Machine.cpp - The scheduler of a cluster --------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "ExecutionObserver.h"
#include <algorithm>

namespace ptxemu {

Frame::Frame(const Function &f, Frame *parent, Cta &cta)
    : function(&f), parent(parent), constants(cta.constantsOf(f)), depth(parent ? parent->depth + 1 : 0),
      registers(new Lanes[f.registers + 1]), defined(f.registers + 1, 0), predicates(f.predicates + 1, 0),
      predicatesDefined(f.predicates + 1, 0), parameters(static_cast<size_t>(f.parameterBytes) * 32, 0) {
  if (f.usesWgmma) {
    locks.resize(f.registers + 1);
    readLocks.resize(f.registers + 1);
    writtenAt.resize(f.registers + 1);
  }
}

namespace {

/// Lane-major memory with room for more bytes a lane.
std::vector<uint8_t> restrided(const std::vector<uint8_t> &memory, uint32_t from, uint32_t to) {
  std::vector<uint8_t> grown(static_cast<size_t>(to) * 32);
  for (size_t lane = 0; lane < 32; ++lane)
    std::copy_n(memory.begin() + static_cast<std::ptrdiff_t>(lane * from), from,
                grown.begin() + static_cast<std::ptrdiff_t>(lane * to));
  return grown;
}

} // namespace

const Lanes *Cta::constantsOf(const Function &f) {
  if (!rank || f.sharedConstants.empty())
    return f.constants.data();
  auto [it, isNew] = rankedConstants.try_emplace(&f, f.constants);
  if (isNew)
    for (uint32_t i : f.sharedConstants)
      for (uint64_t &address : it->second[i].v)
        address += static_cast<uint64_t>(rank) << kClusterRankShift;
  return it->second.data();
}

/// The system's scratch area holds whatever it held: who uses it (cooperative groups do) counts on nothing.
static void fillScratch(SharedMemory &shared, uint64_t seed) {
  Random random(seed, 0);
  for (uint32_t at = kReservedScratch; at < kReservedShared; ++at) {
    shared.bytes[at] = static_cast<uint8_t>(random.below(256));
    shared.initialized[at] = kInitialized;
  }
}

void Warp::growStack(uint32_t bytes) {
  if (bytes <= stackStride)
    return;
  uint32_t stride = std::max(bytes, stackStride * 2);
  stack = restrided(stack, stackStride, stride);
  stackStride = stride;
}

Machine::Machine(Launch &launch, uint64_t number, uint64_t time)
    : launch(launch), rng(launch.options().seed, number + 1 + (uint64_t(launch.gridNumber()) << 40)), epoch(time) {
  build(number);
}

std::optional<std::array<unsigned, 3>> Machine::cancelCluster() {
  auto first = launch.cancelCluster();
  if (first)
    progressMade();
  return first;
}

void Machine::build(uint64_t number) {
  std::array<unsigned, 3> dims = clusterSize(), origin;
  cluster.id = launch.clusterId(number);
  cluster.grid = launch.gridNumber();
  for (unsigned d = 0; d < 3; ++d)
    origin[d] = cluster.id[d] * dims[d];
  const Function &entry = *linkedProgram().functions[0];
  std::array<unsigned, 3> block = blockSize();
  unsigned threads = block[0] * block[1] * block[2];
  for (unsigned z = 0; z < dims[2]; ++z)
    for (unsigned y = 0; y < dims[1]; ++y)
      for (unsigned x = 0; x < dims[0]; ++x) {
        auto cta = std::make_unique<Cta>();
        cta->cluster = &cluster;
        cta->id = {origin[0] + x, origin[1] + y, origin[2] + z};
        cta->rank = static_cast<unsigned>(cluster.ctas.size());
        cta->threads = cta->liveThreads = threads;
        cta->shared.resize(linkedProgram().dynamicShared + launchOptions().dynamicShared);
        if (linkedProgram().usesScratch)
          fillScratch(cta->shared, launchOptions().seed + number);
        for (unsigned w = 0; w * 32 < threads; ++w) {
          auto warp = std::make_unique<Warp>();
          warp->cta = cta.get();
          warp->index = w;
          unsigned lanes = std::min(32u, threads - w * 32);
          warp->allLanes = warp->live = lanes == 32 ? ~0u : (1u << lanes) - 1;
          warp->root = std::make_unique<Frame>(entry, nullptr, *cta);
          warp->localStride = entry.localBytes;
          warp->local.resize(static_cast<size_t>(entry.localBytes) * 32);
          warp->fragments.push_back({warp->live, 0, warp->root.get()});
          warp->patience = 64 + rng.below(4096);
          warp->registers = launch.registersPerThread();
          makeReady(*warp);
          cta->warps.push_back(std::move(warp));
        }
        cluster.ctas.push_back(std::move(cta));
        ++cluster.liveCtas;
      }
  cluster.firstStrand = races().addCluster(cluster, kEngineStrands);
}

void Machine::makeReady(Warp &w) {
  if (w.readyIndex >= 0)
    return;
  w.readyIndex = static_cast<int>(ready.size());
  ready.push_back(&w);
}

void Machine::removeReady(Warp &w) {
  if (w.readyIndex < 0)
    return;
  ready[w.readyIndex] = ready.back();
  ready[w.readyIndex]->readyIndex = w.readyIndex;
  ready.pop_back();
  w.readyIndex = -1;
}

void Machine::wake(Warp &w, Fragment &f) {
  f.wait = Wait::None;
  f.waitKey = 0;
  makeReady(w);
}

void Machine::wakeWaiting(Cta &cta, Wait wait, uint64_t key) {
  for (auto &w : cta.warps)
    for (Fragment &f : w->fragments)
      if (f.wait == wait && f.waitKey == key)
        wake(*w, f);
}

void Machine::later(std::function<void()> action, unsigned spread, bool ordered) {
  events.push({now() + rng.below(spread + 1), eventOrder++, std::move(action), ordered});
}

//===----------------------------------------------------------------------===//
// The main loop
//===----------------------------------------------------------------------===//

template <class F>
Machine::Status Machine::guarded(F &&f) {
  try {
    state = f();
  } catch (const Fault &fault) {
    diagnostic = diagnose(fault, running);
    state = Status::Failed;
  }
  return state;
}

Machine::Status Machine::run(bool isAlone) {
  alone = isAlone;
  // Long enough to be worth a host thread's while, random so that clusters meet at different places.
  uint64_t budget = launchOptions().seed ? 64ull << rng.below(6) : 4096;
  if (launch.gridNumber()) // fine enough for launches to meet in the middle of small kernels
    budget = 1ull << rng.below(12);
  return guarded([&] { return advance(now() + budget); });
}

Machine::Status Machine::advance(uint64_t until) {
  while (true) {
    if (!deliverEvents(cluster.liveCtas == 0))
      return Status::Ordered;
    if (cluster.liveCtas == 0) {
      if (events.empty())
        return Status::Finished;
      continue;
    }
    if (ready.empty()) {
      if (events.empty())
        return Status::Stuck;
      if (!deliverEvents(true))
        return Status::Ordered;
      continue;
    }
    if (now() >= until)
      return Status::Running;
    running = ready[rng.below(static_cast<uint32_t>(ready.size()))];
    bool done = true;
    traceWarp(*running, [&] { done = runWarp(*running, launchOptions().seed == 0 ? 512 : 1u << rng.below(9)); });
    if (!done)
      return Status::Ordered;
    running = nullptr;
  }
}

Machine::Status Machine::runOrdered() {
  return guarded([&] {
    ordering = true;
    if (running) {
      step(*running);
      if (running->done())
        removeReady(*running);
      running = nullptr;
    } else {
      deliverEvents(true);
    }
    ordering = false;
    return Status::Running;
  });
}

bool Machine::deliverEvents(bool force) {
  while (!events.empty() && (force || events.top().due <= now())) {
    if (events.top().ordered && !alone && !ordering)
      return false;
    auto action = std::move(const_cast<Event &>(events.top()).action);
    events.pop();
    action();
    force = false;
    if (ordering)
      break;
  }
  return true;
}

/// False when it stopped before a step that the device orders.
bool Machine::runWarp(Warp &w, unsigned quantum) {
  while (quantum--) {
    if (w.done() || !selectFragment(w))
      break;
    if (!step(w))
      return false;
  }
  if (w.done())
    removeReady(w);
  return true;
}

/// Whether another cluster could tell when the instruction is executed.
bool Machine::mustBeOrdered(const Exec &x, const Inst &inst) const {
  if (alone || ordering || !x.mask)
    return false;
  if (inst.space != Space::Generic || inst.s.empty())
    return true;
  bool shared = false;
  x.forLanes(
      [&](unsigned l) { shared |= ((x.s(0)[l] + static_cast<uint64_t>(inst.offset)) & kWindowMask) == kSharedWindow; });
  return !shared;
}

/// Executes one instruction of the current fragment; false when the device must order it.
bool Machine::step(Warp &w) {
  if (w.fragments.size() > 1)
    mergeFragments(w);
  Fragment &f = w.fragments[w.current];
  Frame &frame = *f.frame;
  const Inst &inst = frame.function->code[f.pc];
  runningInst = &inst;
  runningFunction = frame.function;
  Exec x{*this, *w.cta, w, &f, &frame, frame.registers.get(), frame.constants, f.mask, &inst, false, {}};
  if (inst.guard != kAlwaysTrue) {
    uint32_t undefined = f.mask & ~frame.predicatesDefined[inst.guard >> 1];
    if (undefined && launchOptions().checkUninitialized)
      undefinedRead(x, inst, kSink, inst.guard, undefined);
    x.mask &= x.predicate(inst.guard);
    if (!x.mask && !(inst.flags & (kControl | kNoGuardSkip))) {
      if (launchOptions().profileLoops)
        loops.count(*frame.function, f.pc, false);
      if (observer())
        observer()->executed(w, *frame.function, f.pc, 0);
      ++f.pc;
      ++steps;
      ++counted.warpInstructions;
      return true;
    }
  }
  if ((inst.flags & kAligned) && !lanesPresent(w, x))
    return true;
  if ((inst.flags & kSyncLanes) && !membersPresent(w, x, inst))
    return true;
  if (w.lockedOperations && !(inst.flags & kWgmma))
    checkLocks(x, inst); // first: what an operation in flight is to write is not defined either
  if (!(inst.flags & kPropagatesUndef))
    checkDefined(x, inst);
  if ((inst.flags & kDeviceOrder) && mustBeOrdered(x, inst))
    return false;
  const size_t place = x.fragment->pc++;
  const Function &function = *frame.function;
  const uint32_t lanes = x.mask;
  ++steps;
  counted.warpInstructions += inst.machineInstructions;
  counted.threadInstructions[static_cast<unsigned>(inst.opClass)] +=
      inst.machineInstructions * static_cast<unsigned>(std::popcount(x.mask));
  if (inst.flags & kSyncLanes)
    executeGroups(x, inst);
  else if (inst.flags & (kWgmma | kAsksForResults) || wantsResults(observer(), function, place))
    inst.handler(x, inst);
  if (x.repeat) {
    // The handler may have moved fragments about; it keeps x.fragment right.
    --x.fragment->pc;
    return true;
  }
  if (launchOptions().profileLoops)
    loops.count(function, place, lanes != 0);
  if (observer())
    observer()->executed(w, function, place, lanes);
  if (inst.flags & kWgmma)
    return true;
  if (!(inst.flags & kPropagatesUndef))
    for (RegisterIndex s : inst.d)
      x.define(s, x.mask);
  if (frame.function->usesWgmma && x.frame == &frame)
    for (RegisterIndex s : inst.d)
      if (s >= 0)
        frame.writtenAt[s] = now();
  return true;
}

void Machine::checkLocks(const Exec &x, const Inst &inst) {
  const Frame &f = *x.frame;
  if (f.locks.empty())
    return;
  for (RegisterIndex s : inst.s)
    if (s >= 0 && f.locks[s])
      lockedRegister(x, inst, s, false);
  for (RegisterIndex s : inst.d)
    if (s >= 0 && (f.locks[s] || f.readLocks[s]))
      lockedRegister(x, inst, s, true);
}

/// The register belongs to an asynchronous operation, a tcgen05.ld or a wgmma.
void Machine::lockedRegister(const Exec &x, const Inst &inst, RegisterIndex reg, bool written) {
  const std::string what = "the instruction " + std::string(written ? "writes " : "reads ") + operandName(x, inst, reg);
  for (const PendingTensorLoad &load : x.warp.tensorLoads)
    if (load.frame == x.frame && std::find(load.registers.begin(), load.registers.end(), reg) != load.registers.end())
      return complain({"missing-tensor-wait",
                       what + ", which the tcgen05.ld at PTX line " + std::to_string(load.line) +
                           " is still to write: wait for it with tcgen05.wait::ld.sync.aligned",
                       -1});
  complain(
      {"accumulator-in-flight",
       what + (x.frame->locks[reg] ? ", which a wgmma in flight is still to write" : ", which a wgmma in flight uses") +
           ": wait for it with wgmma.wait_group",
       -1});
}

void Machine::checkDefined(const Exec &x, const Inst &inst) {
  if (!launchOptions().checkUninitialized)
    return;
  for (RegisterIndex s : inst.s)
    if (s >= 0)
      if (uint32_t missing = x.mask & ~x.frame->defined[s])
        undefinedRead(x, inst, s, kAlwaysTrue, missing);
  for (PredicateIndex p : inst.ps)
    if (p >= 0)
      if (uint32_t missing = x.mask & ~x.frame->predicatesDefined[p >> 1])
        undefinedRead(x, inst, kSink, p, missing);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

void Machine::branch(Exec &x, uint32_t taken, uint32_t target) {
  if (taken == x.fragment->mask)
    x.fragment->pc = target;
  else if (taken)
    splitOff(x.warp, x, taken)->pc = target;
}

void Machine::exitLanes(Exec &x, uint32_t lanes) {
  Warp &w = x.warp;
  w.live &= ~lanes;
  races().leave(w, lanes);
  w.cta->liveThreads -= static_cast<unsigned>(std::popcount(lanes));
  // The cluster barrier waits for the threads that are left, whatever those that exit have done.
  Cluster &c = *w.cta->cluster;
  for (uint32_t m = lanes & w.clusterArrived; m; m &= m - 1)
    c.arrived -= w.clusterPhase[static_cast<unsigned>(std::countr_zero(m))] == c.phase;
  x.fragment->mask &= ~lanes;
  if (!x.fragment->mask)
    w.fragments.erase(w.fragments.begin() + w.current);
  w.current = 0;
  w.boosted = 0;
  // Whoever waited for these lanes need not any more.
  for (Fragment &f : w.fragments)
    if (f.wait == Wait::Convergence || f.wait == Wait::WarpBarrier)
      wake(w, f);
  recheckBarriers(*w.cta);
  recheckClusterBarrier(c);
  if (w.done()) {
    progressMade();
    checkExit(w);
    if (w.cta->liveThreads == 0)
      --cluster.liveCtas;
  }
}

/// What a warp, or the last one of its CTA, must not leave behind.
void Machine::checkExit(Warp &w) {
  Cta &cta = *w.cta;
  for (const auto &o : w.bulk)
    if (!o->awaited)
      complain({"async-in-flight",
                "the warp ends without having waited for its bulk copies to read shared memory "
                "(cp.async.bulk.wait_group.read)",
                o->lane});
  for (unsigned i = w.index & ~3u; i < std::min<size_t>((w.index & ~3u) + 4, cta.warps.size()); ++i)
    if (cta.warps[i]->registerChanges.size() > w.registerChanges.size())
      throw Fault{"setmaxnreg",
                  "the warp ends without the setmaxnreg that warp " + std::to_string(i) +
                      " of its warpgroup executed at PTX line " +
                      std::to_string(cta.warps[i]->registerChanges.back()->line),
                  -1};
  if (cta.liveThreads)
    return;
  for (const auto &[offset, b] : cta.mbarriers)
    if (b.inFlight)
      complain({"async-in-flight",
                "the CTA ends while asynchronous operations are still to signal its mbarrier at " + hexText(offset),
                -1});
  races().checkLeft(*this, cta);
  for (unsigned c = 0; c < TensorMemory::kColumns; ++c)
    if (cta.tensor.allocation[c])
      throw Fault{"tensor-memory",
                  "the CTA ends without deallocating its tensor memory (column " + std::to_string(c) + " and on)", -1};
}

void Machine::call(Exec &x, const Inst &inst, const Function &callee, uint32_t lanes) {
  Frame &caller = *x.frame;
  if (caller.depth > 200)
    throw Fault{"stack-overflow", "calls are nested more than 200 deep", -1};
  auto &child = caller.callees[{&inst, &callee}];
  if (!child)
    child = std::make_unique<Frame>(callee, &caller, *x.warp.cta);
  Fragment &f = *x.fragment;
  child->call = &inst;
  child->returnPc = f.pc; // already past the call
  child->localBase = caller.localBase + caller.function->localBytes;
  child->localBase = (child->localBase + 15) / 16 * 16;
  uint32_t needed = child->localBase + callee.localBytes;
  if (needed > x.warp.localStride) {
    Warp &w = x.warp;
    uint32_t stride = std::max(needed, w.localStride * 2);
    w.local = restrided(w.local, w.localStride, stride);
    w.localStride = stride;
  }
  for (uint32_t m = lanes; m; m &= m - 1) {
    auto lane = static_cast<size_t>(std::countr_zero(m));
    child->stackAtEntry[lane] = x.warp.stackTop[lane];
  }
  for (auto &d : child->defined)
    d &= ~lanes;
  for (auto &d : child->predicatesDefined)
    d &= ~lanes;
  Fragment &inside = lanes == f.mask ? f : *splitOff(x.warp, x, lanes);
  inside.frame = child.get();
  inside.pc = 0;
}

void Machine::returnFrom(Exec &x, uint32_t lanes) {
  Frame &frame = *x.frame;
  if (!frame.parent)
    return exitLanes(x, lanes);
  for (uint32_t m = lanes; m; m &= m - 1) { // what the function has allocated goes with it
    auto lane = static_cast<size_t>(std::countr_zero(m));
    x.warp.stackTop[lane] = frame.stackAtEntry[lane];
  }
  Fragment &back = lanes == x.fragment->mask ? *x.fragment : *splitOff(x.warp, x, lanes);
  back.pc = frame.returnPc;
  back.frame = frame.parent;
}

} // namespace ptxemu
