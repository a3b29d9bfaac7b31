//===- MachineModel.cpp - What fits on a multiprocessor -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Target/MachineModel.h"
#include "llvm/Support/MathExtras.h"

namespace tileiras {

/// Of each CTA that is resident, beside what its program declares.
static constexpr uint32_t kReservedBytesOfCTA = 1024;
static constexpr uint32_t kThreadsOfWarp = 32;

uint32_t MachineModel::countResidentCTAs(uint32_t numWarps, uint32_t registersPerThread, uint32_t sharedBytes) const {
  uint32_t count = std::numeric_limits<uint32_t>::max();
  auto limit = [&](uint32_t all, uint32_t one) {
    if (all != 0 && one != 0)
      count = std::min(count, all / one);
  };
  limit(maxCTAsPerSM, 1);
  limit(maxWarpsPerSM, numWarps);
  limit(registersPerSM, numWarps * kThreadsOfWarp * llvm::alignTo(registersPerThread, registerAllocationUnit));
  limit(sharedMemoryBytes + kReservedBytesOfCTA, sharedBytes + kReservedBytesOfCTA);
  return std::max(1u, count);
}

uint32_t MachineModel::getRegistersPerThread(uint32_t threads, uint32_t ctas) const {
  constexpr uint32_t leastOfPtxas = 24; // Below that it cannot even hold addresses.
  const uint32_t share = llvm::alignDown(registersPerSM / (threads * ctas), registerAllocationUnit);
  return std::min(std::max(share, leastOfPtxas), maxRegistersPerThread);
}

int64_t MachineModel::getSharedBytesPerCTA(int64_t ctas) const {
  return (int64_t(sharedMemoryBytes) + kReservedBytesOfCTA) / ctas - kReservedBytesOfCTA;
}

} // namespace tileiras
