//===- Liars.cpp - Schedulers that are wrong, each in its way ------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Plugin/Plugin.h"
#include "tileiras/Schedule/Scheduler.h"
#include <chrono>
#include <stdexcept>
#include <thread>

using namespace tileiras;

namespace {

enum class Lie { Overlap, BrokenDependence, MissingOperation, NoInterval, HugeNumbers, Throws, Hangs };

constexpr std::pair<Lie, const char *> kLies[] = {{Lie::Overlap, "liar-overlap"},
                                                  {Lie::BrokenDependence, "liar-dependence"},
                                                  {Lie::MissingOperation, "liar-missing"},
                                                  {Lie::NoInterval, "liar-interval"},
                                                  {Lie::HugeNumbers, "liar-huge"},
                                                  {Lie::Throws, "liar-throws"},
                                                  {Lie::Hangs, "liar-hangs"}};

struct Liar : Scheduler {
  Liar(Lie lie, llvm::StringRef name) : lie(lie), name(name) {}

  llvm::StringRef getName() const override { return name; }
  llvm::Expected<Schedule> schedule(const ScheduleProblem &problem, const SchedulerOptions &) override {
    Schedule result;
    result.initiationInterval = 1000;
    // In this order all would be right.
    uint32_t cycle = 0;
    for (const ScheduleOperation &operation : problem.operations) {
      result.starts.push_back(cycle);
      cycle += operation.latency + 20;
    }
    lieAbout(result);
    return result;
  }

private:
  void lieAbout(Schedule &result) {
    switch (lie) {
    case Lie::Overlap: // the second comes an interval later, in the same row
      result.initiationInterval = result.starts[1];
      return;
    case Lie::BrokenDependence:
      std::swap(result.starts.front(), result.starts.back());
      return;
    case Lie::MissingOperation:
      result.starts.pop_back();
      return;
    case Lie::NoInterval:
      result.initiationInterval = 0;
      return;
    case Lie::HugeNumbers:
      result.initiationInterval = UINT32_MAX;
      result.starts.front() = UINT32_MAX;
      return;
    case Lie::Throws:
      throw std::runtime_error("no idea");
    case Lie::Hangs:
      std::this_thread::sleep_for(std::chrono::hours(1));
    }
  }

  Lie lie;
  llvm::StringRef name;
};

} // namespace

static llvm::Error activate(Registry &registry) {
  for (const auto &[lie, name] : kLies)
    if (llvm::Error error =
            registry.addScheduler({.name = name, .description = "wrong on purpose", .create = [lie, name] {
                                     return std::make_unique<Liar>(lie, name);
                                   }}))
      return error;
  return llvm::Error::success();
}

static constexpr PluginContents contents[] = {
    {PluginContents::Scheduler, "liar-overlap"}, {PluginContents::Scheduler, "liar-dependence"},
    {PluginContents::Scheduler, "liar-missing"}, {PluginContents::Scheduler, "liar-interval"},
    {PluginContents::Scheduler, "liar-huge"},    {PluginContents::Scheduler, "liar-throws"},
    {PluginContents::Scheduler, "liar-hangs"}};

TILEIRAS_PLUGIN("liars", "1.0", "scheduler", "test", contents, activate)
