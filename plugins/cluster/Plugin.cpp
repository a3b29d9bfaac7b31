//===- Plugin.cpp - Registers the cluster plugin ---------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Plugin/Plugin.h"
#include "Passes.h"
#include "Remarks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "tileiras/Dialect/TileAA/TileAA.h"
#include "tileiras/Dialect/TileAS/TileAS.h"

using namespace tileiras;

static llvm::Error activate(Registry &registry) {
  const PassEntry passes[] = {
      {.create = [] { return cluster::createTileASSinkNegF(); }},
      {.create = [] { return cluster::createTileAALongestFirst(); },
       .mustPrecede = {"tileas-dynamic-persistent", "tileas-plan-cta", "tileaa-form-queues",
                       "convert-tileaa-to-tileas"},
       .mustFollow = {"convert-cudatile-to-tileaa"}},
      {.create = [] { return cluster::createTileASDynamicPersistent(); },
       .mustPrecede = {"tileas-plan-cta", "tileaa-form-queues", "convert-tileaa-to-tileas"},
       .mustFollow = {"convert-cudatile-to-tileaa"}},
      {.create = [] { return cluster::createTileASInsertOCGKnobs(); },
       .mustPrecede = {"convert-tileas-to-llvm"},
       .mustFollow = {"tileas-materialize-async", "tileas-materialize-schedule", "tileas-place-launch-control",
                      "tileas-place-barriers", "convert-tileas-control-flow"}},
      {.create = [] { return cluster::createTileASPlanCTA(); },
       .mustPrecede = {"tileaa-form-queues", "tileaa-slice-tiles", "convert-tileaa-to-tileas"},
       .mustFollow = {"convert-cudatile-to-tileaa"}},
      {.create = [] { return cluster::createPropagateExecutionUnit(); },
       .mustPrecede = {"optimize-execution-unit-mapping"},
       .mustFollow = {"tileas-materialize-schedule"}},
      {.create = [] { return cluster::createOptimizeExecutionUnitMapping(); },
       .mustPrecede = {"tileas-resolve-agent-boundary", "convert-tileas-control-flow"},
       .mustFollow = {"tileas-materialize-schedule"}},
      {.create = [] { return cluster::createTileASResolveAgentBoundary(); },
       .mustPrecede = {"convert-tileas-control-flow"},
       .mustFollow = {"tileas-materialize-schedule"}},
      {.create = [] { return cluster::createTileASPlaceGridDependencies(); },
       .mustPrecede = {"convert-nv-tile-func-to-llvm"},
       .mustFollow = {"convert-tileaa-to-tileas", "tileas-materialize-schedule", "tileas-resolve-agent-boundary"}}};
  for (const PassEntry &pass : passes)
    if (llvm::Error error = registry.addPass(pass))
      return error;
  return llvm::Error::success();
}

static constexpr PluginContents contents[] = {
    {PluginContents::Pass, "sink-negf-through-shapes"},
    {PluginContents::Pass, "tileaa-longest-first"},
    {PluginContents::Pass, "tileas-dynamic-persistent"},
    {PluginContents::Pass, "tileas-plan-cta"},
    {PluginContents::Pass, "tileas-insert-OCG-knobs"},
    {PluginContents::Pass, "propagate-execution-unit"},
    {PluginContents::Pass, "optimize-execution-unit-mapping"},
    {PluginContents::Pass, "tileas-resolve-agent-boundary"},
    {PluginContents::Pass, "tileas-place-grid-dependencies"},
    {PluginContents::Option,
     "dynamic-persistent",
     {PluginOption::Choice, "auto",
      "make kernels persistent, with dynamic distribution of work; auto: at -O3 on GPUs that hand out tile blocks, "
      "where "
      "that wins",
      "auto, true, false"}},
    {PluginContents::Option,
     "longest-first",
     {PluginOption::Bool, "true",
      "launch tile blocks whose loops are long before those whose loops are short, as far as the loops' bounds say "
      "it"}},
    {PluginContents::Option,
     "pdl",
     {PluginOption::Choice, "none",
      "programmatic dependent launch; auto: kernels wait for the grids before them at their first access to memory, "
      "and "
      "let those after them start after their last load, where the program does not say it",
      "none, auto"}},
    {PluginContents::Option,
     "raster",
     {PluginOption::String, "auto",
      "the order in which persistent kernels visit tile blocks: row, hilbert, group-m:N; auto: group-m:8 for "
      "MMAs"}},
    {PluginContents::Option,
     "ocg-knobs",
     {PluginOption::Bool, "false", "emit pragmas for ptxas builds that understand them"}},
    {PluginContents::Remarks, "cluster", {}, cluster::kRemarks},
};

TILEIRAS_PLUGIN("cluster", "0.1.0", "passes", "experimental", contents, activate)
