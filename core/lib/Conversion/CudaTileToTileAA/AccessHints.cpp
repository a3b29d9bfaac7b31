//===- AccessHints.cpp - Hints on loads and stores ------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAA/AccessHints.h"
#include "Patterns.h"
#include "tileiras/Pipeline/Remarks.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tileiras;

static cuda_tile::OptimizationHintsAttr getHints(Operation *op) {
  return llvm::TypeSwitch<Operation *, cuda_tile::OptimizationHintsAttr>(op)
      .Case<cuda_tile::LoadViewTkoOp, cuda_tile::StoreViewTkoOp, cuda_tile::LoadPtrTkoOp, cuda_tile::StorePtrTkoOp>(
          [](auto access) { return access.getOptimizationHintsAttr(); })
      .Default([](Operation *) { return cuda_tile::OptimizationHintsAttr(); });
}

static void remarkIgnoredHint(Operation *op, StringRef hint, StringRef reason) {
  remarkMissed(op, "IgnoredHint", "hints") << ("hint '" + hint + "' ignored: " + reason).str();
}

static void keepLatency(Operation *op, Attribute hint) {
  auto number = dyn_cast<IntegerAttr>(hint);
  if (!number || isa<BoolAttr>(hint) || number.getInt() < aa::kLowestLatency || number.getInt() > aa::kHighestLatency)
    return remarkIgnoredHint(op, "latency", "expected a number in 1..10");
  if (!isa<cuda_tile::LoadViewTkoOp>(op))
    return remarkIgnoredHint(op, "latency", "only loads through views are made ahead of their use");
  op->setDiscardableAttr(aa::kLatencyAttr, Builder(op->getContext()).getI32IntegerAttr(number.getInt()));
}

static void keepAllowTma(Operation *op, Attribute hint) {
  auto allowed = dyn_cast<BoolAttr>(hint);
  if (!allowed)
    return remarkIgnoredHint(op, "allow_tma", "expected true or false");
  // The engine copies for no others, and by default it may.
  if (isa<cuda_tile::LoadViewTkoOp, cuda_tile::StoreViewTkoOp>(op) && !allowed.getValue())
    op->setDiscardableAttr(aa::kAllowTmaAttr, allowed);
}

void cuda_tile_to_aa::keepAccessHints(Operation *op, const KernelOptions &options) {
  cuda_tile::OptimizationHintsAttr hints = getHints(op);
  if (!hints || hints.getValue().empty())
    return;
  if (!options.pipelinesLoops) {
    remarkMissed(op, "IgnoredHint", "hints")
        << "hints of a memory access ignored: it is neither pipelined nor made a bulk copy";
    return;
  }
  if (Attribute latency = hints.getHint(options.chip, "latency"))
    keepLatency(op, latency);
  if (Attribute allowed = hints.getHint(options.chip, "allow_tma"))
    keepAllowTma(op, allowed);
  for (DictionaryAttr group : hints.getGroups(options.chip))
    for (NamedAttribute hint : group)
      if (!llvm::is_contained({"latency", "allow_tma"}, hint.getName().strref()))
        remarkIgnoredHint(op, hint.getName(), "unknown for a memory access");
}
