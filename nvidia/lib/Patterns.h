//===- Patterns.h - The families of patterns, one file each -----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_NVIDIA_PATTERNS_H
#define TILEIRAS_LIB_NVIDIA_PATTERNS_H

#include "tileiras/Lowering/TilePattern.h"

namespace tileiras {

void populateClusterExchangePatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
/// Requests of tile blocks that have not started: the chip has `clusterlaunchcontrol`.
void populateLaunchControlPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
/// Rows of matrices, each from or to a place of its own.
void populateRowCopyPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populateTensorCopyPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);
void populateTensorMapPatterns(const LoweringContext &lowering, mlir::RewritePatternSet &patterns);

} // namespace tileiras

#endif // TILEIRAS_LIB_NVIDIA_PATTERNS_H
