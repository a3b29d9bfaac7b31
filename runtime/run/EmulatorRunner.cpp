//===- EmulatorRunner.cpp - Runs a kernel on the PTX emulator -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostTensorMaps.h"
#include "Progress.h"
#include "Runners.h"
#include "llvm/Support/Format.h"
#include <iostream>

namespace tileiras::run {

/// One schedule of the program that asserts its assumptions. A false one makes everything after it undefined, so that
/// nothing else is run then.
static bool holdAssumptions(const Request &request, ptxemu::LaunchOptions options, Outcome &outcome) {
  const std::optional<Kernel> checked = compileAssumeChecks(request.kernel, request.options, request.progress);
  if (!checked)
    return true;
  request.progress.update("assumptions");
  const ptxemu::Module module = ptxemu::Module::parse(checked->ptx, "the PTX of " + checked->file);
  ptxemu::Device device;
  request.description.prepare(device, options);
  applyMetadata(*checked, options);
  appendTensorMaps(device, module, options);
  // The program prints when it is run itself; an assumption says which elements are wrong.
  options.print = [&](std::string_view text) {
    if (llvm::StringRef(text.data(), text.size()).contains("the assumption ")) {
      request.progress.hide();
      llvm::errs() << llvm::StringRef(text.data(), text.size());
    }
  };
  const ptxemu::LaunchResult result = ptxemu::launch(device, module, options);
  const auto isAssumption = [](const ptxemu::Diagnostic &diagnostic) {
    return llvm::StringRef(diagnostic.message).contains("the assumption ");
  };
  bool holds = true;
  for (const ptxemu::Diagnostic &diagnostic : result.diagnostics)
    if (isAssumption(diagnostic)) {
      request.progress.hide();
      llvm::errs() << diagnostic.render();
      holds = false;
    }
  if (!holds)
    outcome.report +=
        "an assumption of the program is false, which leaves undefined what it does: see the reports above "
        "(--check-assumes=false runs it all the same)\n";
  return holds;
}

/// One schedule. `isFirst`: its results are the ones that are kept and written.
static void runSchedule(const Request &request, const ptxemu::Module &module, ptxemu::LaunchOptions options,
                        bool isFirst, Outcome &outcome) {
  ptxemu::Device device;
  const LaunchDescription::Addresses addresses = request.description.prepare(device, options);
  applyMetadata(request.kernel, options);
  appendTensorMaps(device, module, options);
  const auto begin = std::chrono::steady_clock::now();
  const ptxemu::LaunchResult result = ptxemu::launchTraced(*request.options.emulator, device, module, options);
  outcome.hostSeconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  ++outcome.schedules;
  request.progress.hide();
  ptxemu::printReports(result);
  if (request.options.emulator->showCounters)
    result.counters.print(std::cout);
  outcome.ranClean = result.ok();
  if (!outcome.ranClean) {
    outcome.agrees = false;
    outcome.report += "seed " + std::to_string(options.seed) + " does not run clean: see the reports above\n";
    return;
  }
  outcome.agrees = request.description.compare(device, addresses, &outcome.report);
  if (isFirst && request.writesResults)
    request.description.writeResults(device, addresses);
  if (isFirst)
    keepBuffers(outcome, request.description, device, addresses);
}

Outcome runOnEmulator(const Request &request) {
  const ptxemu::EmulatorFlags &flags = *request.options.emulator;
  const bool isCompiled = request.kernel.isTileIR();
  const ptxemu::Module module =
      ptxemu::Module::parse(request.kernel.ptx, isCompiled ? "the PTX of " + request.kernel.file : request.kernel.file);
  ptxemu::LaunchOptions options = flags.makeOptions();
  options.interrupt = &catchInterrupts();
  options.print = [&](std::string_view text) {
    request.progress.hide();
    std::cout << text << std::flush;
  };
  options.progress = [&](uint64_t done, uint64_t all, uint64_t instructions) {
    std::string text;
    llvm::raw_string_ostream(text) << "seed " << options.seed << ", " << done << " of " << all << " CTAs, "
                                   << llvm::format("%.1f", static_cast<double>(instructions) / 1e6)
                                   << " M warp instructions";
    request.progress.update(text);
  };
  Outcome outcome;
  outcome.place = Place::Emulator;
  outcome.device = "PTX emulator, " + module.target();
  outcome.resources = request.kernel.findAssembledResources(request.entry());
  request.progress.begin("emulator");
  options.seed = flags.firstSeed;
  if (!holdAssumptions(request, options, outcome)) {
    outcome.ranClean = outcome.agrees = false;
    request.progress.end();
    return outcome;
  }
  request.progress.begin("emulator");
  for (uint64_t n = 0; n < flags.numSeeds && (n == 0 || outcome.isGood()); ++n) {
    options.seed = flags.firstSeed + n;
    request.progress.update("seed " + std::to_string(options.seed));
    runSchedule(request, module, options, n == 0, outcome);
  }
  request.progress.end();
  if (!outcome.ranClean)
    outcome.buffers.clear();
  return outcome;
}

} // namespace tileiras::run
