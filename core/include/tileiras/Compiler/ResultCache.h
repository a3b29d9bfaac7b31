//===- ResultCache.h - What has been compiled before ------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A session with a cache looks there first (CompilerOptions::cache). What it finds is what it would compile: the
// product, its PTX, its metadata, and what was reported. The key is a hash of all that these depend on: the program,
// options, passes, the builds of the library, of LLVM and of plugins, and of the CUDA toolkit what is used.
//
// A cache never makes a compilation fail. What cannot be read, what is damaged and whoever does not answer is a miss.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_COMPILER_RESULTCACHE_H
#define TILEIRAS_COMPILER_RESULTCACHE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <string>

namespace tileiras {

/// Places, which are asked in their order; what one of them has, those before it get. Thread-safe.
class ResultCache {
public:
  /// `places` are separated by commas:
  ///   on, 1                      the folder tileiras in the user's cache ($XDG_CACHE_HOME, or .cache of the home)
  ///   /a/folder, ./folder        a folder; "?" and LLVM's pruning policy may follow
  ///   (cache_size_bytes=1g:prune_after=30d) redis://host:6379          Redis; also redis://host:6379/2, a database
  ///   unix:/run/redis.sock       Redis, by its socket
  /// Empty, off and 0: null. The same text gives the same cache as long as the process lives.
  static std::shared_ptr<ResultCache> open(llvm::StringRef places);
  ~ResultCache();

  /// Places that are of no use, and why; the others serve without them.
  llvm::ArrayRef<std::string> getProblems() const;

  struct Counts {
    unsigned hits = 0, misses = 0;
  };
  Counts getCounts() const;

  struct Contents; ///< private to the library
  Contents &getContents() { return *contents; }

private:
  ResultCache();
  std::unique_ptr<Contents> contents;
};

} // namespace tileiras

#endif // TILEIRAS_COMPILER_RESULTCACHE_H
