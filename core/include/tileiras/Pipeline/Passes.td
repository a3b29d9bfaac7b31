//===- Passes.td - Passes of the pipeline itself -----------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PIPELINE_PASSES_TD
#define TILEIRAS_PIPELINE_PASSES_TD

include "mlir/Pass/PassBase.td"

def InsertDebugScope : Pass<"tileir-insert-debug-scope", "::mlir::ModuleOp"> {
  let summary = "Convert source locations into debug scopes that LLVM understands";
  let description = [{
    Every function with a body gets a subprogram, from the `cuda_tile` debug attributes its location carries or else from
    its file and line. Locations of operations become file, line and column in the scope of that subprogram; code that
    was inlined from another function keeps that function's scope.

    Runs right after the frontend conversion, before transformations scatter locations.
  }];
  let options = [
    Option<"full", "full", "bool", "false", "Describe code for a debugger; otherwise only emit line tables, which leave "
           "the generated code as it is">,
    Option<"optimized", "optimized", "bool", "true", "Whether the code is optimised">,
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def PrintSnapshot : Pass<"tileir-print-snapshot"> {
  let summary = "Print the IR with its locations, for correlation with line information";
  let description = [{
    A pure diagnostic: writes the IR to standard error between two marker lines that carry the tag. Nothing changes and
    all analyses stay valid.
  }];
  let options = [
    Option<"tag", "tag", "std::string", "\"snapshot\"", "Name of the snapshot">,
  ];
}

def CheckPassFailures : Pass<"tileir-check-pass-failures"> {
  let summary = "Fail where a pass has given up on a function or a loop";
  let description = [{
    A pass that cannot do its work leaves a function or a loop valid, says why, and marks it: `nv_tileas.pass_failures`
    names the passes. Where it has said an error, this pass fails, unless `soft` names the pass that gave up. Where it has
    said a remark (`{missed = "…"}`), this pass fails only if `hard` names it. The marks are removed.
  }];
  let options = [
    ListOption<"soft", "soft", "std::string", "Passes without whose work the function may be compiled">,
    ListOption<"hard", "hard", "std::string", "Passes that must not leave anything as it was">,
  ];
}

#endif // TILEIRAS_PIPELINE_PASSES_TD
