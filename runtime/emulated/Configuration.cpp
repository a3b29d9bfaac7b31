//===- Configuration.cpp - The GPU that the driver pretends to have ------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Configuration.h"
#include "Abi.h"
#include "MachineModel.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace emudriver {

/// A value that cannot be read ends the process: a test would otherwise run on another GPU than it says.
[[noreturn]] static void rejectVariable(const char *variable, const char *text, const std::string &why) {
  std::fprintf(stderr, "emulated driver: error: %s=%s: %s\n", variable, text, why.c_str());
  std::exit(2);
}

static uint64_t readNumber(const char *variable, uint64_t otherwise) {
  const char *text = std::getenv(variable);
  if (!text)
    return otherwise;
  char *end = nullptr;
  const uint64_t value = std::strtoull(text, &end, 10);
  if (end == text || *end)
    rejectVariable(variable, text, "expected a number");
  return value;
}

/// The machine whose times are asked for has to be there, and to run what is compiled for this GPU.
static void readMachine(Configuration &c, bool choosesGpu) {
  if (c.machine.empty())
    return;
  try {
    const auto model = ptxemu::timing::MachineModel::find(c.machine);
    const auto &targets = model.targets;
    c.machineName = model.name;
    c.machineMultiprocessors = static_cast<int>(model.sm.multiprocessors);
    int number = 0;
    if (choosesGpu && std::sscanf(targets.front().c_str(), "sm_%d", &number) == 1)
      c.major = number / 10, c.minor = number % 10;
    const std::string gpu = "sm_" + std::to_string(c.computeCapability());
    if (std::find(targets.begin(), targets.end(), gpu) == targets.end())
      rejectVariable("EMULATED_CUDA_MACHINE", c.machine.c_str(),
                     "the machine does not run what is compiled for " + gpu);
  } catch (const ptxemu::timing::MachineError &error) {
    rejectVariable("EMULATED_CUDA_MACHINE", c.machine.c_str(), error.what());
  }
}

static Configuration readConfiguration() {
  Configuration c;
  if (const char *text = std::getenv("EMULATED_CUDA_CC")) {
    int length = 0;
    if (std::sscanf(text, "%2d.%1d%n", &c.major, &c.minor, &length) != 2 || text[length] || c.major < 8)
      rejectVariable("EMULATED_CUDA_CC", text, "expected a compute capability from 8.0 on, as 9.0");
  }
  c.memory = readNumber("EMULATED_CUDA_MEMORY", c.memory);
  c.devices = readNumber("EMULATED_CUDA_DEVICES", 1) != 0;
  c.version = static_cast<int>(readNumber("EMULATED_CUDA_VERSION", static_cast<uint64_t>(c.version)));
  c.verbose = readNumber("EMULATED_CUDA_VERBOSE", 0) != 0;
  c.reuseHandles = readNumber("EMULATED_CUDA_REUSE_HANDLES", 0) != 0;
  if (const char *text = std::getenv("EMULATED_CUDA_IMAGES"))
    c.images = text;
  if (const char *text = std::getenv("EMULATED_CUDA_MACHINE"))
    c.machine = text;
  if (const char *text = std::getenv("EMULATED_CUDA_REPORT"))
    c.report = text;
  if (const char *text = std::getenv("EMULATED_CUDA_SANITIZE"))
    if (std::string unknown; !readSanitizing(text, c.sanitizing, unknown))
      rejectVariable("EMULATED_CUDA_SANITIZE", text,
                     "expected a list of all, none, races, fences, uninit, bounds, asserts, deadlocks");
  c.isStrict = readNumber("EMULATED_CUDA_STRICT", 0) != 0;
  c.isBlocking = readNumber("CUDA_LAUNCH_BLOCKING", 0) != 0;
  c.threads = static_cast<unsigned>(std::max<uint64_t>(readNumber("EMULATED_CUDA_THREADS", 1), 1));
  readMachine(c, !std::getenv("EMULATED_CUDA_CC"));
  return c;
}

