//===- Environment.h - What tileiras-cutile says to a program ---*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program is told by its environment, which its children would inherit: the library and sitecustomize.py put
// everything back.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CUTILE_ENVIRONMENT_H
#define TILEIRAS_CUTILE_ENVIRONMENT_H

#include <string>
#include <vector>

namespace tileiras::cutile {

/// The folder of the library, of bin/tileiras and of python/sitecustomize.py.
inline constexpr const char *kHomeVariable = "TILEIRAS_CUTILE_HOME";
/// The process that is meant, by its number, whatever program it becomes by exec; or kAllProcesses.
inline constexpr const char *kProcessVariable = "TILEIRAS_CUTILE_PROCESS";
inline constexpr const char *kAllProcesses = "all";
/// Names the compiler of cutile-rs, which looks into toolkits before PATH.
inline constexpr const char *kRustCompilerVariable = "CUTILE_TILEIRAS_PATH";
inline constexpr const char *kLibraryName = "libtileiras-cutile.so";

/// Where the CUDA driver is that runs kernels without a GPU.
std::string emulatedDriverFolder(const std::string &home);

/// Adds options of the compiler to TILEIRAS_FLAGS, where it finds them; each is one word.
void addCompilerFlags(const std::vector<std::string> &flags);

/// For this process, before it becomes the program. `home` has no colons. `emulates`: the program gets that driver.
void prepareEnvironment(const std::string &home, bool children, bool emulates);

/// Takes out what prepareEnvironment put in, and leaves what others have changed since.
void restoreEnvironment();

} // namespace tileiras::cutile

#endif // TILEIRAS_CUTILE_ENVIRONMENT_H
