//===- Emulator.cpp - Runs and times PTX ----------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "HostTensorMaps.h"
#include "LaunchError.h"
#include "Report.h"
#include "ReportPage.h"
#include "Status.h"
#include "llvm/ADT/StringExtras.h"
#include <sstream>

namespace tileiras::run {

/// A launch of PTX, ready to be run.
struct PreparedRun {
  explicit PreparedRun(const TileirasRun &run);

  ptxemu::Device device;
  ptxemu::Module module;
  Buffers buffers;
  ptxemu::LaunchOptions options;
};

static ptxemu::Module parse(const TileirasRun &run) {
  return ptxemu::Module::parse({static_cast<const char *>(run.kernel), run.kernelSize},
                               run.kernelName ? run.kernelName : "");
}

/// Says in `options` what our compiler has said of the kernel that is meant; a kernel of others is left as it is.
static void applyCompilersMetadata(ptxemu::Device &device, const ptxemu::Module &module,
                                   ptxemu::LaunchOptions &options) {
  const std::string text = readMetadata(device, module);
  if (text.empty())
    return;
  std::string error;
  const std::optional<launch::Metadata> metadata = launch::parseMetadata(text, error);
  if (!metadata)
    throw LaunchError(module.name() + ": " + error);
  for (const launch::KernelMetadata &kernel : metadata->kernels)
    if (kernel.name == options.entry || (options.entry.empty() && metadata->kernels.size() == 1)) {
      applyMetadata(kernel, options);
      return;
    }
}

PreparedRun::PreparedRun(const TileirasRun &run) : module(parse(run)), buffers(run, device) {
  options.entry = run.entry ? run.entry : "";
  std::copy(std::begin(run.grid), std::end(run.grid), options.grid.begin());
  std::copy(std::begin(run.block), std::end(run.block), options.block.begin());
  std::copy(std::begin(run.cluster), std::end(run.cluster), options.cluster.begin());
  options.dynamicShared = run.dynamicShared;
  options.arguments = buffers.makeArguments();
  options.seed = run.seed;
  options.checkRaces = !run.skipsRaces;
  options.checkUninitialized = !run.skipsUninitialized;
  options.strict = run.isStrict;
  options.mostReports = std::max(run.mostFindings, 1u);
  options.threads = std::max(run.threads, 1u);
  for (const char *kind : llvm::ArrayRef(run.allowed, run.allowedCount)) {
    if (!llvm::is_contained(ptxemu::continuableKinds(), std::string_view(kind)))
      throw RunFailure(TILEIRAS_RUN_ERROR_INVALID_ARGUMENT, llvm::Twine("'") + kind +
                                                                "' is no kind that can be a warning; these are: " +
                                                                llvm::join(ptxemu::continuableKinds(), ", "));
    options.allowed.emplace(kind);
  }
  if (run.interrupt)
    options.interrupt = &run.interrupt->isSet;
  options.print = [&run](std::string_view text) {
    if (run.outputCallback)
      run.outputCallback(text.data(), text.size(), run.userData);
  };
  applyCompilersMetadata(device, module, options);
  appendTensorMaps(device, module, options);
}

/// "kernel.py:7:3" as a file, a line and a column.
static std::string splitPlace(llvm::StringRef place, uint32_t &line, uint32_t &column) {
  auto [rest, last] = place.rsplit(':');
  auto [file, middle] = rest.rsplit(':');
  if (last.getAsInteger(10, column) || middle.getAsInteger(10, line))
    return place.str();
  return file.str();
}

static void tell(const TileirasRun &run, const ptxemu::Diagnostic &diagnostic) {
  if (!run.findingCallback)
    return;
  const std::string text = diagnostic.render();
  TileirasFinding finding = {};
  const std::string file = splitPlace(diagnostic.source, finding.line, finding.column);
  finding.kind = diagnostic.kind.c_str();
  finding.message = diagnostic.message.c_str();
  finding.text = text.c_str();
  finding.file = file.c_str();
  finding.ptxLine = diagnostic.line;
  finding.instruction = diagnostic.instruction.c_str();
  finding.seed = diagnostic.seed;
  finding.isWarning = diagnostic.isWarning;
  run.findingCallback(&finding, run.userData);
}

static void runOnEmulator(const TileirasRun &run) {
  PreparedRun prepared(run);
  const ptxemu::LaunchResult result = ptxemu::launch(prepared.device, prepared.module, prepared.options);
  throwIfInterrupted(run);
  for (const ptxemu::Diagnostic &warning : result.warnings)
    tell(run, warning);
  for (const ptxemu::Diagnostic &diagnostic : result.diagnostics)
    tell(run, diagnostic);
  if (!result.ok())
    throw RunFailure(TILEIRAS_RUN_ERROR_KERNEL, result.diagnostics.front().render());
  prepared.buffers.copyBack();
}

static std::string estimate(const TileirasRun &run, const std::string &machine, uint32_t registers) {
  const ptxemu::timing::MachineModel model = ptxemu::timing::MachineModel::find(machine);
  PreparedRun prepared(run);
  ptxemu::timing::EstimateOptions options;
  if (registers)
    options.registers = registers;
  prepared.options.print = [](std::string_view) {}; // it is no run
  const auto result = ptxemu::timing::estimate(prepared.device, prepared.module, prepared.options, model, options);
  std::ostringstream json;
  ptxemu::timing::printJson(json, result);
  return json.str();
}

} // namespace tileiras::run

using namespace tileiras::run;

TileirasRunStatus tileirasRunOnEmulator(const TileirasRun *run) {
  return guard(run, runOnEmulator);
}

TileirasRunStatus tileirasRunEstimate(const TileirasRun *run, const char *machine, uint32_t registers,
                                      const char **json) {
  static thread_local std::string text;
  if (json)
    *json = nullptr;
  return guard(run, [&](const TileirasRun &copy) {
    if (!machine || !json)
      throw RunFailure(TILEIRAS_RUN_ERROR_INVALID_ARGUMENT, machine ? "json is null" : "the machine is null");
    try {
      text = estimate(copy, machine, registers);
    } catch (const ptxemu::timing::EstimateError &) {
      throwIfInterrupted(copy);
      throw;
    }
    *json = text.c_str();
  });
}

const char *tileirasRunGetMachines() {
  static const std::string names = llvm::join(ptxemu::timing::MachineModel::known(), "\n");
  return names.c_str();
}

TileirasRunStatus tileirasRunMakePage(const char *title, const char *compilation, const char *const *estimates,
                                      size_t estimateCount, const char **html) {
  static thread_local std::string page;
  if (html)
    *html = nullptr;
  return guard([&] {
    const bool hasNull =
        estimateCount && (!estimates || llvm::is_contained(llvm::ArrayRef(estimates, estimateCount), nullptr));
    if (!title || !html || hasNull || (!compilation && !estimateCount))
      throw RunFailure(TILEIRAS_RUN_ERROR_INVALID_ARGUMENT,
                       "a title, html or an estimate is null, or there is nothing to show");
    tileiras::report::Unit unit{.title = title, .compilation = compilation ? compilation : "", .ptx = ""};
    unit.estimates.assign(estimates, estimates + estimateCount);
    page = tileiras::report::makePage(title, {unit});
    *html = page.c_str();
  });
}
