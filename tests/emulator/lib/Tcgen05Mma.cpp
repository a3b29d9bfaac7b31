//===- Tcgen05Mma.cpp - tcgen05.mma and tcgen05.cp -----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatMath.h"
#include "Lanewise.h"
#include "MmaTypes.h"
#include "SharedMatrix.h"
#include "Tcgen05.h"
#include <algorithm>
#include <cstring>

namespace ptxemu {

namespace {

enum Kind : uint8_t { kF16, kTf32, kF8, kI8 };

/// The 32-bit instruction descriptor.
struct Operation {
  unsigned m = 0, n = 0, k = 0;
  Type d = Type::None, a = Type::None, b = Type::None;
  bool negateA = false, negateB = false, aMnMajor = false, bMnMajor = false, saturate = false;
};

[[noreturn]] void bad(const std::string &why) {
  throw Fault{"descriptor", why, -1};
}

Operation readInstructionDescriptor(uint32_t d, Kind kind, unsigned group) {
  Operation o;
  unsigned dType = d >> 4 & 3, aType = d >> 7 & 7, bType = d >> 10 & 7;
  o.n = (d >> 17 & 63) * 8;
  o.m = (d >> 24 & 31) * 16;
  o.negateA = d >> 13 & 1;
  o.negateB = d >> 14 & 1;
  o.aMnMajor = d >> 15 & 1;
  o.bMnMajor = d >> 16 & 1;
  o.saturate = d >> 3 & 1;
  if (d >> 2 & 1)
    bad("the emulator does not know sparse tcgen05.mma");
  if (d >> 6 & 1 || d >> 23 & 1 || d >> 29 & 1)
    bad("reserved bits of the instruction descriptor are set");
  auto type = [&](unsigned code) {
    switch (kind) {
    case kF16:
      return code == 0 ? Type::F16 : code == 1 ? Type::BF16 : Type::None;
    case kTf32:
      return code == 2 ? Type::TF32 : Type::None;
    case kF8:
      return code == 0 ? Type::E4M3 : code == 1 ? Type::E5M2 : Type::None;
    default:
      return code == 0 ? Type::U8 : code == 1 ? Type::S8 : Type::None;
    }
  };
  o.a = type(aType);
  o.b = type(bType);
  o.d = dType == 0 ? Type::F16 : dType == 1 ? Type::F32 : dType == 2 ? Type::S32 : Type::None;
  o.k = kind == kF16 ? 16 : kind == kTf32 ? 8 : 32;
  if (o.a == Type::None || o.b == Type::None || (o.d == Type::S32) != (kind == kI8) || o.d == Type::None ||
      (o.d == Type::F16 && kind != kF16 && kind != kF8))
    bad("the emulator does not know the types of the instruction descriptor " + std::to_string(d));
  bool shape = group == 1 ? (o.m == 64 && o.n % 8 == 0) || (o.m == 128 && o.n % 16 == 0) : o.m == 256 && o.n % 16 == 0;
  if (!shape || o.n < 8 || o.n > 256)
    bad("the emulator does not know the shape M=" + std::to_string(o.m) + ", N=" + std::to_string(o.n) + " for " +
        std::to_string(group) + " CTA");
  return o;
}

SharedMatrix readDescriptor(uint64_t d, bool mnMajor, char matrix) {
  SharedMatrix m;
  m.start = static_cast<uint32_t>(d & 0x3fff) << 4;
  m.leadingOffset = static_cast<uint32_t>(d >> 16 & 0x3fff) << 4;
  m.strideOffset = static_cast<uint32_t>(d >> 32 & 0x3fff) << 4;
  m.mnMajor = mnMajor;
  std::string which = std::string("matrix ") + matrix + ": ";
  switch (d >> 61) {
  case 0:
    m.swizzle = 0;
    break;
  case 2:
    m.swizzle = 128;
    break;
  case 4:
    m.swizzle = 64;
    break;
  case 6:
    m.swizzle = 32;
    break;
  case 1:
    bad(which + "the emulator does not know 32-byte atomicity");
  default:
    bad(which + "the swizzle mode does not exist");
  }
  if ((d >> 46 & 7) != 1)
    bad(which + "bits 46 to 48 of the descriptor must be 0b001");
  if (d >> 49 & 15)
    bad(which + "the emulator does not know base offsets and absolute leading dimensions");
  return m;
}

unsigned bytesOf(Type t) {
  return t == Type::TF32 ? 4 : bitWidth(t) / 8;
}

void checkOperand(Exec &x, Cta &cta, const char *what, const SharedMatrix &m, unsigned rows, unsigned depth,
                  unsigned bytes, uint32_t engine, uint32_t clock) {
  unsigned step = std::max(1u, 16 / bytes);
  for (unsigned mn = 0; mn < rows; mn += m.mnMajor ? step : 1)
    for (unsigned k = 0; k < depth; k += m.mnMajor ? 1 : step)
      readByTensorCore(x, cta, what, m.address(mn, k, bytes) & ~15u, engine, clock);
}

double sharedElement(const Cta &cta, uint32_t address, unsigned bytes, const ElementDecoder &value) {
  uint64_t raw = 0;
  std::memcpy(&raw, cta.shared.bytes.data() + address, bytes);
  return value(raw);
}

/// Everything one multiplication needs, kept until the tensor core gets to it.
struct Multiplication {
  Operation o;
  std::vector<Cta *> ctas; ///< one, or the pair
  TensorAddress d{0}, aTensor{0};
  bool aInTensorMemory = false, accumulate = false;
  SharedMatrix a, b;
  std::array<uint32_t, 4> disabled{}; ///< output lanes
};

unsigned tensorLane(const Operation &o, unsigned row) {
  return o.m == 64 ? row / 16 * 32 + row % 16 : row;
}

void multiply(Machine &m, const Multiplication &p) {
  const Operation &o = p.o;
  unsigned ea = bytesOf(o.a), eb = bytesOf(o.b), rowsEach = o.m / static_cast<unsigned>(p.ctas.size()),
           nEach = o.n / static_cast<unsigned>(p.ctas.size());
  ElementDecoder decodeA(o.a), decodeB(o.b);
  std::vector<double> b(static_cast<size_t>(o.k) * o.n), c(o.n);
  for (unsigned n = 0; n < o.n; ++n)
    for (unsigned k = 0; k < o.k; ++k)
      b[k * o.n + n] = sharedElement(*p.ctas[n / nEach], p.b.address(n % nEach, k, eb), eb, decodeB);
  double sign = o.negateA != o.negateB ? -1 : 1;
  for (unsigned row = 0; row < o.m; ++row) {
    Cta &cta = *p.ctas[row / rowsEach];
    unsigned lane = tensorLane(o, row % rowsEach);
    uint32_t *cells = &cta.tensor.cell(p.d.lane + lane, p.d.column);
    for (unsigned n = 0; n < o.n; ++n) {
      uint32_t raw = cells[n];
      c[n] = !p.accumulate      ? 0
             : o.d == Type::F32 ? std::bit_cast<float>(raw)
             : o.d == Type::F16 ? halfToDouble(static_cast<uint16_t>(raw))
                                : static_cast<int32_t>(raw);
    }
    for (unsigned k = 0; k < o.k; ++k) {
      double v;
      if (p.aInTensorMemory) {
        uint32_t word = cta.tensor.cell(p.aTensor.lane + lane, p.aTensor.column + k * ea / 4);
        v = decodeA(word >> (k * ea % 4 * 8));
      } else {
        v = sharedElement(cta, p.a.address(row % rowsEach, k, ea), ea, decodeA);
      }
      v *= sign;
      for (unsigned n = 0; n < o.n; ++n)
        c[n] += v * b[k * o.n + n];
    }
    if (p.disabled[lane / 32] >> (lane % 32) & 1)
      continue;
    for (unsigned n = 0; n < o.n; ++n) {
      if (o.d == Type::F32)
        cells[n] = std::bit_cast<uint32_t>(canonical(static_cast<float>(c[n])));
      else if (o.d == Type::F16)
        cells[n] = encodeFloat(c[n], formatOf(Type::F16));
      else
        cells[n] =
            static_cast<uint32_t>(static_cast<int64_t>(o.saturate ? std::clamp(c[n], -0x1p31, 0x1p31 - 1) : c[n]));
    }
    std::fill_n(cta.tensor.written.begin() + (p.d.lane + lane) * TensorMemory::kColumns + p.d.column, o.n, uint8_t(1));
  }
  for (Cta *cta : p.ctas)
    for (unsigned n = p.d.column; n < p.d.column + o.n; ++n)
      --cta->tensor.inFlight[n];
  m.progressMade();
}

void checkInput(Cta &cta, TensorAddress at, unsigned lane, unsigned columns, const char *what) {
  for (unsigned c = at.column; c < at.column + columns; ++c)
    if (!cta.tensor.written[(at.lane + lane) * TensorMemory::kColumns + c])
      throw Fault{"uninitialized-tensor-memory",
                  std::string(what) + " includes lane " + std::to_string(at.lane + lane) + ", column " +
                      std::to_string(c) + ", which nothing has written",
                  -1};
}

/// s: D, A (descriptor or address), B, instruction descriptor, [disabled lanes…]; ps: enable-input-d. mode: kind,
/// mode2: CTA pair; flag: A in tensor memory.
void issue(Exec &x, const Inst &inst) {
  unsigned lane = static_cast<unsigned>(std::countr_zero(x.mask));
  if (std::popcount(x.mask) != 1)
    throw Fault{"divergence",
                "tcgen05.mma is issued by one thread; here " + std::to_string(std::popcount(x.mask)) +
                    " lanes execute it",
                static_cast<int>(lane)};
  Multiplication p;
  unsigned group = inst.mode2 ? 2 : 1;
  p.o = readInstructionDescriptor(static_cast<uint32_t>(x.s(3)[lane]), static_cast<Kind>(inst.mode), group);
  p.d = TensorAddress(x.s(0)[lane] + static_cast<uint64_t>(inst.offset));
  auto &ctas = x.cta.cluster->ctas;
  if (group == 2) {
    if (ctas.size() < (x.cta.rank | 1) + 1)
      throw Fault{"descriptor", "cta_group::2 needs a pair of CTAs in the cluster", -1};
    p.ctas = {ctas[x.cta.rank & ~1u].get(), ctas[x.cta.rank | 1].get()};
  } else {
    p.ctas = {&x.cta};
  }
  p.accumulate = x.predicate(inst.ps[0]) >> lane & 1;
  p.aInTensorMemory = inst.flag;
  if (inst.flag)
    p.aTensor = TensorAddress(x.s(1)[lane] + static_cast<uint64_t>(inst.offset2));
  else
    p.a = readDescriptor(x.s(1)[lane], p.o.aMnMajor, 'A');
  p.b = readDescriptor(x.s(2)[lane], p.o.bMnMajor, 'B');
  for (unsigned i = 4; i < inst.s.size() && i < 8; ++i)
    p.disabled[i - 4] = static_cast<uint32_t>(x.s(i)[lane]);
  uint32_t engine = tensorEngine(x.cta), clock = ++x.cta.tensor.clock;
  unsigned rows = p.o.m / group, lanes = p.o.m == 64 ? 112 : rows;
  for (Cta *cta : p.ctas) {
    checkTensorRange(*cta, p.d, lanes, p.o.n, static_cast<int>(lane));
    if (p.accumulate && x.machine.launchOptions().checkUninitialized && !cta->tensor.inFlight[p.d.column])
      for (unsigned row = 0; row < rows; ++row)
        checkInput(*cta, p.d, tensorLane(p.o, row), p.o.n, "the accumulator");
    checkTensorEngine(x, *cta, p.d, lanes, p.o.n, true, clock);
    if (inst.flag) {
      checkTensorRange(*cta, p.aTensor, lanes, 8, static_cast<int>(lane));
      checkTensorEngine(x, *cta, p.aTensor, lanes, 8, false, clock);
      for (unsigned row = 0; row < rows; ++row)
        checkInput(*cta, p.aTensor, tensorLane(p.o, row), 8, "matrix A");
    } else {
      checkOperand(x, *cta, "matrix A", p.a, rows, p.o.k, bytesOf(p.o.a), engine, clock);
    }
    checkOperand(x, *cta, "matrix B", p.b, p.o.n / group, p.o.k, bytesOf(p.o.b), engine, clock);
    for (unsigned n = p.d.column; n < p.d.column + p.o.n; ++n)
      ++cta->tensor.inFlight[n];
  }
  x.machine.counters().mmaOperations += static_cast<uint64_t>(p.o.m) * p.o.n * p.o.k;
  Machine &m = x.machine;
  uint64_t issued = m.now();
  Cta *home = &x.cta;
  enqueueTensorWork(m, x.cta, [&m, p, issued, home] {
    multiply(m, p);
    m.traceEngine(*home, "tensor core", "mma", issued);
  });
}

//===--- cp ---------------------------------------------------------------===//

enum CopyShape : uint8_t { k128x256, k128x128, k32x128x4 };

/// s: tensor address, shared descriptor
void copyIn(Exec &x, const Inst &inst) {
  unsigned lane = static_cast<unsigned>(std::countr_zero(x.mask));
  if (std::popcount(x.mask) != 1)
    throw Fault{"divergence", "tcgen05.cp is issued by one thread", static_cast<int>(lane)};
  if (inst.mode2)
    bad("the emulator does not know tcgen05.cp for CTA pairs");
  TensorAddress to(x.s(0)[lane] + static_cast<uint64_t>(inst.offset));
  SharedMatrix from = readDescriptor(x.s(1)[lane], false, 'S');
  unsigned rows = inst.mode == k32x128x4 ? 32 : 128, bytes = inst.mode == k128x256 ? 32 : 16, columns = bytes / 4;
  checkTensorRange(x.cta, to, 128, columns, static_cast<int>(lane));
  uint32_t engine = tensorEngine(x.cta), clock = ++x.cta.tensor.clock;
  checkTensorEngine(x, x.cta, to, 128, columns, true, clock);
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned b = 0; b < bytes; b += 16)
      readByTensorCore(x, x.cta, "the source", from.address(row, b, 1), engine, clock);
  for (unsigned c = to.column; c < to.column + columns; ++c)
    ++x.cta.tensor.inFlight[c];
  Cta *cta = &x.cta;
  Machine &m = x.machine;
  enqueueTensorWork(m, x.cta, [&m, cta, to, from, rows, columns] {
    for (unsigned l = 0; l < TensorMemory::kLanes; ++l)
      for (unsigned c = 0; c < columns; ++c) {
        std::memcpy(&cta->tensor.cell(l, to.column + c), cta->shared.bytes.data() + from.address(l % rows, c * 4, 1),
                    4);
        cta->tensor.written[l * TensorMemory::kColumns + to.column + c] = 1;
      }
    for (unsigned c = to.column; c < to.column + columns; ++c)
      --cta->tensor.inFlight[c];
    m.progressMade();
  });
}

} // namespace

