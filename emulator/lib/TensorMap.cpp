//===- TensorMap.cpp - Tensor maps and tensormap.replace -----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx-emulator/TensorMap.h"
#include "Access.h"
#include "Decoder.h"
#include "Lanewise.h"
#include "Machine.h"
#include "MemoryModifiers.h"
#include <algorithm>
#include <cstring>

namespace ptxemu {

namespace {

// Where the fields lie in the 128 bytes.
enum Field : unsigned {
  kAddress = 0,
  kRank = 8,
  kElement = 9,
  kInterleave = 10,
  kSwizzle = 11,
  kFill = 12,
  kAtomicity = 13,
  kMode = 14,
  kSize = 16,
  kStride = 40,
  kBox = 72,
  kElementStride = 82,
  kLower = 92,
  kUpper = 98,
  kChannels = 104,
  kPixels = 106,
};

template <class T>
void put(uint8_t *bytes, unsigned at, T value) {
  std::memcpy(bytes + at, &value, sizeof value);
}
template <class T>
T get(const uint8_t *bytes, unsigned at) {
  T value;
  std::memcpy(&value, bytes + at, sizeof value);
  return value;
}

} // namespace

unsigned TensorMap::elementBytes() const {
  constexpr uint8_t bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 4, 8, 2, 4, 4, 1, 1, 1};
  return bytes[element & 15];
}

unsigned TensorMap::elementBits() const {
  return element == B4x16 || element == B4x16P64 ? 4 : element == B6x16P32 ? 6 : elementBytes() * 8;
}

std::array<uint8_t, TensorMap::kBytes> TensorMap::encode() const {
  std::array<uint8_t, kBytes> b{};
  put(b.data(), kAddress, address);
  b[kRank] = static_cast<uint8_t>(rank - 1);
  b[kElement] = element;
  b[kInterleave] = interleave;
  b[kSwizzle] = swizzle;
  b[kFill] = fill;
  b[kAtomicity] = atomicity;
  b[kMode] = static_cast<uint8_t>(im2col + wide);
  for (unsigned d = 0; d < 5; ++d) {
    put(b.data(), kSize + 4 * d, size[d]);
    put(b.data(), kBox + 2 * d, static_cast<uint16_t>(box[d]));
    put(b.data(), kElementStride + 2 * d, static_cast<uint16_t>(elementStride[d]));
    if (d < 4)
      put(b.data(), kStride + 8 * d, stride[d]);
    if (d < 3) {
      put(b.data(), kLower + 2 * d, static_cast<int16_t>(lowerCorner[d]));
      put(b.data(), kUpper + 2 * d, static_cast<int16_t>(upperCorner[d]));
    }
  }
  put(b.data(), kChannels, static_cast<uint16_t>(channels));
  put(b.data(), kPixels, static_cast<uint16_t>(pixels));
  return b;
}

TensorMap TensorMap::decode(const uint8_t *b) {
  TensorMap m;
  m.address = get<uint64_t>(b, kAddress);
  m.rank = b[kRank] + 1u;
  m.element = static_cast<Element>(b[kElement]);
  m.interleave = static_cast<Interleave>(b[kInterleave]);
  m.swizzle = static_cast<Swizzle>(b[kSwizzle]);
  m.fill = static_cast<Fill>(b[kFill]);
  m.atomicity = static_cast<Atomicity>(b[kAtomicity]);
  m.im2col = b[kMode] != 0;
  m.wide = b[kMode] == 2;
  for (unsigned d = 0; d < 5; ++d) {
    m.size[d] = get<uint32_t>(b, kSize + 4 * d);
    m.box[d] = get<uint16_t>(b, kBox + 2 * d);
    m.elementStride[d] = get<uint16_t>(b, kElementStride + 2 * d);
    if (d < 4)
      m.stride[d] = get<uint64_t>(b, kStride + 8 * d);
    if (d < 3) {
      m.lowerCorner[d] = get<int16_t>(b, kLower + 2 * d);
      m.upperCorner[d] = get<int16_t>(b, kUpper + 2 * d);
    }
  }
  m.channels = get<uint16_t>(b, kChannels);
  m.pixels = get<uint16_t>(b, kPixels);
  return m;
}

