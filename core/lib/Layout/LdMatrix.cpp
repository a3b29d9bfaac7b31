//===- LdMatrix.cpp - Collective 8x8 matrix accesses ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Layout/LdMatrix.h"
#include "LayoutUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>

using namespace tileiras;
using llvm::SmallVector;

namespace {

constexpr unsigned kRowBytes = 16, kLaneBits = 5, kMaxMatrixBits = 2;

/// The search for a matrix plan: offsets in elements of every input bit, and the roles the register bits take.
class MatrixMatcher {
public:
  MatrixMatcher(const LinearLayout &distributed, const LinearLayout &shared, unsigned elementBits)
      : packBits(llvm::Log2_32(32 / elementBits)), rowBits(llvm::Log2_32(kRowBytes * 8 / elementBits)) {
    SmallVector<int64_t> elementOffsets = getElementOffsets(shared);
    auto collect = [&](LayoutDim dim) {
      SmallVector<int64_t> offsets;
      for (int64_t element : getFlatBases(distributed, dim))
        offsets.push_back(combineBits(elementOffsets, element));
      return offsets;
    };
    registers = collect(LayoutDim::Register);
    lanes = collect(LayoutDim::Lane);
    warps = collect(LayoutDim::Warp);
  }

  std::optional<MatrixAccessPlan> match(bool transposed) {
    if (lanes.size() != kLaneBits || !(transposed ? matchColumns() : matchRows()) || !matchAlignment(transposed))
      return std::nullopt;
    return buildPlan(transposed);
  }

  /// With .trans, of 8-bit elements.
  std::optional<MatrixAccessPlan> matchMixed(bool swapped) {
    if (lanes.size() != kLaneBits || packBits != 2 || !matchHalves())
      return std::nullopt;
    rowLanes = {combineBits(registers, packRegisters[0]), lanes[0], lanes[1]};
    if (swapped)
      rowLanes.back() ^= combineBits(registers, packRegisters[1]);
    if (!matchAlignment(/*transposed=*/true))
      return std::nullopt;
    return buildMixedPlan(swapped);
  }

private:
  /// Rows hold the packed elements of a register, then lanes 0 to 3.
  bool matchRows() {
    F2Span span;
    for (int64_t offset : registers)
      span.insert(offset);
    for (unsigned bit = 0; bit < packBits; ++bit) {
      std::optional<uint64_t> combination = span.solve(uint64_t(1) << bit);
      if (!combination)
        return false;
      packRegisters.push_back(*combination);
    }
    for (unsigned bit = packBits; bit < rowBits; ++bit)
      if (lanes[bit - packBits] != int64_t(1) << bit)
        return false;
    rowLanes = {lanes[2], lanes[3], lanes[4]};
    return true;
  }

  /// Rows hold lanes 0, 4, …, 28; the packed pair and lanes 0 to 3 number the rows.
  bool matchColumns() {
    if (packBits != 1)
      return false;
    for (unsigned bit = 0; bit < rowBits; ++bit)
      if (lanes[bit + 2] != int64_t(1) << bit)
        return false;
    const auto *pair = llvm::find_if(registers, [](int64_t offset) { return offset != 0; });
    if (pair == registers.end())
      return false;
    packRegisters = {int64_t(1) << (pair - registers.begin())};
    rowLanes = {*pair, lanes[0], lanes[1]};
    return true;
  }

  /// Rows hold two neighbours, in registers, then lanes 0, 4, …, 28; the registers of a word and lanes 0 to 3 number
  /// the rows. The registers are left without their steps to the neighbour.
  bool matchHalves() {
    for (unsigned bit = 1; bit < rowBits; ++bit)
      if (lanes[bit + 1] != int64_t(1) << bit)
        return false;
    const auto *neighbour = llvm::find(registers, 1);
    if (neighbour == registers.end())
      return false;
    neighbourRegister = int64_t(1) << (neighbour - registers.begin());
    registers[neighbour - registers.begin()] = 0;
    for (unsigned bit = 0; bit < registers.size() && packRegisters.size() < packBits; ++bit)
      if (registers[bit] != 0)
        packRegisters.push_back(int64_t(1) << bit);
    return packRegisters.size() == packBits;
  }

  /// Everything that is not within a row steps by whole rows.
  bool matchAlignment(bool transposed) const {
    int64_t withinRow = (int64_t(1) << rowBits) - 1, withinRegister = (int64_t(1) << packBits) - 1;
    auto isAligned = [&](int64_t offset) { return (offset & withinRow) == 0; };
    if (!llvm::all_of(rowLanes, isAligned) || !llvm::all_of(warps, isAligned))
      return false;
    return llvm::all_of(registers,
                        [&](int64_t offset) { return isAligned(transposed ? offset : offset & ~withinRegister); });
  }

