//===- TensorCopy.cpp - cp.async.bulk.tensor -----------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lanewise.h"
#include "MemoryModifiers.h"
#include "TensorBox.h"
#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace ptxemu {

namespace {

struct TensorInfo {
  unsigned rank = 0;
  bool load = false, multicast = false, reduce = false;
  bool ctaPair = false; ///< .cta_group::2: the mbarrier may be the peer CTA's
  LoadMode mode = LoadMode::Tile;
  Space destinationSpace = Space::Shared;
  AtomicOp op = AtomicOp::Add;
  unsigned coordinates = 0, offsets = 0; ///< how many source operands they take
};

TensorMap readMap(Exec &x, uint64_t address, unsigned rank, unsigned lane) {
  if (address % 64)
    throw Fault{"misaligned", "a tensor map is aligned to 64 bytes, but lies at " + hexText(address),
                static_cast<int>(lane)};
  uint8_t bytes[TensorMap::kBytes];
  for (unsigned i = 0; i < TensorMap::kBytes; i += 16)
    std::memcpy(bytes + i, access(x, Space::Generic, address + i, 16, lane, {}), 16);
  TensorMap m = TensorMap::decode(bytes);
  std::string reason = m.invalid();
  if (reason.empty() && m.rank != rank)
    reason = "it has rank " + std::to_string(m.rank) + ", the instruction says " + std::to_string(rank);
  if (!reason.empty())
    throw Fault{"tensor-map", "the tensor map at " + hexText(address) + " cannot be used: " + reason,
                static_cast<int>(lane)};
  return m;
}

Type reductionType(const TensorMap &m, AtomicOp op) {
  constexpr Type types[] = {Type::None, Type::None, Type::U32, Type::S32,  Type::U64, Type::S64, Type::F16,
                            Type::F32,  Type::F32,  Type::F64, Type::BF16, Type::F32, Type::F32};
  Type t = m.element < std::size(types) ? types[m.element] : Type::None;
  bool logic = op == AtomicOp::And || op == AtomicOp::Or || op == AtomicOp::Xor;
  if (logic && (t == Type::U32 || t == Type::S32))
    return Type::B32;
  return logic && (t == Type::U64 || t == Type::S64) ? Type::B64 : t;
}

/// What the ISA forbids of this map in this mode and direction; empty when nothing.
std::string forbidden(const TensorMap &m, const TensorInfo &info, const BoxPosition &p) {
  bool spatial = info.mode == LoadMode::Im2col || info.mode == LoadMode::Im2colNoOffsets,
       wide = info.mode == LoadMode::Im2colWide || info.mode == LoadMode::Im2colWide128;
  if (m.im2col != (spatial || wide) || m.wide != wide)
    return "the instruction's mode (tile, im2col or im2col::w) is not the tensor map's";
  if (info.mode == LoadMode::FourRows && (m.interleave != TensorMap::NoInterleave || m.box[1] != 1))
    return "gathering and scattering rows needs a box of one row, without interleave";
  if (info.mode == LoadMode::Im2colWide128 && m.swizzle == TensorMap::Swizzle96)
    return "im2col::w::128 has no 96-byte swizzle";
  if (info.load)
    return "";
  if (m.swizzle == TensorMap::Swizzle128 && m.atomicity == TensorMap::Atom32Flip8)
    return "the swizzle with 8-byte flip exists for loads only";
  if (m.element == TensorMap::B4x16P64)
    return "padded 4-bit elements cannot be stored";
  // A box may begin before the tensor, where its elements are not written: the ISA has coordinates of type .s32 and
  // boxes that cross the boundary "in any dimension" (PTX ISA, "Tiled Mode", "Out of Boundary Access"), whichever way
  // the copy goes. Of im2col stores it says that their bounding box stays within.
  if (spatial && std::any_of(p.coordinates.begin(), p.coordinates.end(), [](int32_t c) { return c < 0; }))
    return "the coordinates of an im2col store are not negative";
  for (unsigned d = 0; spatial && d < 3; ++d)
    if (m.lowerCorner[d] < 0 || m.upperCorner[d] > 0)
      return "the bounding box of a store stays within the tensor";
  if (info.reduce && !bulkReductionExists(info.op, reductionType(m, info.op), false))
    return "the reduction does not exist for its element type";
  return "";
}

/// The CTAs that receive a load, and which mbarrier each of them signals.
std::vector<LoadTarget> targetsOf(Exec &x, const TensorInfo &info, const Place &place, const Place &barrier,
                                  uint32_t mask, unsigned lane) {
  if (!info.multicast) {
    bool isPeer = info.ctaPair && place.cta->rank / 2 == barrier.cta->rank / 2;
    if (place.cta != barrier.cta && !isPeer)
      throw Fault{"bad-copy", "the destination and the mbarrier lie in different CTAs", static_cast<int>(lane)};
    return {{place.cta, barrier.cta}};
  }
  std::vector<LoadTarget> targets;
  for (Cta *cta : multicastTargets(x, mask, lane)) {
    // Of a pair the CTA whose rank is odd (or even) like that of the mbarrier's is signalled.
    Cta *signalled = info.ctaPair ? x.cta.cluster->ctas.at((cta->rank & ~1u) | (barrier.cta->rank & 1)).get() : cta;
    targets.push_back({cta, signalled});
  }
  return targets;
}

/// s: shared address, map, coordinates…, im2col offsets…, [mbarrier], [mask]
void tensorCopy(Exec &x, const Inst &inst) {
  const auto &info = inst.as<TensorInfo>();
  x.forLanes([&](unsigned l) {
    uint64_t shared = x.s(0)[l] + static_cast<uint64_t>(inst.offset),
             mapAddress = x.s(1)[l] + static_cast<uint64_t>(inst.offset2);
    TensorMap map = readMap(x, mapAddress, info.rank, l);
    BoxPosition position{info.mode, {}, {}};
    unsigned next = 2;
    for (unsigned i = 0; i < info.coordinates; ++i)
      position.coordinates.push_back(static_cast<int32_t>(x.s(next++)[l]));
    for (unsigned i = 0; i < info.offsets; ++i)
      position.offsets.push_back(static_cast<uint16_t>(x.s(next++)[l]));
    if (std::string reason = forbidden(map, info, position); !reason.empty())
      throw Fault{"tensor-map", reason, static_cast<int>(l)};
    Place place = resolve(x, info.destinationSpace, shared, l);
    if (place.space != Space::Shared || place.offset % 128)
      throw Fault{"misaligned",
                  "a tensor copy needs an address in shared memory that is a multiple of 128, not " +
                      hexText(place.offset),
                  static_cast<int>(l)};
    Copy copy;
    try {
      copy =
          boxRuns(map, position, static_cast<uint32_t>(place.offset), info.load ? Direction::Load : Direction::Store);
    } catch (const std::invalid_argument &reason) {
      throw Fault{"tensor-map", reason.what(), static_cast<int>(l)};
    }
    if (const Place mapPlace = resolve(x, Space::Generic, mapAddress, l); mapPlace.space == Space::Global)
      copy.map = mapPlace.offset;
    if (!info.load) {
      copy.packs = map.element == TensorMap::B6x16P32; // which stores take as .b6p2x16
      bool flushes = map.element == TensorMap::F32Ftz || map.element == TensorMap::TF32Ftz;
      return startStore(x, std::move(copy), {info.reduce, info.op, reductionType(map, info.op), flushes}, l);
    }
    copy.roundsToTf32 = map.element == TensorMap::TF32 || map.element == TensorMap::TF32Ftz;
    Place barrier = barrierPlace(x, info.destinationSpace, x.s(next++)[l], l);
    uint32_t mask = info.multicast ? static_cast<uint16_t>(x.s(next)[l]) : 0;
    startLoad(x, std::move(copy), targetsOf(x, info, place, barrier, mask, l), barrier.offset, l);
  });
}

void readMode(OpReader &r, TensorInfo &info) {
  if (r.accept(".im2col"))
    info.mode = LoadMode::Im2col;
  else if (r.accept(".im2col::w"))
    info.mode = LoadMode::Im2colWide;
  else if (r.accept(".im2col::w::128"))
    info.mode = LoadMode::Im2colWide128;
  else if (!info.load && r.accept(".im2col_no_offs"))
    info.mode = LoadMode::Im2colNoOffsets;
  else if (r.accept(info.load ? ".tile::gather4" : ".tile::scatter4"))
    info.mode = LoadMode::FourRows;
  else
    r.accept(".tile");
  bool images = info.mode != LoadMode::Tile && info.mode != LoadMode::FourRows;
  if ((images && info.rank < 3) || (info.mode == LoadMode::FourRows && info.rank != 2) ||
      (!info.load && images && info.mode != LoadMode::Im2colNoOffsets) ||
      (info.reduce && info.mode == LoadMode::FourRows))
    r.fail("the mode does not go with the number of dimensions or the direction");
  info.offsets = info.mode == LoadMode::Im2col                                               ? info.rank - 2
                 : info.mode == LoadMode::Im2colWide || info.mode == LoadMode::Im2colWide128 ? 2
                                                                                             : 0;
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
  info.coordinates = info.mode == LoadMode::FourRows ? 5 : info.rank;
  if (list.size() != info.coordinates)
    r.fail("needs " + std::to_string(info.coordinates) + " coordinates");
  for (const ast::Operand *c : list)
    r.inst.s.push_back(r.source(*c, Type::B32));
}

/// {offset, …}, 16 bits each.
void takeOffsets(OpReader &r, const ast::Operand &o, const TensorInfo &info) {
  auto list = r.elements(o);
  if (list.size() != info.offsets)
    r.fail("needs " + std::to_string(info.offsets) + " im2col operands");
  for (const ast::Operand *e : list)
    r.inst.s.push_back(r.source(*e, Type::B16));
}

void decodeTensorStore(OpReader &r, TensorInfo &info, bool hint) {
  if (!r.accept(".global") || !r.accept(".shared::cta"))
    r.fail("needs .global.shared::cta");
  if (info.reduce && !readReduction(r, &info.op))
    r.fail("needs an operation");
  readMode(r, info);
  r.expectCount(2u + hint, 2u + hint);
  r.address(r.operand(1), Space::Shared);
  int64_t offset = r.inst.offset;
  takeCoordinates(r, r.operand(0), info);
  r.inst.offset = offset;
}

void decodeTensorLoad(OpReader &r, TensorInfo &info, bool hint) {
  info.destinationSpace = r.accept(".shared::cluster") ? Space::SharedCluster
                          : r.accept(".shared::cta")   ? Space::Shared
                                                       : Space::Generic;
  if (info.reduce || info.destinationSpace == Space::Generic || !r.accept(".global"))
    r.fail("needs a destination in shared memory and .global");
  r.expectAny({".mbarrier::complete_tx::bytes"}, "a completion mechanism");
  info.multicast = info.destinationSpace == Space::SharedCluster && r.accept(".multicast::cluster");
  info.ctaPair = r.acceptAny({".cta_group::1", ".cta_group::2"}) == ".cta_group::2";
  readMode(r, info);
  size_t operands = 3u + (info.offsets ? 1 : 0) + info.multicast + hint;
  r.expectCount(operands, operands);
  r.address(r.operand(0), info.destinationSpace);
  int64_t offset = r.inst.offset;
  takeCoordinates(r, r.operand(1), info);
  size_t next = 3;
  if (info.offsets)
    takeOffsets(r, r.operand(next++), info);
  r.address(r.operand(2), info.destinationSpace);
  if (r.inst.offset)
    r.inst.s.back() = r.addressWithOffset(r.inst.s.back(), r.inst.offset);
  r.inst.offset = offset;
  if (info.multicast)
    r.inst.s.push_back(r.source(r.operand(next), Type::B16));
}

} // namespace

void decodeTensorCopy(OpReader &r, bool reduces) {
  auto info = std::make_shared<TensorInfo>();
  info->rank = readRank(r);
  info->reduce = reduces;
  bool hint = readCacheHint(r);
  info->load = !r.accept(".bulk_group");
  info->load ? decodeTensorLoad(r, *info, hint) : decodeTensorStore(r, *info, hint);
  r.inst.extra = info;
  r.inst.handler = tensorCopy;
}

void decodeTensorPrefetch(OpReader &r) {
  TensorInfo info;
  info.load = true;
  info.rank = readRank(r);
  bool hint = readCacheHint(r);
  r.expectAny({".L2"}, ".L2");
  r.expectAny({".global"}, ".global");
  readMode(r, info);
  size_t operands = 1u + (info.offsets ? 1 : 0) + hint;
  r.expectCount(operands, operands);
  takeCoordinates(r, r.operand(0), info);
  if (info.offsets)
    takeOffsets(r, r.operand(1), info);
  r.inst.handler = doNothing;
}

} // namespace ptxemu
