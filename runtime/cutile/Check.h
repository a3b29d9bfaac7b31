//===- Check.h - What tileiras-cutile would do ------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CUTILE_CHECK_H
#define TILEIRAS_CUTILE_CHECK_H

#include <string>
#include <vector>

namespace tileiras::cutile {

/// Says on standard output what a run of `command` finds and what would be corrected; `home` as in Environment.h.
/// Nothing runs but the compiler with --version, and the Python interpreter with a few imports. True: a launch would
/// work.
bool check(const std::string &home, const std::vector<std::string> &command);

} // namespace tileiras::cutile

#endif // TILEIRAS_CUTILE_CHECK_H