namespace {

bool within(uint64_t v, uint64_t low, uint64_t high) {
  return v >= low && v <= high;
}

bool isPadded(const TensorMap &m) {
  return m.element == TensorMap::B4x16P64 || m.element == TensorMap::B6x16P32;
}

/// Sizes, strides and steps of every dimension.
std::string invalidDimensions(const TensorMap &m) {
  unsigned alignment = m.interleave == TensorMap::Interleave32 || isPadded(m) ? 32 : 16;
  if (m.address == 0 || m.address % alignment)
    return "its global address is null or not a multiple of " + std::to_string(alignment);
  for (unsigned d = 0; d < m.rank; ++d) {
    std::string which = " of dimension " + std::to_string(d);
    if (m.size[d] == 0)
      return "the size" + which + " is zero";
    if (!m.im2col && !within(m.box[d], 1, 256))
      return "the box size" + which + " is not within 1 … 256";
    if (!within(m.elementStride[d], 1, 8))
      return "the element stride" + which + " is not within 1 … 8";
    if (d && (m.stride[d - 1] % alignment || m.stride[d - 1] >> 40))
      return "the stride" + which + " is not a multiple of " + std::to_string(alignment) + " below 2^40";
  }
  if (m.interleave == TensorMap::NoInterleave && m.elementStride[0] != 1)
    return "without interleave the element stride of dimension 0 is 1";
  if ((m.element == TensorMap::B4x16 && m.size[0] % 2) || (isPadded(m) && m.size[0] % 128))
    return "the size of dimension 0 does not fit the packed element type";
  return "";
}

/// The corners of the pixel box fit their fields, and the box is not empty.
std::string invalidPixels(const TensorMap &m) {
  if (m.rank < 3)
    return "im2col needs three dimensions";
  if (!within(m.channels, 1, 256) || (!within(m.pixels, 1, 1024) && !m.wide))
    return "it has not 1 … 256 channels a pixel and 1 … 1024 pixels a column";
  if (m.wide && (m.interleave != TensorMap::NoInterleave || m.swizzle == TensorMap::NoSwizzle ||
                 m.swizzle == TensorMap::Swizzle32 || m.atomicity == TensorMap::Atom32Flip8))
    return "im2col::w needs a swizzle of 64 bytes or more without flip, and no interleave";
  unsigned spatial = m.wide ? 1 : m.rank - 2, first = m.interleave == TensorMap::NoInterleave;
  int64_t limit = spatial == 1 ? 1 << 15 : spatial == 2 ? 1 << 7 : 1 << 4;
  for (unsigned d = 0; d < spatial; ++d) {
    int64_t low = m.lowerCorner[d], high = m.upperCorner[d];
    if (low < -limit || low >= limit || high < -limit || high >= limit)
      return "a corner of its pixel box is out of range";
    if (low >= static_cast<int64_t>(m.size[first + d]) + high)
      return "its pixel box is empty";
  }
  return "";
}

/// Swizzle, atomicity and the width of the box, which depend on each other.
std::string invalidLayout(const TensorMap &m) {
  using M = TensorMap;
  uint64_t elements = m.im2col ? m.channels : m.box[0];
  uint64_t bits = isPadded(m) ? 8 : m.elementBits(), inner = elements * bits / 8;
  if (m.interleave == M::NoInterleave && (elements * bits % 128 || (isPadded(m) && elements != 128)))
    return isPadded(m) ? "the box is not 128 elements wide" : "the box is not a multiple of 16 bytes wide";
  constexpr unsigned span[] = {0, 32, 64, 128, 96};
  if (m.swizzle != M::NoSwizzle && m.interleave == M::NoInterleave && inner > span[m.swizzle])
    return "the box is wider than the swizzle";
  if (m.atomicity != M::Atom16 && m.swizzle != M::Swizzle128)
    return "only the 128-byte swizzle has other atomicities than 16 bytes";
  if (m.interleave != M::NoInterleave && m.rank < 3)
    return "interleave needs three dimensions";
  if (m.interleave == M::Interleave32 && m.swizzle != M::Swizzle32)
    return "32-byte interleave needs 32-byte swizzle";
  if (m.interleave != M::NoInterleave && (m.swizzle == M::Swizzle96 || isPadded(m)))
    return "interleave goes neither with 96-byte swizzle nor with padded elements";
  if (isPadded(m) && ((m.swizzle != M::NoSwizzle && m.swizzle != M::Swizzle128) || m.atomicity == M::Atom32Flip8))
    return "padded elements go with the 128-byte swizzle without flip, or none";
  return "";
}

} // namespace

std::string TensorMap::invalid() const {
  if (!within(rank, 1, 5))
    return "its rank is not within 1 … 5";
  if (element > B6x16P32 || interleave > Interleave32 || swizzle > Swizzle96 || fill > NaNs || atomicity > Atom64)
    return "one of its modes does not exist";
  if (std::string reason = invalidDimensions(*this); !reason.empty())
    return reason;
  if (std::string reason = im2col ? invalidPixels(*this) : ""; !reason.empty())
    return reason;
  if (std::string reason = invalidLayout(*this); !reason.empty())
    return reason;
  if (fill == NaNs && element != F16 && element != F32 && element != F32Ftz && element != F64 && element != BF16 &&
      element != TF32 && element != TF32Ftz)
    return "NaN fill needs a floating-point type";
  return "";
}

