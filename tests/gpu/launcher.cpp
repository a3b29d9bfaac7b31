//===- launcher.cpp - Runs a payload of cases on the GPU and compares ----===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   gpu-launcher [--here] PAYLOAD [RESULTS.json]
//
// PAYLOAD holds a folder a case; the README says what is in it. Each case runs in a process of its own: an error of one
// leaves the others a working context. With --here they run in this process, untimed, for tools that follow one.
// Exit status: 0 all agree, 1 some do not, 2 usage, 77 there is no GPU.
//
//===----------------------------------------------------------------------===//

#include "Case.h"
#include "Report.h"
#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;
using namespace gpu;

namespace {

constexpr unsigned kSecondsPerCase = 60;

std::string firstLine(const fs::path &path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return line;
}

/// "90a" runs on exactly 9.0, "80" on 8.0 and later minors of the same major.
bool runsOn(const std::string &target, const Device &device) {
  if (target.empty())
    return false;
  int number = std::atoi(target.c_str());
  bool exact = std::isalpha(static_cast<unsigned char>(target.back()));
  return number / 10 == device.major && (exact ? number % 10 == device.minor : number % 10 <= device.minor);
}

/// What `work` has to say, or why it failed.
template <class F>
std::string guarded(F &&work) {
  try {
    return work();
  } catch (const std::exception &e) {
    return std::string("error ") + e.what() + '\n';
  }
}

/// Runs `work` in a process of its own and returns what it has to say.
template <class F>
std::string isolated(F &&work) {
  int channel[2];
  if (pipe(channel))
    throw std::runtime_error("pipe failed");
  std::cout.flush();
  pid_t child = fork();
  if (child < 0)
    throw std::runtime_error("fork failed");
  if (child == 0) {
    alarm(kSecondsPerCase);
    dup2(STDERR_FILENO, STDOUT_FILENO); // what kernels print is no part of the table
    std::string text = guarded(work);
    (void)!write(channel[1], text.data(), text.size());
    _exit(0);
  }
  close(channel[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t n; (n = read(channel[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<size_t>(n));
  close(channel[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status))
    return text;
  return WTERMSIG(status) == SIGALRM ? "error took more than " + std::to_string(kSecondsPerCase) + " s\n"
                                     : "error crashed with signal " + std::to_string(WTERMSIG(status)) + '\n';
}

/// The version of the kernel's module, which the driver's own interface does not give; "unknown" where it is not shown.
std::string moduleVersion() {
  std::ifstream in("/proc/driver/nvidia/version");
  for (std::string word; in >> word;)
    if (std::isdigit(static_cast<unsigned char>(word[0])) && word.find('.') != std::string::npos)
      return word;
  return "unknown";
}

/// In a child, because the parent must not touch CUDA before it forks.
std::string lookAtDevice() {
  cuda::Driver driver;
  int device = 0, major = 0, minor = 0, version = 0;
  char name[256] = {};
  driver.check(driver.init(0), "cuInit");
  driver.check(driver.deviceGet(&device, 0), "cuDeviceGet");
  driver.check(driver.deviceName(name, sizeof name, device), "cuDeviceGetName");
  driver.check(driver.deviceAttribute(&major, cuda::kMajor, device), "cuDeviceGetAttribute");
  driver.check(driver.deviceAttribute(&minor, cuda::kMinor, device), "cuDeviceGetAttribute");
  driver.check(driver.version(&version), "cuDriverGetVersion");
  std::ostringstream out;
  out << major << ' ' << minor << ' ' << version << ' ' << moduleVersion() << ' ' << name;
  return out.str();
}

std::string runCase(const fs::path &folder, bool isTimed) {
  cuda::Driver driver;
  int number = 0;
  void *context = nullptr;
  fs::current_path(folder);
  driver.check(driver.init(0), "cuInit");
  driver.check(driver.deviceGet(&number, 0), "cuDeviceGet");
  driver.check(driver.retainContext(&context, number), "cuDevicePrimaryCtxRetain");
  driver.check(driver.setContext(context), "cuCtxSetCurrent");
  return serialize(Case(driver).run(isTimed));
}

Row process(const fs::path &payload, const fs::path &folder, const Device &device, bool here) {
  Row row;
  row.name = fs::relative(folder, payload).string();
  std::string target = firstLine(folder / "target.txt");
  if (!runsOn(target, device)) {
    row.verdict = Verdict::Skip;
    row.error = "for sm_" + target;
    return row;
  }
  parse(here ? guarded([&] { return runCase(folder, false); }) : isolated([&] { return runCase(folder, true); }), row);
  return row;
}

} // namespace

int main(int argc, char **argv) try {
  const bool here = argc > 1 && std::strcmp(argv[1], "--here") == 0;
  if (here)
    --argc, ++argv;
  if (argc < 2 || argc > 3) {
    std::cerr << "usage: gpu-launcher [--here] PAYLOAD [RESULTS.json]\n";
    return 2;
  }
  const fs::path payload = fs::absolute(argv[1]), results = argc > 2 ? fs::absolute(argv[2]) : fs::path();
  Device device;
  std::string text = here ? guarded(lookAtDevice) : isolated(lookAtDevice);
  std::istringstream in(text);
  in >> device.major >> device.minor >> device.version >> device.driver >> std::ws;
  if (!in || !std::getline(in, device.name)) {
    std::cout << "SKIPPED: no GPU to compare with (" << text.substr(0, text.find('\n')) << ")\n";
    return 77;
  }

  std::vector<fs::path> cases;
  for (const auto &entry : fs::recursive_directory_iterator(payload))
    if (entry.path().filename() == "launch.txt")
      cases.push_back(entry.path().parent_path());
  std::sort(cases.begin(), cases.end());
  if (cases.empty()) {
    std::cerr << "error: there is no case in " << payload << "; make a payload with tests/gpu/run\n";
    return 1;
  }
  Report report(device, firstLine(payload / "commit.txt"));
  report.printHead(std::cout);
  for (const fs::path &folder : cases)
    report.add(process(payload, folder, device, here), std::cout);
  report.printSummary(std::cout);
  if (!results.empty() && !report.write(results)) {
    std::cerr << "error: cannot write " << results.string() << '\n';
    return 1;
  }
  return report.good() ? 0 : 1;
} catch (const std::exception &e) {
  std::cerr << "error: " << e.what() << '\n';
  return 1;
}
