//===- PlaceGridDependencies.cpp - tileas-place-grid-dependencies ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only operations of the function itself are looked between, never in loops or branches: every thread waits, and once.
// A kernel that touches no memory waits, too: whoever waits for it counts on those before it. When other grids may
// start is only a matter of speed: where one agent alone loads, it says so.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "tileiras/Diagnostics/Remarks.h"
#include "tileiras/Dialect/TileAA/ModuleTarget.h"
#include "tileiras/Dialect/TileAA/TileAA.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Dialect/TileAS/TileAS.h"

using namespace mlir;

namespace tileiras::cluster {
#define GEN_PASS_DEF_TILEASPLACEGRIDDEPENDENCIES
#include "Passes.h.inc"

namespace {

/// What is not known to leave memory alone accesses it: memory of the block itself, too, which comes later than the
/// first access to that of others in any case.
bool accessesMemory(Operation &op) {
  const std::optional<SmallVector<MemoryEffects::EffectInstance>> effects = getEffectsRecursively(&op);
  return !effects || llvm::any_of(*effects, [](const MemoryEffects::EffectInstance &effect) {
    return isa<MemoryEffects::Read, MemoryEffects::Write>(effect.getEffect());
  });
}

bool readsGlobalMemory(Operation &op) {
  return op
      .walk([](Operation *inner) {
        const bool reads =
            isa<as::TiledLoadOp, as::LoadOp, as::AsyncTiledLoadOp, as::AsyncLoadOp, as::AsyncTiledTmaLoadOp,
                as::AsyncGatherTmaLoadOp, as::TiledAtomicRMWOp, as::AtomicRMWOp, as::AtomicCASOp>(inner);
        return reads ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

Operation *findLastLoad(Block &body) {
  auto last = llvm::find_if(llvm::reverse(body), readsGlobalMemory);
  return last == body.rend() ? nullptr : &*last;
}

/// The only agent that loads; null if there are several.
Region *findLoadingAgent(as::AgentSwitchOp agents) {
  Region *loading = nullptr;
  for (Region &agent : agents->getRegions()) {
    if (agent.empty() || !findLastLoad(agent.front()))
      continue;
    if (std::exchange(loading, &agent))
      return nullptr;
  }
  return loading;
}

struct TileASPlaceGridDependencies : impl::TileASPlaceGridDependenciesBase<TileASPlaceGridDependencies> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileASPlaceGridDependencies)

  void runOnOperation() override {
    auto kernel = dyn_cast<aa::FuncOp>(getOperation().getOperation());
    if (!kernel || !kernel.isKernel() || kernel.isExternal())
      return;
    const ChipTarget target = findModuleTarget(kernel, "");
    if (!target || !target.chip->features.griddepcontrol) {
      remarkOn(kernel, Missed::GridDependency) << "the GPU starts a kernel when those before it have ended";
      return;
    }
    if (hasOwn(kernel)) {
      remarkOn(kernel, Missed::GridDependency) << "the program has its own grid dependency control";
      return;
    }
    place(kernel.getFunctionBody().front());
    remarkOn(kernel, Analysis::GridDependency)
        << "waits for the grids before it at its first access to memory, and lets those after it start after its last "
           "load; launch it with programmatic stream serialisation";
  }

  static bool hasOwn(aa::FuncOp kernel) {
    return kernel
        .walk([](Operation *op) {
          return isa<aa::GdcWaitOp, aa::GdcLaunchDependentsOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  static void place(Block &body) {
    Operation *first = body.getTerminator();
    if (auto access = llvm::find_if(body.without_terminator(), accessesMemory);
        access != body.without_terminator().end())
      first = &*access;
    OpBuilder builder(first);
    auto wait = aa::GdcWaitOp::create(builder, first->getLoc(), /*result_token=*/Type(), /*token=*/Value());
    Operation *last = findLastLoad(body);
    if (auto agents = dyn_cast_if_present<as::AgentSwitchOp>(last))
      if (Region *agent = findLoadingAgent(agents))
        last = findLastLoad(agent->front());
    if (!last)
      last = wait;
    builder.setInsertionPointAfter(last);
    aa::GdcLaunchDependentsOp::create(builder, last->getLoc(), /*result_token=*/Type(), /*token=*/Value());
  }
};

} // namespace
} // namespace tileiras::cluster
