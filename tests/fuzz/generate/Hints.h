//===- Hints.h - Hints of kernels and of accesses ---------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_HINTS_H
#define TILEIRAS_FUZZ_HINTS_H

#include "Random.h"
#include <string>

namespace tileiras::fuzz {

/// "optimization_hints=<…>" of an entry: every kind of hint, with values that mean something and others.
std::string makeKernelHints(Random &random);
/// The same of a load or store.
std::string makeAccessHints(Random &random);

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_HINTS_H
