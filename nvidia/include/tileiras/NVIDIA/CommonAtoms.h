//===- CommonAtoms.h - Copies and reductions most chips have ----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_NVIDIA_COMMONATOMS_H
#define TILEIRAS_NVIDIA_COMMONATOMS_H

#include "tileiras/Target/Atoms.h"
#include "tileiras/Target/Chip.h"

namespace tileiras {

/// Cycles until data that was asked for is there. They rank alternatives and steer schedules, never correctness.
struct CopyLatencies {
  uint32_t global = 480; ///< a load that misses the first-level cache
  uint32_t shared = 29;
  uint32_t matrix = 33; ///< ldmatrix
  uint32_t store = 8;   ///< until a store is on its way
};

/// Adds the copy and reduce atoms that `features` imply: plain accesses and shuffles always; matrix accesses, cp.async,
/// TMA copies and redux where the chip has them. Asynchronous copies are listed without a lowering: a target that
/// brings one says so.
void addCommonAtoms(AtomCatalogue &catalogue, const ChipFeatures &features, const CopyLatencies &latencies = {});

} // namespace tileiras

#endif // TILEIRAS_NVIDIA_COMMONATOMS_H
