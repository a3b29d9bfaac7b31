//===- NvidiaTarget.h - What NVIDIA's GPUs have in common -------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The base of the targets of NVIDIA's GPUs: a plugin says what its chips have, and adds the patterns of instructions
// that only they have.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_NVIDIA_NVIDIATARGET_H
#define TILEIRAS_NVIDIA_NVIDIATARGET_H

#include "tileiras/Target/Target.h"

namespace tileiras {

class NvidiaTarget : public DescribedTarget {
public:
  using DescribedTarget::DescribedTarget;

  /// Exchanges within a cluster; TMA and tensor maps, and requests of further tile blocks, where the chip has them.
  /// Overriders add theirs and call this.
  void populateLowering(const LoweringContext &lowering, mlir::RewritePatternSet &patterns) const override;
  /// Registers that asynchronous MMAs read and write are theirs alone until the MMAs are complete.
  void prepareLowering(const LoweringContext &lowering, mlir::ModuleOp module) const override;
};

} // namespace tileiras

#endif // TILEIRAS_NVIDIA_NVIDIATARGET_H
