//===- LaunchBench.cpp - What a launch costs through the library ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On a driver that does nothing, so that what is left is ours. A real launch takes two microseconds or more.
//
//===----------------------------------------------------------------------===//

#include "Client.h"
#include "Image.h"
#include <algorithm>
#include <chrono>
#include <cstdio>

using namespace tileiras;
using namespace tileiras::cutile;

static constexpr int kCalls = 2000000;
static constexpr int kRounds = 7;

/// Nanoseconds a call, the best of several rounds.
template <typename Call>
static double measure(Call call) {
  double best = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < kCalls; ++i)
      call();
    std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count() / kCalls);
  }
  return best;
}

static void *own(const char *name) {
  return reinterpret_cast<OwnFunction *>(dlsym(driver(), name))();
}

namespace {

struct Functions {
  decltype(&cuLaunchKernel) launch;
  decltype(&cuLaunchKernelEx) launchEx;
};

} // namespace

static void row(const char *what, const Functions &functions, Handle function, unsigned block) {
  void **none = nullptr;
  double plain = measure([&] { functions.launch(function, 1, 1, 1, block, 1, 1, 0, nullptr, none, none); });
  cuda::LaunchConfig config = {{1, 1, 1}, {block, 1, 1}, 0, nullptr, nullptr, 0};
  double configured = measure([&] { functions.launchEx(&config, function, none, none); });
  std::printf("%-58s %8.1f ns %12.1f ns\n", what, plain, configured);
}

int main() {
  Client client(Way::ProcAddress2);
  reinterpret_cast<RecordNothing *>(dlsym(driver(), "recordNothing"))();
  Functions direct = {reinterpret_cast<decltype(&cuLaunchKernel)>(own("ownLaunchKernel")),
                      reinterpret_cast<decltype(&cuLaunchKernelEx)>(own("ownLaunchKernelEx"))};
  Functions through = {client.cuLaunchKernel, client.cuLaunchKernelEx};
  if (direct.launch == through.launch) {
    std::fprintf(stderr, "there is nothing to measure: run this under tileiras-cutile\n");
    return 1;
  }
  // A thousand kernels are loaded, most of them ours.
  std::vector<TestKernel> kernels;
  for (int i = 0; i < 1000; ++i)
    kernels.push_back({.name = "k" + std::to_string(i)});
  kernels[1].sharedBytes = 100000;
  std::string image = makeImage(kernels), foreignImage = makeForeignImage();
  Handle ours = nullptr, others = nullptr, module = nullptr, kernel = nullptr, shared = nullptr, foreign = nullptr;
  client.cuLibraryLoadData(&ours, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0);
  for (const TestKernel &each : kernels)
    client.cuLibraryGetKernel(&kernel, ours, each.name.c_str());
  client.cuModuleLoadData(&others, foreignImage.data());
  client.cuModuleGetFunction(&foreign, others, "f");
  client.cuLibraryGetKernel(&shared, ours, "k1");
  client.cuLibraryGetModule(&module, ours);
  Handle function = nullptr;
  client.cuModuleGetFunction(&function, module, "k1");

  std::printf("%-58s %11s %15s\n", "", "cuLaunchKernel", "cuLaunchKernelEx");
  row("the driver itself", direct, foreign, 128);
  row("another's kernel", through, foreign, 128);
  row("another's kernel with block (1, 1, 1)", through, foreign, 1);
  row("ours, as its launcher should", through, kernel, 128);
  row("ours, block corrected", through, kernel, 1);
  row("ours, block and shared memory corrected, CUfunction", through, function, 1);
  row("ours, block and shared memory corrected, CUkernel", through, shared, 1);
  return 0;
}
