//===- AtomicOps.cpp - atom and red --------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BulkCopy.h"
#include "ExecutionObserver.h"
#include "FloatMath.h"
#include "Lanewise.h"
#include "Machine.h"
#include "MemoryModifiers.h"
#include <cstring>

namespace ptxemu {

namespace {

uint32_t halfOperation(AtomicOp op, const FloatFormat &f, uint32_t a, uint32_t b) {
  double p = decodeFloat(a, f), q = decodeFloat(b, f);
  double v = op == AtomicOp::Add ? addToOdd(p, q) : op == AtomicOp::Min ? minimum(p, q, false) : maximum(p, q, false);
  return encodeFloat(v, f);
}

template <class T>
T integerOperation(AtomicOp op, T a, T b, T c) {
  using U = std::make_unsigned_t<T>;
  switch (op) {
  case AtomicOp::And:
    return a & b;
  case AtomicOp::Or:
    return a | b;
  case AtomicOp::Xor:
    return a ^ b;
  case AtomicOp::Cas:
    return a == b ? c : a;
  case AtomicOp::Exch:
    return b;
  case AtomicOp::Add:
    return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
  case AtomicOp::Inc:
    return static_cast<U>(a) >= static_cast<U>(b) ? 0 : a + 1;
  case AtomicOp::Dec:
    return a == 0 || static_cast<U>(a) > static_cast<U>(b) ? b : a - 1;
  case AtomicOp::Min:
    return std::min(a, b);
  case AtomicOp::Max:
    return std::max(a, b);
  }
  return a;
}

} // namespace

uint64_t atomicResult(AtomicOp op, Type t, uint64_t old, uint64_t b, uint64_t c, bool flushed) {
  switch (t) {
  case Type::F32: {
    float p = fromRaw<float>(old), q = fromRaw<float>(b);
    if (flushed)
      p = flush(p), q = flush(q);
    float v = canonical(p + q);
    return toRaw(flushed ? flush(v) : v);
  }
  case Type::F64:
    return toRaw(fromRaw<double>(old) + fromRaw<double>(b));
  case Type::F16:
  case Type::BF16:
    return halfOperation(op, formatOf(t), static_cast<uint16_t>(old), static_cast<uint16_t>(b));
  case Type::F16x2:
  case Type::BF16x2:
    return halfOperation(op, formatOf(t), static_cast<uint16_t>(old), static_cast<uint16_t>(b)) |
           static_cast<uint64_t>(
               halfOperation(op, formatOf(t), static_cast<uint16_t>(old >> 16), static_cast<uint16_t>(b >> 16)))
               << 16;
  case Type::S32:
    return toRaw(integerOperation(op, static_cast<int32_t>(old), static_cast<int32_t>(b), static_cast<int32_t>(c)));
  case Type::S64:
    return toRaw(integerOperation(op, static_cast<int64_t>(old), static_cast<int64_t>(b), static_cast<int64_t>(c)));
  default:
    break;
  }
  switch (bitWidth(t)) {
  case 16:
    return integerOperation(op, static_cast<uint16_t>(old), static_cast<uint16_t>(b), static_cast<uint16_t>(c));
  case 32:
    return integerOperation(op, static_cast<uint32_t>(old), static_cast<uint32_t>(b), static_cast<uint32_t>(c));
  default:
    return integerOperation(op, old, b, c);
  }
}

bool atomicExists(AtomicOp op, Type t) {
  bool isWord = t == Type::U32 || t == Type::S32 || t == Type::U64,
       isFloating = isFloat(t) && t != Type::TF32 && t != Type::F32x2;
  switch (op) {
  case AtomicOp::And:
  case AtomicOp::Or:
  case AtomicOp::Xor:
    return t == Type::B32 || t == Type::B64;
  case AtomicOp::Cas:
    return t == Type::B16 || t == Type::B32 || t == Type::B64 || t == Type::B128;
  case AtomicOp::Exch:
    return t == Type::B32 || t == Type::B64 || t == Type::B128;
  case AtomicOp::Add:
    return isWord || isFloating; // signed 64-bit sums are unsigned ones
  case AtomicOp::Inc:
  case AtomicOp::Dec:
    return t == Type::U32;
  case AtomicOp::Min:
  case AtomicOp::Max:
    return isWord || t == Type::S64;
  }
  return false;
}

namespace {

/// Lanes in an order of the scheduler's choosing: any is allowed.
template <class F>
void lanesInSomeOrder(Exec &x, F &&f) {
  unsigned start = x.machine.launchOptions().seed ? x.machine.random().below(32) : 0;
  for (unsigned i = 0; i < 32; ++i)
    if (unsigned l = (start + i) & 31; x.mask >> l & 1)
      f(l);
}

AccessInfo atomicAccess(const Inst &inst) {
  return {AccessKind::Atomic, static_cast<Order>(inst.mode), static_cast<Scope>(inst.mode2)};
}

void showObserver(Exec &x, const Inst &inst, unsigned bytes) {
  ExecutionObserver *observer = x.machine.observer();
  if (!observer || !x.mask)
    return;
  const auto at = [&](unsigned l) { return x.s(0)[l] + static_cast<uint64_t>(inst.offset); };
  const unsigned first = static_cast<unsigned>(std::countr_zero(x.mask));
  observer->accessed(x, resolve(x, inst.space, at(first), first).space, at, bytes);
}

/// s: address, b elements…, [c]. d: old values (atom), empty (red).
void atomic(Exec &x, const Inst &inst) {
  unsigned bytes = byteSize(inst.type);
  auto op = static_cast<AtomicOp>(inst.mode3);
  showObserver(x, inst, bytes * inst.vector);
  lanesInSomeOrder(x, [&](unsigned l) {
    uint64_t address = x.s(0)[l] + static_cast<uint64_t>(inst.offset);
    uint8_t *p = access(x, inst.space, address, bytes * inst.vector, l, atomicAccess(inst));
    bool flushes = inst.type == Type::F32 && resolve(x, inst.space, address, l).space == Space::Global;
    for (unsigned v = 0; v < inst.vector; ++v, p += bytes) {
      uint64_t old = 0;
      std::memcpy(&old, p, bytes);
      uint64_t c = op == AtomicOp::Cas ? x.s(2)[l] : 0;
      uint64_t result = atomicResult(op, inst.type, old, x.s(1 + v)[l], c, flushes);
      if (result != old) {
        std::memcpy(p, &result, bytes);
        x.machine.progressMade();
      }
      if (v < inst.d.size())
        x.d(v)[l] = old;
    }
  });
}

/// atom.cas/exch.b128: s = address, b low, b high, [c low, c high].
void atomicWide(Exec &x, const Inst &inst) {
  showObserver(x, inst, 16);
  lanesInSomeOrder(x, [&](unsigned l) {
    uint8_t *p = access(x, inst.space, x.s(0)[l] + static_cast<uint64_t>(inst.offset), 16, l, atomicAccess(inst));
    uint64_t old[2], b[2] = {x.s(1)[l], x.s(2)[l]};
    std::memcpy(old, p, 16);
    bool isCas = static_cast<AtomicOp>(inst.mode3) == AtomicOp::Cas;
    if (!isCas || (old[0] == b[0] && old[1] == b[1])) {
      uint64_t c[2] = {isCas ? x.s(3)[l] : b[0], isCas ? x.s(4)[l] : b[1]};
      std::memcpy(p, c, 16);
      x.machine.progressMade();
    }
    x.d(0)[l] = old[0];
    x.d(1)[l] = old[1];
  });
}

AtomicOp readOperation(OpReader &r) {
  constexpr std::string_view names[] = {".and", ".or", ".xor", ".cas", ".exch", ".add", ".inc", ".dec", ".min", ".max"};
  for (unsigned i = 0; i < std::size(names); ++i)
    if (r.accept(names[i]))
      return static_cast<AtomicOp>(i);
  r.fail("needs an operation");
}

bool vectorExists(AtomicOp op, Type t, unsigned n) {
  if (op != AtomicOp::Add && op != AtomicOp::Min && op != AtomicOp::Max)
    return false;
  return t == Type::F16 || t == Type::BF16       ? true
         : t == Type::F16x2 || t == Type::BF16x2 ? n <= 4
                                                 : t == Type::F32 && op == AtomicOp::Add && n <= 4;
}

void decodeAtomic(OpReader &r) {
  bool reduces = r.ast.opcode == "red";
  if (reduces && r.accept(".async"))
    return decodeAsyncStore(r, true);
  Order order;
  Scope scope;
  readMemoryOrder(r, &order, &scope);
  bool hint = readCacheHint(r);
  r.inst.mode = static_cast<uint8_t>(order == Order::Weak ? Order::Relaxed : order);
  r.inst.mode2 = static_cast<uint8_t>(scope == Scope::None ? Scope::Gpu : scope);
  r.inst.space = r.acceptSpace();
  if (r.inst.space != Space::Generic && r.inst.space != Space::Global && r.inst.space != Space::Shared &&
      r.inst.space != Space::SharedCluster)
    r.fail("works on global and shared memory");
  if (reduces && (order == Order::Acquire || order == Order::AcquireRelease))
    r.fail("a reduction is relaxed or releases");
  AtomicOp op = readOperation(r);
  if (reduces && (op == AtomicOp::Cas || op == AtomicOp::Exch))
    r.fail("has no such operation");
  r.inst.mode3 = static_cast<uint8_t>(op);
  bool noftz = r.accept(".noftz");
  r.inst.vector = static_cast<uint8_t>(r.accept(".v2") ? 2 : r.accept(".v4") ? 4 : r.accept(".v8") ? 8 : 1);
  auto type = r.acceptType();
  if (!type || !(r.inst.vector > 1 ? vectorExists(op, *type, r.inst.vector) : atomicExists(op, *type)))
    r.fail("the operation does not exist for this type");
  if (r.inst.vector > 1 && r.inst.space != Space::Global && r.inst.space != Space::Generic)
    r.fail("vectors lie in global memory");
  Type t = r.inst.type = *type;
  bool isHalf = t == Type::F16 || t == Type::F16x2 || t == Type::BF16 || t == Type::BF16x2;
  if (noftz != isHalf)
    r.fail(isHalf ? "needs .noftz" : ".noftz does not apply");
  size_t operands = (reduces ? 2 : 3) + (op == AtomicOp::Cas) + hint;
  r.expectCount(operands, operands);
  r.inst.opClass = OpClass::Atomic;
  if (r.inst.space == Space::Global || r.inst.space == Space::Generic)
    r.inst.flags |= kDeviceOrder;
  size_t next = 0;
  if (!reduces)
    for (const ast::Operand *o : r.elements(r.operand(next++)))
      r.inst.d.push_back(r.destination(*o, t));
  r.address(r.operand(next++), r.inst.space);
  auto values = r.elements(r.operand(next++));
  if (values.size() != r.inst.vector || (!reduces && r.inst.d.size() != r.inst.vector))
    r.fail("the number of elements does not fit the vector modifier");
  for (const ast::Operand *o : values)
    r.inst.s.push_back(r.source(*o, t));
  if (op == AtomicOp::Cas)
    r.addSource(next++, t);
  if (t != Type::B128) {
    r.inst.handler = atomic;
    return;
  }
  auto high = [](RegisterIndex s) { return s >= 0 ? s + 1 : s; };
  std::vector<RegisterIndex> s = r.inst.s;
  r.inst.s = {s[0], s[1], high(s[1])};
  if (op == AtomicOp::Cas)
    r.inst.s.insert(r.inst.s.end(), {s[2], high(s[2])});
  r.inst.d.push_back(r.inst.d[0] == kSink ? kSink : r.inst.d[0] + 1);
  r.inst.handler = atomicWide;
}

} // namespace

void addAtomicOps(OpcodeTable &t) {
  t["atom"] = t["red"] = decodeAtomic;
}

} // namespace ptxemu
