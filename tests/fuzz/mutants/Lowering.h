//===- Lowering.h - The pipelines that mutants of inner IR go through -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_LOWERING_H
#define TILEIRAS_FUZZ_LOWERING_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "tileiras/Pipeline/Pipeline.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tileiras::fuzz {

/// What a profile does for a chip, down to the LLVM dialect.
struct Lowering {
  std::string gpuName, profile;
  PipelinePlan plan;

  size_t countPasses() const;
  /// The plan without its first passes.
  PipelinePlan dropFirst(size_t count) const;
  /// The first pass after the one of this name; 0 where there is none.
  size_t findAfter(llvm::StringRef pass) const;
};

/// Asks a compiler's session for the plan.
llvm::Expected<Lowering> loadLowering(llvm::StringRef gpuName, llvm::StringRef profile);

/// Calls `found` with the module as it is after each pass that succeeded, and the number of passes that have run.
void runInSteps(const Lowering &lowering, const Registry &registry, mlir::ModuleOp module,
                llvm::function_ref<void(mlir::ModuleOp, size_t)> found);

/// Runs a plan. A pass that succeeds and leaves IR that does not verify ends the process, with a message. The pass
/// `broken`, if it is not empty, leaves such IR.
mlir::LogicalResult runChecked(const PipelinePlan &plan, const Registry &registry, mlir::ModuleOp module,
                               llvm::function_ref<void(llvm::StringRef)> enter, llvm::StringRef broken = "");

/// One pass alone, on the module or on its functions, with the options that the plan gives it or its own; nothing where
/// it cannot be run alone.
std::optional<PipelinePlan> planPass(const PassEntry &pass, const Lowering &lowering, const Registry &registry,
                                     mlir::MLIRContext *context, bool asPlanned);

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_LOWERING_H
