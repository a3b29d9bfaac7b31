//===- TileASTypes.td - Types of nv_tileas -----------------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_TILEASTYPES_TD
#define TILEIRAS_DIALECT_TILEAS_TILEASTYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "tileiras/Dialect/TileAS/TileASBase.td"

class TileAS_TypeDef<string name, string typeMnemonic> : TypeDef<TileAS_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def TileAS_MemTokenType : TileAS_TypeDef<"MemToken", "mem_token"> {
  let summary = "Order between memory operations; no value at run time";
}

def TileAS_TiledViewType : TileAS_TypeDef<"TiledView", "tiled_view"> {
  let summary = "A memref seen as a grid of tiles";
  let description = [{
    Dimension i of the tile runs along dimension `dim_map[i]` of the memref. The tile with coordinate c starts
    `c · steps[i]` elements along it (steps equal to the shape partition the memref). Along `sparse_dim` (-1: none)
    the coordinate is a tensor of element indices instead, one for each slice of the tile; its step has no meaning.
    What kind of nv_tileaa view it was no longer matters.

    ```mlir
    !nv_tileas.tiled_view<64x32, memref<?x?xf16, strides = [?, 1]>, steps = [64, 32], dim_map = [0, 1]>
    !nv_tileas.tiled_view<8x32, memref<?x?xi32, strides = [?, 1]>, steps = [8, 32], dim_map = [0, 1], sparse_dim = 0>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t", "extents of a tile: powers of two">:$shape,
    "::tileiras::aa::TileMemRefType":$source,
    ArrayRefParameter<"int64_t", "elements between tiles with neighbouring coordinates">:$steps,
    ArrayRefParameter<"int32_t", "memref dimension of each tile dimension">:$dimMap,
    "int32_t":$sparseDim);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getRank() const { return getShape().size(); }
    ::mlir::Type getElementType() const { return getSource().getElementType(); }
  }];
}

def TileAS_SlicesType : TileAS_TypeDef<"Slices", "slices"> {
  let summary = "Memory for a tile that is kept as a grid of slices";
  let description = [{
    Each thread keeps what it holds of a slice in memory of its own: no thread sees what another one has put there, so
    the slices need no barriers, and all accesses are in the layout of `slice`, once it has one. The memory is each
    thread's local memory (0), or a part of shared memory (3) for each thread.

    ```mlir
    !nv_tileas.slices<[8, 16], tensor<128x64xf32>> // of a tile of 1024×1024
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t", "slices along each axis">:$grid,
                        "::mlir::RankedTensorType":$slice, DefaultValuedParameter<"unsigned", "0">:$addressSpace);
  let assemblyFormat = "`<` `[` $grid `]` `,` $slice (`,` $addressSpace^)? `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getNumSlices() const { return ::llvm::product_of(getGrid()); }
    /// The same grid of slices in another layout.
    SlicesType cloneWithEncoding(::mlir::Attribute layout) const {
      return get(getContext(), getGrid(), getSlice().cloneWithEncoding(layout), getAddressSpace());
    }
  }];
}

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

/// What belongs to a pipeline says which by its stages and payload.
class TileAS_PipelineTypeDef<string name, string typeMnemonic> : TileAS_TypeDef<name, typeMnemonic> {
  let parameters = (ins "int64_t":$stages, ArrayRefParameter<"::mlir::Type", "what one stage holds">:$payload);
  let assemblyFormat = "`<` $stages `x` ` ` `(` $payload `)` `>`";
  let genVerifyDecl = 1;
}

def TileAS_PipelineType : TileAS_PipelineTypeDef<"Pipeline", "pipeline"> {
  let summary = "A ring of stages that producers fill and consumers empty";
  let description = [{
    Every stage holds one value of each payload type: a tensor of static shape (in a memory once it has been assigned
    one) or a scalar.

    ```mlir
    !nv_tileas.pipeline<4 x (tensor<128x64xf16, #shared_a>, tensor<64x256xf16, #shared_b>)>
    ```
  }];
}

/// Its builder takes any other type of the same pipeline apart.
class TileAS_OfPipeline<string name, string typeMnemonic> : TileAS_PipelineTypeDef<name, typeMnemonic> {
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::Type":$of), [{
    auto [stages, payload] = ::tileiras::as::detail::getPipelineParameters(of);
    return $_get(of.getContext(), stages, payload);
  }]>];
  let skipDefaultBuilders = 0;
}

def TileAS_IteratorType : TileAS_OfPipeline<"Iterator", "iterator"> {
  let summary = "A stage of a pipeline and the parity of the round in which it is used";
  let description = "Starts at stage 0 of round 0. Producers and consumers have iterators of one type, each its own.";
}

def TileAS_ProducerTokenType : TileAS_OfPipeline<"ProducerToken", "producer_token"> {
  let summary = "The right to fill a stage";
}

def TileAS_ConsumerTokenType : TileAS_OfPipeline<"ConsumerToken", "consumer_token"> {
  let summary = "The right to read a stage";
}

//===----------------------------------------------------------------------===//
// Asynchronous operations
//===----------------------------------------------------------------------===//

def TileAS_AsyncTokenType : TileAS_TypeDef<"AsyncToken", "async_token"> {
  let summary = "The completion of an asynchronous operation";
}

def TileAS_TmaDescType : TileAS_TypeDef<"TmaDesc", "tma_desc"> {
  let summary = "A tensor map: how TMA sees an array in global memory";
  let description = [{
    `box` is what one copy moves, in the order of the memref's dimensions (the last one is contiguous). `swizzle` is the
    span in bytes of the swizzle in shared memory: 32, 64 or 128, or 0 for none. A map of tf32 is of an array of f32,
    whose elements are rounded on their way to shared memory: to the nearest, ties to even.

    ```mlir
    !nv_tileas.tma_desc<128x64xf16, swizzle = 128>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t", "elements along each dimension, 1 to 256">:$box,
                        "::mlir::Type":$elementType, "int64_t":$swizzle);
  let extraClassDeclaration = [{
    /// Of the elements where they are in global memory.
    ::mlir::Type getArrayElementType() const;
    /// The same map with another box.
    TmaDescType withBox(::llvm::ArrayRef<int64_t> box) const {
      return get(getContext(), box, getElementType(), getSwizzle());
    }
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // TILEIRAS_DIALECT_TILEAS_TILEASTYPES_TD
