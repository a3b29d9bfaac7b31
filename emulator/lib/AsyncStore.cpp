//===- AsyncStore.cpp - st.async, red.async and st.bulk ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AtomicMath.h"
#include "BulkCopy.h"
#include "ExecutionObserver.h"
#include "Lanewise.h"
#include "MemoryModifiers.h"
#include <algorithm>
#include <cstring>

namespace ptxemu {

namespace {

constexpr unsigned kStoreSpread = 200; ///< warp instructions within which a store arrives

struct AsyncStoreInfo {
  bool reduce = false, throughBarrier = false;
  AtomicOp op = AtomicOp::Add;
  Space barrierSpace = Space::Shared;
  int64_t barrierOffset = 0;
};

unsigned spreadOf(Exec &x) {
  return x.machine.launchOptions().seed ? kStoreSpread : 0;
}

/// What arrives at the destination: the stored bytes, or an operand to combine with what is there by then.
struct Arrival {
  std::array<uint8_t, 16> bytes{};
  unsigned elements = 1, elementBytes = 4;
};

Arrival operandsOf(Exec &x, const Inst &inst, unsigned lane) {
  Arrival a;
  a.elements = inst.vector;
  a.elementBytes = byteSize(inst.type);
  for (unsigned v = 0; v < a.elements; ++v) {
    uint64_t value = x.s(1 + v)[lane];
    std::memcpy(a.bytes.data() + v * a.elementBytes, &value, a.elementBytes);
  }
  return a;
}

void combine(uint8_t *to, const Arrival &a, AtomicOp op, Type type) {
  uint64_t old = 0, value = 0;
  std::memcpy(&old, to, a.elementBytes);
  std::memcpy(&value, a.bytes.data(), a.elementBytes);
  uint64_t result = atomicResult(op, type, old, value, 0, false);
  std::memcpy(to, &result, a.elementBytes);
}

/// To shared memory of the cluster; an mbarrier beside the destination counts the bytes when they have arrived.
void storeShared(Exec &x, const Inst &inst, unsigned l) {
  const auto &info = inst.as<AsyncStoreInfo>();
  Machine &m = x.machine;
  Place to = resolve(x, inst.space, x.s(0)[l] + static_cast<uint64_t>(inst.offset), l);
  Place barrier =
      barrierPlace(x, info.barrierSpace, x.s(1 + inst.vector)[l] + static_cast<uint64_t>(info.barrierOffset), l);
  if (to.space != Space::Shared || to.cta != barrier.cta)
    throw Fault{"bad-copy", "the destination and the mbarrier are not in the shared memory of one CTA",
                static_cast<int>(l)};
  Arrival a = operandsOf(x, inst, l);
  uint32_t bytes = a.elements * a.elementBytes;
  if (to.offset % bytes)
    throw Fault{"misaligned",
                "the destination " + hexText(to.offset) + " is not a multiple of " + std::to_string(bytes) + " bytes",
                static_cast<int>(l)};
  Mbarrier &b = mbarrierAt(x, *barrier.cta, barrier.offset, l);
  m.races().checkInit(x, b.init, barrier.offset, l, true);
  ++b.inFlight;
  // The completion on the mbarrier publishes what is stored here, nothing else that the thread has done.
  AccessKind kind = info.reduce ? AccessKind::Atomic : AccessKind::Write;
  uint32_t engine = engineOf(*x.cta.cluster, b), clock = ++b.engineClock;
  locateShared(x, *to.cta, to.offset, bytes, l, {kind});
  m.races().checkAsync(x, to.cta->shared.shadow, to.offset, bytes, kind, engine, clock, to, true);
  if (!info.reduce)
    std::fill_n(to.cta->shared.initialized.begin() + static_cast<std::ptrdiff_t>(to.offset), bytes, uint8_t(kInFlight));
  if (ExecutionObserver *observer = m.observer())
    observer->storedAsync(x, *to.cta, barrier.offset, bytes);
  Cta *cta = to.cta;
  uint64_t offset = to.offset, barrierOffset = barrier.offset;
  m.later(
      [&m, a, cta, offset, barrierOffset, bytes, info, type = inst.type, engine, clock] {
        uint8_t *data = cta->shared.bytes.data() + offset;
        if (info.reduce)
          combine(data, a, info.op, type);
        else
          std::copy_n(a.bytes.begin(), bytes, data);
        std::fill_n(cta->shared.initialized.begin() + static_cast<std::ptrdiff_t>(offset), bytes,
                    uint8_t(kInitialized));
        m.progressMade();
        auto it = cta->mbarriers.find(barrierOffset);
        if (it == cta->mbarriers.end())
          throw Fault{"mbarrier", "an asynchronous store completes on an mbarrier that has been invalidated meanwhile",
                      -1};
        --it->second.inFlight;
        m.races().complete(it->second.point, *cta, engine, clock);
        completeTransactions(m, *cta, barrierOffset, it->second, bytes);
      },
      spreadOf(x));
}

/// To global memory, with release semantics; nothing tells the thread when it has happened.
void storeGlobal(Exec &x, const Inst &inst, unsigned l) {
  const auto &info = inst.as<AsyncStoreInfo>();
  Machine &m = x.machine;
  Arrival a = operandsOf(x, inst, l);
  uint64_t address = x.s(0)[l] + static_cast<uint64_t>(inst.offset);
  access(x, inst.space, address, a.elementBytes, l,
         {info.reduce ? AccessKind::Atomic : AccessKind::Write, Order::Release, static_cast<Scope>(inst.mode2)});
  uint64_t global = resolve(x, inst.space, address, l).offset;
  m.later(
      [&m, a, global, info, type = inst.type] {
        if (Allocation *block = m.global().find(global, a.elementBytes)) {
          uint8_t *to = block->bytes.get() + (global - block->base);
          if (info.reduce)
            combine(to, a, info.op, type);
          else
            std::copy_n(a.bytes.begin(), a.elementBytes, to);
        }
        m.progressMade();
      },
      spreadOf(x), true);
}

void asyncStore(Exec &x, const Inst &inst) {
  bool shared = inst.as<AsyncStoreInfo>().throughBarrier;
  x.forLanes([&](unsigned l) { shared ? storeShared(x, inst, l) : storeGlobal(x, inst, l); });
}

/// st.bulk: zeros, as this thread's weak stores.
void storeBulk(Exec &x, const Inst &inst) {
  x.forLanes([&](unsigned l) {
    uint64_t bytes = x.s(1)[l], address = x.s(0)[l] + static_cast<uint64_t>(inst.offset);
    Place to = resolve(x, inst.space, address, l);
    if (to.space != Space::Shared || to.cta != &x.cta)
      throw Fault{"bad-copy", "the destination is not in the CTA's own shared memory", static_cast<int>(l)};
    if (bytes % 8 || to.offset % 8 || bytes > 16777216)
      throw Fault{"misaligned", "st.bulk writes a multiple of 8 bytes, at most 2^24, at an address that is one too",
                  static_cast<int>(l)};
    for (uint64_t at = 0; at < bytes; at += 8)
      std::memset(accessShared(x, *to.cta, to.offset + at, 8, l, {AccessKind::Write}), 0, 8);
  });
  x.machine.progressMade();
}

bool reductionExists(AtomicOp op, Type t, bool global) {
  if (op == AtomicOp::Add)
    return t == Type::U32 || t == Type::S32 || t == Type::U64 || (global && t == Type::S64);
  if (global)
    return false;
  switch (op) {
  case AtomicOp::Inc:
  case AtomicOp::Dec:
    return t == Type::U32;
  case AtomicOp::Min:
  case AtomicOp::Max:
    return t == Type::U32 || t == Type::S32;
  default:
    return t == Type::B32;
  }
}

/// [mbar] as the last operand.
void takeBarrier(OpReader &r, AsyncStoreInfo &info, size_t operand) {
  int64_t offset = r.inst.offset;
  info.barrierSpace = r.inst.space;
  r.address(r.operand(operand), info.barrierSpace);
  info.barrierOffset = r.inst.offset;
  r.inst.offset = offset;
}

/// The destination and the semantics that go with it.
void readTarget(OpReader &r, AsyncStoreInfo &info) {
  bool isMmio = r.accept(".mmio");
  info.throughBarrier = r.accept(".mbarrier::complete_tx::bytes");
  if (!info.throughBarrier) {
    r.expectAny({".release"}, ".release, or .mbarrier::complete_tx::bytes");
    Scope scope = readScope(r);
    if ((scope != Scope::Gpu && scope != Scope::Sys && scope != Scope::Cluster) || (isMmio && scope != Scope::Sys))
      r.fail("the scope does not fit");
    r.inst.mode2 = static_cast<uint8_t>(scope);
    r.accept(".global");
    r.inst.space = Space::Global;
    r.inst.flags |= kDeviceOrder;
    return;
  }
  if (isMmio)
    r.fail(".mmio does not apply");
  if (info.reduce) {
    r.expectAny({".relaxed"}, ".relaxed");
    r.expectAny({".cluster"}, ".cluster");
  } else {
    r.accept(".weak");
    r.accept(".cluster");
  }
  r.inst.space = r.accept(".shared::cluster") ? Space::SharedCluster : Space::Generic;
}

} // namespace

void decodeAsyncStore(OpReader &r, bool reduces) {
  auto info = std::make_shared<AsyncStoreInfo>();
  info->reduce = reduces;
  r.inst.opClass = OpClass::Async;
  readTarget(r, *info);
  if (reduces && !readReduction(r, &info->op))
    r.fail("needs an operation");
  if (!reduces && info->throughBarrier)
    r.inst.vector = static_cast<uint8_t>(r.accept(".v2") ? 2 : r.accept(".v4") ? 4 : 1);
  auto type = r.acceptType();
  if (!type)
    r.fail("needs a type");
  Type t = r.inst.type = *type;
  bool isWord = t == Type::B32 || t == Type::U32 || t == Type::S32 || t == Type::F32 || t == Type::B64 ||
                t == Type::U64 || t == Type::S64 || t == Type::F64;
  bool isNarrow = !info->throughBarrier && (bitWidth(t) == 8 || bitWidth(t) == 16) && !isFloat(t);
  if (reduces ? !reductionExists(info->op, t, !info->throughBarrier)
              : (!isWord && !isNarrow) || byteSize(t) * r.inst.vector > 16)
    r.fail("the operation does not exist for this type");
  size_t operands = info->throughBarrier ? 3 : 2;
  r.expectCount(operands, operands);
  r.address(r.operand(0), r.inst.space);
  auto values = r.elements(r.operand(1));
  if (values.size() != r.inst.vector)
    r.fail("the number of elements does not fit the vector modifier");
  for (const ast::Operand *o : values)
    r.inst.s.push_back(r.sourceAtLeast(*o, t));
  if (info->throughBarrier)
    takeBarrier(r, *info, 2);
  r.inst.extra = info;
  r.inst.handler = asyncStore;
}

void decodeBulkStore(OpReader &r) {
  r.accept(".weak");
  r.inst.space = r.accept(".shared::cta") ? Space::Shared : Space::Generic;
  r.expectCount(3, 3);
  r.inst.opClass = OpClass::Memory;
  r.address(r.operand(0), r.inst.space);
  r.addSource(1, Type::B64);
  if (r.integer(r.operand(2)) != 0)
    r.fail("the initial value must be zero");
  r.inst.handler = storeBulk;
}

} // namespace ptxemu
