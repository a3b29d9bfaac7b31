//===- Launch.cpp - The rules of a launch, and the launch ----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Results are those of the documentation of the driver interface; where that names none, or several, a comment says
// what is assumed.
//
//===----------------------------------------------------------------------===//

#include "Launch.h"
#include "Ast.h"
#include "Capture.h"
#include "Estimates.h"
#include "Graphs.h"
#include "Interruption.h"
#include "Memory.h"
#include "Page.h"
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <unistd.h>

using namespace emudriver;

namespace emudriver {

using Size = std::array<unsigned, 3>;

static std::string showSize(const Size &d) {
  return "(" + std::to_string(d[0]) + ", " + std::to_string(d[1]) + ", " + std::to_string(d[2]) + ")";
}

static uint64_t countOf(const Size &d) {
  return uint64_t(d[0]) * d[1] * d[2];
}

static bool exceedsSize(const Size &d, const Size &most) {
  return d[0] > most[0] || d[1] > most[1] || d[2] > most[2];
}

LaunchRequest::LaunchRequest(const unsigned g[3], const unsigned b[3], unsigned sharedBytes, void **kernelParams,
                             void **extra)
    : grid{g[0], g[1], g[2]}, block{b[0], b[1], b[2]}, sharedBytes(sharedBytes), kernelParams(kernelParams),
      extra(extra) {}

void LaunchRequest::apply(const LaunchAttribute &attribute) {
  if (attribute.id == kAttributeClusterDimension) {
    const unsigned *d = attribute.value.dimensions;
    cluster = {d[0], d[1], d[2]};
    require(countOf(cluster) > 0, kInvalidValue, "a cluster of no CTAs");
  } else if (attribute.id == kAttributeCooperative) {
    isCooperative = attribute.value.cooperative != 0;
  }
  // The others say how fast, not what.
}

std::shared_ptr<Function> functionToLaunch(void *handle, const std::shared_ptr<Context> &context) {
  auto &objects = State::get().objects;
  auto it = objects.find(handle);
  if (it != objects.end())
    if (auto kernel = std::dynamic_pointer_cast<Kernel>(it->second))
      return functionIn(*kernel, context);
  auto function = find<Function>(handle, "function or kernel");
  auto module = function->module.lock();
  // inducer/pycuda users know it as "invalid resource handle".
  require(module && module->context == context, kInvalidHandle,
          "the function's module is loaded in another context than the launch's");
  return function;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

static void checkBlock(const Function &f, const Size &block) {
  const ptxemu::ast::Function &entry = *f.entry;
  require(countOf(block) > 0, kInvalidValue, "an empty block");
  if (entry.blocksAreClusters) {
    if (block == Size{1, 1, 1})
      return;
    // Undefined by the PTX ISA. That is worse than an error: it is said in any case.
    say("error: '" + f.name + "' has .blocksareclusters, the launch passes a block of " + showSize(block) +
        ": hardware may do anything with all but (1, 1, 1)");
    refuse(kInvalidValue, "the block of a kernel with .blocksareclusters is (1, 1, 1)");
  }
  require(countOf(block) <= 1024 && !exceedsSize(block, ptxemu::kMostBlock), kInvalidValue,
          "a block has at most 1024 threads, " + showSize(ptxemu::kMostBlock) + ", not " + showSize(block));
  // NVIDIA/cutile-python's launcher meets this one with plain cubins: it passes (1, 1, 1).
  if (entry.requiredThreads[0])
    require(block == entry.requiredThreads, kInvalidValue,
            "the image has .reqntid " + showSize(entry.requiredThreads) + ", the launch passes a block of " +
                showSize(block));
  // Assumed: the ISA says that such a launch fails, not how.
  if (entry.maximumThreads[0])
    require(countOf(block) <= countOf(entry.maximumThreads), kInvalidValue,
            "the block of " + showSize(block) + " is larger than the image's .maxntid " +
                showSize(entry.maximumThreads));
}

static void checkGrid(const Size &grid, const Size &cluster, bool countsClusters) {
  require(countOf(grid) > 0, kInvalidValue, "an empty grid " + showSize(grid));
  require(!exceedsSize(grid, ptxemu::kMostGrid), kInvalidValue,
          "a grid has at most " + showSize(ptxemu::kMostGrid) + " CTAs, not " + showSize(grid));
  if (countsClusters)
    return;
  for (unsigned d = 0; d < 3; ++d)
    // CUDA driver API, of CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION: a divisor of the grid; the result is assumed.
    require(grid[d] % cluster[d] == 0, kInvalidValue,
            "the grid of " + showSize(grid) + " is no multiple of the cluster of " + showSize(cluster));
}

static Size requiredCluster(const Function &f) {
  if (f.entry->requiredCluster[0])
    return f.entry->requiredCluster;
  Size size{};
  for (unsigned d = 0; d < 3; ++d)
    size[d] = static_cast<unsigned>(f.settings.requiredCluster[d].value_or(0));
  return size;
}

/// The cluster that the launch has: (1, 1, 1) is none.
static Size chooseCluster(const Function &f, const Size &asked) {
  constexpr unsigned kPortable = 8;
  const bool isAsked = countOf(asked) > 0;
  // Assumed: what a chip without clusters answers.
  require(Configuration::get().major >= 9 || !isAsked, kInvalidValue, "this GPU has no clusters");
  const Size required = requiredCluster(f);
  // Assumed, for the result: "the validity of the cluster dimensions is checked at launch time".
  if (countOf(required) && isAsked)
    require(asked == required, kInvalidClusterSize,
            "the launch asks for clusters of " + showSize(asked) + ", the function for " + showSize(required));
  require(isAsked || countOf(required) || !f.entry->explicitCluster, kInvalidClusterSize,
          "the image has .explicitcluster, and the launch no cluster attribute");
  const Size cluster = isAsked ? asked : countOf(required) ? required : Size{1, 1, 1};
  const uint64_t most = f.settings.nonPortableCluster.value_or(0) ? ptxemu::kMostCluster : kPortable;
  require(countOf(cluster) <= most, kInvalidClusterSize,
          "a cluster of " + showSize(cluster) + " has more than " + std::to_string(most) +
              " CTAs; more than 8 take CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED");
  return cluster;
}

static void checkShared(const Function &f, unsigned dynamic) {
  const uint32_t most = Configuration::get().sharedPerBlockOptIn();
  // Assumed: static shared memory beyond 48 KiB needs no attribute; beyond the device's limit there is no launch.
  require(uint64_t(f.staticShared) + dynamic <= most, kInvalidValue,
          "the kernel takes " + std::to_string(f.staticShared) + " bytes of static and " + std::to_string(dynamic) +
              " of dynamic shared memory, the device has " + std::to_string(most) + " for a block");
  const int allowed = getAttribute(f, kMaxDynamicSharedBytes);
  require(dynamic <= static_cast<unsigned>(allowed), kInvalidValue,
          "the launch asks for " + std::to_string(dynamic) +
              " bytes of dynamic shared memory, and the function's "
              "CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES is " +
              std::to_string(allowed));
}

/// All CTAs of a cooperative launch are on the device at once. By threads and shared memory alone.
static void checkCooperative(const Function &f, const LaunchRequest &request, const Size &cluster) {
  const Configuration &gpu = Configuration::get();
  const uint64_t threads = countOf(f.entry->requiredThreads[0] ? f.entry->requiredThreads : request.block);
  const uint64_t byThreads = static_cast<uint64_t>(*gpu.deviceAttribute(kDeviceThreadsPerMultiprocessor)) / threads;
  const uint64_t shared = f.staticShared + request.sharedBytes + kReservedPerBlock;
  const uint64_t resident =
      std::min(byThreads, gpu.sharedPerMultiprocessor() / shared) * static_cast<uint64_t>(gpu.multiprocessors());
  const uint64_t ctas = countOf(request.grid) * (f.entry->blocksAreClusters ? countOf(cluster) : 1);
  require(ctas <= resident, kCooperativeLaunchTooLarge,
          std::to_string(ctas) + " CTAs of a cooperative launch, and room for " + std::to_string(resident));
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

static std::vector<std::vector<uint8_t>> readParams(const Function &f, void **params) {
  std::vector<std::vector<uint8_t>> arguments;
  for (size_t i = 0; i < f.parameterBytes.size(); ++i) {
    // The real driver does not look, and crashes.
    require(params[i], kInvalidValue, "kernelParams[" + std::to_string(i) + "] is null");
    auto *bytes = static_cast<const uint8_t *>(params[i]);
    arguments.emplace_back(bytes, bytes + f.parameterBytes[i]);
  }
  return arguments;
}

static std::vector<std::vector<uint8_t>> readExtra(const Function &f, void **extra) {
  const uint8_t *buffer = nullptr;
  size_t bytes = 0;
  for (size_t i = 0; reinterpret_cast<uintptr_t>(extra[i]) != kLaunchEnd; i += 2) {
    const uintptr_t key = reinterpret_cast<uintptr_t>(extra[i]);
    require(key == kLaunchBufferPointer || key == kLaunchBufferSize, kInvalidValue, "an unknown key in extra");
    require(extra[i + 1], kInvalidValue, "a null pointer in extra");
    if (key == kLaunchBufferPointer)
      buffer = static_cast<const uint8_t *>(extra[i + 1]);
    else
      std::memcpy(&bytes, extra[i + 1], sizeof bytes);
  }
  // Assumed: a buffer that is larger (padded behind the last parameter to 16 bytes at most) is taken.
  require((buffer || !f.parametersEnd) && bytes >= f.parametersEnd && bytes < f.parametersEnd + 16, kInvalidValue,
          "the buffer in extra has " + std::to_string(bytes) + " bytes, the parameters have " +
              std::to_string(f.parametersEnd));
  std::vector<std::vector<uint8_t>> arguments;
  for (size_t i = 0; i < f.parameterBytes.size(); ++i) {
    const uint8_t *first = buffer + f.parameterOffsets[i];
    arguments.emplace_back(first, first + f.parameterBytes[i]);
  }
  return arguments;
}

static std::vector<std::vector<uint8_t>> readArguments(const Function &f, const LaunchRequest &request) {
  require(!request.kernelParams || !request.extra, kInvalidValue, "both kernelParams and extra are given");
  if (request.extra)
    return readExtra(f, request.extra);
  require(request.kernelParams || f.parameterBytes.empty(), kInvalidValue,
          "the kernel has " + std::to_string(f.parameterBytes.size()) + " parameters, the launch passes none");
  return readParams(f, request.kernelParams);
}

PreparedLaunch prepare(const std::shared_ptr<Function> &function, const LaunchRequest &request) {
  const Function &f = *function;
  checkBlock(f, request.block);
  const Size cluster = chooseCluster(f, request.cluster);
  checkGrid(request.grid, cluster, f.entry->blocksAreClusters);
  checkShared(f, request.sharedBytes);
  if (request.isCooperative)
    checkCooperative(f, request, cluster);
  PreparedLaunch launch{function, {}};
  launch.options.entry = f.name;
  launch.options.grid = request.grid;
  launch.options.block = request.block;
  if (countOf(cluster) > 1 || countOf(request.cluster))
    launch.options.cluster = cluster;
  launch.options.dynamicShared = request.sharedBytes;
  launch.options.arguments = readArguments(f, request);
  const Configuration &gpu = Configuration::get();
  launch.options.multiprocessors = static_cast<unsigned>(gpu.multiprocessors());
  launch.options.threads = gpu.threads;
  launch.options.checkRaces = gpu.sanitizing.races;
  launch.options.checkUninitialized = gpu.sanitizing.uninitialized;
  launch.options.strict = gpu.isStrict;
  launch.options.allowed = gpu.sanitizing.ignored;
  launch.options.print = [](std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  };
  return launch;
}

//===----------------------------------------------------------------------===//
// The launch
//===----------------------------------------------------------------------===//

/// What hardware reports of a mistake; of one that it does not notice, that the kernel failed.
static Result resultOf(const std::string &kind) {
  if (kind == "assertion")
    return kAssert;
  if (kind == "out-of-bounds" || kind == "use-after-free" || kind == "read-only")
    return kIllegalAddress;
  if (kind == "misaligned")
    return kMisalignedAddress;
  // Hardware waits for ever, unless a watchdog ends it.
  if (kind == "deadlock" || kind == "livelock" || kind == "interrupted")
    return kLaunchTimeout;
  // `trap`, too: ggml-org/llama.cpp and others see 719; ROCm/hip issue 233 has seen 715 in 2017.
  return kLaunchFailed;
}

std::string shorten(const std::string &name) {
  constexpr size_t kMost = 44, kEnd = 12;
  return name.size() <= kMost ? name : name.substr(0, kMost - kEnd - 2) + ".." + name.substr(name.size() - kEnd);
}

/// In one line: what cuGetErrorString tells a program of it.
static std::string summarize(const ptxemu::Diagnostic &d, const std::string &kernel) {
  const std::string where = !d.source.empty() ? d.source : d.line ? "PTX line " + std::to_string(d.line) : "";
  return (where.empty() ? "" : where + ": ") + d.kind + " in kernel '" + kernel + "': " + d.message;
}

/// While it lives, memory that a launch is given is called by the number of the parameter, too.
class NamedParameters {
public:
  explicit NamedParameters(const ptxemu::LaunchOptions &options) {
    for (size_t i = 0; i < options.arguments.size(); ++i) {
      uint64_t address = 0;
      if (options.arguments[i].size() != sizeof address)
        continue;
      std::memcpy(&address, options.arguments[i].data(), sizeof address);
      ptxemu::Allocation *allocation = State::get().device.memory().find(address, 0);
      if (!allocation)
        continue;
      names.emplace_back(allocation, allocation->name);
      allocation->name += " (parameter " + std::to_string(i) + ")";
    }
  }
  ~NamedParameters() {
    for (auto it = names.rbegin(); it != names.rend(); ++it)
      it->first->name = it->second;
  }

private:
  std::vector<std::pair<ptxemu::Allocation *, std::string>> names;
};

/// On a terminal, how far a kernel is that takes longer than people wait.
static void showProgress(ptxemu::LaunchOptions &options, const std::string &kernel, bool &isShown) {
  if (!isatty(STDERR_FILENO))
    return;
  options.progress = [name = shorten(kernel), &isShown, seconds = 0](uint64_t done, uint64_t all, uint64_t) mutable {
    constexpr int kPatience = 2; // calls come about once a second
    if (++seconds < kPatience)
      return;
    isShown = true;
    std::fprintf(stderr, "\r\x1b[Kemulated driver: %s: %llu of %llu CTAs", name.c_str(),
                 static_cast<unsigned long long>(done), static_cast<unsigned long long>(all));
  };
}

static ptxemu::LaunchResult emulate(const PreparedLaunch &launch, const ptxemu::Module &module) {
  State &state = State::get();
  ptxemu::LaunchOptions options = launch.options;
  // Before it runs a kernel on several threads the emulator keeps a copy of all memory.
  constexpr uint64_t kMostKept = uint64_t(256) << 20;
  if (state.allocated > kMostKept)
    options.threads = 1;
  const NamedParameters named(launch.options);
  const Interruption interruption;
  options.interrupt = &interruption.flag();
  bool isShown = false;
  showProgress(options, launch.function->name, isShown);
  ptxemu::LaunchResult result = ptxemu::launch(state.device, module, options);
  if (isShown)
    std::fputs("\r\x1b[K", stderr);
  return result;
}

static void report(const ptxemu::Diagnostic &d) {
  // Where every warp stands is of interest to nobody who has just had enough.
  say(d.kind == "interrupted" ? "kernel '" + d.kernel + "' was interrupted; the context is lost" : d.render());
}

void runKernel(const PreparedLaunch &launch, Context &context) {
  auto module = launch.function->module.lock();
  if (!module) // unloaded behind the launch's back, with its context
    return;
  auto lose = [&](Result result, const std::string &why) {
    context.lost = result;
    context.why = "kernel '" + launch.function->name + "': " + why;
  };
  try {
    estimateLaunch(launch);
    const ptxemu::LaunchResult result = emulate(launch, module->parsed);
    noteLaunch(launch, result);
    for (const ptxemu::Diagnostic &d : result.diagnostics)
      report(d);
    if (result.ok())
      return;
    const ptxemu::Diagnostic &first = result.diagnostics[0];
    lose(resultOf(first.kind), first.kind + ": " + first.message);
    explainResult(context.lost, summarize(first, launch.function->name));
  } catch (const ptxemu::InputError &error) {
    say("error: the emulator does not run '" + launch.function->name + "': " + error.what());
    lose(kLaunchFailed, error.what());
    explainResult(kLaunchFailed, context.why);
  }
}

static void launchOn(void *streamHandle, void *function, LaunchRequest request, const LaunchAttribute *attributes,
                     unsigned count) {
  auto stream = findStream(streamHandle);
  require(attributes || !count, kInvalidValue, "attributes are null");
  for (unsigned i = 0; i < count; ++i)
    request.apply(attributes[i]);
  auto launch = prepare(functionToLaunch(function, stream->context), request);
  if (stream->capture) {
    NodeWork work;
    work.type = kKernelNode;
    work.launch = launch;
    work.context = stream->context;
    work.cluster = request.cluster;
    return captureNode(*stream, std::move(work));
  }
  enqueueNow(stream, [launch, context = stream->context] { runKernel(launch, *context); });
}

static Result launchKernel(const char *name, void *function, const Size &grid, const Size &block, unsigned sharedBytes,
                           void *stream, void **params, void **extra, bool isCooperative) {
  return call(name, [&] {
    LaunchRequest request(grid.data(), block.data(), sharedBytes, params, extra);
    request.isCooperative = isCooperative;
    launchOn(stream, function, request, nullptr, 0);
  });
}

static Result launchKernelEx(const LaunchConfig *config, void *function, void **params, void **extra) {
  return call("cuLaunchKernelEx", [&] {
    require(config, kInvalidValue, "a null configuration");
    launchOn(config->stream, function, LaunchRequest(config->grid, config->block, config->sharedBytes, params, extra),
             config->attributes, config->attributeCount);
  });
}

} // namespace emudriver

EMULATED_CUDA_API cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                 unsigned bz, unsigned sharedBytes, void *stream, void **params, void **extra) {
  return launchKernel("cuLaunchKernel", function, {gx, gy, gz}, {bx, by, bz}, sharedBytes, stream, params, extra,
                      false);
}
EMULATED_CUDA_API cuLaunchKernel_ptsz(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                      unsigned bz, unsigned sharedBytes, void *stream, void **params, void **extra) {
  PerThreadScope perThread;
  return launchKernel("cuLaunchKernel", function, {gx, gy, gz}, {bx, by, bz}, sharedBytes, stream, params, extra,
                      false);
}
EMULATED_CUDA_API cuLaunchCooperativeKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                                            unsigned by, unsigned bz, unsigned sharedBytes, void *stream,
                                            void **params) {
  return launchKernel("cuLaunchCooperativeKernel", function, {gx, gy, gz}, {bx, by, bz}, sharedBytes, stream, params,
                      nullptr, true);
}
EMULATED_CUDA_API cuLaunchKernelEx(const LaunchConfig *config, void *function, void **params, void **extra) {
  return launchKernelEx(config, function, params, extra);
}
EMULATED_CUDA_API cuLaunchKernelEx_ptsz(const LaunchConfig *config, void *function, void **params, void **extra) {
  PerThreadScope perThread;
  return launchKernelEx(config, function, params, extra);
}

