//===- TileASTmaOps.td - Copies by tensor maps -------------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TILEASTMAOPS_TD
#define TILEIRAS_DIALECT_TILEAS_TILEASTMAOPS_TD

include "tileiras/Dialect/TileAS/TileASOpBase.td"

// Tiles, boxes and coordinates are in the order of the memref's dimensions. A tile larger than the descriptor's box is
// copied in several boxes. `atom` says what an operation is allowed to do with a descriptor: `tma_load`, `tma_store` or
// `tma_redg` (a store that combines).

def TileAS_MakeTiledTmaDescOp : TileAS_Op<"make_tiled_tma_desc", [Pure, TileAS_MemoryConsistencyOpInterface,
                                                                  Work_Is<"Integer">]> {
  let summary = "Describes an array in global memory to TMA";
  let description = [{
    `oob_mode` is what loads read outside of the memref: zero (when unsaid) or NaN, nothing else is possible. `tma_idx`
    numbers a kernel's descriptors, once a pass has.

    ```mlir
    %desc = nv_tileas.make_tiled_tma_desc %a atom = "tma_load"
        : !nv_tileaa.memref<?x?xf16, strides = [?, 1]> -> !nv_tileas.tma_desc<128x64xf16, swizzle = 128>
    ```
  }];
  let arguments = (ins AnyType:$source, TileAS_AtomAttr:$atom, OptionalAttr<TileAA_PaddingValueAttr>:$oob_mode,
                       OptionalAttr<ConfinedAttr<I32Attr, [IntNonNegative]>>:$tma_idx);
  let results = (outs TileAS_TmaDesc:$result);
  let assemblyFormat = [{
    $source `atom` `=` $atom (`oob` `` $oob_mode^)? attr-dict `:` qualified(type($source)) `->`
    qualified(type($result))
  }];
  let hasVerifier = 1;
}

