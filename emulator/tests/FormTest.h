//===- FormTest.h - One instruction form on many operands -------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_FORMTEST_H
#define PTX_EMULATOR_FORMTEST_H

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ptxemu::testing {

using Values = std::vector<uint64_t>;

/// An instruction with the types of its registers (".b32", ".pred" …). Results are %d0, %d1 …, operands %a0, %a1 ….
struct Form {
  /// "add.u32" with the usual operand list: results, then operands.
  Form(const std::string &opcode, std::vector<std::string> results, std::vector<std::string> operands);
  /// The statement spelled out.
  static Form statement(const std::string &text, std::vector<std::string> results, std::vector<std::string> operands);

  std::string text;
  std::vector<std::string> results, operands;
};

/// Results of the form for every tuple of operands; each tuple is a thread of its own.
std::vector<Values> runForm(const Form &, const std::vector<Values> &tuples);
/// Runs the form and checks every result against `expected`; the first disagreements are printed.
void checkForm(const Form &, const std::vector<Values> &tuples, const std::function<Values(const Values &)> &expected);
/// The same with a verdict on the results of one tuple: empty when they are right.
void checkFormBy(const Form &, const std::vector<Values> &tuples,
                 const std::function<std::string(const Values &tuple, const Values &results)> &verdict);

/// Deterministic random numbers: every run tests the same operands.
uint64_t randomBits();
/// All combinations of `special` values in `n` positions (thinned out beyond `most`), then random tuples of `bits`.
std::vector<Values> tuplesOf(const std::vector<uint64_t> &special, unsigned n, unsigned bits, unsigned random = 64,
                             unsigned most = 700);
std::vector<uint64_t> integerValues(unsigned bits);
/// Zeros, subnormals, extremes, infinities and NaNs with payloads of a format with these field widths.
std::vector<uint64_t> floatValues(unsigned bits, unsigned mantissaBits);

/// Everything that ran, for ptxas and for the coverage table.
const std::vector<Form> &formsRun();

} // namespace ptxemu::testing

#endif // PTX_EMULATOR_FORMTEST_H
