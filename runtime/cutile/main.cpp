//===- main.cpp - tileiras-cutile: a program with our compiler and launches ===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "Emulation.h"
#include "Environment.h"
#include "Program.h"
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <optional>

using namespace tileiras::cutile;

static constexpr char kUsage[] =
    R"(tileiras-cutile [--verbose] [--children] [--profile NAME] [--set KEY=VALUE]… PROGRAM ARGUMENTS…
tileiras-cutile --emulate[=GPU] [--sanitize=LIST] [--time=MACHINE] [--report=FILE] PROGRAM ARGUMENTS…
tileiras-cutile --check [--emulate[=GPU]] [PROGRAM ARGUMENTS…]

Runs a program that uses cuTile, unchanged, with the compiler tileiras and with launches that its kernels need: where an
image does not say its block and shared memory itself, launches of such kernels get them. Kernels of others are launched
as ever, and what the program starts is as it would be without us.

  --check     say what would be done, and whether a launch would work (exit code 0) or why not (1); default program: python3
  --verbose   say on standard error which kernels are recognised, and what of their launches is not right
  --children  for the programs that PROGRAM starts as well
  --profile   compile by this profile of tileiras
  --set       an option of tileiras (tileiras --help-options lists them); may be repeated. Both are added to TILEIRAS_FLAGS

  --emulate[=GPU]   without a GPU: a CUDA driver that runs kernels on the PTX emulator. GPU is sm_80 or later (sm_90).
                    What the emulator finds is told on standard error with the line of the source, and the launch fails
  --sanitize=LIST   which mistakes it looks for: all, none, or races, fences, uninit; others (bounds, asserts,
                    deadlocks) are found in any case
  --time=MACHINE    print at the end how long the launches would take on this GPU, by a model: h100-sxm, l4, … ; GPU is
                    then the machine's
  --report=FILE     write at the end a page (HTML) of the kernels that were launched, with what their compilation, the
                    launches and --time say of them
)";

static constexpr int kUsageError = 2;

namespace {

struct Options {
  bool check = false, children = false, help = false;
  Emulation emulation;
  std::vector<std::string> compilerFlags, command;
};

} // namespace

/// The value of "--name=value", or of "--name value"; nothing where the argument is another option.
static std::optional<std::string> readValue(int argc, char **argv, int &i, const std::string &name) {
  const std::string option = argv[i];
  if (option.rfind(name + "=", 0) == 0)
    return option.substr(name.size() + 1);
  if (option == name && i + 1 < argc)
    return argv[++i];
  return std::nullopt;
}

/// False: the argument is none of these.
static bool parseEmulation(int argc, char **argv, int &i, Emulation &emulation) {
  const std::string option = argv[i];
  if (option == "--emulate" || option.rfind("--emulate=", 0) == 0) { // the program may follow
    emulation.isOn = true;
    emulation.gpu = option == "--emulate" ? "" : option.substr(sizeof("--emulate=") - 1);
    return true;
  }
  if (auto value = readValue(argc, argv, i, "--sanitize")) {
    emulation.sanitize = value->empty() ? "none" : *value;
    return true;
  }
  if (auto value = readValue(argc, argv, i, "--report")) {
    emulation.report = *value;
    return true;
  }
  auto machine = readValue(argc, argv, i, "--time");
  emulation.machine = machine.value_or(emulation.machine);
  return machine.has_value();
}

/// An option that is the compiler's. False: the argument is none of these.
static bool readCompilerFlag(int argc, char **argv, int &i, Options &options) {
  for (const std::string name : {"--profile", "--set"})
    if (auto value = readValue(argc, argv, i, name)) {
      options.compilerFlags.push_back(name + "=" + *value);
      return true;
    }
  return false;
}

/// False: there is nothing to run, or an option that there is not, which it has said.
static bool parse(int argc, char **argv, Options &options) {
  int i = 1;
  for (; i < argc && argv[i][0] == '-'; ++i) {
    std::string option = argv[i];
    if (option == "--check")
      options.check = true;
    else if (option == "--verbose")
      setenv("TILEIRAS_CUTILE_VERBOSE", "1", 1);
    else if (option == "--children")
      options.children = true;
    else if (option == "--help" || option == "-h")
      options.help = true;
    else if (option == "--") {
      ++i;
      break;
    } else if (!parseEmulation(argc, argv, i, options.emulation) && !readCompilerFlag(argc, argv, i, options)) {
      std::cerr << "tileiras-cutile: there is no option " << option << "; tileiras-cutile --help lists them\n";
      return false;
    }
  }
  if (std::string mistake = findMistake(options.emulation); !mistake.empty()) {
    std::cerr << "tileiras-cutile: " << mistake << "\n";
    return false;
  }
  options.command.assign(argv + i, argv + argc);
  if (options.command.empty() && options.check)
    options.command = {"python3"};
  if (options.command.empty() && !options.help)
    std::cerr << "tileiras-cutile: no program to run; tileiras-cutile --help says more\n";
  return options.help || !options.command.empty();
}

/// The folder of what a program gets, from where this program is.
static std::string findHome() {
  namespace fs = std::filesystem;
  return (fs::canonical("/proc/self/exe").parent_path().parent_path() / "lib/tileiras/cutile").string();
}

int main(int argc, char **argv) {
  Options options;
  if (!parse(argc, argv, options))
    return kUsageError;
  if (options.help) {
    std::cout << kUsage;
    return 0;
  }
  std::string home = findHome();
  if (home.find_first_of(":;") != std::string::npos) {
    std::cerr << "tileiras-cutile: the loader cannot be told a folder with a colon or semicolon in its name, " << home
              << ": install tileiras elsewhere\n";
    return 1;
  }
  if (!std::filesystem::exists(home + "/" + kLibraryName)) {
    std::cerr << "tileiras-cutile: " << home << "/" << kLibraryName << " is not there: install tileiras again\n";
    return 1;
  }
  if (options.emulation.isOn) {
    announce(options.emulation);
    if (!loadEmulatedDriver(home))
      return 1;
  }
  addCompilerFlags(options.compilerFlags);
  if (options.check)
    return check(home, options.command) ? 0 : 1;
  prepareEnvironment(home, options.children, options.emulation.isOn);
  return become(options.command);
}
