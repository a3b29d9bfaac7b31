//===- Version.h - Our version, LLVM's, what was built ----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_SUPPORT_VERSION_H
#define TILEIRAS_SUPPORT_VERSION_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace tileiras {

/// "0.1.0".
llvm::StringRef getVersion();
/// "22.1.8", of the LLVM this library was built against.
llvm::StringRef getLLVMVersion();
/// The file this library was loaded from. Plugins and profiles are found relative to it.
const std::string &getLibraryPath();
/// The hash that the linker has made of the contents of the shared object, or program, that is loaded at `address`: 16
/// hexadecimal digits of it, or "unknown". Null: of this library.
std::string getBuildId(const void *address = nullptr);

} // namespace tileiras

#endif // TILEIRAS_SUPPORT_VERSION_H
