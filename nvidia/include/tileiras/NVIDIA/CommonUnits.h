//===- CommonUnits.h - Execution units most chips have ----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names are the target's: a schedule's vocabulary is no business of the core.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_NVIDIA_COMMONUNITS_H
#define TILEIRAS_NVIDIA_COMMONUNITS_H

#include "tileiras/Target/MachineModel.h"

namespace tileiras {

/// The issue slots of `schedulers` warp schedulers, each with its own share of the warps: one instruction of 32 lanes a
/// cycle each, of which an access moves up to 16 bytes a lane. Barriers and products take none.
MachineUnit makeIssueUnit(std::string name, uint32_t schedulers);

/// The port of shared memory and the first-level cache, 128 bytes wide, through which shuffles, atomics and barriers go
/// too. `shuffleLatency` in cycles, as UnitWork has it.
MachineUnit makeMemoryPort(std::string name, uint32_t shuffleLatency);

} // namespace tileiras

#endif // TILEIRAS_NVIDIA_COMMONUNITS_H
