//===- SessionPool.h - What compilations have in common ---------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A small program takes less time than what a compilation sets up before it. Sessions of one pool set it up once:
//
//   SessionPool pool;
//   for (…) {
//     CompilerSession session(options, &pool);
//     …
//   }
//
// What comes out is the same as without a pool. Sessions of one pool may run in different threads at once.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_COMPILER_SESSIONPOOL_H
#define TILEIRAS_COMPILER_SESSIONPOOL_H

#include <memory>

namespace tileiras {

/// The plugins that were found, profiles, registries with the tables of their targets, and MLIR's contexts. Files of
/// plugins and profiles are read when they are first asked for: who changes one takes another pool. Must outlive its
/// sessions.
class SessionPool {
public:
  SessionPool();
  ~SessionPool();

  struct Contents; ///< private to the library
  Contents &getContents() { return *contents; }

private:
  std::unique_ptr<Contents> contents;
};

} // namespace tileiras

#endif // TILEIRAS_COMPILER_SESSIONPOOL_H
