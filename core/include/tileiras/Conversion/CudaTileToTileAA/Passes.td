//===- Passes.td - cuda_tile to nv_tileaa ------------------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CONVERSION_CUDATILETOTILEAA_PASSES_TD
#define TILEIRAS_CONVERSION_CUDATILETOTILEAA_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertCudaTileToTileAA : Pass<"convert-cudatile-to-tileaa", "::mlir::ModuleOp"> {
  let summary = "Convert the public tile language to nv_tileaa";
  let description = [{
    Converts every `cuda_tile.module` of a builtin module into operations of the builtin module itself: kernels become
    `nv_tileaa.func`, tiles of rank 0 scalars, other tiles builtin tensors, control flow `scf`, arithmetic `arith` and
    `math` where these say what is meant. The module gets a `nv_tileaa.target_spec`, each kernel a `kernel_spec`.

    Hints of a kernel for the chip (or `default`) are honoured, or ignored with a remark. Those of loads and stores
    through views (`latency`, `allow_tma`) stay on them as notes, for the passes that make pipelines; where
    `warpgroup-products` does not say that there are such, they are ignored.
  }];
  let options = [
    Option<"computeCapability", "compute-capability", "unsigned", /*default=*/"0",
           "Compute capability of the GPU, ten times its major plus its minor number; required unless the module has "
           "a target_spec">,
    Option<"chip", "chip", "std::string", /*default=*/"\"\"",
           "Name of the GPU, which selects the optimization hints">,
    Option<"numWarps", "num-warps", "unsigned", /*default=*/"0",
           "Warps of a tile block, a power of two in 1..16; 0 chooses by the hints and the largest tile">,
    Option<"numCtas", "num-ctas", "unsigned", /*default=*/"0",
           "Thread blocks of a cluster, a power of two in 1..16; 0 takes what the hints say, else 1">,
    Option<"clusters", "clusters", "bool", /*default=*/"false",
           "Tile blocks are spread over clusters where the GPU has them: otherwise hints that ask for it are ignored with a warning">,
    Option<"checkAssumes", "check-assumes", "bool", /*default=*/"false",
           "Put an assert before each assumption: a false one ends the kernel, and says its place">,
    Option<"ftz", "ftz", "bool", /*default=*/"false",
           "Operations on f32 that can flush subnormal numbers to zero do, as if each had `flush_to_zero`">,
    Option<"approx", "approx", "bool", /*default=*/"false",
           "f32 divisions, square roots, exp and tanh that are to be rounded to nearest, or full, are approximate, as if "
           "each had `rounding<approx>`">,
    Option<"warpgroupProducts", "warpgroup-products", "bool", /*default=*/"false",
           "Choose warps for MMAs that warpgroups compute from shared memory, where the GPU has such instructions">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::tileiras::aa::TileAADialect"];
}

#endif // TILEIRAS_CONVERSION_CUDATILETOTILEAA_PASSES_TD
