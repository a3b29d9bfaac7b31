//===- Correction.h - What a launch of a kernel of ours has to be told -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CUTILE_CORRECTION_H
#define TILEIRAS_CUTILE_CORRECTION_H

#include "Functions.h"

namespace tileiras::cutile {

/// Set while launches that are left alone have to be explained, for which they have to be looked at.
inline std::atomic<bool> explainsLaunches{false};

/// Whether a launch may need a correction: launchers that know nothing pass block (1, 1, 1). One that passes another
/// block knows what it does.
inline bool mayNeedCorrection(unsigned blockX, unsigned blockY, unsigned blockZ) noexcept {
  return (blockX == 1 && blockY == 1 && blockZ == 1) || explainsLaunches.load(std::memory_order_relaxed);
}

/// Puts what the kernel needs into `block` (threads) and `sharedBytes` (dynamic, of a CTA), and allows it that much
/// shared memory. `function`: a CUfunction, or a CUkernel in its place. `context`: where it will run; null: the current
/// one. False, and nothing has changed: the launch is none of ours, or is as it should be.
bool correct(Handle function, unsigned (&block)[3], unsigned &sharedBytes, cuda::Context context = nullptr) noexcept;

} // namespace tileiras::cutile

#endif // TILEIRAS_CUTILE_CORRECTION_H
