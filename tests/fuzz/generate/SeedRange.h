//===- SeedRange.h - An option that gives seeds ------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_SEEDRANGE_H
#define TILEIRAS_FUZZ_SEEDRANGE_H

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"

namespace tileiras::fuzz {

/// "A..B", both included, or "A".
struct SeedRange {
  uint64_t first = 0, count = 0;
};

} // namespace tileiras::fuzz

template <>
class llvm::cl::parser<tileiras::fuzz::SeedRange> : public basic_parser<tileiras::fuzz::SeedRange> {
public:
  parser(Option &option) : basic_parser(option) {}
  bool parse(Option &option, StringRef name, StringRef text, tileiras::fuzz::SeedRange &range) {
    auto [first, last] = text.contains("..") ? text.split("..") : std::pair(text, text);
    uint64_t end = 0;
    if (first.getAsInteger(10, range.first) || last.getAsInteger(10, end) || end < range.first || end == UINT64_MAX)
      return option.error("'" + text + "' is neither a seed nor a range A..B of seeds, A not above B", name);
    range.count = end - range.first + 1;
    return false;
  }
  void printOptionDiff(const Option &option, const tileiras::fuzz::SeedRange &, const OptVal &, size_t width) const {
    printOptionNoValue(option, width);
  }
};

#endif // TILEIRAS_FUZZ_SEEDRANGE_H