void decodeTensorMma(OpReader &r) {
  r.inst.opClass = OpClass::Mma;
  r.inst.mode2 = r.expectAny({".cta_group::1", ".cta_group::2"}, ".cta_group") == ".cta_group::2";
  std::string kind = r.expectAny({".kind::f16", ".kind::tf32", ".kind::f8f6f4", ".kind::i8"},
                                 "a kind the emulator knows (f16, tf32, f8f6f4, i8)");
  r.inst.mode = kind == ".kind::f16" ? kF16 : kind == ".kind::tf32" ? kTf32 : kind == ".kind::f8f6f4" ? kF8 : kI8;
  r.expectCount(5, 6);
  r.tensorAddress(r.operand(0));
  int64_t offset = r.inst.offset;
  r.inst.flag = r.operand(1).kind == ast::Operand::Address;
  if (r.inst.flag) {
    r.tensorAddress(r.operand(1));
    r.inst.offset2 = r.inst.offset;
  } else {
    r.addSource(1, Type::B64);
  }
  r.inst.offset = offset;
  r.addSource(2, Type::B64);
  r.addSource(3, Type::B32);
  size_t next = 4;
  if (r.count() == 6) {
    if (r.operand(4).kind != ast::Operand::Vector)
      r.fail("the emulator does not know scale-input-d");
    for (const ast::Operand *o : r.elements(r.operand(next++)))
      r.inst.s.push_back(r.source(*o, Type::B32));
  }
  r.inst.ps.push_back(r.predicateSource(r.operand(next)));
  r.inst.handler = issue;
}

void decodeTensorCopyFromShared(OpReader &r) {
  r.inst.mode2 = r.expectAny({".cta_group::1", ".cta_group::2"}, ".cta_group") == ".cta_group::2";
  std::string shape = r.expectAny({".128x256b", ".128x128b", ".32x128b"}, "a shape the emulator knows");
  if (shape == ".32x128b")
    r.expectAny({".warpx4"}, ".warpx4");
  r.inst.mode = shape == ".128x256b" ? k128x256 : shape == ".128x128b" ? k128x128 : k32x128x4;
  r.expectCount(2, 2);
  r.tensorAddress(r.operand(0));
  r.addSource(1, Type::B64);
  r.inst.handler = copyIn;
}

} // namespace ptxemu