const Configuration &Configuration::get() {
  static const Configuration configuration = readConfiguration();
  return configuration;
}

std::string Configuration::deviceName() const {
  return "Emulated " + (machineName.empty() ? "GPU" : machineName) + " (sm_" + std::to_string(computeCapability()) +
         ")";
}

// By the CUDA C++ programming guide's table of compute capabilities.
uint32_t Configuration::sharedPerMultiprocessor() const {
  switch (computeCapability()) {
  case 80:
  case 87:
    return 164 << 10;
  case 86:
  case 89:
  case 120:
  case 121:
    return 100 << 10;
  default:
    return 228 << 10;
  }
}

uint32_t Configuration::sharedPerBlockOptIn() const {
  return sharedPerMultiprocessor() - kReservedPerBlock;
}

/// As the machines of the emulator's clock have them: of the GPU that people know by the number.
int Configuration::multiprocessors() const {
  if (machineMultiprocessors)
    return machineMultiprocessors;
  switch (computeCapability()) {
  case 80:
    return 108; // A100
  case 86:
    return 82; // RTX 3090
  case 87:
    return 16; // Jetson Orin
  case 89:
    return 128; // RTX 4090
  case 90:
    return 132; // H100
  case 100:
  case 103:
    return 148; // B200
  case 120:
    return 170; // RTX 5090
  default:
    return 48;
  }
}

std::optional<int> Configuration::deviceAttribute(int attribute) const {
  switch (attribute) {
  case kDeviceMaxThreadsPerBlock:
  case kDeviceMaxBlockX:
  case kDeviceMaxBlockY:
    return 1024;
  case kDeviceMaxBlockZ:
    return 64;
  case kDeviceMaxGridX:
    return 0x7fffffff;
  case kDeviceMaxGridY:
  case kDeviceMaxGridZ:
    return 65535;
  case kDeviceSharedPerBlock:
    return kSharedPerBlock;
  case kDeviceSharedPerBlockOptIn:
    return static_cast<int>(sharedPerBlockOptIn());
  case kDeviceSharedPerMultiprocessor:
    return static_cast<int>(sharedPerMultiprocessor());
  case kDeviceReservedSharedPerBlock:
    return kReservedPerBlock;
  case kDeviceWarpSize:
    return 32;
  case kDeviceRegistersPerBlock:
  case kDeviceRegistersPerMultiprocessor:
    return 65536;
  case kDeviceMultiprocessors:
    return multiprocessors();
  case kDeviceClockRate:
    return 1'000'000; // kHz
  case kDeviceL2CacheBytes:
    return 1 << 20; // little: whoever flushes it by writing as much is done soon
  case kDeviceThreadsPerMultiprocessor:
    return computeCapability() == 80 || major == 9 || major == 10 ? 2048 : 1536;
  case kDeviceBlocksPerMultiprocessor:
    return computeCapability() == 86 ? 16 : computeCapability() == 89 || major == 12 ? 24 : 32;
  case kDeviceMajor:
    return major;
  case kDeviceMinor:
    return minor;
  case kDeviceCanMapHostMemory:
  case kDeviceConcurrentKernels:
  case kDeviceUnifiedAddressing:
  case kDeviceManagedMemory:
  case kDeviceConcurrentManagedAccess:
  case kDeviceHostPointerForRegistered:
  case kDeviceCooperativeLaunch:
  case kDeviceHostRegister:
  case kDeviceMemoryPools:
    return 1;
  case kDeviceMaxPitch:
    return 0x7fffffff;
  case kDeviceMemoryClockRate:
    return 1'000'000; // kHz
  case kDeviceMemoryBusBits:
    return 512;
  case kDeviceTextureAlignment:
    return 512;
  case kDeviceConstantBytes:
    return 65536;
  case kDeviceClusterLaunch:
  case kDeviceTensorMapAccess:
    return major >= 9;
  default:
    // Abilities that this GPU does not have; the driver knows attributes up to 147.
    return attribute > 0 && attribute <= 147 ? std::optional<int>(0) : std::nullopt;
  }
}

} // namespace emudriver
