//===- Passes.td - Passes of asynchronous loads ------------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_LOADS_PASSES
#define TILEIRAS_PLUGINS_ASYNC_LOADS_PASSES

include "mlir/Pass/PassBase.td"

defvar AsyncGpuName = Option<"gpuName", "gpu-name", "std::string", "\"\"", "GPU to use where a module names none">;

def LowerTmaLoadStoreToAsync : InterfacePass<"lower-tma-load-store-to-async", "mlir::FunctionOpInterface"> {
  let summary = "Let TMA fill pipelines and store large results of MMAs";
  let description = [{
    A tile that a producer loads and copies to its stage is copied there by TMA, if it can be: the array's
    address and strides are known to be multiples of 16 bytes, what is read outside of it is zero or NaN, and the stage's
    layout is one that TMA writes. A remark says which tile is left to the threads, and why. Rows that a load gathers, or
    a store scatters, are copied four with an instruction where the GPU has it (`tile::gather4`, `tile::scatter4`).

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
  let options = [
    AsyncGpuName,
    Option<"preferTma", "prefer-tma", "bool", "false",
           "Store by TMA whatever it can store, not only large results of MMAs beside its loads">,
  ];
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

def TileASPipelineFragments : Pass<"tileas-pipeline-fragments", "::mlir::ModuleOp"> {
  let summary = "Read fragments of operands before the MMAs of the step before";
  let description = [{
    An MMA whose operands warps read from shared memory becomes one for each step along K, and the fragments of a step
    are read before the MMAs of the step before. In loops that begin with a wait for copies the wait moves before the
    last step, where the fragments of the next iteration's first step are read, too. Elementwise operations on what is
    read are done step by step. Expects barriers to be placed; for GPUs whose stages are filled by groups of copies.

    ```mlir
    nv_tileas.await_copies pending 1
    nv_tileas.barrier
    %a = nv_tileas.copy %slot_a atom = "universal_copy" : tensor<64x32xf16, #shared> -> tensor<64x32xf16, #a>
    %d = nv_tileas.dot %a, %b, %c …
    // becomes
    %a1 = nv_tileas.copy %slot_a at [0, 16] atom = "universal_copy" : … -> tensor<64x16xf16, #a>
    %d0 = nv_tileas.dot %a0, %b0, %c …     // %a0, %b0 are carried by the loop
    nv_tileas.await_copies pending 1
    nv_tileas.barrier
    %next = nv_tileas.copy %next_slot at [0, 0] atom = "universal_copy" : … -> tensor<64x16xf16, #a>
    %d1 = nv_tileas.dot %a1, %b1, %d0 …
    ```
  }];
  let options = [AsyncGpuName];
  let dependentDialects = ["::tileiras::as::TileASDialect", "mlir::arith::ArithDialect", "mlir::scf::SCFDialect"];
}

#endif // TILEIRAS_PLUGINS_ASYNC_LOADS_PASSES
