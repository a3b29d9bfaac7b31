//===- ConversionPlan.cpp - From one register layout to another -------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Layout/ConversionPlan.h"
#include "LayoutUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <cassert>

using namespace tileiras;
using llvm::SmallVector;

namespace {

int64_t estimateShuffle(const WarpShufflePlan &plan, unsigned elementBits, const ConversionCosts &costs) {
  int64_t cost = plan.countSelects();
  if (!plan.rounds.empty())
    cost += costs.shuffleLatency;
  int64_t words = std::max(1u, elementBits / 32);
  for (const ShuffleRound &round : plan.rounds)
    cost += costs.wavefront * words + int64_t(round.values.size()) - 1; // packing
  return cost;
}

int64_t estimateShared(const SharedConversion &conversion, const ConversionCosts &costs) {
  return costs.wavefront * conversion.exchange.getWavefronts() +
         (conversion.withinWarp ? costs.warpSync : costs.ctaBarrier);
}

/// Every warp of `source` holds all elements that it holds in `destination`.
bool staysWithinWarp(const LinearLayout &source, const LinearLayout &destination) {
  F2Span held;
  for (LayoutDim dim : {LayoutDim::Register, LayoutDim::Lane})
    for (int64_t element : getFlatBases(source, dim))
      held.insert(element);
  auto isHeld = [&](int64_t element) { return held.contains(element); };
  if (!llvm::all_of(getFlatBases(destination, LayoutDim::Register), isHeld) ||
      !llvm::all_of(getFlatBases(destination, LayoutDim::Lane), isHeld))
    return false;
  for (auto [from, to] :
       llvm::zip_equal(getFlatBases(source, LayoutDim::Warp), getFlatBases(destination, LayoutDim::Warp)))
    if (!isHeld(from ^ to))
      return false;
  return true;
}

SharedConversion planShared(const LinearLayout &source, const LinearLayout &destination, unsigned elementBits,
                            MatrixInstructions instructions) {
  SharedConversion conversion;
  conversion.exchange = chooseSharedExchange(source, destination, elementBits, instructions);
  conversion.bytes = source.getNumElements() * getSharedElementBytes(elementBits);
  conversion.storeLaneMask = source.getReplicationMask(LayoutDim::Lane);
  conversion.storeWarpMask = source.getReplicationMask(LayoutDim::Warp);
  ReducedLayout reduced(destination);
  for (unsigned reg : reduced.reduced)
    conversion.loadedRegister.push_back(reduced.original[reg]);
  conversion.withinWarp = !conversion.storeWarpMask && staysWithinWarp(source, destination);
  return conversion;
}

} // namespace

llvm::StringRef tileiras::stringifyConversionKind(ConversionKind kind) {
  switch (kind) {
  case ConversionKind::Nothing:
    return "nothing";
  case ConversionKind::RegisterPermutation:
    return "register permutation";
  case ConversionKind::WarpShuffle:
    return "warp shuffle";
  case ConversionKind::SharedMemory:
    return "shared memory";
  }
  llvm_unreachable("unknown conversion kind");
}

std::optional<ConversionKind> tileiras::symbolizeConversionKind(llvm::StringRef name) {
  for (ConversionKind kind : {ConversionKind::Nothing, ConversionKind::RegisterPermutation, ConversionKind::WarpShuffle,
                              ConversionKind::SharedMemory})
    if (name == stringifyConversionKind(kind))
      return kind;
  return std::nullopt;
}

SmallVector<ConversionPlan, 1> tileiras::collectConversionPlans(const LinearLayout &source,
                                                                const LinearLayout &destination, unsigned elementBits,
                                                                const ConversionCosts &costs,
                                                                MatrixInstructions instructions) {
  SmallVector<ConversionPlan, 1> plans(1);
  ConversionPlan &first = plans.front();
  if (source == destination) {
    for (int64_t reg = 0; reg < source.getInSize(LayoutDim::Register); ++reg)
      first.registerMap.push_back(reg);
    return plans;
  }
  std::optional<WarpShufflePlan> shuffle = planWarpShuffle(source, destination, elementBits);
  if (shuffle && shuffle->isRegisterPermutation()) {
    first.kind = ConversionKind::RegisterPermutation;
    for (unsigned value : shuffle->resultRegister)
      first.registerMap.push_back(shuffle->sendRegister[value]);
    return plans;
  }

  first.kind = ConversionKind::SharedMemory;
  first.shared = planShared(source, destination, elementBits, instructions);
  first.cost = estimateShared(*first.shared, costs);
  if (!shuffle)
    return plans;
  ConversionPlan plan;
  plan.kind = ConversionKind::WarpShuffle;
  plan.cost = estimateShuffle(*shuffle, elementBits, costs);
  plan.shuffle = std::move(shuffle);
  plans.insert(plan.cost <= first.cost ? plans.begin() : plans.end(), std::move(plan));
  return plans;
}

ConversionPlan tileiras::planConversion(const LinearLayout &source, const LinearLayout &destination,
                                        unsigned elementBits, const ConversionCosts &costs,
                                        MatrixInstructions instructions) {
  return std::move(collectConversionPlans(source, destination, elementBits, costs, instructions).front());
}

bool tileiras::equalModuloReplication(const LinearLayout &a, const LinearLayout &b) {
  return a.getOutSizes() == b.getOutSizes() && a.removeRegisterReplicas() == b.removeRegisterReplicas();
}

bool tileiras::holdsAllOf(const LinearLayout &source, const LinearLayout &destination) {
  if (source.getOutSizes() != destination.getOutSizes())
    return false;
  F2Span held;
  for (int64_t element : getFlatBases(source, LayoutDim::Register))
    held.insert(element);
  for (int64_t element : getFlatBases(destination, LayoutDim::Register))
    if (!held.contains(element))
      return false;
  for (LayoutDim dim : {LayoutDim::Lane, LayoutDim::Warp, LayoutDim::Block}) {
    SmallVector<int64_t> from = getFlatBases(source, dim), to = getFlatBases(destination, dim);
    if (from.size() != to.size())
      return false;
    for (auto [a, b] : llvm::zip_equal(from, to))
      if (!held.contains(a ^ b))
        return false;
  }
  return true;
}
