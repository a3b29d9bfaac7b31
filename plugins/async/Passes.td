//===- Passes.td - The async plugin's passes ----------------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_PASSES
#define TILEIRAS_PLUGINS_ASYNC_PASSES

include "mlir/Pass/PassBase.td"

def TileAAUpliftLoops : Pass<"tileaa-uplift-loops", "::mlir::ModuleOp"> {
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

def TileAAMergeDimensions : Pass<"tileaa-merge-dimensions", "::mlir::ModuleOp"> {
  let summary = "Load short rows that are neighbours in memory as long ones";
  let description = [{
    TMA copies 16 bytes of a row or more, and so does a thread at once. Where rows of a tile are shorter, have all
    elements of their dimension, and follow each other, the array is seen with that dimension and the one before
    as one; and so on with the next. Extents and strides of these dimensions must be static. Scales of MMAs
    in the order that the hardware wants are often seen as 32x4x4 of them.

    ```mlir
    %v = nv_tileaa.block_tile %m : !nv_tileaa.tiled_view<1x1x32x4x4, memref<?x?x32x4x4xi8, strides = [?, 512, 16, 4, 1]>>
    %t = nv_tileaa.tiled_load weak %v[%i, %j, %c0, %c0, %c0]
    // becomes
    %v = nv_tileaa.block_tile %n : !nv_tileaa.tiled_view<1x1x512, memref<?x?x512xi8, strides = [?, 512, 1]>>
    %s = nv_tileaa.tiled_load weak %v[%i, %j, %c0]
    %t = nv_tileaa.view %s : tensor<1x1x512xi8> -> tensor<1x1x32x4x4xi8>
    ```
  }];
  let dependentDialects = ["::tileiras::aa::TileAADialect"];
}

def TileAAExchangeOperands : Pass<"tileaa-exchange-operands", "::mlir::ModuleOp"> {
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
    into the `queue.put`, too, and the queue holds the result.

    In loops without MMAs, loads that TMA can do are queued as a whole if a multiprocessor has more
    bytes of loads on their way then, and less than 32 KiB otherwise, also with what `tileaa-prefetch-loads` can do. That
    is counted as `tileas-report-loads-in-flight` does, with registers estimated from the tiles: what a block loads before
    the first use of it, or what its queues hold but for the entry that it waits for, times the blocks that find room
    beside each other. The queue holds as few iterations as bring 32 KiB on their way.

    A load may run ahead if its address follows from the induction variable and values from before the loop, no token
    orders it after a store or atomic of the loop that may touch the same memory, and the loop does not acquire what
    others have written. Accesses that no token orders have no order. What waits for the load by its token waits for the
    get instead: the token is replaced by the load's own operand. A queue holds as many iterations as the largest
    `nv_tileaa.latency` of its loads says, two at least; without such a hint, `num-stages`, and with `deepen` those of
    MMAs up to twice as many where `tileas-assign-buffers` finds idle memory. Every load that stays is reported, with
    the operation that keeps it. Nothing is queued for a chip whose memory barriers do not count bytes, as
    pipelines need them, nor tiles of which two iterations do not fit in shared memory.

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
  let summary = "Turn queues and agents of nv_tileaa into pipelines of nv_tileas";
  let description = [{
    `execute` becomes `agent_switch`, `create_queue` `create_pipeline`, `queue.put` `produce_one`, `queue.get`
    `consume_one`; `mark_for_reuse` is replaced by its operand. The payload is that of the queue, with the layouts it
    has: register layouts, which say nothing about the memory of the stages.

    Then each end of a pipeline gets its iterator, one for the producer and one for each consumer: created beside the
    pipeline, or at the start of the agent that works there, moved on by each stage, and carried through every
    `scf.for`, `scf.if`, `scf.while` and body of a `consume_one` on the way, in new arguments and results.

    A function is left as it is, with the mark of a soft failure, where that is not possible: a queue's operation in a
    region that hands nothing on, an end of a queue that is used inside and outside of agents, or agents in a loop that
    the queue is outside of.

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

def TileASGenerateSchedule : InterfacePass<"tileas-generate-schedule", "mlir::FunctionOpInterface"> {
  let summary = "Schedule the loops of a function and publish ScheduleAnalysis";
  let description = [{
    Analysis only: builds the scheduling problem of every `scf.for` on the target's machine model, asks the scheduler, has
    the core verify the answer, and publishes all schedules as `ScheduleAnalysis`. The IR does not change. Each loop is
    reported as a remark of the category `schedule`: strategy, initiation interval, its lower bounds, stages, and the
    unit or the recurrence that bounds it.

    A loop without asynchronous work (copies, MMAs of tensor cores, pipelines) is scheduled serially where `fast` or
    `cost-based` is to schedule it. So is, whatever the scheduler, one with the attribute
    `tileas.schedule.constraint.force_serial_execution` and one of fewer than `serial-threshold` operations.

    The passes between this one and the consumer of the schedule must preserve `ScheduleAnalysis`.
  }];
  let options = [
    Option<"scheduler", "scheduler", "std::string", "\"\"",
           "Which scheduler to ask; empty: cost-based for loops with asynchronous work on a GPU with TMA, else serial; "
           "synchronous: no one (strategy NONE), loops load and compute iteration by iteration">,
    Option<"gpuName", "gpu-name", "std::string", "\"\"",
           "Whose machine model to schedule for; taken from the module when empty">,
    Option<"maxConstraintIterations", "max-constraint-iterations", "uint32_t", "10",
           "Attempts of the scheduler at one initiation interval">,
    Option<"rrtSizeThreshold", "rrt-size-threshold", "uint32_t", "4096",
           "Reservation-table size above which the scheduler quantises time; 0: light mode">,
    Option<"enableRandomDelay", "enable-random-delay", "bool", "false",
           "Delays that no dependence asks for, to stress synchronisation">,
    Option<"perturbMachineModel", "perturb-machine-model", "uint32_t", "0",
           "If not 0, a seed: every figure of the machine model is twice or half of what it is, to test that nothing but "
           "speed depends on them">,
    Option<"scheduleTraceFile", "schedule-trace-file", "std::string", "\"\"",
           "Where the schedules go as a trace for Perfetto; with several functions, FILE-FUNCTION">,
    Option<"scheduleSvg", "schedule-svg", "std::string", "\"\"",
           "Where pictures of the schedules go; with several functions, FILE-FUNCTION">,
    Option<"dumpScheduleProblems", "dump-schedule-problems", "std::string", "\"\"",
           "Folder for the scheduling problems, one file for each loop, as tileiras-schedule reads them">,
    Option<"withAgents", "with-agents", "bool", "false",
           "Loops are to run in a compute agent: schedules have the registers of its threads">,
    Option<"serialThreshold", "serial-threshold", "uint32_t", "0", "Loops of fewer operations are scheduled serially">,
  ];
}

def TileASVerifySchedule : InterfacePass<"tileas-verify-schedule", "mlir::FunctionOpInterface"> {
  let summary = "Check that the published schedule survived and still holds";
  let description = [{
    Fails when `ScheduleAnalysis` is gone, or when a loop of the function differs from the one that was scheduled.
  }];
}

defvar AsyncGpuName = Option<"gpuName", "gpu-name", "std::string", "\"\"", "GPU to use where a module names none">;

def LowerTmaLoadStoreToAsync : InterfacePass<"lower-tma-load-store-to-async", "mlir::FunctionOpInterface"> {
  let summary = "Let TMA fill pipelines and store large results of MMAs";
  let description = [{
    A tile that a producer loads and copies to its stage is copied there by TMA, if it can be: the array's
    address and strides are known to be multiples of 16 bytes, what is read outside of it is zero or NaN, and the stage's
    layout is one that TMA writes. A remark says which tile is left to the threads, and why.

    Where it fills one, it also stores tiles of 4 KiB and more that MMAs have computed, from shared memory: where the
    stages were, if the pipelines are not used any more, or beside them, if all fits. The array has to be one that a map
    can describe and whose rows end with 16 bytes, which TMA writes whole (or the tile lies inside of it), and
    tokens order nothing before or after the store. A remark says why another is not stored so. Relaxed atomic
    operations of a device on such tiles, whose old elements are not used, become TMA reductions in the same way.

    ```mlir
    %a = nv_tileas.tiled_load weak %view[%i, %k] …
    nv_tileas.copy %a, %slot …
    // becomes
    %t = nv_tileas.async.tiled_tma_load %desc[%row, %column] into %slot atom = "tma_load" …

    nv_tileas.tiled_store weak %c, %view[%i, %j] …
    // becomes
    %staging = nv_tileas.alloc_tensor …
    nv_tileas.copy %c, %staging …
    %t = nv_tileas.async.tiled_tma_store %staging, %desc[%row, %column] atom = "tma_store" …
    nv_tileas.async.wait %t
    ```
  }];
  let options = [AsyncGpuName];
  let dependentDialects = ["::tileiras::as::TileASDialect", "mlir::arith::ArithDialect"];
}

def LowerLoadsToAsyncCopies : InterfacePass<"lower-loads-to-async-copies", "mlir::FunctionOpInterface"> {
  let summary = "Let threads fill pipelines without registers";
  let description = [{
    A tile that a producer still loads to registers and stores to its stage is copied by `cp.async`, 4, 8 or 16 bytes at
    a time, if that is possible for all such tiles of the pipeline: neighbours in global memory are known to be
    neighbours in the stage, too, elements outside of the array or without a mask are zero, nothing else reads the tile,
    and nothing converts it on the way. Then loads run ahead without registers. A remark says what keeps a pipeline
    from it.

    ```mlir
    %a = nv_tileas.tiled_load weak %view[%i, %k] …
    nv_tileas.copy %a, %slot …
    // becomes
    %t = nv_tileas.async.tiled_load %view[%i, %k] into %slot … atom = "cp.async" …
    ```
  }];
  let options = [AsyncGpuName];
  let dependentDialects = ["::tileiras::as::TileASDialect"];
}

def TileASRelaxMaxima : InterfacePass<"tileas-relax-maxima", "mlir::FunctionOpInterface"> {
  let summary = "Rescale the accumulators of a softmax only where that is necessary (conditional rescaling)";
  let description = [{
    A softmax over a loop subtracts the largest value so far of each row before it takes exponentials, and scales its
    accumulators by the step when that grows. The result, a quotient of accumulators, is the same for any other number in
    its place, as long as exponentials do not overflow. Where accumulators are in tensor memory, which is not accessed
    where no row of a warp is scaled, the maximum is taken over only where it grows by more than `threshold`, a power of two: exponentials are at
    most 2^threshold then. Not where anything but quotients of these accumulators leaves the loop, the maximum itself included, or
    where exponentials become numbers of fewer than 16 bits. Accumulators are rounded differently, as they are by any other order,
    and so is each exponential that is made a number of 16 bits for an MMA, by half of its last bit at most: as near
    to the true result, but not what exponentials of the true maximum give. 0 keeps these.

    ```mlir
    %m = arith.maxnumf %before, %row : tensor<128xf32>
    ```

    becomes

    ```mlir
    %larger = arith.maxnumf %before, %row : tensor<128xf32>
    %growth = arith.subf %larger, %before : tensor<128xf32>
    %much = arith.cmpf ugt, %growth, %threshold : tensor<128xf32>
    %m = arith.select %much, %larger, %before : tensor<128xi1>, tensor<128xf32>
    ```
  }];
  let options = [AsyncGpuName, Option<"threshold", "threshold", "int64_t", "8", "Powers of two; 0: never">];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileASSplitExponentials : InterfacePass<"tileas-split-exponentials", "mlir::FunctionOpInterface"> {
  let summary = "Let multiplications compute a part of a loop's exponentials";
  let description = [{
    The unit for special functions gives a result for eight multiplications or more: a softmax over a loop of narrow
    heads waits for it. One of four powers of two that a thread computes in such a loop is then a power by its exponent,
    times a polynomial, by instructions for two elements; the error is that of the instruction it stands for. With
    `split=auto`: on a chip with such instructions, where three quarters of them would keep their unit as busy in an
    iteration as any other is. The profiles ask for none: a third more instructions for a time that the clock's model of
    such a chip sees hardly shorter. Powers that keep subnormal numbers, or of other types than f32, stay as they are.

    ```mlir
    %p = nv_tileaa.exp2 %x ftz : tensor<128x128xf32>
    ```

    becomes

    ```mlir
    %p = nv_tileaa.exp2 %x ftz {nv_tileas.split_exponentials} : tensor<128x128xf32>
    ```
  }];
  let options = [
    AsyncGpuName,
    Option<"split", "split", "std::string", "\"auto\"", "Whether there are such: true, false, or auto, as above">,
  ];
  let dependentDialects = ["::tileiras::as::TileASDialect"];
}

def TileASMaterializeAsync : InterfacePass<"tileas-materialize-async", "mlir::FunctionOpInterface"> {
  let summary = "Make asynchronous operations explicit";
  let description = [{
    MMAs of a warpgroup become `async.dot`, each followed by a wait. Regions of pipelines get the attributes that
    later passes read: `pipeline_stage`, and for producers `producer_kind`, which the pipeline gets, too; a pipeline
    has one.
  }];
  let options = [AsyncGpuName];
  let dependentDialects = ["::tileiras::as::TileASDialect"];
}

def TileASAssignBuffers : InterfacePass<"tileas-assign-buffers", "mlir::FunctionOpInterface"> {
  let summary = "Give pipelines memory";
  let description = [{
    Every pipeline gets a ring of stages for each of its payloads and two barriers a stage. What does not fit in shared
    memory beside the tiles that are in use with it (or in the part of it that the kernel's `occupancy` leaves a block)
    has fewer stages, with a remark; the types of its iterators and tokens follow. Pipelines that `tileaa-form-queues`
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

def TileASSplitLoops : InterfacePass<"tileas-split-loops", "mlir::FunctionOpInterface"> {
  let summary = "Split pipelined loops where a condition on their variable changes";
  let description = [{
    A loop that empties a pipeline and counts by one becomes two: where a conditional that computes tiles compares its
    variable with what the loop does not change, neither has the conditional; where elements are selected by a
    comparison of the variable, plus numbers along dimensions and of what the loop does not change (attention
    masks what lies beyond the diagonal, or beyond the end), the first runs as long as all of them are selected, and
    does not compare. Both fill and empty the same pipelines: a producer runs ahead from the first to the second. A loop
    that begins where another one ends is not split: the program has done that.

    ```mlir
    scf.for %i = %lb to %ub … {
      %tile, … = consume_one %pipe[%x] …
      %masked = arith.cmpi sge, %i, %start
      %s = scf.if %masked { … } else { … }
    // becomes
    %middle = max(%lb, min(%start, %ub))
    %r:2 = scf.for %i = %lb to %middle iter_args(…, %x = %begin) { … }
    scf.for %i = %middle to %ub iter_args(…, %x = %r#1) { … }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def TileASPrepareForScheduling : InterfacePass<"tileas-prepare-for-scheduling", "mlir::FunctionOpInterface"> {
  let summary = "Take consumers of loops apart, so that a schedule sees their steps";
  let description = [{
    In a loop where something waits for an MMA of the same iteration, consumers become single operations: the wait for
    the stage, the MMAs that read it, the wait for these, and the release of the stage. Loops whose MMAs only
    add to a loop-carried accumulator stay as they are, and so do loops with a consumer that does anything else, with a remark.

    ```mlir
    %s, %next = nv_tileas.async.pipeline.consume_one %pipe[%i] : … { … }
    // becomes
    %ready = nv_tileas.async.pipeline.consumer_wait %pipe[%i] : …
    %p, %t, %done = nv_tileas.async.pipeline.consumer_read %ready[%i] : … { … }
    %s = nv_tileas.async.future_wait %t, %p : …
    nv_tileas.async.pipeline.consumer_release %done : …
    %next = nv_tileas.async.pipeline.inc_iter %i : …
    ```

    Of the six stages that the reference compiler has in the pass of this name, this is the fourth, `runCanonicalizer`, as far as it takes
    operations apart that hold several. The others have homes of their own:

    | stage | here |
    |---|---|
    | decomposeTiledLoadStoreView | folds of `view` and of slices (dialect); tiles of several boxes: `lower-tma-load-store-to-async` |
    | refineVecSizeOfAtoms | `tileas-assign-load-store-layouts` scores vectors by what the chip loads; the lowering takes the widest that is proven aligned |
    | sliceAndFuse | `tileas-slicing` |
    | compactMemLayout | `tileas-assign-buffers` and `tileas-allocate-memory`: what is not in use at once shares memory |
    | refreshBoxDim | the box is part of the type of a map; the verifiers of tensor copies compare it with the tile |
  }];
  let dependentDialects = ["::tileiras::as::TileASDialect"];
}

def TileASPromoteSums : InterfacePass<"tileas-promote-sums", "mlir::FunctionOpInterface"> {
  let summary = "Add partial accumulators of MMAs while the next MMA runs";
  let description = [{
    An MMA of 8-bit floats whose accumulator is computed in parts, and which is one part, starts from zero, and an
    addition after its consumer adds the part to the accumulator: an operation of the loop, which the schedule can
    overlap with the next MMA. Not where the accumulator, a part that is complete and one that is in flight take more
    than four fifths of a thread's registers, where the accumulator takes fewer than 32, or where threads fill the stages:
    there the MMA adds its parts itself, when it is complete.

    ```mlir
    %d, %next = consume_one %pipe[%i] { … nv_tileas.dot %a, %b, %acc … }
    ```

    becomes

    ```mlir
    %part, %next = consume_one %pipe[%i] { … nv_tileas.dot %a, %b, %zero fast_acc … }
    %d = arith.addf %acc, %part
    ```
  }];
  let options = [AsyncGpuName];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TileASMaterializeSchedule : InterfacePass<"tileas-materialize-schedule", "mlir::FunctionOpInterface"> {
  let summary = "Meterialize the pipeline schedule to generate warp-specialized or unspecialized IR";
  let description = [{
    Writes the stage and the order of the published schedule to the operations of loops whose consumers
    `tileas-prepare-for-scheduling` has taken apart; `tileas-unspecialized-pipeline` emits them like that. Stages begin
    where no MMA is in flight; one in tensor memory that needs nothing of its iteration but a stage starts as soon as
    the accumulator of the one before has been read, and continues from one step to the next.

    With `use-AUS` one set of warps runs all. Else (AWS) the function is cut into two agents, by slices: one warp fills the
    pipelines, or a warpgroup where threads fill stages, with the addresses and the control flow that this needs, and all
    the warps that there were do everything else. What both need is computed by both. Where warpgroups can give registers
    to each other the producer's keeps few. A function that cannot be cut (what is copied depends on what the compute
    agent does, or threads that fill stages need more registers than there are) has a remark that names the operation in
    the way, and goes on as with `use-AUS`.

    With `only-where-it-wins` a function is cut where all of this holds, and a remark has the numbers: two warpgroups
    or more compute, or a loop around the pipelined one lets the producer run ahead; each pipeline has at least two
    stages, and not all of its iterations fit in them; an iteration keeps the busiest unit of the machine model busy for
    longer than a producer needs to fill a stage (threads that load to registers have one stage on its way at a time); the compute agent has the registers that the tiles need; and the
    producer's warps do not cost a block on the multiprocessor, since other blocks overlap as well.

    MMAs whose accumulators are in tensor memory can have an agent of their own, of one warp. It hands accumulators on
    through a pipeline whose stages are in tensor memory, two where the columns suffice for the blocks that are wanted on
    a multiprocessor, else one; the compute agent loads, converts and stores one while the next one is computed, and
    follows no loop of MMAs any more. The rule (`product-agent=auto`): where a loop around the MMAs runs them
    again after the epilogue, in a persistent kernel. It takes loops whose accumulators start at zero and are only added to, by
    MMAs of stages that tensor copies fill and nothing else reads; what is in the way of that, as in attention, has a
    remark.

    MMAs with an agent of their own are of pairs of CTAs (`cta-pairs=auto`) where two CTAs have 128 rows each, or a
    multiple, of an MMA whose operand B both need, of 32 to 256 columns: what each was to copy to both, half of it,
    stays with the CTA that copies it, stages become smaller, as many as were wanted come back as far as they fit, and
    one instruction, started in one CTA, multiplies for both; there are agents then, whatever the rule above says. All MMAs of a kernel are of pairs, or none (the
    instruction set allows no mixture). Larger clusters, an operand A that CTAs share, and arrays that change in a loop
    keep their copies to several CTAs, with a remark.

    Two compute agents would both be busy where the loop with most work has more stages than 0.6 times the MMAs of an
    iteration (in whole MMAs, over the iterations that are known); `use-dual-simt` overrides the rule. A remark gives
    the figures. They are the warpgroups of one agent, which `tileas-take-turns` makes alternate (ping-pong): one multiplies
    while the other computes.

    The seven steps of materialisation, and what takes them:

    | step | here |
    |---|---|
    | producer regions | AWS: the slice of what fills pipelines; AUS: `tileas-unspecialized-pipeline` runs it ahead |
    | alias check | this pass, first |
    | consumer regions | AWS: the slice of everything else; both: consumers that are one operation still, opened where they overlap |
    | iterator threading | `tileas-queue-to-pipeline`; slices have what they need as loop-carried values |
    | releases | with the consumer's steps; after the loop where its last MMA ends there |
    | barriers and tokens | `tileas-materialize-async`; waits move to where results are read |
    | aliases | buffers of a stage are block arguments: nothing is left to make |

    Fails without a schedule, where operations of the schedule are gone (`tileas-verify-schedule`), and where a pipeline has
    two names, or two pipelines have the same memory: `Alias is not expected here.` Agents for which there are not enough
    warps or registers are no failure: a remark, and one set of warps. The strategy NONE leaves loops synchronous.

    ```mlir
    nv_tileas.async.pipeline.agent_switch attributes {max_regs = array<i32: 24, 240>, num_warps = array<i32: 1, 8>,
                                                     warp_id = array<i32: 8, 0>} {
      scf.for … { produce_one … }
      nv_tileas.async.pipeline.yield
    }, {
      scf.for … { consume_one … }
      … // the epilogue
      nv_tileas.async.pipeline.yield
    }
    ```
  }];
  let options = [
    Option<"useAUS", "use-AUS", "bool", "false", "One set of warps loads and computes">,
    Option<"useDualSimt", "use-dual-simt", "bool", "true",
           "Two compute agents where both would be busy; chosen by the rule above unless given">,
    Option<"enableScheduleRewrite", "enable-schedule-rewrite", "bool", "true",
           "Have loops follow their schedules; else they keep their order, and say on their operations what the schedules were">,
    Option<"productAgent", "product-agent", "std::string", "\"auto\"",
           "Whether MMAs in tensor memory have an agent of their own, where they can: true, false, or auto, by the rule above">,
    Option<"ctaPairs", "cta-pairs", "std::string", "\"auto\"",
           "Whether MMAs in tensor memory are of pairs of CTAs: false, or auto, where they can">,
    Option<"onlyWhereItWins", "only-where-it-wins", "bool", "false",
           "Agents only where they are faster than one set of warps, by the rule above">,
    AsyncGpuName,
  ];
  let dependentDialects = ["::tileiras::as::TileASDialect", "mlir::arith::ArithDialect", "mlir::scf::SCFDialect"];
}

def TileASUnspecializedPipeline : InterfacePass<"tileas-unspecialized-pipeline", "mlir::FunctionOpInterface"> {
  let summary = "Let the producers of a loop run ahead of its consumers, in the same warps";
  let description = [{
    In a loop that fills and empties a pipeline of S stages once in an iteration, what fills it runs S - 1 iterations
    ahead: the first ones before the loop, each as far as there is such an iteration. MMAs that only add to a
    loop-carried accumulator are not waited for before the next iteration has started its own; the stage that they read is
    released then.

    Then operations that a schedule has given a stage and an order follow it: a loop of several stages gets a prologue and
    an epilogue, and waits for MMAs leave those in flight that have been started since. A schedule that breaks a
    dependence is not followed, with a remark.

    Functions with agents are left alone. A loop that cannot be pipelined stays as it is, with a remark.
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

def TileASTakeTurns : InterfacePass<"tileas-take-turns", "mlir::FunctionOpInterface"> {
  let summary = "Warpgroups of an agent alternate between MMAs and arithmetic (ping-pong)";
  let description = [{
    In an agent of two warpgroups or more, where `tileas-materialize-schedule` has found two compute agents busy, an
    iteration has an exclusive section, from its first MMA to its last one: the other warpgroups compute meanwhile. By
    itself only where the arithmetic in the section takes no longer than the MMAs (of all warpgroups, by the machine
    model), all of it at least a quarter of their time, and they at least a quarter of that after the section; where
    `use-dual-simt` asks, wherever it is possible. If what follows the section takes longer than the MMAs, the section is
    around what uses the busiest unit instead (exponentials, as a rule) and the row sums of that, provided that threads wait
    for nothing there. It is not possible where MMAs are in conditionals or inner loops, or where a stage is released
    after the section in which it was read; and sections in which warpgroups meet are removed when barriers are placed,
    with a remark.

    ```mlir
    scf.for … {
      take_turn 3
      %s, … = consumer_read … { … async.dot … }
      pass_turn 3
      … // arithmetic
    }
    ```
  }];
  let options = [AsyncGpuName];
  let dependentDialects = ["::tileiras::as::TileASDialect"];
}

#endif // TILEIRAS_PLUGINS_ASYNC_PASSES
