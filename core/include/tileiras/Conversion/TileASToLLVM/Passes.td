//===- Passes.td - From nv_tileas to the LLVM dialect ------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_TILEASTOLLVM_PASSES_TD
#define TILEIRAS_CONVERSION_TILEASTOLLVM_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertNvTileFuncToLLVM : Pass<"convert-nv-tile-func-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Convert nv_tileaa functions to LLVM functions with the kernel ABI";
  let description = [{
    Kernels take their parameters in order, pointers and scalars by value, and carry their launch shape as NVVM
    attributes. Bodies stay as they are, with casts at the entry. Runs before `convert-tileas-to-llvm`.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ConvertTileASToLLVM : Pass<"convert-tileas-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Convert nv_tileas, and what may stand beside it, to the LLVM and NVVM dialects";
  let description = [{
    Places the barriers that tile semantics need, lays out shared memory, turns `scf` into branches and converts every
    operation to what one thread does. Expects `convert-nv-tile-func-to-llvm` to have run and the module to carry
    `nv_tileaa.target_spec`.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::cf::ControlFlowDialect"];
  let options = [
    Option<"deviceDebug", "device-debug", "bool", "false",
           "The code is assembled for debugging, where registers cannot be spilled to shared memory">,
  ];
}

def FinalizeLLVMKernel : Pass<"tileir-finalize-llvm-kernel", "::mlir::ModuleOp"> {
  let summary = "Check that only LLVM remains and let the target make its last changes";
}

#endif // TILEIRAS_CONVERSION_TILEASTOLLVM_PASSES_TD
