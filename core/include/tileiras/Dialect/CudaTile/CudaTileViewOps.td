//===- CudaTileViewOps.td - Views of memory ----------------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_CUDATILE_CUDATILEVIEWOPS_TD
#define TILEIRAS_DIALECT_CUDATILE_CUDATILEVIEWOPS_TD

include "tileiras/Dialect/CudaTile/CudaTileOpBase.td"

//===----------------------------------------------------------------------===//
// Making views
//===----------------------------------------------------------------------===//

def CudaTile_MakeTensorViewOp : CudaTile_Op<"make_tensor_view", [Pure, AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "tensor from its address, sizes and strides";
  let description = [{
    The operands are the sizes and strides that the type leaves open, read as unsigned; all have one type.

    ```mlir
    %0 = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
    ```
  }];
  let arguments = (ins CudaTile_PointerScalar:$base, Variadic<CudaTile_IntScalar>:$dynamicShape,
                       Variadic<CudaTile_IntScalar>:$dynamicStrides);
  let results = (outs CudaTile_TensorViewType:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

class CudaTile_MakeViewOp<string mnemonic, Type view, string summary_> : CudaTile_Op<mnemonic, [Pure,
    TypesMatchWith<"the view must be one of the operand's type", "result", "tensor_view", "getViewedTensor($_self)">,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = summary_;
  let arguments = (ins CudaTile_TensorViewType:$tensor_view);
  let results = (outs view:$result);
  let assemblyFormat = "$tensor_view attr-dict `:` custom<ShortType>(type($result))";
}

def CudaTile_MakePartitionViewOp
    : CudaTile_MakeViewOp<"make_partition_view", CudaTile_PartitionViewType, "a tensor cut into tiles">;
def CudaTile_MakeStridedViewOp
    : CudaTile_MakeViewOp<"make_strided_view", CudaTile_StridedViewType, "tiles at regular distances in a tensor">;
def CudaTile_MakeGatherScatterViewOp
    : CudaTile_MakeViewOp<"make_gather_scatter_view", CudaTile_GatherScatterViewType,
                          "slices of a tensor at given positions">;

// Sizes that are only known at run time: one result for each dimension, all of one type.
class CudaTile_SizesOp<string mnemonic, Type view, string summary_> : CudaTile_Op<mnemonic, [Pure]> {
  let summary = summary_;
  let arguments = (ins view:$src);
  let results = (outs Variadic<CudaTile_IntScalar>:$result);
  let assemblyFormat = [{
    $src attr-dict `:` custom<ShortType>(type($src)) `->` custom<EqualTypes>(type($result), ref(type($src)))
  }];
  let hasVerifier = 1;
}

def CudaTile_GetTensorShapeOp : CudaTile_SizesOp<"get_tensor_shape", CudaTile_TensorViewType, "sizes of a tensor">;
def CudaTile_GetIndexSpaceShapeOp
    : CudaTile_SizesOp<"get_index_space_shape", CudaTile_View, "number of tiles along each dimension of a view">;

//===----------------------------------------------------------------------===//
// Access through views
//===----------------------------------------------------------------------===//

// `inbounds`, since 13.4, promises for each index that the tile does not reach over the end of the tensor there.
def CudaTile_Inbounds : DefaultValuedOptionalAttr<DenseBoolArrayAttr, "{}">;

def CudaTile_LoadViewTkoOp : CudaTile_Op<"load_view_tko", [AttrSizedOperandSegments, CudaTile_MemoryEffects]> {
  let summary = "a tile of a view";
  let arguments = (ins CudaTile_MemoryOrderingSemanticsAttr:$memory_ordering_semantics,
                       OptionalAttr<CudaTile_MemoryScopeAttr>:$memory_scope, CudaTile_View:$view,
                       Variadic<CudaTile_IntTile>:$index, Optional<CudaTile_TokenType>:$token,
                       OptionalAttr<CudaTile_OptimizationHintsAttr>:$optimization_hints, CudaTile_Inbounds:$inbounds);
  let results = (outs CudaTile_TileType:$tile, CudaTile_TokenType:$result_token);
  let assemblyFormat = [{
    custom<MemoryOrder>($memory_ordering_semantics, $memory_scope) $view `[` $index `]` (`token` `=` $token^)?
    (`inbounds` `=` $inbounds^)? (`optimization_hints` `=` $optimization_hints^)? attr-dict-with-keyword `:`
    custom<ShortType>(type($view)) `,` custom<IndexTypes>(type($index), ref($index)) `->`
    custom<ShortType>(type($tile)) `,` custom<ShortType>(type($result_token))
  }];
  let hasVerifier = 1;
}

def CudaTile_StoreViewTkoOp : CudaTile_Op<"store_view_tko", [AttrSizedOperandSegments, CudaTile_MemoryEffects]> {
  let summary = "a tile to its place in a view";
  let arguments = (ins CudaTile_MemoryOrderingSemanticsAttr:$memory_ordering_semantics,
                       OptionalAttr<CudaTile_MemoryScopeAttr>:$memory_scope, CudaTile_TileType:$tile,
                       CudaTile_View:$view, Variadic<CudaTile_IntTile>:$index, Optional<CudaTile_TokenType>:$token,
                       OptionalAttr<CudaTile_OptimizationHintsAttr>:$optimization_hints, CudaTile_Inbounds:$inbounds);
  let results = (outs CudaTile_TokenType:$result_token);
  let assemblyFormat = [{
    custom<MemoryOrder>($memory_ordering_semantics, $memory_scope) $tile `,` $view `[` $index `]`
    (`token` `=` $token^)? (`inbounds` `=` $inbounds^)? (`optimization_hints` `=` $optimization_hints^)?
    attr-dict-with-keyword `:` custom<ShortType>(type($tile)) `,` custom<ShortType>(type($view)) `,`
    custom<IndexTypes>(type($index), ref($index)) `->` custom<ShortType>(type($result_token))
  }];
  let hasVerifier = 1;
}

def CudaTile_AtomicRedViewTkoOp
    : CudaTile_Op<"atomic_red_view_tko", [AttrSizedOperandSegments, CudaTile_MemoryEffects]> {
  let summary = "atomic change of a tile of a view";
  let description = "Since 13.3.";
  let arguments = (ins CudaTile_MemoryOrderingSemanticsAttr:$memory_ordering_semantics,
                       CudaTile_MemoryScopeAttr:$memory_scope, CudaTile_View:$view, Variadic<CudaTile_IntTile>:$index,
                       CudaTile_AtomicRMWModeAttr:$mode, CudaTile_NumberTile:$value,
                       Optional<CudaTile_TokenType>:$token);
  let results = (outs CudaTile_TokenType:$result_token);
  let assemblyFormat = [{
    custom<Keyword>($memory_ordering_semantics) custom<Keyword>($memory_scope) $view `[` $index `]` `,`
    custom<Keyword>($mode) `,` $value (`token` `=` $token^)? attr-dict-with-keyword `:`
    custom<ShortType>(type($value)) `,` custom<ShortType>(type($view)) `,`
    custom<IndexTypes>(type($index), ref($index)) `->` custom<ShortType>(type($result_token))
  }];
  let hasVerifier = 1;
}

#endif // TILEIRAS_DIALECT_CUDATILE_CUDATILEVIEWOPS_TD
