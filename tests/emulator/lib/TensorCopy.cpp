//===- TensorCopy.cpp - cp.async.bulk.tensor -----------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BulkCopy.h"
#include "Lanewise.h"
#include "MemoryModifiers.h"
#include "ptx-emulator/TensorMap.h"
#include <algorithm>
#include <cstring>

namespace ptxemu {

namespace {

enum LoadMode : uint8_t { kTile, kIm2col, kIm2colNoOffsets, kFourRows };

struct TensorInfo {
  unsigned rank = 0;
  bool load = false, multicast = false, reduce = false;
  LoadMode mode = kTile;
  Space destinationSpace = Space::Shared;
  AtomicOp op = AtomicOp::Add;
  unsigned coordinates = 0, offsets = 0; ///< how many source operands they take
};

/// Where byte `offset` of an unswizzled box at `base` lies.
uint32_t swizzled(const TensorMap &m, uint32_t address) {
  switch (m.swizzle) {
  case TensorMap::Swizzle128:
    return address ^ ((address >> 7 & 7) << 4);
  case TensorMap::Swizzle64:
    return address ^ ((address >> 7 & 3) << 4);
  case TensorMap::Swizzle32:
    return address ^ ((address >> 7 & 1) << 4);
  default:
    return address;
  }
}

/// Collects the runs of a box row by row.
class BoxWalker {
public:
  BoxWalker(const TensorMap &map, uint32_t sharedBase) : map(map), base(sharedBase), elementBytes(map.elementBytes()) {}

  Copy run(LoadMode mode, const std::vector<int32_t> &coordinates, const std::vector<int32_t> &offsets) {
    if (mode == kFourRows) {
      for (unsigned row = 0; row < 4; ++row)
        addRow({coordinates[0], coordinates[1 + row], 0, 0, 0}, map.box[0]);
    } else if (mode == kTile) {
      std::array<int64_t, 5> at{};
      for (unsigned d = 0; d < map.rank; ++d)
        at[d] = coordinates[d];
      tile(at, map.rank - 1);
    } else {
      pixels(coordinates, offsets);
    }
    setFill();
    return std::move(copy);
  }

private:
  unsigned count(unsigned d) const { return (map.box[d] + map.elementStride[d] - 1) / map.elementStride[d]; }

  void tile(std::array<int64_t, 5> at, unsigned dimension) {
    if (dimension == 0)
      return addRow(at, map.box[0]);
    for (unsigned i = 0; i < count(dimension); ++i, at[dimension] += map.elementStride[dimension])
      tile(at, dimension - 1);
  }

  /// im2col: `pixels` positions of the bounding box, starting at the coordinates, each `channels` wide.
  void pixels(const std::vector<int32_t> &c, const std::vector<int32_t> &offsets) {
    unsigned spatial = map.rank - 2;
    std::array<int64_t, 3> low{}, high{}, at{};
    int64_t image = c[map.rank - 1];
    for (unsigned d = 0; d < spatial; ++d) {
      low[d] = map.lowerCorner[d];
      high[d] = static_cast<int64_t>(map.size[d + 1]) + map.upperCorner[d];
      at[d] = c[d + 1];
    }
    for (unsigned p = 0; p < map.pixels; ++p) {
      std::array<int64_t, 5> position{c[0], 0, 0, 0, 0};
      for (unsigned d = 0; d < spatial; ++d)
        position[d + 1] = at[d] + (d < offsets.size() ? offsets[d] : 0);
      position[map.rank - 1] = image;
      addRow(position, map.channels);
      unsigned d = 0;
      for (; d < spatial; ++d) {
        at[d] += map.elementStride[d + 1];
        if (at[d] < high[d])
          break;
        at[d] = low[d];
      }
      if (d == spatial)
        ++image;
    }
  }

  /// One run of `elements` along dimension 0, to the next bytes of the box.
  void addRow(const std::array<int64_t, 5> &at, uint32_t elements) {
    bool outside = false;
    uint64_t address = map.address;
    for (unsigned d = 1; d < map.rank; ++d) {
      outside |= at[d] < 0 || at[d] >= static_cast<int64_t>(map.size[d]);
      address += static_cast<uint64_t>(at[d]) * map.stride[d - 1];
    }
    unsigned step = map.elementStride[0], n = (elements + step - 1) / step;
    for (unsigned i = 0; i < n;) {
      int64_t x = at[0] + static_cast<int64_t>(i) * step;
      bool out = outside || x < 0 || x >= static_cast<int64_t>(map.size[0]);
      // Extend the run while it stays contiguous, on one side of the border and within one swizzle atom.
      unsigned end = i + 1;
      while (step == 1 && end < n && (outside || inside(at[0] + end) == !out) &&
             (map.swizzle == TensorMap::NoSwizzle || (next + (end - i) * elementBytes) % 16))
        ++end;
      uint32_t bytes = (end - i) * elementBytes;
      copy.chunks.push_back(
          {address + static_cast<uint64_t>(x) * elementBytes, swizzled(map, base + next), bytes, out});
      next += bytes;
      i = end;
    }
  }

