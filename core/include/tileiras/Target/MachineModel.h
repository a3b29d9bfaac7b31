//===- MachineModel.h - What a scheduler knows about a GPU ------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What units a machine has, and what they are called, is its target's business: the core knows kinds of work, and finds
// the units that do them.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TARGET_MACHINEMODEL_H
#define TILEIRAS_TARGET_MACHINEMODEL_H

#include "tileiras/Layout/TensorCopyLimits.h"
#include "tileiras/Target/IsaLimits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tileiras {

/// What an operation makes the hardware do. Amounts are elements, bytes where memory is accessed, or, for barriers,
/// one.
enum class WorkKind : uint8_t {
  Integer,     ///< addition, logic, comparison, selection, minimum, maximum
  Float,       ///< addition, multiplication, fma of f32 and smaller formats
  Double,      ///< f64 arithmetic
  Special,     ///< division, roots, exponentials, logarithms, trigonometry
  Conversion,  ///< between number formats
  Narrowing,   ///< from f32 to formats of 16 bits, two elements by one instruction
  Shuffle,     ///< between lanes of a warp
  SharedRead,  ///< bytes
  SharedWrite, ///< bytes
  GlobalRead,  ///< bytes
  GlobalWrite, ///< bytes
  EngineRead, ///< bytes that an engine copies from global to shared memory; no thread waits for them to be on their way
  EngineWrite, ///< bytes that an engine copies from shared to global memory
  Atomic,      ///< atomic updates of global memory
  Barrier,     ///< of a CTA
  Product,     ///< matrix products by an instruction of their own
};
llvm::StringRef stringifyWorkKind(WorkKind kind);

/// How fast a unit does one kind of work.
struct UnitWork {
  WorkKind kind;
  uint32_t perCycle = 1; ///< amount that the units of one multiprocessor do in a cycle, all together
  uint32_t latency = 0;  ///< cycles from the start of the last instruction to the use of its result
};

/// One kind of functional unit of a multiprocessor.
struct MachineUnit {
  std::string name;
  uint32_t capacity = 1;   ///< operations of a CTA that may occupy it in the same cycle
  uint32_t partitions = 1; ///< equal parts, each at the service of its own share of the warps
  std::vector<UnitWork> work = {};

  const UnitWork *findWork(WorkKind kind) const;
};

/// The resources of one streaming multiprocessor, as a target describes them.
struct MachineModel {
  std::vector<MachineUnit> units;
  uint32_t sharedMemoryBytes = 0;       ///< most that one CTA may use
  uint32_t staticSharedMemoryBytes = 0; ///< most without the host opting in to more (`.shared` declared statically)
  uint32_t registersPerSM = 0;          ///< 32-bit registers
  uint32_t maxRegistersPerThread = 0;
  uint32_t registerAllocationUnit = 8; ///< registers per thread are rounded up to this
  uint32_t maxWarpsPerCTA = 0;
  uint32_t maxWarpsPerSM = 0;                              ///< of all CTAs together; 0: not known
  uint32_t maxCTAsPerSM = 0;                               ///< 0: not known
  uint32_t warpGranularity = IsaLimits::kWarpsOfWarpgroup; ///< warps of a warpgroup: CTAs and agents come in multiples
  uint32_t namedBarriers = IsaLimits::kNamedBarriers;      ///< including barrier 0, which is CTA-wide
  uint32_t tensorMemoryColumns = IsaLimits::kTensorMemoryColumns; ///< for chips with ChipFeatures::tcgen05
  uint32_t tensorMemoryLanes = IsaLimits::kTensorMemoryLanes;     ///< likewise
  TensorCopyLimits tensorCopy;                                    ///< for chips with ChipFeatures::tma

  std::optional<unsigned> findUnit(llvm::StringRef name) const {
    for (auto [index, unit] : llvm::enumerate(units))
      if (unit.name == name)
        return index;
    return std::nullopt;
  }

  /// CTAs that are resident on a multiprocessor at once, if each takes so much, and at least 1: the smallest quotient
  /// of what there is and what one takes. Registers are given to warps in units, shared memory with 1 KiB of the
  /// system's (CUDA C++ Programming Guide, "Multiprocessor Level" and "Compute Capabilities").
  uint32_t countResidentCTAs(uint32_t numWarps, uint32_t registersPerThread, uint32_t sharedBytes) const;

  /// Registers that a thread may have, if `ctas` CTAs of `threads` threads are to be resident on a multiprocessor: its
  /// share, rounded down to a unit, and no more than an instruction can name. `threads` and `ctas` at least 1.
  uint32_t getRegistersPerThread(uint32_t threads, uint32_t ctas) const;

  /// Bytes of shared memory that a CTA may take, if `ctas` of them are to be resident on a multiprocessor.
  int64_t getSharedBytesPerCTA(int64_t ctas) const;
};

} // namespace tileiras

#endif // TILEIRAS_TARGET_MACHINEMODEL_H
