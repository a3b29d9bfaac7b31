//===- Tcgen05Descriptor.cpp - What tcgen05.mma multiplies, and how ------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tcgen05Descriptor.h"
#include "Access.h"
#include <initializer_list>

namespace ptxemu {

namespace {

unsigned field(uint64_t d, unsigned low, unsigned bits) {
  return static_cast<unsigned>(d >> low & ((1u << bits) - 1));
}

void requireZero(uint64_t d, uint64_t bits) {
  if (d & bits)
    badDescriptor("reserved bits of the instruction descriptor are set (" + hexText(d & bits) + ")");
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type narrowFloat(unsigned code) {
  constexpr Type types[] = {Type::E4M3, Type::E5M2, Type::None, Type::E2M3,
                            Type::E3M2, Type::E2M1, Type::None, Type::None};
  return types[code];
}

Type elementType(TensorKind kind, unsigned code) {
  switch (kind) {
  case TensorKind::F16:
    return code == 0 ? Type::F16 : code == 1 ? Type::BF16 : Type::None;
  case TensorKind::TF32:
    return code == 2 ? Type::TF32 : Type::None;
  case TensorKind::F8F6F4:
  case TensorKind::MXF8F6F4:
    return narrowFloat(code);
  case TensorKind::I8:
    return code == 0 ? Type::U8 : code == 1 ? Type::S8 : Type::None;
  default:
    return code == 1 ? Type::E2M1 : Type::None;
  }
}

void checkResult(const TensorOperation &o, TensorKind kind) {
  bool exists = kind == TensorKind::I8 ? o.d == Type::S32
                : kind == TensorKind::F16
                    ? o.d == Type::F32 || (o.d == Type::F16 && o.a == Type::F16 && o.b == Type::F16)
                : kind == TensorKind::F8F6F4 ? o.d == Type::F32 || o.d == Type::F16
                                             : o.d == Type::F32;
  if (o.a == Type::None || o.b == Type::None || !exists)
    badDescriptor("the instruction descriptor's types do not exist for this kind");
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

bool oneOf(unsigned v, std::initializer_list<unsigned> choices) {
  for (unsigned c : choices)
    if (c == v)
      return true;
  return false;
}

bool rowsExist(unsigned m, const TensorMmaForm &f) {
  if (isBlockScaled(f.kind))
    return f.pair ? m == 256 || (m == 128 && !f.sparse) : m == 128;
  if (f.weightStationary)
    return oneOf(m, {32, 64, 128});
  return f.pair ? oneOf(m, {128, 256}) : oneOf(m, {64, 128});
}

bool columnsExist(unsigned n, const TensorMmaForm &f, bool transposedBytes) {
  if (f.weightStationary)
    return oneOf(n, {64, 128}) || (n == 256 && !f.sparse);
  if (n < 8 || n > 256)
    return false;
  if (f.pair)
    return n % (f.kind == TensorKind::I8 || transposedBytes ? 32 : 16) == 0;
  if (transposedBytes)
    return n % 16 == 0;
  return n % 8 == 0 && (f.kind != TensorKind::I8 || n == 8 || n == 24 || n % 16 == 0);
}

unsigned depthOf(const TensorMmaForm &f) {
  unsigned bytes32 = f.kind == TensorKind::F16                                      ? 16
                     : f.kind == TensorKind::TF32                                   ? 8
                     : f.kind == TensorKind::MXF4 || f.kind == TensorKind::MXF4NVF4 ? 64
                                                                                    : 32;
  return f.sparse ? bytes32 * 2 : bytes32;
}

DataPath pathOf(const TensorOperation &o, const TensorMmaForm &f) {
  if (f.weightStationary)
    return o.m == 32 ? DataPath::OneByFour : o.m == 64 ? DataPath::TwoByTwo : DataPath::FourByOne;
  if (f.pair && o.m == 128)
    return f.sparse ? DataPath::HalfFourByOne : DataPath::TwoByTwo;
  return o.m == 64 ? DataPath::HalfFourByOne : DataPath::FourByOne;
}

void checkShape(const TensorOperation &o, const TensorMmaForm &f) {
  bool transposedBytes = o.bMnMajor && bitWidth(o.b) == 8;
  if (!rowsExist(o.m, f) || !columnsExist(o.n, f, transposedBytes))
    badDescriptor("there is no such shape: M=" + std::to_string(o.m) + ", N=" + std::to_string(o.n) + " for " +
                  (f.pair ? "a pair of CTAs" : "one CTA"));
  if (f.shiftA && o.m != (f.pair ? 256 : 128))
    badDescriptor(f.pair ? ".ashift needs M=256 for a pair of CTAs" : ".ashift needs M=128");
  if ((o.aMnMajor && bitWidth(o.a) < 8) || (o.bMnMajor && bitWidth(o.b) < 8))
    badDescriptor("matrices of 4-bit and 6-bit elements cannot be transposed");
  if (o.aMnMajor && f.aInTensorMemory)
    badDescriptor("A in tensor memory cannot be transposed");
}

//===----------------------------------------------------------------------===//
// The two formats
//===----------------------------------------------------------------------===//

void readPlain(uint32_t d, const TensorMmaForm &f, TensorOperation &o) {
  requireZero(d, 1u << 6 | 1u << 23 | 1u << 29);
  if (!f.weightStationary && field(d, 30, 2))
    badDescriptor("a maximum shift of B exists for .ws only");
  o.saturate = field(d, 3, 1);
  constexpr Type results[] = {Type::F16, Type::F32, Type::S32, Type::None};
  o.d = results[field(d, 4, 2)];
  o.a = elementType(f.kind, field(d, 7, 3));
  o.b = elementType(f.kind, field(d, 10, 3));
  o.m = field(d, 24, 5) * 16;
  if (o.saturate && f.kind != TensorKind::I8)
    badDescriptor("only .kind::i8 saturates");
  if (f.kind == TensorKind::I8 && (o.negateA || o.negateB))
    badDescriptor("integer matrices cannot be negated");
  if (f.sparse) {
    o.selector = field(d, 0, 2);
    if (o.selector && f.kind != TensorKind::F16 && f.kind != TensorKind::TF32)
      badDescriptor("the sparsity selector must be 0 for this kind");
  }
}

void readScaled(uint32_t d, const TensorMmaForm &f, TensorOperation &o) {
  requireZero(d, 1u << 3 | 1u << 6 | 7u << 24 | 3u);
  bool fourBits = f.kind != TensorKind::MXF8F6F4;
  o.d = Type::F32;
  o.a = elementType(f.kind, field(d, 7, 3));
  o.b = elementType(f.kind, field(d, 10, fourBits ? 2 : 3));
  o.m = field(d, 27, 2) * 128;
  o.scaleIdB = field(d, 4, 2);
  o.scaleIdA = field(d, 29, 2);
  o.scale = field(d, 23, 1) ? Type::UE8M0 : Type::UE4M3;
  if (fourBits)
    requireZero(d, 1u << 12);
  else
    requireZero(d, 1u << 31);
  if (fourBits && field(d, 31, 1))
    badDescriptor("the emulator does not know K=96");
  if (o.scale == Type::UE4M3 && f.kind != TensorKind::MXF4NVF4)
    badDescriptor("scale factors of this kind are .ue8m0");
  if (o.scale == Type::UE4M3 && f.scaleVector != 4)
    badDescriptor("scale factors of type .ue4m3 need .block16 (.scale_vec::4X)");
  if (o.scaleIdA % f.scaleVector || o.scaleIdB % f.scaleVector)
    badDescriptor("a scale factor data ID of " + std::to_string(std::max(o.scaleIdA, o.scaleIdB)) +
                  " does not exist for scale vectors of " + std::to_string(f.scaleVector));
}

} // namespace

void badDescriptor(const std::string &why) {
  throw Fault{"descriptor", why, -1};
}

TensorOperation readInstructionDescriptor(uint32_t d, const TensorMmaForm &f) {
  TensorOperation o;
  o.n = field(d, 17, 6) * 8;
  o.k = depthOf(f);
  o.ctas = f.pair ? 2 : 1;
  o.negateA = field(d, 13, 1);
  o.negateB = field(d, 14, 1);
  o.aMnMajor = field(d, 15, 1);
  o.bMnMajor = field(d, 16, 1);
  if (field(d, 2, 1) != f.sparse)
    badDescriptor(f.sparse ? "the instruction descriptor of tcgen05.mma.sp says that A is dense"
                           : "the instruction descriptor says that A is sparse, the instruction does not");
  if (isBlockScaled(f.kind))
    readScaled(d, f, o);
  else
    readPlain(d, f, o);
  checkResult(o, f.kind);
  checkShape(o, f);
  o.path = pathOf(o, f);
  return o;
}

SharedMatrix readMatrixDescriptor(uint64_t d, bool mnMajor, const char *matrix) {
  std::string which = std::string(matrix) + ": ";
  SharedMatrix m;
  m.start = field(d, 0, 14) << 4;
  m.leadingOffset = field(d, 16, 14) << 4;
  m.strideOffset = field(d, 32, 14) << 4;
  m.baseOffset = field(d, 49, 3);
  m.mnMajor = mnMajor;
  constexpr uint32_t swizzles[] = {0, 128, 128, 0, 64, 0, 32, 0};
  unsigned mode = static_cast<unsigned>(d >> 61);
  if (mode == 3 || mode == 5 || mode == 7)
    badDescriptor(which + "the swizzle mode does not exist");
  m.swizzle = swizzles[mode];
  m.atom = mode == 1 ? 32 : 16;
  if (field(d, 46, 3) != 1)
    badDescriptor(which + "bits 46 to 48 of the descriptor must be 0b001");
  if (field(d, 14, 2) || field(d, 30, 2) || field(d, 53, 8))
    badDescriptor(which + "reserved bits of the descriptor are set");
  if (field(d, 52, 1))
    badDescriptor(which + "the emulator does not know absolute leading dimensions");
  if (m.baseOffset && !m.swizzle)
    badDescriptor(which + "a base offset without swizzling means nothing");
  return m;
}

bool ZeroColumnMask::isZero(unsigned column) const {
  if (!masked)
    return false;
  unsigned blocks = m == 32 ? 4 : m == 64 ? 2 : 1, width = n / blocks, i = column / width;
  unsigned skip = field(descriptor, 40, 8) + 1, use = field(descriptor, 48, 8) + 1;
  bool startsWithZeros = field(descriptor, 32 + i, 1);
  unsigned at = (column % width + field(descriptor, 8 * i, 8)) % (skip + use);
  return startsWithZeros ? at < skip : at >= use;
}

ZeroColumnMask readZeroColumnMask(uint64_t d, const TensorOperation &o) {
  if (field(d, 36, 3) || field(d, 62, 2))
    badDescriptor("reserved bits of the zero-column mask descriptor are set");
  ZeroColumnMask mask{field(d, 56, 6), field(d, 39, 1) != 0, d, o.m, o.n};
  if (mask.shift > (o.m == 32 ? 16u : 32u))
    badDescriptor("the zero-column mask descriptor shifts B by " + std::to_string(mask.shift) +
                  " columns, too many for M=" + std::to_string(o.m));
  return mask;
}

} // namespace ptxemu
