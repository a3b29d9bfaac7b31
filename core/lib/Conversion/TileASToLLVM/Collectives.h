//===- Collectives.h - Scratch sizes of the collectives ---------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_COLLECTIVES_H
#define TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_COLLECTIVES_H

#include "Lowering.h"

namespace tileiras {

// Each says how much of the scratch area its lowering takes; used by getScratchBytes only.
int64_t getReduceScratchBytes(const LoweringContext &lowering, as::ReduceOp op);
int64_t getScanScratchBytes(const LoweringContext &lowering, as::ScanOp op);
int64_t getDotScratchBytes(const LoweringContext &lowering, as::DotOp op);
int64_t getSliceScratchBytes(const LoweringContext &lowering, mlir::Operation *op);
int64_t getAtomicScratchBytes(const LoweringContext &lowering, mlir::Operation *op);
int64_t getPrintScratchBytes(const LoweringContext &lowering, as::PrintOp op);

/// a · b + c in the arithmetic of the accumulator's type, through getDotScratchBytes of the scratch area.
mlir::Value emitFmaDot(Emitter &emit, const LoweringContext &lowering, as::DotOp op, mlir::Value a, mlir::Value b,
                       mlir::Value c);

} // namespace tileiras

#endif // TILEIRAS_LIB_CONVERSION_TILEASTOLLVM_COLLECTIVES_H
