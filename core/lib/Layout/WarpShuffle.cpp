//===- WarpShuffle.cpp - Conversions within a warp --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The element that value r of lane l of warp w wants lies in the same warp in register R(r, l, w) of lane L(r, l, w),
// both F2-linear. A shuffle lets each lane read one value of one other lane, so all lanes that read from a lane must
// want the same register of it. If they all fetch value r at the same time, they may not (L(r, ·) need not be
// injective); so lane l fetches value t ^ C(l) at time t, with C chosen such that l -> L(C(l), l) merges only lanes
// that want the same value. Where the source holds copies, L has alternatives, and C may be replaced by a choice among
// them.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Layout/WarpShuffle.h"
#include "LayoutUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>
#include <map>

using namespace tileiras;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

/// A register and a lane of one warp; also a difference of two such places.
struct Place {
  int64_t reg = 0, lane = 0;

  Place &operator^=(const Place &other) {
    reg ^= other.reg;
    lane ^= other.lane;
    return *this;
  }
};

int64_t bitValue(unsigned bit) {
  return int64_t(1) << bit;
}

/// A direction that step C(l) can take to separate lanes: a bit of the value number, or another copy in the source.
struct Direction {
  Place place;
  int64_t value = 0; ///< bit of the value number; 0 for a copy
};

class ShufflePlanner {
public:
  ShufflePlanner(const LinearLayout &source, const LinearLayout &destination)
      : reduced(destination), sourceRegisters(getFlatBases(source, LayoutDim::Register)),
        sourceLanes(getFlatBases(source, LayoutDim::Lane)), sourceWarps(getFlatBases(source, LayoutDim::Warp)),
        values(getFlatBases(reduced.layout, LayoutDim::Register)), lanes(getFlatBases(destination, LayoutDim::Lane)),
        warps(getFlatBases(destination, LayoutDim::Warp)) {
    assert(sourceLanes.size() == lanes.size() && sourceWarps.size() == warps.size() &&
           "the same threads on both sides");
    assert(source.isSurjective() && "the source holds every element");
    for (int64_t element : sourceRegisters)
      registerSpan.insert(element);
    for (int64_t element : llvm::concat<int64_t>(sourceRegisters, sourceLanes))
      warpSpan.insert(element);
  }

  std::optional<WarpShufflePlan> plan(unsigned elementBits) {
    if (!locate())
      return std::nullopt;
    collectDirections();
    if (!separateAsButterfly() && !separateKernel())
      return std::nullopt;
    return build(elementBits);
  }

private:
  /// A place within the warp, relative to the thread's own, whose element differs from the thread's by `element`.
  std::optional<Place> find(int64_t element) const {
    std::optional<uint64_t> combination = warpSpan.solve(element);
    if (!combination)
      return std::nullopt;
    unsigned registerBits = sourceRegisters.size();
    return Place{int64_t(*combination & (bitValue(registerBits) - 1)), int64_t(*combination >> registerBits)};
  }

  /// Finds R and L for each bit of value, lane and warp; a lane prefers its own registers.
  bool locate() {
    for (int64_t element : values)
      if (auto place = find(element))
        ofValue.push_back(*place);
      else
        return false;
    for (unsigned bit = 0; bit < lanes.size(); ++bit) {
      if (auto own = registerSpan.solve(lanes[bit] ^ sourceLanes[bit]))
        ofLane.push_back({int64_t(*own), bitValue(bit)});
      else if (auto place = find(lanes[bit]))
        ofLane.push_back(*place);
      else
        return false;
    }
    for (unsigned bit = 0; bit < warps.size(); ++bit)
      if (auto place = find(warps[bit] ^ sourceWarps[bit]))
        ofWarp.push_back(*place);
      else
        return false;
    return true;
  }

  void collectDirections() {
    // Copies first: choosing among them costs no exchange on the receiving side.
    for (unsigned bit = 0; bit < sourceLanes.size(); ++bit) {
      Place copy = *find(sourceLanes[bit]);
      copy.lane ^= bitValue(bit);
      if (copy.lane)
        directions.push_back({copy, 0});
    }
    for (unsigned bit = 0; bit < values.size(); ++bit)
      directions.push_back({ofValue[bit], bitValue(bit)});
    step.assign(lanes.size(), 0);
  }

  /// Adds `direction` to what the lanes with lane bit `bit` do.
  void take(unsigned bit, const Direction &direction) {
    ofLane[bit] ^= direction.place;
    step[bit] ^= direction.value;
  }

  /// Tries to make L(C(l), l) = l.
  bool separateAsButterfly() {
    F2Span span;
    for (const Direction &direction : directions)
      span.insert(direction.place.lane);
    SmallVector<uint64_t> combinations;
    for (unsigned bit = 0; bit < lanes.size(); ++bit) {
      std::optional<uint64_t> combination = span.solve(ofLane[bit].lane ^ bitValue(bit));
      if (!combination)
        return false;
      combinations.push_back(*combination);
    }
    for (unsigned bit = 0; bit < lanes.size(); ++bit)
      for (unsigned i = 0; i < directions.size(); ++i)
        if (combinations[bit] >> i & 1)
          take(bit, directions[i]);
    return true;
  }

