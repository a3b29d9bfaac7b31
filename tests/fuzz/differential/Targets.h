//===- Targets.h - Do the chips and profiles of a run exist? -----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_TARGETS_H
#define TILEIRAS_FUZZ_TARGETS_H

#include "Check.h"

namespace tileiras::fuzz {

/// A chip that nobody serves, or a profile that does not exist, would fail every program.
llvm::Error checkTargets(const CheckOptions &options);

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_TARGETS_H
