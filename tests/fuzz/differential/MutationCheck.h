//===- MutationCheck.h - Is every planted bug found? ------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_MUTATIONCHECK_H
#define TILEIRAS_FUZZ_MUTATIONCHECK_H

#include "Generator.h"
#include "Isolation.h"

namespace tileiras::fuzz {

/// Plants each of the bugs (those whose name contains `filter`) in random programs until one of them fails, at most
/// `maxSeeds`, and prints a table of what caught it. A program counts only if it passes without the bug. The number of
/// bugs that nothing caught.
int checkMutations(const GeneratorOptions &generator, const CheckOptions &options, double deadlineSeconds,
                   llvm::StringRef filter, uint64_t maxSeeds);

/// Sets weights by "NAME=WEIGHT".
llvm::Error setWeight(GeneratorOptions &options, llvm::StringRef text);

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_MUTATIONCHECK_H
