//===- Report.h - Estimates for people and programs -------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TIMING_REPORT_H
#define PTX_EMULATOR_TIMING_REPORT_H

#include "Estimate.h"
#include <ostream>

namespace ptxemu::timing {

void printReport(std::ostream &, const Estimate &);
void printLines(std::ostream &, const Estimate &, size_t most);
/// One object; times in nanoseconds, shares from 0 to 1. Of the lines, those that a thousandth of the cycles goes to.
void printJson(std::ostream &, const Estimate &);

} // namespace ptxemu::timing

#endif // PTX_EMULATOR_TIMING_REPORT_H
