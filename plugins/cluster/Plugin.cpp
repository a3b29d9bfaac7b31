//===- Plugin.cpp - Registers the cluster plugin ---------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Plugin/Plugin.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tileiras/Dialect/TileAS/TileAS.h"

namespace tileiras::cluster {
#define GEN_PASS_DECL
#include "Passes.h.inc"
} // namespace tileiras::cluster

static llvm::Error activate(tileiras::Registry &registry) {
  return registry.addPass({.create = [] { return tileiras::cluster::createTileASSinkNegF(); }});
}

static constexpr tileiras::PluginContents contents[] = {
    {tileiras::PluginContents::Pass, "sink-negf-through-shapes"},
};

TILEIRAS_PLUGIN("cluster", "0.1.0", "passes", "experimental", contents, activate)
