//===- main.cpp - tileiras-cutile: a program with our compiler and launches ===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "Environment.h"
#include "Program.h"
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>

using namespace tileiras::cutile;

static constexpr char kUsage[] =
    R"(tileiras-cutile [--verbose] [--children] PROGRAM ARGUMENTS…
tileiras-cutile --check [PROGRAM ARGUMENTS…]

Runs a program that uses cuTile, unchanged, with the compiler tileiras and with launches that its kernels need: where an
image does not say its block and shared memory itself, launches of such kernels get them. Kernels of others are launched
as ever, and what the program starts is as it would be without us.

  --check     say what would be done, and whether a launch would work (exit code 0) or why not (1); default program: python3
  --verbose   say on standard error which kernels are recognised, and what of their launches is not right
  --children  for the programs that PROGRAM starts as well
)";

static constexpr int kUsageError = 2;

namespace {

struct Options {
  bool check = false, children = false, help = false;
  std::vector<std::string> command;
};

} // namespace

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
    } else {
      std::cerr << "tileiras-cutile: there is no option " << option << "; tileiras-cutile --help lists them\n";
      return false;
    }
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
  if (options.check)
    return check(home, options.command) ? 0 : 1;
  prepareEnvironment(home, options.children);
  return become(options.command);
}
