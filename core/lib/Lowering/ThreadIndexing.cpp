//===- ThreadIndexing.cpp - Where a thread is in a tile -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Lowering/ThreadIndexing.h"
#include "tileiras/Dialect/TileAA/Clusters.h"
#include "tileiras/Lowering/LoweredTypes.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace tileiras {

namespace {

constexpr unsigned kLaneBits = 5;

/// One input bit (of the thread number) and one output bit it toggles.
struct BitPair {
  unsigned input, output;
};

/// XOR over all pairs of (tid bit `input`) << `output`. Pairs that move by the same distance are one mask and one
/// shift.
Value emitBitPairs(Emitter &emit, ArrayRef<BitPair> pairs) {
  llvm::MapVector<int, uint32_t> inputsByDistance;
  for (BitPair pair : pairs)
    inputsByDistance[int(pair.output) - int(pair.input)] |= 1u << pair.input;
  if (inputsByDistance.empty())
    return emit.i32(0);
  Value tid = emit.threadId(), sum;
  for (auto [distance, inputs] : inputsByDistance) {
    Value bits = emit.bitAnd(tid, emit.i32(inputs));
    bits = distance >= 0 ? emit.shl(bits, distance) : emit.lshr(bits, -distance);
    sum = sum ? emit.bitXor(sum, bits) : bits;
  }
  return sum;
}

void addPairs(SmallVectorImpl<BitPair> &pairs, unsigned input, int64_t value) {
  for (unsigned output = 0; value >> output; ++output)
    if (value >> output & 1)
      pairs.push_back({input, output});
}

} // namespace

Value emitThreadFunction(Emitter &emit, const ThreadFunction &function) {
  SmallVector<BitPair> pairs;
  for (auto [bit, value] : llvm::enumerate(function.lane))
    addPairs(pairs, bit, value);
  for (auto [bit, value] : llvm::enumerate(function.warp))
    addPairs(pairs, kLaneBits + bit, value);
  return emitBitPairs(emit, pairs);
}

SmallVector<Value> emitThreadCoordinates(Emitter &emit, const LinearLayout &layout) {
  SmallVector<Value> coordinates;
  for (unsigned d = 0; d < layout.getRank(); ++d) {
    SmallVector<BitPair> pairs;
    for (auto [bit, basis] : llvm::enumerate(layout.getBases(LayoutDim::Lane)))
      addPairs(pairs, bit, basis[d]);
    for (auto [bit, basis] : llvm::enumerate(layout.getBases(LayoutDim::Warp)))
      addPairs(pairs, kLaneBits + bit, basis[d]);
    coordinates.push_back(emitBitPairs(emit, pairs));
  }
  return coordinates;
}

SmallVector<int64_t> getRegisterCoordinates(const LinearLayout &layout, unsigned reg) {
  LinearLayout::Inputs inputs{};
  inputs[static_cast<unsigned>(LayoutDim::Register)] = reg;
  return layout.apply(inputs);
}

SmallVector<Value> emitCoordinates(Emitter &emit, ArrayRef<Value> thread, const LinearLayout &layout, unsigned reg) {
  SmallVector<Value> coordinates;
  for (auto [value, part] : llvm::zip_equal(thread, getRegisterCoordinates(layout, reg)))
    coordinates.push_back(emit.bitXor(value, emit.i32(part)));
  return coordinates;
}

Value emitFlatIndex(Emitter &emit, ArrayRef<Value> coordinates, ArrayRef<int64_t> shape) {
  Value index = emit.i32(0);
  for (auto [coordinate, extent] : llvm::zip_equal(coordinates, shape))
    index = emit.add(emit.mul(index, emit.i32(extent)), coordinate);
  return index;
}

Value emitIsFirstThread(Emitter &emit) {
  return emit.icmp(LLVM::ICmpPredicate::eq, emit.threadId(), emit.i32(0));
}

Value emitIsFirstWarp(Emitter &emit) {
  return emit.icmp(LLVM::ICmpPredicate::eq, emit.warpId(), emit.i32(0));
}

Value emitIsClear(Emitter &emit, uint64_t bits) {
  if (bits == 0)
    return {};
  return emit.icmp(LLVM::ICmpPredicate::eq, emit.bitAnd(emit.threadId(), emit.i32(bits)), emit.i32(0));
}

Value emitIsFirstHolder(Emitter &emit, const LinearLayout &layout) {
  return emitIsClear(emit, layout.getReplicationMask(LayoutDim::Lane) | layout.getReplicationMask(LayoutDim::Warp)
                                                                            << kLaneBits);
}

Value emitPairLeader(Emitter &emit) {
  return emit.bitAnd(emit.ctaRank(), emit.i32(~aa::kPairBit));
}

Value emitIsPairLeader(Emitter &emit) {
  return emit.icmp(LLVM::ICmpPredicate::eq, emit.bitAnd(emit.ctaRank(), emit.i32(aa::kPairBit)), emit.i32(0));
}

Value emitCtaMask(Emitter &emit, uint32_t sharedCtas) {
  uint32_t mask = 0;
  for (uint32_t rank = 0; rank <= sharedCtas; ++rank)
    mask |= uint32_t((rank & ~sharedCtas) == 0) << rank;
  Value ctas = emit.i32(mask);
  if (sharedCtas + 1 != emit.scope.numCtas) // They are not all.
    ctas = LLVM::ShlOp::create(emit.builder, emit.location, ctas, emit.bitAnd(emit.ctaRank(), emit.i32(~sharedCtas)));
  return emit.zeroExtendOrTruncate(ctas, 16);
}

Value emitIsFirstCta(Emitter &emit, Operation *op) {
  const uint32_t mask = aa::getSharedCtas(op);
  if (mask == 0 || emit.scope.numCtas == 1)
    return {};
  return emit.icmp(LLVM::ICmpPredicate::eq, emit.bitAnd(emit.ctaRank(), emit.i32(mask)), emit.i32(0));
}

Value emitIsActor(Emitter &emit, Operation *op, Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  Value isFirstCta = emitIsFirstCta(emit, op);
  return emit.conjunction(tile ? emitIsFirstHolder(emit, getLayout(tile)) : emitIsFirstThread(emit), isFirstCta);
}

SmallVector<unsigned> getFirstRegisters(const LinearLayout &layout) {
  SmallVector<unsigned> first;
  llvm::SmallDenseMap<int64_t, unsigned> seen;
  for (int64_t reg = 0; reg < layout.getInSize(LayoutDim::Register); ++reg) {
    LinearLayout::Inputs inputs{};
    inputs[static_cast<unsigned>(LayoutDim::Register)] = reg;
    first.push_back(seen.try_emplace(layout.applyFlat(inputs), reg).first->second);
  }
  return first;
}

} // namespace tileiras
