//===- Version.cpp - Our version, LLVM's, the plugin ABI's ----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/Version.h"
#include "llvm/Config/llvm-config.h"

llvm::StringRef tileiras::getVersion() {
  return TILEIRAS_VERSION;
}
llvm::StringRef tileiras::getLLVMVersion() {
  return LLVM_VERSION_STRING;
}
