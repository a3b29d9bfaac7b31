//===- TensorMaps.h - Tensor maps that a launch passes ----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From what the metadata says, and the values of the program's parameters, to what cuTensorMapEncodeTiled is told. No
// driver is needed for that.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LAUNCH_TENSORMAPS_H
#define TILEIRAS_LAUNCH_TENSORMAPS_H

#include "Metadata.h"

namespace tileiras::launch {

inline constexpr size_t kTensorMapBytes = 128, kTensorMapAlignment = 64;

/// The arguments of cuTensorMapEncodeTiled.
struct TensorMapArguments {
  int dataType = 0, interleave = 0, swizzle = 0, l2Promotion = 0, oobFill = 0;
  uint32_t rank = 0;
  uint64_t globalAddress = 0;
  std::array<uint64_t, 5> globalDim{};
  std::array<uint64_t, 4> globalStrides{};
  std::array<uint32_t, 5> boxDim{}, elementStrides{};

  std::string print() const;
};

/// What stands in device memory for arrays without elements, which no tensor map can describe: what is read from one is
/// there, and nobody reads what is written to one. At a multiple of 16.
using EmptyArrays = std::array<uint8_t, 48>;
EmptyArrays getEmptyArrays();

/// `arguments`: where the value of each of the program's parameters is. `emptyArrays`: the device's address of such.
TensorMapArguments computeTensorMap(const KernelMetadata &kernel, const TensorMapMetadata &map,
                                    const void *const *arguments, uint64_t emptyArrays);

/// Whether this launch has a map of an array without elements.
bool needsEmptyArrays(const KernelMetadata &kernel, const void *const *arguments);

} // namespace tileiras::launch

#endif // TILEIRAS_LAUNCH_TENSORMAPS_H
