//===- Findings.h - What failed, reduced and kept ----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_FINDINGS_H
#define TILEIRAS_FUZZ_FINDINGS_H

#include "Report.h"

namespace tileiras::fuzz {

struct FindingOptions {
  double deadlineSeconds; ///< for one check
  bool shrink = false;    ///< reduces each program and prints what is left
  bool isQuiet = false;
  std::string folder; ///< where to write them; empty: nowhere
};

/// Reduces and files what the report has of failures, once for each signature.
llvm::Error reduceAndFile(const Report &report, const CheckOptions &checks, const FindingOptions &options);

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_FINDINGS_H
