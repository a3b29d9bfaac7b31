//===- Tcgen05.cpp - The tensor core's queue, commits, fences ------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tcgen05.h"
#include "Access.h"
#include "ExecutionObserver.h"
#include "FunctionDecoder.h"
#include "Lanewise.h"
#include "MbarrierState.h"
#include <algorithm>

namespace ptxemu {

//===----------------------------------------------------------------------===//
// Regions and groups
//===----------------------------------------------------------------------===//

TensorRegion tensorRegion(Cta &cta, TensorAddress a, unsigned lanes, unsigned columns, bool half) {
  TensorMemory &t = cta.tensor;
  if (a.lane + lanes > TensorMemory::kLanes || a.column + columns > TensorMemory::kColumns)
    throw Fault{"out-of-bounds",
                "tensor memory has 128 lanes and 512 columns; lanes " + std::to_string(a.lane) + " … " +
                    std::to_string(a.lane + lanes - 1) + ", columns " + std::to_string(a.column) + " … " +
                    std::to_string(a.column + columns - 1) + " leave it",
                -1};
  uint32_t owner = t.allocation[a.column];
  for (unsigned c = a.column; c < a.column + columns; ++c)
    if (!t.allocation[c] || t.allocation[c] != owner)
      throw Fault{"tensor-memory",
                  "column " + std::to_string(c) + " of tensor memory is not allocated" +
                      (owner ? " with the ones before it" : ""),
                  -1};
  return {a.lane, lanes, a.column, columns, half};
}

Cta &peerOf(Cta &cta) {
  auto &ctas = cta.cluster->ctas;
  if ((cta.rank ^ 1) >= ctas.size())
    throw Fault{"tensor-memory", ".cta_group::2 needs a pair of CTAs in the cluster", -1};
  return *ctas[cta.rank ^ 1];
}

void useGroup(Cta &cta, bool pair) {
  unsigned group = pair ? 2 : 1;
  if (cta.tensor.group && cta.tensor.group != group)
    throw Fault{"tensor-memory",
                "all tcgen05 instructions of a kernel name the same .cta_group; an earlier one named ::" +
                    std::to_string(cta.tensor.group),
                -1};
  cta.tensor.group = group;
}

uint32_t tensorEngine(Cta &cta) {
  if (cta.tensor.engine == ~0u)
    cta.tensor.engine = newEngine(*cta.cluster);
  return cta.tensor.engine;
}

//===----------------------------------------------------------------------===//
// Issue
//===----------------------------------------------------------------------===//

TensorIssue::TensorIssue(Exec &x, const char *what, bool pair)
    : x(x), thread(static_cast<unsigned>(std::countr_zero(x.mask))) {
  if (std::popcount(x.mask) != 1)
    throw Fault{"divergence",
                std::string(what) + " is issued by one thread; here " + std::to_string(std::popcount(x.mask)) +
                    " lanes execute it",
                static_cast<int>(thread)};
  useGroup(x.cta, pair);
  targets = {&x.cta};
  if (pair) {
    Cta &peer = peerOf(x.cta);
    if (peer.liveThreads == 0)
      throw Fault{"tensor-memory", std::string(what) + ".cta_group::2: the other CTA of the pair has exited", -1};
    targets.insert(x.cta.rank & 1 ? targets.begin() : targets.end(), &peer);
  }
  engine = tensorEngine(x.cta);
  clock = ++x.cta.tensor.clock;
  x.warp.tensorIssued[thread] = clock;
}

void TensorIssue::touch(Cta &cta, const TensorRegion &r, bool writes, TensorPart part) {
  TensorTouch t;
  t.access = TensorAccess::Core;
  t.engine = engine;
  t.engineClock = clock;
  t.part = part;
  cta.tensor.order.access(x, r, writes, t);
  if (!writes)
    return;
  cta.tensor.begin(r);
  written.push_back({&cta, r});
}

void TensorIssue::readShared(Cta &cta, const std::string &what, uint32_t address, unsigned bytes) {
  SharedMemory &shared = cta.shared;
  if (address < kReservedShared || address + bytes > shared.size())
    throw Fault{"descriptor",
                what + " reaches shared address " + hexText(address) + ", outside the CTA's allocation (end " +
                    hexText(shared.size()) + ")",
                -1};
  auto state = shared.initialized.begin() + address;
  if (std::find(state, state + bytes, uint8_t(kInFlight)) != state + bytes)
    x.machine.complain(
        {"async-in-flight",
         what + " includes shared memory at " + hexText(address) + " that an asynchronous copy is still to write", -1});
  if (x.machine.launchOptions().checkUninitialized &&
      std::find(state, state + bytes, uint8_t(kUninitialized)) != state + bytes)
    x.machine.complain({"uninitialized-shared",
                        what + " includes shared memory at " + hexText(address) + " that nothing has written", -1});
  x.machine.races().checkAsync(x, shared.shadow, address, bytes, AccessKind::Read, engine, clock,
                               {Space::Shared, &cta, address});
}

namespace {

void append(Machine &m, TensorMemory &t, std::function<void()> work) {
  t.queue.push_back(std::move(work));
  m.later(
      [&t] {
        auto next = std::move(t.queue.front());
        t.queue.pop_front();
        next();
      },
      m.launchOptions().seed ? 300 : 0);
}

} // namespace

void TensorIssue::enqueue(const char *name, std::function<void()> work) {
  Machine &m = x.machine;
  append(m, x.cta.tensor,
         [&m, work = std::move(work), writes = std::move(written), home = &x.cta, name, issued = m.now(),
          line = x.inst->line, warp = x.warp.index] {
           try {
             work();
           } catch (Fault &f) {
             f.notes.push_back("while the tensor core executes tcgen05." + std::string(name) + " of PTX line " +
                               std::to_string(line) + ", issued by warp " + std::to_string(warp));
             throw;
           }
           for (auto &[cta, region] : writes)
             cta->tensor.finish(region);
           m.progressMade();
           m.traceEngine(*home, "tensor core", name, issued);
         });
}

//===----------------------------------------------------------------------===//
// commit, fence
//===----------------------------------------------------------------------===//

namespace {

/// The CTAs that a commit signals.
std::vector<Cta *> commitTargets(Exec &x, const Inst &inst, Cta *own, unsigned lane) {
  if (!inst.flag)
    return {own};
  std::vector<Cta *> targets;
  uint32_t mask = static_cast<uint16_t>(x.s(1)[lane]);
  auto &ctas = x.cta.cluster->ctas;
  for (unsigned r = 0; r < 16; ++r)
    if (mask >> r & 1) {
      if (r >= ctas.size())
        throw Fault{"bad-copy", "the multicast mask names a CTA outside the cluster", static_cast<int>(lane)};
      targets.push_back(ctas[r].get());
    }
  return targets;
}

/// s: mbarrier, [mask]; flag: multicast, mode2: pair. Follows what the executing thread issued.
void commitTensor(Exec &x, const Inst &inst) {
  useGroup(x.cta, inst.mode2);
  Machine &m = x.machine;
  uint32_t engine = tensorEngine(x.cta);
  x.forLanes([&](unsigned lane) {
    Place p = resolve(x, inst.space, x.s(0)[lane] + static_cast<uint64_t>(inst.offset), lane);
    if (p.space != Space::Shared)
      throw Fault{"mbarrier", "the mbarrier operand is not in shared memory", static_cast<int>(lane)};
    std::vector<Cta *> targets = commitTargets(x, inst, p.cta, lane);
    // What was multiplied had arrived before: who sees the completion is behind that, too.
    Clocks known = m.races().known(x.warp, lane);
    for (Cta *cta : targets) {
      ++mbarrierAt(x, *cta, p.offset, lane).inFlight;
      if (ExecutionObserver *observer = m.observer())
        observer->tensorCommitted(x, *cta, p.offset);
    }
    append(m, x.cta.tensor, [&m, targets, known, offset = p.offset, engine, clock = x.warp.tensorIssued[lane]] {
      for (Cta *cta : targets) {
        auto it = cta->mbarriers.find(offset);
        if (it == cta->mbarriers.end())
          throw Fault{"mbarrier", "tcgen05.commit arrives on an mbarrier that has been invalidated meanwhile", -1};
        --it->second.inFlight;
        m.races().complete(it->second.point, *cta, engine, clock, known);
        arriveOn(m, *cta, offset, it->second, 1, 0);
      }
    });
  });
}

/// flag: after_thread_sync
void fenceTensor(Exec &x, const Inst &inst) {
  if (inst.flag)
    tensorFenceAfter(x.warp);
  else
    tensorFenceBefore(x.warp);
}

void decodeCommit(OpReader &r) {
  r.inst.mode2 = readGroup(r);
  r.expectAny({".mbarrier::arrive::one"}, ".mbarrier::arrive::one");
  r.inst.space = r.acceptSpace();
  r.inst.flag = r.accept(".multicast::cluster");
  r.type({Type::B64});
  r.expectCount(1u + r.inst.flag, 1u + r.inst.flag);
  r.address(r.operand(0), r.inst.space);
  if (r.inst.flag)
    r.addSource(1, Type::B16);
  r.inst.handler = commitTensor;
}

void decodeTcgen05(OpReader &r) {
  r.inst.opClass = OpClass::Async;
  if (r.has(".alloc") || r.has(".dealloc") || r.has(".relinquish_alloc_permit"))
    return decodeTensorAllocation(r);
  if (r.accept(".mma"))
    return decodeTensorMma(r);
  if (r.accept(".cp"))
    return decodeTensorCopyFromShared(r);
  if (r.accept(".shift"))
    return decodeTensorShift(r);
  if (r.accept(".ld"))
    return decodeTensorLoad(r);
  if (r.accept(".st"))
    return decodeTensorStore(r);
  if (r.has(".wait::ld") || r.has(".wait::st"))
    return decodeTensorWait(r);
  if (r.accept(".commit"))
    return decodeCommit(r);
  std::string which = r.acceptAny({".fence::before_thread_sync", ".fence::after_thread_sync"});
  r.inst.flag = which == ".fence::after_thread_sync";
  if (!which.empty())
    r.inst.handler = fenceTensor;
}

} // namespace

bool readGroup(OpReader &r) {
  return r.expectAny({".cta_group::1", ".cta_group::2"}, ".cta_group") == ".cta_group::2";
}

void syncAligned(OpReader &r) {
  r.expectAny({".sync"}, ".sync");
  r.expectAny({".aligned"}, ".aligned");
  r.inst.flags |= kAligned;
}

void addTcgen05Ops(OpcodeTable &t) {
  t["tcgen05"] = decodeTcgen05;
}

} // namespace ptxemu
