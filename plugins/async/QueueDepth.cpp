//===- QueueDepth.cpp - How far ahead loads without products run ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "QueueDepth.h"
#include "QueueLoads.h"
#include "TmaEligibility.h"
#include "mlir/IR/Matchers.h"
#include "tileiras/Analysis/LoadsInFlight.h"
#include "tileiras/Analysis/RegisterPressure.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tileiras::async {

/// Registers of a thread that are not there for tiles.
static constexpr int64_t kOtherRegisters = 24;
/// Each tile of a stage starts at a multiple of it (assign-buffers).
static constexpr int64_t kStageAlignment = 1024;

static int64_t getTileBytes(Type type) {
  auto tile = cast<RankedTensorType>(type);
  return llvm::divideCeil(tile.getNumElements() * std::max(8u, tile.getElementTypeBitWidth()), 8);
}

static int64_t getLoadedBytes(Operation *op) {
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case<aa::TiledLoadOp, aa::LoadOp>([](auto load) { return getTileBytes(load->getResult(0).getType()); })
      .Default(int64_t(0));
}

/// Tiles that are made anew for each use take no registers.
static bool isMadeAnew(Value value) {
  return matchPattern(value, m_Constant()) || value.getDefiningOp<aa::SplatOp>() ||
         value.getDefiningOp<aa::BroadcastOp>();
}

QueueDepth::QueueDepth(FunctionOpInterface function, const ChipTarget &target) : target(target) {
  numWarps = getExecutionScope(function).numWarps;
  const int64_t bitsOfRegister = 32 * kLanesPerWarp * numWarps;
  auto cost = [&](Value value) -> int64_t {
    auto tile = dyn_cast<RankedTensorType>(value.getType());
    if (!tile || isMadeAnew(value))
      return 0;
    return llvm::divideCeil(tile.getNumElements() * getRegisterBits(tile.getElementType()), bitsOfRegister);
  };
  registers = kOtherRegisters + measureRegisterPressure(function.getFunctionBody(), cost).cost;
  registers = std::min<int64_t>(registers, target.machine().maxRegistersPerThread);
}

int64_t QueueDepth::countBlocks(int64_t sharedBytes) const {
  return target.machine().countResidentCTAs(numWarps, registers, sharedBytes);
}

int32_t QueueDepth::choose(scf::ForOp loop, ArrayRef<QueueLoad> loads, int32_t most, int64_t takenBytes,
                           std::string &reason) const {
  int64_t loaded = 0, aligned = 0;
  llvm::SmallPtrSet<Operation *, 8> queued;
  for (const QueueLoad &entry : loads) {
    auto load = cast<aa::TiledLoadOp>(entry.load);
    queued.insert(load);
    loaded += getTileBytes(load.getValue().getType());
    aligned += llvm::alignTo(getTileBytes(load.getValue().getType()), kStageAlignment);
  }
  auto isNoUse = [](Operation *op) { return isRenaming(op) || isa<aa::BroadcastOp>(op); };
  auto isLeft = [&](Operation *op) { return queued.contains(op) ? 0 : getLoadedBytes(op); };
  const int64_t now = measureLoadsInFlight(*loop.getBody(), getLoadedBytes, isNoUse).most * countBlocks(takenBytes);
  const int64_t left = measureLoadsInFlight(*loop.getBody(), isLeft, isNoUse).most;
  if (now >= kWantedBytesInFlight) {
    reason = llvm::formatv("loads of {0} are in flight on a multiprocessor without that", formatBytes(now));
    return 0;
  }
  int32_t best = 0;
  int64_t inFlight = now;
  for (int32_t depth = 2; depth <= most && inFlight < kWantedBytesInFlight; ++depth) {
    const int64_t then = ((depth - 1) * loaded + left) * countBlocks(takenBytes + depth * aligned);
    if (then > inFlight) {
      inFlight = then;
      best = depth;
    }
  }
  if (best == 0)
    reason = llvm::formatv("a multiprocessor would have no more than the {0} in flight that it has", formatBytes(now));
  return best;
}

} // namespace tileiras::async
