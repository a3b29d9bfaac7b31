//===- DialectLowering.h - How a dialect takes part in the lowering --*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `convert-tileas-to-llvm` lowers the operations of every loaded dialect with this interface. A plugin that brings a
// dialect attaches one to it, in the dialect's initialize() or by an extension of the dialect registry.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LOWERING_DIALECTLOWERING_H
#define TILEIRAS_LOWERING_DIALECTLOWERING_H

#include "mlir/IR/DialectInterface.h"
#include "tileiras/Lowering/TilePattern.h"

namespace tileiras {

class DialectLowering : public mlir::DialectInterface::Base<DialectLowering> {
public:
  explicit DialectLowering(mlir::Dialect *dialect) : Base(dialect) {}
  ~DialectLowering() override;

  /// Whether `op`, of this dialect, may stand in an nv_tileas function that is lowered.
  virtual bool hasLowering(mlir::Operation *op) const { return true; }

  /// Adds the patterns for the dialect's operations. `lowering` outlives them.
  virtual void populateLowering(const LoweringContext &lowering, mlir::RewritePatternSet &patterns) const {}
};

/// Attaches the interface, and the others that lowering asks for, to MLIR's dialects and those of the core.
void registerCoreLowering(mlir::DialectRegistry &registry);

} // namespace tileiras

#endif // TILEIRAS_LOWERING_DIALECTLOWERING_H
