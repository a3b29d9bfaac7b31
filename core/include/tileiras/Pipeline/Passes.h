//===- Passes.h - Passes of the pipeline itself -----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PIPELINE_PASSES_H
#define TILEIRAS_PIPELINE_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tileiras {

#define GEN_PASS_DECL
#include "tileiras/Pipeline/Passes.h.inc"

/// `canonicalize` and `cse` as MLIR has them, except that they tell the analysis manager that schedules survive: they
/// may run between the generation and the materialisation of a schedule.
std::unique_ptr<mlir::Pass> createCanonicalize();
std::unique_ptr<mlir::Pass> createEliminateCommonSubexpressions();

} // namespace tileiras

#endif // TILEIRAS_PIPELINE_PASSES_H
