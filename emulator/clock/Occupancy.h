//===- Occupancy.h - How many CTAs an SM takes ------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TIMING_OCCUPANCY_H
#define PTX_EMULATOR_TIMING_OCCUPANCY_H

#include "MachineModel.h"
#include <string>

namespace ptxemu::timing {

struct CtaNeeds {
  unsigned threads = 0, registers = 0; ///< registers of a thread
  uint64_t shared = 0;                 ///< bytes
};

struct Occupancy {
  unsigned ctas = 0, warps = 0; ///< of an SM
  std::string limit;            ///< what lets no more run: "registers", "shared memory", "warps", "CTAs"
};

/// `ctas` is 0 when not even one fits.
Occupancy occupancyOf(const MachineModel &, const CtaNeeds &);

/// Bytes of L1 beside so many CTAs: the driver gives a kernel as much shared memory as they need, of the sizes that
/// there are (CUDA C++ Programming Guide, "Compute Capability 9.0": Shared Memory).
double l1Bytes(const MachineModel &, const CtaNeeds &, unsigned ctas);

/// Registers of a thread that an assembler would need at least: the most that hold values at the same time.
unsigned liveRegisters(const Function &);

} // namespace ptxemu::timing

#endif // PTX_EMULATOR_TIMING_OCCUPANCY_H