  /// The register bits that choose the matrix of an instruction and the instruction: a complement of the packing bits.
  SmallVector<int64_t> findMatrixRegisters() const {
    F2Span span;
    for (int64_t packed : packRegisters)
      span.insert(packed);
    SmallVector<int64_t> rest;
    for (unsigned bit = 0; bit < registers.size(); ++bit)
      if (span.insert(uint64_t(1) << bit))
        rest.push_back(int64_t(1) << bit);
    // A register that also steps within the packed group starts at that group's first element.
    int64_t withinRow = (int64_t(1) << rowBits) - 1;
    for (int64_t &reg : rest)
      reg ^= combineBits(packRegisters, combineBits(registers, reg) & withinRow);
    return rest;
  }

  MatrixAccessPlan buildPlan(bool transposed) const {
    SmallVector<int64_t> rest = findMatrixRegisters();
    unsigned matrixBits = std::min<unsigned>(kMaxMatrixBits, rest.size());
    MatrixAccessPlan plan;
    plan.transposed = transposed;
    plan.matrices = 1u << matrixBits;
    plan.rowOffset.lane.append(rowLanes.begin(), rowLanes.end());
    for (unsigned bit = 0; bit < kMaxMatrixBits; ++bit)
      plan.rowOffset.lane.push_back(bit < matrixBits ? combineBits(registers, rest[bit]) : 0);
    plan.rowOffset.warp.append(warps.begin(), warps.end());
    for (int64_t first = 0; first < int64_t(1) << rest.size(); first += plan.matrices) {
      MatrixAccess access;
      access.offset = combineBits(registers, combineBits(rest, first));
      for (unsigned matrix = 0; matrix < plan.matrices; ++matrix)
        for (unsigned element = 0; element < 1u << packBits; ++element)
          access.registers.push_back(combineBits(rest, first + matrix) ^ combineBits(packRegisters, element));
      plan.accesses.push_back(std::move(access));
    }
    return plan;
  }

  /// Two matrices are the rows of a word, and the neighbours of each of them; two more, if there are, of another one.
  MatrixAccessPlan buildMixedPlan(bool swapped) const {
    SmallVector<int64_t> rest;
    for (unsigned bit = 0; bit < registers.size(); ++bit)
      if (const int64_t reg = int64_t(1) << bit; reg != neighbourRegister && !llvm::is_contained(packRegisters, reg))
        rest.push_back(reg);
    const unsigned pairBits = std::min<unsigned>(kMaxMatrixBits - 1, rest.size());
    MatrixAccessPlan plan;
    plan.transposed = plan.mixed = true;
    plan.swapped = swapped;
    plan.matrices = 2u << pairBits;
    plan.rowOffset.lane.append(rowLanes.begin(), rowLanes.end());
    plan.rowOffset.lane.push_back(combineBits(registers, packRegisters[1]));
    plan.rowOffset.lane.push_back(pairBits == 1 ? combineBits(registers, rest.front()) : 0);
    plan.rowOffset.warp.append(warps.begin(), warps.end());
    for (int64_t first = 0; first < int64_t(1) << rest.size(); first += int64_t(1) << pairBits) {
      MatrixAccess access;
      access.offset = combineBits(registers, combineBits(rest, first));
      for (int64_t pair = first; pair < first + (int64_t(1) << pairBits); ++pair)
        for (int64_t neighbour : {int64_t(0), neighbourRegister})
          for (unsigned element = 0; element < 1u << packBits; ++element)
            access.registers.push_back(combineBits(rest, pair) ^ neighbour ^ combineBits(packRegisters, element));
      plan.accesses.push_back(std::move(access));
    }
    return plan;
  }

  unsigned packBits, rowBits;
  SmallVector<int64_t> registers, lanes, warps; ///< element offset of each input bit
  SmallVector<int64_t> packRegisters;           ///< registers whose XOR steps through a 32-bit register
  SmallVector<int64_t> rowLanes;                ///< offset of the three row number bits
  int64_t neighbourRegister = 0;                ///< of plans that mix bytes: the other half of a half
};

} // namespace

std::optional<MatrixAccessPlan> tileiras::planMatrixAccess(const LinearLayout &distributed, const LinearLayout &shared,
                                                           unsigned elementBits, bool transposed) {
  assert(distributed.getOutSizes() == shared.getOutSizes() && "both layouts cover the same tile");
  if (elementBits != 8 && elementBits != 16 && elementBits != 32)
    return std::nullopt;
  if (elementBits != 8 || !transposed)
    return MatrixMatcher(distributed, shared, elementBits).match(transposed);
  std::optional<MatrixAccessPlan> plan = MatrixMatcher(distributed, shared, elementBits).matchMixed(/*swapped=*/false);
  if (plan && countTraffic(*plan, /*elementBytes=*/1).conflicts != 0)
    return MatrixMatcher(distributed, shared, elementBits).matchMixed(/*swapped=*/true);
  return plan;
}

SharedMemoryTraffic tileiras::countTraffic(const MatrixAccessPlan &plan, unsigned elementBytes) {
  SmallVector<int64_t, 32> addresses;
  for (int64_t lane = 0; lane < 8; ++lane)
    addresses.push_back(plan.rowOffset.apply(lane) * elementBytes);
  SharedMemoryTraffic matrix = countTraffic(addresses, kRowBytes);
  int64_t count = plan.accesses.size() * plan.matrices;
  return {matrix.wavefronts * count, matrix.conflicts * count};
}