  /// Separates the lanes that read different registers of one lane, by directions outside of the image of L.
  bool separateKernel() {
    F2Span image, wanted;
    SmallVector<std::pair<unsigned, uint64_t>> kernel; // lane bit and what its registers depend on
    SmallVector<unsigned> separated;                   // lane bits whose kernel vector needs a direction
    for (unsigned bit = 0; bit < lanes.size(); ++bit) {
      std::optional<uint64_t> combination = image.solve(ofLane[bit].lane);
      image.insert(ofLane[bit].lane);
      if (!combination)
        continue;
      int64_t registers = ofLane[bit].reg;
      for (unsigned other = 0; other < bit; ++other)
        if (*combination >> other & 1)
          registers ^= ofLane[other].reg;
      // Among the kernel vectors so far, does this one only repeat what others want?
      std::optional<uint64_t> repeated = wanted.solve(registers);
      wanted.insert(registers);
      kernel.push_back({bit, repeated ? *repeated : uint64_t(1) << kernel.size()});
      if (!repeated)
        separated.push_back(kernel.size() - 1);
    }
    std::map<unsigned, const Direction *> chosen; // by kernel vector
    const auto *next = separated.begin();
    for (const Direction &direction : directions)
      if (next != separated.end() && image.insert(direction.place.lane))
        chosen[*next++] = &direction;
    if (next != separated.end())
      return false;
    for (auto [bit, dependence] : kernel)
      for (auto [vector, direction] : chosen)
        if (dependence >> vector & 1)
          take(bit, *direction);
    return true;
  }

  /// The register a lane sends, as a linear function of what it is asked for: inverts L on its image.
  SmallVector<int64_t> invertLanes() const {
    F2Span span;
    for (const Place &place : ofLane)
      span.insert(place.lane);
    unsigned numLaneBits = lanes.size();
    for (unsigned bit = 0; bit < numLaneBits; ++bit)
      span.insert(bitValue(bit)); // lanes nobody reads from: any linear choice will do
    SmallVector<int64_t> registers(numLaneBits, 0);
    for (unsigned bit = 0; bit < numLaneBits; ++bit) {
      uint64_t combination = *span.solve(bitValue(bit));
      for (unsigned i = 0; i < numLaneBits; ++i)
        if (combination >> i & 1)
          registers[bit] ^= ofLane[i].reg;
    }
    return registers;
  }

  std::optional<WarpShufflePlan> build(unsigned elementBits) const {
    WarpShufflePlan plan;
    SmallVector<int64_t> sent = invertLanes();
    plan.sendSwap.lane.append(sent.begin(), sent.end());
    plan.receiveSwap.lane.append(step.begin(), step.end());
    for (const Place &place : ofLane)
      plan.sourceLane.lane.push_back(place.lane);
    for (const Place &place : ofWarp) {
      plan.sendSwap.warp.push_back(place.reg ^ combineBits(sent, place.lane));
      plan.sourceLane.warp.push_back(place.lane);
      plan.receiveSwap.warp.push_back(0);
    }

    bool isButterfly = plan.isButterfly();
    unsigned perShuffle = std::max(1u, 32 / std::max(8u, elementBits));
    std::map<int64_t, SmallVector<unsigned>> byLane;
    for (unsigned t = 0; t < bitValue(values.size()); ++t) {
      Place place;
      for (unsigned bit = 0; bit < values.size(); ++bit)
        if (t >> bit & 1)
          place ^= ofValue[bit];
      plan.sendRegister.push_back(place.reg ^ combineBits(sent, place.lane));
      if (place.lane || !isButterfly)
        byLane[place.lane].push_back(t);
    }
    for (auto &[laneXor, moved] : byLane)
      for (ArrayRef<unsigned> rest = moved; !rest.empty();
           rest = rest.drop_front(std::min<size_t>(perShuffle, rest.size()))) {
        ArrayRef<unsigned> chunk = rest.take_front(perShuffle);
        plan.rounds.push_back({laneXor, {chunk.begin(), chunk.end()}});
      }
    plan.resultRegister = reduced.reduced;
    return plan;
  }

  ReducedLayout reduced; ///< the destination
  SmallVector<int64_t> sourceRegisters, sourceLanes, sourceWarps;
  SmallVector<int64_t> values, lanes, warps;
  F2Span registerSpan, warpSpan;
  SmallVector<Place> ofValue, ofLane, ofWarp; ///< R and L by bit
  SmallVector<Direction> directions;
  SmallVector<int64_t> step; ///< C by lane bit
};

bool isZero(const ThreadFunction &function) {
  return llvm::all_of(function.lane, [](int64_t value) { return value == 0; }) &&
         llvm::all_of(function.warp, [](int64_t value) { return value == 0; });
}

} // namespace

bool WarpShufflePlan::isButterfly() const {
  for (auto [bit, lane] : llvm::enumerate(sourceLane.lane))
    if (lane != bitValue(bit))
      return false;
  return llvm::all_of(sourceLane.warp, [](int64_t lane) { return lane == 0; });
}

bool WarpShufflePlan::isRegisterPermutation() const {
  return rounds.empty() && isZero(sendSwap) && isZero(receiveSwap);
}

int64_t WarpShufflePlan::countSelects() const {
  auto count = [](const ThreadFunction &function) {
    auto isUsed = [](int64_t value) { return value != 0; };
    return llvm::count_if(function.lane, isUsed) + llvm::count_if(function.warp, isUsed);
  };
  // An exchange before the shuffles touches at most the registers that are sent.
  return (count(sendSwap) + count(receiveSwap)) * int64_t(sendRegister.size());
}

std::optional<WarpShufflePlan> tileiras::planWarpShuffle(const LinearLayout &source, const LinearLayout &destination,
                                                         unsigned elementBits) {
  assert(source.getOutSizes() == destination.getOutSizes() && "both layouts hold the same tile");
  return ShufflePlanner(source, destination).plan(elementBits);
}
