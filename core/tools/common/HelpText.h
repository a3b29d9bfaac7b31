//===- HelpText.h - Help that fits a terminal -------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TOOLS_COMMON_HELPTEXT_H
#define TILEIRAS_TOOLS_COMMON_HELPTEXT_H

#include "llvm/Support/CommandLine.h"

namespace tileiras {

/// Lets --help show the options of `groups` only, and no line of it be longer than a terminal's. Options whose names
/// leave no room for a description are shown by --help-hidden. To be called when all options are registered.
void fitHelp(llvm::ArrayRef<const llvm::cl::OptionCategory *> groups);

} // namespace tileiras

#endif // TILEIRAS_TOOLS_COMMON_HELPTEXT_H