def TileAS_ClaimTensorMapsOp : TileAS_Op<"claim_tensor_maps", [AttrSizedOperandSegments, Work_Is<"Integer">,
                                                               TileAS_MemoryConsistencyOpInterface]> {
  let summary = "Builds all tensor maps of a kernel";
  let description = [{
    In a set of a global array that the CTA claims and no other uses before it is released. `staging` is memory for
    one map more than there are. The sets of the module have room for `maps_per_set` maps. `stores` and `nan_fill` say
    of each map whether stores use it and what loads read outside. Maps beyond those of `sources` are of arrays that are
    not known yet: `update_tensor_maps` completes them. Placed by `tileas-attach-tma-descriptors`.

    `key`: the parameters of the kernel that all sources are made of. Maps that an earlier CTA has built of the same
    values, of the module's kernel number `kernel`, are taken as they are, and these are kept if there is room.

    ```mlir
    %desc, %set = nv_tileas.claim_tensor_maps %a staging %s {maps_per_set = 1 : i32, nan_fill = array<i1: false>,
        stores = array<i1: false>} : (!nv_tileaa.memref<?x?xf16, strides = [?, 1]>, tensor<256xi8, #s>) -> (!nv_tileas.tma_desc<64x64xf16>, i32)
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$sources, Arg<TileAS_Buffer, "", [MemRead, MemWrite]>:$staging,
                       Variadic<AnyType>:$key, DenseBoolArrayAttr:$stores, DenseBoolArrayAttr:$nan_fill,
                       ConfinedAttr<I32Attr, [IntPositive]>:$maps_per_set,
                       DefaultValuedAttr<ConfinedAttr<I32Attr, [IntNonNegative]>, "0">:$kernel);
  let results = (outs Variadic<TileAS_TmaDesc>:$descs, I32:$set);
  let assemblyFormat = [{
    $sources `staging` $staging (`key` $key^)? attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def TileAS_UpdateTensorMapsOp : TileAS_Op<"update_tensor_maps", [SameVariadicOperandSize, Work_Is<"Integer">,
                                                                 TileAS_MemoryConsistencyOpInterface]> {
  let summary = "Makes tensor maps describe other arrays";
  let description = [{
    The results name the maps that `maps` name, from there on of `sources`. They are numbers `first`, `first` + 1, … of
    the claim with this `staging`. No copy that uses one of them is in flight, except stores that the first thread has
    started: `after_stores` waits for these. Placed by `tileas-attach-tma-descriptors`.
  }];
  let arguments = (ins Variadic<TileAS_TmaDesc>:$maps, Variadic<AnyType>:$sources,
                       Arg<TileAS_Buffer, "", [MemRead, MemWrite]>:$staging, DenseBoolArrayAttr:$stores,
                       DenseBoolArrayAttr:$nan_fill, ConfinedAttr<I32Attr, [IntNonNegative]>:$first,
                       UnitAttr:$after_stores);
  let results = (outs Variadic<TileAS_TmaDesc>:$descs);
  let assemblyFormat = [{
    $maps `to` $sources `staging` $staging (`after_stores` $after_stores^)? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def TileAS_ReleaseTensorMapsOp : TileAS_Op<"release_tensor_maps", [TileAS_MemoryConsistencyOpInterface, Work_NotCounted,
                                                                   MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Gives the tensor maps of a kernel back: all copies are complete";
  let description = [{
    All threads meet, those of a cluster where there is one. `after_stores`: threads of the CTA have started tensor
    stores, for which this waits.
  }];
  let arguments = (ins I32:$set, UnitAttr:$after_stores);
  let assemblyFormat = "$set (`after_stores` $after_stores^)? attr-dict";
}

def TileAS_AsyncTiledTmaLoadOp : TileAS_AsyncOp<"tiled_tma_load", [AttrSizedOperandSegments, Work_Own,
                                                                   MemoryEffects<[MemRead]>]> {
  let summary = "Starts to copy a tile from global to shared memory";
  let description = [{
    `barrier` is the stage whose commit waits for the bytes; in the body of a `produce_one` it is that one's. With
    `multicast` the tile goes to `num_multicast` CTAs of the cluster. With `cta_pair` it is a stage of the pair's CTA with
    the even rank that waits for the bytes.

    ```mlir
    nv_tileas.async.tiled_tma_load %desc[%i, %k] into %slot barrier %stage atom = "tma_load"
        : (!nv_tileas.tma_desc<128x64xf16, swizzle = 128>, i32, i32, tensor<128x64xf16, #shared>,
           !nv_tileas.producer_token<…>) -> !nv_tileas.async_token
    ```
  }];
  let arguments = (ins TileAS_TmaDesc:$desc, Variadic<I32>:$coords, Arg<TileAS_Buffer, "", [MemWrite]>:$destination,
                       Optional<TileAS_ProducerToken>:$barrier, OptionalAttr<TileAA_PaddingValueAttr>:$padding_value,
                       UnitAttr:$multicast, OptionalAttr<I32Attr>:$num_multicast, UnitAttr:$cta_pair, TileAS_AtomAttr:$atom,
                       SharedCtasArg:$shared_ctas);
  let results = (outs TileAS_AsyncToken:$token);
  let assemblyFormat = [{
    $desc `[` $coords `]` `into` $destination (`barrier` $barrier^)? (`padding` `` $padding_value^)?
    (`multicast` $multicast^)? (`num_multicast` `=` $num_multicast^)? (`cta_pair` $cta_pair^)? `atom` `=` $atom attr-dict `:` functional-type(operands, results)
  }];
}

def TileAS_AsyncTiledTmaStoreOp : TileAS_AsyncOp<"tiled_tma_store", [MemoryEffects<[MemWrite]>, Work_Own]> {
  let summary = "Starts to copy a tile from shared to global memory, or to combine it with what is there";
  let description = "`rmw_mode` is present exactly when the atom is `tma_redg`.";
  let arguments = (ins TileAS_TmaDesc:$desc, Arg<TileAS_Buffer, "", [MemRead]>:$source, Variadic<I32>:$coords,
                       OptionalAttr<TileAA_RmwModeAttr>:$rmw_mode, TileAS_AtomAttr:$atom);
  let results = (outs TileAS_AsyncToken:$token);
  let assemblyFormat = [{
    $source `,` $desc `[` $coords `]` (`rmw` $rmw_mode^)? `atom` `=` $atom attr-dict
    `:` functional-type(operands, results)
  }];
}

def TileAS_ProxyFenceOp : TileAS_Op<"proxy_fence", [MemoryEffects<[MemRead, MemWrite]>, Work_NotCounted]> {
  let summary = "What this thread has done to global memory comes before what TMA does there";
  let description = [{
    That is, before what is started after a barrier that the thread reaches after the fence.
  }];
  let assemblyFormat = "attr-dict";
}

def TileAS_AsyncStoreWaitOp : TileAS_Op<"async.store_wait", [TileAS_MemoryAccessOpInterface, Work_Is<"Integer">,
                                                             TileAS_MemoryConsistencyOpInterface,
                                                             MemoryEffects<[MemWrite]>]> {
  let summary = "Waits until all tensor stores that have been started are complete, or `buffer` has been read";
  let description = [{
    With `read`, until stores have read `buffer`, with all that were started before them: it may be written after it.
    `pending` is that of `async.wait`. What waits for the result's token comes after all stores.

    ```mlir
    nv_tileas.async.store_wait %staging read : (tensor<128x64xf16, #shared>) -> ()
    %written = nv_tileas.async.store_wait %staging : (tensor<128x64xf16, #shared>) -> !nv_tileas.mem_token
    ```
  }];
  let arguments = (ins Arg<TileAS_Buffer, "", [MemRead]>:$buffer, UnitAttr:$read, PendingArg:$pending);
  let results = (outs Optional<TileAS_Token>:$result_token);
  let assemblyFormat = "$buffer (`read` $read^)? (`pending` $pending^)? attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    bool isWrite() { return true; }
    ::tileiras::aa::MemSemantic getMemSemantic() { return ::tileiras::aa::MemSemantic::Weak; }
    ::mlir::Value getToken() { return {}; }
  }];
}

def TileAS_AsyncGatherTmaLoadOp : TileAS_AsyncOp<"gather_tma_load", [MemoryEffects<[MemRead]>, Work_Own]> {
  let summary = "Starts to copy rows of a matrix, each from a place of its own, to shared memory";
  let description = [{
    Row i of the tile is row `rows[i]` of the matrix, from column `column` on, zeros where there is no such row; four
    rows go in one instruction. The box is one row, or a part of one. Each lane of a warp starts those of its rows:
    `rows` has four neighbours, and those `4 * lanes` further on, in each lane, and copies in the warps (`getRowLayout`).
    `barrier` and `cta_pair` are those of `async.tiled_tma_load`.
  }];
  let arguments = (ins TileAS_TmaDesc:$desc, TileAS_Tensor:$rows, I32:$column,
                       Arg<TileAS_Buffer, "", [MemWrite]>:$destination, Optional<TileAS_ProducerToken>:$barrier,
                       OptionalAttr<TileAA_PaddingValueAttr>:$padding_value, UnitAttr:$cta_pair, TileAS_AtomAttr:$atom);
  let results = (outs TileAS_AsyncToken:$token);
  let assemblyFormat = [{
    $desc `[` $rows `,` $column `]` `into` $destination (`barrier` $barrier^)? (`padding` `` $padding_value^)?
    (`cta_pair` $cta_pair^)? `atom` `=` $atom attr-dict `:` functional-type(operands, results)
  }];
}

def TileAS_AsyncScatterTmaStoreOp : TileAS_AsyncOp<"scatter_tma_store", [MemoryEffects<[MemWrite]>, Work_Own]> {
  let summary = "Starts to copy rows of a tile from shared memory to rows of a matrix";
  let description = "Rows and column are those of `async.gather_tma_load`. Of equal rows any one remains.";
  let arguments = (ins TileAS_TmaDesc:$desc, Arg<TileAS_Buffer, "", [MemRead]>:$source, TileAS_Tensor:$rows,
                       I32:$column, TileAS_AtomAttr:$atom);
  let results = (outs TileAS_AsyncToken:$token);
  let assemblyFormat = [{
    $source `,` $desc `[` $rows `,` $column `]` `atom` `=` $atom attr-dict `:` functional-type(operands, results)
  }];
}

#endif // TILEIRAS_DIALECT_TILEAS_TILEASTMAOPS_TD
