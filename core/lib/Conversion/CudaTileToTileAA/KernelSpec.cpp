//===- KernelSpec.cpp - How many warps a kernel gets ---------------------- -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "tileiras/Analysis/RegisterPressure.h"
#include "tileiras/Pipeline/Remarks.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::cuda_tile_to_aa;

constexpr unsigned kLanes = 32;
constexpr unsigned kDefaultWarps = 4;
constexpr unsigned kMaxWarps = 16;
/// What the largest tile of a kernel may take of a thread's registers.
constexpr int64_t kRegistersForLargestTile = 64;
/// What all tiles alive at once may take of them; addresses and what instructions work with need some, too.
constexpr int64_t kRegistersForTiles = 192;
/// More warps do not have more registers: a multiprocessor has 64 Ki.
constexpr unsigned kWarpsWithAllRegisters = 8;

//===----------------------------------------------------------------------===//
// Choice by the program
//===----------------------------------------------------------------------===//

/// A tile that is made anew where it is used takes no room.
static bool isMadeAnew(Operation *op) {
  return isa_and_nonnull<cuda_tile::ConstantOp, cuda_tile::BroadcastOp, cuda_tile::IotaOp>(op);
}

/// 32-bit registers that a tile takes over all threads.
static int64_t countRegisters(Value value) {
  auto tile = dyn_cast<cuda_tile::TileType>(value.getType());
  if (!tile || isMadeAnew(value.getDefiningOp()))
    return 0;
  return llvm::divideCeil(tile.getNumElements() * getRegisterBits(tile.getElementType()), 32);
}

static unsigned chooseWarps(cuda_tile::EntryOp entry) {
  int64_t largest = 1, elements = 1;
  entry->walk([&](Operation *op) {
    for (Value result : op->getResults())
      if (auto tile = dyn_cast<cuda_tile::TileType>(result.getType())) {
        largest = std::max(largest, countRegisters(result));
        elements = std::max(elements, tile.getNumElements());
      }
  });
  int64_t alive = measureRegisterPressure(entry.getBody(), countRegisters).cost;
  unsigned warps = kDefaultWarps;
  while (warps < kMaxWarps && largest > kRegistersForLargestTile * kLanes * warps)
    warps *= 2;
  while (warps < kWarpsWithAllRegisters && alive > kRegistersForTiles * kLanes * warps)
    warps *= 2;
  while (warps > 1 && elements < kLanes * warps)
    warps /= 2;
  return warps;
}

//===----------------------------------------------------------------------===//
// Hints
//===----------------------------------------------------------------------===//

static void remarkIgnored(cuda_tile::EntryOp entry, StringRef hint, const Twine &reason) {
  remarkMissed(entry, "IgnoredHint", "hints") << ("hint '" + hint + "' ignored: " + reason).str();
}

/// The hint `name`, when it is a number that `accepts`; 0 otherwise.
static unsigned readHint(cuda_tile::EntryOp entry, StringRef chip, StringRef name, function_ref<bool(int64_t)> accepts,
                         StringRef expected) {
  cuda_tile::OptimizationHintsAttr hints = entry.getOptimizationHintsAttr();
  Attribute hint = hints ? hints.getHint(chip, name) : Attribute();
  if (!hint)
    return 0;
  auto number = dyn_cast<IntegerAttr>(hint);
  if (number && accepts(number.getInt()))
    return number.getInt();
  remarkIgnored(entry, name, "expected " + expected);
  return 0;
}

static void remarkUnknownHints(cuda_tile::EntryOp entry, StringRef chip) {
  cuda_tile::OptimizationHintsAttr hints = entry.getOptimizationHintsAttr();
  if (!hints)
    return;
  for (DictionaryAttr group : hints.getGroups(chip))
    for (NamedAttribute hint : group)
      if (!llvm::is_contained({"num_cta_in_cga", "occupancy", "num_worker_warps_per_cta"}, hint.getName().strref()))
        remarkIgnored(entry, hint.getName(), "unknown for a kernel");
}

aa::KernelSpecAttr cuda_tile_to_aa::chooseKernelSpec(cuda_tile::EntryOp entry, const KernelOptions &options) {
  auto isWarpCount = [](int64_t n) { return n > 0 && n <= kMaxWarps && llvm::isPowerOf2_64(n); };
  unsigned warps = readHint(entry, options.chip, "num_worker_warps_per_cta", isWarpCount, "a power of two in 1..16");
  unsigned ctas = readHint(entry, options.chip, "num_cta_in_cga", isWarpCount, "a power of two in 1..16");
  unsigned occupancy = readHint(
      entry, options.chip, "occupancy", [](int64_t n) { return n > 0 && n <= 32; }, "a number in 1..32");
  remarkUnknownHints(entry, options.chip);
  // A tile block runs in one thread block: with a cluster the grid in tile blocks would no longer be the launch grid.
  if (ctas > 1) {
    remarkIgnored(entry, "num_cta_in_cga", "a tile block runs in one thread block");
    entry.emitWarning("hint 'num_cta_in_cga' = ")
        << ctas << " has no effect: there are no clusters yet, and a tile block runs in one thread block";
  }
  if (options.numWarps)
    warps = options.numWarps;
  if (!warps)
    warps = chooseWarps(entry);
  return aa::KernelSpecAttr::get(entry.getContext(), warps, std::max(options.numCtas, 1u), occupancy);
}
