//===- KernelTable.h - Which handles are kernels of ours --------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every launch of the program asks this table, so reading it takes no lock and no waiting: a hash table in which
// writers change entries one word at a time, and which is replaced by another one when half of it is taken. Nothing
// that a reader may still look at is ever freed, which costs some hundred bytes for each address that the driver ever
// gave a kernel of ours.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CUTILE_KERNELTABLE_H
#define TILEIRAS_CUTILE_KERNELTABLE_H

#include "Metadata.h"
#include <atomic>
#include <memory>
#include <vector>

namespace tileiras::cutile {

/// A handle of a kernel of ours. Handles of unloaded kernels come again as somebody else's: entries change.
struct KernelEntry {
  std::atomic<const void *> handle{nullptr}; ///< a CUfunction or a CUkernel; null: never used
  std::atomic<const launch::KernelMetadata *> kernel{
      nullptr};                       ///< null: no longer ours. What it points to lives forever
  std::atomic<bool> ofLibrary{false}; ///< a CUkernel, which belongs to no context
  /// Devices (bits; 63 and later share one) on which the kernel may have its dynamic shared memory. A CUfunction
  /// belongs to one context: any bit will do.
  mutable std::atomic<uint64_t> optedIn{0};
};

class KernelTable {
public:
  KernelTable();

  struct Found {
    const KernelEntry *entry = nullptr;
    const launch::KernelMetadata *kernel = nullptr; ///< null: not a kernel of ours
  };

  /// Waits for nobody.
  Found find(const void *handle) const noexcept {
    const Generation &generation = *current.load(std::memory_order_acquire);
    for (size_t i = hash(handle) & generation.mask;; i = (i + 1) & generation.mask) {
      const KernelEntry &entry = generation.entries[i];
      const void *key = entry.handle.load(std::memory_order_acquire);
      if (key == handle) {
        const launch::KernelMetadata *kernel = entry.kernel.load(std::memory_order_acquire);
        // What was unloaded may just have become another kernel's entry.
        return entry.handle.load(std::memory_order_relaxed) == handle ? Found{&entry, kernel} : Found{};
      }
      if (!key)
        return {};
    }
  }

  /// One writer at a time, please: callers hold a lock. `kernel` lives forever.
  void insert(const void *handle, const launch::KernelMetadata *kernel, bool ofLibrary);
  void erase(const void *handle);

private:
  struct Generation {
    explicit Generation(size_t count) : mask(count - 1), entries(count) {}
    size_t mask; ///< their number, a power of two, less one
    std::vector<KernelEntry> entries;
  };

  // Handles are addresses: their low bits say nothing.
  static size_t hash(const void *handle) noexcept {
    return (reinterpret_cast<uintptr_t>(handle) * 0x9e3779b97f4a7c15ull) >> 32;
  }
  KernelEntry &claim(Generation &generation, const void *handle);
  void grow();

  std::atomic<Generation *> current;
  std::vector<std::unique_ptr<Generation>> all; ///< the current ones are the last
  size_t used = 0;                              ///< entries of the current generation that have a handle
};

} // namespace tileiras::cutile

#endif // TILEIRAS_CUTILE_KERNELTABLE_H
