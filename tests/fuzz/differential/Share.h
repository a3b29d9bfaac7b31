//===- Share.h - A part of the cases ----------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_SHARE_H
#define TILEIRAS_FUZZ_SHARE_H

#include "SeedRange.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace tileiras::fuzz {

/// What --part says: the `index`-th of `count` parts.
struct Share {
  size_t index = 0, count = 1;

  template <typename T>
  void keepOf(std::vector<T> &all) const {
    std::vector<T> kept;
    for (size_t i = index; i < all.size(); i += count)
      kept.push_back(std::move(all[i]));
    all = std::move(kept);
  }
  SeedRange keepOf(const SeedRange &all) const {
    const uint64_t begin = all.count * index / count, end = all.count * (index + 1) / count;
    return {all.first + begin, end - begin};
  }
};

/// "K/N", or nothing for all.
inline llvm::Expected<Share> parseShare(llvm::StringRef text) {
  Share share;
  if (text.empty())
    return share;
  auto [index, count] = text.split('/');
  if (index.getAsInteger(10, share.index) || count.getAsInteger(10, share.count) || share.index >= share.count)
    return llvm::createStringError("--part takes K/N with K less than N, not '" + text + "'");
  return share;
}

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_SHARE_H
