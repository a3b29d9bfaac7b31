//===- Counters.cpp - What a run counted ---------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx-emulator/Counters.h"
#include "ExecutionObserver.h"
#include "Machine.h"
#include "MemoryModifiers.h"
#include <algorithm>
#include <numeric>
#include <set>

namespace ptxemu {

const char *Counters::className(unsigned i) {
  static const char *const names[kClasses] = {"integer", "float", "conversion", "move", "memory", "atomic",
                                              "control", "warp",  "barrier",    "mma",  "async",  "other"};
  return i < kClasses ? names[i] : "";
}

uint64_t Counters::totalThreadInstructions() const {
  return std::accumulate(threadInstructions.begin(), threadInstructions.end(), uint64_t(0));
}

void Counters::add(const Counters &o) {
  for (unsigned i = 0; i < kClasses; ++i)
    threadInstructions[i] += o.threadInstructions[i];
  warpInstructions += o.warpInstructions;
  sharedRequests += o.sharedRequests;
  sharedTransactions += o.sharedTransactions;
  globalRequests += o.globalRequests;
  globalSectors += o.globalSectors;
  bulkBytes += o.bulkBytes;
  bulkLoadedBytes += o.bulkLoadedBytes;
  mmaOperations += o.mmaOperations;
  barrierWaits += o.barrierWaits;
}

void Counters::print(std::ostream &out) const {
  out << "warp instructions          " << warpInstructions << "\nthread instructions        "
      << totalThreadInstructions() << '\n';
  for (unsigned i = 0; i < kClasses; ++i)
    if (threadInstructions[i]) {
      std::string name = className(i);
      out << "  " << name << std::string(25 - name.size(), ' ') << threadInstructions[i] << '\n';
    }
  out << "shared-memory requests     " << sharedRequests << "\nshared-memory transactions " << sharedTransactions
      << "\nbank conflicts             " << sharedTransactions - sharedRequests << "\nglobal requests            "
      << globalRequests << "\nglobal sectors             " << globalSectors;
  if (globalRequests)
    out << " (" << static_cast<double>(globalSectors) / static_cast<double>(globalRequests) << " a request)";
  out << "\nbytes by bulk copies       " << bulkBytes << "\nbytes fetched by them      " << bulkLoadedBytes
      << "\nMMA multiply-adds          " << mmaOperations << "\nbarrier waits              " << barrierWaits << '\n';
}

void countAccess(Exec &x, Space space, const std::function<uint64_t(unsigned)> &address, unsigned bytes) {
  if (ExecutionObserver *observer = x.machine.observer())
    return observer->accessed(x, space, address, bytes);
  Counters &c = x.machine.counters();
  if (space == Space::Global) {
    std::set<uint64_t> sectors;
    x.forLanes([&](unsigned l) {
      for (uint64_t s = address(l) / 32; s <= (address(l) + bytes - 1) / 32; ++s)
        sectors.insert(s);
    });
    ++c.globalRequests;
    c.globalSectors += sectors.size();
    return;
  }
  if (space != Space::Shared)
    return;
  // A pass serves every bank once; lanes that want the same word share it. 8- and 16-byte accesses go by half and
  // quarter warps.
  unsigned lanesAPass = bytes <= 4 ? 32 : bytes == 8 ? 16 : 8;
  // Requests count the passes an ideal access by these lanes needs, so that the difference is conflicts.
  uint64_t passes = 0, ideal = 0;
  for (unsigned first = 0; first < 32; first += lanesAPass) {
    std::set<uint64_t> words;
    for (unsigned l = first; l < first + lanesAPass; ++l)
      if (x.mask >> l & 1)
        for (uint64_t w = address(l) / 4; w <= (address(l) + bytes - 1) / 4; ++w)
          words.insert(w);
    unsigned banks[32] = {}, most = 0;
    for (uint64_t w : words)
      most = std::max(most, ++banks[w % 32]);
    passes += most;
    ideal += most != 0;
  }
  c.sharedRequests += std::max<uint64_t>(1, ideal);
  c.sharedTransactions += std::max(passes, uint64_t(1));
}

} // namespace ptxemu