//===----------------------------------------------------------------------===//
// Occupancy
//===----------------------------------------------------------------------===//

namespace emudriver {

static int residentBlocks(const Function &f, int threads, size_t dynamicShared) {
  const Configuration &gpu = Configuration::get();
  const int registers = (getAttribute(f, kRegisters) + 7) / 8 * 8, warps = (threads + 31) / 32;
  const uint64_t shared = f.staticShared + dynamicShared + kReservedPerBlock;
  return std::min({*gpu.deviceAttribute(kDeviceBlocksPerMultiprocessor),
                   *gpu.deviceAttribute(kDeviceThreadsPerMultiprocessor) / threads,
                   65536 / (std::max(registers, 8) * warps * 32),
                   static_cast<int>(gpu.sharedPerMultiprocessor() / shared)});
}

} // namespace emudriver

EMULATED_CUDA_API cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *handle, int threads,
                                                              size_t dynamicShared) {
  return call("cuOccupancyMaxActiveBlocksPerMultiprocessor", [&] {
    require(blocks && threads > 0, kInvalidValue, "a null pointer, or no threads");
    *blocks = residentBlocks(*functionToLaunch(handle, currentContext()), threads, dynamicShared);
  });
}

EMULATED_CUDA_API cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, void *function, int threads,
                                                                       size_t dynamicShared, unsigned flags) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, dynamicShared);
}

