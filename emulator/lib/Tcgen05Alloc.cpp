//===- Tcgen05Alloc.cpp - Allocation of tensor memory --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "ExecutionObserver.h"
#include "Tcgen05.h"
#include <algorithm>
#include <cstring>

namespace ptxemu {

namespace {

[[noreturn]] void badAllocation(const std::string &why) {
  throw Fault{"tensor-memory", why, -1};
}

uint32_t checkedColumns(Exec &x) {
  uint32_t n = static_cast<uint32_t>(x.s(1)[0]);
  if (n < 32 || n > 512 || n & (n - 1))
    badAllocation(std::to_string(n) + " columns: an allocation has a power of two of them, 32 to 512");
  for (unsigned l = 1; l < 32; ++l)
    if (static_cast<uint32_t>(x.s(1)[l]) != n)
      throw Fault{"divergence", "the lanes of the warp give different numbers of columns", static_cast<int>(l)};
  return n;
}

bool isFree(const TensorMemory &t, uint32_t start, uint32_t n) {
  return std::all_of(t.allocation.begin() + start, t.allocation.begin() + start + n, [](uint32_t a) { return a == 0; });
}

void reserve(TensorMemory &t, uint32_t start, uint32_t n) {
  t.create();
  std::fill_n(t.allocation.begin() + start, n, ++t.allocations);
  for (unsigned lane = 0; lane < TensorMemory::kLanes; ++lane)
    std::fill_n(t.written.begin() + lane * TensorMemory::kColumns + start, n, uint8_t(0));
  t.order.forget(start, n);
}

/// Reserves columns that are free in all of the CTAs; false when there are none.
bool reserveAll(std::initializer_list<Cta *> ctas, uint32_t n, uint32_t &start) {
  for (start = 0; start + n <= TensorMemory::kColumns; start += n)
    if (std::all_of(ctas.begin(), ctas.end(), [&](Cta *c) { return isFree(c->tensor, start, n); })) {
      for (Cta *c : ctas)
        reserve(c->tensor, start, n);
      return true;
    }
  return false;
}

void wait(Exec &x) {
  x.fragment->wait = Wait::TensorMemory;
  x.fragment->waitKey = 0;
  x.repeat = true;
}

/// A pair allocates together: the first to come waits for the other, and both get the same columns.
bool allocatePair(Exec &x, uint32_t n, uint32_t &start) {
  Cta &peer = peerOf(x.cta);
  PairRequest &mine = x.cta.tensor.request, &theirs = peer.tensor.request;
  if (mine.kind == PairRequest::Granted && mine.warp == &x.warp) {
    start = mine.column;
    mine = PairRequest();
    return true;
  }
  if (mine.kind != PairRequest::None && mine.warp != &x.warp)
    badAllocation("two warps of a CTA allocate or deallocate for the pair at the same time");
  if (theirs.kind == PairRequest::Free)
    badAllocation("one CTA of the pair allocates while the other deallocates");
  if (theirs.kind == PairRequest::Allocate) {
    if (theirs.columns != n)
      badAllocation("the CTAs of the pair allocate different numbers of columns: " + std::to_string(n) + " and " +
                    std::to_string(theirs.columns));
    if (reserveAll({&x.cta, &peer}, n, start)) {
      theirs.kind = PairRequest::Granted;
      theirs.column = start;
      mine = PairRequest();
      x.machine.wakeWaiting(peer, Wait::TensorMemory, 0);
      return true;
    }
  }
  mine = {PairRequest::Allocate, &x.warp, n, 0};
  return false;
}

/// s: address in shared memory, columns; mode2: pair
void allocateColumns(Exec &x, const Inst &inst) {
  TensorMemory &t = x.cta.tensor;
  uint32_t n = checkedColumns(x), start = 0;
  useGroup(x.cta, inst.mode2);
  if (t.relinquished)
    badAllocation("the CTA has relinquished its right to allocate");
  if (n > t.lastColumns)
    badAllocation("an allocation may not be larger than the one before it (" + std::to_string(n) + " columns after " +
                  std::to_string(t.lastColumns) + ")");
  if (!(inst.mode2 ? allocatePair(x, n, start) : reserveAll({&x.cta}, n, start)))
    return wait(x);
  t.lastColumns = n;
  uint32_t value = start;
  uint64_t at = x.s(0)[0] + static_cast<uint64_t>(inst.offset);
  std::memcpy(access(x, inst.space, at, 4, 0, {AccessKind::Write}), &value, 4);
  x.machine.races().meet(x.warp, x.warp.allLanes); // the whole warp may read it next
  x.machine.progressMade();
  if (ExecutionObserver *observer = x.machine.observer())
    observer->tensorAllocated(x, n, inst.mode2);
}

void release(Exec &x, TensorAddress a, uint32_t n) {
  TensorMemory &t = x.cta.tensor;
  TensorRegion all = tensorRegion(x.cta, a, TensorMemory::kLanes, n);
  uint32_t owner = t.allocation[a.column];
  if ((a.column && t.allocation[a.column - 1] == owner) ||
      (a.column + n < TensorMemory::kColumns && t.allocation[a.column + n] == owner))
    badAllocation("an allocation is deallocated as a whole, not columns " + std::to_string(a.column) + " … " +
                  std::to_string(a.column + n - 1) + " of it");
  t.eachInFlight(all, [](uint16_t count, unsigned c) {
    if (count)
      badAllocation("column " + std::to_string(c) + " is deallocated while the tensor core is still to write it");
  });
  TensorTouch touch;
  touch.access = TensorAccess::Free;
  t.order.access(x, all, true, touch);
  t.order.forget(a.column, n);
  std::fill_n(t.allocation.begin() + a.column, n, 0u);
  x.machine.wakeWaiting(x.cta, Wait::TensorMemory, 0);
  if (t.group == 2)
    x.machine.wakeWaiting(peerOf(x.cta), Wait::TensorMemory, 0);
  x.machine.progressMade();
}

/// A pair's deallocation may block until the other CTA deallocates too: here it does.
void deallocateColumns(Exec &x, const Inst &inst, uint32_t n) {
  TensorAddress a(x.s(0)[0]);
  useGroup(x.cta, inst.mode2);
  if (!inst.mode2)
    return release(x, a, n);
  PairRequest &mine = x.cta.tensor.request, &theirs = peerOf(x.cta).tensor.request;
  if (mine.kind == PairRequest::Freed && mine.warp == &x.warp) {
    mine = PairRequest();
    return;
  }
  if (mine.kind == PairRequest::Free && mine.warp == &x.warp)
    return wait(x); // woken for another reason
  if (mine.kind != PairRequest::None)
    badAllocation("two warps of a CTA allocate or deallocate for the pair at the same time");
  if (theirs.kind == PairRequest::Allocate)
    badAllocation("one CTA of the pair deallocates while the other allocates");
  if (theirs.kind == PairRequest::Free && (theirs.columns != n || theirs.column != a.column))
    badAllocation("the CTAs of the pair deallocate different columns");
  if (theirs.kind == PairRequest::Free) {
    theirs.kind = PairRequest::Freed;
    return release(x, a, n);
  }
  release(x, a, n);
  mine = {PairRequest::Free, &x.warp, n, a.column};
  wait(x);
}

/// s: address, columns; mode2: pair
void deallocate(Exec &x, const Inst &inst) {
  uint32_t n = checkedColumns(x);
  deallocateColumns(x, inst, n);
  if (ExecutionObserver *observer = x.machine.observer(); observer && !x.repeat)
    observer->tensorFreed(x, n, inst.mode2);
}

void relinquish(Exec &x, const Inst &inst) {
  useGroup(x.cta, inst.mode2);
  x.cta.tensor.relinquished = true;
}

} // namespace

void decodeTensorAllocation(OpReader &r) {
  std::string which = r.expectAny({".alloc", ".dealloc", ".relinquish_alloc_permit"}, "an operation");
  r.inst.mode2 = readGroup(r);
  syncAligned(r);
  if (which == ".relinquish_alloc_permit") {
    r.expectCount(0, 0);
    r.inst.handler = relinquish;
    return;
  }
  r.inst.space = r.acceptSpace();
  r.type({Type::B32});
  r.expectCount(2, 2);
  if (which == ".alloc")
    r.address(r.operand(0), r.inst.space);
  else
    r.addSource(0, Type::B32);
  r.addSource(1, Type::B32);
  r.inst.handler = which == ".alloc" ? allocateColumns : deallocate;
}

} // namespace ptxemu
