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
    `negf(broadcast(x))` becomes `broadcast(negf(x))`, and likewise for `expand_dims`: less work. A negated operand of a
    MMA, which nothing else uses, is the MMA's own `negate`: warpgroups multiply so, and read the operand where
    it has been loaded. Works on nv_tileaa and on nv_tileas.
  }];
  let dependentDialects = ["tileiras::aa::TileAADialect", "tileiras::as::TileASDialect", "mlir::arith::ArithDialect"];
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
    on. An agent that changes its registers (`max_regs`) shares a warpgroup with no other agent. Warps left free in between are a
    hole, an agent of one warp with nothing to do, whose stride is their number. The warps of the kernel end with a
    warpgroup. How many an agent has is said by `num_warps`, else by what `propagate-execution-unit` finds. Agents that
    are aligned already stay where they are, and are told their strides. What `propagate-execution-unit` has noted of
    loops and functions is removed.

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
    what all threads know is rematerialised in the agent; any other goes through shared memory, where the agent reads it in
    the layout that it wants, with a remark. Values that all threads have stay as they are. What stands around agents runs
    in all warps of the block: a tile for fewer gets copies in the others, an MMA divides its work among all.

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

def TileAALongestFirst : InterfacePass<"tileaa-longest-first", "mlir::FunctionOpInterface"> {
  let summary = "Launch tile blocks with long loops before those with short ones";
  let description = [{
    Where the number of iterations of loops grows with the position of a tile block along an axis of the grid, as with
    causal masks, the position is counted from the end of the axis: GPUs launch tile blocks in the order of the grid, and
    short ones fill multiprocessors better at the end. A kernel whose tile blocks may wait for each other keeps its order:
    one with atomics, or with accesses that order others.

    ```mlir
    %x = nv_tileaa.get_program_id x
    %n = arith.addi %x, %c1
    scf.for %i = %c0 to %n …
    // becomes
    %x = nv_tileaa.get_program_id x descending
    ```
  }];
  let dependentDialects = ["tileiras::aa::TileAADialect"];
}

def TileASDynamicPersistent : InterfacePass<"tileas-dynamic-persistent", "mlir::FunctionOpInterface"> {
  let summary = "Make the kernel into dynamic persistent kernels";
  let description = [{
    A tile block of a kernel runs one program after the other. On GPUs that hand out tile blocks which have not started
    (`clusterlaunchcontrol`) it takes over the next one. On others `cancel_next_program_id` is a stride: of the grid,
    which the launch counts in programs as ever, as many tile blocks begin as the GPU runs at once; all others leave at
    once, and their programs are run by the first ones. So a launcher need not know; `resident_ctas` in the metadata
    says how many a multiprocessor is taken to run.

    `raster` is the order in which programs are visited: `row` (x first), `group-m:N` (N positions of x, then all of y),
    `hilbert` (along a curve through squares of 8 by 8). `auto` is `group-m:8` for kernels with MMAs, whose
    neighbours share operands (measured on an H200, bf16 MMAs of 256x256 tiles by two CTAs: 8192 a side in 1350 us,
    1424 by rows; 4096 in 180, 185), and `row` for others.

    Where the hardware hands out tile blocks, their order is its own, mostly that of the grid: the raster says which
    program stands in for each, and neighbours still share operands. A tile block asks for the next one when it begins
    with one (`tileas-place-launch-control`), and must not wait for another that may not have started: it could be that.

    `only-where-it-wins` makes a kernel persistent where a model says that it gains something: a loop multiplies; with
    `num-stages` stages of its operands, and with accumulators in registers, one tile block alone runs on a
    multiprocessor, and no hint `occupancy` asks for more, so that nothing else runs while one begins and ends; and no
    atomic and no ordered load stands in a `while` loop, which could wait for another tile block. Where an instruction
    hands out tile blocks, a tile of results must fit beside the stages, as it cannot lie where these are filled again;
    and no MMA of the loop may need what the accumulator of another becomes where that has more rows than a warpgroup has:
    warpgroups alternate there (ping-pong), which a loop around prevents.
    Elsewhere `agents` must be allowed and TMA load, so that operands come while results are stored; a loop of
    the kernel must have its only MMA and run as often for each program, as a stride balances nothing; and what is
    computed after it must leave registers. A remark gives the figures.

    A kernel that is persistent already is left alone, with a warning (unless it is only asked where that wins).

    ```mlir
    scf.while (%x = %x0, %y = %y0, %z = %z0) : (i32, i32, i32) -> (i32, i32, i32) {
      %runs = nv_tileaa.is_valid_program_id %x, %y, %z
      scf.condition(%runs) %x, %y, %z : i32, i32, i32
    } do {
    ^bb0(%x: i32, %y: i32, %z: i32):
      …                                            // the kernel, of program (%x, %y, %z)
      %x1, %y1, %z1, %found = nv_tileaa.cancel_next_program_id after %x, %y, %z
      scf.yield %x1, %y1, %z1 : i32, i32, i32
    }
    ```
  }];
  let options = [
    Option<"raster", "raster", "std::string", /*default=*/"\"auto\"", "auto, row, hilbert or group-m:N">,
    Option<"onlyWhereItWins", "only-where-it-wins", "bool", /*default=*/"false", "Leave alone kernels that gain nothing">,
    Option<"numStages", "num-stages", "unsigned", /*default=*/"4", "Stages that loads of a loop fill ahead">,
    Option<"hasAgents", "agents", "bool", /*default=*/"true", "Warps of their own load where that pays">,
  ];
  let dependentDialects = ["tileiras::aa::TileAADialect", "mlir::scf::SCFDialect", "mlir::arith::ArithDialect"];
}

