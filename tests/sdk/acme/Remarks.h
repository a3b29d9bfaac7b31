//===- Remarks.h - Remarks of the acme plugin -------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACME_REMARKS_H
#define ACME_REMARKS_H

#include "tileiras/Diagnostics/Remarks.h"

namespace acme {

inline constexpr tileiras::RemarkCategory CountRemarks{"acme-counts", "How many operations there are."};

#define ACME_REMARKS(PASSED, MISSED, ANALYSIS)                                                                         \
  ANALYSIS(OpCount, "OpCount", CountRemarks, "How many operations a module has.",                                      \
           "Nothing; `--set acme-factor=N` counts each of them N times.")

TILEIRAS_REMARK_TABLE(ACME_REMARKS)

} // namespace acme

#endif // ACME_REMARKS_H
