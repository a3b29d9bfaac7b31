//===- LaterStarts.cpp - What a wait may leave in flight ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Analysis/LaterStarts.h"
#include "tileiras/Analysis/BranchFlow.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tileiras::as {

std::optional<AsyncGroup> getAsyncGroup(Operation *op) {
  if (isa<AsyncDotOp>(op))
    return AsyncGroup::Product;
  if (isa<AsyncTiledTmaStoreOp, AsyncScatterTmaStoreOp>(op))
    return AsyncGroup::Store;
  return std::nullopt;
}

namespace {

/// What has been started on the way to a place, by what names it: the token, the value that is made, the memory that is
/// read. On several ways the fewest later starts.
class Started {
public:
  /// `names` stand for what `group` starts here.
  void start(AsyncGroup group, ArrayRef<Value> names) {
    for (auto &[name, start] : starts)
      if (start.group == group && start.later < LaterStarts::kMost)
        ++start.later;
    for (Value name : names)
      starts[name] = {group, 0};
  }
  /// Nobody knows what it stands for.
  void startUnknown(Value name) { starts[name] = {std::nullopt, 0}; }

  /// None: nothing.
  std::optional<unsigned> getLater(Value name) const {
    auto found = starts.find(name);
    return found == starts.end() ? std::nullopt : std::optional<unsigned>(found->second.later);
  }

  /// Values of a branch become those of the block that it leads to.
  void pass(ValueRange from, ValueRange to) {
    SmallVector<std::optional<Start>> passed;
    for (Value value : from) {
      auto found = starts.find(value);
      passed.push_back(found == starts.end() ? std::nullopt : std::optional<Start>(found->second));
    }
    for (auto [value, start] : llvm::zip(to, passed)) {
      starts.erase(value);
      if (start)
        starts[value] = *start;
    }
  }

  /// Returns whether something is known to have been started later than before, or for the first time.
  bool merge(const Started &other) {
    bool hasChanged = false;
    for (const auto &[name, start] : other.starts) {
      auto [mine, isNew] = starts.try_emplace(name, start);
      hasChanged |= isNew;
      if (start.later < mine->second.later || (!start.group && mine->second.group)) {
        mine->second = {start.group ? mine->second.group : std::nullopt, start.later};
        hasChanged = true;
      }
    }
    return hasChanged;
  }

private:
  struct Start {
    std::optional<AsyncGroup> group; ///< none where it is not known, nor counted on
    unsigned later;
  };
  llvm::MapVector<Value, Start> starts;
};

class StartWalk {
public:
  using Found = llvm::DenseMap<Operation *, std::optional<unsigned>>;

  explicit StartWalk(Found &found) : found(found) {}

  void visit(Region &region, Started &started) {
    for (Block &block : region)
      for (Operation &op : block)
        visit(&op, started);
  }

private:
  void visit(Operation *op, Started &started) {
    if (isa<ExecutionScopeOpInterface>(op)) {
      for (Region &region : op->getRegions()) {
        Started own;
        visit(region, own);
      }
      return;
    }
    if (auto branch = dyn_cast<RegionBranchOpInterface>(op))
      return followBranch(branch, started, [&](Region &region, Started &inside) { visit(region, inside); });
    for (Region &region : op->getRegions())
      visit(region, started);
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](AsyncWaitOp wait) { noteNames(wait, wait.getTokens(), started); })
        .Case([&](AsyncFutureWaitOp wait) { noteNames(wait, wait->getOperands(), started); })
        .Case([&](AsyncStoreWaitOp wait) { noteMemory(wait, started); })
        .Default([&](Operation *) { visitStart(op, started); });
  }

  static void visitStart(Operation *op, Started &started) {
    if (std::optional<AsyncGroup> group = getAsyncGroup(op)) {
      SmallVector<Value> names(op->getResults());
      if (*group == AsyncGroup::Store)
        for (Value buffer : op->getOperands())
          if (isSharedTensor(buffer.getType()))
            names.push_back(skipViews(buffer));
      return started.start(*group, names);
    }
    if (!isa<CreateNoneOp>(op))
      for (Value result : op->getResults())
        if (isa<AsyncTokenType>(result.getType()))
          started.startUnknown(result);
  }

  void noteNames(Operation *wait, ValueRange names, const Started &started) {
    if (names.empty())
      return note(wait, 0);
    for (Value name : names)
      note(wait, started.getLater(name));
  }

  /// Memory that is not a tile of its own may be any.
  void noteMemory(AsyncStoreWaitOp wait, const Started &started) {
    Value memory = skipViews(wait.getBuffer());
    const bool isKnown = wait.getRead() && memory.getDefiningOp<AllocTensorOp>();
    note(wait, isKnown ? started.getLater(memory) : 0);
  }

  void note(Operation *wait, std::optional<unsigned> later) {
    std::optional<unsigned> &fewest = found[wait];
    if (later)
      fewest = std::min(fewest.value_or(*later), *later);
  }

  Found &found;
};

} // namespace

LaterStarts::LaterStarts(Operation *function) {
  StartWalk walk(found);
  for (Region &region : function->getRegions()) {
    Started started;
    walk.visit(region, started);
  }
}

std::optional<unsigned> LaterStarts::get(Operation *wait) const {
  return found.lookup(wait);
}

} // namespace tileiras::as
