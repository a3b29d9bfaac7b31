//===- EnvironmentFlags.h - TILEIRAS_FLAGS ----------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Front ends fix the command line. What their users want to add stands in the environment.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TOOLS_TILEIRAS_ENVIRONMENTFLAGS_H
#define TILEIRAS_TOOLS_TILEIRAS_ENVIRONMENTFLAGS_H

#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace tileiras {

/// The value of TILEIRAS_FLAGS, on one line; empty when it is not set.
std::string getEnvironmentFlags();

/// Its words, split and unquoted as a shell would. They live as long as the process.
std::vector<const char *> splitEnvironmentFlags();

/// Whether all of `words` are options that say how to compile: what is compiled, where the output goes, and questions
/// are the command line's. The options must be registered. The error is a usage error.
llvm::Error checkEnvironmentFlags(llvm::ArrayRef<const char *> words);

/// Whether the option `name` is a question, which ends the process once it is answered.
bool isQuestion(llvm::StringRef name);

/// After an error: says what the environment has added, if it has.
void noteEnvironmentFlags();

} // namespace tileiras

#endif // TILEIRAS_TOOLS_TILEIRAS_ENVIRONMENTFLAGS_H
