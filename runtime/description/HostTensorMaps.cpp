//===- HostTensorMaps.cpp - Tensor maps that a launch builds --------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostTensorMaps.h"
#include "LaunchError.h"
#include "TensorMaps.h"
#include "llvm/ADT/STLExtras.h"

namespace tileiras {

static ptxemu::TensorMap toEmulator(const launch::TensorMapArguments &arguments) {
  using ptxemu::TensorMap;
  // In the order of CUtensorMapDataType.
  static constexpr TensorMap::Element kElements[] = {
      TensorMap::U8,  TensorMap::U16, TensorMap::U32, TensorMap::S32,  TensorMap::U64,    TensorMap::S64,
      TensorMap::F16, TensorMap::F32, TensorMap::F64, TensorMap::BF16, TensorMap::F32Ftz, TensorMap::TF32};
  TensorMap map;
  map.address = arguments.globalAddress;
  map.rank = arguments.rank;
  map.element = kElements[arguments.dataType];
  map.interleave = static_cast<TensorMap::Interleave>(arguments.interleave);
  map.swizzle = static_cast<TensorMap::Swizzle>(arguments.swizzle);
  map.fill = static_cast<TensorMap::Fill>(arguments.oobFill);
  llvm::copy(arguments.globalDim, map.size.begin());
  map.stride = arguments.globalStrides;
  map.box = arguments.boxDim;
  map.elementStride = arguments.elementStrides;
  return map;
}

std::vector<ptxemu::TensorMap> computeTensorMaps(const launch::KernelMetadata &kernel,
                                                 const std::vector<std::vector<uint8_t>> &arguments,
                                                 ptxemu::DeviceMemory &memory) {
  std::vector<const void *> values;
  for (const std::vector<uint8_t> &argument : arguments)
    values.push_back(argument.data());
  uint64_t emptyArrays = 0;
  if (launch::needsEmptyArrays(kernel, values.data())) {
    const launch::EmptyArrays contents = launch::getEmptyArrays();
    emptyArrays = memory.allocate(contents.size(), "arrays without elements");
    memory.write(emptyArrays, contents.data(), contents.size());
  }
  std::vector<ptxemu::TensorMap> maps;
  for (const launch::TensorMapMetadata &map : kernel.tensorMaps)
    maps.push_back(toEmulator(launch::computeTensorMap(kernel, map, values.data(), emptyArrays)));
  return maps;
}

std::string readMetadata(ptxemu::Device &device, const ptxemu::Module &module) {
  const auto range = device.findVariable(module, std::string(launch::kMetadataSymbol));
  std::string text(range.size, '\0');
  if (range.size)
    device.read(range.address, text.data(), text.size());
  return text;
}

void applyMetadata(const launch::KernelMetadata &kernel, ptxemu::LaunchOptions &options) {
  options.entry = kernel.name;
  options.dynamicShared = kernel.dynamicSharedBytes;
  options.block = options.cluster = {0, 0, 0};
  // The image says the rest itself.
  if (kernel.launchBlocks == launch::LaunchBlocks::Clusters)
    return;
  options.block = kernel.blockSize;
  if (kernel.hasCluster())
    options.cluster = kernel.clusterSize;
  for (size_t i = 0; i < options.grid.size(); ++i)
    options.grid[i] *= kernel.clusterSize[i];
}

void appendTensorMaps(ptxemu::Device &device, const ptxemu::Module &module, ptxemu::LaunchOptions &options) {
  const std::string text = readMetadata(device, module);
  // Cheaper than to read all of it, for the many that have none.
  if (text.find("\"tensor_maps\"") == std::string::npos)
    return;
  std::string error;
  const std::optional<launch::Metadata> metadata = launch::parseMetadata(text, error);
  if (!metadata)
    throw LaunchError(module.name() + ": " + error);
  for (const launch::KernelMetadata &kernel : metadata->kernels) {
    const bool isMeant = kernel.name == options.entry || (options.entry.empty() && metadata->kernels.size() == 1);
    if (!isMeant || options.arguments.size() != kernel.parameters.size())
      continue;
    for (size_t i = 0; i < kernel.parameters.size(); ++i)
      if (options.arguments[i].size() != kernel.parameters[i].bytes)
        return; // The launch will say so.
    for (const ptxemu::TensorMap &map : computeTensorMaps(kernel, options.arguments, device)) {
      const auto bytes = map.encode();
      options.arguments.emplace_back(bytes.begin(), bytes.end());
    }
    return;
  }
}

} // namespace tileiras
