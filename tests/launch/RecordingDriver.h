//===- RecordingDriver.h - A driver that answers as it is told --*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TESTS_LAUNCH_RECORDING_DRIVER_H
#define TILEIRAS_TESTS_LAUNCH_RECORDING_DRIVER_H

#include "Driver.h"
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace launchtest {

namespace cuda = tileiras::cuda;

struct Launch {
  cuda::LaunchConfig config;
  std::vector<cuda::LaunchAttribute> attributes;
  cuda::Function function;
  std::vector<void *> parameters;
};

/// What the driver answers, and what it was asked. Guarded by `mutex`.
struct Recording {
  std::mutex mutex;
  std::map<std::string, cuda::Result> answers; ///< of functions that do not succeed
  std::map<std::string, unsigned> calls;       ///< how often each function was called
  std::map<int, int> functionAttributes;       ///< set by the caller
  std::vector<Launch> launches;
  unsigned parameterCount = 2; ///< of every kernel
  std::vector<uint8_t> memory; ///< what was allocated last, at kMemory
  int modules = 0;             ///< that are loaded
};

/// The symbol by which a test finds the recording.
using GetRecording = Recording *();
inline constexpr const char *kGetRecording = "getRecording";
inline constexpr int kOptInBytes = 232448;
inline constexpr unsigned long long kMemory = 0x5000;

} // namespace launchtest

#endif // TILEIRAS_TESTS_LAUNCH_RECORDING_DRIVER_H
