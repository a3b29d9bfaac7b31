//===- Check.cpp - What tileiras-cutile would do --------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "Driver.h"
#include "Environment.h"
#include "Program.h"
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <map>
#include <sstream>

namespace tileiras::cutile {

namespace {

// As cuTile Python 1 asks for them.
constexpr int kOldestDriver = 13000;
constexpr int kOldestGpu = 80;
/// From here on the image itself can say what a launch needs.
constexpr int kImageKnows = 90;

class Checker {
public:
  Checker(const std::string &home, const std::vector<std::string> &command) : home(home), command(command) {}

  bool run() {
    checkCompiler();
    checkLibrary();
    checkProgram();
    checkDriver();
    for (const std::string &reason : reasons)
      say(&reason == reasons.data() ? "result" : "", "no launch would work: " + reason);
    if (reasons.empty())
      say("result", "a launch would work");
    return reasons.empty();
  }

private:
  void say(const std::string &what, const std::string &text) {
    std::cout << std::left << std::setw(14) << what << text << std::endl;
  }
  void fail(const std::string &what, const std::string &text, const std::string &reason) {
    say(what, text);
    reasons.push_back(reason);
  }

  void checkCompiler();
  void checkLibrary();
  void checkProgram();
  void checkPython(const std::vector<std::string> &python);
  void checkCutile(std::map<std::string, std::string> found, const std::string &interpreter);
  void checkDriver();
  void checkGpus(const cuda::Driver &driver);

  std::string home;
  std::vector<std::string> command;
  std::vector<std::string> reasons;
};

} // namespace

static std::string firstLine(const std::string &text) {
  return text.substr(0, text.find('\n'));
}

/// "version 0.1.0, build 1234" among other lines.
static std::string versionLine(const std::string &text) {
  size_t at = text.find("version ");
  return firstLine(at == std::string::npos ? text : text.substr(at));
}

void Checker::checkCompiler() {
  std::string compiler = home + "/bin/tileiras";
  ProgramResult result = runProgram({compiler, "--version"});
  if (result.exitCode == 0)
    say("compiler", compiler + ": " + versionLine(result.output));
  else
    fail("compiler", compiler + ": does not run", compiler + " does not run: " + firstLine(result.errors));
}

void Checker::checkLibrary() {
  std::string library = home + "/" + kLibraryName;
  // The loader says on standard error what it cannot load, and goes on.
  ProgramResult result = runProgram({"true"}, [&] { prepareEnvironment(home, false, false); });
  if (result.exitCode == 0 && result.errors.empty() && std::filesystem::exists(library))
    say("library", library);
  else
    fail("library", library + ": cannot be loaded",
         library + " cannot be loaded: " +
             (result.errors.empty() ? "it is not there; install tileiras again" : firstLine(result.errors)));
}

void Checker::checkProgram() {
  std::vector<std::string> python = pythonOf(command);
  if (!findProgram(command[0]))
    fail("program", command[0] + ": not found", "there is no program " + command[0]);
  else if (python.empty())
    say("program", command[0] + ": no Python; finds the compiler if it looks for tileiras on PATH");
  else
    checkPython(python);
}

void Checker::checkPython(const std::vector<std::string> &python) {
  std::vector<std::string> probe = python;
  probe.push_back(home + "/probe.py");
  ProgramResult result = runProgram(probe, [&] { prepareEnvironment(home, false, false); });
  std::map<std::string, std::string> found;
  std::istringstream lines(result.output);
  for (std::string line; std::getline(lines, line);)
    if (size_t equals = line.find('='); equals != std::string::npos)
      found[line.substr(0, equals)] = line.substr(equals + 1);
  if (!found.count("hooked"))
    return fail("python", python[0] + ": does not run", python[0] + " does not run: " + firstLine(result.errors));
  bool hooked = found["hooked"] == "1";
  say("python",
      found["python"] + (hooked ? ": cuTile Python takes our compiler, whatever is installed"
                                : ": started with -I, -E or -S, or with another sitecustomize first; cuTile Python "
                                  "finds our compiler on PATH, after that of its pip packages"));
  checkCutile(found, python[0]);
}

void Checker::checkCutile(std::map<std::string, std::string> found, const std::string &interpreter) {
  if (!found.count("cutile") && !found.count("compiler"))
    return fail("cuTile Python", "not installed (" + found["error"] + ")",
                "cuTile Python is not installed for " + interpreter + ": " + interpreter + " -m pip install cuda-tile");
  std::string version = found.count("cutile") ? found["cutile"] : "of unknown version";
  if (!found.count("compiler"))
    return fail("cuTile Python", version + ": cannot be imported",
                "cuTile Python cannot be imported: " + found["error"]);
  std::error_code error;
  if (std::filesystem::equivalent(found["compiler"], home + "/bin/tileiras", error))
    say("cuTile Python", version + ": calls " + found["compiler"]);
  else
    fail("cuTile Python", version + ": calls " + found["compiler"],
         "cuTile Python " + version + " calls another compiler, " + found["compiler"] +
             "; start Python without -I, -E and -S, or uninstall nvidia-cuda-tileiras");
}

void Checker::checkDriver() {
  try {
    cuda::Driver driver;
    driver.check(driver.init(0), "cuInit");
    int version = 0;
    driver.check(driver.version(&version), "cuDriverGetVersion");
    std::string text = std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
    if (version < kOldestDriver && !pythonOf(command).empty())
      fail("driver", "for CUDA " + text,
           "cuTile Python needs a driver for CUDA 13.0 or later, and this one is for " + text);
    else
      say("driver", "for CUDA " + text);
    checkGpus(driver);
  } catch (const std::exception &error) {
    fail("driver", error.what(), std::string("there is no CUDA driver, or no GPU: ") + error.what());
  }
}

/// What a kernel that is compiled for such a GPU leaves to its launcher.
static std::string describeCorrection(int capability) {
  if (capability < kOldestGpu)
    return "too old, cuTile Python asks for 8.0; tileiras-run works from 7.5 on";
  if (capability < kImageKnows)
    return "launches of our kernels get their block and their shared memory";
  return "images say their block, launches of our kernels get their shared memory, where it is dynamic";
}

void Checker::checkGpus(const cuda::Driver &driver) {
  int count = 0, usable = 0;
  driver.check(driver.deviceCount(&count), "cuDeviceGetCount");
  for (cuda::Device device = 0; device < count; ++device) {
    char name[256] = "?";
    int major = 0, minor = 0;
    driver.check(driver.deviceName(name, sizeof(name), device), "cuDeviceGetName");
    driver.check(driver.deviceAttribute(&major, cuda::kMajor, device), "cuDeviceGetAttribute");
    driver.check(driver.deviceAttribute(&minor, cuda::kMinor, device), "cuDeviceGetAttribute");
    int capability = major * 10 + minor;
    usable += capability >= kOldestGpu;
    say("GPU " + std::to_string(device), std::string(name) + ", compute capability " + std::to_string(major) + "." +
                                             std::to_string(minor) + ": " + describeCorrection(capability));
  }
  if (!usable)
    reasons.push_back("there is no GPU of compute capability 8.0 or later, as cuTile Python asks for");
}

bool check(const std::string &home, const std::vector<std::string> &command) {
  return Checker(home, command).run();
}

} // namespace tileiras::cutile
