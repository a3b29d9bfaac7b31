//===- Estimates.cpp - How long launches would take --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Estimates.h"
#include "Estimate.h"
#include "Page.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace emudriver {

namespace {

namespace timing = ptxemu::timing;

/// What launches of the same kernel, of the same sizes, take.
struct Row {
  std::string kernel, sizes, bound;
  unsigned launches = 0;
  double nanoseconds = 0; ///< of all
  std::string failure;    ///< why the clock says nothing
};

struct Estimates {
  std::vector<Row> rows; ///< in the order of the first launches
  /// Of launches with the same arguments, which take the same time.
  std::map<std::string, timing::Estimate> known;

  static Estimates &get() {
    static auto &estimates = *new Estimates;
    return estimates;
  }
};

} // namespace

static std::string keyOf(const PreparedLaunch &launch) {
  std::string key =
      std::to_string(reinterpret_cast<uintptr_t>(launch.function->handle)) + " " + showSizes(launch.options);
  for (unsigned size : launch.options.block)
    key += " " + std::to_string(size);
  for (unsigned size : launch.options.cluster)
    key += " " + std::to_string(size);
  key += " " + std::to_string(launch.options.dynamicShared) + " ";
  for (const auto &argument : launch.options.arguments)
    key.append(argument.begin(), argument.end());
  return key;
}

static timing::Estimate makeEstimate(const PreparedLaunch &launch) {
  static const timing::MachineModel model = timing::MachineModel::find(Configuration::get().machine);
  State &state = State::get();
  auto module = launch.function->module.lock();
  timing::EstimateOptions options;
  if (auto it = module->image.registers.find(launch.function->name); it != module->image.registers.end())
    options.registers = static_cast<unsigned>(it->second);
  // Parts of the grid run, and write.
  const auto before = state.device.memory().snapshot();
  try {
    ptxemu::LaunchOptions quiet = launch.options;
    quiet.print = [](std::string_view) {};
    timing::Estimate result = timing::estimate(state.device, module->parsed, quiet, model, options);
    state.device.memory().restore(before);
    return result;
  } catch (...) {
    state.device.memory().restore(before);
    throw;
  }
}

static void printTable() {
  const auto &rows = Estimates::get().rows;
  size_t width = std::string_view("kernel").size();
  for (const Row &row : rows)
    width = std::max(width, shorten(row.kernel).size());
  const int w = static_cast<int>(width);
  double total = 0;
  std::fprintf(stderr, "\ntimes on %s, by the clock of the emulator (a model, not a measurement)\n",
               Configuration::get().machine.c_str());
  std::fprintf(stderr, "%-*s  %16s  %8s  %12s  %12s  bound by\n", w, "kernel", "grid", "launches", "each, us",
               "all, us");
  constexpr double kMicrosecond = 1000;
  for (const Row &row : rows) {
    if (!row.failure.empty()) {
      std::fprintf(stderr, "%-*s  %16s  %8u  no time: %s\n", w, shorten(row.kernel).c_str(), row.sizes.c_str(),
                   row.launches, row.failure.c_str());
      continue;
    }
    total += row.nanoseconds;
    std::fprintf(stderr, "%-*s  %16s  %8u  %12.2f  %12.2f  %s\n", w, shorten(row.kernel).c_str(), row.sizes.c_str(),
                 row.launches, row.nanoseconds / row.launches / kMicrosecond, row.nanoseconds / kMicrosecond,
                 row.bound.c_str());
  }
  std::fprintf(stderr, "%-*s  %16s  %8s  %12s  %12.2f\n", w, "total", "", "", "", total / kMicrosecond);
}

static Row &findRow(const PreparedLaunch &launch) {
  auto &rows = Estimates::get().rows;
  if (rows.empty())
    std::atexit(printTable);
  const std::string sizes = showSizes(launch.options);
  auto it = std::find_if(rows.begin(), rows.end(),
                         [&](const Row &row) { return row.kernel == launch.function->name && row.sizes == sizes; });
  return it != rows.end() ? *it : rows.emplace_back(Row{launch.function->name, sizes, "", 0, 0, ""});
}

void estimateLaunch(const PreparedLaunch &launch) {
  if (Configuration::get().machine.empty())
    return;
  Row &row = findRow(launch);
  ++row.launches;
  auto &known = Estimates::get().known;
  const std::string key = keyOf(launch);
  auto it = known.find(key);
  try {
    if (it == known.end())
      it = known.emplace(key, makeEstimate(launch)).first;
    noteEstimate(launch, it->second);
  } catch (const std::exception &error) { // a mistake of the kernel is found when it runs
    row.failure = error.what();
    return;
  }
  row.nanoseconds += it->second.nanoseconds;
  row.bound = it->second.bound;
  State::get().gpuNanoseconds += it->second.nanoseconds;
}

} // namespace emudriver
