//===- BankConflicts.cpp - Shared memory wavefronts -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Layout/BankConflicts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cassert>

using namespace tileiras;
using llvm::ArrayRef;
using llvm::SmallVector;

/// The largest number of distinct words that the lanes of a phase want from one bank.
static int64_t countPhaseWavefronts(ArrayRef<int64_t> addresses, unsigned bytesPerLane) {
  SmallVector<int64_t, 32> words;
  for (int64_t address : addresses)
    for (unsigned byte = 0; byte < bytesPerLane; byte += kSharedMemoryBankBytes)
      words.push_back((address + byte) / kSharedMemoryBankBytes);
  llvm::sort(words);
  words.erase(std::unique(words.begin(), words.end()), words.end());
  int64_t perBank[kSharedMemoryBanks] = {}, most = 0;
  for (int64_t word : words)
    most = std::max(most, ++perBank[word % kSharedMemoryBanks]);
  return most;
}

SharedMemoryTraffic tileiras::countTraffic(ArrayRef<int64_t> addresses, unsigned bytesPerLane) {
  assert(llvm::isPowerOf2_32(bytesPerLane) && bytesPerLane <= 16 && addresses.size() <= 32);
  assert(llvm::all_of(addresses, [&](int64_t address) { return address % bytesPerLane == 0; }));
  size_t lanesPerPhase = bytesPerLane <= 4 ? 32 : 128 / bytesPerLane;
  SharedMemoryTraffic traffic;
  for (; !addresses.empty(); addresses = addresses.drop_front(std::min(lanesPerPhase, addresses.size()))) {
    int64_t wavefronts = countPhaseWavefronts(addresses.take_front(lanesPerPhase), bytesPerLane);
    traffic.wavefronts += wavefronts;
    traffic.conflicts += wavefronts - 1;
  }
  return traffic;
}

SharedMemoryTraffic tileiras::countTraffic(const VectorAccessPlan &plan, unsigned elementBytes) {
  SmallVector<int64_t, 32> addresses;
  for (int64_t lane = 0; lane < int64_t(1) << plan.offset.lane.size(); ++lane)
    addresses.push_back(plan.offset.apply(lane) * elementBytes);
  // The accesses differ by an XOR of the offset, so they all cost the same.
  SharedMemoryTraffic one = countTraffic(addresses, plan.vectorElements * elementBytes);
  int64_t count = plan.accesses.size();
  return {one.wavefronts * count, one.conflicts * count};
}
