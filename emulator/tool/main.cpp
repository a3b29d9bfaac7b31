//===- main.cpp - The ptx-emulator command -------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CaseFile.h"
#include "EmulatorFlags.h"
#include "Files.h"
#include "HostTensorMaps.h"
#include "LaunchError.h"
#include "LaunchFile.h"
#include "TimeCommand.h"
#include "llvm/Support/Format.h"
#include <algorithm>
#include <chrono>
#include <csignal>
#include <iostream>
#include <map>

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
ptx-emulator time FILE.ptx --launch FILE.json --machine NAME    how long it would take on a GPU, by a model

Exit status: 0 the kernel ran clean, 1 it did not, 2 usage, 3 the input cannot be run
)";

cl::SubCommand runCommand("run", "run one kernel");
cl::SubCommand checkCommand("check", "parse, and decode every entry");
cl::OptionCategory group("Options");

cl::opt<std::string> runFile(cl::Positional, cl::Required, cl::desc("FILE.ptx"), cl::sub(runCommand), cl::cat(group));
cl::opt<std::string> checkedFile(cl::Positional, cl::Required, cl::desc("FILE.ptx"), cl::sub(checkCommand),
                                 cl::cat(group));

cl::list<std::string> launchFiles("launch", cl::value_desc("launch.json"), cl::sub(runCommand), cl::cat(group),
                                  cl::desc("the launch: entry, grid, buffers, parameters, expected results (see the "
                                           "README); several run at the same time"));
cl::list<std::string> caseDirectories("case", cl::value_desc("DIR"), cl::sub(runCommand), cl::cat(group),
                                      cl::desc("launch.txt and buf_*.bin describe the launch; what it says to read is "
                                               "written beside them; several run at the same time"));
cl::opt<bool>
    chained("chain", cl::sub(runCommand), cl::cat(group),
            cl::desc("several launches run in their order instead, each overlapping with the one before it, as "
                     "with programmatic stream serialisation; buffers of one name are one"));
EmulatorFlags flags(runCommand, group);
cl::opt<bool> quiet("quiet", cl::sub(runCommand), cl::cat(group), cl::desc("nothing but mistakes"));

TimeCommand timeCommand(group);

std::atomic<bool> interrupted{false};

