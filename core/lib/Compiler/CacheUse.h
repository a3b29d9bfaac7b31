//===- CacheUse.h - What a session and its cache exchange -------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_COMPILER_CACHEUSE_H
#define TILEIRAS_LIB_COMPILER_CACHEUSE_H

#include "CacheContents.h"
#include "tileiras/Compiler/Session.h"

namespace tileiras {

struct CompilerSession::CacheUse {
  std::string key;
  std::vector<CachedReport> reports; ///< of this compilation, for those after it
  std::optional<mlir::ScopedDiagnosticHandler> recorder;
  std::optional<CachedResult> found;
};

} // namespace tileiras

#endif // TILEIRAS_LIB_COMPILER_CACHEUSE_H
