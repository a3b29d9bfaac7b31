//===- Shadow.h - Who touched which bytes last ------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_SHADOW_H
#define PTX_EMULATOR_SHADOW_H

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace ptxemu {

/// One access in the past.
struct Touch {
  uint32_t strand = ~0u; ///< ~0: none
  uint32_t clock = 0;    ///< of the strand when it happened
  uint32_t line = 0;     ///< of the PTX
  uint8_t lane = 0;      ///< kManyLanes when several lanes of the warp did
  uint8_t strength = 0;  ///< 0 weak, else the scope of a strong access
  bool async = false;    ///< by the asynchronous proxy

  bool any() const { return strand != ~0u; }
};
inline constexpr uint8_t kManyLanes = 255;

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
  void push(const Touch &t) {
    if (!first.any()) {
      first = t;
      return;
    }
    if (!more)
      more = std::make_unique<std::vector<Touch>>();
    more->push_back(t);
  }
  /// The entry of a strand, or null.
  Touch *find(uint32_t strand) {
    if (first.strand == strand)
      return &first;
    if (more)
      for (Touch &t : *more)
        if (t.strand == strand)
          return &t;
    return nullptr;
  }
  template <class F>
  void each(F &&f) const {
    if (first.any())
      f(first);
    if (more)
      for (const Touch &t : *more)
        f(t);
  }

private:
  Touch first;
  std::unique_ptr<std::vector<Touch>> more;
};

/// History of a word, or of one byte of it.
struct Cell {
  Touch write;
  uint64_t writeTime = 0; ///< which warp instruction
  TouchList reads;        ///< since that write, one a strand
};

/// A word whose bytes have different histories has four cells.
struct Word {
  Cell whole;
  std::unique_ptr<std::array<Cell, 4>> bytes;
};

/// The access history of a block of memory, created where it is touched.
class ShadowMemory {
public:
  Word &word(uint64_t index) {
    auto &page = pages[index / kPage];
    if (!page)
      page = std::make_unique<std::array<Word, kPage>>();
    return (*page)[index % kPage];
  }
  void clear() { pages.clear(); }

private:
  static constexpr uint64_t kPage = 64;
  std::unordered_map<uint64_t, std::unique_ptr<std::array<Word, kPage>>> pages;
};

} // namespace ptxemu

#endif // PTX_EMULATOR_SHADOW_H
