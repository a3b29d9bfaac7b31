//===- EmulatorFlags.cpp - Options of tools that emulate PTX --------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulatorFlags.h"
#include "ChromeTrace.h"
#include "LaunchError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace ptxemu {

namespace cl = llvm::cl;

EmulatorFlags::EmulatorFlags(cl::SubCommand &command, cl::OptionCategory &group)
    : entryName("entry", cl::value_desc("NAME"), cl::sub(command), cl::cat(group),
                cl::desc("run this entry instead of the one the launch names")),
      blockSize("block", cl::value_desc("X[,Y,Z]"), cl::sub(command), cl::cat(group),
                cl::desc("block size, for entries without .reqntid")),
      clusterSize("cluster", cl::value_desc("X[,Y,Z]"), cl::sub(command), cl::cat(group),
                  cl::desc("cluster size, for entries without a directive")),
      dynamicShared("smem", cl::value_desc("BYTES"), cl::sub(command), cl::cat(group),
                    cl::desc("dynamic shared memory")),
      firstSeed("seed", cl::init(1), cl::value_desc("N"), cl::sub(command), cl::cat(group),
                cl::desc("replay one schedule (default 1; 0 is the plainest)")),
      numSeeds("seeds", cl::init(1), cl::value_desc("N"), cl::sub(command), cl::cat(group),
               cl::desc("run N schedules, from --seed on")),
      residentClusters("resident", cl::init(8), cl::value_desc("N"), cl::sub(command), cl::cat(group),
                       cl::desc("clusters that run at once (default 8)")),
      multiprocessors("multiprocessors", cl::init(132), cl::value_desc("N"), cl::sub(command), cl::cat(group),
                      cl::desc("how many the GPU has, by %nsmid (default 132)")),
      numThreads("threads", cl::init(1), cl::value_desc("N"), cl::sub(command), cl::cat(group),
                 cl::desc("host threads that run them; changes neither results nor reports")),
      noRaceCheck("no-race-check", cl::sub(command), cl::cat(group), cl::desc("do not look for races")),
      noUninitCheck("no-uninit-check", cl::sub(command), cl::cat(group),
                    cl::desc("do not look for reads of what was never written")),
      strict("strict", cl::sub(command), cl::cat(group), cl::desc("follow the ISA's letter where practice is laxer")),
      allowedKinds("allow", cl::CommaSeparated, cl::value_desc("KIND,..."), cl::sub(command), cl::cat(group),
                   cl::desc("reports of these kinds are warnings")),
      mostReports("reports", cl::init(10), cl::value_desc("N"), cl::sub(command), cl::cat(group),
                  cl::desc("go on, where that makes sense, until there are N reports (default 10)")),
      traceFile("trace", cl::value_desc("FILE"), cl::sub(command), cl::cat(group),
                cl::desc("write a timeline that chrome://tracing and Perfetto open")),
      showCounters("counters", cl::sub(command), cl::cat(group), cl::desc("print what was counted")),
      profileLoops("profile-loops", cl::sub(command), cl::cat(group),
                   cl::desc("print what each loop executed, by kind of instruction")) {}

/// Nothing when the text is no X[,Y,Z] within the limits.
static std::optional<std::array<unsigned, 3>> parseSizes(llvm::StringRef text, const std::array<unsigned, 3> &most) {
  std::array<unsigned, 3> sizes{1, 1, 1};
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',');
  if (parts.size() > sizes.size())
    return std::nullopt;
  for (auto [part, size, limit] : llvm::zip(parts, sizes, most))
    if (part.getAsInteger(10, size) || size < 1 || size > limit)
      return std::nullopt;
  return sizes;
}

static constexpr std::array<unsigned, 3> kMostClusterSizes{kMostCluster, kMostCluster, kMostCluster};

static std::string checkSizes(llvm::StringRef option, llvm::StringRef text, const std::array<unsigned, 3> &most) {
  if (text.empty() || parseSizes(text, most))
    return "";
  return ("--" + option + " takes X[,Y,Z] from 1 to " + llvm::Twine(most[0]) + "," + llvm::Twine(most[1]) + "," +
          llvm::Twine(most[2]) + ", not '" + text + "'")
      .str();
}

static std::string listOfKinds() {
  return llvm::join(llvm::map_range(continuableKinds(), [](std::string_view kind) { return llvm::StringRef(kind); }),
                    ", ");
}

std::string EmulatorFlags::check() const {
  for (auto [name, value] : {std::pair<const char *, uint64_t>("seeds", numSeeds),
                             {"resident", residentClusters},
                             {"multiprocessors", multiprocessors},
                             {"threads", numThreads},
                             {"reports", mostReports}})
    if (value == 0)
      return std::string("--") + name + " takes a number from 1 on";
  for (const std::string &kind : allowedKinds)
    if (!llvm::is_contained(continuableKinds(), std::string_view(kind)))
      return "--allow takes kinds after which a run can go on (" + listOfKinds() + "), not '" + kind + "'";
  if (std::string problem = checkSizes("block", blockSize, kMostBlock); !problem.empty())
    return problem;
  return checkSizes("cluster", clusterSize, kMostClusterSizes);
}

LaunchOptions EmulatorFlags::makeOptions() const {
  LaunchOptions options;
  if (!blockSize.empty())
    options.block = parseSizes(blockSize, kMostBlock).value();
  if (!clusterSize.empty())
    options.cluster = parseSizes(clusterSize, kMostClusterSizes).value();
  options.entry = entryName;
  options.dynamicShared = dynamicShared;
  options.seed = firstSeed;
  options.residentClusters = residentClusters;
  options.multiprocessors = multiprocessors;
  options.threads = numThreads;
  options.checkRaces = !noRaceCheck;
  options.checkUninitialized = !noUninitCheck;
  options.strict = strict;
  options.allowed = {allowedKinds.begin(), allowedKinds.end()};
  options.mostReports = mostReports;
  options.countMemory = showCounters;
  options.profileLoops = profileLoops;
  return options;
}

LaunchResult launchTraced(const EmulatorFlags &flags, Device &device, const Module &module, LaunchOptions options) {
  std::optional<ChromeTrace> trace;
  if (!flags.traceFile.empty())
    options.trace = &trace.emplace(flags.traceFile);
  LaunchResult result = launch(device, module, options);
  if (trace && !trace->finish()) {
    printReports(result);
    throw tileiras::LaunchError("cannot write " + flags.traceFile);
  }
  return result;
}

void printReports(const LaunchResult &result) {
  for (const std::vector<Diagnostic> *list : {&result.warnings, &result.diagnostics})
    for (const Diagnostic &diagnostic : *list)
      llvm::errs() << diagnostic.render();
}

} // namespace ptxemu
