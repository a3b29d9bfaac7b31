//===- GpuRunner.cpp - Runs a kernel on the GPU, and measures it ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverError.h"
#include "GpuKernel.h"
#include "Progress.h"
#include "RunError.h"
#include "Runners.h"
#include "llvm/ADT/ScopeExit.h"
#include <algorithm>

namespace tileiras::run {

namespace {

/// Launches of one kernel, on buffers that can get their first contents back.
class GpuRun {
public:
  GpuRun(const Request &request, const Gpu &gpu)
      : driver(gpu.driver), description(request.description), memory(gpu.driver),
        options(request.options.emulator->makeOptions()) {
    addresses = description.prepare(memory, options,
                                    [&](const ptxemu::TensorMap &map) { return encodeTensorMap(driver, map); });
    kernel = loadOnGpu(request.kernel, options, gpu);
    driver.check(driver.createEvent(&begin, 0), "cuEventCreate");
    driver.check(driver.createEvent(&end, 0), "cuEventCreate");
    if (request.options.flushesL2) {
      flushBytes = 2 * static_cast<uint64_t>(gpu.attribute(cuda::kL2CacheBytes));
      flushed = memory.allocate(flushBytes, "what takes the L2 cache's room");
    }
  }

  /// Launches, and waits until the kernel has ended.
  void run() {
    kernel->launch(options.grid, options.arguments);
    isLaunched = true;
    wait();
  }
  /// What the driver has refused before is no mistake of the kernel's.
  bool hasLaunched() const { return isLaunched; }

  /// Notes which buffers the first launch has changed: the others need no restoring.
  void findChanges() {
    for (const LaunchDescription::Buffer &buffer : description.buffers) {
      std::vector<uint8_t> now(buffer.bytes);
      memory.read(addresses.at(buffer.name), now.data(), now.size());
      const auto rest = now.begin() + static_cast<std::ptrdiff_t>(buffer.contents.size());
      if (!std::equal(now.begin(), rest, buffer.contents.begin()) ||
          std::any_of(rest, now.end(), [&](uint8_t byte) { return byte != buffer.fill; }))
        changed.push_back(&buffer);
    }
  }

  /// Of one more launch, in microseconds, between two events: what the launch itself costs the GPU is part of it.
  double measure() {
    for (const LaunchDescription::Buffer *buffer : changed)
      description.fill(*buffer, memory, addresses.at(buffer->name));
    if (flushBytes)
      driver.check(driver.fill(flushed, 0, flushBytes), "cuMemsetD8");
    wait();
    driver.check(driver.recordEvent(begin, nullptr), "cuEventRecord");
    kernel->launch(options.grid, options.arguments);
    driver.check(driver.recordEvent(end, nullptr), "cuEventRecord");
    wait();
    float milliseconds = 0;
    driver.check(driver.elapsedTime(&milliseconds, begin, end), "cuEventElapsedTime");
    return 1e3 * static_cast<double>(milliseconds);
  }

  const GpuMemory &getMemory() const { return memory; }
  const LaunchDescription::Addresses &getAddresses() const { return addresses; }
  Resources getResources() const { return kernel->getResources(); }

private:
  void wait() { driver.check(driver.synchronize(), "cuCtxSynchronize"); }

  const cuda::Driver &driver;
  const LaunchDescription &description;
  GpuMemory memory;
  ptxemu::LaunchOptions options;
  LaunchDescription::Addresses addresses;
  std::unique_ptr<GpuKernel> kernel;
  std::vector<const LaunchDescription::Buffer *> changed;
  cuda::Event begin = nullptr, end = nullptr;
  bool isLaunched = false;
  uint64_t flushBytes = 0;
  cuda::DevicePointer flushed = 0;
};

} // namespace

static Timing measure(const Request &request, GpuRun &run) {
  const unsigned warmUp = request.options.warmUp, repeat = request.options.repeat;
  Timing timing;
  timing.flushesL2 = request.options.flushesL2;
  for (unsigned i = 0; i < warmUp + repeat; ++i) {
    request.progress.update("launch " + std::to_string(i + 1) + " of " + std::to_string(warmUp + repeat));
    const double microseconds = run.measure();
    if (i >= warmUp)
      timing.microseconds.push_back(microseconds);
  }
  return timing;
}

/// The driver's error, its cause and a remedy.
static std::string explain(const cuda::Error &error) {
  const std::string text = error.what(), why = cuda::explain(error.result);
  if (cuda::isSticky(error.result))
    return text + "; tileiras-run --on emulator (or compute-sanitizer) says where the kernel goes wrong";
  // The launch library has explained its errors already.
  return text + (why.empty() || text.find(why) != std::string::npos ? "" : "; " + why);
}

static void runAndMeasure(const Request &request, GpuRun &run, Outcome &outcome) {
  outcome.resources = run.getResources();
  run.run();
  outcome.ranClean = true;
  outcome.agrees = request.description.compare(run.getMemory(), run.getAddresses(), &outcome.report);
  if (request.writesResults)
    request.description.writeResults(run.getMemory(), run.getAddresses());
  keepBuffers(outcome, request.description, run.getMemory(), run.getAddresses());
  run.findChanges();
  if (request.options.repeat)
    outcome.timing = measure(request, run);
}

Outcome runOnGpu(const Request &request, const Gpu &gpu) {
  request.progress.begin("gpu");
  llvm::scope_exit end([&] { request.progress.end(); });
  Outcome outcome;
  outcome.place = Place::Gpu;
  outcome.device = gpu.name + " (" + gpu.gpuName + ")";
  const auto begin = std::chrono::steady_clock::now();
  std::optional<GpuRun> run;
  try {
    run.emplace(request, gpu);
    runAndMeasure(request, *run, outcome);
  } catch (const cuda::Error &error) {
    if (!run || !run->hasLaunched())
      throw RunError(Exit::BadInput, "the GPU cannot run " + request.kernel.file + ": " + explain(error));
    outcome.ranClean = outcome.agrees = false;
    outcome.buffers.clear();
    outcome.report += explain(error) + "\n";
  }
  outcome.hostSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return outcome;
}

} // namespace tileiras::run
