//===- MemorySystem.cpp - Caches, DRAM and the ways to them ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemorySystem.h"
#include <algorithm>
#include <bit>
#include <cmath>

namespace ptxemu::timing {

static double bytesOf(uint8_t sectors) {
  return std::popcount(sectors) * static_cast<double>(kSectorBytes);
}

MemorySystem::MemorySystem(const MachineModel &model, const Footprint &footprint, double activeSms, double ghz)
    : model(model), footprint(footprint), activeSms(activeSms),
      l2Rate(std::min(model.l2.portBytes, model.l2.readGBs / ghz / activeSms)),
      asyncRate(model.l2.asyncGBs > 0 ? std::min(l2Rate, model.l2.asyncGBs / ghz / activeSms) : l2Rate),
      copyRate(std::min(model.copy.bytes, model.copy.totalGBs / ghz / activeSms)),
      readRate(model.dram.readGBs / ghz / activeSms), writeRate(model.dram.writeGBs / ghz / activeSms),
      dramLatency(model.dram.latencyNs * ghz), ghz(ghz), l2(model.l2.capacity), nearL2(model.l2.nearCapacity) {}

/// Requests are not spread evenly over the channels: the fewer wait, the more channels have nothing to do.
double MemorySystem::transfer(MemoryPort &port, double now, double bytes, double rate) {
  constexpr double kLeast = 0.5;
  const double waitNs = port.dram.backlog(now) / ghz;
  const double efficiency = waitNs > 0 ? std::max(kLeast, 1 - model.dram.unevenness / std::cbrt(waitNs)) : kLeast;
  return port.dram.reserve(now, bytes / (rate * efficiency));
}

double MemorySystem::sharersOf(const LineTouch &touch) const {
  return std::max(1.0, footprint.sharersOf(touch.line));
}

double MemorySystem::hitLatencyOf(const LineTouch &touch, double nearLatency) {
  if (model.l2.nearCapacity <= 0)
    return nearLatency;
  const Cache::Line *there = nearL2.find(touch.line);
  const bool isNear = there && !(touch.sectors & ~there->sectors);
  // A line that one SM reads lies in its half, one that several read in both.
  nearL2.fill(touch.line, touch.sectors, 0, kLineBytes * std::max(1.0, activeSms / std::max(2.0, sharersOf(touch))));
  return nearLatency + (isNear ? 0 : model.l2.farLatency - model.l2.latency);
}

double MemorySystem::readLine(MemoryPort &port, double now, const LineTouch &touch, double hitLatency,
                              double missLatency) {
  const Cache::Line *there = l2.find(touch.line);
  const uint8_t missing = touch.sectors & ~(there ? there->sectors : 0);
  double done = now + hitLatencyOf(touch, hitLatency);
  if (there)
    done = std::max(done, there->arrives);
  if (!missing)
    return done;
  // Whoever is first fetches the line for all: each pays its part of the bandwidth, and all wait.
  const double sharers = sharersOf(touch), bytes = bytesOf(missing) / sharers;
  port.dramReadBytes += bytes;
  const double sent = transfer(port, now, bytes, readRate);
  done = std::max(now + missLatency, sent + missLatency - bytes / readRate);
  // The other SMs hold lines of their own meanwhile.
  l2.fill(touch.line, missing, done, kLineBytes * std::max(1.0, activeSms / sharers));
  return done;
}

void MemorySystem::writeLine(MemoryPort &port, double now, const LineTouch &touch) {
  l2.fill(touch.line, touch.sectors, now, kLineBytes * activeSms);
  writeBack(port, now, touch);
}

void MemorySystem::writeBack(MemoryPort &port, double now, const LineTouch &touch) {
  Cache::Line &line = *l2.find(touch.line);
  const double bytes = bytesOf(touch.sectors & ~line.dirty);
  line.dirty |= touch.sectors;
  port.dramWriteBytes += bytes;
  if (bytes > 0)
    transfer(port, now, bytes, writeRate);
}

//===----------------------------------------------------------------------===//
// Load-store unit
//===----------------------------------------------------------------------===//

double MemorySystem::load(MemoryPort &port, double now, std::span<const LineTouch> touches, bool bypassesL1,
                          bool usesBanks) {
  double done = now + model.l1.latency;
  const double rate = usesBanks ? l2Rate : asyncRate;
  for (const LineTouch &touch : touches) {
    const double bytes = bytesOf(touch.sectors);
    const double passed = usesBanks ? port.useBanks(now, bytes / model.shared.bytes) : now;
    const Cache::Line *there = bypassesL1 ? nullptr : port.l1.find(touch.line);
    LineTouch missing = touch;
    if (there)
      missing.sectors &= static_cast<uint8_t>(~there->sectors);
    port.l1Bytes += bytes;
    port.l1Hits += bytes - bytesOf(missing.sectors);
    done = std::max(done, passed + model.l1.latency);
    if (there)
      done = std::max(done, there->arrives);
    if (!missing.sectors)
      continue;
    const double wanted = bytesOf(missing.sectors);
    port.l2Bytes += wanted;
    const double sent = port.l2.reserve(now, wanted / rate) - wanted / rate;
    const double arrives = readLine(port, sent, missing, model.l2.latency, dramLatency);
    if (!bypassesL1)
      port.l1.fill(touch.line, missing.sectors, arrives, kLineBytes);
    done = std::max(done, arrives);
  }
  return done;
}

double MemorySystem::store(MemoryPort &port, double now, std::span<const LineTouch> touches) {
  double done = now;
  for (const LineTouch &touch : touches) {
    const double bytes = bytesOf(touch.sectors);
    port.useBanks(now, bytes / model.shared.bytes);
    port.l2Bytes += bytes;
    done = std::max(done, port.l2.reserve(now, bytes / l2Rate));
    writeLine(port, done, touch);
  }
  return done;
}

double MemorySystem::atomic(MemoryPort &port, double now, std::span<const LineTouch> touches, unsigned lanes) {
  double done = now;
  for (const LineTouch &touch : touches) {
    const double bytes = bytesOf(touch.sectors);
    port.l2Bytes += bytes;
    const double sent = port.l2.reserve(now, bytes / l2Rate);
    done = std::max(done, readLine(port, sent, touch, model.l2.latency, dramLatency));
    writeBack(port, sent, touch);
  }
  // One after another where they meet: the GPU's rate for one address, for all that work on the line.
  return done + (touches.size() == 1 && lanes > 1 ? lanes / 32.0 / model.l2.atomicLanes : 0);
}

//===----------------------------------------------------------------------===//
// Copy engine
//===----------------------------------------------------------------------===//

double MemorySystem::copyLoad(MemoryPort &port, double now, std::span<const LineTouch> touches, double bytes,
                              bool isMulticast) {
  const double start = std::max(now, port.copyFree);
  port.copyFree = start + model.copy.issue;
  port.copyBytes += bytes;
  const double sent = port.copy.reserve(start, bytes / copyRate);
  // The figures include the wait that sees the data.
  const double more = (isMulticast ? model.copy.multicast : 0) - model.sync.wake, hit = model.copy.latency + more;
  double done = sent + hit;
  for (const LineTouch &touch : touches) {
    const bool isKnownPage = port.pages.count(touch.line * kLineBytes / static_cast<uint64_t>(model.copy.pageBytes));
    const double miss = (isKnownPage ? model.copy.dramLatency : model.copy.firstLatency) + more;
    done = std::max(done, readLine(port, start, touch, hit, miss) + bytes / copyRate);
  }
  for (const LineTouch &touch : touches)
    port.pages.insert(touch.line * kLineBytes / static_cast<uint64_t>(model.copy.pageBytes));
  return done;
}

MemorySystem::Stored MemorySystem::copyStore(MemoryPort &port, double now, std::span<const LineTouch> touches,
                                             double bytes) {
  const double start = std::max(now, port.copyFree);
  port.copyFree = start + model.copy.issue;
  port.copyBytes += bytes;
  const double read = port.shared.reserve(start, bytes / model.shared.bytes) + model.copy.readLatency;
  const double sent = port.copy.reserve(start, bytes / copyRate);
  for (const LineTouch &touch : touches)
    writeLine(port, sent, touch);
  return {read, std::max(sent, read) + model.copy.storeLatency};
}

} // namespace ptxemu::timing
