//===- TileASTensorMemoryOps.td - Tensor memory ------------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TILEASTENSORMEMORYOPS_TD
#define TILEIRAS_DIALECT_TILEAS_TILEASTENSORMEMORYOPS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "tileiras/Dialect/TileAS/TileASOpBase.td"

// Where accumulators are in tensor memory: made by `tileas-place-accumulators`, behind everything that treats them as
// values.

def TileAS_AllocTensorMemoryOp : TileAS_Op<"alloc_tensor_memory", [Work_NotCounted]> {
  let summary = "Takes columns of tensor memory for the CTA";
  let description = [{
    All threads of the CTA call it, once; it waits until the columns are free. `base` is the address of the first one.
    `barriers` is the shared address of one mbarrier for each of `scopes` execution scopes that wait for MMAs, or for
    those of one accumulator alone. Both live in `mailbox`, until `free_tensor_memory`. With `cta_pair` both CTAs of a pair take the same columns, and meet.

    ```mlir
    %base, %barriers = nv_tileas.alloc_tensor_memory %mailbox columns = 256 scopes = 1 : tensor<32xi8, #shared>
    ```
  }];
  let arguments = (ins Arg<TileAS_Buffer, "", [MemRead, MemWrite]>:$mailbox, ConfinedAttr<I32Attr, [IntPositive]>:$columns,
                       ConfinedAttr<I32Attr, [IntPositive]>:$scopes, UnitAttr:$cta_pair);
  let results = (outs I32:$base, I32:$barriers);
  let assemblyFormat = [{
    $mailbox `columns` `=` $columns `scopes` `=` $scopes (`cta_pair` $cta_pair^)? attr-dict `:` type($mailbox)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The address is in the first bytes of the mailbox, the barriers behind them.
    static constexpr int64_t kBarrierOffset = 16, kBarrierBytes = 8;
    static int64_t getMailboxBytes(int64_t scopes) { return kBarrierOffset + scopes * kBarrierBytes; }
  }];
}

def TileAS_FreeTensorMemoryOp : TileAS_Op<"free_tensor_memory", [MemoryEffects<[MemFree]>, Work_NotCounted]> {
  let summary = "Gives the columns back";
  let description = [{
    All threads of the CTA call it, where nothing uses tensor memory any more; nothing is in flight there. With `cta_pair`
    those of both CTAs of a pair meet.

    ```mlir
    nv_tileas.free_tensor_memory %base, %mailbox columns = 256 : tensor<32xi8, #shared>
    ```
  }];
  let arguments = (ins I32:$base, TileAS_Buffer:$mailbox, ConfinedAttr<I32Attr, [IntPositive]>:$columns,
                       UnitAttr:$cta_pair);
  let assemblyFormat = "$base `,` $mailbox `columns` `=` $columns (`cta_pair` $cta_pair^)? attr-dict `:` type($mailbox)";
}

def TileAS_TensorMemoryTileOp : TileAS_Op<"tensor_memory_tile", [Pure, Work_Free]> {
  let summary = "The tile that starts at a column";
  let description = [{
    ```mlir
    %acc = nv_tileas.tensor_memory_tile %base column = 128 : tensor<128x128xf32, #tmem>
    ```
  }];
  let arguments = (ins I32:$base, ConfinedAttr<I32Attr, [IntNonNegative]>:$column);
  let results = (outs TileAS_Buffer:$result);
  let assemblyFormat = "$base `column` `=` $column attr-dict `:` type($result)";
}

def TileAS_ScaleTensorMemoryOp : TileAS_Op<"scale_tensor_memory", [MemoryEffects<[MemRead, MemWrite]>, Work_Own]> {
  let summary = "Multiplies a tile in tensor memory, where it is";
  let description = [{
    By the elements of `scale`, each of which the thread has that moves the tile's. A warp whose scales are all one leaves
    what it would move alone; others load, multiply and store a few columns at a time.

    ```mlir
    nv_tileas.scale_tensor_memory %acc by %scale : tensor<128x64xf32, #tmem>, tensor<128x64xf32, #c>
    ```
  }];
  let arguments = (ins TileAS_Buffer:$tile, TileAS_Tensor:$scale);
  let assemblyFormat = "$tile `by` $scale attr-dict `:` type($tile) `,` type($scale)";
  let hasVerifier = 1;
}

def TileAS_CompleteLoadOp : TileAS_Op<"complete_load", [
    MemoryEffects<[MemRead, MemWrite]>, Work_NotCounted, AllTypesMatch<["loaded", "result"]>]> {
  let summary = "Waits until a tile has come from tensor memory";
  let description = [{
    `loaded` is the result of a `copy` from there, which nothing else uses: its registers have no values before.

    ```mlir
    %loaded = nv_tileas.copy %acc atom = "tcgen05.ld" : tensor<128x64xf32, #tmem> -> tensor<128x64xf32, #c>
    %tile = nv_tileas.complete_load %loaded : tensor<128x64xf32, #c>
    ```
  }];
  let arguments = (ins TileAS_Tensor:$loaded);
  let results = (outs TileAS_Tensor:$result);
  let assemblyFormat = "$loaded attr-dict `:` type($result)";
}

