//===- Mutations.h - Bugs to plant ------------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Is the net fine enough? A mutation is a bug the lowering could have, planted in the PTX it writes: every instruction
// that matches is changed. Some program must show each.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_MUTATIONS_H
#define TILEIRAS_FUZZ_MUTATIONS_H

#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace tileiras::fuzz {

struct Mutation {
  const char *name;        ///< "swapped-shuffle"
  const char *bug;         ///< what the lowering would have done wrong
  const char *pattern;     ///< extended regular expression, of one instruction
  const char *replacement; ///< \1 … are the groups of the pattern
  const char *features;    ///< of the generator, to see the instruction often: "reduce=40"; may be empty
  const char *sweep;       ///< part of the names of swept programs that are tried first; empty: none
};

llvm::ArrayRef<Mutation> getMutations();

/// Plants the bug; false if no instruction matches.
bool plant(const Mutation &mutation, std::string &ptx);

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_MUTATIONS_H
