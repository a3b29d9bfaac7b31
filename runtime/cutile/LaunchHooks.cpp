//===- LaunchHooks.cpp - Launches -----------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Correction.h"

using namespace tileiras;
using namespace tileiras::cutile;

/// `extra` is what only ordinary launches have.
template <auto *Hook, typename... Extra>
static Result launch(TILEIRAS_LAUNCH_PARAMETERS, Extra... extra) {
  if (mayNeedCorrection(blockX, blockY, blockZ)) {
    unsigned block[3] = {blockX, blockY, blockZ};
    if (correct(function, block, sharedBytes))
      return callOriginal<Hook>(function, gridX, gridY, gridZ, block[0], block[1], block[2], sharedBytes, stream,
                                parameters, extra...);
  }
  return callOriginal<Hook>(function, gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes, stream, parameters,
                            extra...);
}

template <auto *Hook>
static Result launchConfigured(const cuda::LaunchConfig *config, Handle function, void **parameters, void **extra) {
  if (config && mayNeedCorrection(config->block[0], config->block[1], config->block[2])) {
    cuda::LaunchConfig corrected = *config;
    if (correct(function, corrected.block, corrected.sharedBytes))
      return callOriginal<Hook>(&corrected, function, parameters, extra);
  }
  return callOriginal<Hook>(config, function, parameters, extra);
}

int cuLaunchKernel(TILEIRAS_LAUNCH_PARAMETERS, void **extra) {
  return launch<&cuLaunchKernel>(function, gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes, stream, parameters,
                                 extra);
}

int cuLaunchKernel_ptsz(TILEIRAS_LAUNCH_PARAMETERS, void **extra) {
  return launch<&cuLaunchKernel_ptsz>(function, gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes, stream,
                                      parameters, extra);
}

int cuLaunchCooperativeKernel(TILEIRAS_LAUNCH_PARAMETERS) {
  return launch<&cuLaunchCooperativeKernel>(function, gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes, stream,
                                            parameters);
}

int cuLaunchCooperativeKernel_ptsz(TILEIRAS_LAUNCH_PARAMETERS) {
  return launch<&cuLaunchCooperativeKernel_ptsz>(function, gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes,
                                                 stream, parameters);
}

int cuLaunchKernelEx(const cuda::LaunchConfig *config, Handle function, void **parameters, void **extra) {
  return launchConfigured<&cuLaunchKernelEx>(config, function, parameters, extra);
}

int cuLaunchKernelEx_ptsz(const cuda::LaunchConfig *config, Handle function, void **parameters, void **extra) {
  return launchConfigured<&cuLaunchKernelEx_ptsz>(config, function, parameters, extra);
}
