//===- AsyncCopy.cpp - cp.async: per-thread asynchronous copies ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Decoder.h"
#include "ExecutionObserver.h"
#include "Lanewise.h"
#include "Machine.h"
#include "MbarrierState.h"
#include "MemoryModifiers.h"
#include <algorithm>
#include <bit>
#include <cstring>

namespace ptxemu {

namespace {

/// A read of the source, which may have any number of bytes, by accesses that are as wide as they can be.
const uint8_t *readSource(Exec &x, uint64_t source, uint32_t bytes, unsigned lane) {
  const uint8_t *from = nullptr;
  for (uint32_t at = 0; at < bytes;) {
    uint32_t width = std::bit_floor(bytes - at);
    const uint8_t *data = access(x, Space::Global, source + at, width, lane, {});
    from = from ? from : data;
    at += width;
  }
  return from;
}

/// Writes the copied bytes; until then they are in flight and nobody may touch them. The copy reads and writes between
/// its issue and this wait: barriers that the thread has passed in the meantime order neither for others.
void finish(Exec &x, const PendingCopy &c) {
  uint8_t bytes[16] = {};
  if (c.sourceBytes)
    std::memcpy(bytes, readSource(x, c.source, c.sourceBytes, c.lane), c.sourceBytes);
  if (std::memcmp(bytes, c.issued.data(), sizeof bytes) != 0)
    x.machine.complain({"async-in-flight",
                        "global memory at " + hexText(c.source) + " has been written since the cp.async at PTX line " +
                            std::to_string(c.line) + " was issued, which reads it until it is waited for here",
                        c.lane});
  SharedMemory &memory = c.cta->shared;
  if (x.machine.races().isEnabled())
    x.machine.races().check(x, memory.shadow, c.offset, c.bytes, c.lane, {AccessKind::Write},
                            {Space::Shared, c.cta, c.offset});
  std::memcpy(memory.bytes.data() + c.offset, bytes, c.bytes);
  std::fill_n(memory.initialized.data() + c.offset, c.bytes, uint8_t(kInitialized));
  x.machine.progressMade();
}

/// s: destination, source, [source size]; mode: bytes; mode2 1: the third source is an ignore-src predicate.
void copy(Exec &x, const Inst &inst) {
  unsigned bytes = inst.mode;
  uint32_t ignored = inst.ps.empty() ? 0 : x.predicate(inst.ps[0]);
  if (ExecutionObserver *observer = x.machine.observer()) {
    const auto at = [&](unsigned s, int64_t offset) {
      return [&x, s, offset](unsigned l) { return x.s(s)[l] + static_cast<uint64_t>(offset); };
    };
    observer->accessed(x, Space::Shared, at(0, inst.offset), bytes);
    observer->accessed(x, Space::Global, at(1, inst.offset2), bytes);
  }
  x.forLanes([&](unsigned l) {
    uint32_t sourceBytes = inst.s.size() > 2 ? static_cast<uint32_t>(x.s(2)[l]) : bytes;
    if (ignored >> l & 1)
      sourceBytes = 0;
    if (sourceBytes > bytes)
      throw Fault{"bad-copy", "the source size exceeds the copy size", static_cast<int>(l)};
    uint64_t destination = x.s(0)[l] + static_cast<uint64_t>(inst.offset),
             source = x.s(1)[l] + static_cast<uint64_t>(inst.offset2);
    Place place = resolve(x, inst.space, destination, l);
    if (place.space != Space::Shared)
      throw Fault{"bad-copy", "the destination is not in shared memory", static_cast<int>(l)};
    if (place.offset % bytes || source % bytes)
      throw Fault{"misaligned",
                  "cp.async of " + std::to_string(bytes) + " bytes needs both addresses to be multiples of that",
                  static_cast<int>(l)};
    // A store first: it checks the destination. Then the bytes belong to the copy.
    accessShared(x, *place.cta, place.offset, bytes, l, {AccessKind::Write});
    std::fill_n(place.cta->shared.initialized.data() + place.offset, bytes, uint8_t(kInFlight));
    PendingCopy pending = {.cta = place.cta,
                           .offset = static_cast<uint32_t>(place.offset),
                           .bytes = bytes,
                           .source = source,
                           .sourceBytes = sourceBytes,
                           .lane = static_cast<uint8_t>(l),
                           .group = x.warp.copyGroup[l],
                           .line = inst.line};
    if (sourceBytes)
      std::memcpy(pending.issued.data(), readSource(x, source, sourceBytes, l), sourceBytes);
    x.warp.copies.push_back(pending);
  });
}

void commit(Exec &x, const Inst &) {
  x.forLanes([&](unsigned l) { ++x.warp.copyGroup[l]; });
}

/// offset: groups that may stay unfinished; negative: none, and the uncommitted copies must finish too.
void wait(Exec &x, const Inst &inst) {
  auto &copies = x.warp.copies;
  for (const PendingCopy &c : copies)
    if (x.mask >> c.lane & 1 && (inst.offset < 0 || static_cast<int64_t>(c.group) + inst.offset <
                                                        static_cast<int64_t>(x.warp.copyGroup[c.lane])))
      finish(x, c);
  copies.erase(std::remove_if(copies.begin(), copies.end(),
                              [&](const PendingCopy &c) {
                                return x.mask >> c.lane & 1 &&
                                       (inst.offset < 0 || static_cast<int64_t>(c.group) + inst.offset <
                                                               static_cast<int64_t>(x.warp.copyGroup[c.lane]));
                              }),
               copies.end());
}

void decodeCopy(OpReader &r) {
  bool cached = r.accept(".ca"), global = r.accept(".cg");
  if (cached == global)
    r.fail("needs .ca or .cg");
  bool hint = readCacheHints(r);
  // Destination, then source space, in that order.
  r.inst.space = r.accept(".shared") || r.accept(".shared::cta") ? Space::Shared : Space::Generic;
  if (r.inst.space == Space::Generic || !r.accept(".global"))
    r.fail("needs .shared.global");
  r.expectCount(3 + hint, 4 + hint);
  r.inst.opClass = OpClass::Async;
  r.address(r.operand(0), r.inst.space);
  int64_t destinationOffset = r.inst.offset;
  r.address(r.operand(1), Space::Global);
  r.inst.offset2 = r.inst.offset;
  r.inst.offset = destinationOffset;
  uint64_t bytes = r.integer(r.operand(2));
  if ((bytes != 4 && bytes != 8 && bytes != 16) || (global && bytes != 16))
    r.fail(global ? ".cg copies 16 bytes" : "copies 4, 8 or 16 bytes");
  r.inst.mode = static_cast<uint8_t>(bytes);
  if (r.count() == 4u + hint) {
    const ast::Operand &o = r.operand(3);
    if (o.kind == ast::Operand::Name && r.isPredicate(o))
      r.inst.ps.push_back(r.predicateSource(o));
    else
      r.addSource(3, Type::U32);
  }
  r.inst.handler = copy;
}

void decodeCpAsync(OpReader &r) {
  r.inst.opClass = OpClass::Async;
  if (r.accept(".commit_group")) {
    r.expectCount(0, 0);
    r.inst.handler = commit;
  } else if (r.accept(".wait_group")) {
    r.expectCount(1, 1);
    r.inst.offset = static_cast<int64_t>(r.integer(r.operand(0)));
    r.inst.handler = wait;
  } else if (r.accept(".wait_all")) {
    r.expectCount(0, 0);
    r.inst.offset = -1;
    r.inst.handler = wait;
  } else {
    decodeCopy(r);
  }
}

/// Arrives when the thread's earlier cp.async are done: they are finished here. flag: .noinc.
void copyArrive(Exec &x, const Inst &inst) {
  Inst all = inst;
  all.offset = -1;
  wait(x, all);
  x.forLanes([&](unsigned l) {
    Place p = resolve(x, inst.space, x.s(0)[l] + static_cast<uint64_t>(inst.offset), l);
    Mbarrier &b = mbarrierAt(x, *p.cta, p.offset, l);
    x.machine.races().release(x.warp, 1u << l, b.point, Reach::Cta);
    if (ExecutionObserver *observer = x.machine.observer())
      observer->mbarrierArrivesAfterCopies(x, *p.cta, p.offset, !inst.flag);
    if (!inst.flag)
      ++b.pending; // the arrival is one more than the count of the phase
    arriveOn(x.machine, *p.cta, p.offset, b, 1, l);
  });
}

} // namespace

void decodeCopyArrive(OpReader &r) {
  r.expectAny({".arrive"}, ".arrive");
  r.inst.flag = r.accept(".noinc");
  r.inst.space = r.acceptSpace();
  r.type({Type::B64});
  r.expectCount(1, 1);
  r.inst.opClass = OpClass::Async;
  r.address(r.operand(0), r.inst.space);
  r.inst.handler = copyArrive;
}

void addAsyncCopyOps(OpcodeTable &t) {
  t["cp"] = [](OpReader &r) {
    bool reduces = r.accept(".reduce");
    if (!r.accept(".async"))
      r.fail("the emulator does not know this instruction");
    if (r.accept(".bulk"))
      decodeBulkCopy(r, reduces);
    else if (r.accept(".mbarrier"))
      decodeCopyArrive(r);
    else if (!reduces)
      decodeCpAsync(r);
  };
}

} // namespace ptxemu
