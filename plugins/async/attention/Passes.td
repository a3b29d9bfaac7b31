//===- Passes.td - Passes of asynchronous attention --------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_ATTENTION_PASSES
#define TILEIRAS_PLUGINS_ASYNC_ATTENTION_PASSES

include "mlir/Pass/PassBase.td"

defvar AsyncGpuName = Option<"gpuName", "gpu-name", "std::string", "\"\"", "GPU to use where a module names none">;

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

def TileASRescaleConditionally : InterfacePass<"tileas-rescale-conditionally", "mlir::FunctionOpInterface"> {
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

def TileASPromoteAccumulators : InterfacePass<"tileas-promote-accumulators", "mlir::FunctionOpInterface"> {
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

def TileASPingPong : InterfacePass<"tileas-ping-pong", "mlir::FunctionOpInterface"> {
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
      enter_exclusive 3
      %s, … = consumer_read … { … async.dot … }
      leave_exclusive 3
      … // arithmetic
    }
    ```
  }];
  let options = [AsyncGpuName];
  let dependentDialects = ["::tileiras::as::TileASDialect"];
}

#endif // TILEIRAS_PLUGINS_ASYNC_ATTENTION_PASSES
