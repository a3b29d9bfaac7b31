//===- Passes.td - The layout plugin's passes ---------------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_LAYOUT_PASSES
#define TILEIRAS_PLUGINS_LAYOUT_PASSES

include "mlir/Pass/PassBase.td"

def TileASAssignLayouts : InterfacePass<"tileas-assign-layouts", "mlir::FunctionOpInterface"> {
  let summary = "Choose the register layout of every tile";
  let description = [{
    Assigns new layouts, whatever the function had: tiles that belong together (by elementwise operations, by control
    flow) share one, chosen by the operation that gains most from it: MMAs first, then loads, then stores.
    Shape operations hand it on. `convert_layout` stands where two wishes meet; those that were there before are gone,
    and constants, splats and ranges are made in the layout of each user. What an operation wants it says itself,
    through LayoutOpInterface, ShapeLayoutOpInterface or ProductOpInterface; the target named by the module's
    `nv_tileaa.target_spec` names the atoms of MMAs.
  }];
  let options = [
    Option<"gpuName", "gpu-name", "std::string", "\"\"", "GPU to use where a module names none">,
  ];
  let dependentDialects = ["::tileiras::as::TileASDialect"];
}

def TileASAssignLoadStoreLayouts : InterfacePass<"tileas-assign-load-store-layouts", "mlir::FunctionOpInterface"> {
  let summary = "Choose the memory layout of what goes through pipelines";
  let description = [{
    Moves the stages of every pipeline from registers to shared memory. For each part of a payload the layouts that
    TMA and threads could use are collected, those that an MMA of warpgroups could not read are left out, and of
    the rest the one with the lowest cost wins: transactions of shared memory, cycles of tensor memory and live
    registers, weighted 1, 4 and 0.25.

    MMAs whose operands are entries, as loaded or renamed on the way, become MMAs of warpgroups where the target
    has them, and read the stage itself. All other readers copy it to registers first; producers copy what they load
    into the stage. Which MMA is not one of warpgroups, and why, is said by a remark.

    ```mlir
    %d, %next = nv_tileas.async.pipeline.consume_one %pipe[%i] : !nv_tileas.pipeline<4 x (tensor<128x64xf16, #blocked>, …)> -> … {
    ^bb0(%a: tensor<128x64xf16, #blocked>, %b: tensor<64x256xf16, #blocked>):
      …
      %d = nv_tileas.dot %a1, %b1, %acc1 atom = "mma.m16n8k16.f32.f16.f16" …
    // becomes
    %d, %next = nv_tileas.async.pipeline.consume_one %pipe[%i] : !nv_tileas.pipeline<4 x (tensor<128x64xf16, #shared>, …)> -> … {
    ^bb0(%a: tensor<128x64xf16, #shared>, %b: tensor<64x256xf16, #shared1>):
      %d = nv_tileas.dot %a, %b, %acc1 atom = "wgmma.m64n256k16.f32.f16.f16" …
    ```
  }];
  let options = [
    Option<"gpuName", "gpu-name", "std::string", "\"\"", "GPU to use where a module names none">,
    Option<"preferTma", "prefer-tma", "bool", "false",
           "Take layouts that TMA can fill, whatever the others cost">,
  ];
  let dependentDialects = ["::tileiras::as::TileASDialect"];
}

def TileASShareOperands : InterfacePass<"tileas-share-operands", "mlir::FunctionOpInterface"> {
  let summary = "Keep operands that a loop does not change in shared memory, where registers are short or not safe";
  let description = [{
    Where the accumulators of a loop's MMAs and their operands in registers take more than three
    quarters of the registers that a thread may have, operands A that are computed before the loop are copied to shared
    memory there (the largest first), in the layout that the MMAs can read, as far as there is room beside one stage
    of every pipeline. So does the hand-written attention kernel with its queries.

    Where MMAs take registers only and threads fill stages (compute capability below 9.0), MMAs read the fragments that
    they need anew in each iteration.

    Whatever the registers, an operand A of warpgroups that a loop does not change is copied there when another MMA of
    the loop has an operand of its own in registers: ptxas 13.0 may give that one the registers of the first, which the next iteration
    needs (wrong results on an H200, 2026-11-26). What it is computed from in the loop leaves the loop with it. Where
    there is no room, the lowering copies the registers in each iteration.

    ```mlir
    scf.for … { %s = nv_tileas.dot %q, %keys, %zero atom = "wgmma.m64n128k16.f32.f16.f16.ra" … }
    // becomes
    %buffer = nv_tileas.alloc_tensor : tensor<128x256xf16, #shared>
    nv_tileas.copy %q, %buffer …
    scf.for … { %s = nv_tileas.dot %buffer, %keys, %zero atom = "wgmma.m64n128k16.f32.f16.f16" … }
    ```
  }];
  let options = [
    Option<"gpuName", "gpu-name", "std::string", "\"\"", "GPU to use where a module names none">,
  ];
  let dependentDialects = ["::tileiras::as::TileASDialect"];
}

