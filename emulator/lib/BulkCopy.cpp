//===- BulkCopy.cpp - cp.async.bulk and bulk groups ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BulkCopy.h"
#include "ExecutionObserver.h"
#include "FloatFormat.h"
#include "Lanewise.h"
#include "MemoryModifiers.h"
#include "ptx-emulator/TensorMap.h"
#include <algorithm>
#include <cstring>

namespace ptxemu {

namespace {

constexpr unsigned kSpread = 400; ///< warp instructions within which an engine finishes

/// The global side of a chunk, checked for bounds and races with the asynchronous proxy.
uint8_t *globalBytes(Exec &x, const Chunk &c, AccessKind kind, uint32_t engine, uint32_t clock, unsigned lane) {
  Allocation *a = x.machine.global().find(c.global, c.bytes);
  if (!a)
    throw Fault{"out-of-bounds",
                std::string("the copy ") + (kind == AccessKind::Read ? "reads" : "writes") +
                    " global memory outside every allocation: " + x.machine.global().explain(c.global, c.bytes),
                static_cast<int>(lane)};
  x.machine.races().checkAsync(x, a->shadow, c.global - a->base, c.bytes, kind, engine, clock,
                               {Space::Global, nullptr, c.global});
  return a->bytes.get() + (c.global - a->base);
}

/// The engine reads the tensor map until it is done.
void readMap(Exec &x, uint64_t map, uint32_t engine, uint32_t clock, unsigned lane) {
  if (Allocation *a = map ? x.machine.global().find(map, TensorMap::kBytes) : nullptr) {
    x.machine.races().checkMap(x, *a, map, lane);
    x.machine.races().checkAsync(x, a->shadow, map - a->base, TensorMap::kBytes, AccessKind::Read, engine, clock,
                                 {Space::Global, nullptr, map}, /*generic=*/true);
  }
}

/// Element by element.
void combine(uint8_t *to, const uint8_t *from, uint32_t bytes, const StoreReduction &reduction) {
  for (unsigned e = byteSize(reduction.type), i = 0; i < bytes; i += e) {
    uint64_t old = 0, value = 0;
    std::memcpy(&old, to + i, e);
    std::memcpy(&value, from + i, e);
    uint64_t result = atomicResult(reduction.op, reduction.type, old, value, 0, reduction.flush);
    std::memcpy(to + i, &result, e);
  }
}

/// Appends what a store takes from shared memory for `bytes` bytes of global memory.
void takeShared(std::vector<uint8_t> &data, const uint8_t *from, uint32_t bytes, bool packs) {
  if (!packs) {
    data.insert(data.end(), from, from + bytes);
    return;
  }
  for (unsigned group = 0; group < 16; group += 4) { // four times 6 bits are three bytes
    uint32_t bits = 0;
    for (unsigned e = 0; e < 4; ++e)
      bits |= (from[group + e] & 0x3fu) << 6 * e;
    for (unsigned byte = 0; byte < 3; ++byte)
      data.push_back(static_cast<uint8_t>(bits >> 8 * byte));
  }
}

void sharedBounds(const Cta &cta, const Chunk &c, unsigned lane) {
  if (c.shared < kReservedShared || uint64_t(c.shared) + c.bytes > cta.shared.size())
    throw Fault{"out-of-bounds",
                "the copy touches shared memory at " + hexText(c.shared) + " to " +
                    hexText(uint64_t(c.shared) + c.bytes - 1) + ", outside the CTA's allocation (end " +
                    hexText(cta.shared.size()) + ")",
                static_cast<int>(lane)};
}

/// Another copy is to write some of the bytes, or an mbarrier lies there.
void checkNotInFlight(Machine &m, const Cta &cta, const Chunk &c, unsigned lane) {
  auto begin = cta.shared.initialized.begin() + c.shared, end = begin + c.bytes;
  if (std::find(begin, end, uint8_t(kOpaque)) != end)
    throw Fault{"mbarrier",
                "the copy touches shared memory at " + hexText(c.shared) + " to " + hexText(c.shared + c.bytes - 1) +
                    ", where an mbarrier lies",
                static_cast<int>(lane)};
  if (std::find(begin, end, uint8_t(kInFlight)) != end)
    m.complain(
        {"async-in-flight",
         "the copy touches shared memory at " + hexText(c.shared) + " that another asynchronous copy is still to write",
         static_cast<int>(lane)});
}

} // namespace

Place barrierPlace(Exec &x, Space space, uint64_t address, unsigned lane) {
  Place p = resolve(x, space, address, lane);
  if (p.space != Space::Shared)
    throw Fault{"mbarrier", "the mbarrier operand " + hexText(address) + " is not in shared memory",
                static_cast<int>(lane)};
  return p;
}

std::vector<Cta *> multicastTargets(Exec &x, uint32_t mask, unsigned lane) {
  std::vector<Cta *> targets;
  auto &ctas = x.cta.cluster->ctas;
  if (mask == 0 || mask >> ctas.size())
    throw Fault{"bad-copy", "the multicast mask " + hexText(mask) + " names no CTA, or one outside the cluster",
                static_cast<int>(lane)};
  for (unsigned r = 0; r < ctas.size(); ++r)
    if (mask >> r & 1)
      targets.push_back(ctas[r].get());
  return targets;
}

namespace {

/// As the copy engine writes them, to shared memory.
void roundToTf32(uint8_t *bytes, uint32_t size) {
  constexpr unsigned droppedBits = 13;
  for (uint32_t at = 0; at < size; at += sizeof(float)) {
    float value;
    std::memcpy(&value, bytes + at, sizeof value);
    const uint32_t rounded = encodeFloat(value, formatOf(Type::TF32)) << droppedBits;
    std::memcpy(bytes + at, &rounded, sizeof rounded);
  }
}

} // namespace

void startLoad(Exec &x, Copy copy, const std::vector<LoadTarget> &targets, uint64_t barrier, unsigned lane) {
  Machine &m = x.machine;
  auto shared = std::make_shared<Copy>(std::move(copy));
  if (ExecutionObserver *observer = m.observer())
    observer->bulkLoaded(x, *shared, targets, barrier);
  for (const Chunk &c : shared->chunks)
    m.counters().bulkLoadedBytes += c.bytes;
  for (auto [target, toSignal] : targets) {
    Cta *cta = target, *signalled = toSignal; // not bindings: the completion captures them
    Mbarrier &b = mbarrierAt(x, *signalled, barrier, lane);
    m.races().checkInit(x, b.init, barrier, lane, true);
    ++b.inFlight;
    uint32_t engine = engineOf(*x.cta.cluster, b), clock = ++b.engineClock;
    uint64_t bytes = 0;
    readMap(x, shared->map, engine, clock, lane);
    for (const Chunk &c : shared->chunks) {
      sharedBounds(*cta, c, lane);
      checkNotInFlight(x.machine, *cta, c, lane);
      if (!c.outside)
        globalBytes(x, c, AccessKind::Read, engine, clock, lane);
      m.races().checkAsync(x, cta->shared.shadow, c.shared, c.bytes, AccessKind::Write, engine, clock,
                           {Space::Shared, cta, c.shared});
      std::fill_n(cta->shared.initialized.begin() + c.shared, c.bytes, uint8_t(kInFlight));
      bytes += c.bytes;
    }
    m.counters().bulkBytes += bytes;
    uint64_t issued = m.now();
    m.later(
        [&m, shared, cta, signalled, barrier, bytes, engine, clock, issued] {
          m.traceEngine(*cta, "bulk loads", "load", issued);
          for (const Chunk &c : shared->chunks) {
            uint8_t *to = cta->shared.bytes.data() + c.shared;
            if (c.outside)
              for (uint32_t i = 0; i < c.bytes; ++i)
                to[i] = static_cast<uint8_t>(shared->fill >> (8 * (i % shared->fillBytes)));
            else if (Allocation *a = m.global().find(c.global, c.bytes))
              std::memcpy(to, a->bytes.get() + (c.global - a->base), c.bytes);
            if (shared->roundsToTf32 && !c.outside)
              roundToTf32(to, c.bytes);
            std::fill_n(cta->shared.initialized.begin() + c.shared, c.bytes, uint8_t(kInitialized));
          }
          m.progressMade();
          auto it = signalled->mbarriers.find(barrier);
          if (it == signalled->mbarriers.end())
            throw Fault{"mbarrier",
                        "a copy completes on the mbarrier at " + hexText(barrier) +
                            ", which has been invalidated meanwhile",
                        -1};
          --it->second.inFlight;
          m.races().complete(it->second.point, *signalled, engine, clock);
          completeTransactions(m, *signalled, barrier, it->second, static_cast<int64_t>(bytes));
        },
        m.launchOptions().seed ? kSpread : 0);
  }
}

void startStore(Exec &x, Copy copy, StoreReduction reduction, unsigned lane) {
  Machine &m = x.machine;
  Warp &w = x.warp;
  if (w.readEngine == ~0u) {
    w.readEngine = newEngine(*x.cta.cluster);
    w.writeEngine = newEngine(*x.cta.cluster);
  }
  uint32_t clock = ++w.bulkClock;
  auto operation = std::make_shared<BulkOperation>();
  operation->lane = static_cast<uint8_t>(lane);
  operation->group = w.bulkGroup[lane];
  operation->clock = clock;
  w.bulk.push_back(operation);
  auto chunks = std::make_shared<Copy>(std::move(copy));
  if (ExecutionObserver *observer = m.observer())
    observer->bulkStored(x, *chunks, reduction.reduce);
  Cta *cta = &x.cta;
  readMap(x, chunks->map, w.readEngine, clock, lane);
  for (const Chunk &c : chunks->chunks) {
    const Chunk source = chunks->inShared(c);
    sharedBounds(*cta, source, lane);
    checkNotInFlight(x.machine, *cta, source, lane);
    auto begin = cta->shared.initialized.begin() + source.shared;
    if (m.launchOptions().checkUninitialized &&
        std::find(begin, begin + source.bytes, uint8_t(kUninitialized)) != begin + source.bytes)
      m.complain({"uninitialized-shared",
                  "the copy reads shared memory at " + hexText(source.shared) + " that nothing has written",
                  static_cast<int>(lane)});
    m.races().checkAsync(x, cta->shared.shadow, source.shared, source.bytes, AccessKind::Read, w.readEngine, clock,
                         {Space::Shared, cta, source.shared});
    if (!c.outside) // reductions are atomic by element
      globalBytes(x, c, reduction.reduce ? AccessKind::Atomic : AccessKind::Write, w.writeEngine, clock, lane);
    m.counters().bulkBytes += c.bytes;
  }
  unsigned spread = m.launchOptions().seed ? kSpread : 0;
  Warp *warp = &w;
  auto wakeWaiters = [&m, warp] {
    for (Fragment &f : warp->fragments)
      if (f.wait == Wait::AsyncGroup)
        m.wake(*warp, f);
  };
  uint64_t issued = m.now();
  m.later(
      [&m, chunks, cta, operation, wakeWaiters, reduction, spread, issued] {
        auto data = std::make_shared<std::vector<uint8_t>>();
        for (const Chunk &c : chunks->chunks)
          takeShared(*data, cta->shared.bytes.data() + c.shared, c.bytes, chunks->packs);
        operation->read = true;
        wakeWaiters();
        m.later(
            [&m, chunks, data, operation, wakeWaiters, reduction, cta, issued] {
              m.traceEngine(*cta, "bulk stores", reduction.reduce ? "reduce" : "store", issued);
              const uint8_t *from = data->data();
              for (const Chunk &c : chunks->chunks) {
                Allocation *a = c.outside ? nullptr : m.global().find(c.global, c.bytes);
                uint8_t *to = a ? a->bytes.get() + (c.global - a->base) : nullptr;
                if (to && !reduction.reduce)
                  std::memcpy(to, from, c.bytes);
                else if (to)
                  combine(to, from, c.bytes, reduction);
                from += c.bytes;
              }
              operation->written = true;
              m.progressMade();
              wakeWaiters();
            },
            spread, reduction.reduce);
      },
      spread);
}

namespace {

//===--- cp.async.bulk ----------------------------------------------------===//

struct BulkInfo {
  bool load = false, fromShared = false, multicast = false, masked = false;
  Space destinationSpace = Space::Shared, sourceSpace = Space::Global;
  StoreReduction reduction;
};

void checkSize(uint64_t bytes, uint64_t a, uint64_t b, unsigned lane) {
  if (bytes % 16 || a % 16 || b % 16)
    throw Fault{"misaligned", "a bulk copy's size and addresses are multiples of 16 bytes", static_cast<int>(lane)};
}

/// Shared memory of one CTA to another's, signalling an mbarrier beside the destination.
void sharedToCluster(Exec &x, uint64_t source, const Place &to, const Place &barrier, uint32_t bytes,
                     const StoreReduction &reduction, unsigned lane) {
  Machine &m = x.machine;
  Place from = resolve(x, Space::Shared, source, lane);
  Mbarrier &b = mbarrierAt(x, *barrier.cta, barrier.offset, lane);
  m.races().checkInit(x, b.init, barrier.offset, lane, true);
  ++b.inFlight;
  uint32_t engine = engineOf(*x.cta.cluster, b), clock = ++b.engineClock;
  Chunk there{0, static_cast<uint32_t>(to.offset), bytes, false},
      here{0, static_cast<uint32_t>(from.offset), bytes, false};
  sharedBounds(*to.cta, there, lane);
  sharedBounds(*from.cta, here, lane);
  checkNotInFlight(x.machine, *to.cta, there, lane);
  checkNotInFlight(x.machine, *from.cta, here, lane);
  m.races().checkAsync(x, from.cta->shared.shadow, from.offset, bytes, AccessKind::Read, engine, clock, from);
  m.races().checkAsync(x, to.cta->shared.shadow, to.offset, bytes,
                       reduction.reduce ? AccessKind::Atomic : AccessKind::Write, engine, clock, to);
  if (!reduction.reduce) { // reductions are atomic by element
    std::fill_n(to.cta->shared.initialized.begin() + there.shared, bytes, uint8_t(kInFlight));
  } else if (m.launchOptions().checkUninitialized) {
    auto begin = to.cta->shared.initialized.begin() + there.shared;
    if (std::find(begin, begin + bytes, uint8_t(kUninitialized)) != begin + bytes)
      m.complain({"uninitialized-shared", "the reduction combines with shared memory that nothing has written",
                  static_cast<int>(lane)});
  }
  m.counters().bulkBytes += bytes;
  if (ExecutionObserver *observer = m.observer())
    observer->storedAsync(x, *barrier.cta, barrier.offset, bytes);
  m.later(
      [&m, from, to, barrier, bytes, engine, clock, reduction] {
        const uint8_t *source = from.cta->shared.bytes.data() + from.offset;
        uint8_t *destination = to.cta->shared.bytes.data() + to.offset;
        if (reduction.reduce)
          combine(destination, source, bytes, reduction);
        else
          std::copy_n(source, bytes, destination);
        std::fill_n(to.cta->shared.initialized.begin() + static_cast<std::ptrdiff_t>(to.offset), bytes,
                    uint8_t(kInitialized));
        auto it = barrier.cta->mbarriers.find(barrier.offset);
        if (it == barrier.cta->mbarriers.end())
          throw Fault{"mbarrier", "a copy completes on an mbarrier that has been invalidated meanwhile", -1};
        --it->second.inFlight;
        m.races().complete(it->second.point, *barrier.cta, engine, clock);
        completeTransactions(m, *barrier.cta, barrier.offset, it->second, bytes);
      },
      m.launchOptions().seed ? kSpread : 0);
}

/// The bytes of every 16 whose bits are set in the mask.
void addMasked(Copy &copy, uint64_t global, uint32_t shared, uint32_t bytes, uint32_t mask) {
  if (mask == 0xffff) {
    if (bytes)
      copy.chunks.push_back({global, shared, bytes, false});
    return;
  }
  for (uint32_t at = 0; at < bytes; ++at)
    if (mask >> (at % 16) & 1)
      copy.chunks.push_back({global + at, shared + at, 1, false});
}

/// s: destination, source, size, then mbarrier and CTA mask of a load, or the byte mask of a store.
void bulk(Exec &x, const Inst &inst) {
  const auto &info = inst.as<BulkInfo>();
  x.forLanes([&](unsigned l) {
    uint64_t destination = x.s(0)[l] + static_cast<uint64_t>(inst.offset),
             source = x.s(1)[l] + static_cast<uint64_t>(inst.offset2);
    uint32_t bytes = static_cast<uint32_t>(x.s(2)[l]);
    checkSize(bytes, destination, source, l);
    Copy copy;
    if (info.load) {
      Place to = resolve(x, info.destinationSpace, destination, l),
            barrier = barrierPlace(x, info.destinationSpace, x.s(3)[l], l);
      if (to.space != Space::Shared)
        throw Fault{"bad-copy", "the destination is not in shared memory", static_cast<int>(l)};
      if (to.cta != barrier.cta)
        throw Fault{"bad-copy", "the destination and the mbarrier lie in different CTAs", static_cast<int>(l)};
      if (info.fromShared)
        return sharedToCluster(x, source, to, barrier, bytes, info.reduction, l);
      if (bytes)
        copy.chunks.push_back({source, static_cast<uint32_t>(to.offset), bytes, false});
      std::vector<LoadTarget> targets;
      if (info.multicast)
        for (Cta *cta : multicastTargets(x, static_cast<uint16_t>(x.s(4)[l]), l))
          targets.push_back({cta, cta});
      else
        targets.push_back({to.cta, to.cta});
      startLoad(x, std::move(copy), targets, barrier.offset, l);
    } else {
      Place from = resolve(x, info.sourceSpace, source, l);
      if (from.space != Space::Shared || from.cta != &x.cta)
        throw Fault{"bad-copy", "the source is not in the CTA's own shared memory", static_cast<int>(l)};
      uint32_t mask = info.masked ? static_cast<uint16_t>(x.s(3)[l]) : 0xffff;
      sharedBounds(x.cta, {0, static_cast<uint32_t>(from.offset), bytes, false}, l);
      addMasked(copy, destination, static_cast<uint32_t>(from.offset), bytes, mask);
      startStore(x, std::move(copy), info.reduction, l);
    }
  });
}

void commitGroup(Exec &x, const Inst &) {
  x.forLanes([&](unsigned l) { ++x.warp.bulkGroup[l]; });
}

/// offset: groups that may be unfinished; flag: .read.
void waitGroup(Exec &x, const Inst &inst) {
  auto concerns = [&](const BulkOperation &o) {
    return (x.mask >> o.lane & 1) &&
           static_cast<int64_t>(o.group) + inst.offset < static_cast<int64_t>(x.warp.bulkGroup[o.lane]);
  };
  for (const auto &o : x.warp.bulk)
    if (concerns(*o) && !(inst.flag ? o->read : o->written)) {
      x.fragment->wait = Wait::AsyncGroup;
      x.repeat = true;
      return;
    }
  for (const auto &o : x.warp.bulk)
    if (concerns(*o)) {
      o->awaited = true;
      x.machine.races().waited(x.warp, x.mask, x.warp.readEngine, o->clock);
      if (!inst.flag)
        x.machine.races().waited(x.warp, x.mask, x.warp.writeEngine, o->clock);
    }
  auto &list = x.warp.bulk;
  list.erase(
      std::remove_if(list.begin(), list.end(), [&](const auto &o) { return o->written && concerns(*o) && !inst.flag; }),
      list.end());
}

void takeAddresses(OpReader &r, Space destination, Space source) {
  r.address(r.operand(0), destination);
  int64_t first = r.inst.offset;
  r.address(r.operand(1), source);
  r.inst.offset2 = r.inst.offset;
  r.inst.offset = first;
}

/// The spaces of the destination, which is written first, and of the source.
void readSpaces(OpReader &r, BulkInfo &info) {
  const auto &rest = r.rest();
  size_t firstSpace = 0;
  while (firstSpace < rest.size() && rest[firstSpace] != ".global" && rest[firstSpace].rfind(".shared", 0) != 0)
    ++firstSpace;
  if (firstSpace >= rest.size())
    r.fail("needs a destination and a source space");
  if (rest[firstSpace] == ".global") {
    r.accept(".global");
    if (!r.accept(".shared::cta"))
      r.fail("the source is .shared::cta");
    r.expectAny({".bulk_group"}, ".bulk_group");
    info.sourceSpace = Space::Shared;
    return;
  }
  info.load = true;
  info.destinationSpace = rest[firstSpace] == ".shared::cluster" ? Space::SharedCluster : Space::Shared;
  r.takeAt(firstSpace);
  info.fromShared = info.destinationSpace == Space::SharedCluster && r.accept(".shared::cta");
  if (!info.fromShared && !r.accept(".global"))
    r.fail("needs a source space");
  r.expectAny({".mbarrier::complete_tx::bytes"}, ".mbarrier::complete_tx::bytes");
  info.multicast = !info.fromShared && info.destinationSpace == Space::SharedCluster && r.accept(".multicast::cluster");
}

void readBulkReduction(OpReader &r, BulkInfo &info) {
  StoreReduction &reduction = info.reduction;
  if (info.load && !info.fromShared)
    r.fail("reduces from shared memory");
  reduction.reduce = true;
  bool noftz = r.accept(".noftz");
  if (!readReduction(r, &reduction.op))
    r.fail("needs an operation");
  auto type = r.acceptType();
  if (!type || !bulkReductionExists(reduction.op, *type, info.load))
    r.fail("the operation does not exist for this type");
  reduction.type = *type;
  bool addsHalves = reduction.op == AtomicOp::Add && (*type == Type::F16 || *type == Type::BF16);
  if (noftz != addsHalves)
    r.fail(addsHalves ? "needs .noftz" : ".noftz does not apply");
  reduction.flush = *type == Type::F32; // as current hardware does in global memory
}

void decodeBulk(OpReader &r, bool reduces) {
  auto info = std::make_shared<BulkInfo>();
  bool hint = readCacheHint(r);
  readSpaces(r, *info);
  if (hint && info->fromShared)
    r.fail("a cache hint does not apply");
  if (reduces)
    readBulkReduction(r, *info);
  else
    info->masked = !info->load && r.accept(".cp_mask");
  size_t operands = (info->load ? 4u + info->multicast : 3u + info->masked) + hint;
  r.expectCount(operands, operands);
  takeAddresses(r, info->load ? info->destinationSpace : Space::Global,
                info->load && !info->fromShared ? Space::Global : Space::Shared);
  r.addSource(2, Type::U32);
  if (info->load) {
    int64_t saved = r.inst.offset;
    r.address(r.operand(3), info->destinationSpace);
    if (r.inst.offset)
      r.inst.s.back() = r.addressWithOffset(r.inst.s.back(), r.inst.offset);
    r.inst.offset = saved;
    if (info->multicast)
      r.addSource(4, Type::B16);
  } else if (info->masked) {
    r.addSource(3u + hint, Type::B16);
  }
  r.inst.extra = info;
  r.inst.handler = bulk;
}

} // namespace

bool readReduction(OpReader &r, AtomicOp *op) {
  constexpr std::pair<std::string_view, AtomicOp> names[] = {
      {".add", AtomicOp::Add}, {".min", AtomicOp::Min}, {".max", AtomicOp::Max}, {".inc", AtomicOp::Inc},
      {".dec", AtomicOp::Dec}, {".and", AtomicOp::And}, {".or", AtomicOp::Or},   {".xor", AtomicOp::Xor}};
  for (auto [name, value] : names)
    if (r.accept(name)) {
      *op = value;
      return true;
    }
  return false;
}

bool readCacheHint(OpReader &r) {
  return r.accept(".L2::cache_hint");
}

bool bulkReductionExists(AtomicOp op, Type t, bool shared) {
  bool isWord = t == Type::U32 || t == Type::S32, isHalf = t == Type::F16 || t == Type::BF16;
  switch (op) {
  case AtomicOp::Add:
    return isWord || t == Type::U64 || (!shared && (isHalf || t == Type::F32 || t == Type::F64));
  case AtomicOp::Min:
  case AtomicOp::Max:
    return isWord || (!shared && (isHalf || t == Type::U64 || t == Type::S64));
  case AtomicOp::Inc:
  case AtomicOp::Dec:
    return t == Type::U32;
  default:
    return t == Type::B32 || (!shared && t == Type::B64);
  }
}

void decodeBulkCopy(OpReader &r, bool reduces) {
  r.inst.opClass = OpClass::Async;
  if (r.accept(".commit_group")) {
    r.expectCount(0, 0);
    r.inst.handler = commitGroup;
  } else if (r.accept(".wait_group")) {
    r.inst.flag = r.accept(".read");
    r.expectCount(1, 1);
    r.inst.offset = static_cast<int64_t>(r.integer(r.operand(0)));
    r.inst.handler = waitGroup;
  } else if (r.accept(".prefetch")) {
    if (r.accept(".tensor"))
      return decodeTensorPrefetch(r);
    bool hint = readCacheHint(r);
    r.expectAny({".L2"}, ".L2");
    r.expectAny({".global"}, ".global");
    r.expectCount(2u + hint, 2u + hint);
    r.address(r.operand(0), Space::Global);
    r.addSource(1, Type::U32);
    r.inst.handler = doNothing;
  } else if (r.accept(".tensor")) {
    decodeTensorCopy(r, reduces);
  } else {
    decodeBulk(r, reduces);
  }
}

} // namespace ptxemu
