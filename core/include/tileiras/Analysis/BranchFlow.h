//===- BranchFlow.h - What holds on the ways of a program -------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows structured control flow with a state of what holds on some way, until it changes no more.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_ANALYSIS_BRANCHFLOW_H
#define TILEIRAS_ANALYSIS_BRANCHFLOW_H

#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

namespace tileiras {

/// Takes `state` from before `op` to after it. `visit` takes a state from the start of a region to its end; it is
/// called more than once for those of loops. A state has `bool merge(const State &)`, which adds what holds on another
/// way and returns whether that is more (a finite number of times), and `pass(ValueRange from, ValueRange to)`, by
/// which values of a branch get the names that they have where it leads.
template <typename State, typename Visit>
void followBranch(mlir::RegionBranchOpInterface op, State &state, Visit visit) {
  using namespace mlir;
  const State before = std::exchange(state, State());
  bool isReached = false;
  llvm::MapVector<Region *, State> entries;
  llvm::SmallVector<Region *> grown;
  auto flow = [&](llvm::ArrayRef<RegionSuccessor> successors, const State &from, auto getOperands) {
    for (const RegionSuccessor &successor : successors) {
      State next = from;
      next.pass(getOperands(successor), successor.getSuccessorInputs());
      if (successor.isParent()) {
        if (std::exchange(isReached, true))
          state.merge(next);
        else
          state = std::move(next);
        continue;
      }
      auto [entry, isNew] = entries.try_emplace(successor.getSuccessor(), next);
      if ((isNew || entry->second.merge(next)) && !llvm::is_contained(grown, successor.getSuccessor()))
        grown.push_back(successor.getSuccessor());
    }
  };
  llvm::SmallVector<RegionSuccessor> successors;
  op.getSuccessorRegions(RegionBranchPoint::parent(), successors);
  flow(successors, before, [&](RegionSuccessor to) { return op.getEntrySuccessorOperands(to); });
  while (!grown.empty()) {
    Region *region = grown.pop_back_val();
    State end = entries[region];
    visit(*region, end);
    auto terminator = dyn_cast<RegionBranchTerminatorOpInterface>(region->back().getTerminator());
    if (!terminator)
      continue;
    successors.clear();
    op.getSuccessorRegions(*region, successors);
    flow(successors, end, [&](RegionSuccessor to) { return terminator.getSuccessorOperands(to); });
  }
}

} // namespace tileiras

#endif // TILEIRAS_ANALYSIS_BRANCHFLOW_H
