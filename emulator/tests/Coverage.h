//===- Coverage.h - Which instruction forms the tests have run --*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_COVERAGE_H
#define PTX_EMULATOR_COVERAGE_H

#include "ptx-emulator/Emulator.h"
#include <ostream>

namespace ptxemu::testing {

/// Notes every instruction of a module that a test runs.
void recordForms(const Module &);

/// After all tests: every opcode the decoder knows has been run, and every form of the table of forms. Prints a line an
/// opcode with its number of forms; false, naming what is missing, when there is a form without a test.
bool reportCoverage(std::ostream &);

} // namespace ptxemu::testing

#endif // PTX_EMULATOR_COVERAGE_H
