//===- Program.h - Programs that tileiras-cutile runs -----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CUTILE_PROGRAM_H
#define TILEIRAS_CUTILE_PROGRAM_H

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tileiras::cutile {

/// Replaces this process. Comes back with the exit code for what went wrong, which it has said: 127 where there is no
/// such program, 126 where it cannot be run.
int become(const std::vector<std::string> &command);

struct ProgramResult {
  int exitCode = -1; ///< -1: it did not end by itself
  std::string output, errors;
};

/// Runs a program to its end, `prepare` first in its process.
ProgramResult runProgram(const std::vector<std::string> &command, const std::function<void()> &prepare = {});

/// The file that `command` names, through PATH; nothing where there is none.
std::optional<std::string> findProgram(const std::string &command);

/// The Python interpreter that `command` starts, with its own options ("python3 -I"): by its name, or by the first line
/// of a script. Empty: the program is no Python.
std::vector<std::string> pythonOf(const std::vector<std::string> &command);

} // namespace tileiras::cutile

#endif // TILEIRAS_CUTILE_PROGRAM_H
