//===- DynamicPersistent.cpp - tileas-dynamic-persistent -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "PersistenceChoice.h"
#include "Raster.h"
#include "Remarks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "tileiras/Dialect/TileAA/Clusters.h"
#include "tileiras/Dialect/TileAA/ModuleTarget.h"
#include "tileiras/Dialect/TileAA/TileAA.h"

using namespace mlir;

namespace tileiras::cluster {
#define GEN_PASS_DEF_TILEASDYNAMICPERSISTENT
#include "Passes.h.inc"

namespace {

constexpr unsigned kAxes = 3;

bool isPersistent(aa::FuncOp kernel) {
  return kernel
      .walk([](scf::WhileOp loop) {
        const bool checks = !loop.getBeforeBody()->getOps<aa::IsValidProgramIdOp>().empty();
        return checks ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Memory of the tile block is made once, and every program has it anew.
bool isMadeOnce(Operation &op) {
  return isa<aa::AllocaOp>(op);
}

class PersistentKernel {
public:
  PersistentKernel(aa::FuncOp kernel, const Raster &raster, bool hasLaunchControl)
      : kernel(kernel), raster(raster), hasLaunchControl(hasLaunchControl), entry(kernel.getBody().front()) {}

  void make() {
    SmallVector<Operation *> body;
    for (Operation &op : entry.without_terminator())
      if (!isMadeOnce(op))
        body.push_back(&op);
    OpBuilder builder(entry.getTerminator());
    const Location location = kernel.getLoc();
    auto loop = scf::WhileOp::create(
        builder, location, SmallVector<Type>(kAxes, builder.getI32Type()), emitFirst(builder, location),
        [](OpBuilder &inner, Location at, ValueRange ids) {
          Value isValid = aa::IsValidProgramIdOp::create(inner, at, ids[0], ids[1], ids[2]);
          scf::ConditionOp::create(inner, at, isValid, ids);
        },
        [](OpBuilder &inner, Location at, ValueRange ids) {
          auto next = aa::CancelNextProgramIdOp::create(inner, at, ids[0], ids[1], ids[2]);
          scf::YieldOp::create(inner, at, ValueRange(next->getResults()).take_front(kAxes));
        });
    Operation *next = &loop.getAfterBody()->front();
    for (Operation *op : body)
      op->moveBefore(next);
    replaceProgramIds(loop);
    if (!hasLaunchControl)
      kernel.setOnlyResidentBegin(true);
    moveLoopInvariantCode(loop);
  }

private:
  Value emitId(OpBuilder &builder, Location location, unsigned axis) {
    return aa::GetProgramIdOp::create(builder, location, static_cast<aa::GridAxis>(axis));
  }
  Value emitExtent(OpBuilder &builder, Location location, unsigned axis) {
    return aa::GetNumProgramsOp::create(builder, location, static_cast<aa::GridAxis>(axis));
  }

  /// The tile block's own program. Where others are taken over by a stride, only as many begin as run at once.
  SmallVector<Value> emitFirst(OpBuilder &builder, Location location) {
    SmallVector<Value> ids, extents;
    for (unsigned axis = 0; axis < kAxes; ++axis) {
      ids.push_back(emitId(builder, location, axis));
      extents.push_back(emitExtent(builder, location, axis));
    }
    if (hasLaunchControl)
      return ids;
    auto widen = [&](Value value) -> Value {
      return arith::ExtUIOp::create(builder, location, builder.getI64Type(), value);
    };
    auto mulAdd = [&](Value a, Value b, Value c) -> Value {
      Value addend = widen(c), factor = widen(b);
      return arith::AddIOp::create(builder, location, arith::MulIOp::create(builder, location, a, factor), addend);
    };
    Value number = mulAdd(mulAdd(widen(ids[2]), extents[1], ids[1]), extents[0], ids[0]);
    Value resident = widen(aa::GetNumResidentProgramsOp::create(builder, location));
    Value begins = arith::CmpIOp::create(builder, location, arith::CmpIPredicate::ult, number, resident);
    Value none = arith::ConstantIntOp::create(builder, location, builder.getI32Type(), -1);
    for (Value &id : ids)
      id = arith::SelectOp::create(builder, location, begins, id, none);
    return ids;
  }

  /// Programs are numbered in the order of the grid, and visited in that of the raster.
  void replaceProgramIds(scf::WhileOp loop) {
    SmallVector<aa::GetProgramIdOp> ids;
    loop.getAfterBody()->walk([&](aa::GetProgramIdOp id) { ids.push_back(id); });
    OpBuilder builder(loop);
    const Location location = kernel.getLoc();
    Value width = emitExtent(builder, location, 0), depth = emitExtent(builder, location, 1);
    builder.setInsertionPointToStart(loop.getAfterBody());
    SmallVector<Value> visited(loop.getAfterArguments());
    std::tie(visited[0], visited[1]) = raster.emitVisit(builder, location, visited[0], visited[1], width, depth);
    for (aa::GetProgramIdOp id : ids) {
      id.replaceAllUsesWith(emitPosition(id, visited[static_cast<unsigned>(id.getAxis())]));
      id.erase();
    }
  }

  /// Of the program that is visited, as `id` counts.
  Value emitPosition(aa::GetProgramIdOp id, Value visited) {
    if (!id.getDescending())
      return visited;
    OpBuilder builder(id);
    Value extent = aa::GetNumProgramsOp::create(builder, id.getLoc(), id.getAxis());
    Value last = arith::SubIOp::create(builder, id.getLoc(), extent,
                                       arith::ConstantIntOp::create(builder, id.getLoc(), builder.getI32Type(), 1));
    return arith::SubIOp::create(builder, id.getLoc(), last, visited);
  }

  aa::FuncOp kernel;
  const Raster &raster;
  const bool hasLaunchControl;
  Block &entry;
};

struct TileASDynamicPersistent : impl::TileASDynamicPersistentBase<TileASDynamicPersistent> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileASDynamicPersistent)
  using TileASDynamicPersistentBase::TileASDynamicPersistentBase;

  void runOnOperation() override {
    auto kernel = dyn_cast<aa::FuncOp>(getOperation().getOperation());
    if (!kernel || !kernel.isKernel() || kernel.isExternal())
      return;
    const ChipTarget target = findModuleTarget(kernel, "");
    if (isPersistent(kernel)) {
      if (!onlyWhereItWins)
        kernel.emitWarning("Kernel is already dynamic persistent");
      return;
    }
    if (onlyWhereItWins && !wins(kernel, target))
      return;
    const std::optional<Raster> order = chooseRaster(kernel, target);
    if (!order) {
      kernel.emitError("invalid raster '") << raster << "': expected auto, row, hilbert or group-m:N";
      return signalPassFailure();
    }
    PersistentKernel(kernel, *order, hasLaunchControl(target)).make();
  }

  static bool hasLaunchControl(const ChipTarget &target) {
    return target && target.chip->features.clusterlaunchcontrol;
  }

  bool wins(aa::FuncOp kernel, const ChipTarget &target) {
    const PersistenceChoice choice = choosePersistence(kernel, target, numStages, hasAgents);
    if (choice.isPersistent)
      remarkOn(kernel, Analysis::Persistent) << "takes over other tile blocks: " + choice.reason;
    else if (!choice.reason.empty())
      remarkOn(kernel, Missed::Persistent) << "runs one tile block: " + choice.reason;
    return choice.isPersistent;
  }

  /// Products of neighbours share operands. Who looks at x only has an order of its own.
  std::optional<Raster> chooseRaster(aa::FuncOp kernel, const ChipTarget &target) {
    if (raster != "auto")
      return Raster::parse(raster);
    bool hasProduct = false, looksAtY = false;
    kernel.walk([&](Operation *op) {
      hasProduct |= isa<aa::DotOp, aa::MmaBlockScaleOp>(op);
      if (auto position = dyn_cast<aa::GetProgramIdOp>(op))
        looksAtY |= position.getAxis() == aa::GridAxis::Y && !position.use_empty();
    });
    return hasProduct && looksAtY ? Raster{Raster::Group, unsigned(target.tuning().rasterGroup)} : Raster{Raster::Row};
  }
};

} // namespace
} // namespace tileiras::cluster