  bool inside(int64_t x) const { return x >= 0 && x < static_cast<int64_t>(map.size[0]); }

  void setFill() {
    copy.fillBytes = elementBytes;
    if (map.fill != TensorMap::NaNs)
      return;
    // The special NaN the ISA names: all exponent and the low mantissa bits set.
    copy.fill = map.element == TensorMap::F16 || map.element == TensorMap::BF16 ? 0x7fff
                : elementBytes == 8                                             ? 0x7fffffffffffffffull
                                                                                : 0x7fffffff;
  }

  const TensorMap &map;
  uint32_t base, next = 0;
  unsigned elementBytes;
  Copy copy;
};

TensorMap readMap(Exec &x, uint64_t address, unsigned rank, unsigned lane) {
  if (address % 64)
    throw Fault{"misaligned", "a tensor map is aligned to 64 bytes, but lies at " + hexText(address),
                static_cast<int>(lane)};
  uint8_t bytes[128];
  for (unsigned i = 0; i < 128; i += 16)
    std::memcpy(bytes + i, access(x, Space::Generic, address + i, 16, lane, {}), 16);
  TensorMap m = TensorMap::decode(bytes);
  std::string reason = m.invalid();
  if (reason.empty() && m.rank != rank)
    reason = "it has rank " + std::to_string(m.rank) + ", the instruction says " + std::to_string(rank);
  if (reason.empty() && (m.interleave != TensorMap::NoInterleave ||
                         (m.atomicity != TensorMap::Atom16 && m.swizzle != TensorMap::NoSwizzle)))
    reason = "the emulator does not know its interleave or swizzle atomicity";
  if (!reason.empty())
    throw Fault{"tensor-map", "the tensor map at " + hexText(address) + " cannot be used: " + reason,
                static_cast<int>(lane)};
  return m;
}

Type reductionType(const TensorMap &m) {
  constexpr Type types[] = {Type::None, Type::None, Type::U32, Type::S32,  Type::U64, Type::S64, Type::F16,
                            Type::F32,  Type::F32,  Type::F64, Type::BF16, Type::F32, Type::F32};
  return m.element < std::size(types) ? types[m.element] : Type::None;
}

/// s: shared address, map, coordinates…, im2col offsets…, [mbarrier], [mask]
void tensorCopy(Exec &x, const Inst &inst) {
  const auto &info = inst.as<TensorInfo>();
  x.forLanes([&](unsigned l) {
    uint64_t shared = x.s(0)[l] + static_cast<uint64_t>(inst.offset),
             mapAddress = x.s(1)[l] + static_cast<uint64_t>(inst.offset2);
    TensorMap map = readMap(x, mapAddress, info.mode == kFourRows ? 2 : info.rank, l);
    if (map.im2col != (info.mode == kIm2col || info.mode == kIm2colNoOffsets))
      throw Fault{"tensor-map", "the instruction's mode (tile or im2col) is not the tensor map's", static_cast<int>(l)};
    std::vector<int32_t> coordinates, offsets;
    unsigned next = 2;
    for (unsigned i = 0; i < info.coordinates; ++i)
      coordinates.push_back(static_cast<int32_t>(x.s(next++)[l]));
    for (unsigned i = 0; i < info.offsets; ++i)
      offsets.push_back(static_cast<int16_t>(x.s(next++)[l]));
    Place place = resolve(x, info.destinationSpace, shared, l);
    if (place.space != Space::Shared || place.offset % 128)
      throw Fault{"misaligned",
                  "a tensor copy needs an address in shared memory that is a multiple of 128, not " +
                      hexText(place.offset),
                  static_cast<int>(l)};
    Copy copy = BoxWalker(map, static_cast<uint32_t>(place.offset)).run(info.mode, coordinates, offsets);
    if (!info.load)
      return startStore(x, std::move(copy), info.reduce, info.op, reductionType(map), l);
    Place barrier = barrierPlace(x, info.destinationSpace, x.s(next++)[l], l);
    if (info.multicast)
      startLoad(x, std::move(copy), multicastTargets(x, static_cast<uint16_t>(x.s(next)[l]), l), nullptr,
                barrier.offset, l);
    else
      startLoad(x, std::move(copy), {place.cta}, barrier.cta, barrier.offset, l);
  });
}

void readMode(OpReader &r, TensorInfo &info) {
  if (r.accept(".im2col"))
    info.mode = kIm2col;
  else if (r.accept(".im2col_no_offs"))
    info.mode = kIm2colNoOffsets;
  else if (r.accept(".tile::gather4") || r.accept(".tile::scatter4"))
    info.mode = kFourRows;
  else
    r.accept(".tile");
}

unsigned readRank(OpReader &r) {
  std::string rank = r.expectAny({".1d", ".2d", ".3d", ".4d", ".5d"}, "a number of dimensions");
  return static_cast<unsigned>(rank[1] - '0');
}

/// [map, {coordinates}]
void takeCoordinates(OpReader &r, const ast::Operand &o, TensorInfo &info) {
  if (o.kind != ast::Operand::Address || o.elements.size() != 2)
    r.fail("expected [tensorMap, {coordinates}]");
  r.inst.offset2 = o.offset;
  r.inst.s.push_back(r.mapAddress(o.elements[0]));
  auto list = r.elements(o.elements[1]);
  info.coordinates = info.mode == kFourRows ? 5 : info.rank;
  if (list.size() != info.coordinates)
    r.fail("needs " + std::to_string(info.coordinates) + " coordinates");
  for (const ast::Operand *c : list)
    r.inst.s.push_back(r.source(*c, Type::B32));
}

void nothing(Exec &, const Inst &) {}

} // namespace

void decodeTensorCopy(OpReader &r, bool reduces) {
  auto info = std::make_shared<TensorInfo>();
  info->rank = readRank(r);
  info->reduce = reduces;
  bool hint = readCacheHints(r);
  readMode(r, *info);
  if (r.accept(".bulk_group")) {
    if (!r.accept(".global") || !r.accept(".shared::cta"))
      r.fail("needs .global.shared::cta");
    if (reduces && !readReduction(r, &info->op))
      r.fail("needs an operation");
    r.expectCount(2u + hint, 2u + hint);
    r.address(r.operand(1), Space::Shared);
    int64_t offset = r.inst.offset;
    takeCoordinates(r, r.operand(0), *info);
    r.inst.offset = offset;
  } else {
    info->load = true;
    info->destinationSpace = r.accept(".shared::cluster") ? Space::SharedCluster
                             : r.accept(".shared::cta")   ? Space::Shared
                                                          : Space::Generic;
    if (reduces || info->destinationSpace == Space::Generic || !r.accept(".global"))
      r.fail("needs a destination in shared memory and .global");
    r.expectAny({".mbarrier::complete_tx::bytes"}, "a completion mechanism");
    info->multicast = r.accept(".multicast::cluster");
    r.ignore({".cta_group::1", ".cta_group::2"});
    info->offsets = info->mode == kIm2col ? info->rank - 2 : 0;
    size_t operands = 3u + (info->offsets ? 1 : 0) + info->multicast + hint;
    r.expectCount(operands, operands);
    r.address(r.operand(0), info->destinationSpace);
    int64_t offset = r.inst.offset;
    takeCoordinates(r, r.operand(1), *info);
    size_t next = 3;
    if (info->offsets) {
      auto list = r.elements(r.operand(next++));
      if (list.size() != info->offsets)
        r.fail("needs " + std::to_string(info->offsets) + " im2col offsets");
      for (const ast::Operand *o : list)
        r.inst.s.push_back(r.source(*o, Type::B16));
    }
    r.address(r.operand(2), info->destinationSpace);
    if (r.inst.offset)
      r.inst.s.back() = r.addressWithOffset(r.inst.s.back(), r.inst.offset);
    r.inst.offset = offset;
    if (info->multicast)
      r.inst.s.push_back(r.source(r.operand(next), Type::B16));
  }
  r.inst.extra = info;
  r.inst.handler = tensorCopy;
}

void decodeTensorPrefetch(OpReader &r) {
  TensorInfo info;
  info.rank = readRank(r);
  readCacheHints(r);
  readMode(r, info);
  r.ignore({".L2", ".global"});
  r.expectCount(1, 3);
  takeCoordinates(r, r.operand(0), info);
  r.inst.handler = nothing;
}

} // namespace ptxemu