def TileASStageProducts : InterfacePass<"tileas-stage-products", "mlir::FunctionOpInterface"> {
  let summary = "Let warpgroups compute MMAs whose operands are in registers";
  let description = [{
    MMAs that no stage of a pipeline feeds, outside of loops or of what a loop computes: where instructions of warpgroups
    compute them with accumulators in registers (`wgmma`), both operands are copied to shared memory, as far as there is
    room. Single warps would exchange them through shared memory as well.

    ```mlir
    %d = nv_tileas.dot %a, %b, %c atom = "mma.m16n8k16.f32.f16.f16" …
    // becomes
    %x = nv_tileas.alloc_tensor : tensor<64x64xf16, #shared>
    nv_tileas.copy %a, %x …
    %y = nv_tileas.alloc_tensor : tensor<64x64xf16, #shared>
    nv_tileas.copy %b, %y …
    %d = nv_tileas.dot %x, %y, %c atom = "wgmma.m64n64k16.f32.f16.f16" …
    ```
  }];
  let options = [
    Option<"gpuName", "gpu-name", "std::string", "\"\"", "GPU to use where a module names none">,
  ];
  let dependentDialects = ["::tileiras::as::TileASDialect"];
}

def TileASRelaxOccupancy : InterfacePass<"tileas-relax-occupancy", "mlir::FunctionOpInterface"> {
  let summary = "Lower the occupancy that a hint asks for until tiles fit in registers";
  let description = [{
    More blocks on a multiprocessor leave each thread fewer registers. Where the estimate of what the tiles need is more
    than a tenth above that, they would be spilled to local memory in each iteration; so the occupancy in `kernel_spec`
    becomes the largest one, up to that of the hint, with which they fit, or 1. A remark gives the numbers.
  }];
  let options = [
    Option<"gpuName", "gpu-name", "std::string", "\"\"", "GPU to use where a module names none">,
  ];
}

def TileASMergeReductions : InterfacePass<"tileas-merge-reductions", "mlir::FunctionOpInterface"> {
  let summary = "Reduce several tiles in one exchange between warps";
  let description = [{
    Warps that share an axis write their parts of a reduction to shared memory and meet at a barrier. Reductions of one
    block along one axis, of tiles with one shape and layout, whose elements may be combined in any order and none of
    which needs another's result, become one reduction of several tiles: its parts pass through shared memory together.
    What a later one reads is computed earlier for that, unless a tile would have to be kept for other uses. Exchanges of
    more than 1 KiB stay apart, which take longer than their barriers.

    ```mlir
    %top = nv_tileas.reduce %x … { arith.maximumf }
    …
    %sum = nv_tileas.reduce %y … { arith.addf }
    // becomes
    %top, %sum = nv_tileas.reduce %x, %y … { arith.maximumf, arith.addf }
    ```
  }];
  let statistics = [Statistic<"numMerged", "merged", "reductions that another one has taken">];
}

