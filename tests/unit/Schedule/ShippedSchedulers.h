//===- ShippedSchedulers.h - The schedulers of async-scheduling -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TESTS_UNIT_SCHEDULE_SHIPPEDSCHEDULERS_H
#define TILEIRAS_TESTS_UNIT_SCHEDULE_SHIPPEDSCHEDULERS_H

#include "tileiras/Plugin/PluginLoader.h"
#include "tileiras/Schedule/Scheduler.h"
#include <catch2/catch.hpp>

inline std::unique_ptr<tileiras::Scheduler> createScheduler(llvm::StringRef name) {
  static tileiras::Registry registry = [] {
    tileiras::Registry result;
    llvm::Expected<tileiras::DiscoveredPlugin> plugin =
        tileiras::discoverPlugin(std::string(SHIPPED_PLUGINS) + "/tileiras-async-scheduling.so");
    if (!plugin || activatePlugin(*plugin, result))
      FAIL("the async plugin cannot be loaded");
    return result;
  }();
  return registry.findScheduler(name)->create();
}

/// What the scheduler answers: runScheduler has verified it.
inline tileiras::Schedule solve(llvm::StringRef scheduler, const tileiras::ScheduleProblem &problem,
                                const tileiras::SchedulerOptions &options = {}) {
  llvm::Expected<tileiras::Schedule> schedule = runScheduler(*createScheduler(scheduler), problem, options);
  if (!schedule)
    FAIL(llvm::toString(schedule.takeError()));
  return std::move(*schedule);
}

#endif // TILEIRAS_TESTS_UNIT_SCHEDULE_SHIPPEDSCHEDULERS_H
