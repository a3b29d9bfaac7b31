//===- Passes.td - Passes of asynchronous pipelining -------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_PIPELINING_PASSES
#define TILEIRAS_PLUGINS_ASYNC_PIPELINING_PASSES

include "mlir/Pass/PassBase.td"

defvar AsyncGpuName = Option<"gpuName", "gpu-name", "std::string", "\"\"", "GPU to use where a module names none">;

def TileAARaiseLoops : Pass<"tileaa-raise-loops", "::mlir::ModuleOp"> {
  let summary = "Count the iterations of loops that break at a bound";
  let description = [{
    A loop that begins with the only test that ends it, a comparison of a variable that counts up by a constant with a
    bound that does not change, becomes an `scf.for`, whose loads can run ahead. What stands before the test must have
    no effect; it is repeated for the iteration that leaves. Loops of MMAs that stay as they are get a remark.

    ```mlir
    %r:2 = scf.while (%i = %c0, %acc = %zero) … {
      %done = arith.cmpi sge, %i, %n
      %next:3 = scf.if %done { scf.yield %false, %i, %acc } else { … scf.yield %true, %j, %sum }
      scf.condition(%next#0) %next#1, %next#2
    } do { … }
    // becomes
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) { … scf.yield %sum }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TileAASwapOperands : Pass<"tileaa-swap-operands", "::mlir::ModuleOp"> {
  let summary = "Swap A and B: compute MMAs of few rows, or of operands in the wrong order, as their transposes";
  let description = [{
    Warpgroups compute 64 rows of an MMA together. An MMA with fewer rows whose columns are a multiple of 64 is computed
    as the transpose of the MMA of the transposed operands (C^T = B^T A^T), if that lets warpgroups compute it: both
    operands are tiles that `tileaa-form-queues` can bring to shared memory, where it is no matter which dimension is
    the first one, and its accumulator is carried by loops in which nothing but such MMAs add to it. The accumulator is
    transposed before and after the loops. MMAs that stay as they are get a remark that says why.

    So is an MMA of elements of 8 or 32 bits whose left operand has K contiguous in memory and whose right one N:
    instructions read K from memory only, but the left operand from registers, too, and fragments of B^T come there from
    memory as it is (`ldmatrix.trans`). Otherwise threads would transpose B before it is stored.

    ```mlir
    %sum = scf.for %k … iter_args(%acc = %zero) -> tensor<16x128xf32> {
      …
      %d = nv_tileaa.dot %a, %b, %acc : tensor<16x64xf16>, tensor<64x128xf16>, tensor<16x128xf32>
    // becomes
    %t = scf.for %k … iter_args(%acc = %zero_t) -> tensor<128x16xf32> {
      …
      %at = nv_tileaa.permute %a [1, 0] …   %bt = nv_tileaa.permute %b [1, 0] …
      %d = nv_tileaa.dot %bt, %at, %acc : tensor<128x64xf16>, tensor<64x16xf16>, tensor<128x16xf32>
    …
    %sum = nv_tileaa.permute %t [1, 0] …
    ```
  }];
  let options = [
    Option<"gpuName", "gpu-name", "std::string", "\"\"", "GPU to use where a module names none">,
  ];
  let dependentDialects = ["::tileiras::aa::TileAADialect", "::tileiras::as::TileASDialect"];
}

def TileAAFormQueues : Pass<"tileaa-form-queues", "::mlir::ModuleOp"> {
  let summary = "Make the loads of loops asynchronous, through queues";
  let description = [{
    In innermost `scf.for` loops, weak loads through views or pointers whose tiles are operands of MMAs,
    perhaps under another shape, become the entries of a queue: what loads them, and computes where, moves into a `queue.put`, what
    reads them into a `queue.get` at the place of the MMA. Loads of the same MMAs share a queue; its entries are
    free again after the last of these MMAs.

    Loads are queued for MMAs that warpgroups compute from shared memory. TMA does most of them. Those that are
    not (strides that are not known to be multiples of 16 bytes, pointers, elements of 8 or 32 bits that are not
    contiguous along K) are for threads; what converts their elements on the way to the MMA, one by one, moves
    into the `queue.put`, too, and the queue holds the result. That may depend on the loop's variable (masks) and on
    other loads of the loop (scales), which move there as well.

    Others may read the tiles, too: the `queue.get` then stands at the first of them, and gives them the tiles. Who reads
    a tile before it is converted keeps its load. Where MMAs are computed by warps, which have operands in registers, what
    gives elements another type moves into the `queue.put` where threads fill the stages, once for all warps.

    In loops without MMAs, loads that TMA can do are queued as a whole if a multiprocessor has more
    bytes of loads on their way then, and less than 32 KiB otherwise, also with what `tileaa-prefetch-loads` can do. That
    is counted as `tileas-report-loads-in-flight` does, with registers estimated from the tiles: what a block loads before
    the first use of it, or what its queues hold but for the entry that it waits for, times the blocks that find room
    beside each other. The queue holds as few iterations as bring 32 KiB on their way.

    A load may run ahead if its address follows from the induction variable, values from before the loop and other such
    loads, which run ahead with it (numbers of pages and rows), no token
    orders it after a store or atomic of the loop that may touch the same memory, and the loop does not acquire what
    others have written. Accesses that no token orders have no order. What waits for the load by its token waits for the
    get instead: the token is replaced by the load's own operand. A queue holds as many iterations as the largest
    `nv_tileaa.latency` of its loads says, two at least; without such a hint, `num-stages`, and with `deepen` those of
    MMAs up to twice as many where `tileas-assign-buffers` finds idle memory. Every load that stays is reported, with
    the operation that keeps it.

    ```mlir
    scf.for %k … {
      %a, %t = nv_tileaa.tiled_load weak %va[%m, %k] token(%t0)
      …
      %d = nv_tileaa.dot %a, %b, %acc
    // becomes, with %q made at the start of the function
      nv_tileaa.queue.put %q[%k] { … nv_tileaa.queue.yield %a, %b }
      %d = nv_tileaa.queue.get %q[%k] { ^bb0(%ea, %eb): … nv_tileaa.queue.yield %d }
    ```
  }];
  let options = [
    Option<"numStages", "num-stages", "int32_t", "4",
           "Iterations that a queue holds, unless its loads have hints or the loop has fewer; 1: no queues">,
    Option<"allLoads", "all-loads", "bool", "false",
           "Queue all loads whose tiles go elsewhere than to MMAs, whether that gains anything or not">,
    Option<"allProducts", "all-products", "bool", "false",
           "Also queue loads of MMAs that single warps compute: correct, but by count of instructions no faster">,
    Option<"deepen", "deepen", "bool", "false",
           "Let pipelines of operands have up to twice as many stages where shared memory would lie idle">,
    Option<"gpuName", "gpu-name", "std::string", "\"\"", "GPU to use where a module names none">,
  ];
  let dependentDialects = ["::tileiras::aa::TileAADialect", "::tileiras::as::TileASDialect"];
}

def TileAAUncarryLoads : Pass<"tileaa-uncarry-loads", "::mlir::ModuleOp"> {
  let summary = "Load tiles in the iteration that uses them, not in the one before";
  let description = [{
    Programs load the next tile before they multiply, and carry it to the next iteration. Where a loop of MMAs does so,
    the tile is loaded in the iteration that uses it: queues let the load run ahead, by as many iterations as there is
    room for. That is so if the first tile, which is loaded before the loop, is what the loop would have loaded for it an
    iteration earlier, by the form of its address, if nothing in the loop, or between it and that load, writes to memory,
    and if nobody needs the last tile.

    ```mlir
    %first = nv_tileaa.tiled_load %v[%row, %c0]
    scf.for %i = %c0 to %n step %c1 iter_args(…, %a = %first) {
      … nv_tileaa.dot %a, %b, %acc
      %k = arith.addi %i, %c1
      %next = nv_tileaa.tiled_load %v[%row, %k]
      scf.yield …, %next
    // becomes
      %a = nv_tileaa.tiled_load %v[%row, %i]
      … nv_tileaa.dot %a, %b, %acc
    ```
  }];
  let dependentDialects = ["::tileiras::aa::TileAADialect", "::mlir::arith::ArithDialect"];
}

def TileAACountAddresses : Pass<"tileaa-count-addresses", "::mlir::ModuleOp"> {
  let summary = "Compute addresses that a loop carries from its variable";
  let description = [{
    Loads run ahead whose addresses follow from the loop's variable. A pointer, a number, or a tile of them that a loop
    of MMAs carries, to which each iteration adds the same, and of which a load's address is made, is computed from the
    variable instead. What is carried is left to `tileas-remove-dead-args`.

    ```mlir
    scf.for %i = %c0 to %n step %c1 iter_args(%p = %first) {
      %a = nv_tileaa.load %p
      %next = nv_tileaa.addptr %p, %bytes
    // becomes
      %now = nv_tileaa.addptr %first, (%i * %bytes)
      %a = nv_tileaa.load %now
    ```
  }];
  let dependentDialects = ["::tileiras::aa::TileAADialect", "::mlir::arith::ArithDialect"];
}

def TileAAPrefetchLoads : Pass<"tileaa-prefetch-loads", "::mlir::ModuleOp"> {
  let summary = "Load the tiles of several iterations at once, to registers";
  let description = [{
    In innermost `scf.for` loops without MMAs and queues, where a multiprocessor has less than 32 KiB of loads on
    their way (`tileaa-form-queues` says how that is counted), loads through views are done for several iterations at once:
    for the smallest power of two that brings as many bytes on their way, or for as many as help, up to `num-stages`, four
    times that where a thread has less than 16 bytes of the tiles of an iteration. Registers that tiles take can cost other
    blocks their place. The rules for what may run ahead are those of `tileaa-form-queues`. Iterations that are left over
    are done in halves.

    ```mlir
    scf.for %k = %c0 to %n step %c1 …
      %a = nv_tileaa.tiled_load weak %va[%m, %k]
      … %a …
    // becomes, for two iterations at once
    scf.for %k = %c0 to %even step %c2 …
      %a = nv_tileaa.tiled_load weak %va[%m, %k]
      %b = nv_tileaa.tiled_load weak %va[%m, %k + 1]
      … %a …
      … %b …
    scf.if %n != %even … // the last one
    ```
  }];
  let options = [
    Option<"numStages", "num-stages", "int32_t", "4", "Iterations whose tiles are loaded at once, at most">,
    Option<"allLoads", "all-loads", "bool", "false", "Load as many at once as that allows, whether that gains anything or not">,
    Option<"gpuName", "gpu-name", "std::string", "\"\"", "GPU to use where a module names none">,
  ];
  let dependentDialects = ["::tileiras::aa::TileAADialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TileASQueueToPipeline : Pass<"tileas-queue-to-pipeline", "::mlir::ModuleOp"> {
  let summary = "Convert queues and agents of nv_tileaa into pipelines of nv_tileas";
  let description = [{
    `execute` becomes `agent_switch`, `create_queue` `create_pipeline`, `queue.put` `produce_one`, `queue.get`
    `consume_one`; `mark_for_reuse` is replaced by its operand. The payload is that of the queue, with the layouts it
    has: register layouts, which say nothing about the memory of the stages.

    Then each end of a pipeline gets its iterator, one for the producer and one for each consumer: created beside the
    pipeline, or at the start of the agent that works there, moved on by each stage, and carried through every
    `scf.for`, `scf.if`, `scf.while` and body of a `consume_one` on the way, in new arguments and results. Agents in a
    loop that the queue is outside of hand it on, too: they go on where they were.

    A function is left as it is, with the mark of a soft failure, where that is not possible: a queue's operation in a
    region that hands nothing on, or an end of a queue that is used inside and outside of agents, or by agents in two
    places.

    ```mlir
    %pipe = nv_tileas.async.pipeline.create_pipeline : !nv_tileas.pipeline<4 x (tensor<128x64xf16, #l>)>
    %p0 = nv_tileas.async.pipeline.create_iterator %pipe   %c0 = nv_tileas.async.pipeline.create_iterator %pipe
    scf.for … iter_args(%acc = %zero, %p = %p0, %c = %c0) {
      %pn = nv_tileas.async.pipeline.produce_one %pipe[%p] { … nv_tileas.async.pipeline.yield %a }
      %d, %cn = nv_tileas.async.pipeline.consume_one %pipe[%c] { ^bb0(%ea): … nv_tileas.async.pipeline.yield %d }
      scf.yield %d, %pn, %cn
    }
    ```
  }];
  let options = [
    Option<"numStages", "num-stages", "int32_t", "4", "Stages of the pipelines of queues that do not say their depth">,
  ];
  let dependentDialects = ["::tileiras::as::TileASDialect", "::mlir::scf::SCFDialect"];
}

def TileASMaterializeAsync : InterfacePass<"tileas-materialize-async", "mlir::FunctionOpInterface"> {
  let summary = "Make asynchronous operations explicit";
  let description = [{
    MMAs of a warpgroup become `async.dot`, each followed by a wait for its token. Producers say what fills their stages
    (`producer_kind`), which the pipeline says, too; a pipeline has one.
  }];
  let options = [AsyncGpuName];
  let dependentDialects = ["::tileiras::as::TileASDialect"];
}

def TileASAssignBuffers : InterfacePass<"tileas-assign-buffers", "mlir::FunctionOpInterface"> {
  let summary = "Give pipelines memory";
  let description = [{
    Every pipeline gets a ring of stages for each of its payloads and two barriers a stage. What does not fit in shared
    memory beside the tiles that are in use with it (or in the part of it that the kernel's `occupancy` leaves a block)
    has fewer stages, with a remark; the types of its iterators and tokens follow. Where threads fill stages themselves,
    a pipeline whose tiles go through registers has two: more of them hold nothing. Pipelines that `tileaa-form-queues`
    lets have more of them get these if as many tile blocks find room on a multiprocessor as before.

    | phase | here | diagnostic |
    |---|---|---|
    | lifetimes | this pass | `fails to resolve lifetime` |
    | named barriers | `optimize-execution-unit-mapping`, by agents | `fails to assign named barrier` |
    | class and place | this pass; tiles beside them: `tileas-allocate-memory` | `fails to assign smem buffer` |
    | sharing | `tileas-allocate-memory` | `share pipeline buffer`, `mbarrier has wait-like users, …` |
  }];
  let options = [AsyncGpuName];
  let dependentDialects = ["::tileiras::as::TileASDialect"];
}

def TileASUnspecializedPipeline : InterfacePass<"tileas-unspecialized-pipeline", "mlir::FunctionOpInterface"> {
  let summary = "Let the producers of a loop run ahead of its consumers, in the same warps";
  let description = [{
    In a loop that fills and empties a pipeline of S stages once in an iteration, what fills it runs S - 1 iterations
    ahead: the first ones before the loop, each as far as there is such an iteration. MMAs that only add to a
    loop-carried accumulator are not waited for before the next iteration has started its own; the stage that they read is
    released then.

    Where threads start the copies (groups of `cp.async`) and meet when they wait for a stage, copies start after the
    meeting that frees their stage: that of their own pipeline if it has several. The only stage of a pipeline is free
    at the next wait for another pipeline, which follows at once; its copies start there, an iteration ahead, or, for
    the last pipeline of an iteration, at the first wait of the same one. So keys and values need one stage each.

    What such threads cannot copy goes through registers, a tile that is converted on its way, or every tile where a chip
    has no copies: it is loaded after the meeting, an iteration ahead, and stored at the end of the iteration. Where
    barriers in shared memory count what fills a stage, such a tile is loaded at the begin of an iteration, before the
    MMAs that run meanwhile, and stored at its end.

    Then operations that a schedule has given a stage and an order follow it: a loop of several stages gets a prologue and
    an epilogue, and waits for MMAs leave those in flight that have been started since. A schedule that breaks a
    dependence is not followed, with a remark.

    Operations may ask for stages themselves: `stage`, and `iter_offset`, the same number with a minus. Then these count
    instead. They are impossible, and not followed, where a stage is `num-stages` or more, where a value would be used
    before it is there, where other effects than those of pipelines would change their order, and where what fills a
    pipeline is ahead by as many iterations as there are slots.

    Functions with agents are left alone. A loop that cannot be pipelined stays as it is, but for a mark, with a remark
    that says why; so do `scf.while`, and loops with `produce_one_async` and no stages.

    ```mlir
    scf.for … {
      %pn = produce_one %pipe[%p] {stage = 0 : i32, iter_offset = 0 : i32} …
      %qn = consume_one %pipe[%q] {stage = 2 : i32, iter_offset = -2 : i32} …
    }
    // becomes, in a branch for loops of two iterations and more
    produce_one … produce_one …
    scf.for … { consume_one … produce_one … }
    consume_one … consume_one …
    ```
  }];
  let options = [
    Option<"numStages", "num-stages", "uint32_t", "2", "Stages to use of a pipeline at most; 1: leave loops alone">,
  ];
  let dependentDialects = ["::tileiras::as::TileASDialect", "mlir::arith::ArithDialect", "mlir::scf::SCFDialect"];
}

def TileASOptimizePipelineRegion : InterfacePass<"tileas-optimize-pipeline-region", "mlir::FunctionOpInterface"> {
  let summary = "Optimize the region scope of tileas.async.pipeline.produce_one/consume_one ops";
  let description = [{
    Operations without effects whose results a region neither yields nor uses go. Loops that
    `tileas-unspecialized-pipeline` has left alone are left alone.
  }];
}

#endif // TILEIRAS_PLUGINS_ASYNC_PIPELINING_PASSES
