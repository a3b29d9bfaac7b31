//===- Passes.td - The cluster plugin's passes --------------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_CLUSTER_PASSES
#define TILEIRAS_PLUGINS_CLUSTER_PASSES

include "mlir/Pass/PassBase.td"

def TileASSinkNegF : InterfacePass<"sink-negf-through-shapes", "mlir::FunctionOpInterface"> {
  let summary = "Move negf before shape operations";
  let description = [{
    `negf(broadcast(x))` becomes `broadcast(negf(x))`, and likewise for `expand_dims`: less work, and the sign ends up
    where an MMA can take it as an operand modifier.
  }];
  let dependentDialects = ["tileiras::as::TileASDialect", "mlir::arith::ArithDialect"];
}

def PropagateExecutionUnit : Pass<"propagate-execution-unit", "mlir::ModuleOp"> {
  let summary = "propagate the numWarps for each agent";
  let description = [{
    `nv_tileas.num_warps` of an operation, and the layouts of tiles, say how many warps run an agent. The number goes up
    through `scf.for`, `scf.if`, `scf.while` and functions, and to the agents of operations whose warps are not mapped
    yet; an agent without tiles runs in one warp. Operations of an agent that disagree are an error.

    ```mlir
    nv_tileas.async.pipeline.agent_switch { … : tensor<64x64xf32, #eight_warps> … }, { produce_one … }
    // becomes
    nv_tileas.async.pipeline.agent_switch attributes {nv_tileas.num_warps = array<i32: 8, 1>} …
    ```
  }];
  let dependentDialects = ["tileiras::as::TileASDialect", "tileiras::aa::TileAADialect"];
}

def OptimizeExecutionUnitMapping : Pass<"optimize-execution-unit-mapping", "mlir::ModuleOp"> {
  let summary = "Optimize the numWarps and warpId alignment for each agent";
  let description = [{
    Agents get their warps: those of whole warpgroups first, else in their order, each from a multiple of its own number
    on. An agent that changes its registers (`max_regs`) shares a warpgroup with nobody. Warps left free in between are a
    hole, an agent of one warp with nothing to do, whose stride is their number. The warps of the kernel end with a
    warpgroup. How many an agent has is said by `num_warps`, else by what `propagate-execution-unit` finds. Agents that
    are aligned already are left alone.

    ```mlir
    nv_tileas.async.pipeline.agent_switch attributes {nv_tileas.num_warps = array<i32: 1, 4, 8>} {A}, {B}, {C}
    // becomes, in a kernel of 20 warps
    nv_tileas.async.pipeline.agent_switch attributes {agent_strides = array<i32: 4, 4, 8, 1>,
        num_warps = array<i32: 4, 1, 8, 1>, warp_id = array<i32: 0, 4, 8, 16>} {B}, {}, {C}, {A}
    ```
  }];
  let dependentDialects = ["tileiras::as::TileASDialect", "tileiras::aa::TileAADialect"];
}

def TileASResolveAgentBoundary : InterfacePass<"tileas-resolve-agent-boundary", "mlir::FunctionOpInterface"> {
  let summary = "Hand tiles over to the agents that use them";
  let description = [{
    The threads of an agent hold no part of a tile that the function around has made. A tile that is cheap to make from
    what all threads know is made again in the agent; any other goes through shared memory, where the agent reads it in
    the layout that it wants, with a remark. Values that all threads have stay as they are.

    ```mlir
    agent_switch { … convert_layout %tile : #eight_warps -> #four_warps … }
    // becomes
    %memory = nv_tileas.alloc_tensor : tensor<64x64xf32, #shared>
    nv_tileas.copy %tile, %memory
    agent_switch { %mine = nv_tileas.copy %memory : tensor<64x64xf32, #shared> -> tensor<64x64xf32, #four_warps> … }
    ```
  }];
  let dependentDialects = ["tileiras::as::TileASDialect"];
}

#endif // TILEIRAS_PLUGINS_CLUSTER_PASSES
