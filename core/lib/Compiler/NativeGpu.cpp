//===- NativeGpu.cpp - The GPU that is there ------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/NativeGpu.h"
#include "DriverError.h"
#include "llvm/ADT/StringRef.h"

using namespace tileiras;

/// Throws cuda::Error.
static std::string askDriver() {
  static const cuda::Driver driver; // stays open until the process ends
  driver.check(driver.init(0), "cuInit");
  int count = 0;
  driver.check(driver.deviceCount(&count), "cuDeviceGetCount");
  if (count == 0)
    throw cuda::Error(cuda::kNoDevice, "the driver sees no GPU");
  cuda::Device device = 0;
  driver.check(driver.deviceGet(&device, 0), "cuDeviceGet");
  auto ask = [&](cuda::DeviceAttribute attribute) {
    int value = 0;
    driver.check(driver.deviceAttribute(&value, attribute, device), "cuDeviceGetAttribute");
    return std::to_string(value);
  };
  return "sm_" + ask(cuda::kMajor) + ask(cuda::kMinor);
}

llvm::Expected<std::string> tileiras::findNativeGpu() {
  try {
    return askDriver();
  } catch (const cuda::Error &error) {
    std::string remedy =
        error.result ? cuda::explain(error.result) : "NVIDIA's driver of CUDA 12.0 or newer has to be installed";
    return llvm::createStringError("which GPU is 'native' is not known: " + std::string(error.what()) +
                                   (remedy.empty() ? "" : "; " + remedy) +
                                   "; or name the GPU: --list-plugins shows which there are");
  }
}
