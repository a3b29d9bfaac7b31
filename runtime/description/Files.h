//===- Files.h - Files of a launch ------------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_RUNTIME_DESCRIPTION_FILES_H
#define TILEIRAS_RUNTIME_DESCRIPTION_FILES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace tileiras {

// What cannot be read is a LaunchError.

/// A program. What is no regular file is read as readStream() does.
std::vector<uint8_t> readFile(const std::string &path);

/// The text of a description, of at most kMostTextBytes: data of any size are files of their own.
std::vector<uint8_t> readText(const std::string &path);
inline constexpr size_t kMostTextBytes = size_t(64) << 20;

/// The size of a file of data, in bytes. It has to be a regular one: others block, or have no end.
uint64_t getFileSize(const std::string &path);

/// The whole file; "-" is standard output.
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef bytes);

/// `file` as seen from the folder `directory`.
std::string resolvePath(llvm::StringRef directory, llvm::StringRef file);

} // namespace tileiras

#endif // TILEIRAS_RUNTIME_DESCRIPTION_FILES_H
