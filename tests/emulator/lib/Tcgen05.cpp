//===- Tcgen05.cpp - Tensor memory: allocation, loads, stores, waits, commits -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tcgen05.h"
#include "Access.h"
#include "FunctionDecoder.h"
#include "Lanewise.h"
#include "MbarrierState.h"
#include <algorithm>
#include <cstring>

namespace ptxemu {

//===----------------------------------------------------------------------===//
// Shared with the other tcgen05 families
//===----------------------------------------------------------------------===//

void checkTensorRange(Cta &cta, TensorAddress a, unsigned lanes, unsigned columns, int lane) {
  TensorMemory &t = cta.tensor;
  if (a.lane + lanes > TensorMemory::kLanes || a.column + columns > TensorMemory::kColumns)
    throw Fault{"out-of-bounds",
                "tensor memory has 128 lanes and 512 columns; lanes " + std::to_string(a.lane) + " … " +
                    std::to_string(a.lane + lanes - 1) + ", columns " + std::to_string(a.column) + " … " +
                    std::to_string(a.column + columns - 1) + " leave it",
                lane};
  uint32_t owner = t.allocation[a.column];
  for (unsigned c = a.column; c < a.column + columns; ++c)
    if (!t.allocation[c] || t.allocation[c] != owner)
      throw Fault{"tensor-memory",
                  "column " + std::to_string(c) + " of tensor memory is not allocated" +
                      (owner ? " with the ones before it" : ""),
                  lane};
}

void checkTensorEngine(Exec &x, Cta &cta, TensorAddress a, unsigned lanes, unsigned columns, bool isWrite,
                       uint32_t clock) {
  for (unsigned window = a.lane / 32; window <= (a.lane + lanes - 1) / 32; ++window)
    for (unsigned c = a.column; c < a.column + columns; ++c) {
      uint64_t offset = (window * TensorMemory::kColumns + c) * 4ull;
      x.machine.races().checkAsync(x, cta.tensor.shadow, offset, 4, isWrite, tensorEngine(cta), clock,
                                   {Space::Tensor, &cta, c});
    }
}

uint32_t tensorEngine(Cta &cta) {
  if (cta.tensor.engine == ~0u)
    cta.tensor.engine = newEngine(*cta.cluster);
  return cta.tensor.engine;
}

void enqueueTensorWork(Machine &m, Cta &cta, std::function<void()> work) {
  TensorMemory *t = &cta.tensor;
  t->queue.push_back(std::move(work));
  m.later(
      [t] {
        auto next = std::move(t->queue.front());
        t->queue.pop_front();
        next();
      },
      m.launchOptions().seed ? 300 : 0);
}

void readByTensorCore(Exec &x, Cta &cta, const char *what, uint32_t address, uint32_t engine, uint32_t clock) {
  SharedMemory &shared = cta.shared;
  if (address < kReservedShared || address + 16 > shared.size())
    throw Fault{"descriptor",
                std::string(what) + " reaches shared address " + hexText(address) +
                    ", outside the CTA's allocation (end " + hexText(shared.size()) + ")",
                -1};
  auto state = shared.initialized.begin() + address;
  if (std::find(state, state + 16, uint8_t(kInFlight)) != state + 16)
    throw Fault{"async-in-flight",
                std::string(what) + " includes shared memory at " + hexText(address) +
                    " that an asynchronous copy is still to write",
                -1};
  if (x.machine.launchOptions().checkUninitialized &&
      std::find(state, state + 16, uint8_t(kUninitialized)) != state + 16)
    throw Fault{"uninitialized-shared",
                std::string(what) + " includes shared memory at " + hexText(address) + " that nothing has written", -1};
  x.machine.races().checkAsync(x, shared.shadow, address, 16, false, engine, clock, {Space::Shared, &cta, address});
}

namespace {

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

void checkColumns(uint64_t n) {
  if (n < 32 || n > 512 || n & (n - 1))
    throw Fault{"tensor-memory", std::to_string(n) + " columns: an allocation has a power of two of them, 32 to 512",
                -1};
}

/// s: address in shared memory, columns
void allocate(Exec &x, const Inst &inst) {
  TensorMemory &t = x.cta.tensor;
  uint64_t n = static_cast<uint32_t>(x.s(1)[0]);
  checkColumns(n);
  if (t.relinquished)
    throw Fault{"tensor-memory", "the CTA has relinquished its right to allocate", -1};
  t.create();
  for (unsigned start = 0; start + n <= TensorMemory::kColumns; start += static_cast<unsigned>(n)) {
    if (std::any_of(t.allocation.begin() + start, t.allocation.begin() + start + static_cast<std::ptrdiff_t>(n),
                    [](uint32_t a) { return a != 0; }))
      continue;
    ++t.allocations;
    std::fill_n(t.allocation.begin() + start, n, t.allocations);
    for (unsigned lane = 0; lane < TensorMemory::kLanes; ++lane)
      std::fill_n(t.written.begin() + lane * TensorMemory::kColumns + start, n, uint8_t(0));
    uint8_t value[4] = {static_cast<uint8_t>(start), static_cast<uint8_t>(start >> 8), 0, 0};
    std::memcpy(access(x, inst.space, x.s(0)[0] + static_cast<uint64_t>(inst.offset), 4, 0, {AccessKind::Write}), value,
                4);
    x.machine.progressMade();
    return;
  }
  x.fragment->wait = Wait::TensorMemory;
  x.repeat = true;
}

void deallocate(Exec &x, const Inst &) {
  TensorMemory &t = x.cta.tensor;
  TensorAddress a(x.s(0)[0]);
  uint64_t n = static_cast<uint32_t>(x.s(1)[0]);
  checkColumns(n);
  checkTensorRange(x.cta, a, 1, static_cast<unsigned>(n), -1);
  for (unsigned c = a.column; c < a.column + n; ++c)
    if (t.inFlight[c])
      throw Fault{"tensor-memory",
                  "column " + std::to_string(c) + " is deallocated while the tensor core is still to write it", -1};
  std::fill_n(t.allocation.begin() + a.column, n, 0u);
  x.machine.wakeWaiting(x.cta, Wait::TensorMemory, 0);
  x.machine.progressMade();
}

void relinquish(Exec &x, const Inst &) {
  x.cta.tensor.relinquished = true;
}

//===----------------------------------------------------------------------===//
// ld, st, wait
//===----------------------------------------------------------------------===//

enum LoadShape : uint8_t { k32x32, k16x128, k16x256 };

/// Where register r of a lane lies, relative to the address.
std::pair<unsigned, unsigned> cellOf(LoadShape shape, unsigned lane, unsigned r) {
  switch (shape) {
  case k32x32:
    return {lane, r};
  case k16x128:
    return {lane / 4 + 8 * (r & 1), r / 2 * 4 + lane % 4};
  default:
    return {lane / 4 + 8 * (r >> 1 & 1), r / 4 * 8 + lane % 4 * 2 + (r & 1)};
  }
}

struct Window {
  TensorAddress address;
  unsigned lanes, columns;
};

Window windowOf(Exec &x, const Inst &inst, unsigned registers) {
  auto shape = static_cast<LoadShape>(inst.mode);
  TensorAddress a(x.s(0)[0] + static_cast<uint64_t>(inst.offset));
  for (unsigned l = 1; l < 32; ++l)
    if (x.s(0)[l] != x.s(0)[0])
      throw Fault{"divergence", "the lanes of the warp give different tensor-memory addresses", static_cast<int>(l)};
  unsigned lanes = shape == k32x32 ? 32 : 16, columns = shape == k32x32 ? registers : registers * 2;
  unsigned first = x.warp.index % 4 * 32;
  if (a.lane < first || a.lane + lanes > first + 32)
    throw Fault{"tensor-memory",
                "warp " + std::to_string(x.warp.index) + " can reach lanes " + std::to_string(first) + " … " +
                    std::to_string(first + 31) + " only, not lane " + std::to_string(a.lane),
                -1};
  checkTensorRange(x.cta, a, lanes, columns, -1);
  for (unsigned c = a.column; c < a.column + columns; ++c)
    if (x.cta.tensor.inFlight[c])
      throw Fault{"async-in-flight",
                  "column " + std::to_string(c) +
                      " of tensor memory is still to be written by the tensor core: wait for its commit",
                  -1};
  return {a, lanes, columns};
}

void touch(Exec &x, const Window &w, AccessKind kind) {
  if (!x.machine.races().isEnabled())
    return;
  unsigned lane = x.warp.index % 4;
  for (unsigned c = w.address.column; c < w.address.column + w.columns; ++c)
    x.machine.races().check(x, x.cta.tensor.shadow, (lane * TensorMemory::kColumns + c) * 4ull, 4, 0,
                            {kind, Order::Weak, Scope::None, nullptr, true}, {Space::Tensor, &x.cta, c});
}

void load(Exec &x, const Inst &inst) {
  unsigned n = static_cast<unsigned>(inst.d.size());
  Window w = windowOf(x, inst, n);
  touch(x, w, AccessKind::Read);
  PendingTensorLoad pending{x.frame, inst.d, std::vector<Lanes>(n)};
  for (unsigned r = 0; r < n; ++r)
    for (unsigned l = 0; l < 32; ++l) {
      auto [row, column] = cellOf(static_cast<LoadShape>(inst.mode), l, r);
      unsigned lane = w.address.lane + row, c = w.address.column + column;
      if (x.machine.launchOptions().checkUninitialized && !x.cta.tensor.written[lane * TensorMemory::kColumns + c])
        throw Fault{"uninitialized-tensor-memory",
                    "lane " + std::to_string(lane) + ", column " + std::to_string(c) +
                        " of tensor memory is read, but nothing has written it",
                    static_cast<int>(l)};
      pending.values[r][l] = x.cta.tensor.cell(lane, c);
    }
  for (Slot s : inst.d)
    if (s >= 0) {
      if (x.frame->locks[s])
        throw Fault{"accumulator-in-flight", "an earlier tcgen05.ld of this register has not been waited for", -1};
      ++x.frame->locks[s];
    }
  ++x.warp.lockedOperations;
  x.warp.tensorLoads.push_back(std::move(pending));
}

void store(Exec &x, const Inst &inst) {
  unsigned n = static_cast<unsigned>(inst.s.size()) - 1;
  Window w = windowOf(x, inst, n);
  touch(x, w, AccessKind::Write);
  for (unsigned r = 0; r < n; ++r)
    for (unsigned l = 0; l < 32; ++l) {
      auto [row, column] = cellOf(static_cast<LoadShape>(inst.mode), l, r);
      unsigned lane = w.address.lane + row, c = w.address.column + column;
      x.cta.tensor.cell(lane, c) = static_cast<uint32_t>(x.s(1 + r)[l]);
      x.cta.tensor.written[lane * TensorMemory::kColumns + c] = 1;
    }
  // Others must not touch the columns before wait::st.
  for (unsigned c = w.address.column; c < w.address.column + w.columns; ++c)
    ++x.cta.tensor.inFlight[c];
  x.warp.tensorStores.push_back({w.address.column, w.columns});
  x.machine.progressMade();
}

/// flag: wait::st
void wait(Exec &x, const Inst &inst) {
  if (inst.flag) {
    for (auto [column, count] : x.warp.tensorStores)
      for (unsigned c = column; c < column + count; ++c)
        --x.cta.tensor.inFlight[c];
    x.warp.tensorStores.clear();
    return;
  }
  for (PendingTensorLoad &p : x.warp.tensorLoads) {
    for (size_t i = 0; i < p.registers.size(); ++i)
      if (Slot s = p.registers[i]; s >= 0) {
        p.frame->registers[s] = p.values[i];
        p.frame->defined[s] = ~0u;
        --p.frame->locks[s];
      }
    --x.warp.lockedOperations;
  }
  x.warp.tensorLoads.clear();
}

//===----------------------------------------------------------------------===//
// commit, fence
//===----------------------------------------------------------------------===//

/// s: mbarrier, [mask]
void commit(Exec &x, const Inst &inst) {
  unsigned lane = static_cast<unsigned>(std::countr_zero(x.mask));
  Place p = resolve(x, inst.space, x.s(0)[lane] + static_cast<uint64_t>(inst.offset), lane);
  if (p.space != Space::Shared)
    throw Fault{"mbarrier", "the mbarrier operand is not in shared memory", static_cast<int>(lane)};
  std::vector<Cta *> targets{p.cta};
  if (inst.flag) {
    uint32_t mask = static_cast<uint16_t>(x.s(1)[lane]);
    auto &ctas = x.cta.cluster->ctas;
    targets.clear();
    for (unsigned r = 0; r < 16; ++r)
      if (mask >> r & 1) {
        if (r >= ctas.size())
          throw Fault{"bad-copy", "the multicast mask names a CTA outside the cluster", static_cast<int>(lane)};
        targets.push_back(ctas[r].get());
      }
  }
  Machine &m = x.machine;
  uint32_t engine = tensorEngine(x.cta), clock = x.cta.tensor.clock;
  for (Cta *cta : targets)
    mbarrierAt(x, *cta, p.offset, lane);
  enqueueTensorWork(m, x.cta, [&m, targets, offset = p.offset, engine, clock] {
    for (Cta *cta : targets) {
      auto it = cta->mbarriers.find(offset);
      if (it == cta->mbarriers.end())
        throw Fault{"mbarrier", "tcgen05.commit arrives on an mbarrier that has been invalidated meanwhile", -1};
      m.races().complete(it->second.point, engine, clock);
      arriveOn(m, *cta, offset, it->second, 1, 0);
    }
  });
}

void fence(Exec &, const Inst &) {}

void readGroup(OpReader &r) {
  r.inst.mode2 = r.expectAny({".cta_group::1", ".cta_group::2"}, ".cta_group") == ".cta_group::2";
}

void syncAligned(OpReader &r) {
  r.expectAny({".sync"}, ".sync");
  r.expectAny({".aligned"}, ".aligned");
  r.inst.flags |= kAligned;
}

void decodeLoadStore(OpReader &r, bool loads) {
  syncAligned(r);
  std::string shape =
      r.expectAny({".32x32b", ".16x128b", ".16x256b"}, "a shape the emulator knows (.32x32b, .16x128b, .16x256b)");
  std::string num = r.expectAny({".x1", ".x2", ".x4", ".x8", ".x16", ".x32", ".x64", ".x128"}, "a repeat count");
  r.inst.mode = shape == ".32x32b" ? k32x32 : shape == ".16x128b" ? k16x128 : k16x256;
  unsigned count = static_cast<unsigned>(std::stoul(num.substr(2))) * (shape == ".32x32b"    ? 1
                                                                       : shape == ".16x128b" ? 2
                                                                                             : 4);
  r.type({Type::B32});
  r.expectCount(2, 2);
  auto list = r.elements(r.operand(loads ? 0 : 1));
  if (list.size() != count || count > 128)
    r.fail("needs " + std::to_string(count) + " registers");
  r.tensorAddress(r.operand(loads ? 1 : 0));
  for (const ast::Operand *o : list)
    (loads ? r.inst.d : r.inst.s).push_back(loads ? r.destination(*o, Type::B32) : r.source(*o, Type::B32));
  if (loads)
    r.inst.flags |= kWgmma; // the registers belong to the load until wait::ld
  r.inst.handler = loads ? load : store;
}

void decodeTcgen05(OpReader &r) {
  r.inst.opClass = OpClass::Async;
  if (r.accept(".mma"))
    return decodeTensorMma(r);
  if (r.accept(".cp"))
    return decodeTensorCopyFromShared(r);
  if (r.accept(".ld"))
    return decodeLoadStore(r, true);
  if (r.accept(".st"))
    return decodeLoadStore(r, false);
  if (r.accept(".alloc")) {
    readGroup(r);
    syncAligned(r);
    r.inst.space = r.acceptSpace();
    r.type({Type::B32});
    r.expectCount(2, 2);
    r.address(r.operand(0), r.inst.space);
    r.addSource(1, Type::B32);
    r.inst.handler = allocate;
  } else if (r.accept(".dealloc")) {
    readGroup(r);
    syncAligned(r);
    r.type({Type::B32});
    r.expectCount(2, 2);
    r.addSource(0, Type::B32);
    r.addSource(1, Type::B32);
    r.inst.handler = deallocate;
  } else if (r.accept(".relinquish_alloc_permit")) {
    readGroup(r);
    syncAligned(r);
    r.inst.handler = relinquish;
  } else if (r.has(".wait::ld") || r.has(".wait::st")) {
    r.inst.flag = r.acceptAny({".wait::ld", ".wait::st"}) == ".wait::st";
    syncAligned(r);
    r.inst.handler = wait;
  } else if (r.has(".fence::before_thread_sync") || r.has(".fence::after_thread_sync")) {
    r.ignore({".fence::before_thread_sync", ".fence::after_thread_sync"});
    r.inst.handler = fence;
  } else if (r.accept(".commit")) {
    readGroup(r);
    r.expectAny({".mbarrier::arrive::one"}, ".mbarrier::arrive::one");
    r.inst.space = r.acceptSpace();
    r.inst.flag = r.accept(".multicast::cluster");
    r.type({Type::B64});
    r.expectCount(1u + r.inst.flag, 1u + r.inst.flag);
    r.address(r.operand(0), r.inst.space);
    if (r.inst.flag)
      r.addSource(1, Type::B16);
    r.inst.handler = commit;
  }
}

} // namespace

void addTcgen05Ops(OpcodeTable &t) {
  t["tcgen05"] = decodeTcgen05;
}

} // namespace ptxemu
