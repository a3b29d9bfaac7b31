//===- Estimates.h - How long launches would take ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_EMULATED_ESTIMATES_H
#define TILEIRAS_EMULATED_ESTIMATES_H

#include "Launch.h"

namespace emudriver {

/// Adds the launch's time on EMULATED_CUDA_MACHINE, by the emulator's clock, to the GPU's; memory is as before. The
/// first one has a table of all printed when the process ends. Nothing without a machine.
void estimateLaunch(const PreparedLaunch &);

} // namespace emudriver

#endif // TILEIRAS_EMULATED_ESTIMATES_H
