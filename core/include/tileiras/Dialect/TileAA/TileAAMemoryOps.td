//===- TileAAMemoryOps.td - Views, accesses, memory order --*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every ordered access takes a token and gives one; an access without a token is ordered only by the program. Tokens
// name edges of the memory order and have no run-time value. A weak access carries no scope, every other one does.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_MEMORY_OPS_TD
#define TILEIRAS_DIALECT_TILEAA_MEMORY_OPS_TD

include "mlir/IR/SymbolInterfaces.td"
include "tileiras/Dialect/TileAA/TileAABase.td"

//===----------------------------------------------------------------------===//
// Memory order
//===----------------------------------------------------------------------===//

def TileAA_CreateMemTokenOp : TileAA_Op<"create_mem_token", [Pure]> {
  let summary = "A token that nothing comes before";
  let results = (outs TileAA_MemTokenType:$result);
  let assemblyFormat = "attr-dict";
}

def TileAA_JoinMemTokenOp : TileAA_Op<"join_mem_token", [Pure]> {
  let summary = "A token that comes after all operands";
  let arguments = (ins Variadic<TileAA_MemTokenType>:$tokens);
  let results = (outs TileAA_MemTokenType:$result);
  let assemblyFormat = "$tokens attr-dict";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

def TileAA_MakeMemRefOp : TileAA_Op<"make_memref", [Pure, TileAA_StaysInTileAS, Work_Free,
                                                     AttrSizedOperandSegments]> {
  let summary = "Describes strided memory that starts at a pointer";
  let description = [{
    `sizes` and `strides`, in elements, are those the type leaves open, in order, read as unsigned. Accesses through
    memrefs with different `alias_scope` numbers do not overlap.

    ```mlir
    %m = nv_tileaa.make_memref %p, sizes[%rows, %cols], strides[%ld]
         : !nv_tileaa.ptr<f16>, (i32, i32, i32) -> !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
    ```
  }];
  let arguments = (ins TileAA_PtrType:$base, Variadic<AnySignlessInteger>:$sizes,
                       Variadic<AnySignlessInteger>:$strides, OptionalAttr<I32Attr>:$alias_scope);
  let results = (outs TileAA_MemRefType:$result);
  let assemblyFormat = [{
    $base `,` `sizes` `` `[` $sizes `]` `,` `strides` `` `[` $strides `]` attr-dict
    `:` qualified(type($base)) `,` custom<IntegerTypes>(type($sizes), type($strides), ref($sizes), ref($strides))
    `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def TileAA_GetDimSizeOp : TileAA_Op<"get_dim_size", [Pure, TileAA_StaysInTileAS, Work_ByTypes]> {
  let summary = "The extent of a memref's axis";
  let arguments = (ins TileAA_MemRefType:$source, ConfinedAttr<I32Attr, [IntNonNegative]>:$axis);
  let results = (outs AnySignlessInteger:$result);
  let assemblyFormat = "$source `axis` `=` $axis attr-dict `:` qualified(type($source)) `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def TileAA_BlockTileOp : TileAA_Op<"block_tile", [Pure, TypesMatchWith<"the view's memref is the operand's", "result",
    "source", "::llvm::cast<::tileiras::aa::TiledViewType>($_self).getSource()">]> {
  let summary = "Sees a memref as a grid of tiles";
  let description = "The type of the result says which grid: partition, strided or gather/scatter.";
  let arguments = (ins TileAA_MemRefType:$source);
  let results = (outs TileAA_TiledViewType:$result);
  let assemblyFormat = "$source attr-dict `:` qualified(type($result))";
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

class TileAA_AccessOp<string mnemonic, list<Trait> traits = []>
    : TileAA_Op<mnemonic, [AttrSizedOperandSegments, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>] # traits> {
  let hasVerifier = 1;
}

defvar CacheArg = DefaultValuedAttr<TileAA_CacheModifierAttr, "::tileiras::aa::CacheModifier::None">;
defvar EvictArg = DefaultValuedAttr<TileAA_EvictionPolicyAttr, "::tileiras::aa::EvictionPolicy::None">;

def TileAA_LoadOp : TileAA_AccessOp<"load", [TileAA_SlicedAs<"Once">]> {
  let summary = "Loads through pointers";
  let description = [{
    Where `mask` is false nothing is read and the result is `other`, or unspecified without one. An i1 occupies a byte
    of memory: any value but 0 is true.

    ```mlir
    %v, %t1 = nv_tileaa.load weak %p mask(%m) other(%z) token(%t0) : tensor<64x!nv_tileaa.ptr<f32>> -> tensor<64xf32>
    ```
  }];
  let arguments = (ins TileAA_PtrLike:$base, Optional<TileAA_I1Like>:$mask, Optional<TileAA_ScalarOrTile>:$other,
                       Optional<TileAA_MemTokenType>:$token, TileAA_MemSemanticAttr:$mem_semantic,
                       OptionalAttr<TileAA_MemScopeAttr>:$mem_scope, CacheArg:$cache, EvictArg:$evict,
                       SharedCtasArg:$shared_ctas);
  let results = (outs TileAA_ScalarOrTile:$value, Optional<TileAA_MemTokenType>:$result_token);
  let assemblyFormat = [{
    custom<MemoryOrder>($mem_semantic, $mem_scope) $base (`mask` `(` $mask^ `)`)? (`other` `(` $other^ `)`)?
    (`token` `(` $token^ `)`)? (`cache` `` $cache^)? (`evict` `` $evict^)? attr-dict `:` type($base) `->`
    type($value) `` custom<AccessTypes>(ref(type($value)), type($mask), type($other), ref($mask), ref($other))
    `` custom<TokenResult>(type($result_token), ref($token))
  }];
}

def TileAA_StoreOp : TileAA_AccessOp<"store", [TileAA_SlicedAs<"Effect">]> {
  let summary = "Stores through pointers, except where `mask` is false";
  let arguments = (ins TileAA_PtrLike:$base, TileAA_ScalarOrTile:$value, Optional<TileAA_I1Like>:$mask,
                       Optional<TileAA_MemTokenType>:$token, TileAA_MemSemanticAttr:$mem_semantic,
                       OptionalAttr<TileAA_MemScopeAttr>:$mem_scope, CacheArg:$cache, EvictArg:$evict,
                       SharedCtasArg:$shared_ctas);
  let results = (outs Optional<TileAA_MemTokenType>:$result_token);
  let assemblyFormat = [{
    custom<MemoryOrder>($mem_semantic, $mem_scope) $base `,` $value (`mask` `(` $mask^ `)`)?
    (`token` `(` $token^ `)`)? (`cache` `` $cache^)? (`evict` `` $evict^)? attr-dict `:` type($base) `,`
    type($value) `` custom<MaskType>(ref(type($value)), type($mask), ref($mask))
    `` custom<TokenResult>(type($result_token), ref($token))
  }];
}

def TileAA_AtomicCASOp : TileAA_AccessOp<"atomic_cas", [TileAA_SlicedAs<"Effect">]> {
  let summary = "Compares memory with `cmp`, bit for bit, and replaces it by `value` where equal; gives the old value";
  let description = "Where `mask` is false nothing happens and the result is `cmp`.";
  let arguments = (ins TileAA_PtrLike:$base, TileAA_ScalarOrTile:$cmp, TileAA_ScalarOrTile:$value,
                       Optional<TileAA_I1Like>:$mask, Optional<TileAA_MemTokenType>:$token,
                       TileAA_MemSemanticAttr:$mem_semantic, OptionalAttr<TileAA_MemScopeAttr>:$mem_scope,
                       SharedCtasArg:$shared_ctas);
  let results = (outs TileAA_ScalarOrTile:$result, Optional<TileAA_MemTokenType>:$result_token);
  let assemblyFormat = [{
    custom<MemoryOrder>($mem_semantic, $mem_scope) $base `,` $cmp `,` $value (`mask` `(` $mask^ `)`)?
    (`token` `(` $token^ `)`)? attr-dict `:` type($base) `,` type($result)
    `` custom<AtomicTypes>(ref(type($result)), type($cmp), type($value), type($mask), ref($mask))
    `` custom<TokenResult>(type($result_token), ref($token))
  }];
}

def TileAA_AtomicRMWOp : TileAA_AccessOp<"atomic_rmw", [TileAA_SlicedAs<"Effect">]> {
  let summary = "Atomically combines memory with `value`; gives the old value";
  let description = "Where `mask` is false nothing happens and the result is unspecified.";
  let arguments = (ins TileAA_RmwModeAttr:$mode, TileAA_PtrLike:$base, TileAA_ScalarOrTile:$value,
                       Optional<TileAA_I1Like>:$mask, Optional<TileAA_MemTokenType>:$token,
                       TileAA_MemSemanticAttr:$mem_semantic, OptionalAttr<TileAA_MemScopeAttr>:$mem_scope,
                       SharedCtasArg:$shared_ctas);
  let results = (outs TileAA_ScalarOrTile:$result, Optional<TileAA_MemTokenType>:$result_token);
  let assemblyFormat = [{
    $mode custom<MemoryOrder>($mem_semantic, $mem_scope) $base `,` $value (`mask` `(` $mask^ `)`)?
    (`token` `(` $token^ `)`)? attr-dict `:` type($base) `,` type($result)
    `` custom<RmwTypes>(ref(type($result)), type($value), type($mask), ref($mask))
    `` custom<TokenResult>(type($result_token), ref($token))
  }];
}

defvar CoordinateArg = Variadic<TileAA_IntLike>;
/// Slices are tiles of a view with smaller tiles: of a view that is known.
defvar SlicedByView = DeclareOpInterfaceMethods<TileAA_SliceOpInterface, ["getSliceKind"]>;
/// One flag per coordinate: along that axis the tile stays inside of the memref, so no check is needed.
defvar InBoundsArg = OptionalAttr<DenseBoolArrayAttr>;

def TileAA_TiledLoadOp : TileAA_AccessOp<"tiled_load", [SlicedByView]> {
  let summary = "Loads a tile through a view; outside of the memref the result is the view's padding";
  let description = [{
    ```mlir
    %v, %t1 = nv_tileaa.tiled_load weak %view[%i, %j] token(%t0)
              : !nv_tileaa.tiled_view<64x32, memref<?x?xf16, strides = [?, 1]>>, (i32, i32) -> tensor<64x32xf16>
    ```
  }];
  let arguments = (ins TileAA_TiledViewType:$view, CoordinateArg:$coordinates, Optional<TileAA_MemTokenType>:$token,
                       TileAA_MemSemanticAttr:$mem_semantic, OptionalAttr<TileAA_MemScopeAttr>:$mem_scope,
                       CacheArg:$cache, EvictArg:$evict, InBoundsArg:$in_bounds,
                       SharedCtasArg:$shared_ctas);
  let results = (outs TileAA_Tile:$value, Optional<TileAA_MemTokenType>:$result_token);
  let assemblyFormat = [{
    custom<MemoryOrder>($mem_semantic, $mem_scope) $view `[` $coordinates `]` (`token` `(` $token^ `)`)?
    (`cache` `` $cache^)? (`evict` `` $evict^)? (`in_bounds` $in_bounds^)? attr-dict `:` qualified(type($view)) `,`
    `(` type($coordinates) `)` `->` type($value) `` custom<TokenResult>(type($result_token), ref($token))
  }];
}

def TileAA_TiledStoreOp : TileAA_AccessOp<"tiled_store", [SlicedByView]> {
  let summary = "Stores a tile through a view, except outside of the memref";
  let arguments = (ins TileAA_TiledViewType:$view, TileAA_Tile:$value, CoordinateArg:$coordinates,
                       Optional<TileAA_MemTokenType>:$token,
                       TileAA_MemSemanticAttr:$mem_semantic, OptionalAttr<TileAA_MemScopeAttr>:$mem_scope,
                       CacheArg:$cache, EvictArg:$evict, InBoundsArg:$in_bounds,
                       SharedCtasArg:$shared_ctas);
  let results = (outs Optional<TileAA_MemTokenType>:$result_token);
  let assemblyFormat = [{
    custom<MemoryOrder>($mem_semantic, $mem_scope) $value `,` $view `[` $coordinates `]` (`token` `(` $token^ `)`)?
    (`cache` `` $cache^)? (`evict` `` $evict^)? (`in_bounds` $in_bounds^)? attr-dict `:` type($value) `,`
    qualified(type($view)) `,` `(` type($coordinates) `)` `` custom<TokenResult>(type($result_token), ref($token))
  }];
}

def TileAA_TiledAtomicRMWOp : TileAA_AccessOp<"tiled_atomic_rmw", [SlicedByView]> {
  let summary = "Atomically combines a tile with memory through a view, except outside of the memref";
  let description = "The old values are not returned: this is a reduction into memory.";
  let arguments = (ins TileAA_RmwModeAttr:$mode, TileAA_TiledViewType:$view, TileAA_Tile:$value,
                       CoordinateArg:$coordinates, Optional<TileAA_MemTokenType>:$token,
                       TileAA_MemSemanticAttr:$mem_semantic, OptionalAttr<TileAA_MemScopeAttr>:$mem_scope,
                       InBoundsArg:$in_bounds,
                       SharedCtasArg:$shared_ctas);
  let results = (outs Optional<TileAA_MemTokenType>:$result_token);
  let assemblyFormat = [{
    $mode custom<MemoryOrder>($mem_semantic, $mem_scope) $value `,` $view `[` $coordinates `]`
    (`token` `(` $token^ `)`)? (`in_bounds` $in_bounds^)? attr-dict `:` type($value) `,` qualified(type($view)) `,`
    `(` type($coordinates) `)` `` custom<TokenResult>(type($result_token), ref($token))
  }];
}

#endif // TILEIRAS_DIALECT_TILEAA_MEMORY_OPS_TD