EMULATED_CUDA_API cuOccupancyMaxPotentialBlockSize(int *grid, int *block, void *handle, size_t (*sharedOf)(int),
                                                   size_t dynamicShared, int limit) {
  return call("cuOccupancyMaxPotentialBlockSize", [&] {
    require(grid && block, kInvalidValue, "a null pointer");
    auto f = functionToLaunch(handle, currentContext());
    const int most = getAttribute(*f, kMaxThreadsPerBlock), step = 32;
    int best = 0, resident = 0;
    for (int threads = limit > 0 ? std::min(limit, most) : most; threads > 0; threads -= std::min(threads, step)) {
      const int blocks = residentBlocks(*f, threads, sharedOf ? sharedOf(threads) : dynamicShared);
      if (blocks * threads > best * resident)
        best = threads, resident = blocks;
    }
    *block = best;
    *grid = resident * Configuration::get().multiprocessors();
  });
}

EMULATED_CUDA_API cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, void *function,
                                                            size_t (*sharedOf)(int), size_t dynamicShared, int limit,
                                                            unsigned flags) {
  return cuOccupancyMaxPotentialBlockSize(grid, block, function, sharedOf, dynamicShared, limit);
}

EMULATED_CUDA_API cuOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, void *handle, int blocks, int threads) {
  return call("cuOccupancyAvailableDynamicSMemPerBlock", [&] {
    require(bytes && blocks > 0 && threads > 0, kInvalidValue, "a null pointer, no blocks or no threads");
    auto f = functionToLaunch(handle, currentContext());
    const Configuration &gpu = Configuration::get();
    const uint64_t each = gpu.sharedPerMultiprocessor() / static_cast<unsigned>(blocks);
    const uint64_t taken = f->staticShared + kReservedPerBlock;
    *bytes = std::min<uint64_t>(each > taken ? each - taken : 0, gpu.sharedPerBlockOptIn() - f->staticShared);
  });
}