def TileASMaterializeConvertLayout : InterfacePass<"tileas-materialize-convert-layout", "mlir::FunctionOpInterface"> {
  let summary = "Choose how tiles come from one layout into another";
  let description = [{
    Each `convert_layout` gets the plan with the lowest cost for each byte that is within bounds. One within registers
    (tag 0: nothing to do, a permutation, shuffles) is recorded in `atom_plan` and stays one operation, for which the
    lowering does what the plan says. One through shared memory (tag 1) goes through the memory that all exchanges of
    the function share, and stays one operation, too; or, where that costs less, through a tile of its own in the
    swizzled layout that suits both sides, with a copy into it and a copy out of it, which name the instructions that
    move it; the latter has the plan. A tile that does not fit into shared memory at once beside the function's others
    goes through the memory of exchanges in rounds; a remark says so.

    ```mlir
    %1 = nv_tileas.convert_layout %0 : tensor<128x64xf16, #rows> -> tensor<128x64xf16, #columns>
    // becomes
    %tmp = nv_tileas.alloc_tensor : tensor<128x64xf16, #smem>
    nv_tileas.copy %0, %tmp atom = "st.shared" : tensor<128x64xf16, #rows>, tensor<128x64xf16, #smem>
    %1 = nv_tileas.copy %tmp atom = "ld.shared" {atom_plan = #nv_tileas.atom_plan<tag = 1, atom = "ld.shared", smem = #smem>}
        : tensor<128x64xf16, #smem> -> tensor<128x64xf16, #columns>
    ```
  }];
  let options = [
    Option<"gpuName", "gpu-name", "std::string", "\"\"", "GPU to use where a module names none">,
    Option<"reg2regVecSize", "reg2reg-vec-size", "unsigned", "16",
           "Most bytes that a copy from registers to registers moves at once; below 16 its values are moved one by one, "
           "and what starts such a conversion is marked with nv_tileas.root_reg_to_reg_copy_op">,
    Option<"reinterpretToI8", "reinterpret-to-i8", "bool", "false",
           "Let tiles of floating-point numbers of 8 bits or less go through shared memory as bytes">,
    Option<"ownTiles", "own-tiles", "bool", "false",
           "Give each conversion through shared memory a tile of its own, not only where that costs less">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tileiras::as::TileASDialect"];
}

def TileASRemoveBufferAlias : InterfacePass<"tileas-remove-buffer-alias", "mlir::FunctionOpInterface"> {
  let summary = "Refer to tiles in memory by their allocation alone";
  let description = [{
    A tile in memory that is selected from others, comes out of a branch or is loop-carried is replaced by the
    allocation, or the stage of a pipeline, that it is on every path, seen as it was seen there. Loop-carried tiles in
    memory disappear. Of two places in one allocation the position is selected, not the tile. Where there are several
    allocations, or none can be found, that is an error: buffer assignment needs to know each use of each allocation.

    ```mlir
    %a = nv_tileas.alloc_tensor {stages = 2} : tensor<128x64xf16, #shared>
    %b = nv_tileas.view %a {offset = 8192 : i64} : tensor<128x64xf16, #shared> -> tensor<128x64xf16, #shared>
    %buffer = arith.select %flag, %a, %b : tensor<128x64xf16, #shared>
    // becomes
    %position = arith.select %flag, %c0, %c8192 : i32
    %buffer = nv_tileas.view %a at %position : tensor<128x64xf16, #shared> -> tensor<128x64xf16, #shared>

    %a = nv_tileas.alloc_tensor : tensor<128x64xf16, #shared>
    %b = scf.for … iter_args(%buffer = %a) -> tensor<128x64xf16, #shared> { use %buffer … scf.yield %a : … }
    // becomes
    %a = nv_tileas.alloc_tensor : tensor<128x64xf16, #shared>
    scf.for … { use %a … }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tileiras::as::TileASDialect"];
}

def TileASRemoveLayoutConversions : InterfacePass<"tileas-remove-layout-conversions", "mlir::FunctionOpInterface"> {
  let summary = "Commute and delete layout conversions that are not needed";
  let description = [{
    Two propagations, then a cleanup, a rewrite of operations with regions, and two more cleanups. Copies out of memory
    bring their tile into the layout that is asked for, and so do loads that only the conversion uses, where that
    costs no more than to load the tile as before and to convert it; operations on elements take over the layout that all their
    operands are converted from; scf.if, consumers and pragmas yield tiles as they are, to be converted outside.
    Conversions between registers and memory are copies: they are never touched. What is left is needed, or would only
    move.

    ```mlir
    %t = nv_tileas.copy %buffer atom = "universal_copy" : tensor<64x64xf16, #shared> -> tensor<64x64xf16, #blocked>
    %c = nv_tileas.convert_layout %t : tensor<64x64xf16, #blocked> -> tensor<64x64xf16, #dot_a>
    // becomes
    %c = nv_tileas.copy %buffer atom = "universal_copy" : tensor<64x64xf16, #shared> -> tensor<64x64xf16, #dot_a>
    ```
  }];
  let dependentDialects = ["::tileiras::as::TileASDialect"];
}

def TileASRemoveDeadArgs : InterfacePass<"tileas-remove-dead-args", "mlir::FunctionOpInterface"> {
  let summary = "Remove unused block arguments from region-branch operations";
  let description = [{
    Drops every block argument of a region-branch operation that nothing in its region uses, together with the incoming
    operands and the result it stands for. An argument that is only handed back to its own position counts as unused: its
    result is its initial value.

    ```mlir
    %r:2 = scf.for … iter_args(%acc = %init, %dead = %x) -> (tensor<…>, tensor<…>) { … scf.yield %new, %dead : … }
    // becomes
    %r = scf.for … iter_args(%acc = %init) -> (tensor<…>) { … scf.yield %new : … }
    ```
  }];
}

def TileASSlicing : InterfacePass<"tileas-slicing", "mlir::FunctionOpInterface"> {
  let summary = "Split loops that have a `sliceCount` into one loop for each slice";
  let description = [{
    A `scf.for` with the attribute `sliceCount` = N becomes N loops that follow each other, each over an equal part of the
    iterations (the first ones have one more where N does not divide them), so that what follows may treat them
    differently. A loop starts with the values that the one before it ends with; a loop without iterations hands them on.
    The attribute is an integer from 1 to the number of iterations, and 1024 at most; the lower bound has to be known from
    constants and loops around. `slice-count` asks for the same of each outermost loop that has no attribute; one that
    cannot be sliced stays whole, with a remark. Tiles that registers have no room for are sliced, with the operations
    that they are operands of, by `tileaa-slice-tiles`, before they have layouts.

    ```mlir
    %r = scf.for %i = %c0 to %c64 step %c1 iter_args(%acc = %init) -> … { … } {sliceCount = 2 : i32}
    // becomes
    %s = scf.for %i = %c0 to %c32 step %c1 iter_args(%acc = %init) -> … { … }
    %r = scf.for %i = %c32 to %c64 step %c1 iter_args(%acc = %s) -> … { … }
    ```
  }];
  let options = [
    Option<"sliceCount", "slice-count", "unsigned", "0",
           "Split each outermost loop that has no attribute into so many slices; 0 and 1: none">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

#endif // TILEIRAS_PLUGINS_LAYOUT_PASSES
