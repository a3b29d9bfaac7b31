//===- SharedArena.cpp - One arena of shared memory -----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Lowering/SharedArena.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tileiras {

ProgramOrder::ProgramOrder(Region &body) {
  body.walk<WalkOrder::PreOrder>([&](Operation *op) {
    lifetimes[op].begin = numOperations++;
    if (isa<as::AllocTensorOp>(op))
      for (Region *region = op->getParentRegion(); region != &body; region = region->getParentRegion())
        if (isa<as::ExecutionScopeOpInterface>(region->getParentOp()))
          allocating.insert(region);
  });
  body.walk<WalkOrder::PostOrder>([&](Operation *op) {
    Lifetime &lifetime = lifetimes[op];
    lifetime.end = lifetime.begin;
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (!block.empty())
          lifetime.end = std::max(lifetime.end, lifetimes[&block.back()].end);
  });
}

Lifetime ProgramOrder::besideOthers(Operation *op, Lifetime lifetime) const {
  for (Region *region = op->getParentRegion(); region; region = region->getParentRegion()) {
    Operation *scopes = region->getParentOp();
    auto isOther = [&](Region &other) { return &other != region && allocating.contains(&other); };
    if (!isa_and_nonnull<as::ExecutionScopeOpInterface>(scopes) || llvm::none_of(scopes->getRegions(), isOther))
      continue;
    const Lifetime all = getLifetime(scopes);
    lifetime = {std::min(lifetime.begin, all.begin), std::max(lifetime.end, all.end)};
  }
  return lifetime;
}

/// Another value names the memory from there on.
static bool passesOn(Operation *user) {
  return user->hasTrait<OpTrait::IsTerminator>() || isa<RegionBranchOpInterface>(user) ||
         llvm::any_of(user->getResultTypes(),
                      [](Type type) { return as::isMemoryTensor(type) || isa<as::PipelineType>(type); });
}

void ProgramOrder::extend(Lifetime &lifetime, Operation *user, Block *home) const {
  // Control flow may hand on what began inside of it: then it lives on where `home` has ended.
  if (!home->findAncestorOpInBlock(*user)) {
    lifetime.end = std::max(lifetime.end, getWhole().end);
    return;
  }
  for (Operation *around = user; around->getBlock() != home; around = around->getParentOp())
    if (isa<LoopLikeOpInterface, as::ExecutionScopeOpInterface>(around->getParentOp()))
      lifetime.end = std::max(lifetime.end, getLifetime(around->getParentOp()).end);
  lifetime.end = std::max(lifetime.end, getLifetime(user).end);
}

/// Values through which stages are used, handed on and waited for.
static bool isStageHandle(Value value) {
  return isa<as::PipelineType, as::IteratorType, as::ProducerTokenType, as::ConsumerTokenType, as::AsyncTokenType>(
      value.getType());
}

void ProgramOrder::followHandles(Lifetime &lifetime, ValueRange first, Block *home,
                                 llvm::function_ref<bool(Value)> isHandle) const {
  llvm::SetVector<Value> handles;
  auto add = [&](ValueRange values) {
    for (Value value : values)
      if (isHandle(value))
        handles.insert(value);
  };
  add(first);
  for (unsigned i = 0; i < handles.size(); ++i)
    for (Operation *user : handles[i].getUsers()) {
      extend(lifetime, user, home);
      if (user->hasTrait<OpTrait::IsTerminator>())
        user = user->getParentOp();
      add(user->getResults());
      for (Region &region : user->getRegions())
        if (!region.empty())
          add(region.getArguments());
    }
}

Lifetime ProgramOrder::getPipelineLifetime(as::CreatePipelineOp pipeline) const {
  Lifetime lifetime{0, getLifetime(pipeline.getOperation()).end};
  followHandles(lifetime, pipeline.getResult(), pipeline->getBlock(), isStageHandle);
  return lifetime;
}

Lifetime ProgramOrder::getLifetime(Value buffer) const {
  Operation *definition = buffer.getDefiningOp();
  if (!definition)
    return getWhole();
  if (auto pipeline = dyn_cast<as::CreatePipelineOp>(definition))
    return getPipelineLifetime(pipeline);
  Lifetime lifetime = getLifetime(definition);
  for (Operation *user : buffer.getUsers()) {
    auto pipeline = dyn_cast<as::CreatePipelineOp>(user);
    // Barriers are never given back.
    if (pipeline && pipeline.getBarriers() != buffer && pipeline->getBlock() == definition->getBlock()) {
      const Lifetime stages = getPipelineLifetime(pipeline);
      lifetime = {stages.begin, std::max(lifetime.end, stages.end)};
      continue;
    }
    // The same memory under another shape: its uses are uses of this one.
    if (isa<ViewLikeOpInterface>(user))
      lifetime.end = std::max(lifetime.end, getLifetime(user->getResult(0)).end);
    else if (passesOn(user))
      return getWhole();
    extend(lifetime, user, definition->getBlock());
    // What goes on asynchronously uses it until it is waited for.
    followHandles(lifetime, user->getResults(), definition->getBlock(),
                  [](Value value) { return isa<as::AsyncTokenType>(value.getType()); });
  }
  return besideOthers(definition, lifetime);
}

void SharedArena::insert(Span span, Part part, Lifetime lifetime) {
  const Lifetime own = span.getLifetime();
  if (!own.overlaps(lifetime))
    return;
  Content &content = getContent(span);
  if (lifetime.begin <= own.begin && own.end <= lifetime.end) {
    content.parts.push_back(part);
    return;
  }
  content.hasHalves = true;
  for (unsigned half : {0, 1})
    insert(span.getHalf(half), part, lifetime);
}

void SharedArena::take(int64_t offset, int64_t bytes, Lifetime lifetime) {
  const Part part(offset, offset + bytes);
  end = std::max(end, part.second);
  for (; lifetime.end >> levels != 0; ++levels)
    if (!spans.empty())
      getContent({levels + 1, 0}).hasHalves = true;
  insert({levels, 0}, part, lifetime);
}

void SharedArena::collect(Span span, Lifetime lifetime, SmallVectorImpl<Part> &found) const {
  auto content = spans.find({span.level, span.number});
  if (content == spans.end() || !span.getLifetime().overlaps(lifetime))
    return;
  llvm::append_range(found, content->second.parts);
  if (content->second.hasHalves)
    for (unsigned half : {0, 1})
      collect(span.getHalf(half), lifetime, found);
}

int64_t SharedArena::find(int64_t bytes, int64_t alignment, Lifetime lifetime) const {
  SmallVector<Part> taken;
  collect({levels, 0}, lifetime, taken);
  llvm::sort(taken);
  int64_t offset = 0;
  for (auto [begin, end] : taken) {
    if (offset + bytes <= begin)
      break;
    offset = std::max<int64_t>(offset, llvm::alignTo(end, alignment));
  }
  return offset;
}

int64_t SharedArena::allocate(int64_t bytes, int64_t alignment, Lifetime lifetime) {
  int64_t offset = find(bytes, alignment, lifetime);
  take(offset, bytes, lifetime);
  return offset;
}

} // namespace tileiras