namespace {

//===--- tensormap.replace ------------------------------------------------===//

struct ReplaceField {
  std::string_view name;
  unsigned offset, step, bytes; ///< step 0: no ordinal
  unsigned most;                ///< ordinals
};
constexpr ReplaceField kFields[] = {
    {".global_address", kAddress, 0, 8, 0},
    {".rank", kRank, 0, 1, 0},
    {".box_dim", kBox, 2, 2, 4},
    {".global_dim", kSize, 4, 4, 4},
    {".global_stride", kStride, 8, 8, 3},
    {".element_stride", kElementStride, 2, 2, 4},
    {".elemtype", kElement, 0, 1, 0},
    {".interleave_layout", kInterleave, 0, 1, 0},
    {".swizzle_mode", kSwizzle, 0, 1, 0},
    {".swizzle_atomicity", kAtomicity, 0, 1, 0},
    {".fill_mode", kFill, 0, 1, 0},
};

/// mode: byte offset; mode2: bytes.
void replace(Exec &x, const Inst &inst) {
  x.forLanes([&](unsigned l) {
    uint64_t base = x.s(0)[l] + static_cast<uint64_t>(inst.offset);
    if (base % 128)
      throw Fault{"misaligned", "a tensor map is aligned to 128 bytes", static_cast<int>(l)};
    uint64_t value = x.s(1)[l];
    // The field is written like a store; fields of one byte share words, which one thread writes.
    uint8_t *p = access(x, inst.space, base + inst.mode, inst.mode2, l, {AccessKind::Write});
    std::memcpy(p, &value, inst.mode2);
  });
  x.machine.progressMade();
}

void decodeReplace(OpReader &r) {
  r.expectAny({".tile"}, ".tile");
  const ReplaceField *field = nullptr;
  for (const ReplaceField &f : kFields)
    if (r.accept(f.name))
      field = &f;
  if (!field)
    r.fail("needs a field");
  r.inst.space = r.acceptSpace();
  r.expectAny({".b1024"}, ".b1024");
  Type t = r.type({Type::B32, Type::B64});
  r.expectCount(field->step ? 3 : 2, field->step ? 3 : 2);
  r.address(r.operand(0), r.inst.space);
  uint64_t ordinal = field->step ? r.integer(r.operand(1)) : 0;
  if (ordinal > field->most)
    r.fail("the ordinal exceeds " + std::to_string(field->most));
  r.addSource(field->step ? 2 : 1, t);
  r.inst.mode = static_cast<uint8_t>(field->offset + ordinal * field->step);
  r.inst.mode2 = static_cast<uint8_t>(field->bytes);
  r.inst.handler = replace;
}

/// tensormap.cp_fenceproxy: copies the map and makes the copy visible to the tensormap proxy.
void copyFence(Exec &x, const Inst &inst) {
  const Lanes &destination = x.s(0), &source = x.s(1);
  uint8_t bytes[TensorMap::kBytes];
  // The whole warp executes it, for one map.
  unsigned l = static_cast<unsigned>(std::countr_zero(x.mask));
  for (unsigned i = 0; i < TensorMap::kBytes; i += 16)
    std::memcpy(bytes + i, access(x, Space::Shared, source[l] + static_cast<uint64_t>(inst.offset2) + i, 16, l, {}),
                16);
  for (unsigned i = 0; i < TensorMap::kBytes; i += 16)
    std::memcpy(
        access(x, Space::Global, destination[l] + static_cast<uint64_t>(inst.offset) + i, 16, l, {AccessKind::Write}),
        bytes + i, 16);
  x.machine.races().fence(x.warp, x.mask, Reach::Device);
  x.machine.races().proxyFence(x.warp, x.mask, kProxySpaces);
  x.machine.progressMade();
}

void decodeCopyFence(OpReader &r) {
  r.expectAny({".global"}, ".global");
  r.expectAny({".shared::cta"}, ".shared::cta");
  r.expectAny({".tensormap::generic"}, ".tensormap::generic");
  r.expectAny({".release"}, ".release");
  readScope(r);
  r.expectAny({".sync"}, ".sync");
  r.expectAny({".aligned"}, ".aligned");
  r.expectCount(3, 3);
  r.inst.flags |= kAligned;
  r.address(r.operand(0), Space::Global);
  int64_t destinationOffset = r.inst.offset;
  r.address(r.operand(1), Space::Shared);
  r.inst.offset2 = r.inst.offset;
  r.inst.offset = destinationOffset;
  if (r.integer(r.operand(2)) != 128)
    r.fail("copies 128 bytes");
  r.inst.handler = copyFence;
}

} // namespace

void addTensorMapOps(OpcodeTable &t) {
  t["tensormap"] = [](OpReader &r) {
    r.inst.opClass = OpClass::Async;
    if (r.accept(".replace"))
      decodeReplace(r);
    else if (r.accept(".cp_fenceproxy"))
      decodeCopyFence(r);
  };
}

} // namespace ptxemu
