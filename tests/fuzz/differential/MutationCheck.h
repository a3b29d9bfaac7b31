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
#include "Mutations.h"

namespace tileiras::fuzz {

/// Plants each of the bugs in random programs until one of them fails, at most `maxSeeds`, and prints a table of what
/// caught it. A program counts only if it passes without the bug. The number of bugs that nothing caught.
size_t checkMutations(llvm::ArrayRef<Mutation> mutations, const GeneratorOptions &generator,
                      const CheckOptions &options, double deadlineSeconds, uint64_t maxSeeds);

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_MUTATIONCHECK_H
