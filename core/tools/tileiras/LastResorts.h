//===- LastResorts.h - When a compilation cannot go on ----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TOOLS_TILEIRAS_LASTRESORTS_H
#define TILEIRAS_TOOLS_TILEIRAS_LASTRESORTS_H

namespace tileiras {

/// From now on the process ends with a message when memory cannot be had (ExitCode::CompilationFailed), or when LLVM
/// finds it cannot go on (ExitCode::Internal).
void installLastResorts();

/// From now on the end of whoever reads our output, or our messages, does not end the process: hasBrokenPipe() and a
/// write say so. The end is the usual one, but comes after files have been removed.
void noteBrokenPipes();
bool hasBrokenPipe();

} // namespace tileiras

#endif // TILEIRAS_TOOLS_TILEIRAS_LASTRESORTS_H
