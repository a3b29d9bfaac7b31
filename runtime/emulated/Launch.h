//===- Launch.h - The rules of a launch, and the launch ---------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_EMULATED_LAUNCH_H
#define TILEIRAS_EMULATED_LAUNCH_H

#include "Modules.h"
#include <array>

namespace emudriver {

/// What a caller asks for.
struct LaunchRequest {
  std::array<unsigned, 3> grid{}, block{};
  std::array<unsigned, 3> cluster{}; ///< of the launch attribute; zeros: none
  bool isCooperative = false;
  unsigned sharedBytes = 0;
  void **kernelParams = nullptr, **extra = nullptr;

  LaunchRequest(const unsigned grid[3], const unsigned block[3], unsigned sharedBytes, void **kernelParams,
                void **extra);
  void apply(const LaunchAttribute &);
};

/// A launch that the driver has accepted, its arguments copied.
struct PreparedLaunch {
  std::shared_ptr<Function> function;
  ptxemu::LaunchOptions options;
};

/// Of a function, or of a kernel, whose handle is passed in its stead (CUDA driver API, of cuLaunchKernel). Refuses a
/// function of another context.
std::shared_ptr<Function> functionToLaunch(void *handle, const std::shared_ptr<Context> &);
PreparedLaunch prepare(const std::shared_ptr<Function> &, const LaunchRequest &);
/// Front ends put all that they know of the arguments into a kernel's name: beginning and end tell them apart.
std::string shorten(const std::string &name);
/// Runs the kernel now. A mistake that it makes loses the context.
void runKernel(const PreparedLaunch &, Context &);

} // namespace emudriver

#endif // TILEIRAS_EMULATED_LAUNCH_H
