//===- Shadow.h - Who touched which bytes last ------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_SHADOW_H
#define PTX_EMULATOR_SHADOW_H

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace ptxemu {

/// One access in the past.
struct Touch {
  uint32_t strand = ~0u; ///< ~0: none
  uint32_t clock = 0;    ///< of the strand when it happened
  uint32_t line = 0;     ///< of the PTX
  uint32_t lanes = 0;    ///< of the warp; of an engine's work: those that issued it
  uint8_t strength = 0;  ///< 0 weak, else the scope of a strong access
  bool async = false;    ///< by an asynchronous engine
  bool generic = false;  ///< which works in the generic proxy

  bool any() const { return strand != ~0u; }
};

/// Mostly one, sometimes more.
class TouchList {
public:
  TouchList() = default;
  TouchList(const TouchList &o)
      : first(o.first), more(o.more ? std::make_unique<std::vector<Touch>>(*o.more) : nullptr) {}
  TouchList &operator=(const TouchList &o) {
    first = o.first;
    more = o.more ? std::make_unique<std::vector<Touch>>(*o.more) : nullptr;
    return *this;
  }
  void clear() {
    first = Touch();
    if (more)
      more->clear();
  }
  /// Adds an access; an earlier one of the same lanes says nothing that the new one does not.
  void add(const Touch &t) {
    if (!first.any()) {
      first = t;
      return;
    }
    if (first.strand == t.strand && absorb(first, t))
      return;
    if (more) {
      for (Touch &o : *more)
        if (o.strand == t.strand && absorb(o, t))
          return;
      std::erase_if(*more, [](const Touch &o) { return !o.lanes; });
    } else if (first.lanes) {
      more = std::make_unique<std::vector<Touch>>();
    }
    if (!first.lanes)
      first = t;
    else
      more->push_back(t);
  }
  template <class F>
  void each(F &&f) const {
    if (first.any() && first.lanes)
      f(first);
    if (more)
      for (const Touch &t : *more)
        if (t.lanes)
          f(t);
  }

private:
  /// Merges t into an access of the same strand, or takes its lanes out of it.
  static bool absorb(Touch &o, const Touch &t) {
    if (t.async || o.clock == t.clock || o.lanes == t.lanes) {
      o.lanes |= t.lanes;
      o.strength = std::min(o.strength, t.strength);
      o.clock = t.clock;
      o.line = t.line;
      return true;
    }
    o.lanes &= ~t.lanes;
    return false;
  }

  Touch first;
  std::unique_ptr<std::vector<Touch>> more;
};

/// History of a word, or of one byte of it.
struct Cell {
  Touch write;
  uint64_t writeTime = 0; ///< which warp instruction
  TouchList reads;        ///< since that write
};

/// A word whose bytes have different histories has four cells.
struct Word {
  Cell whole;
  std::unique_ptr<std::array<Cell, 4>> bytes;

  /// Gives every byte a history of its own.
  std::array<Cell, 4> &split() {
    if (!bytes)
      bytes = std::make_unique<std::array<Cell, 4>>(std::array<Cell, 4>{whole, whole, whole, whole});
    return *bytes;
  }
};

/// The access history of a block of memory. Pages come into being where it is touched, and lock themselves: CTAs on
/// several host threads share global memory.
class ShadowMemory {
public:
  static constexpr uint64_t kPageWords = 64;

  class Page {
  public:
    std::array<Word, kPageWords> words;
    void lock() {
      while (busy.test_and_set(std::memory_order_acquire))
        busy.wait(true, std::memory_order_relaxed);
    }
    void unlock() {
      busy.clear(std::memory_order_release);
      busy.notify_one();
    }

  private:
    std::atomic_flag busy;
  };

  ShadowMemory() = default;
  ShadowMemory(const ShadowMemory &) = delete;
  ~ShadowMemory() { clear(); }

  /// Forgets everything and makes room for a block of so many bytes.
  void resize(uint64_t bytes) {
    clear();
    count = (bytes + 4 * kPageWords - 1) / (4 * kPageWords);
    pages.reset(count ? new std::atomic<Page *>[count]() : nullptr);
  }
  void clear() {
    for (uint64_t i = 0; i < count; ++i)
      delete pages[i].exchange(nullptr);
  }
  /// The page of a word within the block.
  Page &page(uint64_t word) {
    std::atomic<Page *> &entry = pages[word / kPageWords];
    Page *p = entry.load(std::memory_order_acquire);
    if (p)
      return *p;
    auto fresh = std::make_unique<Page>();
    return entry.compare_exchange_strong(p, fresh.get()) ? *fresh.release() : *p;
  }

private:
  std::unique_ptr<std::atomic<Page *>[]> pages;
  uint64_t count = 0;
};

} // namespace ptxemu

#endif // PTX_EMULATOR_SHADOW_H
