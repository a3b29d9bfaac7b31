//===- HostTensorMaps.h - Tensor maps that a launch builds ------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_RUNTIME_DESCRIPTION_HOSTTENSORMAPS_H
#define TILEIRAS_RUNTIME_DESCRIPTION_HOSTTENSORMAPS_H

#include "Metadata.h"
#include "ptx-emulator/Emulator.h"
#include "ptx-emulator/TensorMap.h"

namespace tileiras {

/// What our compiler leaves of its metadata in the module, as JSON; empty where there is nothing.
std::string readMetadata(ptxemu::Device &device, const ptxemu::Module &module);

/// What a launch that counts tile blocks passes for a kernel of our compiler: entry, block, cluster, grid in CTAs,
/// shared memory.
void applyMetadata(const launch::KernelMetadata &kernel, ptxemu::LaunchOptions &options);

/// The tensor maps that `kernel` takes behind the program's parameters, whose values `arguments` are.
std::vector<ptxemu::TensorMap> computeTensorMaps(const launch::KernelMetadata &kernel,
                                                 const std::vector<std::vector<uint8_t>> &arguments,
                                                 ptxemu::DeviceMemory &memory);

/// Adds to the arguments of `options` the tensor maps that the entry's metadata, which our compiler leaves in the
/// module, asks for; nothing where it asks for none, or all parameters have arguments. Throws LaunchError where the
/// metadata is malformed.
void appendTensorMaps(ptxemu::Device &device, const ptxemu::Module &module, ptxemu::LaunchOptions &options);

} // namespace tileiras

#endif // TILEIRAS_RUNTIME_DESCRIPTION_HOSTTENSORMAPS_H
