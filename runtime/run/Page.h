//===- Page.h - What there is to see of a run -------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_RUNTIME_RUN_PAGE_H
#define TILEIRAS_RUNTIME_RUN_PAGE_H

#include "Report.h"
#include "RunOptions.h"

namespace tileiras::run {

/// Writes the page of --report. A kernel that the clock has no time for is one without an estimate, and the reason is
/// told on standard error. Throws RunError.
void writePage(const Report &report, const RunOptions &options);

} // namespace tileiras::run

#endif // TILEIRAS_RUNTIME_RUN_PAGE_H
