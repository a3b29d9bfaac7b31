//===- PlanSimulation.h - Runs conversion plans -----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Executes plans on all threads of a CTA as their headers describe them. A register's value is the number of the
// element it holds, or kNoValue.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TESTS_UNIT_LAYOUT_PLANSIMULATION_H
#define TILEIRAS_TESTS_UNIT_LAYOUT_PLANSIMULATION_H

#include "tileiras/Layout/ConversionPlan.h"
#include <vector>

namespace tileiras::test {

inline constexpr int64_t kNoValue = -1;

using Registers = std::vector<int64_t>;
/// Registers of thread warp * lanes + lane.
struct CtaState {
  int64_t lanes = 1, warps = 1;
  std::vector<Registers> threads;

  CtaState(int64_t lanes, int64_t warps, int64_t registers)
      : lanes(lanes), warps(warps), threads(lanes * warps, Registers(registers, kNoValue)) {}
  Registers &at(int64_t lane, int64_t warp) { return threads[warp * lanes + lane]; }
  const Registers &at(int64_t lane, int64_t warp) const { return threads[warp * lanes + lane]; }
  bool operator==(const CtaState &other) const { return threads == other.threads; }
};

/// What the threads hold by a layout.
inline CtaState makeState(const LinearLayout &layout) {
  CtaState state(layout.getInSize(LayoutDim::Lane), layout.getInSize(LayoutDim::Warp),
                 layout.getInSize(LayoutDim::Register));
  for (int64_t warp = 0; warp < state.warps; ++warp)
    for (int64_t lane = 0; lane < state.lanes; ++lane)
      for (size_t reg = 0; reg < state.at(lane, warp).size(); ++reg)
        state.at(lane, warp)[reg] = layout.applyFlat({int64_t(reg), lane, warp});
  return state;
}

inline CtaState runPermutation(const CtaState &source, llvm::ArrayRef<unsigned> registerMap) {
  CtaState result(source.lanes, source.warps, registerMap.size());
  for (size_t thread = 0; thread < source.threads.size(); ++thread)
    for (size_t i = 0; i < registerMap.size(); ++i)
      result.threads[thread][i] = source.threads[thread][registerMap[i]];
  return result;
}

inline CtaState runShuffle(const CtaState &source, const WarpShufflePlan &plan) {
  size_t values = plan.sendRegister.size();
  CtaState sent(source.lanes, source.warps, values), result(source.lanes, source.warps, plan.resultRegister.size());
  for (int64_t warp = 0; warp < source.warps; ++warp)
    for (int64_t lane = 0; lane < source.lanes; ++lane)
      for (size_t t = 0; t < values; ++t)
        sent.at(lane, warp)[t] = source.at(lane, warp)[plan.sendRegister[t] ^ plan.sendSwap.apply(lane, warp)];
  CtaState received = sent;
  for (const ShuffleRound &round : plan.rounds)
    for (unsigned t : round.values)
      for (int64_t warp = 0; warp < source.warps; ++warp)
        for (int64_t lane = 0; lane < source.lanes; ++lane)
          received.at(lane, warp)[t] = sent.at(plan.sourceLane.apply(lane, warp) ^ round.laneXor, warp)[t];
  for (int64_t warp = 0; warp < source.warps; ++warp)
    for (int64_t lane = 0; lane < source.lanes; ++lane)
      for (size_t i = 0; i < plan.resultRegister.size(); ++i)
        result.at(lane, warp)[i] = received.at(lane, warp)[plan.resultRegister[i] ^ plan.receiveSwap.apply(lane, warp)];
  return result;
}

/// Visits (register, offset) of each element that a thread moves by vector accesses.
template <typename Visitor>
void forEachVectorElement(const VectorAccessPlan &plan, int64_t lane, int64_t warp, Visitor visit) {
  for (const VectorAccess &access : plan.accesses) {
    int64_t offset = plan.getOffset(access, lane, warp);
    if (access.registers.size() != plan.vectorElements || offset % plan.vectorElements)
      throw std::logic_error("misaligned vector access");
    for (unsigned reg : access.registers)
      visit(reg, offset++);
  }
}

/// Visits (register, offset) of each element that ends in lane `lane` by matrix instructions, as the PTX ISA says.
template <typename Visitor>
void forEachMatrixElement(const MatrixAccessPlan &plan, int64_t lane, int64_t warp, Visitor visit) {
  for (const MatrixAccess &access : plan.accesses) {
    size_t perMatrix = access.registers.size() / plan.matrices; // elements in a 32-bit register
    size_t rowElements = perMatrix * 4;
    for (unsigned matrix = 0; matrix < plan.matrices; ++matrix)
      for (size_t i = 0; i < perMatrix; ++i) {
        int64_t row = plan.transposed ? (lane % 4) * 2 + int64_t(i % 2) : lane / 4;
        int64_t column = plan.transposed ? lane / 4 : (lane % 4) * perMatrix + i;
        unsigned holder = matrix;
        if (plan.mixed) { // Bytes 0 and 1 come from the first matrix of two, or the second.
          column = 2 * column + matrix % 2;
          holder = matrix / 2 * 2 + (i / 2 ^ (plan.swapped ? lane / 2 % 2 : 0));
        }
        int64_t rowOffset = plan.getRowOffset(access, 8 * holder + row, warp);
        if (rowOffset % int64_t(rowElements))
          throw std::logic_error("misaligned matrix row");
        visit(access.registers[matrix * perMatrix + i], rowOffset + column);
      }
  }
}

template <typename Visitor>
void forEachSharedElement(const SharedAccess &access, int64_t lane, int64_t warp, Visitor visit) {
  if (access.matrix)
    forEachMatrixElement(*access.matrix, lane, warp, visit);
  else
    forEachVectorElement(access.vector, lane, warp, visit);
}

inline CtaState runShared(const CtaState &source, const SharedConversion &plan, int64_t elements) {
  std::vector<int64_t> memory(elements, kNoValue), writer(elements, kNoValue);
  size_t registers = plan.loadedRegister.size();
  CtaState result(source.lanes, source.warps, registers);
  for (int64_t warp = 0; warp < source.warps; ++warp)
    for (int64_t lane = 0; lane < source.lanes; ++lane) {
      bool storesAll = plan.exchange.store.matrix.has_value(); // collective
      if (((lane & plan.storeLaneMask) && !storesAll) || (warp & plan.storeWarpMask))
        continue;
      forEachSharedElement(plan.exchange.store, lane, warp, [&](unsigned reg, int64_t offset) {
        memory.at(offset) = source.at(lane, warp).at(reg);
        writer.at(offset) = warp;
      });
    }
  for (int64_t warp = 0; warp < source.warps; ++warp)
    for (int64_t lane = 0; lane < source.lanes; ++lane) {
      Registers loaded(registers, kNoValue);
      forEachSharedElement(plan.exchange.load, lane, warp, [&](unsigned reg, int64_t offset) {
        loaded.at(reg) = plan.withinWarp && writer.at(offset) != warp ? kNoValue : memory.at(offset);
      });
      for (size_t i = 0; i < registers; ++i)
        result.at(lane, warp)[i] = loaded[plan.loadedRegister[i]];
    }
  return result;
}

inline CtaState runConversion(const CtaState &source, const ConversionPlan &plan, int64_t elements) {
  switch (plan.kind) {
  case ConversionKind::Nothing:
    return source;
  case ConversionKind::RegisterPermutation:
    return runPermutation(source, plan.registerMap);
  case ConversionKind::WarpShuffle:
    return runShuffle(source, *plan.shuffle);
  case ConversionKind::SharedMemory:
    return runShared(source, *plan.shared, elements);
  }
  throw std::logic_error("unknown conversion kind");
}

} // namespace tileiras::test

#endif // TILEIRAS_TESTS_UNIT_LAYOUT_PLANSIMULATION_H
