//===- Wmma.cpp - wmma: load, multiply, store by a warp ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Decoder.h"
#include "FloatMath.h"
#include "Lanewise.h"
#include "Machine.h"
#include "MatrixElements.h"
#include "MemoryModifiers.h"
#include "Mma.h"
#include <algorithm>
#include <cstring>

namespace ptxemu {

namespace {

/// A matrix as the registers of a warp hold it. Which thread holds what is not specified (PTX ISA, "Matrix Fragments
/// for WMMA"): here element i, counted along rows, is the (i / 32)th of lane i % 32, and where the registers have room
/// for more, the next ones repeat them.
struct Fragment {
  Type type = Type::None;
  unsigned rows = 0, columns = 0, registers = 0;

  unsigned bits() const { return type == Type::TF32 ? 32 : bitWidth(type); }
  unsigned registerBits() const { return type == Type::F64 ? 64 : 32; }
  unsigned perRegister() const { return registerBits() / bits(); }
  unsigned count() const { return rows * columns; }
  uint64_t mask() const { return bits() == 64 ? ~0ull : (1ull << bits()) - 1; }
  /// Bytes of a thread's share: what the start of every row (or column) in memory is aligned to.
  unsigned bytes() const { return registers * registerBits() / 8; }

  /// Calls f(element, lane, register, shift), for copies too.
  template <class F>
  void each(F &&f) const {
    for (unsigned at = 0; at < registers * perRegister(); ++at)
      for (unsigned lane = 0; lane < 32; ++lane)
        f((at * 32 + lane) % count(), lane, at / perRegister(), at % perRegister() * bits());
  }
};

enum Operand : uint8_t { kA, kB, kC };

struct WmmaInfo {
  MmaShape shape;
  Fragment a, b, c, d; ///< of a load or store: `d`
  bool columnMajor = false;
  bool saturate = false, binaryAnd = false;
  Rounding rounding = Rounding::NearestEven;
};

Fragment fragmentOf(const MmaShape &s, Operand which, Type t) {
  Fragment f;
  f.type = t;
  f.rows = which == kB ? s.k : s.m;
  f.columns = which == kA ? s.k : s.n;
  // .f16 multiplicands have eight registers in every shape.
  f.registers = which != kC && t == Type::F16 ? 8 : f.count() * f.bits() / (32 * f.registerBits());
  return f;
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

/// Where an element of the matrix is: bits from its start.
uint64_t bitOffset(const Fragment &f, bool columnMajor, uint64_t stride, unsigned element) {
  const uint64_t row = element / f.columns, column = element % f.columns;
  return (columnMajor ? column * stride + row : row * stride + column) * f.bits();
}

/// The address and stride, in elements, which all lanes give alike.
void placeOf(Exec &x, const Inst &inst, const WmmaInfo &i, unsigned strideAt, uint64_t *address, uint64_t *stride) {
  *address = x.s(0)[0] + static_cast<uint64_t>(inst.offset);
  *stride =
      inst.s.size() > strideAt ? static_cast<uint32_t>(x.s(strideAt)[0]) : (i.columnMajor ? i.d.rows : i.d.columns);
  for (unsigned l = 1; l < 32; ++l)
    if (x.s(0)[l] != x.s(0)[0] || (inst.s.size() > strideAt && x.s(strideAt)[l] != x.s(strideAt)[0]))
      throw Fault{"divergence", "the lanes of the warp give different addresses or strides", static_cast<int>(l)};
  // The ISA aligns rows to a thread's share of the matrix; CUDA's own headers promise 16 bytes at least.
  const uint64_t alignment = x.machine.launchOptions().strict ? i.d.bytes() : std::min(16u, i.d.bytes());
  if (*address % alignment || *stride * i.d.bits() / 8 % alignment)
    throw Fault{"misaligned",
                "every row (or column) of the matrix starts at a multiple of " + std::to_string(alignment) +
                    " bytes, but its address is " + hexText(*address) + " and its stride " + std::to_string(*stride) +
                    " elements",
                -1};
}

/// s: address, [stride]
void loadWmma(Exec &x, const Inst &inst) {
  const auto &i = inst.as<WmmaInfo>();
  uint64_t address, stride;
  placeOf(x, inst, i, 1, &address, &stride);
  const unsigned bytes = std::max(1u, i.d.bits() / 8);
  for (unsigned r = 0; r < i.d.registers; ++r)
    x.d(r) = Lanes{};
  i.d.each([&](unsigned element, unsigned lane, unsigned r, unsigned shift) {
    const uint64_t bit = bitOffset(i.d, i.columnMajor, stride, element);
    uint64_t raw = 0;
    std::memcpy(&raw, access(x, inst.space, address + bit / 8, bytes, lane, {}), bytes);
    x.destination(inst.d[r])[lane] |= (raw >> bit % 8 & i.d.mask()) << shift;
  });
  countAccess(
      x, inst.space, [&](unsigned lane) { return address + bitOffset(i.d, i.columnMajor, stride, lane) / 8; }, bytes);
}

/// s: address, D's registers, [stride]
void storeWmma(Exec &x, const Inst &inst) {
  const auto &i = inst.as<WmmaInfo>();
  uint64_t address, stride;
  placeOf(x, inst, i, 1 + i.d.registers, &address, &stride);
  const unsigned bytes = i.d.bits() / 8;
  i.d.each([&](unsigned element, unsigned lane, unsigned r, unsigned shift) {
    const uint64_t value = x.s(1 + r)[lane] >> shift & i.d.mask();
    AccessInfo info{AccessKind::Write};
    info.value = reinterpret_cast<const uint8_t *>(&value);
    std::memcpy(access(x, inst.space, address + bitOffset(i.d, i.columnMajor, stride, element) / 8, bytes, lane, info),
                &value, bytes);
  });
  countAccess(
      x, inst.space, [&](unsigned lane) { return address + bitOffset(i.d, i.columnMajor, stride, lane) / 8; }, bytes);
}

/// The elements of the fragment in the registers from source `first` on.
std::vector<double> read(Exec &x, const Fragment &f, unsigned first, bool isAccumulator) {
  std::vector<double> values(f.count());
  std::optional<ElementDecoder> decode;
  if (!isAccumulator)
    decode.emplace(f.type);
  f.each([&](unsigned element, unsigned lane, unsigned r, unsigned shift) {
    const uint64_t raw = x.s(first + r)[lane] >> shift;
    values[element] = decode ? (*decode)(raw & f.mask()) : decodeAccumulator(f.type, raw);
  });
  return values;
}

/// s: A's, B's, C's registers
void multiply(Exec &x, const Inst &inst) {
  const auto &i = inst.as<WmmaInfo>();
  const std::vector<double> a = read(x, i.a, 0, false), b = read(x, i.b, i.a.registers, false);
  std::vector<double> c = read(x, i.c, i.a.registers + i.b.registers, true);
  {
    HostRounding rounding(i.rounding);
    for (unsigned row = 0; row < i.shape.m; ++row)
      for (unsigned k = 0; k < i.shape.k; ++k)
        for (unsigned column = 0; column < i.shape.n; ++column) {
          const double v = a[row * i.shape.k + k], w = b[k * i.shape.n + column];
          double &sum = c[row * i.shape.n + column];
          if (i.a.type == Type::B1)
            sum += i.binaryAnd ? v != 0 && w != 0 : v != w;
          else
            sum = i.d.type == Type::F64 ? std::fma(v, w, sum) : sum + v * w;
        }
  }
  for (unsigned r = 0; r < i.d.registers; ++r)
    x.d(r) = Lanes{};
  i.d.each([&](unsigned element, unsigned lane, unsigned r, unsigned shift) {
    x.destination(inst.d[r])[lane] |= encodeAccumulator(i.d.type, c[element], i.saturate) << shift;
  });
  x.machine.counters().mmaOperations += static_cast<uint64_t>(i.shape.m) * i.shape.n * i.shape.k;
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

bool oneOf(Type t, std::initializer_list<Type> list) {
  return std::find(list.begin(), list.end(), t) != list.end();
}

MmaShape readWmmaShape(OpReader &r) {
  const std::string name =
      r.expectAny({".m16n16k16", ".m8n32k16", ".m32n8k16", ".m16n16k8", ".m8n8k4", ".m8n8k32", ".m8n8k128"}, "a shape");
  MmaShape s;
  std::sscanf(name.c_str(), ".m%un%uk%u", &s.m, &s.n, &s.k);
  return s;
}

/// Whether the shape exists for multiplicands of this type.
bool matches(const MmaShape &s, Type multiplicand) {
  switch (s.k) {
  case 16:
    return oneOf(multiplicand, {Type::F16, Type::BF16, Type::S8, Type::U8});
  case 8:
    return multiplicand == Type::TF32;
  case 4:
    return multiplicand == Type::F64;
  case 32:
    return oneOf(multiplicand, {Type::S4, Type::U4});
  default:
    return multiplicand == Type::B1;
  }
}

/// Whether the shape has accumulators of this type.
bool accumulates(const MmaShape &s, Type accumulator) {
  switch (s.k) {
  case 16:
    return oneOf(accumulator, {Type::F16, Type::F32, Type::S32});
  case 8:
    return accumulator == Type::F32;
  case 4:
    return accumulator == Type::F64;
  default:
    return accumulator == Type::S32;
  }
}

Type registerType(const Fragment &f) {
  return f.type == Type::F64 ? Type::F64 : Type::B32;
}

void takeRegisters(OpReader &r, size_t operand, const Fragment &f, bool isResult) {
  auto list = r.elements(r.operand(operand));
  if (list.size() != f.registers)
    r.fail("operand " + std::to_string(operand + 1) + " needs " + std::to_string(f.registers) +
           (f.registers == 1 ? " register" : " registers"));
  for (const ast::Operand *o : list)
    (isResult ? r.inst.d : r.inst.s)
        .push_back(isResult ? r.destination(*o, registerType(f)) : r.source(*o, registerType(f)));
}

void takeStride(OpReader &r, size_t operand) {
  if (r.count() > operand)
    r.addSource(operand, Type::U32);
}

/// What load and store have in common; `which` is the operand of the product.
void readTransfer(OpReader &r, WmmaInfo &i, Operand which) {
  r.expectAny({".sync"}, ".sync");
  r.expectAny({".aligned"}, ".aligned");
  i.columnMajor = r.expectAny({".row", ".col"}, ".row or .col") == ".col";
  i.shape = readWmmaShape(r);
  r.inst.space = r.acceptSpace();
  auto type = r.acceptType();
  if (!type)
    r.fail("needs a type");
  const bool exists = which == kC ? accumulates(i.shape, *type) : matches(i.shape, *type);
  // Elements below a byte have one layout: A along rows, B along columns.
  const bool isNarrow = which != kC && bitWidth(*type) < 8;
  if (!exists || (isNarrow && i.columnMajor != (which == kB)))
    r.fail("this combination of shape, type and layout does not exist");
  i.d = fragmentOf(i.shape, which, *type);
}

void decodeLoad(OpReader &r, WmmaInfo &i) {
  const Operand which = r.accept(".a") ? kA : r.accept(".b") ? kB : kC;
  if (which == kC)
    r.expectAny({".c"}, ".a, .b or .c");
  readTransfer(r, i, which);
  r.expectCount(2, 3);
  takeRegisters(r, 0, i.d, true);
  r.address(r.operand(1), r.inst.space);
  takeStride(r, 2);
  r.inst.handler = loadWmma;
}

void decodeStore(OpReader &r, WmmaInfo &i) {
  r.expectAny({".d"}, ".d");
  readTransfer(r, i, kC);
  r.expectCount(2, 3);
  r.address(r.operand(0), r.inst.space);
  takeRegisters(r, 1, i.d, false);
  takeStride(r, 2);
  r.inst.handler = storeWmma;
}

/// The types of D, A, B and C; half-precision products name D and C only.
void readTypes(OpReader &r, WmmaInfo &i) {
  std::vector<Type> types;
  while (auto t = r.acceptType())
    types.push_back(*t);
  if (types.size() == 2)
    types = {types[0], Type::F16, Type::F16, types[1]};
  if (types.size() != 4)
    r.fail("needs the types of D and C, or of D, A, B and C");
  const auto [d, a, b, c] = std::array{types[0], types[1], types[2], types[3]};
  const bool isHalf = a == Type::F16, isInteger = bitWidth(a) <= 8;
  const bool good = matches(i.shape, a) && a == b && accumulates(i.shape, d) && accumulates(i.shape, c) &&
                    (isHalf ? d != Type::S32 && c != Type::S32
                            : d == c && d == (isInteger        ? Type::S32
                                              : a == Type::F64 ? Type::F64
                                                               : Type::F32));
  if (!good)
    r.fail("this combination of shape and types does not exist");
  i.a = fragmentOf(i.shape, kA, a);
  i.b = fragmentOf(i.shape, kB, b);
  i.c = fragmentOf(i.shape, kC, c);
  i.d = fragmentOf(i.shape, kC, d);
}

void decodeMultiply(OpReader &r, WmmaInfo &i) {
  const std::string binary = r.acceptAny({".and", ".xor"});
  i.binaryAnd = binary == ".and";
  if (!binary.empty())
    r.expectAny({".popc"}, ".popc");
  r.expectAny({".sync"}, ".sync");
  r.expectAny({".aligned"}, ".aligned");
  // The layouts are those the multiplicands were loaded with; fragments do not depend on them.
  const std::string layoutA = r.expectAny({".row", ".col"}, "a layout of A"),
                    layoutB = r.expectAny({".row", ".col"}, "a layout of B");
  i.shape = readWmmaShape(r);
  if (auto rounding = r.acceptRounding())
    i.rounding = *rounding;
  i.saturate = r.accept(".satfinite");
  readTypes(r, i);
  const bool isNarrow = bitWidth(i.a.type) < 8;
  if (isNarrow && (r.ast.modifiers.empty() || std::count(r.ast.modifiers.begin(), r.ast.modifiers.end(), ".row") != 1))
    r.fail("elements below a byte are multiplied as .row.col");
  if ((i.a.type == Type::B1) == binary.empty() || (i.rounding != Rounding::NearestEven && i.a.type != Type::F64) ||
      (i.saturate && (oneOf(i.a.type, {Type::B1, Type::BF16, Type::TF32, Type::F64}))))
    r.fail("the operation, rounding or saturation does not exist for these types");
  r.expectCount(4, 4);
  takeRegisters(r, 0, i.d, true);
  takeRegisters(r, 1, i.a, false);
  takeRegisters(r, 2, i.b, false);
  takeRegisters(r, 3, i.c, false);
  r.inst.handler = multiply;
}

void decodeWmma(OpReader &r) {
  auto info = std::make_shared<WmmaInfo>();
  r.inst.extra = info;
  r.inst.flags |= kAligned;
  r.inst.opClass = OpClass::Mma;
  if (r.accept(".load"))
    return decodeLoad(r, *info);
  if (r.accept(".store"))
    return decodeStore(r, *info);
  if (!r.accept(".mma"))
    r.fail("needs .load, .mma or .store");
  decodeMultiply(r, *info);
}

} // namespace

void addWmmaOps(OpcodeTable &t) {
  t["wmma"] = decodeWmma;
}

} // namespace ptxemu
