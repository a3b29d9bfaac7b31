//===- Page.cpp - What there is to see of a program's launches ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Page.h"
#include "Report.h"
#include "ReportPage.h"
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace emudriver {

namespace fs = std::filesystem;

namespace {

/// Launches of one kernel, of the same sizes.
struct Launches {
  std::string kernel, sizes, reports, estimate;
  unsigned count = 0;
};

/// By the PTX of their module, in the order of the first launches.
struct Notes {
  std::vector<std::pair<std::string, std::vector<Launches>>> modules;

  static Notes &get() {
    static auto &notes = *new Notes;
    return notes;
  }
};

} // namespace

std::string showSizes(const ptxemu::LaunchOptions &options) {
  const auto &g = options.grid;
  return std::to_string(g[0]) + "x" + std::to_string(g[1]) + "x" + std::to_string(g[2]);
}

static std::string describe(const Launches &launches) {
  return "{\"on\":" + tileiras::report::quote(launches.kernel) + ",\"device\":" +
         tileiras::report::quote("grid " + launches.sizes + ", " + std::to_string(launches.count) +
                                 (launches.count == 1 ? " launch" : " launches")) +
         ",\"clean\":" + (launches.reports.empty() ? "true" : "false") +
         ",\"agrees\":null,\"report\":" + tileiras::report::quote(launches.reports) + "}";
}

static std::string readWhole(const std::string &file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return in ? text.str() : "";
}

static void writePage() {
  const char *folder = std::getenv("TILEIRAS_REPORT_DATA");
  std::vector<tileiras::report::Unit> units;
  for (const auto &[ptx, launches] : Notes::get().modules) {
    tileiras::report::Unit unit;
    unit.title = shorten(launches.front().kernel);
    unit.ptx = ptx;
    if (folder)
      unit.compilation = readWhole(tileiras::report::findDataFile(folder, ptx));
    for (const Launches &each : launches) {
      unit.run += (unit.run.empty() ? "" : ",") + describe(each);
      if (!each.estimate.empty())
        unit.estimates.push_back(
            tileiras::report::withLabel(each.estimate, shorten(each.kernel) + ", grid " + each.sizes));
    }
    unit.run = "{\"runs\":[" + unit.run + "],\"skipped\":{},\"comparisons\":[]}";
    units.push_back(std::move(unit));
  }
  const std::string &file = Configuration::get().report;
  std::ofstream out(file, std::ios::binary);
  out << tileiras::report::makePage("launches", units);
  if (!out.flush())
    say("error: the report cannot be written to " + file);
  // tileiras-cutile has made it for this process; others that it starts write pages of their own.
  std::error_code ignored;
  if (folder && fs::path(folder).filename().string().rfind("tileiras-report-" + std::to_string(getpid()) + "-", 0) == 0)
    fs::remove_all(folder, ignored);
}

static Launches *find(const PreparedLaunch &launch) {
  auto module = launch.function->module.lock();
  if (Configuration::get().report.empty() || !module)
    return nullptr;
  auto &modules = Notes::get().modules;
  if (modules.empty())
    std::atexit(writePage);
  auto known =
      std::find_if(modules.begin(), modules.end(), [&](const auto &entry) { return entry.first == module->image.ptx; });
  if (known == modules.end())
    known = modules.insert(modules.end(), {module->image.ptx, {}});
  const std::string sizes = showSizes(launch.options);
  for (Launches &each : known->second)
    if (each.kernel == launch.function->name && each.sizes == sizes)
      return &each;
  return &known->second.emplace_back(Launches{launch.function->name, sizes, "", "", 0});
}

void noteLaunch(const PreparedLaunch &launch, const ptxemu::LaunchResult &result) {
  Launches *launches = find(launch);
  if (!launches)
    return;
  ++launches->count;
  for (const ptxemu::Diagnostic &diagnostic : result.diagnostics)
    launches->reports += diagnostic.render();
}

void noteEstimate(const PreparedLaunch &launch, const ptxemu::timing::Estimate &estimate) {
  Launches *launches = find(launch);
  if (!launches || !launches->estimate.empty())
    return;
  std::ostringstream json;
  ptxemu::timing::printJson(json, estimate);
  launches->estimate = json.str();
}

} // namespace emudriver