EMULATED_CUDA_API cuOccupancyMaxPotentialClusterSize(int *size, void *handle, const LaunchConfig *config) {
  return call("cuOccupancyMaxPotentialClusterSize", [&] {
    require(size && config, kInvalidValue, "a null pointer");
    auto f = functionToLaunch(handle, currentContext());
    const bool isNonPortable = getAttribute(*f, kNonPortableClusterSizeAllowed) != 0;
    require(Configuration::get().major >= 9, kInvalidValue, "this GPU has no clusters");
    *size = isNonPortable ? static_cast<int>(ptxemu::kMostCluster) : 8;
  });
}

EMULATED_CUDA_API cuOccupancyMaxActiveClusters(int *clusters, void *handle, const LaunchConfig *config) {
  return call("cuOccupancyMaxActiveClusters", [&] {
    require(clusters && config, kInvalidValue, "a null pointer");
    auto f = functionToLaunch(handle, currentContext());
    LaunchRequest request(config->grid, config->block, config->sharedBytes, nullptr, nullptr);
    for (unsigned i = 0; i < config->attributeCount; ++i)
      request.apply(config->attributes[i]);
    const uint64_t ctas = countOf(chooseCluster(*f, request.cluster));
    const auto &block = f->entry->requiredThreads[0] ? f->entry->requiredThreads : request.block;
    const int resident = residentBlocks(*f, static_cast<int>(countOf(block)), config->sharedBytes);
    *clusters = static_cast<int>(static_cast<uint64_t>(resident * Configuration::get().multiprocessors()) / ctas);
  });
}
