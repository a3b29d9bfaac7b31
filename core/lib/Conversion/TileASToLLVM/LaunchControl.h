//===- LaunchControl.h - Taking over tile blocks by an instruction -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_LAUNCHCONTROL_H
#define TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_LAUNCHCONTROL_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace tileiras {
class LoweringContext;

/// Of what `tileas-place-launch-control` makes.
void populateLaunchControlPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);

} // namespace tileiras

#endif // TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_LAUNCHCONTROL_H