def TileAS_TensorMemoryBarrierOp : TileAS_Op<"tensor_memory_barrier", [MemoryEffects<[MemRead, MemWrite]>, Work_Own]> {
  let summary = "All threads of the scope meet";
  let description = [{
    What they have done to tensor memory comes before what any of them does to it afterwards. With `of_group`, each of the
    warpgroups that start MMAs of their own rows meets alone: the first at that hardware barrier, the others at those
    after it.

    ```mlir
    nv_tileas.tensor_memory_barrier
    nv_tileas.tensor_memory_barrier of_group 3
    ```
  }];
  let arguments = (ins OptionalAttr<ConfinedAttr<I32Attr, [IntPositive]>>:$of_group);
  let assemblyFormat = "(`of_group` $of_group^)? attr-dict";
}

def TileAS_CommitProductsOp : TileAS_Op<"commit_products", [MemoryEffects<[MemRead, MemWrite]>, Work_NotCounted]> {
  let summary = "The MMAs that the scope has started hand on a stage when they are complete";
  let description = [{
    A consumer's stage, which they read, is released: besides the warps of the scope, each of which releases it when it no
    longer waits for it to be filled, unless there is but one (`product_releases` of the pipeline). A producer's stage,
    an accumulator that they have computed, is handed to the consumers (`producer_kind = mma`). With `cta_pair`
    both CTAs of a pair are told, by the one that has started the MMAs. A consumer's stage is released in all CTAs
    that fill it together (`shared_ctas` of the pipeline), or in all pairs of them.

    ```mlir
    nv_tileas.commit_products %token : !nv_tileas.consumer_token<4 x (tensor<128x64xf16, #a>)>
    nv_tileas.commit_products %sum : !nv_tileas.producer_token<2 x (tensor<128x256xf32, #tmem>)>
    ```
  }];
  let arguments = (ins AnyTypeOf<[TileAS_ProducerToken, TileAS_ConsumerToken]>:$token, UnitAttr:$cta_pair,
                       DefaultValuedAttr<ConfinedAttr<I32Attr, [IntNonNegative]>, "0">:$shared_ctas);
  let assemblyFormat = "$token (`cta_pair` $cta_pair^)? attr-dict `:` qualified(type($token))";
}

def TileAS_FenceTensorMemoryOp : TileAS_Op<"fence_tensor_memory", [MemoryEffects<[MemRead, MemWrite]>,
                                                                   Work_NotCounted]> {
  let summary = "Barriers order what threads do in tensor memory";
  let description = [{
    What the thread has done there before comes before what it tells others by a barrier after the fence. With
    `after_wait`: what it does there after the fence comes after what others have told it by the barrier before.

    ```mlir
    nv_tileas.fence_tensor_memory
    nv_tileas.fence_tensor_memory after_wait
    ```
  }];
  let arguments = (ins UnitAttr:$after_wait);
  let assemblyFormat = "(`after_wait` $after_wait^)? attr-dict";
}

def TileAS_WaitProductsOp : TileAS_Op<"wait_products", [MemoryEffects<[MemRead, MemWrite]>, Work_NotCounted]> {
  let summary = "Waits until all MMAs that the scope has started are complete";
  let description = [{
    The threads of the scope meet before, as at `tensor_memory_barrier`: none is more than one wait later than the others.
    `scope` is the number among `barriers` of the scope's barrier, or of the first of as many as it has MMA groups;
    `phase` is a pointer to the i32 in which each thread keeps the parity that it waits for, 0 at first.

    ```mlir
    nv_tileas.wait_products %barriers, %phase scope = 0 : !llvm.ptr
    ```
  }];
  let arguments = (ins I32:$barriers, AnyType:$phase, ConfinedAttr<I32Attr, [IntNonNegative]>:$scope);
  let assemblyFormat = "$barriers `,` $phase `scope` `=` $scope attr-dict `:` type($phase)";
}

class TileAS_AccumulatorOp<string mnemonic> : TileAS_Op<mnemonic, [MemoryEffects<[MemRead, MemWrite]>,
                                                                   Work_NotCounted]> {
  let arguments = (ins I32:$barriers, AnyType:$phase, ConfinedAttr<I32Attr, [IntNonNegative]>:$scope);
  let assemblyFormat = "$barriers `,` $phase `scope` `=` $scope attr-dict `:` type($phase)";
}

def TileAS_CommitAccumulatorOp : TileAS_AccumulatorOp<"commit_accumulator"> {
  let summary = "An accumulator's barrier learns when the MMAs that have been started are complete";
  let description = [{
    After each MMA that adds to the accumulator; all threads of the scope call it. `scope` is the number of the barrier
    among `barriers`, or of the first of as many as the scope has MMA groups; `phase` is a pointer to the i32 in which
    each thread keeps the parity of the last commit, 1 before the first one.

    ```mlir
    nv_tileas.commit_accumulator %barriers, %phase scope = 1 : !llvm.ptr
    ```
  }];
}

def TileAS_WaitAccumulatorOp : TileAS_AccumulatorOp<"wait_accumulator"> {
  let summary = "Waits until the MMAs of an accumulator are complete";
  let description = [{
    Those of the last `commit_accumulator`, and what was started before them, by the thread's MMA group; others may go
    on. The threads do not meet here: those of the group do before the next MMA of the accumulator starts.

    ```mlir
    nv_tileas.wait_accumulator %barriers, %phase scope = 1 : !llvm.ptr
    ```
  }];
}

#endif // TILEIRAS_DIALECT_TILEAS_TILEASTENSORMEMORYOPS_TD
