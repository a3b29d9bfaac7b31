//===- Passes.td - From nv_tileaa to nv_tileas -------------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_TILEAATOTILEAS_PASSES_TD
#define TILEIRAS_CONVERSION_TILEAATOTILEAS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertTileAAToTileAS : Pass<"convert-tileaa-to-tileas", "::mlir::ModuleOp"> {
  let summary = "Give every tile a register layout and every access an atom";
  let description = [{
    Rewrites each `nv_tileaa.func` to `nv_tileas`. Every tile gets the default layout of its shape, with
    `convert_layout` wherever an operation needs or gives it in another one; a pass that chooses layouts may assign
    others. The target named by the module's `nv_tileaa.target_spec` tells which MMAs tensor cores take;
    without a target all of them become ordinary arithmetic.
  }];
  let options = [
    Option<"gpuName", "gpu-name", "std::string", "\"\"", "GPU to use where a module names none">,
    Option<"blockScale", "block-scale", "std::string", "\"hardware\"",
           "emulate: multiply the scales of block-scaled MMAs into their operands, even where there is hardware">,
    Option<"positiveScales", "positive-scales", "bool", /*default=*/"false",
           "No scale of type f8E4M3FN is negative: the program promises that">,
  ];
  let dependentDialects = ["::tileiras::as::TileASDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TileAAPackOperands : Pass<"tileaa-pack-operands", "::mlir::ModuleOp"> {
  let summary = "Pack operands of four bits where instructions read them from memory";
  let description = [{
    Instructions that read block-scaled operands of f4E2M1FN from shared memory find two of them in a byte. So do
    programs: where they unpack bytes for an MMA that such an instruction computes, the MMA takes the bytes; where
    they make such tiles otherwise, these are packed.
  }];
  let options = [
    Option<"gpuName", "gpu-name", "std::string", "\"\"", "GPU to use where a module names none">,
    Option<"blockScale", "block-scale", "std::string", "\"hardware\"", "emulate: change nothing">,
  ];
  let dependentDialects = ["::tileiras::aa::TileAADialect", "::tileiras::as::TileASDialect"];
}

def TileASStageOperands : Pass<"tileas-stage-operands"> {
  let summary = "Put operands into shared memory for MMAs that have no other instruction";
  let description = [{
    MMAs whose atom is still "unplaced", because only instructions that read shared memory compute them, and which no
    stage of a pipeline feeds as it is: their operands are copied there, with K contiguous, from registers.
  }];
  let options = [
    Option<"gpuName", "gpu-name", "std::string", "\"\"", "GPU to use where a module names none">,
  ];
  let dependentDialects = ["::tileiras::as::TileASDialect"];
}

def VerifyTileASOps : Pass<"tileir-verify-ops-analysis", "::mlir::ModuleOp"> {
  let summary = "Check that a program is fit for the lowering to LLVM";
  let description = [{
    Every tensor has a layout for the kernel's number of warps, every atom is one of the target's, and no operation is
    left that has no lowering. Operations of the LLVM and NVVM dialects are lowered already: they may stand among
    tiles, but what they do to memory and who waits for whom in them is their author's business. Changes nothing.
  }];
  let options = [
    Option<"gpuName", "gpu-name", "std::string", "\"\"", "GPU to use where a module names none">,
  ];
}

#endif // TILEIRAS_CONVERSION_TILEAATOTILEAS_PASSES_TD