/// What the command line says of the launch; nothing if that makes no sense, after a message.
std::optional<LaunchOptions> makeOptions() {
  auto fail = [](const llvm::Twine &message) {
    llvm::errs() << "ptx-emulator: " << message << '\n';
    return std::nullopt;
  };
  if (launchFiles.empty() == caseDirectories.empty())
    return fail(launchFiles.empty() ? "run needs either --launch or --case"
                                    : "run takes either --launch or --case, not both");
  if (launchFiles.size() + caseDirectories.size() > 1 && !flags.traceFile.empty())
    return fail("--trace is for one launch");
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

/// One after the other, until one makes a mistake.
std::vector<LaunchResult> launchChain(Device &device, const Module &module, const std::vector<LaunchOptions> &options) {
  std::vector<LaunchResult> results;
  for (LaunchOptions one : options) {
    one.overlaps = !results.empty();
    results.push_back(ptxemu::launch(device, module, one));
    if (!results.back().ok())
      break;
  }
  return results;
}

/// One launch, or several at the same time.
std::vector<LaunchResult> launchAll(Device &device, const Module &module, const std::vector<LaunchOptions> &options) {
  if (options.size() == 1)
    return {launchTraced(flags, device, module, options[0])};
  return chained ? launchChain(device, module, options) : launchTogether(device, module, options);
}

/// The device as the launches of a chain see it: what an earlier one has allocated under a name is there, with its
/// contents.
class SharedBuffers : public DeviceMemory {
public:
  explicit SharedBuffers(Device &device) : device(device) {}

  uint64_t allocate(uint64_t bytes, const std::string &name, uint64_t alignment = 512) override {
    auto [place, isNew] = buffers.try_emplace(name, Buffer{0, bytes});
    if (!isNew && bytes > place->second.bytes)
      throw InputError(0, "buffer '" + name + "' has " + std::to_string(place->second.bytes) +
                              " bytes in an earlier launch of the chain, and " + std::to_string(bytes) + " here");
    if (isNew)
      place->second.address = device.allocate(bytes, name, alignment);
    place->second.isKept = !isNew;
    return place->second.address;
  }
  void write(uint64_t address, const void *data, uint64_t bytes) override {
    if (!isKept(address))
      device.write(address, data, bytes);
  }
  void read(uint64_t address, void *data, uint64_t bytes) const override { device.read(address, data, bytes); }

private:
  struct Buffer {
    uint64_t address = 0, bytes = 0;
    bool isKept = false; ///< the launch that allocated it last is not the first
  };
  bool isKept(uint64_t address) const {
    return std::any_of(buffers.begin(), buffers.end(), [&](const auto &item) {
      return item.second.isKept && address - item.second.address < item.second.bytes;
    });
  }
  Device &device;
  std::map<std::string, Buffer> buffers;
};

bool runSeed(const LaunchOptions &common, const Module &module, const std::vector<LaunchDescription> &descriptions,
             uint64_t seed) {
  Device device;
  SharedBuffers shared(device);
  DeviceMemory &memory = chained ? static_cast<DeviceMemory &>(shared) : device;
  std::vector<LaunchOptions> options;
  std::vector<LaunchDescription::Addresses> addresses;
  for (const LaunchDescription &description : descriptions) {
    options.push_back(common);
    addresses.push_back(description.prepare(memory, options.back()));
    appendTensorMaps(device, module, options.back());
    options.back().seed = seed;
  }
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<LaunchResult> results = launchAll(device, module, options);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  bool isClean = true;
  Counters counters;
  for (const LaunchResult &result : results) {
    printReports(result);
    isClean &= result.ok();
    counters.add(result.counters);
  }
  for (size_t i = 0; isClean && i < results.size(); ++i)
    isClean = compareResults(descriptions[i], device, addresses[i]);
  if (flags.showCounters)
    counters.print(std::cout);
  for (const LaunchResult &result : results)
    for (const LoopProfile &loop : result.loops)
      loop.print(std::cout);
  if (!quiet)
    llvm::errs() << "seed " << seed << ": " << (isClean ? "clean" : "FAILED") << ", "
                 << llvm::format("%.3f s, %.1f M thread instructions/s\n", seconds,
                                 static_cast<double>(counters.totalThreadInstructions()) / 1e6 /
                                     std::max(seconds, 1e-9));
  return isClean;
}

ExitCode run(const LaunchOptions &options, const Module &module) {
  std::vector<LaunchDescription> descriptions;
  for (const std::string &file : launchFiles)
    descriptions.push_back(readLaunchFile(file));
  for (const std::string &folder : caseDirectories)
    descriptions.push_back(readCase(folder));
  for (uint64_t n = 0; n < flags.numSeeds; ++n)
    if (!runSeed(options, module, descriptions, flags.firstSeed + n))
      return Failed;
  return Clean;
}

} // namespace

int main(int argc, char **argv) {
  cl::SetVersionPrinter([](llvm::raw_ostream &os) { os << "ptx-emulator " << PTX_EMULATOR_VERSION << '\n'; });
  cl::HideUnrelatedOptions(group);
  cl::HideUnrelatedOptions(group, runCommand);
  cl::HideUnrelatedOptions(group, checkCommand);
  cl::HideUnrelatedOptions(group, timeCommand.command);
  if (!cl::ParseCommandLineOptions(argc, argv, kOverview, &llvm::errs()))
    return Usage;
  if (!runCommand && !checkCommand && !timeCommand.command) {
    llvm::errs() << "ptx-emulator: needs a command, run, check or time; --help tells more\n";
    return Usage;
  }
  const std::string &file = runCommand ? runFile : checkCommand ? checkedFile : timeCommand.file;
  std::optional<LaunchOptions> options;
  if (runCommand && !(options = makeOptions()))
    return Usage;
  std::signal(SIGINT, [](int) { interrupted = true; });
  try {
    if (timeCommand.command) {
      if (std::string problem = timeCommand.check(); !problem.empty()) {
        llvm::errs() << "ptx-emulator: " << problem << '\n';
        return Usage;
      }
      timeCommand.run(load(file), interrupted);
      return Clean;
    }
    const Module module = load(file);
    return options ? run(*options, module) : check(module);
  } catch (const timing::MachineError &error) {
    llvm::errs() << "ptx-emulator: " << error.what() << '\n';
  } catch (const timing::EstimateError &error) {
    llvm::errs() << file << ": " << error.what() << '\n';
  } catch (const LaunchError &error) {
    llvm::errs() << error.what() << '\n';
  } catch (const InputError &error) {
    llvm::errs() << file << ": " << error.what() << '\n';
  } catch (const std::bad_alloc &) {
    llvm::errs() << "ptx-emulator: the system gives this run no more memory: its buffers may be too large\n";
  }
  return BadInput;
}
