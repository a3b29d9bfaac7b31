//===- MultimemOps.cpp - multimem on the only device there is ------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AtomicMath.h"
#include "BulkCopy.h"
#include "Lanewise.h"
#include "MemoryModifiers.h"
#include <cstring>

namespace ptxemu {

namespace {

// A multimem address stands for one location on every device of a team. Here the team has one member, so that the
// address is an ordinary global one: a load reduces over one value, a store and a reduction reach one place.

enum Kind : uint8_t { kLoadReduce, kStore, kReduce };

/// s: address, values…; mode: order; mode2: scope; mode3: AtomicOp.
void multimemLoad(Exec &x, const Inst &inst) {
  const Lanes base = x.s(0);
  unsigned bytes = byteSize(inst.type);
  x.forLanes([&](unsigned l) {
    const uint8_t *p = access(x, Space::Global, base[l] + static_cast<uint64_t>(inst.offset), bytes * inst.vector, l,
                              {AccessKind::Read, static_cast<Order>(inst.mode), static_cast<Scope>(inst.mode2)});
    for (unsigned v = 0; v < inst.vector; ++v, p += bytes) {
      uint64_t value = 0;
      std::memcpy(&value, p, bytes);
      x.d(v)[l] = value;
    }
  });
}

void multimemStore(Exec &x, const Inst &inst) {
  unsigned bytes = byteSize(inst.type);
  bool reduces = inst.flag;
  x.forLanes([&](unsigned l) {
    uint8_t *p = access(x, Space::Global, x.s(0)[l] + static_cast<uint64_t>(inst.offset), bytes * inst.vector, l,
                        {reduces ? AccessKind::Atomic : AccessKind::Write, static_cast<Order>(inst.mode),
                         static_cast<Scope>(inst.mode2)});
    for (unsigned v = 0; v < inst.vector; ++v, p += bytes) {
      uint64_t value = x.s(1 + v)[l], old = 0;
      std::memcpy(&old, p, bytes);
      if (reduces)
        value = atomicResult(static_cast<AtomicOp>(inst.mode3), inst.type, old, value, 0, false);
      std::memcpy(p, &value, bytes);
    }
  });
  x.machine.progressMade();
}

bool isIntegerElement(Type t) {
  return t == Type::B32 || t == Type::B64 || t == Type::U32 || t == Type::U64 || t == Type::S32 || t == Type::S64;
}

bool isFp8(Type t) {
  return t == Type::E4M3 || t == Type::E5M2 || t == Type::E4M3x2 || t == Type::E5M2x2 || t == Type::E4M3x4 ||
         t == Type::E5M2x4;
}

bool isHalf(Type t) {
  return t == Type::F16 || t == Type::F16x2 || t == Type::BF16 || t == Type::BF16x2;
}

void readSemantics(OpReader &r, Kind kind) {
  Order order = Order::Relaxed;
  if (kind != kReduce && r.accept(".weak")) {
    r.inst.mode = static_cast<uint8_t>(Order::Weak);
    return;
  }
  if (r.accept(".relaxed"))
    order = Order::Relaxed;
  else if (kind == kLoadReduce && r.accept(".acquire"))
    order = Order::Acquire;
  else if (kind != kLoadReduce && r.accept(".release"))
    order = Order::Release;
  Scope scope = readScope(r);
  r.inst.mode = static_cast<uint8_t>(order);
  r.inst.mode2 = static_cast<uint8_t>(scope == Scope::None ? Scope::Sys : scope);
}

bool operationExists(Kind kind, AtomicOp op, Type t) {
  bool logic = op == AtomicOp::And || op == AtomicOp::Or || op == AtomicOp::Xor,
       extremum = op == AtomicOp::Min || op == AtomicOp::Max;
  if (op == AtomicOp::Inc || op == AtomicOp::Dec)
    return false;
  if (isIntegerElement(t))
    return logic == isBits(t);
  return !logic && (kind == kLoadReduce ? !(extremum && (t == Type::F32 || t == Type::F64)) : op == AtomicOp::Add);
}

void decodeMultimem(OpReader &r) {
  std::string what = r.expectAny({".ld_reduce", ".st", ".red"}, ".ld_reduce, .st or .red");
  Kind kind = what == ".ld_reduce" ? kLoadReduce : what == ".st" ? kStore : kReduce;
  readSemantics(r, kind);
  r.accept(".global");
  AtomicOp op = AtomicOp::Add;
  if (kind != kStore && !readReduction(r, &op))
    r.fail("needs an operation");
  std::string precision = kind == kLoadReduce ? r.acceptAny({".acc::f32", ".acc::f16"}) : "";
  r.inst.vector = static_cast<uint8_t>(r.accept(".v2") ? 2 : r.accept(".v4") ? 4 : r.accept(".v8") ? 8 : 1);
  auto type = r.acceptType();
  if (!type || !(isIntegerElement(*type) || isHalf(*type) || isFp8(*type) || *type == Type::F32 || *type == Type::F64))
    r.fail("needs a type multimem has");
  Type t = r.inst.type = *type;
  if (kind == kReduce && isFp8(t))
    r.fail("has no " + std::string(typeName(t)) + " form");
  if (kind != kStore && !operationExists(kind, op, t))
    r.fail("the operation does not exist for this type");
  if (!precision.empty() && (op != AtomicOp::Add || !(precision == ".acc::f32" ? isHalf(t) : isFp8(t))))
    r.fail("the accumulation precision does not apply");
  if ((r.inst.vector > 1 && (isIntegerElement(t) || t == Type::F64)) || byteSize(t) * r.inst.vector > 16)
    r.fail("has no such vector");
  r.expectCount(2, 2);
  r.inst.opClass = OpClass::Memory;
  if (r.inst.mode)
    r.inst.flags |= kDeviceOrder;
  r.inst.flag = kind == kReduce;
  r.inst.mode3 = static_cast<uint8_t>(op);
  r.address(r.operand(kind == kLoadReduce ? 1 : 0), Space::Global);
  auto list = r.elements(r.operand(kind == kLoadReduce ? 0 : 1));
  if (list.size() != r.inst.vector)
    r.fail("the number of elements does not fit the vector modifier");
  for (const ast::Operand *o : list)
    kind == kLoadReduce ? r.inst.d.push_back(r.destinationAtLeast(*o, t, nullptr))
                        : r.inst.s.push_back(r.sourceAtLeast(*o, t));
  r.inst.handler = kind == kLoadReduce ? multimemLoad : multimemStore;
}

} // namespace

void addMultimemOps(OpcodeTable &t) {
  t["multimem"] = decodeMultimem;
}

} // namespace ptxemu
