//===- AccessHints.cpp - Hints on loads and stores ------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAA/AccessHints.h"
#include "Hints.h"
#include "Patterns.h"
#include "tileiras/Diagnostics/Remarks.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::cuda_tile_to_aa;

static cuda_tile::OptimizationHintsAttr getHints(Operation *op) {
  return llvm::TypeSwitch<Operation *, cuda_tile::OptimizationHintsAttr>(op)
      .Case<cuda_tile::LoadViewTkoOp, cuda_tile::StoreViewTkoOp, cuda_tile::LoadPtrTkoOp, cuda_tile::StorePtrTkoOp>(
          [](auto access) { return access.getOptimizationHintsAttr(); })
      .Default([](Operation *) { return cuda_tile::OptimizationHintsAttr(); });
}

void cuda_tile_to_aa::remarkIgnoredHint(Operation *op, StringRef name, const Twine &reason) {
  remarkOn(op, Missed::IgnoredHint) << ("hint '" + name + "' ignored: " + reason).str();
}

void cuda_tile_to_aa::warnOfInvalidHint(Operation *op, StringRef name, Attribute value, StringRef expected) {
  std::string text;
  llvm::raw_string_ostream os(text);
  value.print(os, /*elideType=*/true);
  op->emitWarning("hint '") << name << "' = " << text << " ignored: expected " << expected;
}

std::optional<int64_t> cuda_tile_to_aa::getHintNumber(Attribute hint) {
  auto number = dyn_cast<IntegerAttr>(hint);
  return number && !isa<BoolAttr>(hint) ? number.getValue().trySExtValue() : std::nullopt;
}

namespace {
/// A hint of memory accesses that has some value.
struct AccessHint {
  StringRef name, expected;
  bool (*isValid)(Attribute);
  void (*keep)(Operation *, Attribute); ///< valid ones, where they can be followed
};
} // namespace

static void keepLatency(Operation *op, Attribute hint) {
  if (!isa<cuda_tile::LoadViewTkoOp>(op))
    return remarkIgnoredHint(op, "latency", "only loads through views are made ahead of their use");
  op->setDiscardableAttr(aa::kLatencyAttr, Builder(op->getContext()).getI32IntegerAttr(*getHintNumber(hint)));
}

static void keepAllowTma(Operation *op, Attribute hint) {
  auto allowed = cast<BoolAttr>(hint);
  // The engine copies for no others, and by default it may.
  if (isa<cuda_tile::LoadViewTkoOp, cuda_tile::StoreViewTkoOp>(op) && !allowed.getValue())
    op->setDiscardableAttr(aa::kAllowTmaAttr, allowed);
}

static constexpr AccessHint kAccessHints[] = {
    {"latency", "a number in 1..10",
     [](Attribute hint) {
       std::optional<int64_t> number = getHintNumber(hint);
       return number && *number >= aa::kLowestLatency && *number <= aa::kHighestLatency;
     },
     keepLatency},
    {"allow_tma", "true or false", [](Attribute hint) { return isa<BoolAttr>(hint); }, keepAllowTma},
};

void cuda_tile_to_aa::keepAccessHints(Operation *op, const KernelOptions &options) {
  cuda_tile::OptimizationHintsAttr hints = getHints(op);
  if (!hints || hints.getValue().empty())
    return;
  if (!options.pipelinesLoops)
    remarkOn(op, Missed::IgnoredHint)
        << "hints of a memory access ignored: it is neither pipelined nor made a bulk copy";
  for (const AccessHint &known : kAccessHints) {
    Attribute hint = hints.getHint(options.chip, known.name);
    if (!hint)
      continue;
    if (!known.isValid(hint)) {
      warnOfInvalidHint(op, known.name, hint, known.expected);
      if (options.pipelinesLoops)
        remarkIgnoredHint(op, known.name, "expected " + known.expected);
    } else if (options.pipelinesLoops) {
      known.keep(op, hint);
    }
  }
  if (!options.pipelinesLoops)
    return;
  for (DictionaryAttr group : hints.getGroups(options.chip))
    for (NamedAttribute hint : group)
      if (llvm::none_of(kAccessHints, [&](const AccessHint &known) { return known.name == hint.getName().strref(); }))
        remarkIgnoredHint(op, hint.getName(), "unknown for a memory access");
}
