//===- NewLaunch.h - A launch to begin with ---------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_RUNTIME_RUN_NEWLAUNCH_H
#define TILEIRAS_RUNTIME_RUN_NEWLAUNCH_H

#include "TileProgram.h"

namespace tileiras::run {

/// The text of a launch.json for the entry (empty: the only one): every parameter, with sizes and contents that suit
/// the way the kernel uses it where that shows, and comments that say what is a guess. Throws RunError.
std::string makeNewLaunch(const Kernel &kernel, llvm::StringRef entry);

} // namespace tileiras::run

#endif // TILEIRAS_RUNTIME_RUN_NEWLAUNCH_H
