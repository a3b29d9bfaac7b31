//===- GpuKernel.cpp - A kernel on the GPU, ready to be launched ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuKernel.h"
#include "RunError.h"
#include "TensorMaps.h"
#include "tileiras/Launch/tileiras-launch.h"
#include "llvm/Support/Regex.h"

namespace tileiras::run {

namespace {

std::vector<const void *> toPointers(const std::vector<std::vector<uint8_t>> &arguments) {
  std::vector<const void *> pointers;
  for (const std::vector<uint8_t> &argument : arguments)
    pointers.push_back(argument.data());
  return pointers;
}

//===----------------------------------------------------------------------===//
// Cubins
//===----------------------------------------------------------------------===//

/// What the launch library reports: an input that cannot be run, or what a kernel did.
void check(TileirasLaunchStatus status) {
  if (status == TILEIRAS_LAUNCH_SUCCESS)
    return;
  if (status == TILEIRAS_LAUNCH_ERROR_DRIVER)
    throw cuda::Error(tileirasLaunchGetDriverResult(), tileirasLaunchGetErrorText());
  throw RunError(Exit::BadInput, tileirasLaunchGetErrorText());
}

class LibraryKernel : public GpuKernel {
public:
  LibraryKernel(const Kernel &source, const std::string &entry, const Gpu &gpu)
      : threadsPerMultiprocessor(static_cast<uint32_t>(gpu.attribute(cuda::kMaximumThreadsPerMultiprocessor))) {
    TileirasModule *loaded = nullptr;
    check(tileirasModuleLoad(&loaded, source.cubin.data(), source.cubin.size(), source.metadataText.c_str()));
    module.reset(loaded);
    check(tileirasModuleGetKernel(loaded, entry.empty() ? nullptr : entry.c_str(), &kernel));
  }

  void launch(const std::array<unsigned, 3> &grid, const std::vector<std::vector<uint8_t>> &arguments) override {
    const std::vector<const void *> pointers = toPointers(arguments);
    check(tileirasLaunch(kernel, grid.data(), pointers.data(), pointers.size(), nullptr));
  }

  Resources getResources() const override {
    TileirasKernelInfo info{};
    info.structSize = sizeof(info);
    check(tileirasKernelGetInfo(kernel, &info));
    Resources resources;
    resources.source = "driver";
    resources.registers = info.registers;
    resources.localBytes = info.localBytes;
    resources.staticSharedBytes = info.staticSharedBytes;
    resources.dynamicSharedBytes = info.dynamicSharedBytes;
    resources.threads = info.blockSize[0] * info.blockSize[1] * info.blockSize[2];
    resources.ctasPerMultiprocessor = info.blocksPerMultiprocessor;
    resources.threadsPerMultiprocessor = threadsPerMultiprocessor;
    return resources;
  }

private:
  std::unique_ptr<TileirasModule, decltype(&tileirasModuleUnload)> module{nullptr, tileirasModuleUnload};
  const TileirasKernel *kernel = nullptr;
  uint32_t threadsPerMultiprocessor;
};

//===----------------------------------------------------------------------===//
// PTX
//===----------------------------------------------------------------------===//

/// What an entry says about its launch.
struct Directives {
  std::string entry;
  std::array<unsigned, 3> threads{0, 0, 0}, cluster{0, 0, 0}; ///< zeros: nothing
  bool blocksAreClusters = false;
};

std::array<unsigned, 3> findSizes(llvm::StringRef text, llvm::StringRef directive) {
  std::array<unsigned, 3> sizes{0, 0, 0};
  const size_t at = text.find(directive);
  if (at == llvm::StringRef::npos)
    return sizes;
  sizes = {1, 1, 1};
  text = text.drop_front(at + directive.size());
  for (unsigned &size : sizes) {
    text = text.ltrim();
    if (text.consumeInteger(10, size) || !text.ltrim().starts_with(","))
      break;
    text = text.ltrim().drop_front();
  }
  return sizes;
}

/// Reads the directives between the parameters of an entry and its body.
Directives readDirectives(const Kernel &kernel, const std::string &entry) {
  llvm::Regex header("\\.entry[ \t\r\n]+" +
                     (entry.empty() ? "([A-Za-z0-9_$%]+)" : "(" + llvm::Regex::escape(entry) + ")") +
                     "[ \t\r\n]*(\\([^)]*\\))?([^{]*)\\{");
  llvm::SmallVector<llvm::StringRef> groups;
  if (!header.match(kernel.ptx, &groups))
    throw RunError(Exit::BadInput, kernel.file + (entry.empty() ? " has no .entry" : " has no entry '" + entry + "'"));
  Directives directives;
  directives.entry = groups[1].str();
  directives.threads = findSizes(groups[3], ".reqntid");
  directives.cluster = findSizes(groups[3], ".reqnctapercluster");
  directives.blocksAreClusters = groups[3].contains(".blocksareclusters");
  return directives;
}

class PtxKernel : public GpuKernel {
public:
  PtxKernel(const Kernel &kernel, const ptxemu::LaunchOptions &shape, const Gpu &gpu)
      : driver(gpu.driver), directives(readDirectives(kernel, shape.entry)),
        threadsPerMultiprocessor(gpu.attribute(cuda::kMaximumThreadsPerMultiprocessor)) {
    readShape(kernel, shape);
    // Null-terminated, as the driver wants text to be.
    cuda::Module loaded = nullptr;
    if (cuda::Result result = driver.loadModule(&loaded, kernel.ptx.c_str()))
      throw RunError(Exit::BadInput, "the GPU (" + gpu.gpuName + ") cannot load " + kernel.file + ": " +
                                         driver.describe(result, "cuModuleLoadData") + "; ptxas -arch=" + gpu.gpuName +
                                         " says what is wrong with the PTX");
    module = {loaded, driver.unloadModule};
    driver.check(driver.getFunction(&function, loaded, directives.entry.c_str()), "cuModuleGetFunction");
    if (config.sharedBytes)
      driver.check(
          driver.setFunctionAttribute(function, cuda::kMaximumDynamicShared, static_cast<int>(config.sharedBytes)),
          "cuFuncSetAttribute");
  }

