//===- ReverseScheduler.cpp - A scheduler that is wrong on purpose --------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// It starts operations in the reverse of program order: right for independent operations, wrong for all others. The
// compiler must catch it.
//
//===----------------------------------------------------------------------===//

#include "Acme.h"

namespace {

struct ReverseScheduler : tileiras::Scheduler {
  llvm::StringRef getName() const override { return "acme-reverse"; }

  llvm::Expected<tileiras::Schedule> schedule(const tileiras::ScheduleProblem &problem,
                                              const tileiras::SchedulerOptions &) override {
    tileiras::Schedule result;
    for (const tileiras::ScheduleOperation &operation : problem.operations)
      result.initiationInterval += operation.latency + 100;
    uint32_t end = result.initiationInterval;
    for (const tileiras::ScheduleOperation &operation : problem.operations)
      result.starts.push_back(end -= operation.latency + 100);
    return result;
  }
};

} // namespace

std::unique_ptr<tileiras::Scheduler> acme::createReverseScheduler() {
  return std::make_unique<ReverseScheduler>();
}
