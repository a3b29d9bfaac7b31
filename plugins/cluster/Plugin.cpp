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

using namespace tileiras;

static llvm::Error activate(Registry &registry) {
  return registry.addPass({.create = [] { return cluster::createTileASSinkNegF(); }});
}

static constexpr PluginContents contents[] = {
    {PluginContents::Pass, "sink-negf-through-shapes"},
    {PluginContents::Option,
     "dynamic-persistent",
     {PluginOption::Bool, "false", "make kernels persistent, with dynamic distribution of work"}},
    {PluginContents::Option,
     "ocg-knobs",
     {PluginOption::Bool, "false", "emit pragmas for ptxas builds that understand them"}},
};

TILEIRAS_PLUGIN("cluster", "0.1.0", "passes", "experimental", contents, activate)
