//===- AssignLayouts.cpp - tileas-assign-layouts --------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutAssignment.h"
#include "Passes.h"
#include "tileiras/Dialect/TileAA/ModuleTarget.h"

namespace tileiras::layout {
#define GEN_PASS_DEF_TILEASASSIGNLAYOUTS
#include "Passes.h.inc"

namespace {

struct TileASAssignLayouts : impl::TileASAssignLayoutsBase<TileASAssignLayouts> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileASAssignLayouts)
  using TileASAssignLayoutsBase::TileASAssignLayoutsBase;

  void runOnOperation() override {
    mlir::Operation *func = getOperation();
    if (mlir::failed(as::verifyTileShapes(func)))
      return signalPassFailure();
    LayoutAssignment assignment(&getContext());
    assignment.keepMemoryProducts(func);
    // What the assignment so far needed; what this one needs is made anew.
    func->walk([](as::ConvertLayoutOp conversion) {
      conversion.replaceAllUsesWith(conversion.getSource());
      conversion.erase();
    });
    if (mlir::failed(assignment.decide(func, findModuleTarget(func, gpuName))) ||
        mlir::failed(as::applyLayouts(func, assignment)))
      signalPassFailure();
  }
};

} // namespace
} // namespace tileiras::layout
