//===- Kernel.cpp - Launches a kernel -------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverError.h"
#include "Module.h"
#include <algorithm>

using namespace tileiras;
using namespace tileiras::launch;

static std::string quote(const std::string &name) {
  return "kernel '" + name + "'";
}

void TileirasKernel::prepare() {
  const cuda::Driver &driver = module->driver;
  enterContext(driver, module->context);
  cuda::Function found = nullptr;
  cuda::Result result = driver.getFunction(&found, module->handle, metadata->name.c_str());
  if (result == cuda::kNotFound)
    throw Failure{TILEIRAS_LAUNCH_ERROR_NOT_FOUND,
                  "the metadata names " + quote(metadata->name) +
                      ", which the cubin does not have: they are of different compilations",
                  result};
  check(driver, result, "cuModuleGetFunction", "cannot get " + quote(metadata->name));
  cluster.id = cuda::kClusterDimension;
  std::copy(metadata->clusterSize.begin(), metadata->clusterSize.end(), cluster.value.dimensions);
  function = found;
  try {
    allowShared();
    allowCluster();
    if (!metadata->tensorMaps.empty())
      module->placeEmptyArrays();
  } catch (...) {
    function = nullptr; // who asks again gets the same answer
    throw;
  }
}

/// The driver refuses launches of more than 48 KiB, static shared memory included, unless they were announced.
void TileirasKernel::allowShared() const {
  const cuda::Driver &driver = module->driver;
  if (metadata->dynamicSharedBytes == 0)
    return;
  cuda::Result result = driver.setFunctionAttribute(function, cuda::kMaximumDynamicShared,
                                                    static_cast<int>(metadata->dynamicSharedBytes));
  cuda::Device device = 0;
  int most = 0, statically = 0;
  if (result == cuda::kInvalidValue && driver.contextDevice(&device) == 0 &&
      driver.deviceAttribute(&most, cuda::kMaximumSharedPerBlockOptIn, device) == 0 &&
      driver.functionAttribute(&statically, cuda::kStaticSharedBytes, function) == 0)
    throw Failure{TILEIRAS_LAUNCH_ERROR_DRIVER,
                  quote(metadata->name) + " needs " + std::to_string(metadata->dynamicSharedBytes) +
                      " bytes of dynamic shared memory besides " + std::to_string(statically) +
                      " static ones, this GPU gives a block " + std::to_string(most) +
                      ": compile with smaller tiles, or for this GPU",
                  result};
  check(driver, result, "cuFuncSetAttribute", "cannot give " + quote(metadata->name) + " its shared memory");
}

/// Clusters that not every GPU has are refused, too, unless they were announced.
void TileirasKernel::allowCluster() const {
  constexpr uint32_t portable = 8;
  const Dimensions &size = metadata->clusterSize;
  if (size[0] * size[1] * size[2] > portable)
    check(module->driver, module->driver.setFunctionAttribute(function, cuda::kNonPortableClusterAllowed, 1),
          "cuFuncSetAttribute", "cannot give " + quote(metadata->name) + " its cluster size");
}

void tileiras::launch::checkArguments(const KernelMetadata &kernel, const void *const *arguments, size_t count) {
  if (count != kernel.parameters.size())
    throw Failure{TILEIRAS_LAUNCH_ERROR_INVALID_ARGUMENT,
                  quote(kernel.name) + " has " + std::to_string(kernel.parameters.size()) + " parameters, " +
                      std::to_string(count) + " arguments were given"};
  if (count && !arguments)
    throw Failure{TILEIRAS_LAUNCH_ERROR_INVALID_ARGUMENT, "arguments is null"};
  for (size_t i = 0; i < count; ++i)
    if (!arguments[i])
      throw Failure{TILEIRAS_LAUNCH_ERROR_INVALID_ARGUMENT,
                    "arguments[" + std::to_string(i) + "] is null; it has to point to a value of " +
                        std::to_string(kernel.parameters[i].bytes) + " bytes (" + kernel.parameters[i].type + ")"};
}

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

std::string tileiras::launch::explainTensorMap(const KernelMetadata &kernel, size_t map,
                                               const TensorMapArguments &arguments) {
  return "cannot build tensor map " + std::to_string(map) + " of " + quote(kernel.name) + " (" + arguments.print() +
         "): the arguments have to be as the program assumes, addresses and strides multiples of 16 bytes";
}

