//===- KernelTable.cpp - Which handles are kernels of ours ----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelTable.h"

namespace tileiras::cutile {

static constexpr size_t kFirstEntries = 256;

KernelTable::KernelTable() {
  all.push_back(std::make_unique<Generation>(kFirstEntries));
  current.store(all.back().get(), std::memory_order_release);
}

/// The entry of `handle`, or else the first one on its way that nobody needs.
KernelEntry &KernelTable::claim(Generation &generation, const void *handle) {
  KernelEntry *free = nullptr;
  for (size_t i = hash(handle) & generation.mask;; i = (i + 1) & generation.mask) {
    KernelEntry &entry = generation.entries[i];
    const void *key = entry.handle.load(std::memory_order_relaxed);
    if (key == handle)
      return entry;
    if (!free && !entry.kernel.load(std::memory_order_relaxed))
      free = &entry;
    if (!key)
      return *free;
  }
}

void KernelTable::insert(const void *handle, const launch::KernelMetadata *kernel, bool ofLibrary) {
  if (used * 2 >= all.back()->entries.size())
    grow();
  KernelEntry &entry = claim(*all.back(), handle);
  used += entry.handle.load(std::memory_order_relaxed) == nullptr;
  // A reader that meets the old handle here in between finds no kernel, which is what that handle has become.
  entry.kernel.store(nullptr, std::memory_order_release);
  entry.optedIn.store(0, std::memory_order_relaxed);
  entry.ofLibrary.store(ofLibrary, std::memory_order_relaxed);
  entry.handle.store(handle, std::memory_order_release);
  entry.kernel.store(kernel, std::memory_order_release);
}

void KernelTable::erase(const void *handle) {
  KernelEntry &entry = claim(*all.back(), handle);
  // The handle stays: those behind it on their way have to be found.
  if (entry.handle.load(std::memory_order_relaxed) == handle)
    entry.kernel.store(nullptr, std::memory_order_release);
}

void KernelTable::grow() {
  const Generation &old = *all.back();
  size_t live = 0;
  for (const KernelEntry &entry : old.entries)
    live += entry.kernel.load(std::memory_order_relaxed) != nullptr;
  // Entries are used again where their old handle was on the way of the new one; when few are live, the same number
  // will do.
  auto generation =
      std::make_unique<Generation>(live * 4 >= old.entries.size() ? old.entries.size() * 2 : old.entries.size());
  used = 0;
  for (const KernelEntry &entry : old.entries) {
    const auto *kernel = entry.kernel.load(std::memory_order_relaxed);
    if (!kernel)
      continue;
    KernelEntry &moved = claim(*generation, entry.handle.load(std::memory_order_relaxed));
    moved.handle.store(entry.handle.load(std::memory_order_relaxed), std::memory_order_relaxed);
    moved.optedIn.store(entry.optedIn.load(std::memory_order_relaxed), std::memory_order_relaxed);
    moved.ofLibrary.store(entry.ofLibrary.load(std::memory_order_relaxed), std::memory_order_relaxed);
    moved.kernel.store(kernel, std::memory_order_relaxed);
    ++used;
  }
  all.push_back(std::move(generation));
  current.store(all.back().get(), std::memory_order_release);
}

} // namespace tileiras::cutile
