//===- TestSupport.h - Programs for tests of the interpreter ----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_INTERPRETER_TESTS_TESTSUPPORT_H
#define TILEIRAS_INTERPRETER_TESTS_TESTSUPPORT_H

#include "tileiras-interpreter/Interpreter.h"
#include <catch2/catch.hpp>

namespace tileiras::interpreter {

using Bits = std::vector<uint64_t>;

/// What became of a program.
struct Outcome {
  bool ok = false;
  Bits bits;                  ///< of the first result of the last operation before the end
  std::vector<double> bounds; ///< of the same, if bounds were asked for
  std::string errors, output;
};

/// Executes the operations of an entry without parameters. `globals` precede the entry in the module.
Outcome execute(const std::string &body, const std::string &globals = "", bool computeBounds = false,
                const std::array<uint32_t, 3> &grid = {1, 1, 1});

/// The bits that execute() gives; fails the test if the program is wrong.
Bits evaluate(const std::string &body);

/// `%r = NAME %a[, %b] SUFFIX : tile<NxTYPE>` for constants given as lists: `unary("absf", "f32", "[-0.0, 1.0]")`.
Bits unary(const std::string &name, const std::string &type, const std::string &a, const std::string &suffix = "");
Bits binary(const std::string &name, const std::string &type, const std::string &a, const std::string &b,
            const std::string &suffix = "");
/// The errors of the same.
std::string binaryErrors(const std::string &name, const std::string &type, const std::string &a, const std::string &b,
                         const std::string &suffix = "");

/// `%r = NAME %a SUFFIX : tile<NxFROM> -> tile<NxTO>`
Bits convert(const std::string &name, const std::string &from, const std::string &to, const std::string &a,
             const std::string &suffix = "");

} // namespace tileiras::interpreter

#endif // TILEIRAS_INTERPRETER_TESTS_TESTSUPPORT_H
