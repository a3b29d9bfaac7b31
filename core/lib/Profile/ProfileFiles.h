//===- ProfileFiles.h - Where profiles are ----------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_PROFILE_PROFILEFILES_H
#define TILEIRAS_LIB_PROFILE_PROFILEFILES_H

#include "tileiras/Profile/Profile.h"

namespace tileiras {

/// The file that `nameOrFile` stands for: `o3` and `o3.toml` are the shipped one, unless there is such a file here.
llvm::Expected<std::string> findProfileFile(llvm::StringRef nameOrFile, const Origin &reference,
                                            llvm::ArrayRef<std::string> directories);

/// The opt-level whose shipped profile `path` is.
std::optional<int64_t> getTierOfFile(llvm::StringRef path, llvm::ArrayRef<std::string> directories);

} // namespace tileiras

#endif // TILEIRAS_LIB_PROFILE_PROFILEFILES_H
