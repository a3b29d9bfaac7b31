//===- SimulationUnits.cpp - Memory, copies and tensor cores of an SM -----===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulationState.h"
#include <algorithm>

namespace ptxemu::timing {

//===----------------------------------------------------------------------===//
// Loads, stores, atomics
//===----------------------------------------------------------------------===//

double Simulation::accessShared(Warp &w, const Effect &e, const StaticInstruction &s, double now) {
  Sm &sm = *w.cta->sm;
  const double passes = e.passes * (s.isAtomic ? model.shared.atomicCycles : 1);
  const double done = sm.port.useBanks(now, passes);
  sm.memoryFree = std::max(sm.memoryFree, done);
  return done + model.shared.latency - 1;
}

void Simulation::access(Warp &w, const Step &step, const StaticInstruction &s, double now) {
  MemoryPort &port = w.cta->sm->port;
  double done = now + model.l1.latency;
  for (const Effect &e : trace.effectsOf(step)) {
    if (e.kind != Effect::Access)
      continue;
    const auto touches = trace.touchesOf(e);
    if (e.space == Space::Shared)
      done = accessShared(w, e, s, now);
    else if (e.space == Space::Local)
      done = port.useBanks(now, static_cast<double>(e.bytes) / model.shared.bytes) + model.l1.latency;
    else if (e.space == Space::Global && s.isAtomic)
      done = memory.atomic(port, now, touches, step.lanes);
    else if (e.space == Space::Global && s.isStore)
      w.cta->sm->storesFree = std::max(w.cta->sm->storesFree, memory.store(port, now, touches));
    else if (e.space == Space::Global)
      done = memory.load(port, now, touches, s.bypassesL1);
  }
  setResult(w, s, done, Stall::Memory);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

void Simulation::copyAsync(Warp &w, const Step &step, const StaticInstruction &s, double now) {
  MemoryPort &port = w.cta->sm->port;
  double done = now;
  uint32_t passes = 0;
  for (const Effect &e : trace.effectsOf(step))
    if (e.space == Space::Shared)
      passes = e.passes;
    else if (e.touchCount)
      done = memory.load(port, now, trace.touchesOf(e), s.bypassesL1, /*usesBanks=*/!s.bypassesL1);
  done = port.useBanks(done, passes);
  w.copiesDone = std::max(w.copiesDone, done);
  w.copiesEver = std::max(w.copiesEver, done);
}

/// Copied bytes are written as they come in, at the rate of the way to the SM and among what else uses the banks; the
/// last of them at `there`. Returns when all are written.
double Simulation::writeArriving(Sm &sm, double now, double there, double bytes) {
  constexpr double kPiece = 2048;
  const double start = std::max(now, there - bytes / memory.arrivalRate());
  double written = there;
  for (double at = 0; at < bytes; at += kPiece) {
    const double piece = std::min(kPiece, bytes - at), passes = piece / model.shared.bytes;
    const double arrives = start + (there - start) * (at + piece) / bytes;
    written = std::max(written, sm.port.shared.reserve(std::max(now, arrives - passes), passes));
  }
  return written;
}

void Simulation::bulkCopy(Warp &w, const Step &step, double now) {
  Cta &cta = *w.cta;
  for (const Effect &e : trace.effectsOf(step)) {
    const auto bytes = static_cast<double>(e.bytes);
    if (e.kind == Effect::BulkStore) {
      const auto stored = memory.copyStore(cta.sm->port, now, trace.touchesOf(e), bytes);
      w.bulk.read = std::max(w.bulk.read, stored.read);
      w.bulk.written = std::max(w.bulk.written, stored.written);
      unitSpan(*cta.sm, "TMA", "store", now, stored.written);
    } else if (e.kind == Effect::BulkLoad) {
      const bool isMulticast = (e.targets & (e.targets - 1)) != 0;
      const double there = memory.copyLoad(cta.sm->port, now, trace.touchesOf(e), bytes, isMulticast);
      unitSpan(*cta.sm, "TMA", "load", now, there);
      for (const auto &target : cta.cluster->ctas) {
        if (!(e.targets >> target->rank & 1))
          continue;
        Event arrival{writeArriving(*target->sm, now, there, bytes), 0, Event::Transaction};
        arrival.cta = e.signalsOther ? cta.cluster->ctas[target->rank ^ 1].get() : target.get();
        arrival.offset = e.offset;
        arrival.bytes = e.bytes;
        push(arrival);
      }
    } else if (e.kind == Effect::RemoteStore) {
      Event arrival{now + model.sync.remote + bytes / model.shared.bytes, 0, Event::Transaction};
      arrival.cta = cta.cluster->ctas[e.cta].get();
      arrival.offset = e.offset;
      arrival.bytes = e.bytes;
      push(arrival);
    }
  }
}

//===----------------------------------------------------------------------===//
// Tensor cores
//===----------------------------------------------------------------------===//

void Simulation::multiply(Warp &w, const StaticInstruction &s, double now) {
  Sm &sm = *w.cta->sm;
  const double operations = s.matrix.operations() / (s.matrix.isSparse ? 2 : 1),
               rate = model.tensor.warpOperations / model.sm.schedulers * model.warpSpeed(s.matrix);
  const double cycles = operations / rate;
  double &free = sm.tensorFree[w.scheduler];
  free = std::max(free, now) + cycles;
  activity.warpTensorCycles += cycles / model.sm.schedulers;
  activity.operations[s.matrix.bits] += s.matrix.operations();
  activity.halfOperations += s.matrix.operations() / model.warpSpeed(s.matrix);
  // The figure is that of 4096 operations.
  const double usual = 4096 / (model.tensor.warpOperations / model.sm.schedulers);
  setResult(w, s, free - cycles + model.tensor.warpLatency + std::max(0.0, cycles - usual), Stall::Dependency);
}

void Simulation::issueWgmma(Warp &w, const StaticInstruction &s, double now) {
  Cta &cta = *w.cta;
  Sm &sm = *cta.sm;
  Warpgroup &group = cta.warpgroups[w.index / 4];
  const uint64_t number = w.wgmmaIssued++;
  w.ready = w.counted = now + (s.matrix.aInRegisters ? model.tensor.issueRegisters : model.tensor.issue);
  if (number == group.operations.size())
    group.operations.emplace_back();
  Warpgroup::Operation &operation = group.operations[number];
  if (++operation.issued < 4)
    return;
  // All four warps' tensor cores work on it; what it reads of shared memory may hold it up.
  double start = now;
  for (double free : sm.tensorFree)
    start = std::max(start, free);
  const double cycles = model.wgmmaCycles(s.matrix);
  const double read = sm.port.readOperands(start, MachineModel::wgmmaBytes(s.matrix) / model.shared.bytes);
  operation.done = std::max(start + cycles, read + model.tensor.base);
  operation.aInRegisters = s.matrix.aInRegisters;
  for (double &free : sm.tensorFree)
    free = operation.done;
  sm.wgmmaFree = operation.done;
  activity.tensorCycles += cycles;
  activity.operations[s.matrix.bits] += s.matrix.operations();
  activity.halfOperations += s.matrix.operations() * s.matrix.bits / 16;
  unitSpan(sm, "tensor cores", "wgmma n" + std::to_string(s.matrix.n), start, operation.done);
  const double completion = operation.aInRegisters ? model.tensor.completionRegisters : model.tensor.completion;
  for (Warp *waiting : std::exchange(operation.waiting, {}))
    resume(*waiting, std::max(now, operation.done + completion));
}

void Simulation::waitWgmma(Warp &w, const StaticInstruction &s, double now) {
  while (w.wgmmaGroups.size() > static_cast<size_t>(s.groups) + 1)
    w.wgmmaGroups.pop_front();
  if (w.wgmmaGroups.size() <= static_cast<size_t>(s.groups))
    return;
  const uint64_t end = w.wgmmaGroups.front();
  w.wgmmaGroups.pop_front();
  if (!end)
    return;
  Warpgroup::Operation &last = w.cta->warpgroups[w.index / 4].operations[end - 1];
  if (last.done < 0) {
    last.waiting.push_back(&w);
    return suspend(w, Stall::TensorGroup, now);
  }
  sleep(w, Stall::TensorGroup, now,
        last.done + (last.aInRegisters ? model.tensor.completionRegisters : model.tensor.completion));
}

} // namespace ptxemu::timing