std::vector<cuda::TensorMap> TileirasKernel::encodeTensorMaps(const void *const *arguments) const {
  const cuda::Driver &driver = module->driver;
  std::vector<cuda::TensorMap> maps(metadata->tensorMaps.size());
  for (size_t i = 0; i < maps.size(); ++i) {
    TensorMapArguments a = computeTensorMap(*metadata, metadata->tensorMaps[i], arguments, module->emptyArrays);
    cuda::Result result =
        driver.encodeTiled(&maps[i], a.dataType, a.rank, reinterpret_cast<void *>(a.globalAddress), a.globalDim.data(),
                           a.globalStrides.data(), a.boxDim.data(), a.elementStrides.data(), a.interleave, a.swizzle,
                           a.l2Promotion, a.oobFill);
    if (result != 0)
      check(driver, result, "cuTensorMapEncodeTiled", explainTensorMap(*metadata, i, a));
  }
  return maps;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

cuda::LaunchConfig TileirasKernel::configure(const uint32_t grid[3]) const {
  static constexpr uint64_t limits[] = {2147483647, 65535, 65535};
  cuda::LaunchConfig config{};
  for (int d = 0; d < 3; ++d) {
    uint64_t ctas = uint64_t{grid[d]} * metadata->clusterSize[d];
    if (ctas == 0 || ctas > limits[d])
      throw Failure{TILEIRAS_LAUNCH_ERROR_INVALID_ARGUMENT,
                    std::string("the grid has ") + std::to_string(grid[d]) + " tile blocks in dimension " + "xyz"[d] +
                        "; it can have 1 to " + std::to_string(limits[d] / metadata->clusterSize[d])};
    bool counted = metadata->launchBlocks == LaunchBlocks::Clusters;
    config.grid[d] = counted ? grid[d] : static_cast<uint32_t>(ctas);
    config.block[d] = metadata->launchBlockSize[d];
  }
  config.sharedBytes = metadata->dynamicSharedBytes;
  return config;
}

/// A kernel that does not wait would read what the one before it still writes.
void TileirasKernel::requireWait() const {
  if (!metadata->waitsForGrids)
    throw Failure{TILEIRAS_LAUNCH_ERROR_INVALID_ARGUMENT,
                  quote(metadata->name) +
                      " does not wait for the grids before it, and cannot overlap with them: compile "
                      "it with --set pdl=auto for sm_90 or later, or let the program wait"};
}

void TileirasKernel::launch(const uint32_t grid[3], const void *const *arguments, size_t count, void *stream,
                            bool overlaps) const {
  checkArguments(*metadata, arguments, count);
  cuda::LaunchConfig config = configure(grid);
  cuda::LaunchAttribute attributes[2];
  config.stream = stream;
  config.attributes = attributes;
  if (metadata->launchBlocks == LaunchBlocks::Threads && metadata->hasCluster())
    attributes[config.attributeCount++] = cluster;
  if (overlaps) {
    requireWait();
    cuda::LaunchAttribute &serialization = attributes[config.attributeCount++];
    serialization.id = cuda::kProgrammaticStreamSerialization;
    serialization.value.flag = 1;
  }
  enterContext(module->driver, module->context);
  std::vector<cuda::TensorMap> maps = encodeTensorMaps(arguments);
  std::vector<const void *> all;
  if (!maps.empty()) {
    all.assign(arguments, arguments + count);
    for (const cuda::TensorMap &map : maps)
      all.push_back(&map);
    arguments = all.data();
  }
  // The driver reads the values only.
  cuda::Result result = module->driver.launch(&config, function, const_cast<void **>(arguments), nullptr);
  if (result != 0)
    check(module->driver, result, "cuLaunchKernelEx", "cannot launch " + quote(metadata->name) + explainLaunch(result));
}

/// What was asked for, where the driver may have refused that.
std::string TileirasKernel::explainLaunch(cuda::Result result) const {
  cuda::Context context = nullptr;
  if (module->driver.currentContext(&context) == 0 && context != module->context)
    return " (the thread's context is not the one that the module was loaded into: make that one current)";
  if (cuda::isSticky(result))
    return "";
  const Dimensions &block = metadata->blockSize, &cluster = metadata->clusterSize;
  return " (" + std::to_string(block[0] * block[1] * block[2]) + " threads a block, " +
         std::to_string(cluster[0] * cluster[1] * cluster[2]) + " blocks a cluster, " +
         std::to_string(metadata->dynamicSharedBytes) + " bytes of dynamic shared memory)";
}

TileirasKernelInfo TileirasKernel::info() const {
  const cuda::Driver &driver = module->driver;
  enterContext(driver, module->context);
  TileirasKernelInfo info{};
  info.name = metadata->name.c_str();
  info.parameterCount = static_cast<uint32_t>(parameterBytes.size());
  info.parameterBytes = parameterBytes.data();
  std::copy(metadata->blockSize.begin(), metadata->blockSize.end(), info.blockSize);
  std::copy(metadata->clusterSize.begin(), metadata->clusterSize.end(), info.clusterSize);
  std::copy(metadata->launchBlockSize.begin(), metadata->launchBlockSize.end(), info.launchBlockSize);
  info.dynamicSharedBytes = metadata->dynamicSharedBytes;
  info.waitsForGrids = metadata->waitsForGrids;
  info.launchesGrids = metadata->launchesGrids;
  auto ask = [&](cuda::FunctionAttribute attribute) {
    int value = 0;
    check(driver, driver.functionAttribute(&value, attribute, function), "cuFuncGetAttribute",
          "cannot ask about " + quote(metadata->name));
    return static_cast<uint32_t>(value);
  };
  info.staticSharedBytes = ask(cuda::kStaticSharedBytes);
  info.registers = ask(cuda::kRegisters);
  info.localBytes = ask(cuda::kLocalBytes);
  int blocks = 0;
  uint32_t threads = info.blockSize[0] * info.blockSize[1] * info.blockSize[2];
  // Not everybody's images let the driver answer; that is no reason to hold back the rest.
  if (driver.occupancy(&blocks, function, static_cast<int>(threads), info.dynamicSharedBytes) == 0)
    info.blocksPerMultiprocessor = static_cast<uint32_t>(blocks);
  return info;
}
