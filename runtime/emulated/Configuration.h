//===- Configuration.h - The GPU that the driver pretends to have -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_EMULATED_CONFIGURATION_H
#define TILEIRAS_EMULATED_CONFIGURATION_H

#include "Findings.h"
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace emudriver {

/// What the environment says, read once.
struct Configuration {
  int major = 9, minor = 0;            ///< EMULATED_CUDA_CC=9.0
  uint64_t memory = uint64_t(8) << 30; ///< EMULATED_CUDA_MEMORY, bytes
  int devices = 1;                     ///< EMULATED_CUDA_DEVICES: 0 is a machine without a GPU
  int version = 13000;                 ///< EMULATED_CUDA_VERSION, as of cuDriverGetVersion
  bool verbose = false;                ///< EMULATED_CUDA_VERBOSE=1: refusals explain themselves on standard error
  bool reuseHandles = false;           ///< EMULATED_CUDA_REUSE_HANDLES=1: what is destroyed gives its value away
  std::filesystem::path images;        ///< EMULATED_CUDA_IMAGES: cubins with their PTX
  int machineMultiprocessors = 0;      ///< of that machine, where one is named
  std::string machineName;             ///< as people call it
  std::string machine;                 ///< EMULATED_CUDA_MACHINE: launches take the time of the clock's model
  std::string report;                  ///< EMULATED_CUDA_REPORT: a page of all launches, written at the end
  Sanitizing sanitizing;               ///< EMULATED_CUDA_SANITIZE
  bool isStrict = false;               ///< EMULATED_CUDA_STRICT=1: the ISA's letter, where practice is laxer
  bool isBlocking = false;             ///< CUDA_LAUNCH_BLOCKING=1: a launch returns when it is done, and its errors
  unsigned threads = 1;                ///< EMULATED_CUDA_THREADS, of the host, that run a kernel
  int computeCapability() const { return 10 * major + minor; }
  std::string deviceName() const;
  uint32_t sharedPerBlockOptIn() const; ///< bytes
  uint32_t sharedPerMultiprocessor() const;
  int multiprocessors() const;
  std::optional<int> deviceAttribute(int attribute) const; ///< nothing: the driver has no such attribute

  static const Configuration &get();
};

/// Bytes of shared memory a block has without asking, on every GPU, and what the system keeps of each block's.
constexpr uint32_t kSharedPerBlock = 48 << 10, kReservedPerBlock = 1 << 10;

} // namespace emudriver

#endif // TILEIRAS_EMULATED_CONFIGURATION_H
