//===- Page.h - What there is to see of a program's launches ------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_EMULATED_PAGE_H
#define TILEIRAS_EMULATED_PAGE_H

#include "Launch.h"

namespace ptxemu::timing {
struct Estimate;
}

namespace emudriver {

// For the page of EMULATED_CUDA_REPORT; the first note has it written when the process ends. Nothing without a file.

void noteLaunch(const PreparedLaunch &, const ptxemu::LaunchResult &);
void noteEstimate(const PreparedLaunch &, const ptxemu::timing::Estimate &);

/// "4x1x1".
std::string showSizes(const ptxemu::LaunchOptions &);

} // namespace emudriver

#endif // TILEIRAS_EMULATED_PAGE_H
