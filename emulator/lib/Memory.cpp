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

const Allocation *GlobalMemory::obstacle(uint64_t base, uint64_t size) const {
  auto it = firstAfter(allocations, base);
  if (it != allocations.begin())
    if (const Allocation &before = **std::prev(it); before.base + before.size + kGuard > base)
      return &before;
  return it != allocations.end() && base + size + kGuard > (*it)->base ? it->get() : nullptr;
}

Allocation &GlobalMemory::insert(std::unique_ptr<Allocation> a) {
  a->shadow.resize(a->size);
  return **allocations.insert(firstAfter(allocations, a->base), std::move(a));
}

Allocation &GlobalMemory::allocate(uint64_t size, uint64_t alignment, std::string name) {
  alignment = std::max<uint64_t>(alignment, 512);
  auto a = std::make_unique<Allocation>();
  auto align = [alignment](uint64_t address) { return (address + alignment - 1) / alignment * alignment; };
  a->base = align(next);
  while (const Allocation *other = obstacle(a->base, size)) // the host's memory, which lies anywhere
    a->base = align(other->base + other->size + kGuard);
  a->size = size;
  a->name = std::move(name);
  a->bytes.reset(new uint8_t[size + 16]());
  next = a->base + size + kGuard;
  return insert(std::move(a));
}

Allocation *GlobalMemory::adopt(uint8_t *bytes, uint64_t size, std::string name) {
  const uint64_t base = reinterpret_cast<uintptr_t>(bytes);
  // Neighbours on the host are as near as the host wants.
  if (auto it = firstAfter(allocations, base);
      (it != allocations.begin() && (*std::prev(it))->base + (*std::prev(it))->size > base) ||
      (it != allocations.end() && base + size > (*it)->base))
    return nullptr;
  auto a = std::make_unique<Allocation>();
  a->base = base;
  a->size = size;
  a->name = std::move(name);
  a->bytes = {bytes, BytesDeleter{true}};
  return &insert(std::move(a));
}

void GlobalMemory::forget(const Allocation &gone) {
  recent = nullptr;
  std::erase_if(allocations, [&](const auto &a) { return a.get() == &gone; });
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
  for (const auto &a : allocations) // freed: nothing to keep
    s.entries.push_back({a.get(), {a->bytes.get(), a->bytes.get() + (a->bytes ? a->size : 0)}, a->freed});
  return s;
}

void GlobalMemory::restore(const Snapshot &s) {
  recent = nullptr;
  next = s.next;
  heapUsed = s.heapUsed;
  auto entry = s.entries.begin();
  std::erase_if(allocations, [&](const auto &a) {
    if (entry == s.entries.end() || entry->allocation != a.get())
      return true;
    std::copy(entry->contents.begin(), entry->contents.end(), a->bytes.get());
    a->freed = entry->freed;
    ++entry;
    return false;
  });
}

void SharedMemory::resize(uint32_t windowEnd) {
  bytes.assign(windowEnd, 0);
  initialized.assign(windowEnd, 0);
  shadow.resize(windowEnd);
}

} // namespace ptxemu
