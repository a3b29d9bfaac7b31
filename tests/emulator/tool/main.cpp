//===- main.cpp - The ptx-emulator command -------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CaseFile.h"
#include "ChromeTrace.h"
#include "LaunchFile.h"
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <memory>

using namespace ptxemu;

namespace {

constexpr const char *kUsage = R"(usage: ptx-emulator run FILE.ptx --launch FILE.json [options]
       ptx-emulator run FILE.ptx --case DIR [options]
       ptx-emulator check FILE.ptx          parse, and decode every entry

  --launch FILE     the launch: entry, grid, buffers, parameters, expected results (see the README)
  --case DIR        launch.txt and buf_*.bin describe the launch; out_*.bin are written beside them
  --entry NAME      run this entry instead of the one the launch names
  --block X[,Y,Z]   block size, for entries without .reqntid
  --cluster X[,Y,Z] cluster size, for entries without a directive
  --smem BYTES      dynamic shared memory
  --seed N          replay one schedule (default 1; 0 is the plainest)
  --seeds N         run N schedules, seeds 1 … N
  --resident N      clusters that run at once (default 8)
  --threads N       host threads that run them; changes neither results nor reports
  --no-race-check   --no-uninit-check
  --trace FILE      write a timeline that chrome://tracing and Perfetto open
  --counters        print what was counted
  --quiet           nothing but mistakes

Exit status: 0 the kernel ran clean · 1 it did not · 2 usage · 3 the input cannot be run
)";

std::atomic<bool> interrupted{false};
void onInterrupt(int) {
  interrupted = true;
}

struct Options {
  std::string command, file, caseDirectory, launchFile, traceFile;
  LaunchOptions launch;
  uint64_t firstSeed = 1, seeds = 1;
  bool counters = false, quiet = false;
};

[[noreturn]] void usage(const std::string &message) {
  std::cerr << "ptx-emulator: " << message << '\n' << kUsage;
  std::exit(2);
}

std::array<unsigned, 3> dimensions(const char *text) {
  std::array<unsigned, 3> d{1, 1, 1};
  if (std::sscanf(text, "%u,%u,%u", &d[0], &d[1], &d[2]) < 1)
    usage("malformed size '" + std::string(text) + "'");
  return d;
}

Options parseCommandLine(int argc, char **argv) {
  Options o;
  if (argc < 3)
    usage("needs a command and a file");
  o.command = argv[1];
  o.file = argv[2];
  if (o.command != "run" && o.command != "check")
    usage("unknown command '" + o.command + "'");
  for (int i = 3; i < argc; ++i) {
    std::string a = argv[i];
    auto value = [&] {
      if (i + 1 >= argc)
        usage(a + " needs a value");
      return argv[++i];
    };
    if (a == "--case")
      o.caseDirectory = value();
    else if (a == "--launch")
      o.launchFile = value();
    else if (a == "--trace")
      o.traceFile = value();
    else if (a == "--entry")
      o.launch.entry = value();
    else if (a == "--block")
      o.launch.block = dimensions(value());
    else if (a == "--cluster")
      o.launch.cluster = dimensions(value());
    else if (a == "--smem")
      o.launch.dynamicShared = static_cast<uint32_t>(std::strtoul(value(), nullptr, 0));
    else if (a == "--seed")
      o.firstSeed = std::strtoull(value(), nullptr, 0);
    else if (a == "--seeds")
      o.seeds = std::strtoull(value(), nullptr, 0);
    else if (a == "--resident")
      o.launch.residentClusters = static_cast<unsigned>(std::max(1ul, std::strtoul(value(), nullptr, 0)));
    else if (a == "--threads")
      o.launch.threads = static_cast<unsigned>(std::max(1ul, std::strtoul(value(), nullptr, 0)));
    else if (a == "--no-race-check")
      o.launch.checkRaces = false;
    else if (a == "--no-uninit-check")
      o.launch.checkUninitialized = false;
    else if (a == "--counters")
      o.counters = o.launch.countMemory = true;
    else if (a == "--quiet")
      o.quiet = true;
    else
      usage("unknown option '" + a + "'");
  }
  return o;
}

