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

std::array<uint8_t, 128> TensorMap::encode() const {
  std::array<uint8_t, 128> b{};
  put(b.data(), kAddress, address);
  b[kRank] = static_cast<uint8_t>(rank - 1);
  b[kElement] = element;
  b[kInterleave] = interleave;
  b[kSwizzle] = swizzle;
  b[kFill] = fill;
  b[kAtomicity] = atomicity;
  b[kMode] = im2col;
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
  m.im2col = b[kMode];
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

std::string TensorMap::invalid() const {
  auto in = [](uint64_t v, uint64_t low, uint64_t high) { return v >= low && v <= high; };
  if (!in(rank, 1, 5))
    return "its rank is not within 1 … 5";
  if (element > B6x16P32 || interleave > Interleave32 || swizzle > Swizzle128 || fill > NaNs || atomicity > Atom64)
    return "one of its modes does not exist";
  if (address == 0 || address % (interleave == Interleave32 ? 32 : 16))
    return "its global address is null or not a multiple of 16";
  for (unsigned d = 0; d < rank; ++d) {
    std::string which = " of dimension " + std::to_string(d);
    if (size[d] == 0)
      return "the size" + which + " is zero";
    if (!im2col && !in(box[d], 1, 256))
      return "the box size" + which + " is not within 1 … 256";
    if (!in(elementStride[d], 1, 8))
      return "the element stride" + which + " is not within 1 … 8";
    if (d && (stride[d - 1] % 16 || stride[d - 1] >> 40))
      return "the stride" + which + " is not a multiple of 16 below 2^40";
  }
  uint64_t inner =
      im2col ? static_cast<uint64_t>(channels) * elementBytes() : static_cast<uint64_t>(box[0]) * elementBytes();
  if (interleave == NoInterleave && inner % 16)
    return "the box is not a multiple of 16 bytes wide";
  constexpr unsigned span[] = {0, 32, 64, 128};
  if (swizzle != NoSwizzle && interleave == NoInterleave && inner > span[swizzle])
    return "the box is wider than the swizzle";
  if (interleave == Interleave32 && swizzle != Swizzle32)
    return "32-byte interleave needs 32-byte swizzle";
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
  uint8_t bytes[128];
  // The whole warp executes it, for one map.
  unsigned l = static_cast<unsigned>(std::countr_zero(x.mask));
  for (unsigned i = 0; i < 128; i += 16)
    std::memcpy(bytes + i, access(x, Space::Shared, source[l] + static_cast<uint64_t>(inst.offset2) + i, 16, l, {}),
                16);
  for (unsigned i = 0; i < 128; i += 16)
    std::memcpy(
        access(x, Space::Global, destination[l] + static_cast<uint64_t>(inst.offset) + i, 16, l, {AccessKind::Write}),
        bytes + i, 16);
  x.machine.races().fence(x.warp);
  x.machine.races().proxyFence(x.warp);
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
