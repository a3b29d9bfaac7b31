//===- Emulation.cpp - A program on a GPU that there is not ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulation.h"
#include "Environment.h"
#include "Findings.h"
#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <iostream>
#include <regex>
#include <thread>
#include <unistd.h>

namespace tileiras::cutile {

/// "sm_90a" is 9.0, as the driver wants it.
static std::string computeCapability(const std::string &gpu) {
  std::smatch match;
  static const std::regex pattern("sm_([0-9]+)([0-9])[af]?");
  return std::regex_match(gpu, match, pattern) ? match.str(1) + "." + match.str(2) : "";
}

std::string findMistake(const Emulation &emulation) {
  if (!emulation.isOn)
    return emulation.sanitize.empty() && emulation.machine.empty() && emulation.report.empty()
               ? ""
               : "--sanitize, --time and --report are for --emulate";
  // As old as the driver goes.
  if (!emulation.gpu.empty() &&
      (computeCapability(emulation.gpu).empty() || std::stod(computeCapability(emulation.gpu)) < 8))
    return "--emulate takes a GPU from sm_80 on, as sm_90, not '" + emulation.gpu + "'";
  emudriver::Sanitizing sanitizing;
  std::string unknown, names = "all, none";
  if (emulation.sanitize.empty() || emudriver::readSanitizing(emulation.sanitize, sanitizing, unknown))
    return "";
  for (const emudriver::SanitizeName &known : emudriver::kSanitizeNames)
    names += ", " + std::string(known.name);
  return "--sanitize takes a list of " + names + ", not '" + unknown + "'";
}

void announce(const Emulation &emulation) {
  if (!emulation.gpu.empty())
    setenv("EMULATED_CUDA_CC", computeCapability(emulation.gpu).c_str(), 1);
  if (!emulation.sanitize.empty())
    setenv("EMULATED_CUDA_SANITIZE", emulation.sanitize.c_str(), 1);
  if (!emulation.machine.empty())
    setenv("EMULATED_CUDA_MACHINE", emulation.machine.c_str(), 1);
  if (!emulation.report.empty()) {
    // The program may go elsewhere before it ends.
    setenv("EMULATED_CUDA_REPORT", std::filesystem::absolute(emulation.report).c_str(), 1);
    std::string folder =
        (std::filesystem::temp_directory_path() / ("tileiras-report-" + std::to_string(getpid()) + "-XXXXXX")).string();
    if (mkdtemp(folder.data()))
      setenv("TILEIRAS_REPORT_DATA", folder.c_str(), 1);
  }
  // Of the compiler: the driver runs PTX.
  setenv("TILEIRAS_KEEP_PTX", "emulate", 1);
  // Mistakes come from the call that launches; who wants them later, as from a GPU, has said so.
  setenv("CUDA_LAUNCH_BLOCKING", "1", 0);
  constexpr unsigned kMostThreads = 8; // as many clusters run at once
  const unsigned threads = std::clamp(std::thread::hardware_concurrency(), 1u, kMostThreads);
  setenv("EMULATED_CUDA_THREADS", std::to_string(threads).c_str(), 0);
}

bool loadEmulatedDriver(const std::string &home) {
  if (void *driver = dlopen((emulatedDriverFolder(home) + "/libcuda.so.1").c_str(), RTLD_NOW | RTLD_LOCAL)) {
    // It reads what it has been told, and ends the process where that makes no sense.
    using GetVersion = int (*)(int *);
    int version = 0;
    if (auto getVersion = reinterpret_cast<GetVersion>(dlsym(driver, "cuDriverGetVersion")))
      getVersion(&version);
    return true;
  }
  std::cerr << "tileiras-cutile: the emulated driver cannot be loaded: " << dlerror() << "; install tileiras again\n";
  return false;
}

} // namespace tileiras::cutile
