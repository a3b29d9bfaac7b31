//===- CacheContents.h - Results by key -------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_COMPILER_CACHECONTENTS_H
#define TILEIRAS_LIB_COMPILER_CACHECONTENTS_H

#include "CacheStore.h"
#include "CachedResult.h"
#include "tileiras/Compiler/ResultCache.h"
#include "llvm/Support/BLAKE3.h"
#include <atomic>
#include <map>
#include <mutex>

namespace tileiras {

/// Makes the key of what has been added, each part with its name.
class CacheKey {
public:
  CacheKey &add(llvm::StringRef name, llvm::StringRef value);
  /// Hexadecimal digits.
  std::string str() const;

private:
  llvm::BLAKE3 hasher;
};

struct ResultCache::Contents {
  /// The result for `key` of a program that is called `inputName`.
  std::optional<CachedResult> find(const std::string &key, llvm::StringRef inputName);
  /// `dependsOnName`: the program's name is in the product; the result is for programs of that name alone.
  void store(const std::string &key, llvm::StringRef inputName, bool dependsOnName, const CachedResult &result);

  /// What tells this file from others of its kind: a hash of its contents. Empty when it cannot be read.
  std::string identifyFile(llvm::StringRef path);

  std::vector<std::unique_ptr<CacheStore>> stores;
  std::vector<std::string> problems;
  std::atomic<unsigned> hits = 0, misses = 0;

private:
  /// What follows the header of an entry that is as it was written.
  std::optional<std::string> read(const std::string &key, char kind);
  void write(const std::string &key, char kind, llvm::StringRef payload);
  std::string hashFile(llvm::StringRef path, const std::string &state);

  std::mutex mutex; ///< of `identities`
  std::map<std::string, std::string> identities;
};

} // namespace tileiras

#endif // TILEIRAS_LIB_COMPILER_CACHECONTENTS_H
