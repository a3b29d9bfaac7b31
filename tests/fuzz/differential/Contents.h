//===- Contents.h - Comparing memory ----------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_CONTENTS_H
#define TILEIRAS_FUZZ_CONTENTS_H

#include "LaunchCase.h"
#include <optional>

namespace tileiras::fuzz {

/// What a buffer must hold.
struct Contents {
  std::vector<uint8_t> bytes;
  std::vector<double> bounds; ///< how far each element may be away (reference/Values.h); empty: not at all
};

/// The first element of `actual` that differs, and how many do. Buffers that hold no results must be untouched; in
/// those that do, a NaN equals any NaN.
std::optional<std::string> compareContents(const Buffer &buffer, llvm::ArrayRef<uint8_t> actual,
                                           const Contents &expected);

/// What is printed, line by line; the order of lines is that of tokens and tile blocks, which is mostly open.
std::optional<std::string> compareOutput(llvm::StringRef actual, llvm::StringRef expected);

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_CONTENTS_H
