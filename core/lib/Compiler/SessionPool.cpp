//===- SessionPool.cpp - What compilations have in common -----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/SessionPool.h"
#include "PoolContents.h"

using namespace tileiras;

SessionPool::SessionPool() : contents(std::make_unique<Contents>()) {}
SessionPool::~SessionPool() = default;

PooledContext SessionPool::Contents::takeContext(const Registry &registry) {
  std::lock_guard lock(mutex);
  std::vector<PooledContext> &left = idle[&registry];
  if (left.empty())
    return {};
  PooledContext taken = std::move(left.back());
  left.pop_back();
  return taken;
}

void SessionPool::Contents::leaveContext(const Registry &registry, PooledContext context) {
  // What a context keeps grows with the programs. A new one costs a quarter of a small compilation.
  constexpr unsigned mostUses = 64;
  constexpr size_t mostInputBytes = 1 << 20;
  if (context.uses >= mostUses || context.inputBytes >= mostInputBytes)
    return;
  std::lock_guard lock(mutex);
  idle[&registry].push_back(std::move(context));
}
