//===- ToolVersion.h - What --version begins with ---------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TOOLS_COMMON_TOOLVERSION_H
#define TILEIRAS_TOOLS_COMMON_TOOLVERSION_H

#include "llvm/Support/raw_ostream.h"

namespace tileiras {

/// The lines of `what` ("NAME: what it is"): our version and build, LLVM's, and the release of CUDA whose Tile IR is
/// read, in the words that clients look for.
void printToolVersion(llvm::raw_ostream &os, llvm::StringRef what);

} // namespace tileiras

#endif // TILEIRAS_TOOLS_COMMON_TOOLVERSION_H
