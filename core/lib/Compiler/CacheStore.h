//===- CacheStore.h - Where results are kept --------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_COMPILER_CACHESTORE_H
#define TILEIRAS_LIB_COMPILER_CACHESTORE_H

#include "llvm/Support/Error.h"
#include <memory>
#include <optional>
#include <string>

namespace tileiras {

/// Bytes by key. Keys are hexadecimal digits. Nothing here fails: what does not work is as if it was not there.
/// Thread-safe.
class CacheStore {
public:
  virtual ~CacheStore() = default;

  virtual std::optional<std::string> read(const std::string &key) = 0;
  virtual void write(const std::string &key, llvm::StringRef bytes) = 0;
  /// What is there under `key` is damaged.
  virtual void forget(const std::string &key) = 0;
  /// Whether this machine alone has it.
  virtual bool isLocal() const { return false; }
};

/// Files in a folder that other processes use, too. `policy` is what LLVM's parseCachePruningPolicy takes, or empty.
llvm::Expected<std::unique_ptr<CacheStore>> openFolderStore(llvm::StringRef folder, llvm::StringRef policy);

/// `address` as ResultCache::open has it.
llvm::Expected<std::unique_ptr<CacheStore>> openRedisStore(llvm::StringRef address);

} // namespace tileiras

#endif // TILEIRAS_LIB_COMPILER_CACHESTORE_H
