//===- PoolContents.h - What a session pool keeps ---------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_COMPILER_POOLCONTENTS_H
#define TILEIRAS_LIB_COMPILER_POOLCONTENTS_H

#include "mlir/IR/MLIRContext.h"
#include "tileiras/Compiler/SessionPool.h"
#include "tileiras/Plugin/PluginLoader.h"
#include "tileiras/Plugin/Registry.h"
#include "tileiras/Profile/Profile.h"
#include <map>
#include <mutex>

namespace tileiras {

/// Things that are made once and never change.
template <typename T>
class Shelf {
public:
  /// Of so many things at most.
  explicit Shelf(size_t most = SIZE_MAX) : most(most) {}

  using Item = std::shared_ptr<const T>;
  using Maker = llvm::function_ref<llvm::Expected<Item>()>;

  /// What was made under `key`, or what `make` makes now. Errors are not kept.
  llvm::Expected<Item> get(const std::string &key, Maker make) {
    std::lock_guard lock(mutex); // also while it is made: others wait for it instead of making it, too
    auto it = items.find(key);
    if (it != items.end())
      return it->second;
    llvm::Expected<Item> made = make();
    if (made && items.size() >= most)
      items.clear(); // who uses one still has it
    if (made)
      items.emplace(key, *made);
    return made;
  }

private:
  const size_t most;
  std::mutex mutex;
  std::map<std::string, Item> items;
};

/// A context with the dialects of a registry. Types and attributes stay in it until it ends, so it serves some
/// compilations only.
struct PooledContext {
  std::unique_ptr<mlir::MLIRContext> context;
  unsigned uses = 0;
  size_t inputBytes = 0; ///< of the programs that were compiled in it
};

struct SessionPool::Contents {
  Shelf<PluginCatalogue> catalogues;
  Shelf<OptionTable> tables;
  Shelf<Profile> profiles{64}; ///< a program may make a new one for each compilation
  Shelf<Registry> registries;

  /// A context that a session of `registry` has left; none: an empty one.
  PooledContext takeContext(const Registry &registry);
  /// The compilation has succeeded, and nothing refers to the context any more.
  void leaveContext(const Registry &registry, PooledContext context);

private:
  std::mutex mutex; ///< of `idle`
  std::map<const Registry *, std::vector<PooledContext>> idle;
};

/// A key of several parts.
class PoolKey {
public:
  PoolKey &add(llvm::StringRef part) {
    text += part;
    text += '\0';
    return *this;
  }
  PoolKey &addAll(llvm::ArrayRef<std::string> parts) {
    for (const std::string &part : parts)
      add(part);
    return add("");
  }
  PoolKey &addAddress(const void *address) { return add(std::to_string(reinterpret_cast<uintptr_t>(address))); }
  const std::string &str() const { return text; }

private:
  std::string text;
};

} // namespace tileiras

#endif // TILEIRAS_LIB_COMPILER_POOLCONTENTS_H
