//===- MachineModel.h - What a scheduler knows about a GPU ------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SCHEDULE_MACHINEMODEL_H
#define TILEIRAS_SCHEDULE_MACHINEMODEL_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tileiras {

/// One kind of functional unit: `capacity` operations may occupy it in the same cycle. An operation on it occupies it
/// for `occupancy` cycles and its result is ready after `latency` cycles, unless the operation says otherwise.
struct ExecutionUnit {
  std::string name;
  uint32_t capacity = 1;
  uint32_t occupancy = 1;
  uint32_t latency = 1;
};

/// The resources of one streaming multiprocessor, as a target describes them.
struct MachineModel {
  std::vector<ExecutionUnit> units;
  uint32_t sharedMemoryBytes = 0;       ///< most that one CTA may use
  uint32_t staticSharedMemoryBytes = 0; ///< most without the host opting in to more (`.shared` declared statically)
  uint32_t tensorMemoryBytes = 0;       ///< 0 where there is none
  uint32_t registersPerSM = 0;          ///< 32-bit registers
  uint32_t maxRegistersPerThread = 0;
  uint32_t registerAllocationUnit = 8; ///< registers per thread are rounded up to this
  uint32_t maxWarpsPerCTA = 0;
  uint32_t warpGranularity = 4; ///< warps of a warpgroup: CTAs and agents come in multiples of it
  uint32_t namedBarriers = 16;  ///< including barrier 0, which is CTA-wide

  std::optional<unsigned> findUnit(llvm::StringRef name) const {
    for (auto [index, unit] : llvm::enumerate(units))
      if (unit.name == name)
        return index;
    return std::nullopt;
  }
};

} // namespace tileiras

#endif // TILEIRAS_SCHEDULE_MACHINEMODEL_H
