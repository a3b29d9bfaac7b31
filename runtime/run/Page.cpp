//===- Page.cpp - What there is to see of a run ---------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Page.h"
#include "Files.h"
#include "HostTensorMaps.h"
#include "ReportPage.h"
#include "RunError.h"
// The clock's, whose name a header of this folder has, too.
#include "../../emulator/clock/Report.h"
#include "llvm/Support/Path.h"
#include <sstream>

namespace tileiras::run {

namespace timing = ptxemu::timing;

/// The first machine that runs PTX of this target; the one that is named goes before.
static std::optional<timing::MachineModel> findMachine(const std::string &named, const std::string &target) {
  if (!named.empty())
    return timing::MachineModel::find(named);
  // Before others of their architecture: what most people have.
  std::vector<std::string> names = {"h100-sxm", "b200", "a100-sxm", "rtx4090", "rtx5090"};
  llvm::append_range(names, timing::MachineModel::known());
  for (const std::string &name : names) {
    timing::MachineModel machine = timing::MachineModel::find(name);
    if (llvm::is_contained(machine.targets, target))
      return machine;
  }
  return std::nullopt;
}

/// As JSON; empty where there is none.
static std::string estimate(const Report &report, const RunOptions &options) {
  const Kernel &kernel = report.kernel;
  if (kernel.ptx.empty())
    return "";
  const ptxemu::Module module = ptxemu::Module::parse(kernel.ptx, kernel.file);
  const std::optional<timing::MachineModel> machine = findMachine(options.machine, module.target());
  if (!machine)
    return "";
  ptxemu::Device device;
  ptxemu::LaunchOptions launch = options.emulator->makeOptions();
  launch.print = [](std::string_view) {}; // it is no run
  report.description.prepare(device, launch);
  run::applyMetadata(kernel, launch);
  appendTensorMaps(device, module, launch);
  timing::EstimateOptions how;
  if (const std::optional<Resources> resources = kernel.findAssembledResources(report.entry))
    how.registers = resources->registers;
  std::ostringstream json;
  timing::printJson(json, timing::estimate(device, module, launch, *machine, how));
  return json.str();
}

void writePage(const Report &report, const RunOptions &options) {
  std::string run, time;
  llvm::raw_string_ostream os(run);
  report.writeJson(os);
  try {
    time = estimate(report, options);
  } catch (const std::runtime_error &error) {
    if (!options.isQuiet)
      llvm::errs() << "the page has no time by the clock: " << error.what() << '\n';
  }
  const std::string title = llvm::sys::path::filename(report.kernel.file).str();
  report::Unit unit{title, report.kernel.compilation, {}, run, report.kernel.ptx};
  if (!time.empty())
    unit.estimates.push_back(time);
  if (llvm::Error error = writeFile(options.reportFile, report::makePage(title, {unit})))
    throw RunError(Exit::BadInput, llvm::toString(std::move(error)));
}

} // namespace tileiras::run
