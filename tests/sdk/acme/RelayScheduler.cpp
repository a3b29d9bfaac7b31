//===- RelayScheduler.cpp - A scheduler in thirty lines -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operation starts when what it needs is ready and the operation before it has left its units: iterations do not
// overlap, latencies do. Whether that is right is not its business: the compiler verifies every schedule.
//
//===----------------------------------------------------------------------===//

#include "Acme.h"
#include <algorithm>

namespace {

struct RelayScheduler : tileiras::Scheduler {
  llvm::StringRef getName() const override { return "acme-relay"; }

  llvm::Expected<tileiras::Schedule> schedule(const tileiras::ScheduleProblem &problem,
                                              const tileiras::SchedulerOptions &) override {
    const auto dependences = problem.getAllDependences();
    tileiras::Schedule result;
    uint32_t free = 0; // when the operation before has left its units
    for (unsigned i = 0; i < problem.operations.size(); ++i) {
      uint32_t start = free;
      for (const tileiras::ScheduleDependence &edge : dependences)
        if (edge.target == i && edge.distance == 0 && edge.source < i)
          start = std::max(start, result.starts[edge.source] + edge.latency);
      result.starts.push_back(start);
      for (const tileiras::ResourceUse &use : problem.operations[i].uses)
        free = std::max(free, start + use.offset + use.duration);
      result.initiationInterval = std::max({result.initiationInterval, free, start + problem.operations[i].latency});
    }
    return result;
  }
};

} // namespace

std::unique_ptr<tileiras::Scheduler> acme::createRelayScheduler() {
  return std::make_unique<RelayScheduler>();
}