  void launch(const std::array<unsigned, 3> &grid, const std::vector<std::vector<uint8_t>> &arguments) override {
    cuda::LaunchConfig launched = config;
    for (size_t i = 0; i < grid.size(); ++i)
      launched.grid[i] = grid[i] * ctasPerTileBlock[i];
    cuda::LaunchAttribute attribute = cluster;
    launched.attributes = &attribute;
    std::vector<const void *> pointers = toPointers(arguments);
    const std::vector<cuda::TensorMap> maps = encodeTensorMaps(pointers);
    for (const cuda::TensorMap &map : maps)
      pointers.push_back(&map);
    driver.check(driver.launch(&launched, function, const_cast<void **>(pointers.data()), nullptr), "cuLaunchKernelEx");
  }

  Resources getResources() const override {
    auto ask = [&](cuda::FunctionAttribute attribute) {
      int value = 0;
      driver.check(driver.functionAttribute(&value, attribute, function), "cuFuncGetAttribute");
      return static_cast<uint32_t>(value);
    };
    Resources resources;
    resources.source = "driver";
    resources.registers = ask(cuda::kRegisters);
    resources.localBytes = ask(cuda::kLocalBytes);
    resources.staticSharedBytes = ask(cuda::kStaticSharedBytes);
    resources.dynamicSharedBytes = config.sharedBytes;
    resources.threads = threads;
    int ctas = 0;
    driver.check(driver.occupancy(&ctas, function, static_cast<int>(threads), config.sharedBytes),
                 "cuOccupancyMaxActiveBlocksPerMultiprocessor");
    resources.ctasPerMultiprocessor = static_cast<uint32_t>(ctas);
    resources.threadsPerMultiprocessor = static_cast<uint32_t>(threadsPerMultiprocessor);
    return resources;
  }

private:
  /// What the driver is told, from the description, the entry, and what the compiler has said.
  void readShape(const Kernel &kernel, ptxemu::LaunchOptions shape) {
    metadata = kernel.findMetadata(directives.entry);
    if (metadata) {
      shape.grid = {1, 1, 1};
      applyMetadata(kernel, shape);
      ctasPerTileBlock = shape.grid;
    }
    std::array<unsigned, 3> block = shape.block[0] ? shape.block : directives.threads;
    if (!block[0])
      throw RunError(Exit::BadInput,
                     "'" + directives.entry + "' has no .reqntid: the launch, or --block, must give a block size");
    threads = block[0] * block[1] * block[2];
    if (directives.blocksAreClusters)
      block = {1, 1, 1};
    std::copy(block.begin(), block.end(), config.block);
    config.sharedBytes = shape.dynamicShared;
    if (!shape.cluster[0] || directives.cluster[0]) // what the image says itself needs no attribute
      return;
    cluster.id = cuda::kClusterDimension;
    std::copy(shape.cluster.begin(), shape.cluster.end(), cluster.value.dimensions);
    config.attributeCount = 1;
  }

  /// Those that the kernel takes behind the arguments.
  std::vector<cuda::TensorMap> encodeTensorMaps(const std::vector<const void *> &arguments) {
    std::vector<cuda::TensorMap> maps(metadata ? metadata->tensorMaps.size() : 0);
    if (!maps.empty() && !emptyArrays)
      emptyArrays = placeEmptyArrays();
    for (size_t i = 0; i < maps.size(); ++i) {
      const launch::TensorMapArguments a =
          launch::computeTensorMap(*metadata, metadata->tensorMaps[i], arguments.data(), *emptyArrays);
      driver.check(driver.encodeTiled(&maps[i], a.dataType, a.rank, reinterpret_cast<void *>(a.globalAddress),
                                      a.globalDim.data(), a.globalStrides.data(), a.boxDim.data(),
                                      a.elementStrides.data(), a.interleave, a.swizzle, a.l2Promotion, a.oobFill),
                   "cuTensorMapEncodeTiled");
    }
    return maps;
  }

  /// Freed with the context.
  cuda::DevicePointer placeEmptyArrays() const {
    const launch::EmptyArrays contents = launch::getEmptyArrays();
    cuda::DevicePointer place = 0;
    driver.check(driver.allocate(&place, contents.size()), "cuMemAlloc");
    driver.check(driver.toDevice(place, contents.data(), contents.size()), "cuMemcpyHtoD");
    return place;
  }

  const cuda::Driver &driver;
  const Directives directives;
  const launch::KernelMetadata *metadata = nullptr; ///< null: another compiler's
  std::optional<cuda::DevicePointer> emptyArrays;
  cuda::LaunchConfig config{};
  cuda::LaunchAttribute cluster;
  std::array<unsigned, 3> ctasPerTileBlock{1, 1, 1};
  std::unique_ptr<void, cuda::Result (*)(cuda::Module)> module{nullptr, nullptr};
  cuda::Function function = nullptr;
  unsigned threads = 0;
  int threadsPerMultiprocessor;
};

} // namespace

std::unique_ptr<GpuKernel> loadOnGpu(const Kernel &kernel, const ptxemu::LaunchOptions &shape, const Gpu &gpu) {
  if (kernel.form == Kernel::Ptx)
    return std::make_unique<PtxKernel>(kernel, shape, gpu);
  return std::make_unique<LibraryKernel>(kernel, shape.entry, gpu);
}

} // namespace tileiras::run
