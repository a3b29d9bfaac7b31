//===- Files.h - Files of a launch ------------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_FILES_H
#define PTX_EMULATOR_FILES_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace ptxemu {

/// Both throw LaunchError.
std::vector<uint8_t> readFile(const std::string &path);
void writeFile(const std::string &path, llvm::ArrayRef<uint8_t> bytes);

/// `file` as seen from the folder `directory`.
std::string resolvePath(llvm::StringRef directory, llvm::StringRef file);

} // namespace ptxemu

#endif // PTX_EMULATOR_FILES_H
