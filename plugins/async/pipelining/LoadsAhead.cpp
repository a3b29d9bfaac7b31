//===- LoadsAhead.cpp - How far ahead loads without products run ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoadsAhead.h"
#include "mlir/IR/Matchers.h"
#include "tileiras/Analysis/LoadsInFlight.h"
#include "tileiras/Analysis/RegisterPressure.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "tileiras/Lowering/SharedBudget.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tileiras::async {

static int64_t getLoadedBytes(Operation *op) {
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case<aa::TiledLoadOp, aa::LoadOp>([](auto load) { return getBytesInMemory(load->getResult(0).getType()); })
      .Default(int64_t(0));
}

/// Tiles that are made anew for each use take no registers.
static bool isMadeAnew(Value value) {
  return matchPattern(value, m_Constant()) || value.getDefiningOp<aa::SplatOp>() ||
         value.getDefiningOp<aa::BroadcastOp>();
}

/// The tile is not needed yet.
static bool isNoUse(Operation *op) {
  return isa<ViewLikeOpInterface, aa::BroadcastOp>(op);
}

int64_t LoadsAhead::countRegisters(RankedTensorType tile) const {
  return tileiras::countRegisters(tile.getNumElements(), tile.getElementType(), kLanesPerWarp * numWarps);
}

LoadsAhead::LoadsAhead(FunctionOpInterface function, const ChipTarget &target)
    : target(target), numWarps(getExecutionScope(function).numWarps) {
  auto cost = [&](Value value) -> int64_t {
    auto tile = dyn_cast<RankedTensorType>(value.getType());
    return tile && !isMadeAnew(value) ? countRegisters(tile) : 0;
  };
  registers = target.tuning().registersBesideLoads + measureRegisterPressure(function.getFunctionBody(), cost).cost;
}

int64_t LoadsAhead::countBlocks(int64_t registers, int64_t sharedBytes) const {
  const MachineModel &machine = target.machine();
  return machine.countResidentCTAs(numWarps, std::min<int64_t>(registers, machine.maxRegistersPerThread), sharedBytes);
}

static int64_t measureMost(scf::ForOp loop, llvm::function_ref<int64_t(Operation *)> loadedBytes) {
  return measureLoadsInFlight(*loop.getBody(), loadedBytes, isNoUse).most;
}

/// What the loop has in flight besides these loads.
static int64_t measureOthers(scf::ForOp loop, ArrayRef<QueueLoad> loads) {
  llvm::SmallPtrSet<Operation *, 8> ahead;
  for (const QueueLoad &entry : loads)
    ahead.insert(entry.load);
  return measureMost(loop, [&](Operation *op) { return ahead.contains(op) ? 0 : getLoadedBytes(op); });
}

static int64_t getBytes(ArrayRef<QueueLoad> loads) {
  int64_t bytes = 0;
  for (const QueueLoad &entry : loads)
    bytes += getBytesInMemory(entry.getTile().getType());
  return bytes;
}

int64_t getQueueBytes(ArrayRef<QueueLoad> loads, int32_t entries) {
  return getRingBytes(llvm::map_to_vector(loads, [](const QueueLoad &load) { return load.getEntry().getType(); }),
                      entries);
}

int64_t LoadsAhead::countNow(scf::ForOp loop, int64_t queuedBytes) const {
  return measureMost(loop, getLoadedBytes) * countBlocks(registers, queuedBytes);
}

int32_t LoadsAhead::getMostAtOnce(scf::ForOp loop, ArrayRef<QueueLoad> loads, int32_t stages) const {
  constexpr int64_t widestAccess = 16;
  if (stages <= 1)
    return 1;
  const int64_t ofThread = llvm::divideCeil(getBytes(loads), kLanesPerWarp * numWarps);
  return limitByTrips(loop, stages * std::clamp<int64_t>(widestAccess / ofThread, 1, target.tuning().narrowLoadFactor));
}

AheadChoice LoadsAhead::chooseRegisters(scf::ForOp loop, ArrayRef<QueueLoad> loads, int32_t stages,
                                        int64_t queuedBytes) const {
  const int64_t bytes = getBytes(loads), others = measureOthers(loop, loads);
  const int32_t most = getMostAtOnce(loop, loads, stages);
  int64_t held = 0;
  for (const QueueLoad &entry : loads)
    held += countRegisters(cast<RankedTensorType>(entry.getTile().getType()));
  AheadChoice best{0, countNow(loop, queuedBytes), registers};
  for (int32_t number = 1; number < most && best.inFlight < target.tuning().bytesInFlight;) {
    number = std::min(2 * number, most);
    const int64_t needed = registers + (number - 1) * held;
    if (needed > target.machine().maxRegistersPerThread)
      break;
    if (int64_t inFlight = (number * bytes + others) * countBlocks(needed, queuedBytes); inFlight > best.inFlight)
      best = {number - 1, inFlight, needed};
  }
  return best;
}

AheadChoice LoadsAhead::chooseQueue(scf::ForOp loop, ArrayRef<QueueLoad> loads, int32_t most,
                                    int64_t queuedBytes) const {
  const int64_t bytes = getBytes(loads), others = measureOthers(loop, loads);
  AheadChoice best{0, countNow(loop, queuedBytes), registers};
  for (int32_t iterations = 1; iterations <= most && best.inFlight < target.tuning().bytesInFlight; ++iterations) {
    const int64_t sharedBytes = queuedBytes + getQueueBytes(loads, iterations + 1);
    if (int64_t inFlight = (iterations * bytes + others) * countBlocks(registers, sharedBytes);
        inFlight > best.inFlight)
      best = {iterations, inFlight, registers};
  }
  return best;
}

} // namespace tileiras::async
