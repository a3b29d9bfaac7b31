//===- Version.cpp - Our version, LLVM's, the plugin ABI's ----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/Version.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include <dlfcn.h>

llvm::StringRef tileiras::getVersion() {
  return TILEIRAS_VERSION;
}
llvm::StringRef tileiras::getLLVMVersion() {
  return LLVM_VERSION_STRING;
}

std::string tileiras::getLibraryPath() {
  Dl_info self;
  llvm::SmallString<128> path;
  if (!dladdr(reinterpret_cast<void *>(&getLibraryPath), &self) || llvm::sys::fs::real_path(self.dli_fname, path))
    return "";
  return path.str().str();
}