def TileASInsertOCGKnobs : Pass<"tileas-insert-OCG-knobs"> {
  let summary = "This pass emits OCG knobs as specific optimization hints for the backend OCG compiler";
  let description = [{
    `.pragma "global knob SchedResBusyXU64=1";` where a function with MMAs begins, for GPUs with `tcgen05`, and
    `.pragma "next knob FenceCode";` before each fence, barrier, and arrival at or wait for one. The latter holds for the
    next instruction: `convert-tileas-to-llvm` puts it right in front of the fence that it makes of such an operation.
    Public versions of ptxas ignore both, with a warning: off by default.
  }];
  let dependentDialects = ["mlir::LLVM::LLVMDialect"];
}

def TileASPlanCTA : InterfacePass<"tileas-plan-cta", "mlir::FunctionOpInterface"> {
  let summary = "propagate CTA related layouts";
  let description = [{
    A function whose `kernel_spec` asks for several CTAs becomes what one CTA of the cluster does. How each tile is cut
    begins at anchors (MMAs, then accesses to memory) and spreads backward, to what makes a tile, and forward, to
    what uses it; where two ways meet, cheap tiles are rematerialised, others go through `cluster_exchange`. Works on
    nv_tileaa functions: layouts for threads, queues and pipelines are those of parts.

    | rule | operations |
    |---|---|
    | elementwise | arithmetic, `assume` |
    | anything | `splat`, `make_range`, constants: what has no operands is made as it is wanted |
    | broadcast, expand-dims, permute, view | these: the shape is recomputed, backward and forward |
    | slice, cat, pack | `extract_slice`, `insert_slice`, `cat`, `pack`, `unpack` |
    | MMA | `dot`, `mma_block_scale` |
    | reduce, scan | these: what is combined across CTAs is exchanged; a scanned dimension stays whole |
    | view-access, pointer-access | loads, stores, atomics |
    | tiles carried by `scf.for`, `scf.while`, `scf.if` | arguments, results, yields, of all regions |
    | whole | all else: each CTA does all of it; what is written or printed, the first does |

    ```mlir
    %a = nv_tileaa.tiled_load weak %x[%i, %k] : <128x64, …> …      // kernel_spec<num_warps = 4, num_ctas = 2>
    // becomes, in each CTA
    %rank = nv_tileaa.get_cta_rank
    %a = nv_tileaa.tiled_load weak %x[%i * 2 + %rank, %k] : <64x64, …> …
    ```
  }];
  let dependentDialects = ["tileiras::aa::TileAADialect", "mlir::arith::ArithDialect"];
}

def TileASPlaceGridDependencies : InterfacePass<"tileas-place-grid-dependencies", "mlir::FunctionOpInterface"> {
  let summary = "Let kernels start before those before them have ended";
  let description = [{
    A kernel without grid dependency control of its own waits for the grids before it where it first accesses memory, and
    lets those after it start when its last load has been done: after a loop that loads, and
    after the agents that do; where one agent alone loads, it says so itself. What comes before (addresses, shared memory, pipelines) overlaps with the
    end of the grid before, where the launch allows that. On chips whose launches do not overlap nothing changes.

    ```mlir
    %tile = nv_tileas.tiled_load …
    nv_tileas.tiled_store …
    // becomes
    nv_tileaa.gdc_wait
    %tile = nv_tileas.tiled_load …
    nv_tileaa.gdc_launch_dependents
    nv_tileas.tiled_store …
    ```
  }];
  let dependentDialects = ["tileiras::aa::TileAADialect"];
}

#endif // TILEIRAS_PLUGINS_CLUSTER_PASSES
