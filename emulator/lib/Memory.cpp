//===- Memory.cpp - Global, shared and local memory ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory.h"
#include "Program.h"
#include <algorithm>
#include <cstdio>

namespace ptxemu {

namespace {

/// Unmapped bytes around every allocation, so that running off its end never lands in another one.
constexpr uint64_t kGuard = 1 << 16;

auto firstAfter(const std::vector<std::unique_ptr<Allocation>> &list, uint64_t address) {
  return std::upper_bound(list.begin(), list.end(), address, [](uint64_t a, const auto &b) { return a < b->base; });
}

} // namespace

Allocation &GlobalMemory::allocate(uint64_t size, uint64_t alignment, std::string name) {
  alignment = std::max<uint64_t>(alignment, 512);
  auto a = std::make_unique<Allocation>();
  a->base = (next + alignment - 1) / alignment * alignment;
  a->size = size;
  a->name = std::move(name);
  a->bytes = std::make_unique<uint8_t[]>(size + 16);
  a->shadow.resize(size);
  next = a->base + size + kGuard;
  allocations.push_back(std::move(a));
  return *allocations.back();
}

Allocation *GlobalMemory::allocateHeap(uint64_t size) {
  constexpr uint64_t kHeap = 512ull << 20, kLeast = 1024; // a block costs the host something, too
  uint64_t cost = std::max(size, kLeast);
  if (cost > kHeap - heapUsed)
    return nullptr;
  heapUsed += cost;
  Allocation &a = allocate(std::max<uint64_t>(size, 1), 16, "device malloc");
  a.heap = true;
  return &a;
}

Allocation *GlobalMemory::find(uint64_t address, uint64_t size) {
  if (Allocation *r = recent.load(std::memory_order_relaxed);
      r && address - r->base < r->size && size <= r->size - (address - r->base) && !r->freed)
    return r;
  auto it = firstAfter(allocations, address);
  if (it == allocations.begin())
    return nullptr;
  Allocation *a = std::prev(it)->get();
  if (a->freed || address - a->base >= a->size || size > a->size - (address - a->base))
    return nullptr;
  recent.store(a, std::memory_order_relaxed);
  return a;
}

const Allocation *GlobalMemory::nearest(uint64_t address) const {
  auto it = firstAfter(allocations, address);
  return it == allocations.begin() ? (allocations.empty() ? nullptr : allocations.front().get()) : std::prev(it)->get();
}

std::string GlobalMemory::explain(uint64_t address, uint64_t size) const {
  char text[96];
  std::snprintf(text, sizeof text, "%llu bytes at 0x%llx", static_cast<unsigned long long>(size),
                static_cast<unsigned long long>(address));
  std::string what = text;
  const Allocation *a = nearest(address);
  if (address < 4096)
    return what + ": a null pointer with an offset";
  if (!a || address < a->base)
    return what + " lie in no allocation";
  if (a->freed && address - a->base < a->size)
    return what + " lie in '" + a->name + "', which has been freed";
  if (address - a->base > a->size + kGuard)
    return what + " lie in no allocation";
  return what + ": byte " + std::to_string(address - a->base) + " of '" + a->name + "', which has " +
         std::to_string(a->size) + " bytes";
}

void GlobalMemory::resetShadow() {
  for (auto &a : allocations)
    a->shadow.clear();
}

GlobalMemory::Snapshot GlobalMemory::snapshot() const {
  Snapshot s;
  s.next = next;
  s.heapUsed = heapUsed;
  for (const auto &a : allocations) {
    s.contents.emplace_back(a->bytes.get(), a->bytes.get() + (a->bytes ? a->size : 0)); // freed: nothing to keep
    s.freed.push_back(a->freed);
  }
  return s;
}

void GlobalMemory::restore(const Snapshot &s) {
  recent = nullptr;
  next = s.next;
  heapUsed = s.heapUsed;
  allocations.resize(s.contents.size());
  for (size_t i = 0; i < allocations.size(); ++i) {
    std::copy(s.contents[i].begin(), s.contents[i].end(), allocations[i]->bytes.get());
    allocations[i]->freed = s.freed[i];
  }
}

void SharedMemory::resize(uint32_t windowEnd) {
  bytes.assign(windowEnd, 0);
  initialized.assign(windowEnd, 0);
  shadow.resize(windowEnd);
}

} // namespace ptxemu