int check(const Module &module) {
  Device device;
  for (const std::string &entry : module.entries())
    device.load(module, entry);
  std::cout << module.entries().size() << " entries, all known\n";
  return 0;
}

/// Where a launch comes from, and what becomes of its results.
struct Description {
  std::unique_ptr<CaseFile> caseFile;
  std::unique_ptr<LaunchFile> launchFile;

  std::map<std::string, uint64_t> prepare(Device &device, LaunchOptions &o) const {
    if (launchFile)
      return launchFile->prepare(device, o);
    auto address = caseFile->place(device);
    if (o.entry.empty())
      o.entry = caseFile->kernel;
    o.grid = caseFile->grid;
    if (caseFile->block[0] && !o.block[0])
      o.block = caseFile->block;
    if (caseFile->cluster[0] && !o.cluster[0])
      o.cluster = caseFile->cluster;
    o.dynamicShared = std::max(o.dynamicShared, caseFile->dynamicShared);
    o.arguments = caseFile->arguments(address);
    return address;
  }
  bool finish(const Device &device, const std::map<std::string, uint64_t> &address) const {
    if (caseFile) {
      caseFile->writeResults(device, address);
      return true;
    }
    std::string report;
    bool same = launchFile->finish(device, address, &report);
    std::cerr << report;
    return same;
  }
};

bool runSeed(const Options &o, const Module &module, const Description &description, uint64_t seed) {
  Device device;
  LaunchOptions options = o.launch;
  auto address = description.prepare(device, options);
  options.seed = seed;
  options.interrupt = &interrupted;
  options.print = [](std::string_view text) { std::cout << text << std::flush; };
  if (!o.quiet)
    options.progress = [](uint64_t done, uint64_t all, uint64_t instructions) {
      std::fprintf(stderr, "%llu of %llu CTAs, %.1f M warp instructions\n", static_cast<unsigned long long>(done),
                   static_cast<unsigned long long>(all), static_cast<double>(instructions) / 1e6);
    };
  std::unique_ptr<ChromeTrace> trace;
  if (!o.traceFile.empty()) {
    trace = std::make_unique<ChromeTrace>(o.traceFile);
    if (!trace->good())
      throw InputError(0, "cannot write " + o.traceFile);
    options.trace = trace.get();
  }
  auto begin = std::chrono::steady_clock::now();
  LaunchResult result = launch(device, module, options);
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  for (const Diagnostic &d : result.diagnostics)
    std::cerr << d.render();
  bool clean = description.finish(device, address) && result.ok();
  if (o.counters)
    result.counters.print(std::cout);
  if (!o.quiet)
    std::fprintf(stderr, "seed %llu: %s, %.3f s, %.1f M thread instructions/s\n", static_cast<unsigned long long>(seed),
                 clean ? "clean" : "FAILED", seconds,
                 static_cast<double>(result.counters.totalThreadInstructions()) / 1e6 / std::max(seconds, 1e-9));
  return clean;
}

int run(const Options &o, const Module &module) {
  Description description;
  if (o.caseDirectory.empty() == o.launchFile.empty())
    usage("run needs either --launch or --case");
  if (!o.launchFile.empty())
    description.launchFile = std::make_unique<LaunchFile>(LaunchFile::load(o.launchFile));
  else
    description.caseFile = std::make_unique<CaseFile>(CaseFile::load(o.caseDirectory));
  for (uint64_t n = 0; n < o.seeds; ++n)
    if (!runSeed(o, module, description, o.firstSeed + n))
      return 1;
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  Options o = parseCommandLine(argc, argv);
  std::signal(SIGINT, onInterrupt);
  try {
    std::vector<uint8_t> text = readFile(o.file);
    Module module = Module::parse({reinterpret_cast<const char *>(text.data()), text.size()}, o.file);
    return o.command == "check" ? check(module) : run(o, module);
  } catch (const InputError &e) {
    std::cerr << o.file << ": " << e.what() << '\n';
    return 3;
  }
}
