//===- main.cpp - The ptx-emulator command -------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CaseFile.h"
#include "EmulatorFlags.h"
#include "Files.h"
#include "LaunchError.h"
#include "LaunchFile.h"
#include "llvm/Support/Format.h"
#include <chrono>
#include <csignal>
#include <iostream>

using namespace ptxemu;
using namespace tileiras;
namespace cl = llvm::cl;

namespace {

//===----------------------------------------------------------------------===//
// Command line
//===----------------------------------------------------------------------===//

enum ExitCode { Clean = 0, Failed = 1, Usage = 2, BadInput = 3 };

constexpr const char *kOverview =
    R"(Runs PTX on the CPU, and tells what is wrong with it.

ptx-emulator run FILE.ptx --launch FILE.json     ptx-emulator check FILE.ptx
ptx-emulator run FILE.ptx --case DIR             ptx-emulator run --help tells the options

Exit status: 0 the kernel ran clean, 1 it did not, 2 usage, 3 the input cannot be run
)";

cl::SubCommand runCommand("run", "run one kernel");
cl::SubCommand checkCommand("check", "parse, and decode every entry");
cl::OptionCategory group("Options");

cl::opt<std::string> runFile(cl::Positional, cl::Required, cl::desc("FILE.ptx"), cl::sub(runCommand), cl::cat(group));
cl::opt<std::string> checkedFile(cl::Positional, cl::Required, cl::desc("FILE.ptx"), cl::sub(checkCommand),
                                 cl::cat(group));

cl::opt<std::string> launchFile("launch", cl::value_desc("launch.json"), cl::sub(runCommand), cl::cat(group),
                                cl::desc("the launch: entry, grid, buffers, parameters, expected results (see the "
                                         "README)"));
cl::opt<std::string> caseDirectory("case", cl::value_desc("DIR"), cl::sub(runCommand), cl::cat(group),
                                   cl::desc("launch.txt and buf_*.bin describe the launch; what it says to read is "
                                            "written beside them"));
EmulatorFlags flags(runCommand, group);
cl::opt<bool> quiet("quiet", cl::sub(runCommand), cl::cat(group), cl::desc("nothing but mistakes"));

std::atomic<bool> interrupted{false};

/// What the command line says of the launch; nothing if that makes no sense, after a message.
std::optional<LaunchOptions> makeOptions() {
  auto fail = [](const llvm::Twine &message) {
    llvm::errs() << "ptx-emulator: " << message << '\n';
    return std::nullopt;
  };
  if (launchFile.empty() == caseDirectory.empty())
    return fail(launchFile.empty() ? "run needs either --launch or --case"
                                   : "run takes either --launch or --case, not both");
  if (std::string problem = flags.check(); !problem.empty())
    return fail(problem);
  LaunchOptions options = flags.makeOptions();
  options.interrupt = &interrupted;
  options.print = [](std::string_view text) { std::cout << text << std::flush; };
  if (!quiet)
    options.progress = [](uint64_t done, uint64_t all, uint64_t instructions) {
      llvm::errs() << done << " of " << all << " CTAs, "
                   << llvm::format("%.1f", static_cast<double>(instructions) / 1e6) << " M warp instructions\n";
    };
  return options;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

Module load(const std::string &file) {
  const std::vector<uint8_t> text = readFile(file);
  return Module::parse({reinterpret_cast<const char *>(text.data()), text.size()}, file);
}

ExitCode check(const Module &module) {
  Device device;
  for (const std::string &entry : module.entries())
    device.load(module, entry);
  std::cout << module.entries().size() << " entries, all known\n";
  return Clean;
}

bool compareResults(const LaunchDescription &description, const Device &device,
                    const LaunchDescription::Addresses &addresses) {
  description.writeResults(device, addresses);
  std::string report;
  const bool agrees = description.compare(device, addresses, &report);
  llvm::errs() << report;
  return agrees;
}

bool runSeed(LaunchOptions options, const Module &module, const LaunchDescription &description, uint64_t seed) {
  Device device;
  const LaunchDescription::Addresses addresses = description.prepare(device, options);
  options.seed = seed;
  const auto begin = std::chrono::steady_clock::now();
  const LaunchResult result = launchTraced(flags, device, module, options);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  printReports(result);
  const bool isClean = result.ok() && compareResults(description, device, addresses);
  if (flags.showCounters)
    result.counters.print(std::cout);
  for (const LoopProfile &loop : result.loops)
    loop.print(std::cout);
  if (!quiet)
    llvm::errs() << "seed " << seed << ": " << (isClean ? "clean" : "FAILED") << ", "
                 << llvm::format("%.3f s, %.1f M thread instructions/s\n", seconds,
                                 static_cast<double>(result.counters.totalThreadInstructions()) / 1e6 /
                                     std::max(seconds, 1e-9));
  return isClean;
}

ExitCode run(const LaunchOptions &options, const Module &module) {
  const LaunchDescription description = launchFile.empty() ? readCase(caseDirectory) : readLaunchFile(launchFile);
  for (uint64_t n = 0; n < flags.numSeeds; ++n)
    if (!runSeed(options, module, description, flags.firstSeed + n))
      return Failed;
  return Clean;
}

} // namespace

int main(int argc, char **argv) {
  cl::SetVersionPrinter([](llvm::raw_ostream &os) { os << "ptx-emulator " << PTX_EMULATOR_VERSION << '\n'; });
  cl::HideUnrelatedOptions(group);
  cl::HideUnrelatedOptions(group, runCommand);
  cl::HideUnrelatedOptions(group, checkCommand);
  if (!cl::ParseCommandLineOptions(argc, argv, kOverview, &llvm::errs()))
    return Usage;
  if (!runCommand && !checkCommand) {
    llvm::errs() << "ptx-emulator: needs a command, run or check; --help tells more\n";
    return Usage;
  }
  const std::string &file = runCommand ? runFile : checkedFile;
  std::optional<LaunchOptions> options;
  if (runCommand && !(options = makeOptions()))
    return Usage;
  std::signal(SIGINT, [](int) { interrupted = true; });
  try {
    const Module module = load(file);
    return options ? run(*options, module) : check(module);
  } catch (const LaunchError &error) {
    llvm::errs() << error.what() << '\n';
  } catch (const InputError &error) {
    llvm::errs() << file << ": " << error.what() << '\n';
  }
  return BadInput;
}
